//~ bad violated
//@ decided-by: ase, ur, bmc, explicit
// A third is not 0.333: what is left is below one in the end.
const RATE = 0.5;
var level: real = 1;

process Tank {
  location fill, drain, error;
  more: fill -> fill when level < 10 do level := level + RATE;
  full: fill -> drain when level >= 10;
  less: drain -> drain when level > 1 do level := level - 0.333;
  empty: drain -> fill when level == 1;
  under: drain -> error when level < 1;
}

unreachable bad: Tank@error;
