// The level crossing of `crossing.plx` with a train that does not wait.
//
// Entering is not shared with the signal box.
//
// Source    as `crossing.plx`
// Status    ours: a defect added
// Expected  closed violated, deadlock_free holds
model crossing_broken;

action approach, lower, pass, lift;

process Train {
  location away, near, crossing;
  [approach] away -> near;
  // The defect: this is no shared action.
  enter: near -> crossing;
  [pass] crossing -> away;
}

process SignalBox {
  location quiet, warned, closed, clear;
  [approach] quiet -> warned;
  [lower] warned -> closed;
  [pass] closed -> clear;
  [lift] clear -> quiet;
}

process Gate {
  location up, down;
  [lower] up -> down;
  [lift] down -> up;
}

invariant closed: Train@crossing => Gate@down;
deadlock_free;
