//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// These are not the library's: the types differ.
extern void reach_error(void);
struct file { int open; };
extern void log(int *counter);
extern void close(struct file *);

int main(void) {
  int count = 0;
  struct file file = {1};
  log(&count);
  close(&file);
  if (count == 1 && file.open == 0)
    reach_error();
  return 0;
}
