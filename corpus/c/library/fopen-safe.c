//~ memory-safety holds
//@ decided-by: bmc, bmc-bv
#include <stdio.h>

int main(void) {
  FILE *f = fopen("name", "r");
  FILE *g = tmpfile();
  if (f) {
    int c = fgetc(f);
    if (g && c != EOF)
      fprintf(g, "%c%d", c, c);
    fclose(f);
  }
  if (g)
    fclose(g);
  return 0;
}
