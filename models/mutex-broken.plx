// The mutual exclusion of `mutex.plx` with an overlap in the guards.
//
// Process 2 tests `x >= y` where the original has `x > y`: both may enter when the
// inputs are equal.
//
// Source    A. Albarghouthi, 2010, Fig. 1.1
// Status    ours: a defect added to the printed program
// Expected  mutex violated, in four steps
model mutex_broken;

var x, y: int;
var b: int = 0;

process P1 {
  location joining, waiting, critical;
  t1: joining -> waiting do b := b + 1;
  t2: waiting -> critical when x <= y && b == 2;
  t3: critical -> waiting do x := any;
}

process P2 {
  location joining, waiting, critical;
  t4: joining -> waiting do b := b + 1;
  // The defect: `>=` where there should be `>`.
  t5: waiting -> critical when x >= y && b == 2;
  t6: critical -> waiting do y := any;
}

invariant mutex: !(P1@critical && P2@critical);
