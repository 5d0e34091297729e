//~ positive holds
//@ decided-by: ase, ur
// The number doubles its length in every step: it must not be followed far.
var x: int = 1;

process P {
  grow: do x := x * x + 1;
}

invariant positive: x > 0;
