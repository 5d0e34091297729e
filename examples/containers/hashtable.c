/* A set of numbers as a hash table with open addressing, in static memory.
   Taken places are found by linear probing; removed ones stay marked. */
#include <string.h>

enum { PLACES = 8 };
enum state { FREE, TAKEN, REMOVED };

static struct place {
    enum state state;
    int key;
} table[PLACES];
static int used;

void table_clear(void)
{
    memset(table, 0, sizeof table);
    used = 0;
}

static unsigned hash(int key) { return (unsigned)key % 3u; }

static struct place *find(int key)
{
    unsigned at = hash(key), steps;
    for (steps = 0; steps < PLACES; steps++) {
        struct place *p = &table[(at + steps) % PLACES];
        if (p->state == FREE)
            return NULL;
        if (p->state == TAKEN && p->key == key)
            return p;
    }
    return NULL;
}

/* 1 if the key is new, 0 if it was there, -1 if the table is full. */
int table_insert(int key)
{
    unsigned at = hash(key), steps;
    if (find(key) != NULL)
        return 0;
    for (steps = 0; steps < PLACES; steps++) {
        struct place *p = &table[(at + steps) % PLACES];
        if (p->state != TAKEN) {
            p->state = TAKEN;
            p->key = key;
            used++;
            return 1;
        }
    }
    return -1;
}

int table_remove(int key)
{
    struct place *p = find(key);
    if (p == NULL)
        return 0;
#ifdef SEEDED_BUG
    p->state = FREE; /* cuts chains that go over this place */
#else
    p->state = REMOVED;
#endif
    p->key = 0;
    used--;
    return 1;
}

int table_contains(int key) { return find(key) != NULL; }

/* The invariant: every taken place is found, and the count is right. */
int table_ok(void)
{
    int i, count = 0;
    for (i = 0; i < PLACES; i++) {
        if (table[i].state == TAKEN) {
            if (find(table[i].key) != &table[i])
                return 0;
            count++;
        }
    }
    return count == used;
}
