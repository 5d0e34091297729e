//~ kept holds
//~ deadlock_free violated
//@ decided-by: ase, ur
// A choice among no values cannot be made: the step is not enabled.
var x: 0..4 = 0, n: 0..4 = 2;

process P {
  pick: do x := any 0..n, n := 0;
}

invariant kept: x < 2;
deadlock_free;
