/* Models of the functions of <math.h> whose results are not known to the last
   bit: exact where the result is a number that can be represented and a library
   with an error below one unit in the last place gives it, else arbitrary within
   what is known of sign and range. */

void __parallax_assume(int condition);
void __parallax_errno(int number);
int __parallax_any_int(void);

/* EDOM and ERANGE. */
enum { DOMAIN = 33, RANGE = 34 };

double __parallax_result_of_acos(double x);
double __parallax_result_of_asin(double x);
double __parallax_result_of_atan(double x);
double __parallax_result_of_atan2(double x, double y);
double __parallax_result_of_cbrt(double x);
double __parallax_result_of_cos(double x);
double __parallax_result_of_cosh(double x);
double __parallax_result_of_exp(double x);
double __parallax_result_of_exp2(double x);
double __parallax_result_of_expm1(double x);
double __parallax_result_of_fma(double x, double y, double z);
double __parallax_result_of_hypot(double x, double y);
double __parallax_result_of_log(double x);
double __parallax_result_of_log10(double x);
double __parallax_result_of_log1p(double x);
double __parallax_result_of_log2(double x);
double __parallax_result_of_pow(double x, double y);
double __parallax_result_of_sin(double x);
double __parallax_result_of_sinh(double x);
double __parallax_result_of_tan(double x);
double __parallax_result_of_tanh(double x);
double fabs(double x);
double sqrt(double x);
double trunc(double x);
int signbit(double x);
int isinf(double x);

/* What is known of a result: it is between two bounds. */
static double between(double result, double low, double high)
{
    __parallax_assume(result >= low && result <= high);
    return result;
}

static double domain_error(double x)
{
    __parallax_errno(DOMAIN);
    return (x - x) / (x - x);
}

double __parallax_sin(double x)
{
    if (x == 0 || x != x)
        return x;
    if (isinf(x))
        return domain_error(x);
    double asked = __parallax_result_of_sin(x);
    return between(asked, -1, 1);
}

double __parallax_cos(double x)
{
    if (x == 0)
        return 1;
    if (x != x)
        return x;
    if (isinf(x))
        return domain_error(x);
    double asked = __parallax_result_of_cos(x);
    return between(asked, -1, 1);
}

double __parallax_tan(double x)
{
    if (x == 0 || x != x)
        return x;
    if (isinf(x))
        return domain_error(x);
    __parallax_errno(__parallax_any_int() ? RANGE : 0);
    double asked = __parallax_result_of_tan(x);
    return between(asked, -1 / (double)0, 1 / (double)0);
}

double __parallax_asin(double x)
{
    if (x == 0 || x != x)
        return x;
    if (fabs(x) > 1)
        return domain_error(x * 0);
    double asked = __parallax_result_of_asin(x);
    return x > 0 ? between(asked, 0, 1.5707964F) : between(asked, -1.5707964F, 0);
}

double __parallax_acos(double x)
{
    if (x == 1)
        return 0;
    if (x != x)
        return x;
    if (fabs(x) > 1)
        return domain_error(x * 0);
    double asked = __parallax_result_of_acos(x);
    return between(asked, 0, 3.1415928F);
}

double __parallax_atan(double x)
{
    if (x == 0 || x != x)
        return x;
    double asked = __parallax_result_of_atan(x);
    return x > 0 ? between(asked, 0, 1.5707964F) : between(asked, -1.5707964F, 0);
}

double __parallax_atan2(double y, double x)
{
    if (x != x || y != y)
        return x + y;
    if (y == 0 && !signbit(x))
        return y;
    double asked = __parallax_result_of_atan2(y, x);
    return signbit(y) ? between(asked, -3.1415928F, 0)
                      : between(asked, 0, 3.1415928F);
}

/* An exponential function, given the result that was asked for. */
static double exponential(double x, double asked)
{
    if (x == 0)
        return 1;
    if (x != x)
        return x;
    if (isinf(x))
        return x > 0 ? x : 0;
    __parallax_errno(__parallax_any_int() ? RANGE : 0);
    return x > 0 ? between(asked, 1, 1 / (double)0) : between(asked, 0, 1);
}

double __parallax_exp(double x)
{
    return exponential(x, __parallax_result_of_exp(x));
}

double __parallax_exp2(double x)
{
    if (x == trunc(x) && fabs(x) <= 64) {
        double result = 1;
        for (int i = 0; i < fabs(x); i++)
            result *= 2;
        return x < 0 ? 1 / result : result;
    }
    return exponential(x, __parallax_result_of_exp2(x));
}

double __parallax_expm1(double x)
{
    if (x == 0 || x != x)
        return x;
    if (isinf(x))
        return x > 0 ? x : -1;
    __parallax_errno(__parallax_any_int() ? RANGE : 0);
    double asked = __parallax_result_of_expm1(x);
    return x > 0 ? between(asked, 0, 1 / (double)0) : between(asked, -1, 0);
}

/* A logarithm, given the result that was asked for. */
static double logarithm(double x, double asked)
{
    if (x == 1)
        return 0;
    if (x != x)
        return x;
    if (x == 0) {
        __parallax_errno(RANGE);
        return -1 / (double)0;
    }
    if (x < 0)
        return domain_error(0);
    if (isinf(x))
        return x;
    return x > 1 ? between(asked, 0, 12000) : between(asked, -12000, 0);
}

double __parallax_log(double x)
{
    return logarithm(x, __parallax_result_of_log(x));
}

