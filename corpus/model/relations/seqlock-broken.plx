//~ torn violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, explicit
// A sequence lock: what is read does not belong together if the reader does not wait for an even counter.
var seq: int = 0;
var a: int = 0;
var b: int = 0;

process Writer {
  location idle, first, second;
  enter: idle -> first do seq := seq + 1, a := a + 1;
  more: first -> second do b := b + 1;
  leave: second -> idle do seq := seq + 1;
}

process Reader {
  var s: int = 0;
  var ra: int = 0;
  var rb: int = 0;
  location idle, one, two, done;
  begin: idle -> one do s := seq;
  read: one -> two do ra := a;
  again: two -> done do rb := b;
  retry: done -> idle when seq != s;
}
unreachable torn: Reader@done && seq == Reader.s && Reader.ra != Reader.rb;
