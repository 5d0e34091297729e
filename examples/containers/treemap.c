/* A map as a red-black tree, after java.util.TreeMap of Java 1.4: deletion
   swaps the positions of two nodes and does not copy keys. Keys only. */
#include <stdlib.h>

enum color { RED, BLACK };

struct entry {
    int key;
    struct entry *left;
    struct entry *right;
    struct entry *parent;
    enum color color;
};

struct treemap {
    struct entry *root;
    int size;
};

/* A probe sees five facts about one entry. The numbers are those of the paper. */
#ifdef PARALLAX_TESTGEN
void parallax_probe(unsigned block, unsigned long facts);
#define PROBE(block, e)                                                        \
    parallax_probe(block, (unsigned long)((e)->left == NULL) |                 \
                              (unsigned long)((e)->right == NULL) << 1 |       \
                              (unsigned long)((e)->parent == NULL) << 2 |      \
                              (unsigned long)((e)->color == RED) << 3 |        \
                              (unsigned long)((e) == t->root) << 4)
#else
#define PROBE(block, e) ((void)0)
#endif

struct treemap *treemap_new(void)
{
    struct treemap *t = malloc(sizeof *t);
    t->root = NULL;
    t->size = 0;
    return t;
}

static struct entry *entry_new(int key, struct entry *parent)
{
    struct entry *e = malloc(sizeof *e);
    e->key = key;
    e->left = NULL;
    e->right = NULL;
    e->parent = parent;
    e->color = BLACK;
    return e;
}

void treemap_delete(struct treemap *t)
{
    struct entry *e = t->root;
    while (e != NULL) {
        if (e->left != NULL) {
            e = e->left;
        } else if (e->right != NULL) {
            e = e->right;
        } else {
            struct entry *parent = e->parent;
            if (parent != NULL) {
                if (parent->left == e)
                    parent->left = NULL;
                else
                    parent->right = NULL;
            }
            free(e);
            e = parent;
        }
    }
    free(t);
}

/* The colors and neighbors of entries that may be missing. */
static enum color color_of(struct entry *e) { return e == NULL ? BLACK : e->color; }
static struct entry *parent_of(struct entry *e) { return e == NULL ? NULL : e->parent; }
static struct entry *left_of(struct entry *e) { return e == NULL ? NULL : e->left; }
static struct entry *right_of(struct entry *e) { return e == NULL ? NULL : e->right; }

static void paint(struct entry *e, enum color color)
{
    if (e != NULL)
        e->color = color;
}

static struct entry *find(struct treemap *t, int key)
{
    struct entry *e = t->root;
    while (e != NULL) {
        if (key == e->key)
            return e;
        e = key < e->key ? e->left : e->right;
    }
    return NULL;
}

static void rotate_left(struct treemap *t, struct entry *p)
{
    struct entry *r = p->right;
    p->right = r->left;
    if (r->left != NULL) {
        PROBE(10, p);
        r->left->parent = p;
    }
    r->parent = p->parent;
    if (p->parent == NULL) {
        PROBE(11, p);
        t->root = r;
    } else if (p->parent->left == p) {
        PROBE(12, p);
        p->parent->left = r;
    } else {
        PROBE(13, p);
        p->parent->right = r;
    }
    r->left = p;
    p->parent = r;
}

static void rotate_right(struct treemap *t, struct entry *p)
{
    struct entry *l = p->left;
    p->left = l->right;
    if (l->right != NULL) {
        PROBE(14, p);
        l->right->parent = p;
    }
    l->parent = p->parent;
    if (p->parent == NULL) {
        PROBE(15, p);
        t->root = l;
    } else if (p->parent->right == p) {
        PROBE(16, p);
        p->parent->right = l;
    } else {
        PROBE(17, p);
        p->parent->left = l;
    }
    l->right = p;
    p->parent = l;
}

