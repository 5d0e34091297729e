// N philosophers around a table, who take the lower fork first.
//
// Between two neighbors lies one fork; a philosopher needs both to eat. Taking forks in
// the order of their numbers excludes that each holds one and waits for the next.
//
// Source    E. W. Dijkstra, Hierarchical Ordering of Sequential Processes, 1971
// Status    ours
// Expected  neighbors holds, deadlock_free holds
model philosophers;

const N = 5;

var taken: [N] bool = false;

process Philosopher[i in 0..N] {
  location thinking, hungry, eating;
  take_first: thinking -> hungry
      when !taken[min(i, (i + 1) % N)]
      do taken[min(i, (i + 1) % N)] := true;
  take_second: hungry -> eating
      when !taken[max(i, (i + 1) % N)]
      do taken[max(i, (i + 1) % N)] := true;
  put_down: eating -> thinking do taken[i] := false, taken[(i + 1) % N] := false;
}

invariant neighbors: forall i in 0..N: !(Philosopher[i]@eating && Philosopher[(i + 1) % N]@eating);
deadlock_free;
