//~ deadlock_free holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind, explicit
// Freedom from deadlock that rests on data: credits are never all gone.
var a: int = 2, b: int = 0;

process P {
  give: when a > 0 do a := a - 1, b := b + 1;
}

process Q {
  give: when b > 0 do b := b - 1, a := a + 1;
}

deadlock_free;
