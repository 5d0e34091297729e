//~ agree violated
//@ decided-by: ase
// A sequence lock whose reader takes the number and never looks whether it is even.
var seq: int = 0, d: int = 0, e: int = 0;
process Writer {
  var v: int;
  location idle, w1, w2;
  begin: idle -> w1 do seq := seq + 1, v := any;
  one: w1 -> w2 do d := v;
  two: w2 -> idle do {
    e := v;
    seq := seq + 1;
  }
}
process Reader {
  var s: int = 0, a: int = 0, b: int = 0;
  location l0, l1, l2, l3, ok;
  r0: l0 -> l1 do s := seq;
  r1: l1 -> l2 do a := d;
  r2: l2 -> l3 do b := e;
  chk: l3 -> ok when seq == s;
  no: l3 -> l0 when seq != s;
  again: ok -> l0;
}
invariant agree: Reader@ok => Reader.a == Reader.b;
