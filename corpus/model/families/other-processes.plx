//~ turns holds
//~ overtaken violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// A guard may look at the location and the variables of another process.
process P[i in 0..2] {
  var rounds: 0..3 = 0;
  location rest, work;
  begin: rest -> work when P[1 - i]@rest && rounds <= P[1 - i].rounds;
  finish: work -> rest when rounds < 2 do rounds := rounds + 1;
}

invariant turns: !(P[0]@work && P[1]@work);
reachable overtaken: P[0].rounds >= P[1].rounds + 2;
