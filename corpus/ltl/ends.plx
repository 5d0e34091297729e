// A process that ends, sometimes sooner; its last state stays for ever.
var x: 0..4 = 0;

process P {
  location work, done;
  up: work -> work when x < 3 do x := x + 1;
  stop: work -> done when x > 1;
}
