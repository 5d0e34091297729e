// An index leaves a member for the next one: the object goes on.
//~ object-bounds violated
//~ valid-deref holds
//@ decided-by object-bounds: bmc, bmc-bv
int __VERIFIER_nondet_int(void);
struct s { char name[4]; char rest[4]; };
int main(void) {
  struct s s = {"abc", "def"};
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 4)
    return 0;
  return s.name[i];
}
