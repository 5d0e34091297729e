/* Models of <math.h> that are not operators of the program form. */

double __parallax_any_double(void);
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

/* The exact remainder is not modelled: any value below the divisor with the
   sign of the dividend. */
double __parallax_fmod(double a, double b)
{
    if (a != a || b != b || isinf(a) || b == 0)
        return (a * b) / (a * b);
    if (fabs(a) < fabs(b) || a == 0)
        return a;
    double result = fabs(__parallax_any_double());
    if (!(result < fabs(b)))
        result = 0;
    return signbit(a) ? -result : result;
}

double __parallax_remainder(double a, double b)
{
    if (a != a || b != b || isinf(a) || b == 0)
        return (a * b) / (a * b);
    double result = __parallax_any_double();
    if (!(fabs(result) <= fabs(b) / 2))
        result = 0;
    return result;
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

float __parallax_any_float(void);
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

/* The exact remainder is not modelled: any value below the divisor with the
   sign of the dividend. */
float __parallax_fmodf(float a, float b)
{
    if (a != a || b != b || isinff(a) || b == 0)
        return (a * b) / (a * b);
    if (fabsf(a) < fabsf(b) || a == 0)
        return a;
    float result = fabsf(__parallax_any_float());
    if (!(result < fabsf(b)))
        result = 0;
    return signbitf(a) ? -result : result;
}

float __parallax_remainderf(float a, float b)
{
    if (a != a || b != b || isinff(a) || b == 0)
        return (a * b) / (a * b);
    float result = __parallax_any_float();
    if (!(fabsf(result) <= fabsf(b) / 2))
        result = 0;
    return result;
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

long double __parallax_any_long_double(void);
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

/* The exact remainder is not modelled: any value below the divisor with the
   sign of the dividend. */
long double __parallax_fmodl(long double a, long double b)
{
    if (a != a || b != b || isinfl(a) || b == 0)
        return (a * b) / (a * b);
    if (fabsl(a) < fabsl(b) || a == 0)
        return a;
    long double result = fabsl(__parallax_any_long_double());
    if (!(result < fabsl(b)))
        result = 0;
    return signbitl(a) ? -result : result;
}

long double __parallax_remainderl(long double a, long double b)
{
    if (a != a || b != b || isinfl(a) || b == 0)
        return (a * b) / (a * b);
    long double result = __parallax_any_long_double();
    if (!(fabsl(result) <= fabsl(b) / 2))
        result = 0;
    return result;
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
