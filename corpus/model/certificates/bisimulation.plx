//~ positive holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind
//@ evidence positive ur: bisimulation
// Infinitely many states, finitely many up to the predicates: `ur` ends.
var x: int = 0;

process P {
  location low, high;
  up: low -> high do x := x + 1;
  down: high -> low when x > 0 do x := x + 1;
}

invariant positive: P@high => x > 0;
