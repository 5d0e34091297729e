//~ even holds
//~ four violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, cegar-eager, cegar-impact, cegar-invariants, kind
// A property about remainders of an unbounded counter.
var x: int = 0;

process P {
  up: do x := x + 2;
}

invariant even: x % 2 == 0;
invariant four: x % 4 == 0;
