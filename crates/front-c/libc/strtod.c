/* Models of atof and strtod. A number is exact if its digits and its power of
   ten are exact in the format, so that there is one rounding; else it is
   arbitrary, but finite and not below zero before its sign. */

typedef __typeof__(sizeof(0)) size_t;

int __parallax_any_int(void);
void __parallax_assume(int condition);
void __parallax_errno(int number);

double __parallax_result_of_strtod(const char *s, size_t n);
float __parallax_result_of_strtof(const char *s, size_t n);
double __parallax_result_of_text(void);

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* How many characters of a word there are, in small or capital letters: all of
   them or none. */
static size_t word(const char *s, const char *small)
{
    size_t n = 0;
    for (; small[n]; n++)
        if (s[n] != small[n] && s[n] != small[n] - 'a' + 'A')
            return 0;
    return n;
}

/* The digits of a number, without the zeros before them, as far as they fit into
   64 bits, and its power of ten. */
struct decimal {
    unsigned long long digits;
    int power;
    int is_cut;
    const char *end;
};

static struct decimal decimal(const char *s)
{
    struct decimal d = { 0, 0, 0, 0 };
    int some = 0;
    int behind = 0;
    for (;; s++) {
        if (*s == '.' && !behind) {
            behind = 1;
        } else if (is_digit(*s)) {
            some = 1;
            d.power -= behind;
            if (d.digits < 100000000000000000ull)
                d.digits = d.digits * 10 + (*s - '0');
            else
                d.is_cut = 1;
        } else {
            break;
        }
    }
    if (!some)
        return d;
    d.end = s;
    if (*s == 'e' || *s == 'E') {
        const char *at = s + 1;
        int down = *at == '-';
        if (*at == '-' || *at == '+')
            at++;
        if (is_digit(*at)) {
            int power = 0;
            for (; is_digit(*at); at++)
                if (power < 100000)
                    power = power * 10 + (*at - '0');
            d.power += down ? -power : power;
            d.end = at;
        }
    }
    return d;
}

double __parallax_strtod(const char *s, char **end)
{
    const char *start = s;
    while (is_space(*s))
        s++;
    int negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    double result = 0;
    size_t n = word(s, "infinity");
    if (!n)
        n = word(s, "inf");
    if (n) {
        result = 1 / (double)0;
        s += n;
    } else if (word(s, "nan")) {
        result = (double)0 / 0;
        s += 3;
        /* Characters in brackets may follow. */
        if (*s == '(') {
            n = 1;
            while (s[n] == '_' || is_digit(s[n]) || (s[n] >= 'a' && s[n] <= 'z') ||
                   (s[n] >= 'A' && s[n] <= 'Z'))
                n++;
            if (s[n] == ')')
                s += n + 1;
        }
    } else if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        /* Base 16 is not looked at. */
        s++;
        while (*s && __parallax_any_int())
            s++;
        __parallax_errno(__parallax_any_int() ? 34 : 0);
        result = __parallax_result_of_strtod(s, 0);
        __parallax_assume(result >= 0);
    } else {
        struct decimal d = decimal(s);
        const char *digits = s;
        s = d.end ? d.end : start;
        int size = d.power < 0 ? -d.power : d.power;
        if (d.digits == 0) {
            result = 0;
        } else if (!d.is_cut && d.digits <= 0x20000000000000ull && size <= 22) {
            double power = 1;
            for (int i = 0; i < size; i++)
                power *= 10;
            result = d.power < 0 ? d.digits / power : d.digits * power;
        } else {
            result = __parallax_result_of_strtod(digits, s - digits);
            __parallax_assume(result >= 0);
            __parallax_errno(__parallax_any_int() ? 34 : 0);
        }
    }
    if (end)
        *end = (char *)s;
    return negative && s != start ? -result : result;
}

float __parallax_strtof(const char *s, char **end)
{
    const char *start = s;
    while (is_space(*s))
        s++;
    int negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    float result = 0;
    size_t n = word(s, "infinity");
    if (!n)
        n = word(s, "inf");
    if (n) {
        result = 1 / (float)0;
        s += n;
    } else if (word(s, "nan")) {
        result = (float)0 / 0;
        s += 3;
        /* Characters in brackets may follow. */
        if (*s == '(') {
            n = 1;
            while (s[n] == '_' || is_digit(s[n]) || (s[n] >= 'a' && s[n] <= 'z') ||
                   (s[n] >= 'A' && s[n] <= 'Z'))
                n++;
            if (s[n] == ')')
                s += n + 1;
        }
    } else if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        /* Base 16 is not looked at. */
        s++;
        while (*s && __parallax_any_int())
            s++;
        __parallax_errno(__parallax_any_int() ? 34 : 0);
        result = __parallax_result_of_strtof(s, 0);
        __parallax_assume(result >= 0);
    } else {
        struct decimal d = decimal(s);
        const char *digits = s;
        s = d.end ? d.end : start;
        int size = d.power < 0 ? -d.power : d.power;
        if (d.digits == 0) {
            result = 0;
        } else if (!d.is_cut && d.digits <= 0x1000000ull && size <= 10) {
            float power = 1;
            for (int i = 0; i < size; i++)
                power *= 10;
            result = d.power < 0 ? d.digits / power : d.digits * power;
        } else {
            result = __parallax_result_of_strtof(digits, s - digits);
            __parallax_assume(result >= 0);
            __parallax_errno(__parallax_any_int() ? 34 : 0);
        }
    }
    if (end)
        *end = (char *)s;
    return negative && s != start ? -result : result;
}

long double __parallax_any_long_double(void);

long double __parallax_strtold(const char *s, char **end)
{
    const char *start = s;
    while (is_space(*s))
        s++;
    int negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    long double result = 0;
    size_t n = word(s, "infinity");
    if (!n)
        n = word(s, "inf");
    if (n) {
        result = 1 / (long double)0;
        s += n;
    } else if (word(s, "nan")) {
        result = (long double)0 / 0;
        s += 3;
        /* Characters in brackets may follow. */
        if (*s == '(') {
            n = 1;
            while (s[n] == '_' || is_digit(s[n]) || (s[n] >= 'a' && s[n] <= 'z') ||
                   (s[n] >= 'A' && s[n] <= 'Z'))
                n++;
            if (s[n] == ')')
                s += n + 1;
        }
    } else if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        /* Base 16 is not looked at. */
        s++;
        while (*s && __parallax_any_int())
            s++;
        __parallax_errno(__parallax_any_int() ? 34 : 0);
        result = __parallax_any_long_double();
        double unknown = __parallax_result_of_text();
        __parallax_assume(result >= 0);
    } else {
        struct decimal d = decimal(s);
        const char *digits = s;
        s = d.end ? d.end : start;
        int size = d.power < 0 ? -d.power : d.power;
        if (d.digits == 0) {
            result = 0;
        } else if (!d.is_cut && d.digits <= 0x7fffffffffffffffull && size <= 27) {
            long double power = 1;
            for (int i = 0; i < size; i++)
                power *= 10;
            result = d.power < 0 ? d.digits / power : d.digits * power;
        } else {
            result = __parallax_any_long_double();
            double unknown = __parallax_result_of_text();
            __parallax_assume(result >= 0);
            __parallax_errno(__parallax_any_int() ? 34 : 0);
        }
    }
    if (end)
        *end = (char *)s;
    return negative && s != start ? -result : result;
}

double __parallax_atof(const char *s)
{
    return __parallax_strtod(s, 0);
}
