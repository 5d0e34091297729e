// The cache coherence protocol of `msi.plx` with a write that is not announced.
//
// A cache that misses on a write takes the line without invalidating clean copies.
//
// Source    as `msi.plx`
// Status    ours: a defect added
// Expected  coherent violated
model msi_broken;

var invalid: int;
var shared, modified: int = 0;

init invalid >= 1;

process Bus {
  read_miss:
      when invalid >= 1
      do invalid := invalid - 1, shared := shared + modified + 1, modified := 0;
  write_hit:
      when shared >= 1
      do invalid := invalid + shared + modified - 1, shared := 0, modified := 1;
  // The defect: `shared` stays as it is.
  write_miss: when invalid >= 1 do invalid := invalid + modified - 1, modified := 1;
}

invariant coherent: !(modified >= 2) && !(modified >= 1 && shared >= 1);
