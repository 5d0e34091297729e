/* A set as a skip list. Heights come from a generator that is part of the
   list, so every run is the same. */
#include <stdlib.h>

enum { LEVELS = 4 };

struct node {
    int key;
    int height;
    struct node *next[];
};

struct skiplist {
    struct node *head;
    unsigned seed;
};

static struct node *node_new(int key, int height)
{
    int i;
    struct node *n = malloc(sizeof *n + (unsigned long)height * sizeof n->next[0]);
    n->key = key;
    n->height = height;
    for (i = 0; i < height; i++)
        n->next[i] = NULL;
    return n;
}

struct skiplist *skiplist_new(void)
{
    struct skiplist *s = malloc(sizeof *s);
    s->head = node_new(0, LEVELS);
    s->seed = 5;
    return s;
}

void skiplist_delete(struct skiplist *s)
{
    struct node *n = s->head;
    while (n != NULL) {
        struct node *next = n->next[0];
        free(n);
        n = next;
    }
    free(s);
}

/* One more than the number of ones at the end of the next random number. */
static int random_height(struct skiplist *s)
{
    int height = 1;
    s->seed = (s->seed * 5u + 3u) & 15u;
    while (height < LEVELS && (s->seed >> height & 1u))
        height++;
    return height;
}

/* Fills the way: on each level the last node before the key. */
static struct node *search(struct skiplist *s, int key, struct node *way[LEVELS])
{
    struct node *n = s->head;
    int level;
    for (level = LEVELS - 1; level >= 0; level--) {
        while (n->next[level] != NULL && n->next[level]->key < key)
            n = n->next[level];
        way[level] = n;
    }
    n = n->next[0];
    return n != NULL && n->key == key ? n : NULL;
}

int skiplist_insert(struct skiplist *s, int key)
{
    struct node *way[LEVELS], *n;
    int level;
    if (search(s, key, way) != NULL)
        return 0;
    n = node_new(key, random_height(s));
    for (level = 0; level < n->height; level++) {
        n->next[level] = way[level]->next[level];
        way[level]->next[level] = n;
    }
    return 1;
}

int skiplist_remove(struct skiplist *s, int key)
{
    struct node *way[LEVELS], *n = search(s, key, way);
    int level;
    if (n == NULL)
        return 0;
#ifdef SEEDED_BUG
    for (level = 0; level < n->height && level < 2; level++)
#else
    for (level = 0; level < n->height; level++)
#endif
        way[level]->next[level] = n->next[level];
    free(n);
    return 1;
}

int skiplist_contains(struct skiplist *s, int key)
{
    struct node *way[LEVELS];
    return search(s, key, way) != NULL;
}

/* The invariant: every level ascends and is a part of the level below. */
int skiplist_ok(const struct skiplist *s)
{
    int level;
    for (level = 0; level < LEVELS; level++) {
        const struct node *n = s->head->next[level], *below = s->head->next[0];
        const struct node *last = NULL;
        for (; n != NULL; n = n->next[level]) {
            if (n->height <= level || (last != NULL && n->key <= last->key))
                return 0;
            while (below != NULL && below != n)
                below = below->next[0];
            if (below == NULL)
                return 0;
            last = n;
        }
    }
    return 1;
}
