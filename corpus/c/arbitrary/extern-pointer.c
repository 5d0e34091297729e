//~ unreach-call violated
// A pointer that is defined elsewhere may point to a variable that is defined
// elsewhere, though the program takes no address.
extern void reach_error(void);
extern int level;
extern int *cell;

int main(void) {
  level = 0;
  *cell = 1;
  if (level)
    reach_error();
  return 0;
}
