//? unreach-call does not repeat
// What was read is at least one character.
#include <stdio.h>

extern void reach_error(void);

int main(void)
{
    int number, count = 1;
    if (scanf("%d%n", &number, &count) == 1 && count == 0) reach_error();
    return 0;
}
