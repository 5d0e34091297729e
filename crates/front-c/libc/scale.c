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

float fabsf(float x);
int isinff(float x);

/* One step at a time, but for the last, which alone may round. */
float __parallax_ldexpf(float x, int n)
{
    if (x == 0 || x != x || isinff(x))
        return x;
    for (; n > 0 && !isinff(x); n--)
        x *= 2;
    for (; n < 0 && fabsf(x) >= 0x1p-125F; n++)
        x /= 2;
    if (n < 0) {
        float last = 1;
        for (; n < 0 && last > 0x1p-70F; n++)
            last /= 2;
        x *= last;
    }
    if (isinff(x) || x == 0)
        __parallax_errno(34);
    return x;
}

float __parallax_nanf(const char *text)
{
    while (*text)
        text++;
    return (float)0 / 0;
}

int __parallax_ilogbf(float x)
{
    if (x == 0 || x != x || isinff(x)) {
        __parallax_errno(33);
        return isinff(x) ? 0x7fffffff : -0x7fffffff - 1;
    }
    x = fabsf(x);
    int n = 0;
    for (; x >= 2; n++)
        x /= 2;
    for (; x < 1; n--)
        x *= 2;
    return n;
}

float __parallax_logbf(float x)
{
    if (x == 0) {
        __parallax_errno(34);
        return -1 / (float)0;
    }
    if (x != x || isinff(x))
        return x * x;
    return __parallax_ilogbf(x);
}

float __parallax_scalbnf(float x, int n)
{
    return __parallax_ldexpf(x, n);
}

long double fabsl(long double x);
int isinfl(long double x);

/* One step at a time, but for the last, which alone may round. */
long double __parallax_ldexpl(long double x, int n)
{
    if (x == 0 || x != x || isinfl(x))
        return x;
    for (; n > 0 && !isinfl(x); n--)
        x *= 2;
    for (; n < 0 && fabsl(x) >= 0x1p-16381L; n++)
        x /= 2;
    if (n < 0) {
        long double last = 1;
        for (; n < 0 && last > 0x1p-70F; n++)
            last /= 2;
        x *= last;
    }
    if (isinfl(x) || x == 0)
        __parallax_errno(34);
    return x;
}

long double __parallax_nanl(const char *text)
{
    while (*text)
        text++;
    return (long double)0 / 0;
}

int __parallax_ilogbl(long double x)
{
    if (x == 0 || x != x || isinfl(x)) {
        __parallax_errno(33);
        return isinfl(x) ? 0x7fffffff : -0x7fffffff - 1;
    }
    x = fabsl(x);
    int n = 0;
    for (; x >= 2; n++)
        x /= 2;
    for (; x < 1; n--)
        x *= 2;
    return n;
}

long double __parallax_logbl(long double x)
{
    if (x == 0) {
        __parallax_errno(34);
        return -1 / (long double)0;
    }
    if (x != x || isinfl(x))
        return x * x;
    return __parallax_ilogbl(x);
}

long double __parallax_scalbnl(long double x, int n)
{
    return __parallax_ldexpl(x, n);
}
