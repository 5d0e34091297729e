//~ apart holds
//~ met violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-invariants, pdr, kind, explicit
// A name for a type, used for variables, arrays and indices.
const N = 3;

type Place = 0..N;

var where: [2] Place = {0, 2};

process P {
  go[k in 0..2, to in Place]: when where[1 - k] != to do where[k] := to;
}

invariant apart: where[0] != where[1];
reachable met: where[0] == where[1];