static void fix_after_insertion(struct treemap *t, struct entry *x)
{
    x->color = RED;
    while (x != NULL && x != t->root && x->parent->color == RED) {
        struct entry *uncle;
        if (parent_of(x) == left_of(parent_of(parent_of(x)))) {
            uncle = right_of(parent_of(parent_of(x)));
            if (color_of(uncle) == RED) {
                PROBE(18, x);
                paint(parent_of(x), BLACK);
                paint(uncle, BLACK);
                paint(parent_of(parent_of(x)), RED);
                x = parent_of(parent_of(x));
            } else {
                if (x == right_of(parent_of(x))) {
                    PROBE(19, x);
                    x = parent_of(x);
                    rotate_left(t, x);
                }
                paint(parent_of(x), BLACK);
                paint(parent_of(parent_of(x)), RED);
                if (parent_of(parent_of(x)) != NULL) {
                    PROBE(20, x);
                    rotate_right(t, parent_of(parent_of(x)));
                }
            }
        } else {
            uncle = left_of(parent_of(parent_of(x)));
            if (color_of(uncle) == RED) {
                PROBE(21, x);
                paint(parent_of(x), BLACK);
                paint(uncle, BLACK);
                paint(parent_of(parent_of(x)), RED);
                x = parent_of(parent_of(x));
            } else {
                if (x == left_of(parent_of(x))) {
                    PROBE(22, x);
                    x = parent_of(x);
                    rotate_right(t, x);
                }
                paint(parent_of(x), BLACK);
                paint(parent_of(parent_of(x)), RED);
                if (parent_of(parent_of(x)) != NULL) {
                    PROBE(23, x);
                    rotate_left(t, parent_of(parent_of(x)));
                }
            }
        }
    }
    t->root->color = BLACK;
}

int treemap_put(struct treemap *t, int key)
{
    struct entry *e = t->root;
    if (e == NULL) {
        t->size++;
        t->root = entry_new(key, NULL);
        return 1;
    }
    for (;;) {
        if (key == e->key)
            return 0;
        if (key < e->key) {
            if (e->left != NULL) {
                e = e->left;
                continue;
            }
            t->size++;
            e->left = entry_new(key, e);
            fix_after_insertion(t, e->left);
            return 1;
        }
        if (e->right != NULL) {
            e = e->right;
            continue;
        }
        t->size++;
        e->right = entry_new(key, e);
        fix_after_insertion(t, e->right);
        return 1;
    }
}

static struct entry *successor(struct treemap *t, struct entry *e)
{
    (void)t;
    if (e->right != NULL) {
        struct entry *p = e->right;
        while (p->left != NULL) {
            PROBE(8, e);
            p = p->left;
        }
        return p;
    } else {
        struct entry *p = e->parent;
        struct entry *child = e;
        while (p != NULL && child == p->right) {
            PROBE(9, e);
            child = p;
            p = p->parent;
        }
        return p;
    }
}

/* Exchanges the places of x and y in the tree. */
static void swap_position(struct treemap *t, struct entry *x, struct entry *y)
{
    struct entry *px = x->parent, *lx = x->left, *rx = x->right;
    struct entry *py = y->parent, *ly = y->left, *ry = y->right;
    int x_was_left = px != NULL && x == px->left;
    int y_was_left = py != NULL && y == py->left;
    enum color color;

    if (x == py) {
        x->parent = y;
        if (y_was_left) {
            PROBE(40, x);
            y->left = x;
            y->right = rx;
        } else {
            PROBE(41, x);
            y->right = x;
            y->left = lx;
        }
    } else {
        x->parent = py;
        if (py != NULL) {
            if (y_was_left) {
                PROBE(42, x);
                py->left = x;
            } else {
                PROBE(43, x);
                py->right = x;
            }
        }
        y->left = lx;
        y->right = rx;
    }
    if (y == px) {
        y->parent = x;
        if (x_was_left) {
            PROBE(44, x);
            x->left = y;
            x->right = ry;
        } else {
            PROBE(45, x);
            x->right = y;
            x->left = ly;
        }
    } else {
        y->parent = px;
        if (px != NULL) {
            if (x_was_left) {
                PROBE(46, x);
                px->left = y;
            } else {
                PROBE(47, x);
                px->right = y;
            }
        }
        x->left = ly;
        x->right = ry;
    }
    if (x->left != NULL) {
        PROBE(48, x);
        x->left->parent = x;
    }
    if (x->right != NULL) {
        PROBE(49, x);
        x->right->parent = x;
    }
    if (y->left != NULL) {
        PROBE(50, x);
        y->left->parent = y;
    }
    if (y->right != NULL) {
        PROBE(51, x);
        y->right->parent = y;
    }
    color = x->color;
    x->color = y->color;
    y->color = color;
    if (t->root == x) {
        PROBE(52, x);
        t->root = y;
    } else if (t->root == y) {
        PROBE(53, x);
        t->root = x;
    }
}

