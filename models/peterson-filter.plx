// Peterson's mutual exclusion for N processes: the filter.
//
// A process climbs the levels 1 to N - 1. At each it declares itself the last to arrive
// and waits until somebody arrives after it or nobody else is as high. The others
// are looked at one by one.
//
// Source    G. L. Peterson, 1981, in the form of R. Pelanek, BEEM, 2007, peterson
// Status    ours: the figures of A. Albarghouthi, 2010, have two processes only
// Expected  mutex holds, and no value leaves its range
model peterson_filter;

const N = 3;

var level: [N] 0..N = 0; // the level of each process; zero at rest
var last: [N] 0..N = 0; // who came last to each level

process P[i in 0..N] {
  var mine: 1..=N = 1; // the level to climb to
  var other: 0..=N = 0; // the process to look at
  location idle, climbing, arriving, looking, critical;
  begin: idle -> climbing do mine := 1;
  climb: climbing -> arriving when mine < N do level[i] := mine;
  arrive: arriving -> looking when mine < N do last[mine] := i, other := 0;
  skip: looking -> looking
      when other < N && (other == i || level[other] < mine)
      do other := other + 1;
  pass: looking -> climbing when mine < N && (last[mine] != i || other == N) do mine := mine + 1;
  enter: climbing -> critical when mine == N;
  leave: critical -> idle do level[i] := 0;
}

invariant mutex: forall i in 0..N, j in 0..N: i != j => !(P[i]@critical && P[j]@critical);
