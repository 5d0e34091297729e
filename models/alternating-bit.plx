// The alternating bit protocol over lines that lose messages.
//
// Every message carries one bit and is repeated until an acknowledgment with the same
// bit comes back. The lines hold one message each. Messages are numbered without
// bound; the numbers are there to state what is promised, the protocol does not use them.
//
// Source    K. A. Bartlett, R. A. Scantlebury, P. T. Wilkinson, 1969
// Status    ours
// Expected  in_order holds
model alternating_bit;

enum Line { empty, zero, one }

var data, ack: Line = empty;
var content: int = 0; // the number of the message on the data line
var sent: int = 0; // the number of the message being sent
var received: int = 0; // the number of the message expected

process Sender {
  location at_zero, at_one;
  send_zero: at_zero -> at_zero when data == empty do data := zero, content := sent;
  next_zero: at_zero -> at_one when ack == zero do ack := empty, sent := sent + 1;
  old_one: at_zero -> at_zero when ack == one do ack := empty;
  send_one: at_one -> at_one when data == empty do data := one, content := sent;
  next_one: at_one -> at_zero when ack == one do ack := empty, sent := sent + 1;
  old_zero: at_one -> at_one when ack == zero do ack := empty;
}

process Receiver {
  location at_zero, at_one;
  accept_zero: at_zero -> at_one
      when data == zero && ack == empty
      do data := empty, ack := zero, received := received + 1;
  again_one: at_zero -> at_zero when data == one && ack == empty do data := empty, ack := one;
  accept_one: at_one -> at_zero
      when data == one && ack == empty
      do data := empty, ack := one, received := received + 1;
  again_zero: at_one -> at_one when data == zero && ack == empty do data := empty, ack := zero;
}

process Noise {
  lose_data: when data != empty do data := empty;
  lose_ack: when ack != empty do ack := empty;
}

// Whatever the receiver is about to accept is the message it expects.
invariant in_order:
    (Receiver@at_zero && data == zero) || (Receiver@at_one && data == one) => content == received;
