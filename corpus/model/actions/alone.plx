//~ gone holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// An action that only one process has is an ordinary step.
action go;

process P {
  location one, final two;
  [go] one -> two;
}

reachable gone: P@two;
