// A traffic light with cars that come and go.
enum Light { red, green, amber, broken }

var light: Light = red;
var waiting: [2] 0..3 = 0;

process Lamp {
  go: when light == red do light := green;
  slow: when light == green do light := amber;
  stop: when light == amber do light := red;
}

process Cars[i in 0..2] {
  come: when waiting[i] < 2 do waiting[i] := waiting[i] + 1;
  pass: when light == green && waiting[i] > 0 do waiting[i] := waiting[i] - 1;
}
