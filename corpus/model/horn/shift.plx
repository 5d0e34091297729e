//~ never holds
//@ decided-by: kind, pdr
// Inductive over three steps and not over two.
var a: int = 0;
var b: int = 0;
var c: int = 0;

process P {
  step: do a := b, b := c, c := if c == 0 then 10 else 0;
}

invariant never: a != 7;
