// The cache coherence protocol of `moesi.plx` with a reader that does not look around.
//
// A read miss may be answered as if nobody had the line, although somebody has.
//
// Source    as `moesi.plx`
// Status    ours: a defect added
// Expected  coherent violated
model moesi_broken;

var invalid: int;
var modified, owned, exclusive, shared: int = 0;

init invalid >= 1;

process Bus {
  // The defect: only modified copies are seen.
  read_first:
      when invalid >= 1 && modified == 0
      do invalid := invalid - 1, exclusive := exclusive + 1;
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

invariant coherent:
    modified + owned + exclusive <= 1 && !(modified + exclusive >= 1 && shared >= 1);
