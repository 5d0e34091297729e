/* Models of <math.h> that are not operators of the program form. */

void __parallax_errno(int number);
double fabs(double x);
double trunc(double x);
double round(double x);
double rint(double x);
int signbit(double x);
int isnan(double x);
int isinf(double x);

double __parallax_fmin(double a, double b)
{
    if (a != a)
        return b;
    if (b != b)
        return a;
    if (a == b)
        return signbit(a) ? a : b;
    return a < b ? a : b;
}

double __parallax_fmax(double a, double b)
{
    if (a != a)
        return b;
    if (b != b)
        return a;
    if (a == b)
        return signbit(a) ? b : a;
    return a > b ? a : b;
}

double __parallax_fdim(double a, double b)
{
    if (a != a)
        return a;
    if (b != b)
        return b;
    return a > b ? a - b : 0;
}

double __parallax_copysign(double a, double b)
{
    double size = fabs(a);
    return signbit(b) ? -size : size;
}

/* Multiples of the divisor are taken away, which is exact. */
static double rest(double x, double y)
{
    while (x >= y) {
        double part = y;
        while (part <= x - part)
            part += part;
        x -= part;
    }
    return x;
}

double __parallax_fmod(double a, double b)
{
    if (a != a || b != b)
        return a + b;
    if (isinf(a) || b == 0) {
        __parallax_errno(33);
        return (a - a) / (a - a);
    }
    if (isinf(b) || a == 0)
        return a;
    double result = rest(fabs(a), fabs(b));
    return signbit(a) ? -result : result;
}

double __parallax_remainder(double a, double b)
{
    if (a != a || b != b)
        return a + b;
    if (isinf(a) || b == 0) {
        __parallax_errno(33);
        return (a - a) / (a - a);
    }
    if (isinf(b) || a == 0)
        return a;
    double x = fabs(a);
    double y = fabs(b);
    if (y < 0x1p1023)
        x = rest(x, y + y);
    if (y < 0x1p-1021) {
        if (x + x > y) {
            x -= y;
            if (x + x >= y)
                x -= y;
        }
    } else if (x > y / 2) {
        x -= y;
        if (x >= y / 2)
            x -= y;
    }
    return signbit(a) ? -x : x;
}

double __parallax_modf(double x, double *whole)
{
    *whole = trunc(x);
    if (isinf(x))
        return __parallax_copysign(0, x);
    return __parallax_copysign(x - *whole, x);
}

double __parallax_frexp(double x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || x != x || isinf(x))
        return x;
    while (fabs(x) >= 1) {
        x /= 2;
        ++*exponent;
    }
    while (fabs(x) < (double)0.5) {
        x *= 2;
        --*exponent;
    }
    return x;
}

long __parallax_lround(double x)
{
    return (long)round(x);
}

long long __parallax_llround(double x)
{
    return (long long)round(x);
}

long __parallax_lrint(double x)
{
    return (long)rint(x);
}

long long __parallax_llrint(double x)
{
    return (long long)rint(x);
}

/* FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL are 0 to 4. */
int __parallax___fpclassify(double x)
{
    if (x != x)
        return 0;
    if (isinf(x))
        return 1;
    if (x == 0)
        return 2;
    return fabs(x) < 0x1p-1022 ? 3 : 4;
}

float fabsf(float x);
float truncf(float x);
float roundf(float x);
float rintf(float x);
int signbitf(float x);
int isnanf(float x);
int isinff(float x);

float __parallax_fminf(float a, float b)
{
    if (a != a)
        return b;
    if (b != b)
        return a;
    if (a == b)
        return signbitf(a) ? a : b;
    return a < b ? a : b;
}

float __parallax_fmaxf(float a, float b)
{
    if (a != a)
        return b;
    if (b != b)
        return a;
    if (a == b)
        return signbitf(a) ? b : a;
    return a > b ? a : b;
}

float __parallax_fdimf(float a, float b)
{
    if (a != a)
        return a;
    if (b != b)
        return b;
    return a > b ? a - b : 0;
}

float __parallax_copysignf(float a, float b)
{
    float size = fabsf(a);
    return signbitf(b) ? -size : size;
}

/* Multiples of the divisor are taken away, which is exact. */
static float restf(float x, float y)
{
    while (x >= y) {
        float part = y;
        while (part <= x - part)
            part += part;
        x -= part;
    }
    return x;
}

float __parallax_fmodf(float a, float b)
{
    if (a != a || b != b)
        return a + b;
    if (isinff(a) || b == 0) {
        __parallax_errno(33);
        return (a - a) / (a - a);
    }
    if (isinff(b) || a == 0)
        return a;
    float result = restf(fabsf(a), fabsf(b));
    return signbitf(a) ? -result : result;
}

