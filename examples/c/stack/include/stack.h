#ifndef STACK_H
#define STACK_H

#ifndef STACK_SIZE
#define STACK_SIZE 3
#endif

void push(int value);
int pop(void);
int depth(void);

#endif
