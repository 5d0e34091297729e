//~ far holds
//~ farther violated
//@ decided-by: ase
// The widest range there is.
var x: 0..1000000 = 0;

process P {
  jump: do x := any;
}

reachable far: x == 999999;
reachable farther: x == 1000000;
