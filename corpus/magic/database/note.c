#include "actions.h"

void note(void)
{
    say();
}
