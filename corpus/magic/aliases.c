void a(void);
void b(void);
void get(int *p);
void peek(const int *p);
void keep(int *p);

/* Both may lead to one object. */
void two(int *p, int *q) {
  *p = 0;
  *q = 1;
  if (*p)
    a();
  else
    b();
}

/* They are said not to. */
void sole(int *restrict p, int *restrict q) {
  *p = 0;
  *q = 1;
  if (*p)
    a();
  else
    b();
}

void given(void) {
  int v = 0;
  get(&v);
  if (v)
    a();
  else
    b();
}

void looked(void) {
  int v = 0;
  peek(&v);
  if (v)
    a();
  else
    b();
}

void kept(void) {
  int v = 0;
  keep(&v);
  if (v)
    a();
  else
    b();
}
