//~ unreach-call violated
// The error is behind many rounds.
extern void reach_error(void);

int a[1500];

int main(void) {
  for (int i = 0; i < 1500; i++) a[i] = i % 1499;
  for (int i = 0; i < 1500; i++)
    if (a[i] != i) reach_error();
}
