// The cache coherence protocol MESI for N caches and one memory line, by counting.
//
// A variable counts the caches in each state of the line: invalid, exclusive (the only
// copy, clean), shared (clean) and modified (the only copy, dirty). Hits that change
// nothing are left out.
//
// Source    A. Albarghouthi, 2010, Fig. 5.1, row mesi, with the rules of G. Delzanno,
//           Automatic Verification of Parameterized Cache Coherence Protocols, 2000
// Status    reconstruction: exact iterations and states with `--search plain`; N is the
//           number of caches that gives the printed figures
// Expected  coherent holds
model mesi;

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

// One writer at most, and no reader besides it.
invariant coherent: !(modified >= 2) && !(shared >= 1 && modified >= 1);
