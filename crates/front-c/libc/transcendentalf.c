/* Models of the functions of <math.h> whose results are not known to the last
   bit: exact where the result is a number that can be represented and a library
   with an error below one unit in the last place gives it, else arbitrary within
   what is known of sign and range. */

void __parallax_assume(int condition);
void __parallax_errno(int number);
int __parallax_any_int(void);

/* EDOM and ERANGE. */
enum { DOMAIN = 33, RANGE = 34 };

float __parallax_result_of_acosf(float x);
float __parallax_result_of_asinf(float x);
float __parallax_result_of_atanf(float x);
float __parallax_result_of_atan2f(float x, float y);
float __parallax_result_of_cbrtf(float x);
float __parallax_result_of_cosf(float x);
float __parallax_result_of_coshf(float x);
float __parallax_result_of_expf(float x);
float __parallax_result_of_exp2f(float x);
float __parallax_result_of_expm1f(float x);
float __parallax_result_of_fmaf(float x, float y, float z);
float __parallax_result_of_hypotf(float x, float y);
float __parallax_result_of_logf(float x);
float __parallax_result_of_log10f(float x);
float __parallax_result_of_log1pf(float x);
float __parallax_result_of_log2f(float x);
float __parallax_result_of_powf(float x, float y);
float __parallax_result_of_sinf(float x);
float __parallax_result_of_sinhf(float x);
float __parallax_result_of_tanf(float x);
float __parallax_result_of_tanhf(float x);
float fabsf(float x);
float sqrtf(float x);
float truncf(float x);
int signbitf(float x);
int isinff(float x);

/* What is known of a result: it is between two bounds. */
static float betweenf(float result, float low, float high)
{
    __parallax_assume(result >= low && result <= high);
    return result;
}

static float domain_errorf(float x)
{
    __parallax_errno(DOMAIN);
    return (x - x) / (x - x);
}

float __parallax_sinf(float x)
{
    if (x == 0 || x != x)
        return x;
    if (isinff(x))
        return domain_errorf(x);
    float asked = __parallax_result_of_sinf(x);
    return betweenf(asked, -1, 1);
}

float __parallax_cosf(float x)
{
    if (x == 0)
        return 1;
    if (x != x)
        return x;
    if (isinff(x))
        return domain_errorf(x);
    float asked = __parallax_result_of_cosf(x);
    return betweenf(asked, -1, 1);
}

float __parallax_tanf(float x)
{
    if (x == 0 || x != x)
        return x;
    if (isinff(x))
        return domain_errorf(x);
    __parallax_errno(__parallax_any_int() ? RANGE : 0);
    float asked = __parallax_result_of_tanf(x);
    return betweenf(asked, -1 / (float)0, 1 / (float)0);
}

float __parallax_asinf(float x)
{
    if (x == 0 || x != x)
        return x;
    if (fabsf(x) > 1)
        return domain_errorf(x * 0);
    float asked = __parallax_result_of_asinf(x);
    return x > 0 ? betweenf(asked, 0, 1.5707964F) : betweenf(asked, -1.5707964F, 0);
}

float __parallax_acosf(float x)
{
    if (x == 1)
        return 0;
    if (x != x)
        return x;
    if (fabsf(x) > 1)
        return domain_errorf(x * 0);
    float asked = __parallax_result_of_acosf(x);
    return betweenf(asked, 0, 3.1415928F);
}

float __parallax_atanf(float x)
{
    if (x == 0 || x != x)
        return x;
    float asked = __parallax_result_of_atanf(x);
    return x > 0 ? betweenf(asked, 0, 1.5707964F) : betweenf(asked, -1.5707964F, 0);
}

float __parallax_atan2f(float y, float x)
{
    if (x != x || y != y)
        return x + y;
    if (y == 0 && !signbitf(x))
        return y;
    float asked = __parallax_result_of_atan2f(y, x);
    return signbitf(y) ? betweenf(asked, -3.1415928F, 0)
                      : betweenf(asked, 0, 3.1415928F);
}

