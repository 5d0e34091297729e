//~ some holds
//~ all violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// `any` chooses among all values of the type; without an initial value too.
enum Color { red, green, blue }

var start, x: Color;

init start != red;

process P {
  pick: do x := any;
}

invariant some: start == green || start == blue;
invariant all: x == red || x == green;
