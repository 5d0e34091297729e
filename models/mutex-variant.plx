// The mutual exclusion of `mutex.plx` with a counter in place of an input.
//
// Process 1 adds one to `x` where the original reads it. With the predicates `b == 0`
// and `b == 1` besides those of the guards, the explored states are inductive, yet
// the steps `t3` are not exact: this is the model on which the inductive check succeeds
// and the safe fragment fails. `counted` brings these two predicates in.
//
// Source    A. Albarghouthi, 2010, Fig. 2.2(c) and Theorem 4.2.4
// Status    exact: the change is described in the source
// Expected  mutex holds, counted holds; with `--search plain` only the latter is decided
model mutex_variant;

var x, y: int;
var b: int = 0;

process P1 {
  location joining, waiting, critical;
  t1: joining -> waiting do b := b + 1;
  t2: waiting -> critical when x <= y && b == 2;
  t3: critical -> waiting do x := x + 1;
}

process P2 {
  location joining, waiting, critical;
  t4: joining -> waiting do b := b + 1;
  t5: waiting -> critical when x > y && b == 2;
  t6: critical -> waiting do y := any;
}

invariant mutex: !(P1@critical && P2@critical);
invariant counted: !(P1@critical && P2@critical) && (b == 0 || b == 1 || b == 2);
