// The filter of `peterson-filter.plx` with a test that is off by one.
//
// A process skips the others on its own level too, so nobody holds anybody back.
//
// Source    as `peterson-filter.plx`
// Status    ours: a defect added
// Expected  mutex violated
model peterson_filter_broken;

const N = 3;

var level: [N] 0..N = 0;
var last: [N] 0..N = 0;

process P[i in 0..N] {
  var mine: 1..=N = 1;
  var other: 0..=N = 0;
  location idle, climbing, arriving, looking, critical;
  begin: idle -> climbing do mine := 1;
  climb: climbing -> arriving when mine < N do level[i] := mine;
  arrive: arriving -> looking when mine < N do last[mine] := i, other := 0;
  // The defect: `<=` where there should be `<`.
  skip: looking -> looking
      when other < N && (other == i || level[other] <= mine)
      do other := other + 1;
  pass: looking -> climbing when mine < N && (last[mine] != i || other == N) do mine := mine + 1;
  enter: climbing -> critical when mine == N;
  leave: critical -> idle do level[i] := 0;
}

invariant mutex: forall i in 0..N, j in 0..N: i != j => !(P[i]@critical && P[j]@critical);
