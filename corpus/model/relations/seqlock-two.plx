//~ consistent holds
//@ decided-by: auto
// A sequence lock with any data and two readers: neither matters to the other.
var seq: int = 0, first: int = 0, second: int = 0;

process Writer {
  location idle, half, full;
  begin: idle -> half do seq := seq + 1, first := any;
  write: half -> full do second := first;
  end: full -> idle do seq := seq + 1;
}

process Reader[i in 0..2] {
  var seen: int = 0, a: int = 0, b: int = 0;
  location start, one, two, done;
  look: start -> one when seq % 2 == 0 do seen := seq;
  read: one -> two do a := first;
  more: two -> done do b := second;
  again: done -> start when seq != seen;
  finish: done -> start;
}

invariant consistent:
    forall i in 0..2: Reader[i]@done && seq == Reader[i].seen => Reader[i].a == Reader[i].b;
