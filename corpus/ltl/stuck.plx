// Two ways into states without a step.
var x: 0..4 = 0;

process P {
  odd: when x == 0 do x := 1;
  even: when x == 0 do x := 2;
}
