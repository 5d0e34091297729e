// Does a Collatz walk ever come back to where it started?
//
// Halve an even number, send an odd one n to 3 n + 1, and go on. From 1 the walk returns
// to 1 by way of 4 and 2. Whether any walk from a greater number returns is an open
// question of mathematics: no proof is known, and no such walk has been found.
// An honest answer is `unknown`.
//
// Source    L. Collatz, 1937
// Status    ours
// Expected  no_cycle unknown, whatever the limits; run it with `--time 3s`
model demo_unknown;

var start, n: int;

init start > 4 && n == start;

process Walk {
  location begin, going;
  half: begin, going -> going when n % 2 == 0 do n := n / 2;
  triple: begin, going -> going when n % 2 == 1 do n := 3 * n + 1;
}

unreachable no_cycle: Walk@going && n == start;
