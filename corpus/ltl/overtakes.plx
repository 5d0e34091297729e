// Two numbers that run away from each other, or towards each other.
model overtakes;

var near: int = 0, far: int, turns: int = 0;
init far >= 0;

process P {
  location on, off;
  chase: on -> on when near < far do near := near + 1, far := far + 2;
  close: on -> on when near < far do near := near + 2, far := far + 1;
  met: on -> off when near >= far;
  idle: off -> off do turns := turns + 1;
}
