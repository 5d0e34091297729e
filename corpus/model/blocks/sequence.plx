//~ result holds
//~ swapped violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind, explicit
// A semicolon is sequence, a comma is at once.
var x: int = 1, y: int = 2;

process P {
  location one, two, final three;
  at_once: one -> two do x := y, y := x;
  in_turn: two -> three do {
    x := y;
    y := x;
  }
}

invariant result: P@three => x == 1 && y == 1;
reachable swapped: P@three && x != y;
