//~ together violated
//@ decided-by: auto
// The same, without a look at the ticket.
var tickets: int = 0;

process Clock {
  tick: do tickets := tickets + 3;
}

process Worker[i in 0..2] {
  var mine: int = 0, own: int = 1;
  location rest, work;
  take: rest -> work do mine := tickets;
  step: work -> work do own := own + mine;
  give: work -> rest do own := own + 2;
}

invariant together: forall i in 0..2: Worker[i].mine % 2 == 0 && Worker[i].own % 2 == 1;
