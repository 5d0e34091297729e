//~ together holds
//@ decided-by: auto
// A parity for each of two workers, who take tickets of the right parity alone.
var tickets: int = 0;

process Clock {
  tick: do tickets := tickets + 3;
}

process Worker[i in 0..2] {
  var mine: int = 0, own: int = 1;
  location rest, work;
  take: rest -> work when tickets % 2 == 0 do mine := tickets;
  step: work -> work do own := own + mine;
  give: work -> rest do own := own + 2;
}

invariant together: forall i in 0..2: Worker[i].mine % 2 == 0 && Worker[i].own % 2 == 1;
