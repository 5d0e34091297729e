void pass0(void);
void pass1(void);
void pass2(void);
void work0(void);
void work1(void);
void work2(void);

void node0(void)
{
    int k, phase = 0;
    for (;;) {
        if (phase == 2) {
            pass2();
            phase = 0;
        }
        for (k = 0; k < 5;)
            if (k % 2) k += 1; else k += 3;
        if (k >= 5 && phase == 0) {
            work0();
            phase = 1;
        }
        if (phase == 1) {
            pass0();
            phase = 2;
        }
    }
}

void node1(void)
{
    int turn = 0, done = 0;
    for (;;) {
        if (turn == 0) { pass0(); turn = 1; }
        if (turn == 1 && !done) { work1(); done = 1; }
        if (done) { pass1(); turn = 0; done = 0; }
    }
}

void node2(void)
{
    int turn = 0, done = 0;
    for (;;) {
        if (turn == 0) { pass1(); turn = 1; }
        if (turn == 1 && !done) { work2(); done = 1; }
        if (done) { pass2(); turn = 0; done = 0; }
    }
}

// Does not wait for its turn the second time.
void hasty(void)
{
    int turn = 0, done = 0;
    for (;;) {
        if (turn == 0) { pass1(); turn = 1; }
        if (turn >= 1 && !done) { work2(); done = 1; turn++; }
        if (done && turn == 2) { pass2(); done = 0; }
        if (turn > 2) turn = 0;
    }
}
