//~ unreach-call holds
#include <assert.h>
#include <stdarg.h>

static long sum(int count, ...) {
  va_list list;
  va_start(list, count);
  long total = 0;
  for (int i = 0; i < count; i++)
    total += va_arg(list, int);
  va_end(list);
  return total;
}

int main(void) {
  char c = 3;
  assert(sum(3, 1, 2, c) == 6);
  assert(sum(0) == 0);
  return 0;
}