static void fix_after_deletion(struct treemap *t, struct entry *x)
{
    while (x != t->root && color_of(x) == BLACK) {
        struct entry *sibling;
        if (x == left_of(parent_of(x))) {
            sibling = right_of(parent_of(x));
            if (color_of(sibling) == RED) {
                PROBE(34, x);
                paint(sibling, BLACK);
                paint(parent_of(x), RED);
                rotate_left(t, parent_of(x));
                sibling = right_of(parent_of(x));
            }
            if (color_of(left_of(sibling)) == BLACK && color_of(right_of(sibling)) == BLACK) {
                PROBE(35, x);
                paint(sibling, RED);
                x = parent_of(x);
            } else {
                if (color_of(right_of(sibling)) == BLACK) {
                    PROBE(36, x);
                    paint(left_of(sibling), BLACK);
                    paint(sibling, RED);
                    rotate_right(t, sibling);
                    sibling = right_of(parent_of(x));
                }
                paint(sibling, color_of(parent_of(x)));
                paint(parent_of(x), BLACK);
#ifndef SEEDED_BUG
                paint(right_of(sibling), BLACK);
#endif
                rotate_left(t, parent_of(x));
                x = t->root;
            }
        } else {
            sibling = left_of(parent_of(x));
            if (color_of(sibling) == RED) {
                PROBE(37, x);
                paint(sibling, BLACK);
                paint(parent_of(x), RED);
                rotate_right(t, parent_of(x));
                sibling = left_of(parent_of(x));
            }
            if (color_of(right_of(sibling)) == BLACK && color_of(left_of(sibling)) == BLACK) {
                PROBE(38, x);
                paint(sibling, RED);
                x = parent_of(x);
            } else {
                if (color_of(left_of(sibling)) == BLACK) {
                    PROBE(39, x);
                    paint(right_of(sibling), BLACK);
                    paint(sibling, RED);
                    rotate_left(t, sibling);
                    sibling = left_of(parent_of(x));
                }
                paint(sibling, color_of(parent_of(x)));
                paint(parent_of(x), BLACK);
                paint(left_of(sibling), BLACK);
                rotate_right(t, parent_of(x));
                x = t->root;
            }
        }
    }
    paint(x, BLACK);
}

static void delete_entry(struct treemap *t, struct entry *p)
{
    struct entry *replacement;
    t->size--;
    if (p->left != NULL && p->right != NULL) {
        PROBE(24, p);
        swap_position(t, successor(t, p), p);
    }
    replacement = p->left != NULL ? p->left : p->right;
    if (replacement != NULL) {
        replacement->parent = p->parent;
        if (p->parent == NULL) {
            PROBE(25, p);
            t->root = replacement;
        } else if (p == p->parent->left) {
            PROBE(26, p);
            p->parent->left = replacement;
        } else {
            PROBE(27, p);
            p->parent->right = replacement;
        }
        p->left = NULL;
        p->right = NULL;
        p->parent = NULL;
        if (p->color == BLACK) {
            PROBE(28, p);
            fix_after_deletion(t, replacement);
        }
    } else if (p->parent == NULL) {
        PROBE(29, p);
        t->root = NULL;
    } else {
        if (p->color == BLACK) {
            PROBE(30, p);
            fix_after_deletion(t, p);
        }
        if (p->parent != NULL) {
            PROBE(31, p);
            if (p == p->parent->left) {
                PROBE(32, p);
                p->parent->left = NULL;
            } else if (p == p->parent->right) {
                PROBE(33, p);
                p->parent->right = NULL;
            }
            p->parent = NULL;
        }
    }
    free(p);
}

int treemap_remove(struct treemap *t, int key)
{
    struct entry *e = find(t, key);
    if (e == NULL)
        return 0;
    delete_entry(t, e);
    return 1;
}

/* The number of black entries on each way down, or -1 if the subtree is none. */
static int black_height(const struct entry *e, const struct entry *parent, long low, long high,
                        int *count)
{
    int left, right;
    if (e == NULL)
        return 0;
    if (e->parent != parent || e->key <= low || e->key >= high)
        return -1;
    if (e->color == RED && parent != NULL && parent->color == RED)
        return -1;
    ++*count;
    left = black_height(e->left, e, low, e->key, count);
    right = black_height(e->right, e, e->key, high, count);
    if (left < 0 || left != right)
        return -1;
    return left + (e->color == BLACK);
}

/* The invariant: a search tree with black root, no red entry below a red one,
   as many black entries on each way, and the size right. */
int treemap_ok(const struct treemap *t)
{
    int count = 0;
    if (t->root != NULL && t->root->color == RED)
        return 0;
    if (black_height(t->root, NULL, -2147483649L, 2147483648L, &count) < 0)
        return 0;
    return count == t->size;
}
