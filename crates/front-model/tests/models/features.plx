// One of everything.
model features;

const N = 3, LIMIT = N * 2; // two constants
const STRICT = true;
enum Phase { idle, busy }
enum Light { red, green }
type Floor = 0..N;

var p: Floor = 0, phase: Phase = idle;
var req: [N] bool = false;
var grid: [2] [N] 0..=LIMIT = {{0, 1, 2}, 3};
var x, y: int;
var light: Light = Light.red;

init x <= y && (sum k in 0..N: grid[0][k]) == 3 && Env.seen == 0;
action go;

process Env {
  var seen: int;
  ask[k in 0..N]: when !req[k] do req[k] := true, seen := seen + 1;
  [go] when seen > 0 do seen := 0;
}

process Cabin {
  var goal: Floor = 0;
  location wait, move, final done;
  choose: [go] wait -> move when exists k in 0..N: req[k] do goal := any 0..N;
  up: move -> move when p < goal do p := p + 1;
  down: move -> move when p > goal do p := p - 1;
  serve: move -> wait when p == goal do {
    req[p] := false;
    if phase == busy {
      phase := idle;
    } else if STRICT {
      phase := busy, light := green;
    } else {
      x := any;
    }
  }
  quit: wait, move -> done when x > y do y := x, x := y;
}

process Twin[i in 0..2, f in Phase] {
  location a, b;
  a -> b when (if f == busy then i else 0) == min(x, y, abs(-3));
  b -> a do grid[i][p] := max(grid[i][p] - 1, 0);
}

invariant in_range: 0 <= p && p < N && (count k in 0..N: req[k]) <= N;
unreachable both: Twin[0, idle]@a && Twin[1, busy]@b && Cabin.goal == 2 && x % 2 == 1;
reachable all: forall k in 0..N: req[k];
deadlock_free dl;
