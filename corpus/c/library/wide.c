//? unreach-call a function of the library without a model
// What has no model and a result that is known to everybody else is no input.
#include <stdlib.h>
#include <wchar.h>

extern void reach_error(void);

int main(void) {
    if (wcscmp(L"a", L"a") != 0)
        reach_error();
    return 0;
}
