// The cache coherence protocol MOESI for any number of caches, by counting.
//
// The states of MOSI and of MESI together: the first reader of a line gets it exclusively
// and may write to it without telling anybody.
//
// Source    textbook protocol, counted as in G. Delzanno, 2000
// Status    ours
// Expected  coherent holds
model moesi;

var invalid: int;
var modified, owned, exclusive, shared: int = 0;

init invalid >= 1;

process Bus {
  read_first:
      when invalid >= 1 && modified + owned + exclusive + shared == 0
      do invalid := invalid - 1, exclusive := 1;
  read_miss:
      when invalid >= 1 && modified + owned + exclusive + shared >= 1
      do invalid := invalid - 1,
          shared := shared + exclusive + 1,
          owned := owned + modified,
          exclusive := 0,
          modified := 0;
  write_exclusive: when exclusive >= 1 do exclusive := exclusive - 1, modified := modified + 1;
  write_copy:
      when shared + owned >= 1
      do invalid := invalid + modified + owned + exclusive + shared - 1,
          modified := 1,
          owned := 0,
          exclusive := 0,
          shared := 0;
  write_miss:
      when invalid >= 1
      do invalid := invalid + modified + owned + exclusive + shared - 1,
          modified := 1,
          owned := 0,
          exclusive := 0,
          shared := 0;
}

// One cache at most answers for the line, and one that thinks it is alone is alone.
invariant coherent:
    modified + owned + exclusive <= 1 && !(modified + exclusive >= 1 && shared >= 1);
