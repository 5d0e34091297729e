//! Words for operators, functions and primitives.

use crate::{Binary, BitFunction, FloatFunction, Primitive};

/// The sign of an operator and how tightly it binds.
pub(super) fn binary(op: Binary) -> (&'static str, u8) {
    match op {
        Binary::BitOr => (" | ", 4),
        Binary::BitXor => (" ^ ", 5),
        Binary::BitAnd => (" & ", 6),
        Binary::Eq => (" == ", 7),
        Binary::Ne => (" != ", 7),
        Binary::Lt => (" < ", 8),
        Binary::Le => (" <= ", 8),
        Binary::Gt => (" > ", 8),
        Binary::Ge => (" >= ", 8),
        Binary::Shl => (" << ", 9),
        Binary::Shr => (" >> ", 9),
        Binary::Add => (" + ", 10),
        Binary::Sub => (" - ", 10),
        Binary::Mul => (" * ", 11),
        Binary::Div => (" / ", 11),
        Binary::Rem => (" % ", 11),
    }
}

pub(super) fn float_name(function: FloatFunction) -> &'static str {
    match function {
        FloatFunction::Fabs => "fabs",
        FloatFunction::Sqrt => "sqrt",
        FloatFunction::Floor => "floor",
        FloatFunction::Ceil => "ceil",
        FloatFunction::Trunc => "trunc",
        FloatFunction::Round => "round",
        FloatFunction::Rint => "rint",
        FloatFunction::IsNan => "isnan",
        FloatFunction::IsInf => "isinf",
        FloatFunction::IsFinite => "isfinite",
        FloatFunction::IsNormal => "isnormal",
        FloatFunction::SignBit => "signbit",
    }
}

pub(super) fn bits_name(function: BitFunction) -> &'static str {
    match function {
        BitFunction::PopCount => "$popcount",
        BitFunction::LeadingZeros => "$leading_zeros",
        BitFunction::TrailingZeros => "$trailing_zeros",
        BitFunction::ByteSwap => "$byte_swap",
    }
}

pub(super) fn primitive_name(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Allocate => "$allocate",
        Primitive::AllocateLocal => "$allocate_local",
        Primitive::Free => "$free",
        Primitive::CopyBytes => "$copy_bytes",
        Primitive::SetBytes => "$set_bytes",
        Primitive::HavocBytes => "$havoc_bytes",
        Primitive::VaStart => "$va_start",
        Primitive::VaArg => "$va_arg",
        Primitive::VaCopy => "$va_copy",
        Primitive::VaEnd => "$va_end",
        Primitive::Spawn => "$spawn",
        Primitive::Join => "$join",
        Primitive::ThreadExit => "$thread_exit",
        Primitive::ThreadSelf => "$thread_self",
        Primitive::ThreadMark => "$thread_mark",
        Primitive::Sleep => "$sleep",
        Primitive::Rise => "$rise",
        Primitive::Wake => "$wake",
        Primitive::WakeAll => "$wake_all",
        Primitive::Yield => "$yield",
        Primitive::Lock => "$lock",
        Primitive::Unlock => "$unlock",
        Primitive::AtomicBegin => "$atomic_begin",
        Primitive::AtomicWhen => "$atomic_when",
        Primitive::AtomicEnd => "$atomic_end",
        Primitive::Atom => "$atom",
        Primitive::Letter => "$letter",
    }
}
