//~ bool_true holds
//~ range_top holds
//~ range_over holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// `any` alone means any value of the variable's type.
var b: bool = false, r: 1..4 = 1;

process P {
  pick: do b := any, r := any;
}

reachable bool_true: b && r == 1;
reachable range_top: !b && r == 3;
unreachable range_over: r == 4 || r == 0;
