// The ring buffer of `ring-buffer.plx` with a producer that does not look.
//
// It overwrites cells that have not been read. The count of used cells is kept in its
// range by force, so the values are fine; the order is not.
//
// Source    as `ring-buffer.plx`
// Status    ours: a defect added
// Expected  in_order violated
model ring_buffer_broken;

const SIZE = 3;

type Item = 0..=SIZE;

var cell: [SIZE] Item = 0;
var used: 0..=SIZE = 0;
var head: 0..SIZE = 0;
var tail: 0..SIZE = 0;
var written: Item = 0;
var expected: Item = 0;

process Producer {
  // The defect: no `used < SIZE`.
  put: do {
    cell[tail] := written;
    written := (written + 1) % (SIZE + 1);
    tail := (tail + 1) % SIZE, used := min(used + 1, SIZE);
  }
}

process Consumer {
  get: when used > 0 do {
    expected := (expected + 1) % (SIZE + 1);
    head := (head + 1) % SIZE, used := used - 1;
  }
}

invariant in_order: used > 0 => cell[head] == expected;
