//~ two holds
//~ three violated
//@ decided-by: ase, ur
// Processes without locations.
var x: 0..3 = 0;

process A {
  when x == 0 do x := 1;
}

process B {
  when x == 1 do x := 2;
}

reachable two: x == 2;
reachable three: x == 2 && x == 1;
