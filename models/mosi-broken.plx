// The cache coherence protocol of `mosi.plx` with two owners.
//
// A modified line that is read by another cache becomes owned, and the reader believes
// that it owns the line too.
//
// Source    as `mosi.plx`
// Status    ours: a defect added
// Expected  coherent violated
model mosi_broken;

var invalid: int;
var owned, shared, modified: int = 0;

init invalid >= 1;

process Bus {
  read_miss: when invalid >= 1 && modified == 0 do invalid := invalid - 1, shared := shared + 1;
  // The defect: one owner too many.
  read_dirty:
      when invalid >= 1 && modified >= 1
      do invalid := invalid - 1, owned := owned + modified + 1, modified := 0;
  write_shared:
      when shared >= 1
      do invalid := invalid + owned + shared + modified - 1,
          owned := 0,
          shared := 0,
          modified := 1;
  write_owned:
      when owned >= 1
      do invalid := invalid + owned + shared + modified - 1,
          owned := 0,
          shared := 0,
          modified := 1;
  write_miss:
      when invalid >= 1
      do invalid := invalid + owned + shared + modified - 1,
          owned := 0,
          shared := 0,
          modified := 1;
  drop_shared: when shared >= 1 do shared := shared - 1, invalid := invalid + 1;
  drop_owned: when owned >= 1 do owned := owned - 1, invalid := invalid + 1;
  drop_modified: when modified >= 1 do modified := modified - 1, invalid := invalid + 1;
}

invariant coherent: owned + modified <= 1 && !(modified >= 1 && shared >= 1);
