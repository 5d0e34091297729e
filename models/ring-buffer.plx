// A ring buffer of SIZE cells between a producer and a consumer.
//
// The producer writes 0, 1, 2, ... and begins again after the last item; the consumer
// must read the same. There is one more item than cells, so an item that is lost or read
// twice is noticed. Each side moves its index in one indivisible step with the transfer.
//
// Source    textbook
// Status    ours
// Expected  in_order holds
model ring_buffer;

const SIZE = 3;

type Item = 0..=SIZE;

var cell: [SIZE] Item = 0;
var used: 0..=SIZE = 0; // how many cells are full
var head: 0..SIZE = 0; // where to read
var tail: 0..SIZE = 0; // where to write
var written: Item = 0; // the next item to write
var expected: Item = 0; // the next item to read

process Producer {
  put: when used < SIZE do {
    cell[tail] := written;
    written := (written + 1) % (SIZE + 1);
    tail := (tail + 1) % SIZE, used := used + 1;
  }
}

process Consumer {
  get: when used > 0 do {
    expected := (expected + 1) % (SIZE + 1);
    head := (head + 1) % SIZE, used := used - 1;
  }
}

invariant in_order: used > 0 => cell[head] == expected;
