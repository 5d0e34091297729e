//~ safe holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind, explicit
// The worked example of Pasareanu et al.: the step `x := x - 1` under `x > 0` asks for the
// predicate `x - 1 > 0`.
var x: int = 2;

process P {
  location run, stop, final end;
  step: run -> run when x > 0 do x := x - 1;
  finish: run -> stop when !(x > 0);
  check: stop -> end when x == 0;
}

invariant safe: P@stop => x == 0;
