#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

struct item {
    int key;
    short weight[3];
    struct item *next;
};

int main(void)
{
    struct item *one = calloc(1, sizeof(struct item));
    struct item *row = calloc(3, sizeof *row);
    struct item copy, other;
    int total = 0;
    unsigned at = __VERIFIER_nondet_uint() % 3;
    one->key = __VERIFIER_nondet_int() % 100;
    one->weight[at] = (short)one->key;
    row[at].key = 7;
    row[(at + 1) % 3].next = one;
    memset(&copy, 0, sizeof copy);
    memcpy(&other, one, sizeof other);
    copy = other;
    copy.weight[2]++;
    for (int i = 0; i < 3; i++) {
        total += row[i].key + copy.weight[i];
        if (row[i].next)
            total += row[i].next->key;
    }
    if (total % 4 == 2)
        reach_error();
    if (other.next || row[at].next != 0)
        reach_error();
    free(one);
    free(row);
    return 0;
}
