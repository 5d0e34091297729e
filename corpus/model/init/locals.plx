//~ distinct holds
//~ large holds
//@ decided-by: cegar-impact, cegar-invariants
//@ decided-by large: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind
// An initial predicate may speak of the variables of processes.
process P[i in 0..2] {
  var id: int;
  step: do id := id + 2;
}

process Both {
  location l;
}

init P[0].id % 2 == 0 && P[1].id % 2 == 1;

invariant distinct: P[0].id != P[1].id;
reachable large: P[0].id == 100;
