// The readers and writers of `readers-writers.plx` with a writer that looks once.
//
// A writer checks for other writers, but not for readers.
//
// Source    as `readers-writers.plx`
// Status    ours: a defect added
// Expected  exclusive violated
model readers_writers_broken;

var idle: int;
var readers, writers: int = 0;

init idle >= 1;

process Record {
  begin_read: when idle >= 1 && writers == 0 do idle := idle - 1, readers := readers + 1;
  end_read: when readers >= 1 do readers := readers - 1, idle := idle + 1;
  // The defect: no `readers == 0`.
  begin_write: when idle >= 1 && writers == 0 do idle := idle - 1, writers := writers + 1;
  end_write: when writers >= 1 do writers := writers - 1, idle := idle + 1;
}

invariant exclusive: writers <= 1 && !(writers >= 1 && readers >= 1);
