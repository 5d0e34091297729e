// The cache coherence protocol of `berkeley.plx` with an owner that does not listen.
//
// On a read miss of another cache the exclusive owner supplies the data, but forgets
// that it is no longer alone.
//
// Source    as `berkeley.plx`
// Status    ours: a defect added
// Expected  coherent violated for two caches and more
model berkeley_broken;

const N = 10;

var invalid: int = N;
var nonexclusive, unowned, exclusive: int = 0;

process Bus {
  // The defect: `exclusive` stays as it is.
  read_miss: when invalid >= 1 do invalid := invalid - 1, unowned := unowned + 1;
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
