//~ unreach-call violated
// The error is behind many rounds.
extern void reach_error(void);

int a[8000];

int main(void) {
  for (int i = 0; i < 8000; i++) a[i] = i % 7999;
  for (int i = 0; i < 8000; i++)
    if (a[i] != i) reach_error();
}
