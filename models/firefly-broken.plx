// The cache coherence protocol of `firefly.plx` with a wrong idea of being alone.
//
// A writer to a shared line takes it for itself although there are other copies.
//
// Source    as `firefly.plx`
// Status    ours: a defect added
// Expected  coherent violated
model firefly_broken;

var invalid: int;
var exclusive, shared, dirty: int = 0;

init invalid >= 1;

process Bus {
  read_first:
      when invalid >= 1 && exclusive == 0 && shared == 0 && dirty == 0
      do invalid := invalid - 1, exclusive := 1;
  read_dirty:
      when invalid >= 1 && dirty >= 1
      do invalid := invalid - 1, shared := shared + 2, dirty := dirty - 1;
  read_clean:
      when invalid >= 1 && shared + exclusive >= 1
      do invalid := invalid - 1, shared := shared + exclusive + 1, exclusive := 0;
  write_exclusive: when exclusive >= 1 do exclusive := exclusive - 1, dirty := dirty + 1;
  // The defect: `>=` where there should be `==`.
  write_alone: when shared >= 1 do shared := shared - 1, exclusive := exclusive + 1;
  write_first:
      when invalid >= 1 && exclusive == 0 && shared == 0 && dirty == 0
      do invalid := invalid - 1, dirty := 1;
  write_miss:
      when invalid >= 1 && exclusive + shared + dirty >= 1
      do invalid := invalid - 1,
          shared := shared + exclusive + dirty + 1,
          exclusive := 0,
          dirty := 0;
}

invariant coherent: exclusive + dirty <= 1 && !(exclusive + dirty >= 1 && shared >= 1);
