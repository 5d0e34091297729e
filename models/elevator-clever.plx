// An elevator with N floors and a controller that keeps its direction.
//
// The controller scans the floors in one direction for the next call, and turns
// around at the end of the shaft. While it scans, its goal may be one floor outside.
//
// Source    R. Pelanek, BEEM, 2007, elevator2; see `elevator.plx`
// Status    ours
// Expected  one_floor, door and called hold, and no value leaves its range
model elevator_clever;

const N = 4;

type Floor = 0..N;

var call: [N] bool = false;
var goal: -1..=N = 0; // where the cabin is sent, or where the scan has got to
var at: Floor = 0;
var go: bool = false;
var upward: bool = false; // the direction of the scan

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
  location watching, scanning, found;
  begin: watching -> scanning when !go do goal := goal + (if upward then 1 else -1);
  turn: scanning -> watching when goal < 0 || goal == N do upward := !upward;
  hit[i in 0..N]: scanning -> found when goal == i && call[i];
  miss[i in 0..N]: scanning -> scanning
      when goal == i && !call[i]
      do goal := goal + (if upward then 1 else -1);
  send: found -> watching do go := true;
}

invariant one_floor: forall i in 0..N, j in 0..N: i != j => !(at == i && at == j);
invariant door: Cabin@open => at == goal;
invariant called: Cabin@open => call[at];
