//~ sums holds
//~ parts holds
//~ whole violated
//~ listed holds
//~ values holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// Integers count among the reals; the quotient of two integers is one.
const HALF = 1 / 2.0;
const NONE = 1 / 2;
var n: 0..=3 = 3;
var r: real = 0;
var cells: [2] real = {0.25, 1};

process P {
  step: when r == 0 do r := n / 2 + HALF, cells[n - 2] := min(r, -1.5);
}

invariant sums: (sum i in 0..2: cells[i]) <= 1.25;
invariant parts:
    NONE == 0 && HALF + HALF == 1 && abs(-HALF) == 0.5 && (if n > 1 then 0.5 else 1) < 1;
unreachable whole: r == 1.5;
unreachable listed: r > 0 && r < 1.5;
