// The cache coherence protocol of `dragon.plx` with two last writers.
//
// A cache that writes to a shared line becomes the last writer; the one before it is
// not told.
//
// Source    as `dragon.plx`
// Status    ours: a defect added
// Expected  coherent violated
model dragon_broken;

var invalid: int;
var exclusive, modified, clean, fresh: int = 0;

init invalid >= 1;

process Bus {
  read_first:
      when invalid >= 1 && exclusive + modified + clean + fresh == 0
      do invalid := invalid - 1, exclusive := 1;
  read_miss:
      when invalid >= 1 && exclusive + modified + clean + fresh >= 1
      do invalid := invalid - 1,
          clean := clean + exclusive + 1,
          fresh := fresh + modified,
          exclusive := 0,
          modified := 0;
  write_exclusive: when exclusive >= 1 do exclusive := exclusive - 1, modified := modified + 1;
  write_alone: when clean + fresh == 1 do modified := modified + 1, clean := 0, fresh := 0;
  // The defect: `fresh` may grow.
  write_copy: when clean >= 1 && clean + fresh >= 2 do clean := clean - 1, fresh := fresh + 1;
  write_first:
      when invalid >= 1 && exclusive + modified + clean + fresh == 0
      do invalid := invalid - 1, modified := 1;
  write_miss:
      when invalid >= 1 && exclusive + modified + clean + fresh >= 1
      do invalid := invalid - 1,
          clean := clean + exclusive + fresh + modified,
          fresh := 1,
          exclusive := 0,
          modified := 0;
}

invariant coherent: exclusive + modified + fresh <= 1 && !(exclusive + modified >= 1 && clean >= 1);
