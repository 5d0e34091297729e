// Four processes, each of which may keep the others waiting; one of them counts for ever.
model door;

var x: int = 0;
var open: bool = false;

process Up {
  up: do x := x + 1;
}

process Door {
  location before, through;
  go: before -> through;
}

process Gate {
  flip: do open := !open;
}

process Guest {
  location outside, inside;
  enter: outside -> inside when open;
}
