// The cache coherence protocol of `berkeley.plx` for any number of caches.
//
// Source    G. Delzanno, 2000; the figures of A. Albarghouthi, 2010, have no such row
// Status    ours
// Expected  coherent holds
model berkeley_any;

var invalid: int;
var nonexclusive, unowned, exclusive: int = 0;

init invalid >= 1;

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

invariant coherent: !(exclusive >= 1 && unowned + nonexclusive >= 1) && !(exclusive >= 2);
