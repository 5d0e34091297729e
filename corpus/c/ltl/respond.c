//~ltl holds rank answered: [] (request == 1 -> <> grant == 1)
//~ltl violated rank <>[] (request == 0)
//~ltl violated rank []<> (grant == 1)
//~ltl holds cegar,bmc [] (grant <= 1)
//~ltl violated bmc [] (grant == 1 -> request == 1)
// Every request is answered, after as much work as there is.
extern int __VERIFIER_nondet_int(void);
int request, grant;

int main(void) {
  while (1) {
    request = __VERIFIER_nondet_int() != 0;
    grant = 0;
    if (request) {
      int work = __VERIFIER_nondet_int();
      while (work > 0)
        work--;
      grant = 1;
    }
  }
}
