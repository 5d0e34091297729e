//? unreach-call does not repeat
// How much `printf` wrote before an error is not known to the model; a run that needs
// less than all of it is no counterexample.
#include <stdio.h>

extern void reach_error(void);

int main(void)
{
    int count = 7;
    printf("abc%n", &count);
    if (count != 3) reach_error();
    return 0;
}
