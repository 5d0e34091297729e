//~ bad holds
//~ ordered holds
//~ floor holds
//~ never violated
//@ decided-by: ase, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants
//
// No state is a target, whatever is reached. There are 2^30 combinations of
// locations, over integers without bounds.
model no_state_at_all;

var x: [30] int, y: int, lift: 0..6 = 0;

process P[i in 0..30] {
  location a, b;
  f: a -> b do {
    x[i] := any;
    y := y + x[i];
  }
  g: b -> a when lift + 1 < 6 do lift := lift + 1;
}

unreachable bad: false;
unreachable ordered: x[0] < y && y < x[0] + 1;
invariant floor: 0 <= lift && lift < 6;
reachable never: y % 2 == 0 && y % 4 == 3;
