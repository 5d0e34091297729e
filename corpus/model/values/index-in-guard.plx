//~ values violated
//~ reached holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// Reading outside the array in a guard is an error too.
var a: [2] bool = {true, false};
var i: 0..4 = 0;

process P {
  location run, final stop;
  next: run -> run when a[i] do i := i + 1;
  jump: run -> run when i == 1 do i := 2;
  halt: run -> stop when i == 2;
}

reachable reached: P@stop;
