//~ bad holds
//~ near holds
//@ decided-by: ase, ur, bmc, explicit
// Exact rationals: thirds add up to the last one.
const RATE = 0.5;
var level: real = 1;

process Tank {
  location fill, drain, error;
  more: fill -> fill when level < 10 do level := level + RATE;
  full: fill -> drain when level >= 10;
  less: drain -> drain when level > 1 do level := level - 1 / 3.0;
  empty: drain -> fill when level == 1;
  over: fill -> error when level > 10;
  under: drain -> error when level < 1;
}

unreachable bad: Tank@error;
invariant near: 1 <= level && level <= 10.0;
