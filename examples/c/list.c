// A linked list is built, summed and freed.
#include <assert.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *head = NULL;
  for (int i = 1; i <= 3; i++) {
    struct node *node = malloc(sizeof *node);
    if (!node)
      abort();
    node->value = i;
    node->next = head;
    head = node;
  }
  int sum = 0;
  while (head) {
    struct node *next = head->next;
    sum += head->value;
    free(head);
    head = next;
  }
  assert(sum == 6);
  return 0;
}
