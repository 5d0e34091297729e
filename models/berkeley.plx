// The cache coherence protocol of the Berkeley RISC machine for N caches, by counting.
//
// A line is invalid, unowned (a clean copy), owned non-exclusively (responsible for the
// data, others may have copies) or owned exclusively (the only copy).
//
// Source    A. Albarghouthi, 2010, Fig. 5.1, row berkley, with the rules of G. Delzanno,
//           Automatic Verification of Parameterized Cache Coherence Protocols, 2000
// Status    reconstruction: exact iterations and states with `--search plain`; N is the
//           number of caches that gives the printed figures
// Expected  coherent holds
model berkeley;

const N = 10;

var invalid: int = N;
var nonexclusive, unowned, exclusive: int = 0;

process Bus {
  read_miss:
      when invalid >= 1
      do invalid := invalid - 1,
          nonexclusive := nonexclusive + exclusive,
          unowned := unowned + 1,
          exclusive := 0;
  write_miss:
      when invalid >= 1
      do invalid := invalid + nonexclusive + unowned + exclusive - 1,
          nonexclusive := 0,
          unowned := 0,
          exclusive := 1;
  write_hit:
      when nonexclusive + unowned >= 1
      do invalid := invalid + nonexclusive + unowned - 1,
          nonexclusive := 0,
          unowned := 0,
          exclusive := exclusive + 1;
}

// An exclusive owner is alone.
invariant coherent: !(exclusive >= 1 && unowned + nonexclusive >= 1) && !(exclusive >= 2);
