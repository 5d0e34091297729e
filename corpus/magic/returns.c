void a(void);

int wrong(void) { return 1; }

int either(int n) {
  if (n > 5)
    return 0;
  a();
  return 2;
}

int far(int n) {
  int i;
  for (i = 0; i < 3; i++)
    a();
  return i == 3 ? -1 : 0;
}
