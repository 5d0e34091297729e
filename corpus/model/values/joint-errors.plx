//~ values violated
//~ quiet holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// Both partners of a shared action go wrong in the same step: neither may hide the other.
action go;

var d: 0..=1 = 0;

process P {
  var a: int = 0;
  [go] do a := 6 / d;
}

process Q {
  var b: int = 0;
  [go] do b := 6 / d;
}

invariant quiet: P.a == 0 && Q.b == 0;
