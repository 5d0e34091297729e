// Requests with any amount of work, served one unit at a time, for ever.
model serve;

var left: int = 0;

process Server {
  location idle, busy;
  accept: idle -> busy do left := any;
  work: busy -> busy when left > 0 do left := left - 1;
  done: busy -> idle when left <= 0;
}
