// Pointers may be null where that is said.
//~ valid-deref violated
//@ args: --function get --null-arguments
//@ decided-by: bmc, bmc-bv
int get(const int *p) { return *p; }
