//~ agree holds
// A sequence lock with two readers and three words, each more by one than the last.
var seq: int = 0, d: [3] int = {0, 1, 2};
process Writer {
  var v: int;
  location idle, w0, w1, w2, w3;
  begin: idle -> w0 do seq := seq + 1;
  p: w0 -> w1 do v := any, d[0] := any;
  q: w1 -> w2 do d[1] := d[0] + 1;
  r: w2 -> w3 do d[2] := d[1] + 1;
  s: w3 -> idle do seq := seq + 1;
}
process Reader[i in 0..2] {
  var s: int = 0, a: int = 0, b: int = 1, c: int = 2;
  location l0, l1, l2, l3, l4, ok;
  r0: l0 -> l1 when seq % 2 == 0 do s := seq;
  r1: l1 -> l2 do a := d[0];
  r2: l2 -> l3 do b := d[1];
  r3: l3 -> l4 do c := d[2];
  chk: l4 -> ok when seq == s;
  no: l4 -> l0 when seq != s;
  again: ok -> l0;
}
invariant agree:
    forall i in 0..2:
        Reader[i]@ok => Reader[i].b == Reader[i].a + 1 && Reader[i].c == Reader[i].a + 2;
