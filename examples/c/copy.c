// Copies a string; the loop goes one too far when the buffer is full.
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char text[8], copy[4];
  for (int i = 0; i < 7; i++)
    text[i] = __VERIFIER_nondet_char();
  text[7] = 0;
  int i = 0;
  while (text[i] != 0 && i <= 4) {
    copy[i] = text[i];
    i++;
  }
  return i;
}
