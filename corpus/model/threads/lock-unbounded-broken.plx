// As `lock-unbounded`, but the lock is given back in the middle.
//~ alone violated
//~ kept violated
//@ decided-by: bmc
const N = 2;

var free: bool = true, total: int = 0, sum: int = 0;

process Thread[i in 0..N] {
  var add: int = 0;
  location outside, entered, half;
  choose: outside -> outside do add := any -5..=5;
  enter: outside -> entered when free do free := false;
  first: entered -> half do total := total + add, free := true;
  second: half -> outside do sum := sum + add + (if free then 0 else 1);
}

invariant alone: forall i in 0..N, j in 0..N: i != j => !(Thread[i]@half && Thread[j]@half);
invariant kept: (forall i in 0..N: Thread[i]@outside) => total == sum;
