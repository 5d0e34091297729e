//~ termination violated
// An unsigned number is never below zero. The run comes back to a state only
// after all of its values.
int main(void) {
  unsigned char i = 10;
  while (i >= 0)
    i--;
  return i;
}
