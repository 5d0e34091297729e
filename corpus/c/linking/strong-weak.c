__attribute__((weak)) int level = 1;
__attribute__((weak)) int choose(void) { return 1; }
