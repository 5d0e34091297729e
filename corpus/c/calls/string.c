// A function that is called with any string: it may be empty.
//~ valid-deref violated
//@ args: --function last
//@ decided-by: bmc, bmc-bv
unsigned long strlen(const char *);
char last(const char *s) { return s[strlen(s) - 1]; }
