// The cache coherence protocol of the Xerox Dragon for any number of caches, by counting.
//
// Writes to a shared line update the other copies, not the memory; the last writer
// answers for the line. It is exclusive or modified when it is the only copy, and clean
// or fresh (the last writer) when there may be others. Lines are not given up.
//
// Source    R. Atkinson, E. McCreight, 1987, counted as in G. Delzanno, 2000
// Status    ours
// Expected  coherent holds
model dragon;

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
  write_copy: when clean + fresh >= 2 do clean := clean + fresh - 1, fresh := 1;
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

// One cache at most answers for the line, and one that thinks it is alone is alone.
invariant coherent: exclusive + modified + fresh <= 1 && !(exclusive + modified >= 1 && clean >= 1);
