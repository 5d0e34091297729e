//~ valid-deref violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ native valid-deref: no
//? unreach-call does not repeat
// A handler takes a number and knows it to be a pointer, as timers of kernels do.
// The call does what it does on machines, but the standard leaves it undefined, and
// the interpreter does not go on behind it.
extern void reach_error(void);

struct timer {
    void (*function)(unsigned long);
    unsigned long data;
};

struct device {
    int state;
};

static struct device device;

static void expired(struct device *of) {
    if (of->state == 3)
        reach_error();
}

int main(void) {
    struct timer timer;
    timer.function = (void (*)(unsigned long))expired;
    timer.data = (unsigned long)&device;
    device.state = 3;
    timer.function(timer.data);
    return 0;
}
