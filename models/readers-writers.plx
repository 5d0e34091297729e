// Readers and writers of one record, any number of them, by counting.
//
// Readers may share the record; a writer must have it alone.
//
// Source    P. J. Courtois, F. Heymans, D. L. Parnas, 1971, as a counting abstraction
// Status    ours
// Expected  exclusive holds
model readers_writers;

var idle: int;
var readers, writers: int = 0;

init idle >= 1;

process Record {
  begin_read: when idle >= 1 && writers == 0 do idle := idle - 1, readers := readers + 1;
  end_read: when readers >= 1 do readers := readers - 1, idle := idle + 1;
  begin_write:
      when idle >= 1 && readers == 0 && writers == 0
      do idle := idle - 1, writers := writers + 1;
  end_write: when writers >= 1 do writers := writers - 1, idle := idle + 1;
}

invariant exclusive: writers <= 1 && !(writers >= 1 && readers >= 1);
