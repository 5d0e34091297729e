//~ bad violated
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar-impact, kind
// The witness against Theorem 4.2.2(i) of A. Albarghouthi, 2010. A shift register
// keeps `w` ahead of `z` for six steps; then they meet, and a choice of `y` between
// them leads to the error.
var y: int = 0, z: int = 0, w: int = 1;
var d: [7] int = {1, 1, 1, 1, 1, 1, 0};

process P {
  location choose, test, error;
  step: choose -> test
      do y := any,
          z := z + 1,
          w := w + d[0],
          d[0] := d[1],
          d[1] := d[2],
          d[2] := d[3],
          d[3] := d[4],
          d[4] := d[5],
          d[5] := d[6];
  wrong: test -> error when y <= z && w <= y;
  again: test -> choose when !(y <= z && w <= y);
}

unreachable bad: P@error;
