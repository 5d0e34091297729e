// The alternating bit protocol of `alternating-bit.plx` without the bit on acknowledgments.
//
// An acknowledgment of a repeated message is taken for one of the next message, which
// may have been lost.
//
// Source    as `alternating-bit.plx`
// Status    ours: a defect added
// Expected  in_order violated
model alternating_bit_broken;

enum Line { empty, zero, one }

var data: Line = empty;
var ack: bool = false;
var content: int = 0;
var sent: int = 0;
var received: int = 0;

process Sender {
  location at_zero, at_one;
  send_zero: at_zero -> at_zero when data == empty do data := zero, content := sent;
  next_zero: at_zero -> at_one when ack do ack := false, sent := sent + 1;
  send_one: at_one -> at_one when data == empty do data := one, content := sent;
  next_one: at_one -> at_zero when ack do ack := false, sent := sent + 1;
}

process Receiver {
  location at_zero, at_one;
  accept_zero: at_zero -> at_one
      when data == zero && !ack
      do data := empty, ack := true, received := received + 1;
  again_one: at_zero -> at_zero when data == one && !ack do data := empty, ack := true;
  accept_one: at_one -> at_zero
      when data == one && !ack
      do data := empty, ack := true, received := received + 1;
  again_zero: at_one -> at_one when data == zero && !ack do data := empty, ack := true;
}

process Noise {
  lose_data: when data != empty do data := empty;
  lose_ack: when ack do ack := false;
}

invariant in_order:
    (Receiver@at_zero && data == zero) || (Receiver@at_one && data == one) => content == received;
