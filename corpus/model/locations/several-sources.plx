//~ counted holds
//~ from_c violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-invariants, explicit
// One command for several source locations.
var n: 0..=9 = 0;

process P {
  location a, b, c;
  next: a -> b;
  skip: a, b -> c when n < 9 do n := n + 1;
  back: c -> a;
}

reachable counted: n == 9;
reachable from_c: P@c && n == 0;
