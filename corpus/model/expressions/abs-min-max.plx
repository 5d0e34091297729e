//~ distance holds
//~ bounds holds
//@ decided-by: ase
// Absolute value, minimum and maximum of unknown integers.
var x, y: int;

process P {
  location l;
}

invariant distance: abs(x - y) == max(x, y) - min(x, y);
invariant bounds: min(x, y) <= x && x <= max(x, y) && abs(x) >= 0;
