//~ free holds
//~ one holds
//~ outside violated
//@ decided-by: ase, ur
// Without processes the initial states are all there is.
var x: 0..3;

init x != 2;

invariant free: x != 2;
reachable one: x == 1;
reachable outside: x == 2;
