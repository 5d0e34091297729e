//~ unreach-call violated
// A function that nobody defines was given a pointer; another one, called inside
// the recursion, may write there.
extern void reach_error(void);
extern void keep(int *cell);
extern void touch(void);

int cell;

int walk(unsigned int n) {
    if (n == 0)
        return 0;
    touch();
    return walk(n - 1);
}

int main(void) {
    keep(&cell);
    cell = 0;
    walk(3);
    if (cell != 0)
        reach_error();
    return 0;
}
