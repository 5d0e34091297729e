// The cache coherence protocol MOSI for any number of caches, by counting.
//
// Besides the states of MSI a line can be owned: dirty, with clean copies elsewhere, and
// this cache is the one that answers for the memory.
//
// Source    textbook protocol, counted as in G. Delzanno, 2000
// Status    ours
// Expected  coherent holds
model mosi;

var invalid: int;
var owned, shared, modified: int = 0;

init invalid >= 1;

process Bus {
  read_miss:
      when invalid >= 1
      do invalid := invalid - 1, owned := owned + modified, shared := shared + 1, modified := 0;
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
