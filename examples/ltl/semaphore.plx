// Mutual exclusion by a semaphore: safe, but a process can starve.
//
// The semaphore does not remember who came first. As no fairness is assumed, one process
// may get in again and again while the other one waits.
//
// Expected  [] !(P[0]@critical && P[1]@critical) holds
//           [] (P[0]@critical -> <> free) holds
//           [] (P[0]@waiting -> <> P[0]@critical) is violated
model semaphore;

var free: bool = true;

process P[i in 0..2] {
  location idle, waiting, critical;
  try: idle -> waiting;
  enter: waiting -> critical when free do free := false;
  leave: critical -> idle do free := true;
}

invariant mutex: !(P[0]@critical && P[1]@critical);
