//! The compact form that runs: a function as a flat list of instructions.
//!
//! Registers are 64-bit cells of the frame. Integers up to 64 bits are held in
//! them canonically (sign- or zero-extended by their type), `float` and
//! `double` by their bits. A pointer takes two: address and provenance; values
//! of 80 and 128 bits take two: low and high half.

use crate::registers::{self, SlowCode};
pub(crate) use crate::registers::{CalleeCode, Class, SlowOp};
use crate::{LockRule, Place, ScalarType, Variable, instructions};
use parallax_base::Id;
use std::sync::Arc;

/// A register of the frame.
pub(crate) type Reg = u32;

/// No register.
pub(crate) const NONE: Reg = u32::MAX;

/// The class of a scalar type.
pub(crate) fn class_of(ty: ScalarType) -> Class {
    match ty {
        ScalarType::Pointer { .. } => Class::Pointer,
        other if other.bits() > 64 => Class::Wide,
        _ => Class::One,
    }
}

/// How a value lies in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    S8,
    U8,
    S16,
    U16,
    S32,
    U32,
    /// 64 bits of anything.
    W64,
    /// A pointer of 32 or 64 bits.
    Pointer,
    /// The x87 format: ten bytes matter.
    W80,
    /// 128 bits.
    W128,
    /// A bit-field; see the place.
    Bits,
}

/// Where a place starts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PlaceBase {
    /// A static object, by its index.
    Static(u32),
    /// An object of the running thread, by its number.
    Thread(u32),
    /// A local object, by its slot in the frame.
    Local(u32),
    /// Where the pointer in these registers points.
    Pointer(Reg),
}

/// A place in memory: base, constant offset and a computed offset in a register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaceCode {
    /// Where it starts.
    pub(crate) base: PlaceBase,
    /// Constant part of the offset.
    pub(crate) offset: u64,
    /// Register with the rest of the offset, or `NONE`.
    pub(crate) index: Reg,
    /// How many bytes it has.
    pub(crate) size: u64,
    /// For a bit-field: lowest bit, width, signedness.
    pub(crate) bits: (u8, u8, bool),
    /// The place it was made of.
    pub(crate) id: Id<Place>,
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ArgumentCode {
    /// A scalar in registers.
    Scalar(Reg, ScalarType),
    /// A record at a place.
    Aggregate(u32),
}

/// A parameter, or a local variable that needs an object.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Home {
    /// In registers.
    Register(Reg, Class),
    /// In an object: the slot.
    Slot(u32),
}

/// The object of a local variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotCode {
    /// Whose.
    pub(crate) variable: Id<Variable>,
    /// Its size; for an array of variable length, zero.
    pub(crate) size: u64,
    /// Distance of its address below the frame's top.
    pub(crate) depth: u64,
    /// Whether it lives from the entry on, because nothing says when it begins.
    pub(crate) from_entry: bool,
}

/// A call.
pub(crate) type CallCode = registers::CallCode<Reg, ArgumentCode>;

