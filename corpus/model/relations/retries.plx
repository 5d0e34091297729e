//~ consistent holds
//~ even holds
//@ decided-by: auto
// Two readers that count their retries together; only the property on each of them is asked.
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
  diff: check -> look when seq != s do retries := retries + 1;
  next: use -> look;
}

invariant consistent: forall i in 0..2: Reader[i]@use => Reader[i].l == Reader[i].h;
invariant even: Writer@idle => seq % 2 == 0;
