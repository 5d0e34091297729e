// The cache coherence protocol MESI of `mesi.plx` with a silent write.
//
// A cache that writes to a shared line does not tell the others.
//
// Source    as `mesi.plx`
// Status    ours: a defect added
// Expected  coherent violated for two caches and more
model mesi_broken;

const N = 15;

var invalid: int = N;
var exclusive, shared, modified: int = 0;

process Bus {
  read_miss:
      when invalid >= 1
      do invalid := invalid - 1,
          shared := shared + exclusive + modified + 1,
          exclusive := 0,
          modified := 0;
  write_exclusive: when exclusive >= 1 do exclusive := exclusive - 1, modified := modified + 1;
  // The defect: the other copies stay shared.
  write_shared: when shared >= 1 do shared := shared - 1, modified := modified + 1;
  write_miss:
      when invalid >= 1
      do invalid := invalid + exclusive + shared + modified - 1,
          exclusive := 1,
          shared := 0,
          modified := 0;
}

invariant coherent: !(modified >= 2) && !(shared >= 1 && modified >= 1);