float __parallax_remainderf(float a, float b)
{
    if (a != a || b != b)
        return a + b;
    if (isinff(a) || b == 0) {
        __parallax_errno(33);
        return (a - a) / (a - a);
    }
    if (isinff(b) || a == 0)
        return a;
    float x = fabsf(a);
    float y = fabsf(b);
    if (y < 0x1p127F)
        x = restf(x, y + y);
    if (y < 0x1p-125F) {
        if (x + x > y) {
            x -= y;
            if (x + x >= y)
                x -= y;
        }
    } else if (x > y / 2) {
        x -= y;
        if (x >= y / 2)
            x -= y;
    }
    return signbitf(a) ? -x : x;
}

float __parallax_modff(float x, float *whole)
{
    *whole = truncf(x);
    if (isinff(x))
        return __parallax_copysignf(0, x);
    return __parallax_copysignf(x - *whole, x);
}

float __parallax_frexpf(float x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || x != x || isinff(x))
        return x;
    while (fabsf(x) >= 1) {
        x /= 2;
        ++*exponent;
    }
    while (fabsf(x) < (float)0.5) {
        x *= 2;
        --*exponent;
    }
    return x;
}

long __parallax_lroundf(float x)
{
    return (long)roundf(x);
}

long long __parallax_llroundf(float x)
{
    return (long long)roundf(x);
}

long __parallax_lrintf(float x)
{
    return (long)rintf(x);
}

long long __parallax_llrintf(float x)
{
    return (long long)rintf(x);
}

/* FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL are 0 to 4. */
int __parallax___fpclassifyf(float x)
{
    if (x != x)
        return 0;
    if (isinff(x))
        return 1;
    if (x == 0)
        return 2;
    return fabsf(x) < 0x1p-126f ? 3 : 4;
}

long double fabsl(long double x);
long double truncl(long double x);
long double roundl(long double x);
long double rintl(long double x);
int signbitl(long double x);
int isnanl(long double x);
int isinfl(long double x);

long double __parallax_fminl(long double a, long double b)
{
    if (a != a)
        return b;
    if (b != b)
        return a;
    if (a == b)
        return signbitl(a) ? a : b;
    return a < b ? a : b;
}

long double __parallax_fmaxl(long double a, long double b)
{
    if (a != a)
        return b;
    if (b != b)
        return a;
    if (a == b)
        return signbitl(a) ? b : a;
    return a > b ? a : b;
}

long double __parallax_fdiml(long double a, long double b)
{
    if (a != a)
        return a;
    if (b != b)
        return b;
    return a > b ? a - b : 0;
}

long double __parallax_copysignl(long double a, long double b)
{
    long double size = fabsl(a);
    return signbitl(b) ? -size : size;
}

/* Multiples of the divisor are taken away, which is exact. */
static long double restl(long double x, long double y)
{
    while (x >= y) {
        long double part = y;
        while (part <= x - part)
            part += part;
        x -= part;
    }
    return x;
}

long double __parallax_fmodl(long double a, long double b)
{
    if (a != a || b != b)
        return a + b;
    if (isinfl(a) || b == 0) {
        __parallax_errno(33);
        return (a - a) / (a - a);
    }
    if (isinfl(b) || a == 0)
        return a;
    long double result = restl(fabsl(a), fabsl(b));
    return signbitl(a) ? -result : result;
}

long double __parallax_remainderl(long double a, long double b)
{
    if (a != a || b != b)
        return a + b;
    if (isinfl(a) || b == 0) {
        __parallax_errno(33);
        return (a - a) / (a - a);
    }
    if (isinfl(b) || a == 0)
        return a;
    long double x = fabsl(a);
    long double y = fabsl(b);
    if (y < 0x1p16383L)
        x = restl(x, y + y);
    if (y < 0x1p-16381L) {
        if (x + x > y) {
            x -= y;
            if (x + x >= y)
                x -= y;
        }
    } else if (x > y / 2) {
        x -= y;
        if (x >= y / 2)
            x -= y;
    }
    return signbitl(a) ? -x : x;
}

long double __parallax_modfl(long double x, long double *whole)
{
    *whole = truncl(x);
    if (isinfl(x))
        return __parallax_copysignl(0, x);
    return __parallax_copysignl(x - *whole, x);
}

long double __parallax_frexpl(long double x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || x != x || isinfl(x))
        return x;
    while (fabsl(x) >= 1) {
        x /= 2;
        ++*exponent;
    }
    while (fabsl(x) < (long double)0.5) {
        x *= 2;
        --*exponent;
    }
    return x;
}

long __parallax_lroundl(long double x)
{
    return (long)roundl(x);
}

long long __parallax_llroundl(long double x)
{
    return (long long)roundl(x);
}

long __parallax_lrintl(long double x)
{
    return (long)rintl(x);
}

long long __parallax_llrintl(long double x)
{
    return (long long)rintl(x);
}

/* FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL are 0 to 4. */
int __parallax___fpclassifyl(long double x)
{
    if (x != x)
        return 0;
    if (isinfl(x))
        return 1;
    if (x == 0)
        return 2;
    return fabsl(x) < 0x1p-16382L ? 3 : 4;
}
