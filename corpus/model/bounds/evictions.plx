//~ coherent holds
//@ decided-by: ase, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-invariants, pdr, kind
// Evictions count downwards, and each refinement adds the next constant.

var invalid: int;
var shared, modified: int = 0;

init invalid >= 1;

process Bus {
  read_miss:
      when invalid >= 1
      do invalid := invalid - 1, shared := shared + modified + 1, modified := 0;
  write_hit:
      when shared >= 1
      do invalid := invalid + shared + modified - 1, shared := 0, modified := 1;
  write_miss:
      when invalid >= 1
      do invalid := invalid + shared + modified - 1, shared := 0, modified := 1;
  drop_shared: when shared >= 1 do shared := shared - 1, invalid := invalid + 1;
  drop_modified: when modified >= 1 do modified := modified - 1, invalid := invalid + 1;
}

invariant coherent: !(modified >= 2) && !(modified >= 1 && shared >= 1);