/* An exponential function, given the result that was asked for. */
static float exponentialf(float x, float asked)
{
    if (x == 0)
        return 1;
    if (x != x)
        return x;
    if (isinff(x))
        return x > 0 ? x : 0;
    __parallax_errno(__parallax_any_int() ? RANGE : 0);
    return x > 0 ? betweenf(asked, 1, 1 / (float)0) : betweenf(asked, 0, 1);
}

float __parallax_expf(float x)
{
    return exponentialf(x, __parallax_result_of_expf(x));
}

float __parallax_exp2f(float x)
{
    if (x == truncf(x) && fabsf(x) <= 64) {
        float result = 1;
        for (int i = 0; i < fabsf(x); i++)
            result *= 2;
        return x < 0 ? 1 / result : result;
    }
    return exponentialf(x, __parallax_result_of_exp2f(x));
}

float __parallax_expm1f(float x)
{
    if (x == 0 || x != x)
        return x;
    if (isinff(x))
        return x > 0 ? x : -1;
    __parallax_errno(__parallax_any_int() ? RANGE : 0);
    float asked = __parallax_result_of_expm1f(x);
    return x > 0 ? betweenf(asked, 0, 1 / (float)0) : betweenf(asked, -1, 0);
}

/* A logarithm, given the result that was asked for. */
static float logarithmf(float x, float asked)
{
    if (x == 1)
        return 0;
    if (x != x)
        return x;
    if (x == 0) {
        __parallax_errno(RANGE);
        return -1 / (float)0;
    }
    if (x < 0)
        return domain_errorf(0);
    if (isinff(x))
        return x;
    return x > 1 ? betweenf(asked, 0, 12000) : betweenf(asked, -12000, 0);
}

float __parallax_logf(float x)
{
    return logarithmf(x, __parallax_result_of_logf(x));
}

float __parallax_log2f(float x)
{
    if (x >= 1 && x <= 0x1p64F) {
        float power = 1;
        for (int i = 0; i <= 64 && power <= x; i++) {
            if (power == x)
                return i;
            power *= 2;
        }
    }
    return logarithmf(x, __parallax_result_of_log2f(x));
}

float __parallax_log10f(float x)
{
    if (x >= 1 && x <= 1e10F) {
        float power = 1;
        for (int i = 0; i <= 22 && power <= x; i++) {
            if (power == x)
                return i;
            power *= 10;
        }
    }
    return logarithmf(x, __parallax_result_of_log10f(x));
}

float __parallax_log1pf(float x)
{
    if (x == 0 || x != x)
        return x;
    if (x == -1) {
        __parallax_errno(RANGE);
        return -1 / (float)0;
    }
    if (x < -1)
        return domain_errorf(0);
    if (isinff(x))
        return x;
    float asked = __parallax_result_of_log1pf(x);
    return x > 0 ? betweenf(asked, 0, 12000) : betweenf(asked, -12000, 0);
}

float __parallax_sinhf(float x)
{
    if (x == 0 || x != x || isinff(x))
        return x;
    __parallax_errno(__parallax_any_int() ? RANGE : 0);
    float asked = __parallax_result_of_sinhf(x);
    return x > 0 ? betweenf(asked, 0, 1 / (float)0) : betweenf(asked, -1 / (float)0, 0);
}

float __parallax_coshf(float x)
{
    if (x == 0)
        return 1;
    if (x != x)
        return x;
    if (isinff(x))
        return fabsf(x);
    __parallax_errno(__parallax_any_int() ? RANGE : 0);
    float asked = __parallax_result_of_coshf(x);
    return betweenf(asked, 1, 1 / (float)0);
}

float __parallax_tanhf(float x)
{
    if (x == 0 || x != x)
        return x;
    if (isinff(x))
        return x > 0 ? 1 : -1;
    float asked = __parallax_result_of_tanhf(x);
    return x > 0 ? betweenf(asked, 0, 1) : betweenf(asked, -1, 0);
}

