//~ same holds
//~ last holds
//@ decided-by: ase, ur
// One initial value fills all cells.
const N = 4;

var a: [N] int = 7;

process P {
  next[k in 0..N - 1]: when a[k + 1] == a[k] do a[k + 1] := a[k] - 1;
}

invariant same: a[0] == 7;
reachable last: a[N - 1] == 6;
