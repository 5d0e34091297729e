// A pipeline of stages with a cell between neighbours; each works on what it has before
// it passes it on.
//~ order holds
//~ deadlock_free holds
//@ decided-by: explicit
const N = 2, ITEMS = 3, WORK = 2;

var full: [N] bool = false, made: 0..=ITEMS = 0, used: 0..=ITEMS = 0;

process Source {
  location ready, final done;
  put: ready -> ready when made < ITEMS && !full[0] do full[0] := true, made := made + 1;
  stop: ready -> done when made == ITEMS;
}

process Stage[i in 0..N - 1] {
  var left: 0..=WORK = 0;
  location final waiting, working, passing;
  take: waiting -> working when full[i] do full[i] := false, left := WORK;
  work: working -> working when left > 0 do left := left - 1;
  ready: working -> passing when left == 0;
  pass: passing -> waiting when !full[i + 1] do full[i + 1] := true;
}

process Sink {
  location final waiting;
  use: waiting -> waiting
      when full[N - 1] && used < ITEMS
      do full[N - 1] := false, used := used + 1;
}

invariant order: used <= made;
deadlock_free;
