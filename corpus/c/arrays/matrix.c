//~ unreach-call holds
//@ decided-by: cells
// Two dimensions, filled row by row.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[100][10];

int main(void) {
  int rows = __VERIFIER_nondet_int();
  if (rows < 0 || rows > 100) return 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 10; j++) a[i][j] = 5;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 10; j++)
      if (a[i][j] != 5) reach_error();
}