float __parallax_cbrtf(float x)
{
    if (x == 0 || x != x || isinff(x) || fabsf(x) == 1)
        return x;
    float size = fabsf(x);
    float asked = __parallax_result_of_cbrtf(size);
    float result = size > 1 ? betweenf(asked, 1, size) : betweenf(asked, size, 1);
    return x < 0 ? -result : result;
}

float __parallax_hypotf(float x, float y)
{
    if (isinff(x) || isinff(y))
        return 1 / (float)0;
    if (x != x || y != y)
        return x + y;
    if (x == 0)
        return fabsf(y);
    if (y == 0)
        return fabsf(x);
    float result = __parallax_result_of_hypotf(x, y);
    __parallax_assume(result >= fabsf(x) && result >= fabsf(y));
    __parallax_errno(isinff(result) ? RANGE : 0);
    return result;
}

/* A whole power of a number above zero if it is exact, else 0. The odd part of
   the number is a whole number; its powers are exact as long as they are small. */
static float exact_powerf(float odd, int count)
{
    int twos = 0;
    for (; odd != truncf(odd) && twos > -64; twos--)
        odd *= 2;
    if (odd != truncf(odd))
        return 0;
    for (; odd / 2 == truncf(odd / 2); twos++)
        odd /= 2;
    int size = count < 0 ? -count : count;
    float power = 1;
    if (odd != 1) {
        if (count < 0)
            return 0;
        for (int i = 0; i < size && power < 0x1p24F; i++)
            power *= odd;
    }
    twos *= count;
    if (!(power < 0x1p24F) || twos > 90 || twos < -90)
        return 0;
    for (; twos > 0; twos--)
        power *= 2;
    for (; twos < 0; twos++)
        power /= 2;
    return power;
}

float __parallax_powf(float x, float y)
{
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return x + y;
    float size = fabsf(x);
    if (isinff(y)) {
        if (size == 1)
            return 1;
        return (size > 1) == (y > 0) ? 1 / (float)0 : 0;
    }
    int is_whole = y == truncf(y);
    int is_odd = is_whole && y / 2 != truncf(y / 2);
    if (x == 0 || isinff(x)) {
        if (x == 0 && y < 0)
            __parallax_errno(RANGE);
        float result = (x == 0) == (y < 0) ? 1 / (float)0 : 0;
        return is_odd && signbitf(x) ? -result : result;
    }
    if (x < 0 && !is_whole)
        return domain_errorf(0);
    int negative = x < 0 && is_odd;
    if (y == 1)
        return x;
    if (size == 1)
        return negative ? -1 : 1;
    if (is_whole && fabsf(y) <= 1000) {
        float exact = exact_powerf(size, (int)y);
        if (exact != 0)
            return negative ? -exact : exact;
    }
    if (y == (float)0.5 && x == truncf(x) && x < 0x1p24F) {
        float root = sqrtf(x);
        if (root == truncf(root) && root * root == x)
            return root;
    }
    float asked = __parallax_result_of_powf(size, y);
    float result =
        (size > 1) == (y > 0) ? betweenf(asked, 1, 1 / (float)0) : betweenf(asked, 0, 1);
    __parallax_errno(isinff(result) || (result == 0) ? RANGE
                     : __parallax_any_int()            ? RANGE
                                                       : 0);
    return negative ? -result : result;
}

/* Exact if all numbers are whole and small. */
float __parallax_fmaf(float a, float b, float c)
{
    float product = a * b;
    float sum = product + c;
    int is_small = fabsf(product) <= 0x1p24F && fabsf(c) <= 0x1p24F && fabsf(sum) <= 0x1p24F;
    if (is_small && a == truncf(a) && b == truncf(b) && c == truncf(c) && sum != 0)
        return sum;
    __parallax_errno(__parallax_any_int() ? RANGE : 0);
    return __parallax_result_of_fmaf(a, b, c);
}
