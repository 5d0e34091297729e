/* Models of <arpa/inet.h>, of ffs and swab, and of what <wchar.h> and <string.h>
   look for. The machine is one with the lowest byte first. */

typedef __typeof__(sizeof(0)) size_t;

unsigned __parallax_htonl(unsigned x)
{
    return x << 24 | (x & 0xff00U) << 8 | (x >> 8 & 0xff00U) | x >> 24;
}

unsigned __parallax_ntohl(unsigned x)
{
    return __parallax_htonl(x);
}

unsigned short __parallax_htons(unsigned short x)
{
    return (unsigned short)((x & 0xff) << 8 | x >> 8);
}

unsigned short __parallax_ntohs(unsigned short x)
{
    return __parallax_htons(x);
}

int __parallax_ffs(int x)
{
    return __builtin_ffs(x);
}

int __parallax_ffsl(long x)
{
    return __builtin_ffsl(x);
}

int __parallax_ffsll(long long x)
{
    return __builtin_ffsll(x);
}

void __parallax_swab(const void *from, void *to, long n)
{
    const char *a = from;
    char *b = to;
    for (long i = 0; i + 1 < n; i += 2) {
        char first = a[i], second = a[i + 1];
        b[i] = second;
        b[i + 1] = first;
    }
}

void *__parallax_memmem(const void *all, size_t n, const void *part, size_t m)
{
    const char *text = all, *wanted = part;
    for (size_t i = 0; m <= n && i <= n - m; i++) {
        size_t j = 0;
        while (j < m && text[i + j] == wanted[j])
            j++;
        if (j == m)
            return (void *)(text + i);
    }
    return 0;
}

size_t __parallax_wcslen(const int *text)
{
    size_t n = 0;
    while (text[n] != 0)
        n++;
    return n;
}
