extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern short __VERIFIER_nondet_short(void);
extern void reach_error(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    unsigned long d = __VERIFIER_nondet_ulong();
    short e = __VERIFIER_nondet_short();
    long sum = 0;
    sum += a + b;
    sum += a - b;
    sum += a * b;
    if (b != 0 && !(a == -2147483647 - 1 && b == -1)) {
        sum += a / b;
        sum += a % b;
    }
    sum ^= a & b;
    sum ^= a | c;
    sum ^= ~e;
    sum += (a >> (c & 31)) + ((unsigned)a << (c & 31));
    sum += d >> (c & 63);
    sum += (long)(d * 0x9e3779b97f4a7c15UL);
    c += 200;
    e -= c;
    sum += c > e ? c : e;
    sum += (signed char)a + (unsigned short)b + (_Bool)d;
    sum -= -a;
    if (sum % 3 == 0)
        reach_error();
    if ((sum & 15) == 5 && (a < b || d > 77UL))
        reach_error();
    return 0;
}
