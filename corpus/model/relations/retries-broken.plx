//~ consistent violated
//~ even holds
//@ decided-by: auto
// The same, with a reader that does not try again if the number went on by one round.
var seq: int = 0, lo: int = 5, hi: int = 5, retries: int = 0;

process Writer {
  var next: int;
  location idle, odd, half, ready;
  start: idle -> odd do seq := seq + 1, next := any;
  low: odd -> half do lo := next;
  high: half -> ready do hi := next;
  stop: ready -> idle do seq := seq + 1;
}

process Reader[i in 0..2] {
  var s: int = 0, l: int = 0, h: int = 0;
  location look, low, high, check, use;
  wait: look -> low when seq % 2 == 0 do s := seq;
  lo: low -> high do l := lo;
  hi: high -> check do h := hi;
  same: check -> use when seq == s;
  diff: check -> look when seq != s && seq != s + 2 do retries := retries + 1;
  late: check -> use when seq == s + 2;
  next: use -> look;
}

invariant consistent: forall i in 0..2: Reader[i]@use => Reader[i].l == Reader[i].h;
invariant even: Writer@idle => seq % 2 == 0;
