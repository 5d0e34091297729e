//~ memory-safety holds
//@ decided-by: bmc, bmc-bv
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  char text[2] = {'a', 'b'};
  char *p = malloc(2);
  if (!p)
    return 0;
  p[0] = 'a';
  p[1] = 0;
  printf("%5d %-3s|%.2s %c %lu%%\n", 1, p, text, 'x', 7UL);
  fprintf(stderr, "%s: %s\n", "name", p);
  puts(p);
  fputs(p, stdout);
  fwrite(text, 1, sizeof text, stdout);
  write(1, text, 2);
  fflush(0);
  perror(0);
  free(p);
  return 0;
}
