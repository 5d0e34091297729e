//~ distance holds
//~ bounds holds
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind
// Absolute value, minimum and maximum of unknown integers.
var x, y: int;

process P {
  location l;
}

invariant distance: abs(x - y) == max(x, y) - min(x, y);
invariant bounds: min(x, y) <= x && x <= max(x, y) && abs(x) >= 0;
