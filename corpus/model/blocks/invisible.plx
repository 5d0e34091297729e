//~ even holds
//~ odd violated
//@ decided-by: ase, ur
// The states inside a block are not seen.
var x: int = 0;

process P {
  twice: when x < 6 do {
    x := x + 1;
    x := x + 1;
  }
}

invariant even: x % 2 == 0;
reachable odd: x == 3;
