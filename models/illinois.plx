// The cache coherence protocol of the University of Illinois for any number of caches.
//
// The ancestor of MESI: caches supply lines to each other. A line is invalid, exclusive
// (the only copy, clean), dirty (the only copy) or shared. The number of caches in
// each state is counted.
//
// Source    M. Papamarcos, J. Patel, 1984, counted as in G. Delzanno, 2000
// Status    ours
// Expected  coherent holds
model illinois;

var invalid: int;
var exclusive, dirty, shared: int = 0;

init invalid >= 1;

process Bus {
  read_first:
      when invalid >= 1 && exclusive == 0 && dirty == 0 && shared == 0
      do invalid := invalid - 1, exclusive := 1;
  read_dirty:
      when invalid >= 1 && dirty >= 1
      do invalid := invalid - 1, dirty := dirty - 1, shared := shared + 2;
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
