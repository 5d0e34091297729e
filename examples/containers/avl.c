/* A set as an AVL tree in the functional style: operations take the root and
   return the new one. The empty tree is NULL. */
#include <stdlib.h>

struct avl {
    int key;
    int height;
    struct avl *left;
    struct avl *right;
};

static int height(const struct avl *t) { return t == NULL ? 0 : t->height; }

static void update(struct avl *t)
{
    int left = height(t->left), right = height(t->right);
    t->height = 1 + (left > right ? left : right);
}

static struct avl *rotate_right(struct avl *t)
{
    struct avl *l = t->left;
    t->left = l->right;
    l->right = t;
    update(t);
    update(l);
    return l;
}

static struct avl *rotate_left(struct avl *t)
{
    struct avl *r = t->right;
    t->right = r->left;
    r->left = t;
#ifndef SEEDED_BUG
    update(t);
#endif
    update(r);
    return r;
}

static struct avl *balance(struct avl *t)
{
    int lean = height(t->left) - height(t->right);
    update(t);
    if (lean > 1) {
        if (height(t->left->left) < height(t->left->right))
            t->left = rotate_left(t->left);
        return rotate_right(t);
    }
    if (lean < -1) {
        if (height(t->right->right) < height(t->right->left))
            t->right = rotate_right(t->right);
        return rotate_left(t);
    }
    return t;
}

struct avl *avl_insert(struct avl *t, int key)
{
    if (t == NULL) {
        t = malloc(sizeof *t);
        t->key = key;
        t->height = 1;
        t->left = NULL;
        t->right = NULL;
        return t;
    }
    if (key < t->key)
        t->left = avl_insert(t->left, key);
    else if (key > t->key)
        t->right = avl_insert(t->right, key);
    return balance(t);
}

static struct avl *take_least(struct avl *t, struct avl **least)
{
    if (t->left == NULL) {
        *least = t;
        return t->right;
    }
    t->left = take_least(t->left, least);
    return balance(t);
}

struct avl *avl_remove(struct avl *t, int key)
{
    if (t == NULL)
        return NULL;
    if (key < t->key) {
        t->left = avl_remove(t->left, key);
    } else if (key > t->key) {
        t->right = avl_remove(t->right, key);
    } else {
        struct avl *left = t->left, *right = t->right, *least;
        free(t);
        if (right == NULL)
            return left;
        right = take_least(right, &least);
        least->left = left;
        least->right = right;
        t = least;
    }
    return balance(t);
}

int avl_contains(const struct avl *t, int key)
{
    while (t != NULL && t->key != key)
        t = key < t->key ? t->left : t->right;
    return t != NULL;
}

void avl_free(struct avl *t)
{
    if (t == NULL)
        return;
    avl_free(t->left);
    avl_free(t->right);
    free(t);
}

static int well_formed(const struct avl *t, long low, long high)
{
    int left, right;
    if (t == NULL)
        return 1;
    left = height(t->left);
    right = height(t->right);
    return low < t->key && t->key < high && left - right <= 1 && right - left <= 1 &&
           t->height == 1 + (left > right ? left : right) && well_formed(t->left, low, t->key) &&
           well_formed(t->right, t->key, high);
}

/* The invariant: ordered, balanced, and the heights right. */
int avl_ok(const struct avl *t) { return well_formed(t, -2147483649L, 2147483648L); }
