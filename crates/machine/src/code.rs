//! The byte code: a function as a flat list of instructions over registers.
//!
//! A register holds one word. Integers are held canonically (sign- or
//! zero-extended by their type), floats by their bits, pointers as object and
//! offset (see `memory.rs`).

use parallax_base::Span;
use parallax_cfa::instructions;
use parallax_cfa::registers::{self, SlowCode};
pub(crate) use parallax_cfa::registers::{CalleeCode, SlowOp};
use std::sync::Arc;

/// A register of the frame.
pub(crate) type Reg = u16;

/// No register.
pub(crate) const NONE: Reg = Reg::MAX;

/// No block that is counted.
pub(crate) const UNCOUNTED: u32 = u32::MAX;

/// A call: records are passed by their address and copied by the callee.
pub(crate) type CallCode = registers::CallCode<Reg, Reg>;

instructions! {
    /// An instruction: the shared ones and those of the machine. Memory is at
    /// the pointer in `p` plus `k`.
    #[rustfmt::skip]
    enum Instr of Reg {
        /// A block begins.
        Enter { block: u32 },
        /// A block begins, and its combination of outcomes counts.
        Combine { block: u32 },
        /// The condition at these bits of the frame's outcomes has one.
        Outcome { slot: u8, outcome: bool },

        PointerAdd { d: Reg, a: Reg, b: Reg },
        PointerOffset { d: Reg, a: Reg, k: u32 },
        PointerDiff { d: Reg, a: Reg, b: Reg },

        LoadS8 { d: Reg, p: Reg, k: u32 },
        LoadU8 { d: Reg, p: Reg, k: u32 },
        LoadS16 { d: Reg, p: Reg, k: u32 },
        LoadU16 { d: Reg, p: Reg, k: u32 },
        LoadS32 { d: Reg, p: Reg, k: u32 },
        LoadU32 { d: Reg, p: Reg, k: u32 },
        Load64 { d: Reg, p: Reg, k: u32 },
        /// A bit-field, by its number.
        LoadBits { d: Reg, p: Reg, k: u32 },
        Store8 { p: Reg, a: Reg, k: u32 },
        Store16 { p: Reg, a: Reg, k: u32 },
        Store32 { p: Reg, a: Reg, k: u32 },
        Store64 { p: Reg, a: Reg, k: u32 },
        StorePointer { p: Reg, a: Reg, k: u32 },
        StoreBits { p: Reg, a: Reg, k: u32 },
        /// Copies `size` bytes as a record is assigned.
        Copy { to: Reg, from: Reg, size: u32 },

        /// Stores the record that the last call returned.
        TakeRecord { p: Reg },
        ReturnRecord { p: Reg, size: u32 },

        /// A local object begins; its size in bytes, or in a register.
        Live { d: Reg, k: u32 },
        LiveSized { d: Reg, size: Reg },
        Dead { d: Reg },
        Allocate { d: Reg, a: Reg },
        Probe { block: Reg, facts: Reg },
    }
}

/// A bit-field: offset, bytes it touches, lowest bit, width, signedness.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitCode {
    pub(crate) offset: u32,
    pub(crate) bytes: u8,
    pub(crate) shift: u8,
    pub(crate) width: u8,
    pub(crate) signed: bool,
}

/// How a parameter arrives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Parameter {
    /// In a register.
    Register(Reg),
    /// In an object of the function: pointer register, size, and whether the
    /// argument is the address of a record.
    Object { reg: Reg, size: u32, record: bool },
}

/// A function that can run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) instrs: Vec<Instr>,
    /// The source of each instruction.
    pub(crate) spans: Vec<Span>,
    /// The registers of a new frame: constants in place, the rest zero.
    pub(crate) template: Vec<u64>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) calls: Vec<CallCode>,
    pub(crate) slow: Vec<SlowCode<Reg>>,
    pub(crate) bits: Vec<BitCode>,
    pub(crate) texts: Vec<Arc<str>>,
    pub(crate) is_defined: bool,
}
