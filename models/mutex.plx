// Two processes that exclude each other by comparing two inputs.
//
// Each process joins by counting itself in `b`, and enters only when both have
// joined and the comparison of `x` and `y` is in its favor. On the way out it reads a
// new value, so the comparison may or may not turn in favor of the other.
//
// Source    A. Albarghouthi, Abstract Analysis via Symbolic Executions, 2010, Fig. 1.1
// Status    exact: the program is printed in the source
// Expected  mutex holds; with `--search plain` it takes one iteration and the safe fragment,
//           as in the source
model mutex;

var x, y: int; // the inputs; nothing is known about their first values
var b: int = 0; // how many processes have joined

process P1 {
  location joining, waiting, critical;
  t1: joining -> waiting do b := b + 1;
  t2: waiting -> critical when x <= y && b == 2;
  t3: critical -> waiting do x := any;
}

process P2 {
  location joining, waiting, critical;
  t4: joining -> waiting do b := b + 1;
  t5: waiting -> critical when x > y && b == 2;
  t6: critical -> waiting do y := any;
}

invariant mutex: !(P1@critical && P2@critical);
