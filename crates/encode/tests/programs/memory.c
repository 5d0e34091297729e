#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

struct pair {
    short left, right;
    unsigned flag : 3;
    int small : 5;
    char name[4];
};

static int table[4] = {1, 2, 3};
static struct pair global = {.right = -7, .name = "ab"};
static int *where = &table[2];

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

static struct pair flip(struct pair p)
{
    short t = p.left;
    p.left = p.right;
    p.right = t;
    p.flag += 3;
    p.small -= 9;
    return p;
}

static int apply(int (*f)(int), int x)
{
    return f(x);
}

static int twice(int x)
{
    return 2 * x;
}

static int minus(int x)
{
    return 1 - x;
}

int main(void)
{
    int a[5], n = (int)(__VERIFIER_nondet_uint() % 5), total = 0;
    for (int i = 0; i < 5; i++)
        a[i] = i * __VERIFIER_nondet_int() % 1000;
    swap(&a[n], &a[4 - n]);
    swap(&table[0], where);
    *where += 5;
    struct node *list = 0;
    for (int i = 0; i < n; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->value = a[i];
        fresh->next = list;
        list = fresh;
    }
    while (list) {
        struct node *next = list->next;
        total += list->value;
        free(list);
        list = next;
    }
    struct pair p = flip(global);
    struct pair *q = n > 2 ? &global : &p;
    q->name[n % 4] = 'x';
    total += q->left + q->flag + q->small + q->name[1];
    total += apply(n % 2 ? twice : minus, total);
    total += table[n % 4] + *where;
    if (total % 5 == 0)
        reach_error();
    return 0;
}
