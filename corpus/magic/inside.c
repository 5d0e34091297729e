void a(void);
void b(void);

struct node { int value; struct node *next; };
typedef int *number;

// `x->next` might be `y`.
void chain(struct node *x, struct node *y)
{
    if (!x->next) { a(); return; }
    x->next->value = 1;
    y->value = 2;
    if (x->next->value == 1) a(); else b();
}

// `*p` might be `q`.
void deep(int **p, int *q)
{
    **p = 0;
    *q = 1;
    if (**p) a(); else b();
}

// `n` might be `q`, but the declaration shows no pointer.
void named(number n, int *q)
{
    *n = 1;
    *q = 0;
    if (*n) a(); else b();
}

// The only pointer that it is given leads to numbers.
void flat(int *p)
{
    *p = 1;
    if (*p) a(); else b();
}
