// A level crossing of a road and a railway, with shared actions.
//
// Train, signal box and gate move together on the actions they share: the train may
// enter the crossing only when the signal box lets it, and that is after the gate
// has come down.
//
// Source    a classic exercise
// Status    ours
// Expected  closed holds, deadlock_free holds
model crossing;

action approach, lower, enter, pass, lift;

process Train {
  location away, near, crossing;
  [approach] away -> near;
  [enter] near -> crossing;
  [pass] crossing -> away;
}

process SignalBox {
  location quiet, warned, closed, open, clear;
  [approach] quiet -> warned;
  [lower] warned -> closed;
  [enter] closed -> open;
  [pass] open -> clear;
  [lift] clear -> quiet;
}

process Gate {
  location up, down;
  [lower] up -> down;
  [lift] down -> up;
}

invariant closed: Train@crossing => Gate@down;
deadlock_free;
