/* Models of <string.h> and <strings.h>: plain loops, so that every access is
   checked as an access of the program. */

typedef __typeof__(sizeof(0)) size_t;

void *malloc(size_t n);
void *memcpy(void *to, const void *from, size_t n);
int __parallax_any_int(void);

size_t __parallax_strlen(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t __parallax_strnlen(const char *s, size_t most)
{
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

int __parallax_memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *p = a;
    const unsigned char *q = b;
    for (size_t i = 0; i < n; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

int __parallax_bcmp(const void *a, const void *b, size_t n)
{
    return __parallax_memcmp(a, b, n);
}

void *__parallax_memchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    for (size_t i = 0; i < n; i++)
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    return 0;
}

void *__parallax_memrchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    while (n > 0) {
        n--;
        if (p[n] == (unsigned char)c)
            return (void *)(p + n);
    }
    return 0;
}

int __parallax_strcmp(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    unsigned char x = a[i];
    unsigned char y = b[i];
    return x < y ? -1 : x > y;
}

int __parallax_strcoll(const char *a, const char *b)
{
    return __parallax_strcmp(a, b);
}

int __parallax_strncmp(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char x = a[i];
        unsigned char y = b[i];
        if (x != y)
            return x < y ? -1 : 1;
        if (!x)
            return 0;
    }
    return 0;
}

static unsigned char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

int __parallax_strcasecmp(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] && lower(a[i]) == lower(b[i]))
        i++;
    unsigned char x = lower(a[i]);
    unsigned char y = lower(b[i]);
    return x < y ? -1 : x > y;
}

int __parallax_strncasecmp(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char x = lower(a[i]);
        unsigned char y = lower(b[i]);
        if (x != y)
            return x < y ? -1 : 1;
        if (!x)
            return 0;
    }
    return 0;
}

char *__parallax_strcpy(char *to, const char *from)
{
    size_t i = 0;
    while ((to[i] = from[i]))
        i++;
    return to;
}

char *__parallax_stpcpy(char *to, const char *from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *__parallax_strncpy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

char *__parallax_stpncpy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    char *end = to + i;
    for (; i < n; i++)
        to[i] = 0;
    return end;
}

size_t __parallax_strlcpy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    for (; from[i]; i++)
        if (i + 1 < n)
            to[i] = from[i];
    if (n > 0)
        to[i < n ? i : n - 1] = 0;
    return i;
}

char *__parallax_strcat(char *to, const char *from)
{
    __parallax_strcpy(to + __parallax_strlen(to), from);
    return to;
}

char *__parallax_strncat(char *to, const char *from, size_t n)
{
    char *end = to + __parallax_strlen(to);
    size_t i = 0;
    for (; i < n && from[i]; i++)
        end[i] = from[i];
    end[i] = 0;
    return to;
}

size_t __parallax_strlcat(char *to, const char *from, size_t n)
{
    size_t start = __parallax_strnlen(to, n);
    return start + __parallax_strlcpy(to + start, from, n - start);
}

char *__parallax_strchr(const char *s, int c)
{
    for (;; s++) {
        if (*s == (char)c)
            return (char *)s;
        if (!*s)
            return 0;
    }
}

char *__parallax_index(const char *s, int c)
{
    return __parallax_strchr(s, c);
}

char *__parallax_strchrnul(const char *s, int c)
{
    while (*s && *s != (char)c)
        s++;
    return (char *)s;
}

char *__parallax_strrchr(const char *s, int c)
{
    const char *found = 0;
    for (;; s++) {
        if (*s == (char)c)
            found = s;
        if (!*s)
            return (char *)found;
    }
}

char *__parallax_rindex(const char *s, int c)
{
    return __parallax_strrchr(s, c);
}

char *__parallax_strstr(const char *s, const char *part)
{
    for (;; s++) {
        size_t i = 0;
        while (part[i] && s[i] == part[i])
            i++;
        if (!part[i])
            return (char *)s;
        if (!*s)
            return 0;
    }
}

size_t __parallax_strspn(const char *s, const char *set)
{
    size_t n = 0;
    while (s[n] && __parallax_strchr(set, s[n]))
        n++;
    return n;
}

size_t __parallax_strcspn(const char *s, const char *set)
{
    size_t n = 0;
    while (s[n] && !__parallax_strchr(set, s[n]))
        n++;
    return n;
}

char *__parallax_strpbrk(const char *s, const char *set)
{
    s += __parallax_strcspn(s, set);
    return *s ? (char *)s : 0;
}

char *__parallax_strdup(const char *s)
{
    size_t n = __parallax_strlen(s) + 1;
    char *copy = malloc(n);
    if (copy)
        memcpy(copy, s, n);
    return copy;
}

char *__parallax_strndup(const char *s, size_t most)
{
    size_t n = __parallax_strnlen(s, most);
    char *copy = malloc(n + 1);
    if (copy) {
        memcpy(copy, s, n);
        copy[n] = 0;
    }
    return copy;
}

char *__parallax_strtok_r(char *s, const char *set, char **state)
{
    if (!s)
        s = *state;
    if (!s)
        return 0;
    s += __parallax_strspn(s, set);
    if (!*s) {
        *state = 0;
        return 0;
    }
    char *end = s + __parallax_strcspn(s, set);
    if (*end) {
        *end = 0;
        *state = end + 1;
    } else {
        *state = 0;
    }
    return s;
}

char *__parallax_strtok(char *s, const char *set)
{
    static char *state;
    return __parallax_strtok_r(s, set, &state);
}

char *__parallax_strsep(char **state, const char *set)
{
    char *s = *state;
    if (!s)
        return 0;
    char *end = s + __parallax_strcspn(s, set);
    if (*end) {
        *end = 0;
        *state = end + 1;
    } else {
        *state = 0;
    }
    return s;
}

struct message {
    char text[64];
};

struct message __parallax_any_message(void);

char *__parallax_strerror(int number)
{
    static struct message message;
    struct message any = __parallax_any_message();
    message = any;
    message.text[sizeof message.text - 1] = 0;
    return message.text;
}
