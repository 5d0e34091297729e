// A server: every request is answered, after as much work as there is.
extern int __VERIFIER_nondet_int(void);
int request, answer;

int main(void) {
  while (1) {
    request = __VERIFIER_nondet_int() != 0;
    answer = 0;
    if (request) {
      int work = __VERIFIER_nondet_int();
      while (work > 0)
        work--;
      answer = 1;
    }
  }
}
