//! The instructions that every executor has, said once.
//!
//! `d` is where the result goes, `a` and `b` are operands, `to` is an
//! instruction, `k` a constant. [`instructions!`](crate::instructions) declares
//! an executor's set: these first, then its own. The set stays one flat enum,
//! because the loop that executes it is the hottest code there is.

use crate::{Binary, Function, ScalarType, Unary};
use parallax_base::Id;

/// A register of a frame.
pub trait Register: Copy + PartialEq + std::fmt::Debug {
    /// No register.
    const NONE: Self;

    /// The register with a number; numbers that do not fit give the last one.
    fn new(number: usize) -> Self;

    /// Its number.
    fn number(self) -> usize;
}

impl Register for u32 {
    const NONE: u32 = u32::MAX;

    fn new(number: usize) -> u32 {
        number.min(u32::MAX as usize - 1) as u32
    }

    fn number(self) -> usize {
        self as usize
    }
}

impl Register for u16 {
    const NONE: u16 = u16::MAX;

    fn new(number: usize) -> u16 {
        number.min(u16::MAX as usize - 1) as u16
    }

    fn number(self) -> usize {
        usize::from(self)
    }
}

/// How many registers a value takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// One register.
    One,
    /// A pointer in two: address and provenance.
    Pointer,
    /// A long value in two: low and high half.
    Wide,
}

/// An operator on values that do not fit the fast instructions.
#[derive(Clone, Copy, Debug)]
pub enum SlowOp {
    /// On a value of the type.
    Unary(Unary, ScalarType),
    /// On two values of the type; for shifts, the type of the amount.
    Binary(Binary, ScalarType, ScalarType),
    /// From one type to another.
    Convert(ScalarType, ScalarType),
    /// A check on the operands of a binary operator.
    Fits(Binary, ScalarType, ScalarType),
    /// A long integer as 64 bits: all ones if it is negative or larger.
    Saturate(ScalarType),
    /// A check on a conversion.
    FloatFits(ScalarType, ScalarType),
}

/// A slow operator with its registers.
#[derive(Clone, Copy, Debug)]
pub struct SlowCode<R> {
    /// What it computes.
    pub op: SlowOp,
    /// Where the result goes.
    pub d: R,
    /// The first operand.
    pub a: R,
    /// The second operand.
    pub b: R,
}

/// Whom a call calls.
#[derive(Clone, Copy, Debug)]
pub enum CalleeCode<R> {
    /// A function.
    Direct(Id<Function>),
    /// What the pointer in this register points to.
    Indirect(R),
}

/// A call.
#[derive(Clone, Debug)]
pub struct CallCode<R, A> {
    /// Whom.
    pub callee: CalleeCode<R>,
    /// With what.
    pub arguments: Vec<A>,
    /// Registers of the result, or `NONE`.
    pub result: R,
    /// The type of the result, if it is a scalar that is used.
    pub ty: Option<ScalarType>,
}

/// An instruction set that has the shared instructions.
pub trait Instructions<R>: Copy {
    /// A shared instruction in this set.
    fn shared(instr: Shared<R>) -> Self;

    /// Where it may jump to.
    fn target(&mut self) -> Option<&mut u32>;
}

/// Declares an instruction set of an executor: the shared instructions over
/// registers of a type, and its own.
#[macro_export]
macro_rules! instructions {
    ($(#[$meta:meta])* enum $name:ident of $reg:ident { $($own:tt)* }) => {
        $crate::instructions! { @list own [ [$(#[$meta])*] $name $reg { $($own)* } ] }
    };
    (@list $how:ident $given:tt) => {
        $crate::instructions! { @$how $given {
            Move { d, a; }
            Add32S { d, a, b; } Add32U { d, a, b; } Add64 { d, a, b; }
            Sub32S { d, a, b; } Sub32U { d, a, b; } Sub64 { d, a, b; }
            Mul32S { d, a, b; } Mul32U { d, a, b; } Mul64 { d, a, b; }
            DivU { d, a, b; } RemS { d, a, b; } RemU { d, a, b; }
            Shl32S { d, a, b; } Shl64 { d, a, b; }
            And { d, a, b; } Or { d, a, b; } Xor { d, a, b; }
            Eq { d, a, b; } Ne { d, a, b; }
            LtS { d, a, b; } LeS { d, a, b; } LtU { d, a, b; } LeU { d, a, b; }
            Not { d, a; } ToBool { d, a; }
            SExt8 { d, a; } SExt16 { d, a; } SExt32 { d, a; }
            ZExt8 { d, a; } ZExt16 { d, a; } ZExt32 { d, a; }
            Scale { d, a; k: u32 } Slow { ; op: u32 } ObjectSize { d, a; }
            CheckNonZero { a; kind: $crate::run::CheckKind }
            CheckShift { a; width: u32 }
            CheckAdd { a, b; bits: u32 } CheckSub { a, b; bits: u32 } CheckMul { a, b; bits: u32 }
            CheckAccessBytes { a, b; write: bool }
            CheckCallable { a; ty: u32 }
            Call { ; call: u32 } ReturnOne { a; }
            Free { a; } CopyBytes { to, from, size; } SetBytes { to, byte, size; }
            Error { ; text: u32 } Unsupported { ; text: u32 }
        } {
            Jump { } JumpZero { a } JumpNonZero { a } JumpEq { a, b } JumpNe { a, b }
            JumpLtS { a, b } JumpLeS { a, b } JumpLtU { a, b } JumpLeU { a, b }
        } { Return Unreachable Halt } }
    };
    (@own [ [$($meta:tt)*] $name:ident $reg:ident { $($own:tt)* } ]
        { $($plain:ident { $($r:ident),* ; $($o:ident : $ty:ty),* })* }
        { $($jump:ident { $($j:ident),* })* }
        { $($unit:ident)* }
    ) => {
        $($meta)*
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum $name {
            $($plain { $($r: $reg,)* $($o: $ty,)* },)*
            $($jump { $($j: $reg,)* to: u32 },)*
            $($unit,)*
            $($own)*
        }

        impl $crate::registers::Instructions<$reg> for $name {
            fn shared(instr: $crate::registers::Shared<$reg>) -> $name {
                use $crate::registers::Shared as S;
                match instr {
                    $(S::$plain { $($r,)* $($o,)* } => $name::$plain { $($r,)* $($o,)* },)*
                    $(S::$jump { $($j,)* to } => $name::$jump { $($j,)* to },)*
                    $(S::$unit => $name::$unit,)*
                }
            }

            fn target(&mut self) -> Option<&mut u32> {
                match self {
                    $($name::$jump { to, .. } => Some(to),)*
                    _ => None,
                }
            }
        }
    };
    (@generic []
        { $($plain:ident { $($r:ident),* ; $($o:ident : $ty:ty),* })* }
        { $($jump:ident { $($j:ident),* })* }
        { $($unit:ident)* }
    ) => {
        /// A shared instruction.
        #[derive(Clone, Copy, Debug)]
        #[expect(missing_docs, reason = "each name says the operator, the width and the sign")]
        pub enum Shared<R> {
            $($plain { $($r: R,)* $($o: $ty,)* },)*
            $($jump { $($j: R,)* to: u32 },)*
            $($unit,)*
        }
    };
}

instructions! { @list generic [] }
