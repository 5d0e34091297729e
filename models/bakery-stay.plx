// The bakery protocol of `bakery.plx` where processes take their time.
//
// On entering, a process chooses how many steps it stays in the critical section.
//
// Source    A. Albarghouthi, 2010, Fig. 5.2, row bakery2
// Status    ours: the program behind the printed row could not be recovered
// Expected  mutex holds
model bakery_stay;

var x, y: int = 0;

process P1 {
  var stay: int = 0; // steps left inside; a choice below one means none
  location idle, waiting, critical;
  take: idle -> waiting do x := y + 1;
  enter: waiting -> critical when y == 0 || x <= y do stay := any;
  work: critical -> critical when stay > 0 do stay := stay - 1;
  leave: critical -> idle when stay <= 0 do x := 0;
}

process P2 {
  var stay: int = 0;
  location idle, waiting, critical;
  take: idle -> waiting do y := x + 1;
  enter: waiting -> critical when x == 0 || y < x do stay := any;
  work: critical -> critical when stay > 0 do stay := stay - 1;
  leave: critical -> idle when stay <= 0 do y := 0;
}

invariant mutex: !(P1@critical && P2@critical);
