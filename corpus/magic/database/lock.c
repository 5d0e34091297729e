#include "actions.h"

void enter(int n)
{
    take();
    if (n > LIMIT)
        note();
    give();
}
