//~ unreach-call violated
// The error is behind a hundred thousand rounds.
extern void reach_error(void);

int a[100000];

int main(void) {
  for (int i = 0; i < 100000; i++) a[i] = i % 99999;
  for (int i = 0; i < 100000; i++)
    if (a[i] != i) reach_error();
}
