//~ltl holds ltl,rank []<> (light == 1)
//~ltl holds ltl,rank []<> (light == 0)
//~ltl violated ltl,rank <>[] (light == 0)
// The letter that is shown where a cycle begins belongs to the cycle: a run that
// comes back to the state right before it shows it again.
int light, other;

int main(void) {
  while (1) {
    other = 1;
    light = 1;
    light = 0;
  }
}
