//~ small violated
//@ decided-by: ase
// The first state can be the bad one, and only one of many.
var x: int;

process P {
  step: when x < 0 do x := 0;
}

invariant small: x != 123456789;
