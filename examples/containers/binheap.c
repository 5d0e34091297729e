/* A priority queue as a binomial heap: roots of binomial trees by ascending
   degree, in each tree no key above its children's. */
#include <stdlib.h>

struct node {
    int key;
    int degree;
    struct node *parent;
    struct node *sibling;
    struct node *child;
};

struct binheap {
    struct node *head;
    int size;
};

#ifdef PARALLAX_TESTGEN
void parallax_probe(unsigned block, unsigned long facts);
#define LINKS(n)                                                               \
    ((n) == NULL ? 8UL                                                         \
                 : (unsigned long)((n)->child == NULL) |                       \
                       (unsigned long)((n)->sibling == NULL) << 1 |            \
                       (unsigned long)((n)->parent == NULL) << 2)
#define ORDER(a, b)                                                            \
    ((a) == NULL || (b) == NULL ? 3UL                                          \
                                : (unsigned long)((a)->degree < (b)->degree) | \
                                      (unsigned long)((a)->degree > (b)->degree) << 1)
#define PROBE(block, a, b) parallax_probe(block, LINKS(a) | LINKS(b) << 4 | ORDER(a, b) << 8)
#else
#define PROBE(block, a, b) ((void)0)
#endif
#define NONE ((struct node *)NULL)

struct binheap *binheap_new(void)
{
    struct binheap *h = malloc(sizeof *h);
    h->head = NULL;
    h->size = 0;
    return h;
}

void binheap_delete(struct binheap *h)
{
    /* Children are put in front of the list of roots. */
    struct node *n = h->head;
    while (n != NULL) {
        struct node *next = n->sibling;
        if (n->child != NULL) {
            struct node *last = n->child;
            while (last->sibling != NULL)
                last = last->sibling;
            last->sibling = next;
            next = n->child;
        }
        free(n);
        n = next;
    }
    free(h);
}

/* Makes `child` the first child of `root`, both of one degree. */
static void link_trees(struct node *child, struct node *root)
{
    child->parent = root;
    child->sibling = root->child;
    root->child = child;
    root->degree++;
}

/* The list of roots of both, by ascending degree. */
static struct node *merge(struct node *a, struct node *b)
{
    struct node *first = NULL, **end = &first;
    while (a != NULL && b != NULL) {
        if (a->degree <= b->degree) {
            PROBE(1, a, b);
            *end = a;
            a = a->sibling;
        } else {
            PROBE(2, a, b);
            *end = b;
            b = b->sibling;
        }
        end = &(*end)->sibling;
    }
    if (a != NULL) {
        PROBE(3, a, NONE);
        *end = a;
    } else {
        PROBE(4, b, NONE);
        *end = b;
    }
    return first;
}

static void unite(struct binheap *h, struct node *other)
{
    struct node *previous = NULL, *x, *next;
    h->head = merge(h->head, other);
    x = h->head;
    if (x == NULL)
        return;
    next = x->sibling;
    while (next != NULL) {
        if (x->degree != next->degree) {
            PROBE(5, x, next);
            previous = x;
            x = next;
        } else if (next->sibling != NULL && next->sibling->degree == x->degree) {
            PROBE(6, x, next);
            previous = x;
            x = next;
        } else if (x->key <= next->key) {
            PROBE(7, x, next);
            x->sibling = next->sibling;
            link_trees(next, x);
        } else {
            if (previous == NULL) {
                PROBE(8, x, next);
                h->head = next;
            } else {
                PROBE(9, x, next);
                previous->sibling = next;
            }
            link_trees(x, next);
            x = next;
        }
        next = x->sibling;
    }
}

void binheap_insert(struct binheap *h, int key)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->degree = 0;
    n->parent = NULL;
    n->sibling = NULL;
    n->child = NULL;
    PROBE(10, n, h->head);
    unite(h, n);
    h->size++;
}

/* Takes a root out of the heap; its children become roots. */
static void take_root(struct binheap *h, struct node *root)
{
    struct node *previous = NULL, *n, *child, *reversed = NULL;
    for (n = h->head; n != root; n = n->sibling) {
        PROBE(11, n, root);
        previous = n;
    }
    if (previous == NULL) {
        PROBE(12, root, NONE);
        h->head = root->sibling;
    } else {
        PROBE(13, previous, root);
        previous->sibling = root->sibling;
    }
    child = root->child;
    while (child != NULL) {
        struct node *next = child->sibling;
        PROBE(14, child, root);
#ifndef SEEDED_BUG
        child->parent = NULL;
#endif
        child->sibling = reversed;
        reversed = child;
        child = next;
    }
    free(root);
    h->size--;
    unite(h, reversed);
}

/* The least key, which is taken out; -1 if there is none. */
int binheap_extract_min(struct binheap *h)
{
    struct node *least = h->head, *n;
    int key;
    if (least == NULL)
        return -1;
    for (n = least->sibling; n != NULL; n = n->sibling) {
        PROBE(15, n, least);
        if (n->key < least->key) {
            PROBE(16, n, least);
            least = n;
        }
    }
    key = least->key;
    take_root(h, least);
    return key;
}

/* A node with this key, in the order children first, then siblings. */
static struct node *find(struct node *n, int key)
{
    while (n != NULL) {
        if (n->key == key) {
            PROBE(17, n, NONE);
            return n;
        }
        if (n->child != NULL) {
            PROBE(18, n, n->child);
            n = n->child;
        } else {
            while (n->sibling == NULL && n->parent != NULL)
                n = n->parent;
            PROBE(19, n, n->sibling);
            n = n->sibling;
        }
    }
    return NULL;
}

/* Takes one node with this key out, if there is one. */
int binheap_remove(struct binheap *h, int key)
{
    struct node *n = find(h->head, key);
    if (n == NULL)
        return 0;
    /* The key rises to its root, the keys on the way sink. */
    while (n->parent != NULL) {
        PROBE(20, n, n->parent);
        n->key = n->parent->key;
        n = n->parent;
        n->key = key;
    }
    PROBE(21, n, NONE);
    take_root(h, n);
    return 1;
}

/* The number of nodes, or -1 if this is no binomial tree of the degree. */
static int count(const struct node *n, const struct node *parent, int degree)
{
    const struct node *child;
    int nodes = 1, expected = degree - 1;
    if (n->degree != degree || n->parent != parent)
        return -1;
    if (parent != NULL && n->key < parent->key)
        return -1;
    for (child = n->child; child != NULL; child = child->sibling) {
        int below = expected < 0 ? -1 : count(child, n, expected);
        if (below < 0)
            return -1;
        nodes += below;
        expected--;
    }
    return expected == -1 ? nodes : -1;
}

/* The invariant: binomial trees in heap order, of ascending degrees. */
int binheap_ok(const struct binheap *h)
{
    const struct node *root;
    int nodes = 0, degree = -1;
    for (root = h->head; root != NULL; root = root->sibling) {
        int below;
        if (root->degree <= degree)
            return 0;
        degree = root->degree;
        below = count(root, NULL, degree);
        if (below < 0)
            return 0;
        nodes += below;
    }
    return nodes == h->size;
}
