void a(void);
void b(void);
void c(void);
int ask(void);

/* What follows `a` is decided before it. */
void early(int n) {
  a();
  if (n > 5)
    b();
  else
    c();
}

/* What follows `ask` is decided by its result. */
void late(void) {
  int r = ask();
  if (r > 0)
    b();
  else
    c();
}

/* Three ways, decided one after the other. */
void three(int n, int m) {
  a();
  if (n == m) {
    b();
    return;
  }
  a();
  if (n < m)
    b();
  else
    c();
}

/* The choice is made, and then made again. */
void twice(int n) {
  a();
  if (n > 0)
    b();
  n = ask();
  if (n > 0)
    b();
  else
    c();
}
