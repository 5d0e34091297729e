int level = 2;
int choose(void) { return 2; }
