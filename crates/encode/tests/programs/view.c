#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

union word {
    float f;
    unsigned w;
};
union wide {
    double d;
    struct {
        unsigned low, high;
    } part;
    unsigned char byte[8];
};
union either {
    int *p;
    unsigned long w;
    unsigned char byte[8];
};
struct mixed {
    char c;
    union either u;
    short s;
};

static union wide constant = {.d = -2.5};
static union word none = {__builtin_nanf("")};
static int shared[3] = {4, 5, 6};

static int on_stack(unsigned n)
{
    int *a = __builtin_alloca((n + 1) * sizeof *a);
    for (unsigned i = 0; i <= n; i++)
        a[i] = (int)(i * 3);
    return a[n / 2] + a[n];
}

static void reverse(void *to, const void *from, unsigned long n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    for (unsigned long i = 0; i < n; i++)
        t[n - 1 - i] = f[i];
}

int main(void)
{
    unsigned k = __VERIFIER_nondet_uint() % 4;
    int x = __VERIFIER_nondet_int(), total = 0;

    /* Floats as bits. */
    union word u;
    u.f = (float)(x % 100);
    total += (int)(u.w >> 23) & 3;
    u.w ^= 0x80000000u;
    total += (int)u.f;
    union wide v = constant;
    total += (int)(v.part.high >> 20) + v.byte[7 - k];
    v.d = (double)x / 4;
    v.byte[6] ^= 1;
    none.w |= 0x7fc00000u;
    total += none.f == none.f;
    total += v.part.high & 0xff;

    /* Pointers as integers and as bytes. */
    int here = 3;
    union either fixed;
    fixed.p = &shared[1];
    struct mixed m = {1}, n;
    m.u.p = &here;
    m.s = 9;
    memcpy(&n, &m, sizeof n);
    *n.u.p += 4;
    unsigned long address = n.u.w;
    address += 4 * k;
    address -= 4 * k;
    *(int *)address += k;
    union either turned, back;
    reverse(&turned, &n.u, sizeof turned);
    reverse(&back, &turned, sizeof back);
    *back.p *= 2;
    total += here + *fixed.p;
    fixed.w += 4;
    total += *fixed.p;

    /* Blocks of all sizes. */
    unsigned char bytes[16];
    memset(bytes, (int)(k + 1), sizeof bytes);
    unsigned word;
    memcpy(&word, bytes + k, sizeof word);
    total += (int)(word & 0xff0f);
    int *numbers = malloc((k + 3) * sizeof *numbers), more[8];
    for (unsigned i = 0; i < k + 3; i++)
        numbers[i] = (int)i * x % 50;
    memcpy(more, numbers, (k + 3) * sizeof *numbers);
    memmove(more + 1, more, (k + 2) * sizeof *more);
    memset(numbers, 0, (k + 1) * sizeof *numbers);
    total += more[k] - more[k + 1] + numbers[k] + numbers[k + 1];
    char text[8] = "abcdef";
    memmove(text + k, text, 4);
    total += text[3] + text[k + 1];
    free(numbers);

    total += on_stack(k) + on_stack(k + 1);
    if (total % 3 == 0)
        reach_error();
    return 0;
}
