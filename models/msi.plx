// The cache coherence protocol MSI for any number of caches, by counting.
//
// A line is invalid, shared (a clean copy) or modified (the only copy, dirty). Lines are
// not given up by themselves.
//
// Source    textbook protocol, counted as in G. Delzanno, Automatic Verification of
//           Parameterized Cache Coherence Protocols, 2000
// Status    ours
// Expected  coherent holds
model msi;

var invalid: int;
var shared, modified: int = 0;

init invalid >= 1;

process Bus {
  read_miss:
      when invalid >= 1
      do invalid := invalid - 1, shared := shared + modified + 1, modified := 0;
  write_hit:
      when shared >= 1
      do invalid := invalid + shared + modified - 1, shared := 0, modified := 1;
  write_miss:
      when invalid >= 1
      do invalid := invalid + shared + modified - 1, shared := 0, modified := 1;
}

invariant coherent: !(modified >= 2) && !(modified >= 1 && shared >= 1);
