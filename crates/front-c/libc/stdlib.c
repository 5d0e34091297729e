/* Models of <stdlib.h> and <errno.h>. */

typedef __typeof__(sizeof(0)) size_t;

void *malloc(size_t n);
void free(void *p);
void *memcpy(void *to, const void *from, size_t n);
int __parallax_any_int(void);
void __parallax_errno(int number);
size_t __parallax_object_size(const void *p);

_Thread_local int __parallax_errno_number;

int *__parallax___errno_location(void)
{
    return &__parallax_errno_number;
}

int __parallax_abs(int x)
{
    return x < 0 ? -x : x;
}

long __parallax_labs(long x)
{
    return x < 0 ? -x : x;
}

long long __parallax_llabs(long long x)
{
    return x < 0 ? -x : x;
}

long __parallax_imaxabs(long x)
{
    return x < 0 ? -x : x;
}

struct div { int quot, rem; };
struct ldiv { long quot, rem; };
struct lldiv { long long quot, rem; };

struct div __parallax_div(int a, int b)
{
    struct div result = { a / b, a % b };
    return result;
}

struct ldiv __parallax_ldiv(long a, long b)
{
    struct ldiv result = { a / b, a % b };
    return result;
}

struct lldiv __parallax_lldiv(long long a, long long b)
{
    struct lldiv result = { a / b, a % b };
    return result;
}

/* RAND_MAX is the largest int. */
int __parallax_rand(void)
{
    return __parallax_any_int() & 2147483647;
}

int __parallax_rand_r(unsigned *seed)
{
    *seed = __parallax_any_int();
    return __parallax_any_int() & 2147483647;
}

long __parallax_random(void)
{
    return __parallax_any_int() & 2147483647;
}

void *__parallax_realloc(void *p, size_t n)
{
    if (!p)
        return malloc(n);
    if (n == 0) {
        free(p);
        return 0;
    }
    size_t old = __parallax_object_size(p);
    void *q = malloc(n);
    if (q) {
        memcpy(q, p, old < n ? old : n);
        free(p);
    }
    return q;
}

void *__parallax_reallocarray(void *p, size_t count, size_t each)
{
    if (each && count > (size_t)-1 / each)
        return 0;
    return __parallax_realloc(p, count * each);
}

int __parallax_posix_memalign(void **to, size_t align, size_t n)
{
    void *p = malloc(n);
    if (!p)
        return 12;
    *to = p;
    return 0;
}

char __parallax_any_char(void);
size_t __parallax_any_size(void);
void __parallax_assume(int condition);

char *__parallax_getenv(const char *name)
{
    static char value[256];
    while (*name)
        name++;
    if (!__parallax_any_int())
        return 0;
    size_t n = __parallax_any_size();
    __parallax_assume(n < sizeof value);
    for (size_t i = 0; i < n; i++)
        value[i] = __parallax_any_char();
    value[n] = 0;
    return value;
}

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int digit(char c, int base)
{
    int value = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'z' ? c - 'a' + 10
                : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                       : 99;
    return value < base ? value : -1;
}

/* Reads digits in the manner of strtoull. The largest value stands for what
   does not fit below `most`. */
static unsigned long long number(const char *s, char **end, int base, int *negative, int *large,
                                 unsigned long long most)
{
    const char *start = s;
    if (base < 0 || base == 1 || base > 36) {
        __parallax_errno(22);
        *negative = *large = 0;
        if (end && __parallax_any_int())
            *end = (char *)s;
        return 0;
    }
    while (is_space(*s))
        s++;
    *negative = *s == '-';
    *large = 0;
    if (*s == '-' || *s == '+')
        s++;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') &&
        digit(s[2], 16) >= 0) {
        s += 2;
        base = 16;
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }
    unsigned long long value = 0;
    int some = 0;
    for (; digit(*s, base) >= 0; s++) {
        unsigned d = digit(*s, base);
        some = 1;
        if (value > (most - d) / base)
            *large = 1;
        else
            value = value * base + d;
    }
    if (end)
        *end = (char *)(some ? s : start);
    /* That there is no number may be said to be an error. */
    if (!some)
        __parallax_errno(__parallax_any_int() ? 22 : 0);
    return value;
}

long __parallax_strtol(const char *s, char **end, int base)
{
    int negative, large;
    unsigned long most = (unsigned long)-1 / 2;
    unsigned long value = number(s, end, base, &negative, &large, most + 1ull);
    if (large || value > most + (unsigned long)negative)
        __parallax_errno(34);
    if (negative)
        return large || value > most ? -(long)most - 1 : -(long)value;
    return large || value > most ? (long)most : (long)value;
}

long long __parallax_strtoll(const char *s, char **end, int base)
{
    int negative, large;
    unsigned long long most = (unsigned long long)-1 / 2;
    unsigned long long value = number(s, end, base, &negative, &large, most + 1);
    if (large || value > most + (unsigned long long)negative)
        __parallax_errno(34);
    if (negative)
        return large || value > most ? -(long long)most - 1 : -(long long)value;
    return large || value > most ? (long long)most : (long long)value;
}

unsigned long __parallax_strtoul(const char *s, char **end, int base)
{
    int negative, large;
    unsigned long value = number(s, end, base, &negative, &large, (unsigned long)-1);
    if (large)
        __parallax_errno(34);
    return large ? (unsigned long)-1 : negative ? -value : value;
}

unsigned long long __parallax_strtoull(const char *s, char **end, int base)
{
    int negative, large;
    unsigned long long value = number(s, end, base, &negative, &large, (unsigned long long)-1);
    if (large)
        __parallax_errno(34);
    return large ? (unsigned long long)-1 : negative ? -value : value;
}

int __parallax_atoi(const char *s)
{
    return (int)__parallax_strtol(s, 0, 10);
}

long __parallax_atol(const char *s)
{
    return __parallax_strtol(s, 0, 10);
}

long long __parallax_atoll(const char *s)
{
    return __parallax_strtoll(s, 0, 10);
}

/* Elements that compare equal come out in any order. */
static void sort(char *start, size_t count, size_t each,
                 int (*compare)(const void *, const void *),
                 int (*compare_with)(const void *, const void *, void *), void *with)
{
    for (size_t i = 1; i < count; i++) {
        for (char *at = start + i * each; at != start; at -= each) {
            int order = compare ? compare(at - each, at) : compare_with(at - each, at, with);
            if (order < 0 || (order == 0 && __parallax_any_int()))
                break;
            for (size_t k = 0; k < each; k++) {
                char byte = at[k];
                at[k] = *(at - each + k);
                *(at - each + k) = byte;
            }
        }
    }
}

void __parallax_qsort(void *base, size_t count, size_t each,
                      int (*compare)(const void *, const void *))
{
    sort(base, count, each, compare, 0, 0);
}

void __parallax_qsort_r(void *base, size_t count, size_t each,
                        int (*compare)(const void *, const void *, void *), void *with)
{
    sort(base, count, each, 0, compare, with);
}

/* Any of several elements that compare equal may be found. */
void *__parallax_bsearch(const void *key, const void *base, size_t count, size_t each,
                         int (*compare)(const void *, const void *))
{
    const char *start = base;
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(key, start + middle * each);
        if (order == 0) {
            while (middle + 1 < high && __parallax_any_int() &&
                   compare(key, start + (middle + 1) * each) == 0)
                middle++;
            while (middle > low && __parallax_any_int() &&
                   compare(key, start + (middle - 1) * each) == 0)
                middle--;
            return (void *)(start + middle * each);
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
