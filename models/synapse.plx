// The cache coherence protocol of the Synapse N+1 for any number of caches, by counting.
//
// A line is invalid, valid (a clean copy) or dirty (the only copy). A dirty line that
// another cache asks for is written back and given up.
//
// Source    A. Albarghouthi, 2010, Fig. 5.2, row synapse, with the rules of G. Delzanno,
//           Automatic Verification of Parameterized Cache Coherence Protocols, 2000
// Status    reconstruction: printed iterations and predicates; one abstract state fewer
// Expected  coherent holds
model synapse;

var invalid: int;
var dirty, valid: int = 0;

init invalid >= 1;

process Bus {
  read_miss: when invalid >= 1 do invalid := invalid + dirty - 1, dirty := 0, valid := valid + 1;
  write_hit: when valid >= 1 do invalid := invalid + dirty + valid - 1, dirty := 1, valid := 0;
  write_miss: when invalid >= 1 do invalid := invalid + dirty + valid - 1, dirty := 1, valid := 0;
}

// A dirty line is the only copy.
invariant coherent: !(dirty >= 1 && valid >= 1) && !(dirty >= 2);
