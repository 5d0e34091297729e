//~ unreach-call holds
//? unreach-call rounding mode
// The way numbers are rounded is a state of the thread that `fesetround` changes:
// as long as that is not modelled, nothing is known behind it.
extern void reach_error(void);
extern int fesetround(int);
extern double rint(double);

int main(void) {
    fesetround(0x400);
    if (rint(3.5) != 3.0)
        reach_error();
    return 0;
}
