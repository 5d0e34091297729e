int real_value = 8;
int value = 1;
int real_get(void) { return 7; }
int get(void) { return 1; }
