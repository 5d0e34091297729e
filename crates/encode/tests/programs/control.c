extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void __VERIFIER_assume(int);

static int calls;
enum color { RED, GREEN = 5, BLUE };

static int classify(unsigned x)
{
    calls++;
    switch (x % 9) {
    case 0:
        return 10;
    case 1 ... 3:
        x += 2;
    case 4:
        x *= 3;
        break;
    default:
        if (x > 100)
            goto out;
        x--;
    case 7:
        x ^= 1;
    }
    return (int)(x & 0xff);
out:
    return -1;
}

static int gcd(int a, int b)
{
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    enum color k = n % 2 ? GREEN : BLUE;
    int total = 0;
    __VERIFIER_assume(n < 1000000);
    for (unsigned i = 0; i < n % 7; i++) {
        int c = classify(n + i * i);
        if (c < 0)
            continue;
        total += c;
        if (total > 300)
            break;
    }
    do {
        total -= k;
    } while (total > 50);
    total += gcd((int)(n % 1000), 36);
    if (calls > 3 && total == 17)
        reach_error();
    if ((total & 7) == 3)
        reach_error();
    return total > 0 ? total : -total;
}
