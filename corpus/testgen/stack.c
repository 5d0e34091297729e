//~ 4 holds
/* A stack of nodes; all of them are freed. */
/*@ testgen
[container]
new = "stack_init"
delete = "stack_clear"

[[operation]]
call = "stack_push"

[[operation]]
call = "stack_pop"
*/
#include <stdlib.h>

struct node {
    struct node *below;
    int value;
};

struct stack {
    struct node *top;
};

void stack_init(struct stack *s)
{
    s->top = NULL;
}

void stack_push(struct stack *s, int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->value = value;
    n->below = s->top;
    s->top = n;
}

int stack_pop(struct stack *s)
{
    if (!s->top)
        return -1;
    struct node *n = s->top;
    int value = n->value;
    s->top = n->below;
    free(n);
    return value;
}

void stack_clear(struct stack *s)
{
    while (s->top)
        stack_pop(s);
}
