//~ far holds
//~ farther violated
//@ decided-by: ase, ase-plain, ase-per-path, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind
// The widest range there is.
var x: 0..1000000 = 0;

process P {
  jump: do x := any;
}

reachable far: x == 999999;
reachable farther: x == 1000000;
