/* The parts of sprintf and snprintf: each puts one piece of text behind the
   `at` characters that there are, and says how many there are then. What lies
   beyond `size` characters is counted, not written. */

typedef __typeof__(sizeof(0)) size_t;

int __parallax_any_int(void);
char __parallax_any_char(void);
size_t __parallax_any_size(void);
double __parallax_result_of_text(void);
void __parallax_assume(int condition);

/* As they are in a conversion. */
enum { LEFT = 1, PLUS = 2, SPACE = 4, ALTERNATE = 8, ZERO = 16, UPPER = 32 };

static size_t put(char *to, size_t size, size_t at, char c)
{
    if (at < size && at + 1 < size)
        to[at] = c;
    return at + 1;
}

static size_t fill(char *to, size_t size, size_t at, char c, int count)
{
    for (int i = 0; i < count; i++)
        at = put(to, size, at, c);
    return at;
}

/* Text of the format itself. */
size_t __parallax_print_text(char *to, size_t size, size_t at, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        at = put(to, size, at, s[i]);
    return at;
}

/* The end: the text as it is there ends with a zero. */
int __parallax_print_end(char *to, size_t size, size_t at)
{
    if (size)
        to[at < size ? at : size - 1] = 0;
    return (int)at;
}

size_t __parallax_print_char(char *to, size_t size, size_t at, char c, int flags, int width)
{
    if (width < 0) {
        flags |= LEFT;
        width = -width;
    }
    if (!(flags & LEFT))
        at = fill(to, size, at, ' ', width - 1);
    at = put(to, size, at, c);
    if (flags & LEFT)
        at = fill(to, size, at, ' ', width - 1);
    return at;
}

size_t __parallax_print_string(char *to, size_t size, size_t at, const char *s, int flags,
                               int width, int precision)
{
    if (width == 0 && precision < 0) {
        for (; *s; s++)
            at = put(to, size, at, *s);
        return at;
    }
    if (width < 0) {
        flags |= LEFT;
        width = -width;
    }
    int n = 0;
    while ((precision < 0 || n < precision) && s[n])
        n++;
    if (!(flags & LEFT))
        at = fill(to, size, at, ' ', width - n);
    for (int i = 0; i < n; i++)
        at = put(to, size, at, s[i]);
    if (flags & LEFT)
        at = fill(to, size, at, ' ', width - n);
    return at;
}

static size_t number(char *to, size_t size, size_t at, unsigned long long value, unsigned base,
                     int sign, int flags, int width, int precision)
{
    char digits[24];
    int n = 0;
    if (width < 0) {
        flags |= LEFT;
        width = -width;
    }
    int is_zero = value == 0;
    if (!(is_zero && precision == 0)) {
        do {
            unsigned d = value % base;
            digits[n++] = d < 10 ? '0' + d : (flags & UPPER ? 'A' : 'a') + (d - 10);
            value /= base;
        } while (value);
    }
    int zeros = precision > n ? precision - n : 0;
    if (flags & ALTERNATE && base == 8 && zeros == 0 && !(n > 0 && digits[n - 1] == '0'))
        zeros = 1;
    int prefix = flags & ALTERNATE && base == 16 && !is_zero ? 2 : 0;
    int taken = n + prefix + (sign != 0);
    if (flags & ZERO && !(flags & LEFT) && precision < 0 && width > taken + zeros)
        zeros = width - taken;
    int spaces = width - taken - zeros;
    if (!(flags & LEFT))
        at = fill(to, size, at, ' ', spaces);
    if (sign)
        at = put(to, size, at, sign);
    if (prefix) {
        at = put(to, size, at, '0');
        at = put(to, size, at, flags & UPPER ? 'X' : 'x');
    }
    at = fill(to, size, at, '0', zeros);
    while (n > 0)
        at = put(to, size, at, digits[--n]);
    if (flags & LEFT)
        at = fill(to, size, at, ' ', spaces);
    return at;
}

size_t __parallax_print_signed(char *to, size_t size, size_t at, long long value, int flags,
                               int width, int precision)
{
    int sign = value < 0 ? '-' : flags & PLUS ? '+' : flags & SPACE ? ' ' : 0;
    unsigned long long magnitude = value;
    if (value < 0)
        magnitude = -magnitude;
    return number(to, size, at, magnitude, 10, sign, flags & ~ALTERNATE, width, precision);
}

size_t __parallax_print_unsigned(char *to, size_t size, size_t at, unsigned long long value,
                                 unsigned base, int flags, int width, int precision)
{
    return number(to, size, at, value, base, 0, flags, width, precision);
}

/* A float or a pointer: some characters, at least `least`, at most `most`. */
size_t __parallax_print_any(char *to, size_t size, size_t at, size_t least, size_t most)
{
    /* A run that comes here is not repeated: nobody knows the text. */
    double unknown = __parallax_result_of_text();
    size_t n = __parallax_any_size();
    __parallax_assume(n > 0 && n >= least && n <= most);
    for (size_t i = 0; i < n; i++) {
        char c = __parallax_any_char();
        __parallax_assume(c >= ' ' && c <= '~');
        at = put(to, size, at, c);
    }
    return at;
}

/* The number that %n stores where nobody keeps the text: `known` characters, or
   less where output fails; any number if that is negative. */
int __parallax_print_count(int known)
{
    int n = __parallax_any_int();
    __parallax_assume(n >= 0 && (known < 0 || n <= known));
    if (n != known) {
        /* A run that comes here is not repeated: nobody knows the number. */
        double unknown = __parallax_result_of_text();
    }
    return n;
}
