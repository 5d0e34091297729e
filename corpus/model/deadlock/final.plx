//~ deadlock_free holds
//@ decided-by: ase, ur
// All processes at final locations: a proper end.
process P[i in 0..2] {
  location start, final done;
  finish: start -> done;
}

deadlock_free;
