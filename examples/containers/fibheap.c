/* A priority queue as a Fibonacci heap: circular lists of trees in heap order,
   tidied up only when the least key is taken out. */
#include <stdlib.h>

struct node {
    int key;
    int degree;
    int mark;
    struct node *parent;
    struct node *child;
    struct node *left;
    struct node *right;
};

struct fibheap {
    struct node *min;
    int size;
};

/* Degrees stay below this for every heap that fits into memory. */
enum { DEGREES = 45 };

#ifdef PARALLAX_TESTGEN
void parallax_probe(unsigned block, unsigned long facts);
#define LINKS(x, n)                                                            \
    ((x) == NULL ? 32UL                                                        \
                 : (unsigned long)((x)->child == NULL) |                       \
                       (unsigned long)((x)->parent == NULL) << 1 |             \
                       (unsigned long)((x)->right == (n)) << 2 |               \
                       (unsigned long)((x)->left == (n)) << 3 |                \
                       (unsigned long)((x)->degree == 0) << 4)
#define OF(a, b) ((unsigned long)((a) != NULL && (a)->child == (b) && (b) != NULL))
#define PROBE(block, n, m)                                                     \
    parallax_probe(block, LINKS(n, n) | LINKS(m, n) << 6 | OF(n, m) << 12 | OF(m, n) << 13)
#else
#define PROBE(block, n, m) ((void)0)
#endif
#define NONE ((struct node *)NULL)

struct fibheap *fibheap_new(void)
{
    struct fibheap *h = malloc(sizeof *h);
    h->min = NULL;
    h->size = 0;
    return h;
}

/* Puts n to the right of at, in its circle. */
static void splice(struct node *n, struct node *at)
{
    n->left = at;
    n->right = at->right;
    at->right->left = n;
    at->right = n;
}

static void unsplice(struct node *n)
{
    n->left->right = n->right;
    n->right->left = n->left;
    n->left = n;
    n->right = n;
}

void fibheap_insert(struct fibheap *h, int key)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->degree = 0;
    n->mark = 0;
    n->parent = NULL;
    n->child = NULL;
    n->left = n;
    n->right = n;
    if (h->min == NULL) {
        PROBE(0, n, NONE);
        h->min = n;
    } else {
        PROBE(1, n, h->min);
        splice(n, h->min);
        if (key < h->min->key) {
            PROBE(2, n, h->min);
            h->min = n;
        }
    }
    h->size++;
}

/* Makes y, a root, a child of x. */
static void link_trees(struct node *y, struct node *x)
{
    unsplice(y);
    y->parent = x;
    if (x->child == NULL) {
        PROBE(3, x, y);
        x->child = y;
    } else {
        PROBE(4, x, y);
        splice(y, x->child);
    }
    x->degree++;
    y->mark = 0;
}

/* Links roots until no two have the same degree. */
static void consolidate(struct fibheap *h)
{
    struct node *by_degree[DEGREES];
    struct node *root = h->min, *next;
    int i, roots = 1;
    for (i = 0; i < DEGREES; i++)
        by_degree[i] = NULL;
    for (next = root->right; next != root; next = next->right) {
        PROBE(5, next, root);
        roots++;
    }
    while (roots-- > 0) {
        struct node *x = root;
        next = root->right;
        PROBE(6, x, next);
        while (by_degree[x->degree] != NULL) {
            struct node *y = by_degree[x->degree];
            int degree = x->degree;
            PROBE(7, x, y);
            if (y->key < x->key) {
                struct node *swap = x;
                PROBE(8, x, y);
                x = y;
                y = swap;
            }
            link_trees(y, x);
            by_degree[degree] = NULL;
        }
        by_degree[x->degree] = x;
        root = next;
    }
    h->min = NULL;
    for (i = 0; i < DEGREES; i++) {
        if (by_degree[i] == NULL)
            continue;
        if (h->min == NULL) {
            PROBE(9, by_degree[i], NONE);
            h->min = by_degree[i];
        } else if (by_degree[i]->key < h->min->key) {
            PROBE(10, by_degree[i], h->min);
            h->min = by_degree[i];
        } else {
            PROBE(11, by_degree[i], h->min);
        }
    }
}

