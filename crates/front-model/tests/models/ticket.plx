model ticket;

const N = 2;
var t: int = 0, s: int = 0;

process P[i in 0..N] {
  var mine: int = 0;
  location idle, waiting, critical;
  take: idle -> waiting do mine := t, t := t + 1;
  enter: waiting -> critical when mine <= s;
  leave: critical -> idle do s := s + 1;
}

invariant mutex: forall i in 0..N, j in 0..N: i != j => !(P[i]@critical && P[j]@critical);
deadlock_free;
