// A lock around numbers without bounds: whoever is inside is alone. No process needs to
// know more of the others than that they are not inside.
//~ alone holds
//~ kept holds
//@ decided-by: modular
const N = 3;

var free: bool = true, total: int = 0, sum: int = 0;

process Thread[i in 0..N] {
  var add: int = 0;
  location outside, entered, half;
  choose: outside -> outside do add := any -5..=5;
  enter: outside -> entered when free do free := false;
  first: entered -> half do total := total + add;
  second: half -> outside do sum := sum + add, free := true;
}

invariant alone: forall i in 0..N, j in 0..N: i != j => !(Thread[i]@half && Thread[j]@half);
invariant kept: (forall i in 0..N: Thread[i]@outside) => total == sum;
