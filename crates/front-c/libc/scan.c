/* The parts of scanf and its like. What comes from a stream is arbitrary; what
   is in a string is read as it is there: functions take the position and give
   the one behind what they read, or null if it does not match. */

typedef __typeof__(sizeof(0)) size_t;

int __parallax_any_int(void);
char __parallax_any_char(void);
size_t __parallax_any_size(void);
void __parallax_assume(int condition);
double __parallax_strtod(const char *s, char **end);

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Whether a character is in a set, which is written as in a format, from behind
   the bracket on. */
static int in_set(const char *set, char c)
{
    int inverted = *set == '^';
    if (inverted)
        set++;
    int found = 0;
    for (const char *at = set; at == set || *at != ']'; at++) {
        if (at != set && *at == '-' && at[1] != ']') {
            found |= (unsigned char)at[-1] <= (unsigned char)c &&
                     (unsigned char)c <= (unsigned char)at[1];
            at++;
        } else {
            found |= *at == c;
        }
    }
    return found != inverted;
}

/* From a stream: a word, or characters of a set, with the zero that ends them. */
void __parallax_scan_any_word(char *to, size_t most)
{
    size_t n = __parallax_any_size();
    __parallax_assume(n > 0 && n <= most);
    for (size_t i = 0; i < n; i++) {
        char c = __parallax_any_char();
        __parallax_assume(!is_space(c));
        to[i] = c;
    }
    to[n] = 0;
}

void __parallax_scan_any_set(char *to, size_t most, const char *set)
{
    size_t n = __parallax_any_size();
    __parallax_assume(n > 0 && n <= most);
    for (size_t i = 0; i < n; i++) {
        char c = __parallax_any_char();
        __parallax_assume(in_set(set, c));
        to[i] = c;
    }
    to[n] = 0;
}

/* From a string. */
const char *__parallax_scan_space(const char *s)
{
    while (is_space(*s))
        s++;
    return s;
}

const char *__parallax_scan_word(const char *s, size_t most)
{
    size_t n = 0;
    while (n < most && s[n] && !is_space(s[n]))
        n++;
    return n ? s + n : 0;
}

const char *__parallax_scan_set(const char *s, size_t most, const char *set)
{
    size_t n = 0;
    while (n < most && s[n] && in_set(set, s[n]))
        n++;
    return n ? s + n : 0;
}

/* Too few characters may do or not. */
const char *__parallax_scan_chars(const char *s, size_t count)
{
    size_t n = 0;
    while (n < count && s[n])
        n++;
    return n == count || __parallax_any_int() ? s + n : 0;
}

void __parallax_scan_copy(char *to, const char *s, const char *end, int closed)
{
    for (; s != end; s++)
        *to++ = *s;
    if (closed)
        *to = 0;
}

static int digit(char c, int base)
{
    int value = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : 99;
    return value < base ? value : -1;
}

/* A number is a sign, a prefix for base 16, and digits; base 0 is said by the
   prefix. */
static const char *start(const char *s, int *base, size_t *width)
{
    if (*width && (*s == '-' || *s == '+')) {
        s++;
        --*width;
    }
    int has_prefix = *width > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    if ((*base == 0 || *base == 16) && has_prefix) {
        *width -= 2;
        *base = 16;
        return s + 2;
    }
    if (*base == 0)
        *base = *width && *s == '0' ? 8 : 10;
    return s;
}

const char *__parallax_scan_number(const char *s, int base, size_t width)
{
    s = start(s, &base, &width);
    size_t n = 0;
    while (n < width && digit(s[n], base) >= 0)
        n++;
    return n ? s + n : 0;
}

/* The value of what was read, if it can be represented. */
long long __parallax_scan_value(const char *s, int base, size_t width)
{
    int negative = *s == '-';
    s = start(s, &base, &width);
    unsigned long long value = 0;
    for (size_t n = 0; n < width && digit(s[n], base) >= 0; n++)
        value = value * base + digit(s[n], base);
    return negative ? -value : value;
}

/* Whether the digits fit into 31 bits for certain. */
int __parallax_scan_fits(const char *s, int base, size_t width)
{
    s = start(s, &base, &width);
    unsigned long long value = 0;
    for (size_t n = 0; n < width && digit(s[n], base) >= 0; n++) {
        value = value * base + digit(s[n], base);
        if (value > 0x7fffffff)
            return 0;
    }
    return 1;
}

/* What begins an exponent and has none does not match. */
const char *__parallax_scan_float(const char *s)
{
    char *end;
    __parallax_strtod(s, &end);
    return end == s || *end == 'e' || *end == 'E' ? 0 : end;
}

double __parallax_scan_float_value(const char *s)
{
    return __parallax_strtod(s, 0);
}
