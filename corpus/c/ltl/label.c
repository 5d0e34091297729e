//~ltl holds ltl,rank <> x == 1
//~ltl holds ltl x == 0 U (x == 1 && (x == 1 U x == 2))
//~ltl violated ltl !(<> x == 1) || <> x == 5
// A label right behind a write is no reason to skip what the write shows.
int x;
int main(void)
{
    x = 1;
L:
    x = 2;
    if (x == 3) goto L;
    return 0;
}
