//~ safe holds
//@ decided-by: ase, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba
// Two counters up, then down: nothing is safe without x == y, which no guard says.
var x, y: int;

process P {
  location l0, l1, l2, error;
  rho1: l0 -> l1 do x := 0, y := 0;
  rho2: l1 -> l1 do x := x + 1, y := y + 1;
  rho3: l1 -> l2;
  rho4: l2 -> l2 do x := x - 1, y := y - 1;
  rho5: l2 -> error when x < 0 && y > 0;
}

unreachable safe: P@error;
