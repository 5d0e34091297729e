//! Attributes that change the meaning of a declaration. The rest is ignored.

use super::{Checked, Checker, Ty};
use crate::ast::{Attribute, ExprKind};
use parallax_base::Diagnostic;
use parallax_cfa::{FloatKind, IntKind, Type};

/// What the attributes of a declaration say together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Attributes {
    pub(super) align: Option<u64>,
    pub(super) packed: bool,
    /// `#pragma pack(n)`, which the parser passes on as an attribute.
    pub(super) pack: Option<u64>,
    pub(super) mode: Option<Mode>,
    pub(super) vector: bool,
    pub(super) noreturn: bool,
    pub(super) transparent_union: bool,
    /// A function is called when the variable ends.
    pub(super) cleanup: bool,
    /// The function or variable is another one's name.
    pub(super) alias: bool,
    /// The symbol gives way to another definition, or may have none.
    pub(super) weak: bool,
    /// The function, or the one that the variable points to, runs before
    /// `main`: the smallest number first.
    pub(super) constructor: Option<i128>,
    /// The function runs after `main`, or around it in an order of its own.
    pub(super) around_main: bool,
}

/// A machine mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// An integer of so many bytes.
    Int(u64),
    /// A float.
    Float(FloatKind),
}

impl Attributes {
    /// Both together; the larger alignment counts.
    pub(super) fn join(self, other: Attributes) -> Attributes {
        Attributes {
            align: self.align.max(other.align),
            packed: self.packed || other.packed,
            pack: self.pack.or(other.pack),
            mode: self.mode.or(other.mode),
            vector: self.vector || other.vector,
            noreturn: self.noreturn || other.noreturn,
            transparent_union: self.transparent_union || other.transparent_union,
            cleanup: self.cleanup || other.cleanup,
            alias: self.alias || other.alias,
            weak: self.weak || other.weak,
            constructor: self.constructor.or(other.constructor),
            around_main: self.around_main || other.around_main,
        }
    }
}

impl Checker<'_> {
    /// Reads a list of attributes.
    pub(super) fn attributes(&mut self, list: &[Attribute]) -> Attributes {
        let mut all = Attributes::default();
        for attribute in list {
            match &*attribute.name {
                "aligned" => {
                    let align = match attribute.arguments.first() {
                        None => Ok(self.model().largest_align()),
                        Some(argument) => self.alignment(*argument),
                    };
                    all.align = all.align.max(align.ok());
                }
                "packed" => all.packed = true,
                "pack" => {
                    let value = attribute.arguments.first().map(|a| self.alignment(*a));
                    all.pack = value.and_then(Result::ok).filter(|n| *n > 0);
                }
                "mode" => all.mode = self.mode(attribute).or(all.mode),
                "vector_size" => all.vector = true,
                "noreturn" => all.noreturn = true,
                "transparent_union" => all.transparent_union = true,
                "cleanup" => all.cleanup = true,
                "alias" | "ifunc" | "weakref" => all.alias = true,
                "weak" => all.weak = true,
                "constructor" => all.constructor = Some(self.priority(attribute)),
                "destructor" => all.around_main = true,
                "section" => self.section(attribute, &mut all),
                _ => {}
            }
        }
        all
    }

    /// The value of an alignment: zero or a power of two.
    pub(super) fn alignment(
        &mut self,
        argument: parallax_base::Id<crate::ast::Expr>,
    ) -> Checked<u64> {
        let value = self.constant_expression(argument, "an alignment")?;
        let span = self.unit.exprs[argument].span;
        let align = self.require_range(value, 1 << 28, span, "an alignment")?;
        if align != 0 && !align.is_power_of_two() {
            let error = Diagnostic::error("C1006", span, "an alignment must be a power of two");
            return Err(self.error(error));
        }
        Ok(align)
    }

    /// When a function runs before `main`: those without a number come last.
    fn priority(&mut self, attribute: &Attribute) -> i128 {
        let given = attribute.arguments.first().copied();
        let value = given.and_then(|e| self.constant_expression(e, "a priority").ok());
        value.unwrap_or(i128::MAX)
    }

    /// Sections that hold pointers to functions that run before or after `main`.
    fn section(&self, attribute: &Attribute, all: &mut Attributes) {
        let Some(argument) = attribute.arguments.first() else { return };
        let ExprKind::Str(units, _) = &self.unit.exprs[*argument].kind else { return };
        let name: String = units.iter().filter_map(|unit| char::from_u32(*unit)).collect();
        let mut parts = name.split('.').skip(1);
        match (parts.next(), parts.next()) {
            (Some("preinit_array"), None) => all.constructor = Some(-1),
            (Some("init_array"), None) => all.constructor = Some(i128::MAX),
            (Some("init_array"), Some(number)) => match number.parse() {
                Ok(number) => all.constructor = Some(number),
                Err(_) => all.around_main = true,
            },
            // `.init.text` and its kin are sections like any other.
            (Some("init" | "fini"), None) | (Some("ctors" | "dtors" | "fini_array"), _) => {
                all.around_main = true;
            }
            _ => {}
        }
    }

    fn mode(&self, attribute: &Attribute) -> Option<Mode> {
        let argument = attribute.arguments.first()?;
        let ExprKind::Name(name) = &self.unit.exprs[*argument].kind else { return None };
        Some(match name.trim_matches('_') {
            "QI" | "byte" => Mode::Int(1),
            "HI" => Mode::Int(2),
            "SI" => Mode::Int(4),
            "DI" => Mode::Int(8),
            "TI" => Mode::Int(16),
            "word" | "pointer" | "unwind_word" => Mode::Int(self.model().word()),
            "SF" => Mode::Float(FloatKind::Float),
            "DF" => Mode::Float(FloatKind::Double),
            "XF" => Mode::Float(FloatKind::LongDouble),
            "TF" => Mode::Float(FloatKind::Float128),
            _ => return None,
        })
    }

    /// A type as changed by `mode` and `vector_size`.
    pub(super) fn apply_mode(&mut self, ty: Ty, attributes: &Attributes) -> Ty {
        let Some(mode) = attributes.mode else { return ty };
        let signed = self.types().int_kind(ty.id).is_none_or(IntKind::is_signed);
        let new = match mode {
            Mode::Float(kind) => Type::Float(kind),
            Mode::Int(size) => {
                let kind = match size {
                    1 => IntKind::SChar,
                    2 => IntKind::Short,
                    4 => IntKind::Int,
                    8 if self.model().word() == 8 => IntKind::Long,
                    8 => IntKind::LongLong,
                    _ => IntKind::Int128,
                };
                Type::Int(if signed { kind } else { kind.to_unsigned() })
            }
        };
        Ty { id: self.out.types.intern(new), ..ty }
    }
}
