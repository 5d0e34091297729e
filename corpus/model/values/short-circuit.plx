//~ reached holds
//~ first holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// `&&` and `=>` protect what is on their right: no error is possible.
var a: [2] bool = {true, false};
var i: 0..4 = 0;

process P {
  next: when i < 2 && a[i] do i := i + 1;
  leap: when i == 1 do i := 3;
}

reachable reached: i == 3;
invariant first: i < 2 => (a[i] <=> i == 0);
