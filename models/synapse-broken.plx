// The cache coherence protocol of `synapse.plx` with a dirty line that stays.
//
// On a read miss the dirty line is written back, but not given up.
//
// Source    as `synapse.plx`
// Status    ours: a defect added
// Expected  coherent violated
model synapse_broken;

var invalid: int;
var dirty, valid: int = 0;

init invalid >= 1;

process Bus {
  // The defect: `dirty` stays as it is.
  read_miss: when invalid >= 1 do invalid := invalid - 1, valid := valid + 1;
  write_hit: when valid >= 1 do invalid := invalid + dirty + valid - 1, dirty := 1, valid := 0;
  write_miss: when invalid >= 1 do invalid := invalid + dirty + valid - 1, dirty := 1, valid := 0;
}

invariant coherent: !(dirty >= 1 && valid >= 1) && !(dirty >= 2);
