//~ gone holds
//@ decided-by: ase, ur
// An action that only one process has is an ordinary step.
action go;

process P {
  location one, final two;
  [go] one -> two;
}

reachable gone: P@two;
