//~ unreach-call holds
//@ decided-by: ase, bmc, ase-bv, bmc-bv
// They change only while unknown code runs.
extern void reach_error(void);
extern int level;
extern void later(void);

int main(void) {
  later();
  int before = level;
  if (before != level)
    reach_error();
  level = 3;
  if (level != 3)
    reach_error();
  return 0;
}
