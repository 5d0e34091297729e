//~ or_and holds
//~ implies_right holds
//~ not_first holds
//~ compare_sum holds
//~ minus_left holds
//~ iff_last holds
//~ times_first holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, kind, explicit
// Which operator binds tighter.
process P {
  location l;
}

invariant or_and: true || false && false;
invariant implies_right: false => true => false;
invariant not_first: !false && true;
invariant compare_sum: 1 + 1 < 2 * 2;
invariant minus_left: 10 - 4 - 3 == 3;
invariant iff_last: !(false <=> true => true);
invariant times_first: 2 + 3 * 4 == 14 && 12 / 2 * 3 == 18 && -2 * 3 == -6;
