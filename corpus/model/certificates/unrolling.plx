//~ sorted holds
//~ both violated
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar-impact, pdr, kind
//@ evidence sorted bmc: unrolling
// Every run ends after three exchanges at most, whatever the three values are.
var a, b, c: int;
var swaps: int = 0;

process Sort {
  location first, second, third, done;
  first -> second when a <= b;
  exchange_1: first -> second when a > b do a := b, b := a, swaps := swaps + 1;
  second -> third when b <= c;
  exchange_2: second -> third when b > c do b := c, c := b, swaps := swaps + 1;
  third -> done when a <= b;
  exchange_3: third -> done when a > b do a := b, b := a, swaps := swaps + 1;
}

invariant sorted: Sort@done => a <= b && b <= c;
reachable both: swaps == 3 && a == c;
