/* Models of ldexp, ilogb and the like: exact, a power of two at a time. */

void __parallax_errno(int number);

double fabs(double x);
int isinf(double x);

/* One step at a time, but for the last, which alone may round. */
double __parallax_ldexp(double x, int n)
{
    if (x == 0 || x != x || isinf(x))
        return x;
    for (; n > 0 && !isinf(x); n--)
        x *= 2;
    for (; n < 0 && fabs(x) >= 0x1p-1021; n++)
        x /= 2;
    if (n < 0) {
        double last = 1;
        for (; n < 0 && last > 0x1p-70F; n++)
            last /= 2;
        x *= last;
    }
    if (isinf(x) || x == 0)
        __parallax_errno(34);
    return x;
}

double __parallax_nan(const char *text)
{
    while (*text)
        text++;
    return (double)0 / 0;
}

int __parallax_ilogb(double x)
{
    if (x == 0 || x != x || isinf(x)) {
        __parallax_errno(33);
        return isinf(x) ? 0x7fffffff : -0x7fffffff - 1;
    }
    x = fabs(x);
    int n = 0;
    for (; x >= 2; n++)
        x /= 2;
    for (; x < 1; n--)
        x *= 2;
    return n;
}

double __parallax_logb(double x)
{
    if (x == 0) {
        __parallax_errno(34);
        return -1 / (double)0;
    }
    if (x != x || isinf(x))
        return x * x;
    return __parallax_ilogb(x);
}

double __parallax_scalbn(double x, int n)
{
    return __parallax_ldexp(x, n);
}
