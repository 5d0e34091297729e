//~ within holds
//~ top holds
//~ beyond violated
//@ decided-by: ase, ase-plain, ur, ur-dfs, cegar, cegar-cartesian, cegar-eager, kind, explicit
// The bounds of a choice are expressions over the state.
var x: 0..6 = 0, limit: 0..6 = 2;

process P {
  pick: do x := any 0..=limit;
  raise: when limit < 5 do limit := limit + 1;
}

invariant within: x <= limit;
reachable top: x == 5;
reachable beyond: x == 3 && limit == 2;
