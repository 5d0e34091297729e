//~ past_i64 holds
//~ wrapped holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// Nothing happens at the ends of machine words.
var x: int = 9223372036854775806;

process P {
  up: when x < 9223372036854775810 do x := x + 1;
}

reachable past_i64: x == 9223372036854775808;
unreachable wrapped: x < 0;
