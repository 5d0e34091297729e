//~ positive holds
//~ negative_left holds
//~ negative_right holds
//~ both holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind, explicit
// The remainder is never negative, as in SMT-LIB.
process P {
  location l;
}

invariant positive: 7 / 2 == 3 && 7 % 2 == 1;
invariant negative_left: -7 / 2 == -4 && -7 % 2 == 1;
invariant negative_right: 7 / -2 == -3 && 7 % -2 == 1;
invariant both: -7 / -2 == 4 && -7 % -2 == 1;
