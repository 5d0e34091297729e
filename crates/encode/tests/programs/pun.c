#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

struct pair {
    int a, b;
};
struct wide {
    long x;
    short y[4];
};

static int sum(int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}

int main(void)
{
    int *p = malloc(8 * sizeof(int));
    struct pair *q = (struct pair *)p;
    for (int i = 0; i < 8; i++)
        p[i] = __VERIFIER_nondet_int() % 50;
    unsigned k = __VERIFIER_nondet_uint() % 4;
    q[k].b = 100;
    q[(k + 1) % 4].a += q[k].b;
    int total = sum(p, 8);
    unsigned char *c = (unsigned char *)p;
    c[4 * k + 1] ^= 3;
    total += p[k] & 0xffff;
    struct wide w, *v = &w;
    v->x = total;
    for (int i = 0; i < 4; i++)
        v->y[i] = (short)(total + i);
    short *s = v->y;
    s[k] += 5;
    int *half = (int *)&v->x;
    half[k & 1] ^= 9;
    total += (int)w.x + w.y[k] + w.y[3 - k];
    struct pair pairs[3] = {{1, 2}, {3, 4}, {5, 6}};
    struct pair *at = pairs + k % 3;
    int *flat = &at->a;
    *flat += 7;
    at->b -= *flat;
    total += pairs[0].a + pairs[1].b + pairs[2].a;
    if (total % 3 == 0)
        reach_error();
    free(p);
    return 0;
}
