//~ mutex holds
//@ decided-by: ase, ase-plain, ase-per-path, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, pdr, kind
//@ evidence mutex ase-plain: safe-fragment
// Proved by a prefix that runs into a closed fragment: the abstract states explored are
// not inductive, because nothing relates `b` to the locations before both have joined.
var x, y: int, b: int = 0;

process P1 {
  location joining, waiting, critical;
  join: joining -> waiting do b := b + 1;
  enter: waiting -> critical when x <= y && b == 2;
  leave: critical -> waiting do x := any;
}

process P2 {
  location joining, waiting, critical;
  join: joining -> waiting do b := b + 1;
  enter: waiting -> critical when x > y && b == 2;
  leave: critical -> waiting do y := any;
}

invariant mutex: !(P1@critical && P2@critical);
