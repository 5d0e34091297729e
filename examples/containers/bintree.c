/* A set of numbers as an unbalanced binary search tree. */
#include <stdlib.h>

struct node {
    int value;
    struct node *left;
    struct node *right;
};

struct bintree {
    struct node *root;
};

/* A probe sees a node, the child that is looked at, and the node that takes
   its place. Any of them may be missing. */
#ifdef PARALLAX_TESTGEN
void parallax_probe(unsigned block, unsigned long facts);
#define HAS(n, side) ((unsigned long)((n) == NULL ? 2 : (n)->side == NULL))
#define PROBE(block, n0, n1, n2)                                               \
    parallax_probe(block, HAS(n0, left) | HAS(n0, right) << 2 |                \
                              (unsigned long)((n1) == NULL) << 4 |             \
                              HAS(n2, left) << 5 | HAS(n2, right) << 7)
#else
#define PROBE(block, n0, n1, n2) ((void)0)
#endif
#define NONE ((struct node *)NULL)

struct bintree *bintree_new(void)
{
    struct bintree *t = malloc(sizeof *t);
    t->root = NULL;
    return t;
}

static struct node *node_new(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->left = NULL;
    n->right = NULL;
    return n;
}

void bintree_delete(struct bintree *t)
{
    /* Rotates left children up until there are none, then frees along. */
    struct node *n = t->root;
    while (n != NULL) {
        if (n->left != NULL) {
            struct node *l = n->left;
            n->left = l->right;
            l->right = n;
            n = l;
        } else {
            struct node *r = n->right;
            free(n);
            n = r;
        }
    }
    free(t);
}

int bintree_add(struct bintree *t, int x)
{
    struct node *n = t->root;
    if (n == NULL) {
        t->root = node_new(x);
        PROBE(0, t->root, NONE, NONE);
        return 1;
    }
    while (n->value != x) {
        if (x < n->value) {
            PROBE(1, n, NONE, NONE);
            if (n->left == NULL) {
                PROBE(2, n, NONE, NONE);
                n->left = node_new(x);
                return 1;
            }
            n = n->left;
        } else {
            PROBE(3, n, NONE, NONE);
            if (n->right == NULL) {
                PROBE(4, n, NONE, NONE);
                n->right = node_new(x);
                return 1;
            }
            n = n->right;
        }
    }
    return 0;
}

int bintree_find(struct bintree *t, int x)
{
    struct node *n = t->root;
    while (n != NULL) {
        if (n->value == x)
            return 1;
        n = x < n->value ? n->left : n->right;
    }
    return 0;
}

int bintree_remove(struct bintree *t, int x)
{
    struct node *n = t->root, *parent = NULL, *heir;
    while (n != NULL && n->value != x) {
        PROBE(8, n, parent, NONE);
        parent = n;
        n = x < n->value ? n->left : n->right;
    }
    if (n == NULL) {
        PROBE(9, n, parent, NONE);
        return 0;
    }
    if (n->left == NULL) {
        PROBE(10, n, parent, n->right);
        heir = n->right;
    } else if (n->right == NULL) {
        PROBE(11, n, parent, n->left);
        heir = n->left;
    } else {
        /* The largest value of the left subtree takes the place. */
        struct node *above = n;
        heir = n->left;
        while (heir->right != NULL) {
            PROBE(12, n, parent, heir);
            above = heir;
            heir = heir->right;
        }
        if (above != n) {
            PROBE(13, n, parent, heir);
#ifndef SEEDED_BUG
            above->right = heir->left;
#endif
            heir->left = n->left;
        }
        heir->right = n->right;
    }
    if (parent == NULL) {
        PROBE(14, n, parent, heir);
        t->root = heir;
    } else if (parent->left == n) {
        PROBE(15, n, parent, heir);
        parent->left = heir;
    } else {
        PROBE(17, n, parent, heir);
        parent->right = heir;
    }
    free(n);
    return 1;
}

static int ordered(const struct node *n, long low, long high)
{
    if (n == NULL)
        return 1;
    return low < n->value && n->value < high && ordered(n->left, low, n->value) &&
           ordered(n->right, n->value, high);
}

/* The invariant: a search tree without doubles. */
int bintree_ok(const struct bintree *t)
{
    return ordered(t->root, -2147483649L, 2147483648L);
}

/* What the set holds, to compare with: one bit per number. */
struct bits {
    unsigned long members;
};

void bits_init(struct bits *b) { b->members = 0; }

int bits_add(struct bits *b, int x)
{
    unsigned long bit = 1UL << (x & 63);
    int is_new = (b->members & bit) == 0;
    b->members |= bit;
    return is_new;
}

int bits_remove(struct bits *b, int x)
{
    unsigned long bit = 1UL << (x & 63);
    int was_there = (b->members & bit) != 0;
    b->members &= ~bit;
    return was_there;
}
