// An elevator with N floors and a controller that serves calls in any order.
//
// People call from any floor at any time. The controller picks some call and sends
// the cabin there; the cabin moves floor by floor, opens its door and reports back.
//
// Source    A. Albarghouthi, 2010, Fig. 5.1, rows elev4 to elev8 (-D N=4, ..., 8), after
//           R. Pelanek, BEEM: Benchmarks for Explicit Model Checkers, 2007, elevator2
// Status    ours: the program behind the printed rows could not be recovered
// Expected  one_floor, door and called hold
model elevator;

const N = 4;

type Floor = 0..N;

var call: [N] bool = false;
var goal: Floor = 0; // where the cabin is sent
var at: Floor = 0; // where the cabin is
var go: bool = false; // the cabin has an order

process Cabin {
  location idle, moving, open;
  start: idle -> moving when go;
  arrive: moving -> open when goal == at;
  down: moving -> moving when goal < at do at := at - 1;
  up: moving -> moving when goal > at do at := at + 1;
  serve: open -> idle do call[at] := false, go := false;
}

process People {
  press[i in 0..N]: when !call[i] do call[i] := true;
}

process Controller {
  location watching, sending;
  pick[i in 0..N]: watching -> sending when !go && call[i] do goal := i;
  send: sending -> watching do go := true;
}

// What the source asks: the cabin is not at two floors at once.
invariant one_floor: forall i in 0..N, j in 0..N: i != j => !(at == i && at == j);

// The door opens only where the cabin was sent, and only where somebody waits.
invariant door: Cabin@open => at == goal;
invariant called: Cabin@open => call[at];
