/* Models of <stdio.h>, <time.h> and <unistd.h>: input is arbitrary. */

typedef __typeof__(sizeof(0)) size_t;

void *malloc(size_t n);
void free(void *p);
int __parallax_any_int(void);
long __parallax_any_long(void);
size_t __parallax_any_size(void);
void __parallax_havoc(void *p, size_t n);

int __parallax_getchar(void)
{
    return __parallax_any_int() ? __parallax_any_int() & 255 : -1;
}

int __parallax_fgetc(void *stream)
{
    return __parallax_getchar();
}

int __parallax_getc(void *stream)
{
    return __parallax_getchar();
}

int __parallax__IO_getc(void *stream)
{
    return __parallax_getchar();
}

/* Some number of arbitrary bytes, at most `most`. */
static size_t some(void *p, size_t most)
{
    size_t n = __parallax_any_size();
    if (n > most)
        n = most;
    __parallax_havoc(p, n);
    return n;
}

char *__parallax_fgets(char *s, int n, void *stream)
{
    if (n <= 0 || !__parallax_any_int())
        return 0;
    size_t length = some(s, n - 1);
    s[length] = 0;
    return s;
}

long __parallax_read(int file, void *p, size_t n)
{
    if (!__parallax_any_int())
        return -1;
    return some(p, n);
}

size_t __parallax_fread(void *p, size_t each, size_t count, void *stream)
{
    if (each == 0 || count == 0)
        return 0;
    size_t n = __parallax_any_size();
    if (n > count)
        n = count;
    __parallax_havoc(p, n * each);
    return n;
}

/* A stream is an object of its own; what is in it, no program knows. */
void *__parallax_fopen(const char *name, const char *mode)
{
    return __parallax_any_int() ? malloc(216) : 0;
}

void *__parallax_fdopen(int file, const char *mode)
{
    return __parallax_any_int() ? malloc(216) : 0;
}

void *__parallax_tmpfile(void)
{
    return __parallax_any_int() ? malloc(216) : 0;
}

int __parallax_fclose(void *stream)
{
    free(stream);
    return __parallax_any_int();
}

long __parallax_time(long *to)
{
    long now = __parallax_any_long();
    if (to)
        *to = now;
    return now;
}
