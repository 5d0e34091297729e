// The cache coherence protocol of the DEC Firefly for any number of caches, by counting.
//
// Writes to a shared line are passed on to the other copies and to the memory, so
// nothing is ever invalidated. A writer that finds itself alone keeps the line for itself.
//
// Source    C. Thacker, L. Stewart, E. Satterthwaite, 1988, counted as in G. Delzanno, 2000
// Status    ours
// Expected  coherent holds
model firefly;

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
  write_alone: when shared == 1 do shared := 0, exclusive := exclusive + 1;
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

// One cache at most thinks that it is alone, and if so, it is.
invariant coherent: exclusive + dirty <= 1 && !(exclusive + dirty >= 1 && shared >= 1);
