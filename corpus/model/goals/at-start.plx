//~ here holds
//@ decided-by: ase, ur
// The initial state is reachable.
process P {
  location a, b;
  go: a -> b;
}

reachable here: P@a;
