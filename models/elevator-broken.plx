// The elevator of `elevator.plx` with an impatient controller.
//
// It picks the next call without waiting for the cabin, which is then sent elsewhere
// while it moves or while its door is open.
//
// Source    as `elevator.plx`
// Status    ours: a defect added
// Expected  one_floor holds, door and called violated
model elevator_broken;

const N = 4;

type Floor = 0..N;

var call: [N] bool = false;
var goal: Floor = 0;
var at: Floor = 0;
var go: bool = false;

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
  // The defect: no `!go`.
  pick[i in 0..N]: watching -> sending when call[i] do goal := i;
  send: sending -> watching do go := true;
}

invariant one_floor: forall i in 0..N, j in 0..N: i != j => !(at == i && at == j);
invariant door: Cabin@open => at == goal;
invariant called: Cabin@open => call[at];