/* Takes a root out; its children become roots. */
static void take_root(struct fibheap *h, struct node *z)
{
    struct node *child = z->child;
    int left;
    for (left = z->degree; left > 0; left--) {
        struct node *next = child->right;
        PROBE(12, child, z);
        unsplice(child);
        splice(child, z);
#ifndef SEEDED_BUG
        child->parent = NULL;
#endif
        child->mark = 0;
        child = next;
    }
    if (z->right == z) {
        PROBE(13, z, NONE);
        h->min = NULL;
    } else {
        PROBE(14, z, z->right);
        h->min = z->right;
        unsplice(z);
        consolidate(h);
    }
    free(z);
    h->size--;
}

/* The least key, which is taken out; -1 if there is none. */
int fibheap_remove_min(struct fibheap *h)
{
    int key;
    if (h->min == NULL) {
        PROBE(15, NONE, NONE);
        return -1;
    }
    PROBE(16, h->min, NONE);
    key = h->min->key;
    take_root(h, h->min);
    return key;
}

/* Cuts n off its parent and makes it a root. */
static void cut(struct fibheap *h, struct node *n)
{
    struct node *parent = n->parent;
    if (n->right == n) {
        PROBE(17, n, parent);
        parent->child = NULL;
    } else {
        if (parent->child == n) {
            PROBE(18, n, parent);
            parent->child = n->right;
        }
        unsplice(n);
    }
    parent->degree--;
    splice(n, h->min);
    n->parent = NULL;
    n->mark = 0;
}

/* A node with this key: down first, then around, then up. */
static struct node *find(struct fibheap *h, int key)
{
    struct node *n = h->min, *first = h->min;
    if (n == NULL)
        return NULL;
    for (;;) {
        if (n->key == key) {
            PROBE(19, n, NONE);
            return n;
        }
        if (n->child != NULL) {
            PROBE(20, n, n->child);
            n = n->child;
            continue;
        }
        while (n->parent != NULL && n->right == n->parent->child)
            n = n->parent;
        n = n->right;
        if (n == first && n->parent == NULL)
            return NULL;
    }
}

/* Takes one node with this key out, if there is one. */
int fibheap_remove(struct fibheap *h, int key)
{
    struct node *n = find(h, key), *parent;
    if (n == NULL) {
        PROBE(21, NONE, NONE);
        return 0;
    }
    parent = n->parent;
    if (parent != NULL) {
        PROBE(22, n, parent);
        cut(h, n);
        /* A node that loses its second child is cut off as well. */
        while (parent->parent != NULL) {
            struct node *above = parent->parent;
            if (!parent->mark) {
                PROBE(23, parent, above);
                parent->mark = 1;
                break;
            }
            PROBE(24, parent, above);
            cut(h, parent);
            parent = above;
        }
    }
    take_root(h, n);
    return 1;
}

void fibheap_delete(struct fibheap *h)
{
    while (h->min != NULL)
        fibheap_remove_min(h);
    free(h);
}

/* The number of nodes of a circle and below, or -1 if a link is wrong. */
static int count(const struct node *first, const struct node *parent, int *degree)
{
    const struct node *n = first;
    int nodes = 0;
    *degree = 0;
    do {
        int below = 0, children = 0;
        if (n->right->left != n || n->parent != parent)
            return -1;
        if (parent != NULL && n->key < parent->key)
            return -1;
        if (n->child != NULL)
            below = count(n->child, n, &children);
        if (below < 0 || children != n->degree)
            return -1;
        nodes += 1 + below;
        ++*degree;
        n = n->right;
    } while (n != first);
    return nodes;
}

/* The invariant: circles that close, trees in heap order, the least key in
   front, degrees and size right. */
int fibheap_ok(const struct fibheap *h)
{
    const struct node *n;
    int roots;
    if (h->min == NULL)
        return h->size == 0;
    if (count(h->min, NULL, &roots) != h->size)
        return 0;
    for (n = h->min->right; n != h->min; n = n->right) {
        if (n->key < h->min->key)
            return 0;
    }
    return 1;
}