double __parallax_log2(double x)
{
    if (x >= 1 && x <= 0x1p64F) {
        double power = 1;
        for (int i = 0; i <= 64 && power <= x; i++) {
            if (power == x)
                return i;
            power *= 2;
        }
    }
    return logarithm(x, __parallax_result_of_log2(x));
}

double __parallax_log10(double x)
{
    if (x >= 1 && x <= 1e22) {
        double power = 1;
        for (int i = 0; i <= 22 && power <= x; i++) {
            if (power == x)
                return i;
            power *= 10;
        }
    }
    return logarithm(x, __parallax_result_of_log10(x));
}

double __parallax_log1p(double x)
{
    if (x == 0 || x != x)
        return x;
    if (x == -1) {
        __parallax_errno(RANGE);
        return -1 / (double)0;
    }
    if (x < -1)
        return domain_error(0);
    if (isinf(x))
        return x;
    double asked = __parallax_result_of_log1p(x);
    return x > 0 ? between(asked, 0, 12000) : between(asked, -12000, 0);
}

double __parallax_sinh(double x)
{
    if (x == 0 || x != x || isinf(x))
        return x;
    __parallax_errno(__parallax_any_int() ? RANGE : 0);
    double asked = __parallax_result_of_sinh(x);
    return x > 0 ? between(asked, 0, 1 / (double)0) : between(asked, -1 / (double)0, 0);
}

double __parallax_cosh(double x)
{
    if (x == 0)
        return 1;
    if (x != x)
        return x;
    if (isinf(x))
        return fabs(x);
    __parallax_errno(__parallax_any_int() ? RANGE : 0);
    double asked = __parallax_result_of_cosh(x);
    return between(asked, 1, 1 / (double)0);
}

double __parallax_tanh(double x)
{
    if (x == 0 || x != x)
        return x;
    if (isinf(x))
        return x > 0 ? 1 : -1;
    double asked = __parallax_result_of_tanh(x);
    return x > 0 ? between(asked, 0, 1) : between(asked, -1, 0);
}

double __parallax_cbrt(double x)
{
    if (x == 0 || x != x || isinf(x) || fabs(x) == 1)
        return x;
    double size = fabs(x);
    double asked = __parallax_result_of_cbrt(size);
    double result = size > 1 ? between(asked, 1, size) : between(asked, size, 1);
    return x < 0 ? -result : result;
}

double __parallax_hypot(double x, double y)
{
    if (isinf(x) || isinf(y))
        return 1 / (double)0;
    if (x != x || y != y)
        return x + y;
    if (x == 0)
        return fabs(y);
    if (y == 0)
        return fabs(x);
    double result = __parallax_result_of_hypot(x, y);
    __parallax_assume(result >= fabs(x) && result >= fabs(y));
    __parallax_errno(isinf(result) ? RANGE : 0);
    return result;
}

/* A whole power of a number above zero if it is exact, else 0. The odd part of
   the number is a whole number; its powers are exact as long as they are small. */
static double exact_power(double odd, int count)
{
    int twos = 0;
    for (; odd != trunc(odd) && twos > -64; twos--)
        odd *= 2;
    if (odd != trunc(odd))
        return 0;
    for (; odd / 2 == trunc(odd / 2); twos++)
        odd /= 2;
    int size = count < 0 ? -count : count;
    double power = 1;
    if (odd != 1) {
        if (count < 0)
            return 0;
        for (int i = 0; i < size && power < 0x1p53; i++)
            power *= odd;
    }
    twos *= count;
    if (!(power < 0x1p53) || twos > 900 || twos < -900)
        return 0;
    for (; twos > 0; twos--)
        power *= 2;
    for (; twos < 0; twos++)
        power /= 2;
    return power;
}

double __parallax_pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return x + y;
    double size = fabs(x);
    if (isinf(y)) {
        if (size == 1)
            return 1;
        return (size > 1) == (y > 0) ? 1 / (double)0 : 0;
    }
    int is_whole = y == trunc(y);
    int is_odd = is_whole && y / 2 != trunc(y / 2);
    if (x == 0 || isinf(x)) {
        if (x == 0 && y < 0)
            __parallax_errno(RANGE);
        double result = (x == 0) == (y < 0) ? 1 / (double)0 : 0;
        return is_odd && signbit(x) ? -result : result;
    }
    if (x < 0 && !is_whole)
        return domain_error(0);
    int negative = x < 0 && is_odd;
    if (y == 1)
        return x;
    if (size == 1)
        return negative ? -1 : 1;
    if (is_whole && fabs(y) <= 1000) {
        double exact = exact_power(size, (int)y);
        if (exact != 0)
            return negative ? -exact : exact;
    }
    if (y == (double)0.5 && x == trunc(x) && x < 0x1p53) {
        double root = sqrt(x);
        if (root == trunc(root) && root * root == x)
            return root;
    }
    double asked = __parallax_result_of_pow(size, y);
    double result =
        (size > 1) == (y > 0) ? between(asked, 1, 1 / (double)0) : between(asked, 0, 1);
    __parallax_errno(isinf(result) || (result == 0) ? RANGE
                     : __parallax_any_int()            ? RANGE
                                                       : 0);
    return negative ? -result : result;
}

/* Exact if all numbers are whole and small. */
double __parallax_fma(double a, double b, double c)
{
    double product = a * b;
    double sum = product + c;
    int is_small = fabs(product) <= 0x1p53 && fabs(c) <= 0x1p53 && fabs(sum) <= 0x1p53;
    if (is_small && a == trunc(a) && b == trunc(b) && c == trunc(c) && sum != 0)
        return sum;
    __parallax_errno(__parallax_any_int() ? RANGE : 0);
    return __parallax_result_of_fma(a, b, c);
}
