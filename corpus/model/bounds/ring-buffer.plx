//~ in_order holds
//@ decided-by: ase
// A ring buffer of unbounded items: what a stale cell differs from goes on for ever.

const SIZE = 3;

var cell: [SIZE] int = 0;
var used: 0..=SIZE = 0; // how many cells are full
var head: 0..SIZE = 0; // where to read
var tail: 0..SIZE = 0; // where to write
var written: int = 0; // the next number to write
var expected: int = 0; // the next number to read

process Producer {
  put: when used < SIZE do {
    cell[tail] := written;
    written := written + 1, used := used + 1, tail := (tail + 1) % SIZE;
  }
}

process Consumer {
  get: when used > 0 do expected := expected + 1, used := used - 1, head := (head + 1) % SIZE;
}

invariant in_order: used > 0 => cell[head] == expected;
