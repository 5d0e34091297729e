//~ twins holds
//~ three holds
//~ four violated
//~ values holds
//@ decided-by: ase, ur
// A value chosen in a block may be used later in the same block.
var x, y: 0..8 = 0;

process P {
  pick: do {
    x := any 0..4;
    y := x + x;
    x := y - x;
  }
}

invariant twins: y == 2 * x;
reachable three: x == 3;
reachable four: x == 4;
