// Producers prepare an item and put it into a bounded buffer, consumers take one and use
// it, each under one mutex. Preparing and using are their own business.
//~ room holds
//~ alone holds
//@ decided-by: explicit
const P = 1, C = 1, SIZE = 2, WORK = 3;

var locked: bool = false, count: int = 0;

process Producer[i in 0..P] {
  var item: 0..=WORK = 0;
  location preparing, waiting, inside, leaving;
  prepare: preparing -> preparing when item < WORK do item := item + 1;
  ready: preparing -> waiting when item == WORK;
  enter: waiting -> inside when !locked && count < SIZE do locked := true;
  put: inside -> leaving do count := count + 1, item := 0;
  leave: leaving -> preparing do locked := false;
}

process Consumer[i in 0..C] {
  var item: 0..=WORK = 0;
  location waiting, inside, leaving, using;
  enter: waiting -> inside when !locked && count > 0 do locked := true;
  take: inside -> leaving do count := count - 1, item := WORK;
  leave: leaving -> using do locked := false;
  use: using -> using when item > 0 do item := item - 1;
  again: using -> waiting when item == 0;
}

invariant room: 0 <= count && count <= SIZE;
invariant alone: (count i in 0..P: Producer[i]@inside) + (count i in 0..C: Consumer[i]@inside) <= 1;
