// The average of a list that may be empty.
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned count = __VERIFIER_nondet_uchar() % 4;
  unsigned sum = 0;
  for (unsigned i = 0; i < count; i++)
    sum += __VERIFIER_nondet_uchar();
  return sum / count;
}
