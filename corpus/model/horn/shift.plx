//~ never holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind, explicit
// Inductive over three steps and not over two.
var a: int = 0;
var b: int = 0;
var c: int = 0;

process P {
  step: do a := b, b := c, c := if c == 0 then 10 else 0;
}

invariant never: a != 7;
