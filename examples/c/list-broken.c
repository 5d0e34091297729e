// The same list, freed before its successor is read.
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
  while (head) {
    free(head);
    head = head->next;
  }
  return 0;
}
