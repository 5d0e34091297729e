//~ agree holds
//~ differ violated
//@ decided-by: ase, ur
// Truth values can be compared, stored and computed.
var a, b: bool = false;

process P {
  flip: do a := !a, b := (a => b) <=> !a;
}

invariant agree: a == b || a != b;
reachable differ: a && !a;
