//~ grades holds
//~ middle holds
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-impact, cegar-invariants, pdr, kind
// `if`, `else if`, `else` inside a block, nested.
var x: int, y: 0..4 = 0;

process P {
  location start, final stop;
  grade: start -> stop do {
    if x < 0 {
      y := 1;
    } else if x == 0 {
      y := 2;
    } else {
      y := 3;
      if x > 100 {
        x := 100;
      }
    }
  }
}

invariant grades: P@stop => (y == 1 <=> x < 0) && (y == 2 <=> x == 0) && x <= 100 && y != 0;
reachable middle: P@stop && y == 3 && x == 50;
