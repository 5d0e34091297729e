// N philosophers around a table, who all take the left fork first.
//
// When every one holds a left fork, nobody gets a right one.
//
// Source    as `philosophers.plx`
// Status    ours: a defect added
// Expected  neighbors holds, deadlock_free violated
model philosophers_broken;

const N = 5;

var taken: [N] bool = false;

process Philosopher[i in 0..N] {
  location thinking, hungry, eating;
  take_left: thinking -> hungry when !taken[i] do taken[i] := true;
  take_right: hungry -> eating when !taken[(i + 1) % N] do taken[(i + 1) % N] := true;
  put_down: eating -> thinking do taken[i] := false, taken[(i + 1) % N] := false;
}

invariant neighbors: forall i in 0..N: !(Philosopher[i]@eating && Philosopher[(i + 1) % N]@eating);
deadlock_free;
