//! Programs with what passes find hard.

/// Names and texts.
pub(crate) const ALL: &[(&str, &str)] = &[
    (
        "lists",
        r#"
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long n);
extern void free(void *p);
void reach_error(void) { }
struct link { struct link *next, *prev; };
struct item { int value; struct link link; int other; };
static struct link head = { &head, &head };
static void add(struct link *l) {
    l->next = head.next; l->prev = &head; head.next->prev = l; head.next = l;
}
static struct item *container(struct link *l) {
    return (struct item *)((char *)l - (unsigned long)&((struct item *)0)->link);
}
int main(void) {
    int sum = 0, expected = 0;
    for (int i = 0; i < 4; i++) {
        struct item *it = malloc(sizeof *it);
        it->value = __VERIFIER_nondet_int() % 10;
        it->other = i;
        expected += it->value;
        add(&it->link);
    }
    for (struct link *l = head.next; l != &head; ) {
        struct item *it = container(l);
        l = l->next;
        sum += it->value;
        if (it->other > 3) reach_error();
        free(it);
    }
    if (sum != expected) reach_error();
    return sum;
}
"#,
    ),
    (
        "tables",
        r#"
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { }
typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int apply(op f, int *p, int n) { return f(p[0], n); }
static int minus(int a, int b) { return apply(sub, &a, b); }
struct ops { const char *name; op run; } table[3] = { {"add", add}, {"sub", sub}, {"minus", minus} };
static op last;
int main(void) {
    int x = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    struct ops copy = table[(unsigned)k % 3];
    op other = copy.run;
    last = k > 10 ? add : other;
    int r = apply(last, &x, 7) + copy.name[0];
    op *through = &last;
    r += (*through)(r, 3);
    if (r == 1234567) reach_error();
    return r & 63;
}
"#,
    ),
    (
        "punning",
        r#"
extern int __VERIFIER_nondet_int(void);
extern void *memcpy(void *to, const void *from, unsigned long n);
void reach_error(void) { }
union both { int *p; unsigned char bytes[8]; unsigned long n; };
struct pair { int *first; short s; int *second; };
int a = 3, b = 4;
int main(void) {
    union both u, v;
    u.p = &a;
    for (int i = 0; i < 8; i++) v.bytes[i] = u.bytes[i];
    *v.p += 1;
    unsigned long n = v.n + 0;
    int *q = (int *)n;
    *q += __VERIFIER_nondet_int() & 7;
    struct pair x = { &a, 1, &b }, y, z[2];
    memcpy(&y, &x, sizeof x);
    z[1] = y;
    z[0] = z[1];
    *z[0].second += *y.first;
    char *c = (char *)&z[0];
    int **third = (int **)(c + 16);
    if (*third != &b) reach_error();
    int *moved = z[0].first;
    *moved = *moved * 2;
    return (a * 16 + b) & 127;
}
"#,
    ),
    (
        "blocks",
        r#"
extern int __VERIFIER_nondet_int(void);
extern void *memcpy(void *to, const void *from, unsigned long n);
extern void *memmove(void *to, const void *from, unsigned long n);
extern void *memset(void *to, int byte, unsigned long n);
extern void *malloc(unsigned long n);
extern void free(void *p);
void reach_error(void) { }
struct item { char c; short s; struct item *next; int value; };
union wide { double d; unsigned part[2]; unsigned char b[8]; };
static int sum(unsigned n) {
    int *p = __builtin_alloca((n + 1) * sizeof *p), total = 0;
    memset(p, 0, (n + 1) * sizeof *p);
    for (unsigned i = 0; i < n; i++) p[i] = i + 1;
    for (unsigned i = 0; i <= n; i++) total += p[i];
    return total;
}
int main(void) {
    unsigned k = __VERIFIER_nondet_int() & 3;
    int numbers[6] = {1, 2, 3, 4, 5, 6}, more[6] = {0};
    memcpy(more, numbers, k * sizeof *more);
    memmove(more + 1, more, (k + 1) * sizeof *more);
    struct item last = {1, 2, 0, 3}, first = {4, 5, &last, 6}, *at = &first;
    memcpy(at->next, at, sizeof *at);
    *at = *at->next;
    struct item *heap = malloc((k + 1) * sizeof *heap);
    memset(heap, (int)k, (k + 1) * sizeof *heap);
    heap[k] = last;
    memcpy(heap, heap + k, sizeof *heap);
    union wide u, v;
    u.d = k;
    memcpy(&v, &u, sizeof v);
    v.b[7] ^= 64;
    char text[8] = "abcdef";
    memmove(text + 1, text + k, 3);
    memset(text, 'x', k);
    int total = sum(k) + sum(2) + more[k] + heap->value + text[2] + (int)(v.part[1] >> 20);
    free(heap);
    if (total % 7 == 3) reach_error();
    return total & 63;
}
"#,
    ),
    (
        "recursion",
        r#"
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { }
static int depth(int n, int *deepest) {
    int here = n * 3;
    int *mine = &here;
    if (n <= 0) { *deepest = *mine + 1; return 0; }
    int below = depth(n - 1, n % 2 ? deepest : mine);
    return below + *mine;
}
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int main(void) {
    int n = __VERIFIER_nondet_int() & 7, d = 0;
    int r = depth(n, &d);
    if (even(n) + odd(n) != 1) reach_error();
    if (r < 0) reach_error();
    return r + d;
}
"#,
    ),
    (
        "ranges",
        r#"
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { }
static unsigned char limit = 200;
int table[16];
int main(void) {
    int n = __VERIFIER_nondet_int(), s = 0;
    if (n < 0 || n > 12) n = 12;
    for (int i = 0; i < n; i++) { table[i] = i * i; s += table[i]; }
    for (int i = n - 1; i >= 0; i--) s -= table[i];
    if (s) reach_error();
    unsigned char c = limit;
    c += 100;
    if (c > 44) reach_error();
    int k = __VERIFIER_nondet_int();
    unsigned u = (unsigned)k;
    if (u >= 16) return 2;
    table[u] = 7 / (int)(u + 1);
    switch (k) { case 3: s = 1; break; case 4: s = 2; default: s += 3; }
    long wide = (long)k << 20;
    int narrow = (int)wide;
    if (narrow < 0) reach_error();
    while (1) { if (s > 100) break; s += s + 1; }
    return (s + narrow) % 127;
}
"#,
    ),
    (
        "errors",
        r#"
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { }
int lock;
static void acquire(void) { if (lock) reach_error(); lock = 1; }
static void release(void) { if (!lock) reach_error(); lock = 0; }
int main(void) {
    int noise = 0;
    for (int i = 0; i < 5; i++) {
        int x = __VERIFIER_nondet_int();
        noise = noise * 31 + x;
        acquire();
        if (x == 1) continue;
        if (x / (x - 255) > 4) noise = 0;
        release();
    }
    return noise != 0;
}
"#,
    ),
];
