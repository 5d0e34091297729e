//~ unreach-call holds
// A function that nobody defines was given a pointer; another one is called inside
// the recursion. It is assumed, and said, that each of them writes only through
// pointers that it was given itself.
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
