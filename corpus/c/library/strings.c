//~ unreach-call holds
//~ memory-safety holds
//@ decided-by: bmc, bmc-bv
#include <assert.h>
#include <string.h>

int main(void) {
  char text[16] = "model";
  assert(strlen(text) == 5);
  strcat(text, " check");
  assert(strcmp(text, "model check") == 0 && strncmp(text, "modem", 4) == 0);
  assert(strchr(text, 'c') == text + 6);
  char copy[16];
  memset(copy, 'x', sizeof copy);
  memcpy(copy, text, 12);
  assert(copy[11] == 0 && copy[12] == 'x' && memcmp(copy, text, 12) == 0);
  memmove(copy + 1, copy, 5);
  assert(copy[0] == 'm' && copy[1] == 'm' && copy[5] == 'l');
  return 0;
}
