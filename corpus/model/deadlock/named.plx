//~ no_stop holds
//@ decided-by: ase, ur
// The property may have a name.
process P {
  location a, b;
  there: a -> b;
  back: b -> a;
}

deadlock_free no_stop;
