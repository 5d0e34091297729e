/* Models of <unistd.h>, <time.h> and <signal.h>: what comes from outside is arbitrary. */

typedef __typeof__(sizeof(0)) size_t;

int __parallax_any_int(void);
long __parallax_any_long(void);
double __parallax_any_double(void);
size_t __parallax_any_size(void);
void __parallax_assume(int condition);
void __parallax_errno(int number);
void __parallax_havoc(void *p, size_t n);

long __parallax_read(int file, void *p, size_t n)
{
    __parallax_errno(__parallax_any_int());
    if (!__parallax_any_int())
        return -1;
    size_t some = __parallax_any_size();
    if (some > n)
        some = n;
    __parallax_havoc(p, some);
    return some;
}

int __parallax_pipe(int *ends)
{
    __parallax_errno(__parallax_any_int());
    if (__parallax_any_int())
        return -1;
    ends[0] = __parallax_any_int();
    ends[1] = __parallax_any_int();
    __parallax_assume(ends[0] >= 0 && ends[1] >= 0 && ends[0] != ends[1]);
    return 0;
}

long __parallax_time(long *to)
{
    long now = __parallax_any_long();
    __parallax_assume(now >= -1);
    if (to)
        *to = now;
    return now;
}
