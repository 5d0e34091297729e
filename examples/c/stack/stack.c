#include "stack.h"

static int cells[STACK_SIZE];
static int top;

void push(int value) { cells[top++] = value; }

int pop(void) { return cells[--top]; }

int depth(void) { return top; }
