// The cache coherence protocol MESI of `mesi.plx` for any number of caches.
//
// Source    A. Albarghouthi, 2010, Fig. 5.2, row mesi, after G. Delzanno, 2000
// Status    reconstruction: the printed number of iterations; fewer predicates and states
// Expected  coherent holds
model mesi_any;

var invalid: int;
var exclusive, shared, modified: int = 0;

init invalid >= 1;

process Bus {
  read_miss:
      when invalid >= 1
      do invalid := invalid - 1,
          shared := shared + exclusive + modified + 1,
          exclusive := 0,
          modified := 0;
  write_exclusive: when exclusive >= 1 do exclusive := exclusive - 1, modified := modified + 1;
  write_shared:
      when shared >= 1
      do invalid := invalid + exclusive + shared + modified - 1,
          exclusive := 1,
          shared := 0,
          modified := 0;
  write_miss:
      when invalid >= 1
      do invalid := invalid + exclusive + shared + modified - 1,
          exclusive := 1,
          shared := 0,
          modified := 0;
}

invariant coherent: !(modified >= 2) && !(shared >= 1 && modified >= 1);
