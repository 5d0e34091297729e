// A Java monitor with wait and notify for any number of threads, by counting.
//
// A thread that enters takes the lock. Inside it may wait, which gives the lock back, or
// notify one or all of the waiting threads; these must take the lock again before
// they go on.
//
// Source    the Java language; a counting abstraction in the style of G. Delzanno,
//           J.-F. Raskin, L. Van Begin, Towards the Automated Verification of
//           Multithreaded Java Programs, 2002
// Status    ours
// Expected  mutex holds, locked_when_inside holds
model java_monitor;

var outside: int;
var inside, waiting, woken: int = 0;
var locked: bool = false;

init outside >= 1;

process Monitor {
  enter:
      when !locked && outside >= 1
      do locked := true, outside := outside - 1, inside := inside + 1;
  leave: when inside >= 1 do locked := false, inside := inside - 1, outside := outside + 1;
  wait: when inside >= 1 do locked := false, inside := inside - 1, waiting := waiting + 1;
  notify: when inside >= 1 && waiting >= 1 do waiting := waiting - 1, woken := woken + 1;
  notify_all: when inside >= 1 do woken := woken + waiting, waiting := 0;
  resume: when !locked && woken >= 1 do locked := true, woken := woken - 1, inside := inside + 1;
}

invariant mutex: inside <= 1;
invariant locked_when_inside: inside >= 1 => locked;
