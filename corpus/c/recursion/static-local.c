//~ unreach-call violated
//@ decided-by: ase, ase-bv, bmc, bmc-bv
// A static local variable is one for all calls.
extern void reach_error(void);

int calls(int n) {
    static int count;
    count++;
    if (n > 0)
        calls(n - 1);
    return count;
}

int main(void) {
    if (calls(5) == 6)
        reach_error();
    return 0;
}