instructions! {
    /// An instruction: the shared ones and those of the interpreter. `p` is a
    /// place.
    #[rustfmt::skip]
    enum Instr of Reg {
        /// An edge begins.
        Step { edge: u32 },
        /// The conditions of a branch follow; its first edge. Only if asked.
        Decide { edge: u32 },
        Move2 { d: Reg, a: Reg },
        /// From and to the registers of static variables.
        GlobalGet { d: Reg, a: u32 },
        GlobalGet2 { d: Reg, a: u32 },
        GlobalSet { d: u32, a: Reg },
        GlobalSet2 { d: u32, a: Reg },

        DivS32 { d: Reg, a: Reg, b: Reg },
        DivS64 { d: Reg, a: Reg, b: Reg },
        Shl32U { d: Reg, a: Reg, b: Reg },
        ShrS { d: Reg, a: Reg, b: Reg },
        ShrU { d: Reg, a: Reg, b: Reg },
        BitNot { d: Reg, a: Reg },

        FAdd { d: Reg, a: Reg, b: Reg },
        FSub { d: Reg, a: Reg, b: Reg },
        FMul { d: Reg, a: Reg, b: Reg },
        FDiv { d: Reg, a: Reg, b: Reg },
        FLt { d: Reg, a: Reg, b: Reg },
        FLe { d: Reg, a: Reg, b: Reg },
        FEq { d: Reg, a: Reg, b: Reg },
        FFromS { d: Reg, a: Reg },

        /// Address plus `b` bytes.
        PointerAdd { d: Reg, a: Reg, b: Reg },
        /// Address arithmetic cut to 32 bits.
        PointerAdd32 { d: Reg, a: Reg, b: Reg },
        /// An integer becomes a wild pointer.
        Wild { d: Reg, a: Reg },
        Address { d: Reg, p: u32 },

        Load { d: Reg, p: u32, shape: Shape },
        Store { p: u32, a: Reg, shape: Shape },
        Copy { to: u32, from: u32 },

        /// Asks the oracle for one of the `count` next instructions.
        Choose { count: u32 },

        CheckAccess { p: u32, write: bool },
        CheckWritten { p: u32 },
        CheckFree { a: Reg },
        /// A thread is about to access a place, bytes, or a static variable in
        /// registers.
        Announce { p: u32, write: bool, atomic: bool },
        AnnounceBytes { a: Reg, size: Reg, write: bool },
        AnnounceVariable { variable: u32, write: bool, atomic: bool },
        CheckLock { p: u32, rule: LockRule },

        Input { d: Reg, name: u32, ty: u32 },
        /// An arbitrary scalar of the type in the table of types.
        Havoc { d: Reg, why: u32, ty: u32 },
        HavocPlace { p: u32, why: u32 },

        /// Stores the record that the last call returned.
        TakeRecord { p: u32 },
        ReturnTwo { a: Reg },
        ReturnRecord { p: u32 },

        Live { slot: u32, size: Reg },
        Dead { slot: u32 },
        /// A register variable begins to live.
        LiveRegister { d: Reg, ty: u32, variable: u32 },
        Allocate { d: Reg, a: Reg, local: bool },
        HavocBytes { a: Reg, size: Reg },
        VaStart { a: Reg },
        VaArg { d: Reg, a: Reg, ty: u32 },
        VaArgRecord { p: u32, a: Reg },
        VaCopy { to: Reg, from: Reg },
        VaEnd { a: Reg },

        /// Another thread may go on.
        Turn,
        /// Waits until a cell is zero, or a thread has ended; tries again at `back`.
        AwaitCell { a: Reg, back: u32 },
        AwaitThread { a: Reg, back: u32 },
        Spawn { d: Reg, a: Reg, b: Reg },
        Join { d: Reg, a: Reg },
        ThreadExit { a: Reg },
        ThreadSelf { d: Reg },
        GiveWay,
        SetCell { a: Reg, value: bool },
        ThreadMark { d: Reg },
        Sleep { a: Reg },
        Rise,
        /// Wakes a thread by its number, or all of them.
        Wake { a: Reg, thread: Reg },
        AtomicBegin,
        AtomicEnd,
        /// Registers: a formula, one of its atoms, and whether it holds.
        Atom { formula: Reg, atom: Reg, a: Reg },
        Letter { formula: Reg },

        /// The end of a run that waits for ever.
        Wait,
        Stuck,
    }
}

/// A function that can run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    /// The instructions; the first one is the entry.
    pub(crate) instrs: Vec<Instr>,
    /// The registers of a new frame: constants in place, the rest zero.
    pub(crate) template: Vec<u64>,
    /// Objects of local variables.
    pub(crate) slots: Vec<SlotCode>,
    /// Whether some slot lives from the entry on.
    pub(crate) has_entry_slots: bool,
    /// Bytes of the stack that the slots take.
    pub(crate) frame_bytes: u64,
    /// Parameters in order.
    pub(crate) parameters: Vec<Home>,
    /// Places of its instructions.
    pub(crate) places: Vec<PlaceCode>,
    /// Calls of its instructions.
    pub(crate) calls: Vec<CallCode>,
    /// Operators of its slow instructions.
    pub(crate) slow: Vec<SlowCode<Reg>>,
    /// Types its instructions name.
    pub(crate) types: Vec<ScalarType>,
    /// Texts its instructions name.
    pub(crate) texts: Vec<Arc<str>>,
    /// Where each variable lives, for observers: sorted by variable.
    pub(crate) homes: Vec<(Id<Variable>, Home)>,
}
