//~ empty holds
//@ decided-by: ase, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba
// The invariant `sent == received` is a finite formula, but no set of preimages of the
// property contains it: each refinement adds the next constant.
var sent, received: int = 0;

process P {
  location fill, drain;
  one: fill -> fill do sent := sent + 1, received := received + 1;
  turn: fill -> drain;
  back: drain -> drain when sent > 0 do sent := sent - 1, received := received - 1;
}

invariant empty: P@drain && sent == 0 => received == 0;
