// The cache coherence protocol of `illinois.plx` with an owner that stays dirty.
//
// A dirty cache supplies its line to a reader, but does not become shared itself.
//
// Source    as `illinois.plx`
// Status    ours: a defect added
// Expected  coherent violated
model illinois_broken;

var invalid: int;
var exclusive, dirty, shared: int = 0;

init invalid >= 1;

process Bus {
  read_first:
      when invalid >= 1 && exclusive == 0 && dirty == 0 && shared == 0
      do invalid := invalid - 1, exclusive := 1;
  // The defect: `dirty` stays as it is.
  read_dirty: when invalid >= 1 && dirty >= 1 do invalid := invalid - 1, shared := shared + 1;
  read_clean:
      when invalid >= 1 && shared + exclusive >= 1
      do invalid := invalid - 1, shared := shared + exclusive + 1, exclusive := 0;
  write_exclusive: when exclusive >= 1 do exclusive := exclusive - 1, dirty := dirty + 1;
  write_shared:
      when shared >= 1
      do invalid := invalid + shared - 1, dirty := dirty + 1, shared := 0;
  write_miss:
      when invalid >= 1
      do invalid := invalid + exclusive + dirty + shared - 1,
          exclusive := 0,
          dirty := 1,
          shared := 0;
  drop_dirty: when dirty >= 1 do dirty := dirty - 1, invalid := invalid + 1;
  drop_shared: when shared >= 1 do shared := shared - 1, invalid := invalid + 1;
  drop_exclusive: when exclusive >= 1 do exclusive := exclusive - 1, invalid := invalid + 1;
}

invariant coherent: !(dirty >= 2) && !(dirty >= 1 && shared + exclusive >= 1);
