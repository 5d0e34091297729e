/* A doubly linked list with a sentinel. The API is in a comment of this file. */
#include <stdlib.h>

/*@ testgen
[container]
new = "dlist_init"
delete = "dlist_clear"
invariant = "dlist_ok"
abstraction = "dlist_bits"

[[operation]]
call = "dlist_push_front"

[[operation]]
call = "dlist_push_back"

[[operation]]
call = "dlist_pop_front"

[[operation]]
call = "dlist_remove"

[[operation]]
call = "dlist_reverse"
*/

struct item {
    struct item *next;
    struct item *prev;
    int value;
};

struct dlist {
    struct item ends;
    unsigned length;
};

void dlist_init(struct dlist *l)
{
    l->ends.next = &l->ends;
    l->ends.prev = &l->ends;
    l->ends.value = 0;
    l->length = 0;
}

static void insert_after(struct dlist *l, struct item *at, int value)
{
    struct item *i = malloc(sizeof *i);
    i->value = value;
    i->next = at->next;
    i->prev = at;
    at->next->prev = i;
    at->next = i;
    l->length++;
}

static void unlink_item(struct dlist *l, struct item *i)
{
    i->prev->next = i->next;
    i->next->prev = i->prev;
    l->length--;
    free(i);
}

void dlist_push_front(struct dlist *l, int value) { insert_after(l, &l->ends, value); }
void dlist_push_back(struct dlist *l, int value) { insert_after(l, l->ends.prev, value); }

/* The first value, which is taken out; -1 if there is none. */
int dlist_pop_front(struct dlist *l)
{
    struct item *i = l->ends.next;
    int value;
    if (i == &l->ends)
        return -1;
    value = i->value;
    unlink_item(l, i);
    return value;
}

/* Takes all items with this value out; how many there were. */
int dlist_remove(struct dlist *l, int value)
{
    int found = 0;
    struct item *i = l->ends.next;
    while (i != &l->ends) {
#ifdef SEEDED_BUG
        if (i->value == value) {
            unlink_item(l, i);
            found++;
        }
        i = i->next; /* reads an item that was freed */
#else
        struct item *next = i->next;
        if (i->value == value) {
            unlink_item(l, i);
            found++;
        }
        i = next;
#endif
    }
    return found;
}

void dlist_reverse(struct dlist *l)
{
    struct item *i = &l->ends;
    do {
        struct item *next = i->next;
        i->next = i->prev;
        i->prev = next;
        i = next;
    } while (i != &l->ends);
}

void dlist_clear(struct dlist *l)
{
    while (dlist_pop_front(l) != -1)
        continue;
}

/* The invariant: both directions agree, and the length is right. */
int dlist_ok(const struct dlist *l)
{
    const struct item *i = &l->ends;
    unsigned length = 0;
    do {
        if (i->next->prev != i || i->prev->next != i)
            return 0;
        i = i->next;
        length++;
    } while (i != &l->ends && length <= l->length + 1);
    return i == &l->ends && length == l->length + 1;
}

/* An abstraction: the length, and whether neighbors ascend. */
unsigned long dlist_bits(const struct dlist *l)
{
    const struct item *i;
    unsigned long bits = 1;
    for (i = l->ends.next; i != &l->ends; i = i->next) {
        if (i->next != &l->ends)
            bits = bits << 1 | (i->value <= i->next->value);
    }
    return bits << 8 | (l->length & 0xFF);
}
