//~ anywhere holds
//~ together holds
//@ decided-by: ase, ur
// Steps without guard and update interleave freely.
process P[i in 0..3] {
  location a, b, c;
  a -> b;
  b -> c;
  c -> a;
}

reachable anywhere: P[0]@a && P[1]@b && P[2]@c;
reachable together: forall i in 0..3: P[i]@c;
