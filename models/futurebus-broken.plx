// The cache coherence protocol of `futurebus.plx` with overlapping transactions.
//
// A read may ask while a write is pending.
//
// Source    as `futurebus.plx`
// Status    ours: a defect added
// Expected  coherent violated
model futurebus_broken;

var invalid: int;
var shared, exclusive, modified: int = 0;
var reading, writing: int = 0;
var read_from, taken_from, kept: int = 0;

init invalid >= 1;

process Bus {
  // The defect: no `writing == 0`.
  ask_read:
      when invalid >= 1
      do invalid := invalid - 1,
          reading := reading + 1,
          read_from := read_from + modified,
          modified := 0,
          kept := kept + shared + exclusive,
          shared := 0,
          exclusive := 0;
  answer_modified:
      when read_from >= 1
      do shared := shared + reading + 1, reading := 0, read_from := read_from - 1;
  answer_kept: when kept >= 1 do shared := shared + reading + kept, reading := 0, kept := 0;
  answer_many:
      when reading >= 2 && kept == 0 && read_from == 0
      do shared := shared + reading, reading := 0;
  answer_one:
      when reading == 1 && kept == 0 && read_from == 0
      do exclusive := exclusive + 1, reading := 0;

  ask_write:
      when invalid >= 1 && writing == 0
      do invalid := invalid + shared + exclusive + reading + read_from + kept - 1,
          shared := 0,
          exclusive := 0,
          reading := 0,
          read_from := 0,
          kept := 0,
          writing := 1,
          taken_from := taken_from + modified,
          modified := 0;
  answer_taken:
      when taken_from >= 1
      do invalid := invalid + 1,
          taken_from := taken_from - 1,
          modified := modified + writing,
          writing := 0;
  answer_write: when taken_from == 0 do modified := modified + writing, writing := 0;

  write_exclusive: when exclusive >= 1 do exclusive := exclusive - 1, modified := modified + 1;
  write_shared:
      when shared >= 1
      do invalid := invalid + shared - 1, shared := 0, modified := modified + 1;
}

invariant coherent:
    exclusive + modified <= 1
        && !(shared >= 1 && exclusive + modified >= 1)
        && !(reading >= 1 && writing >= 1)
        && writing <= 1;
