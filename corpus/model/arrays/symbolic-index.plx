//~ found holds
//~ missed violated
//~ values holds
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind
// The index is an integer known only by its bounds.
var a: [4] int = {3, 1, 4, 1};
var i: int;

init 0 <= i && i < 4;

process P {
  location look, final found, final not_found;
  hit: look -> found when a[i] == 4;
  miss: look -> not_found when a[i] != 4;
}

invariant found: P@found => i == 2;
invariant missed: P@not_found => i != 3;
