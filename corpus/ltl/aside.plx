// A counter falls while another one grows, which measures nothing.
model aside;
var n: int, m: int = 0;
init n >= 0;
process P { location a, b; go: a -> a when n > 0 do n := n - 1, m := m + 1; done: a -> b when n <= 0; back: b -> a when m > 0 do { n := any 0..=7; m := m - 1; } }
