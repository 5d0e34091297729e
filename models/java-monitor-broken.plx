// The monitor of `java-monitor.plx` with threads that wake up inside.
//
// A thread that is notified goes on at once, without taking the lock again.
//
// Source    as `java-monitor.plx`
// Status    ours: a defect added
// Expected  mutex violated, locked_when_inside violated
model java_monitor_broken;

var outside: int;
var inside, waiting: int = 0;
var locked: bool = false;

init outside >= 1;

process Monitor {
  enter:
      when !locked && outside >= 1
      do locked := true, outside := outside - 1, inside := inside + 1;
  leave: when inside >= 1 do locked := false, inside := inside - 1, outside := outside + 1;
  wait: when inside >= 1 do locked := false, inside := inside - 1, waiting := waiting + 1;
  // The defect: the lock is not taken again.
  notify: when inside >= 1 && waiting >= 1 do waiting := waiting - 1, inside := inside + 1;
}

invariant mutex: inside <= 1;
invariant locked_when_inside: inside >= 1 => locked;
