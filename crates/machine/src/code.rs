//! The byte code: a function as a flat list of instructions over registers.
//!
//! A register holds one word. Integers are held canonically (sign- or
//! zero-extended by their type), floats by their bits, pointers as object and
//! offset (see `memory.rs`).

use parallax_base::{Id, Span};
use parallax_cfa::{Binary, Function, ScalarType, Unary};
use std::sync::Arc;

/// A register of the frame.
pub(crate) type Reg = u16;

/// No register.
pub(crate) const NONE: Reg = Reg::MAX;

/// No block that is counted.
pub(crate) const UNCOUNTED: u32 = u32::MAX;

/// An operator that has no instruction of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SlowOp {
    Unary(Unary, ScalarType),
    Binary(Binary, ScalarType),
    Convert(ScalarType, ScalarType),
    /// Traps if the result does not fit.
    Fits(Binary, ScalarType),
    /// Traps if the conversion does not fit.
    FloatFits(ScalarType, ScalarType),
}

/// A slow operator with its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlowCode {
    pub(crate) op: SlowOp,
    pub(crate) d: Reg,
    pub(crate) a: Reg,
    pub(crate) b: Reg,
}

/// Whom a call calls.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CalleeCode {
    Direct(Id<Function>),
    Indirect(Reg),
}

/// A call: records are passed by their address and copied by the callee.
#[derive(Clone, Debug)]
pub(crate) struct CallCode {
    pub(crate) callee: CalleeCode,
    pub(crate) arguments: Vec<Reg>,
    pub(crate) result: Reg,
}

/// An instruction. `d` is where the result goes, `a` and `b` are operands, `to`
/// an instruction, `k` a constant. Memory is at the pointer in `p` plus `k`.
#[derive(Clone, Copy, Debug)]
#[rustfmt::skip]
pub(crate) enum Instr {
    /// A block begins.
    Enter { block: u32 },
    /// A block begins, and its combination of outcomes counts.
    Combine { block: u32 },
    /// The condition at these bits of the frame's outcomes has one.
    Outcome { slot: u8, outcome: bool },
    Move { d: Reg, a: Reg },

    Add32S { d: Reg, a: Reg, b: Reg },
    Add32U { d: Reg, a: Reg, b: Reg },
    Add64 { d: Reg, a: Reg, b: Reg },
    Sub32S { d: Reg, a: Reg, b: Reg },
    Sub32U { d: Reg, a: Reg, b: Reg },
    Sub64 { d: Reg, a: Reg, b: Reg },
    Mul32S { d: Reg, a: Reg, b: Reg },
    Mul32U { d: Reg, a: Reg, b: Reg },
    Mul64 { d: Reg, a: Reg, b: Reg },
    DivU { d: Reg, a: Reg, b: Reg },
    RemS { d: Reg, a: Reg, b: Reg },
    RemU { d: Reg, a: Reg, b: Reg },
    Shl32 { d: Reg, a: Reg, b: Reg },
    Shl64 { d: Reg, a: Reg, b: Reg },
    And { d: Reg, a: Reg, b: Reg },
    Or { d: Reg, a: Reg, b: Reg },
    Xor { d: Reg, a: Reg, b: Reg },
    Eq { d: Reg, a: Reg, b: Reg },
    Ne { d: Reg, a: Reg, b: Reg },
    LtS { d: Reg, a: Reg, b: Reg },
    LeS { d: Reg, a: Reg, b: Reg },
    LtU { d: Reg, a: Reg, b: Reg },
    LeU { d: Reg, a: Reg, b: Reg },
    Not { d: Reg, a: Reg },
    SExt8 { d: Reg, a: Reg },
    SExt16 { d: Reg, a: Reg },
    SExt32 { d: Reg, a: Reg },
    ZExt8 { d: Reg, a: Reg },
    ZExt16 { d: Reg, a: Reg },
    ZExt32 { d: Reg, a: Reg },
    ToBool { d: Reg, a: Reg },
    /// `a * k`, for indices.
    Scale { d: Reg, a: Reg, k: u32 },
    Slow { op: u32 },

    PointerAdd { d: Reg, a: Reg, b: Reg },
    PointerOffset { d: Reg, a: Reg, k: u32 },
    PointerDiff { d: Reg, a: Reg, b: Reg },
    ObjectSize { d: Reg, a: Reg },

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

    Jump { to: u32 },
    JumpZero { a: Reg, to: u32 },
    JumpNonZero { a: Reg, to: u32 },
    JumpEq { a: Reg, b: Reg, to: u32 },
    JumpNe { a: Reg, b: Reg, to: u32 },
    JumpLtS { a: Reg, b: Reg, to: u32 },
    JumpLeS { a: Reg, b: Reg, to: u32 },
    JumpLtU { a: Reg, b: Reg, to: u32 },
    JumpLeU { a: Reg, b: Reg, to: u32 },

    CheckNonZero { a: Reg },
    CheckSequenced { a: Reg },
    CheckShift { a: Reg, width: u32 },
    CheckAdd { a: Reg, b: Reg, bits: u32 },
    CheckSub { a: Reg, b: Reg, bits: u32 },
    CheckMul { a: Reg, b: Reg, bits: u32 },
    /// `b` bytes at `a` are in one live object.
    CheckBytes { a: Reg, b: Reg, write: bool },
    /// The function can be called as this type says.
    CheckCallable { a: Reg, ty: u32 },

    Call { call: u32 },
    /// Stores the record that the last call returned.
    TakeRecord { p: Reg },
    Return,
    ReturnOne { a: Reg },
    ReturnRecord { p: Reg, size: u32 },

    /// A local object begins; its size in bytes, or in a register.
    Live { d: Reg, k: u32 },
    LiveSized { d: Reg, size: Reg },
    Dead { d: Reg },
    Allocate { d: Reg, a: Reg },
    Free { a: Reg },
    CopyBytes { to: Reg, from: Reg, size: Reg },
    SetBytes { to: Reg, byte: Reg, size: Reg },
    Probe { block: Reg, facts: Reg },

    Error { text: u32 },
    Unsupported { text: u32 },
    Unreachable,
    Halt,
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
    pub(crate) slow: Vec<SlowCode>,
    pub(crate) bits: Vec<BitCode>,
    pub(crate) texts: Vec<Arc<str>>,
    pub(crate) is_defined: bool,
}
