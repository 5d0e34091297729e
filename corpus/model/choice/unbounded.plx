//~ secret violated
//~ negative holds
//@ decided-by: ase
// An integer input may be any integer, however large.
var x: int = 0;

process P {
  read: do x := any;
}

unreachable secret: x == 123456789012345678901234567890;
reachable negative: x == -5;
