//! Types, expressions and operations as text close to C.
//!
//! For people: labels of graphs, steps of counterexamples, listings. Names
//! that occur twice in a function get a number, so `x` and `x#2` are told
//! apart. Nothing here recurses on the depth of an expression, and text beyond
//! [`Printer::limit`] is cut with `…`, because expressions share parts and can
//! be much larger written out than in memory.

mod types;
mod words;

#[cfg(test)]
mod tests;

use self::words::{binary, bits_name, float_name, primitive_name};
use crate::{
    Argument, Base, Callee, Check, Expr, ExprKind, FloatKind, Halt, IntKind, LockRule, Op, Place,
    Program, Step, Type, Unary, Variable,
};
use parallax_base::Id;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Writes parts of a program as text.
#[derive(Clone, Debug)]
pub struct Printer<'a> {
    program: &'a Program,
    names: Vec<Arc<str>>,
    /// Whether names, numbers and conversions are as people write them.
    is_plain: bool,
    /// No text is longer than about this many bytes.
    pub limit: usize,
}

/// What is still to be written, last first.
enum Piece {
    Text(Cow<'static, str>),
    /// An expression, in parentheses if it binds less than this.
    Expr(Id<Expr>, u8),
    /// A place, in parentheses if it is a dereference and a postfix follows.
    Place(Id<Place>, bool),
}

/// How tightly things bind.
const LOWEST: u8 = 0;
const CONDITIONAL: u8 = 1;
const UNARY: u8 = 12;
const POSTFIX: u8 = 13;

impl<'a> Printer<'a> {
    /// A printer for a program.
    pub fn new(program: &'a Program) -> Printer<'a> {
        let mut seen: BTreeMap<(Option<usize>, &str), u32> = BTreeMap::new();
        let mut name = |id: Id<Variable>, v: &'a Variable| -> Arc<str> {
            if v.name.is_empty() {
                return format!("$string{}", id.index()).into();
            }
            let count = seen.entry((v.owner.map(Id::index), &v.name)).or_default();
            *count += 1;
            if *count == 1 { Arc::clone(&v.name) } else { format!("{}#{count}", v.name).into() }
        };
        let names = program.variables.iter_enumerated().map(|(id, v)| name(id, v)).collect();
        Printer { program, names, is_plain: false, limit: 4000 }
    }

    /// A printer for messages: names as in the text, though they may be ambiguous, no
    /// suffixes of numbers, and no conversions that keep a value or lead to the same
    /// place.
    pub fn plain(program: &'a Program) -> Printer<'a> {
        let names = program.variables.iter().map(|v| match v.name.is_empty() {
            true => Arc::from("string"),
            false => Arc::clone(&v.name),
        });
        Printer { program, names: names.collect(), is_plain: true, limit: 4000 }
    }

    /// Whether a conversion goes without saying.
    fn is_silent(&self, from: Id<Expr>, to: Id<Type>) -> bool {
        let types = &self.program.types;
        let (from, to) = (types.scalar(self.program.exprs[from].ty), types.scalar(to));
        match (from, to) {
            (Some(from), Some(to)) if from.is_pointer() || to.is_pointer() => {
                from.is_pointer() && to.is_pointer()
            }
            (Some(from), Some(to)) if from.is_float() || to.is_float() => false,
            (Some(from), Some(to)) => {
                from.bits() < to.bits() && (to.is_signed() || !from.is_signed())
            }
            _ => false,
        }
    }

    /// The name of a variable, unique in its function.
    pub fn variable(&self, id: Id<Variable>) -> &str {
        &self.names[id.index()]
    }

    /// A type, such as `unsigned int` or `char *(*)(int)`.
    pub fn ty(&self, id: Id<Type>) -> String {
        self.declarator(id, String::new(), 0)
    }

    /// A declaration of `name` with this type: `int x`, `char *argv[10]`.
    pub fn declaration(&self, id: Id<Type>, name: &str) -> String {
        self.declarator(id, name.to_owned(), 0)
    }

    /// An expression.
    pub fn expr(&self, id: Id<Expr>) -> String {
        self.write(vec![Piece::Expr(id, LOWEST)])
    }

    /// A place.
    pub fn place(&self, id: Id<Place>) -> String {
        self.write(vec![Piece::Place(id, false)])
    }

    /// What an edge does.
    pub fn op(&self, op: &Op) -> String {
        use Piece::{Expr, Place};
        let text = |t: &'static str| Piece::Text(Cow::Borrowed(t));
        let owned = |t: String| Piece::Text(Cow::Owned(t));
        let mut out = Vec::new();
        match op {
            Op::Skip => out.push(text("skip")),
            Op::Assume(e) => out.extend([text("["), Expr(*e, LOWEST), text("]")]),
            Op::Assign(to, e) => {
                out.extend([Place(*to, false), text(" = "), Expr(*e, CONDITIONAL)]);
            }
            Op::Copy { to, from } => {
                out.extend([Place(*to, false), text(" = "), Place(*from, false)]);
            }
            Op::Input { to, name } => {
                out.extend([Place(*to, false), owned(format!(" = {name}()"))]);
            }
            Op::Havoc { to, why } => {
                out.extend([Place(*to, false), owned(format!(" = any ({why})"))]);
            }
            Op::Check(check) => return self.check(check),
            Op::Call { to, callee, arguments } => {
                if let Some(to) = to {
                    out.extend([Place(*to, false), text(" = ")]);
                }
                match callee {
                    Callee::Direct(f) => {
                        out.push(owned(self.program.functions[*f].name.to_string()));
                    }
                    Callee::Indirect(e) => out.extend([text("(*"), Expr(*e, UNARY), text(")")]),
                }
                out.push(text("("));
                for (i, argument) in arguments.iter().enumerate() {
                    if i > 0 {
                        out.push(text(", "));
                    }
                    out.push(match argument {
                        Argument::Scalar(e) => Expr(*e, CONDITIONAL),
                        Argument::Aggregate(place) => Place(*place, false),
                    });
                }
                out.push(text(")"));
            }
            Op::Primitive { to, primitive, arguments } => {
                if let Some(to) = to {
                    out.extend([Place(*to, false), text(" = ")]);
                }
                out.extend([text(primitive_name(*primitive)), text("(")]);
                for (i, &argument) in arguments.iter().enumerate() {
                    if i > 0 {
                        out.push(text(", "));
                    }
                    out.push(Expr(argument, CONDITIONAL));
                }
                out.push(text(")"));
            }
            Op::Return(None) => out.push(text("return")),
            Op::Return(Some(Argument::Scalar(e))) => {
                out.extend([text("return "), Expr(*e, LOWEST)]);
            }
            Op::Return(Some(Argument::Aggregate(place))) => {
                out.extend([text("return "), Place(*place, false)]);
            }
            Op::Live(v, size) => {
                let ty = self.program.variables[*v].ty;
                out.push(owned(self.declaration(ty, self.variable(*v))));
                if let Some(size) = size {
                    out.extend([text(" of "), Expr(*size, LOWEST), text(" bytes")]);
                }
            }
            Op::Dead(v) => out.push(owned(format!("end of {}", self.variable(*v)))),
            Op::Error(what) => out.push(owned(format!("error: {what}"))),
            Op::Halt(Halt::End) => out.push(text("halt")),
            Op::Halt(Halt::Assumption) => out.push(text("blocked")),
            Op::Halt(Halt::Wait) => out.push(text("waits for ever")),
            Op::Unsupported(what) => out.push(owned(format!("unsupported: {what}"))),
        }
        out.reverse();
        self.write(out)
    }

    /// What a check demands: `check: x + 1 does not overflow`.
    pub fn check(&self, check: &Check) -> String {
        let expr = |e: &Id<Expr>| self.expr(*e);
        let verb = |write: bool| if write { "written" } else { "read" };
        let demand = match check {
            Check::Overflow(e) => format!("{} does not overflow", expr(e)),
            Check::Division(e) => format!("{} is not zero", expr(e)),
            Check::Shift(e) => format!("{} shifts by an amount below the width", expr(e)),
            Check::FloatConversion(e) => format!("{} fits", expr(e)),
            Check::Access { place, write } => {
                format!("{} can be {}", self.place(*place), verb(*write))
            }
            Check::AccessBytes { pointer, size, write } => {
                format!("{} bytes at {} can be {}", expr(size), expr(pointer), verb(*write))
            }
            Check::Initialized(place) => format!("{} was written before", self.place(*place)),
            Check::Free(e) => format!("{} can be freed", expr(e)),
            Check::Callable(e) => format!("{} is a function of this type", expr(e)),
            Check::Sequenced { place, apart } => {
                format!("{} is accessed in order: {}", self.place(*place), expr(apart))
            }
            Check::Index { array, within } => {
                format!("index of {} is within it: {}", self.place(*array), expr(within))
            }
            Check::Alone { place, write, .. } => {
                format!("nobody else accesses {} before it is {}", self.place(*place), verb(*write))
            }
            Check::AloneBytes { pointer, size, write } => {
                let (size, pointer) = (expr(size), expr(pointer));
                let verb = verb(*write);
                format!("nobody else accesses {size} bytes at {pointer} before they are {verb}")
            }
            Check::Lock(cell, rule) => format!("{} {}", self.place(*cell), demanded(*rule)),
            Check::Unreachable => "control does not arrive here".to_owned(),
        };
        format!("check: {demand}")
    }

    /// What went wrong when a check failed: `x + 1 overflows`.
    pub fn failure(&self, check: &Check) -> String {
        let quoted = |text: String| format!("`{text}`");
        let expr = |e: &Id<Expr>| quoted(self.expr(*e));
        let verb = |write: bool| if write { "written" } else { "read" };
        match check {
            Check::Overflow(e) => format!("{} overflows", expr(e)),
            Check::Division(e) => format!("the divisor {} is zero", expr(e)),
            Check::Shift(e) => format!("{} shifts by a bad amount", expr(e)),
            Check::FloatConversion(e) => format!("{} does not fit", expr(e)),
            Check::Access { place, write } => {
                let place = quoted(self.place(*place));
                format!("{place} is {} outside a live object", verb(*write))
            }
            Check::AccessBytes { pointer, size, write } => {
                let (size, pointer) = (expr(size), expr(pointer));
                format!("{size} bytes at {pointer} are {} outside a live object", verb(*write))
            }
            Check::Initialized(place) => {
                format!("{} is read and was never written", quoted(self.place(*place)))
            }
            Check::Free(e) => format!("{} is freed and is no live heap object", expr(e)),
            Check::Callable(e) => format!("{} is called and is no such function", expr(e)),
            Check::Sequenced { place, .. } => {
                let place = quoted(self.place(*place));
                format!("{place} is written and accessed again in no fixed order")
            }
            Check::Index { array, .. } => {
                format!("an index leaves the array {}", quoted(self.place(*array)))
            }
            Check::Alone { place, write, .. } => {
                let place = quoted(self.place(*place));
                format!("{place} is {} while another thread accesses it", verb(*write))
            }
            Check::AloneBytes { pointer, size, write } => {
                let (size, pointer, verb) = (expr(size), expr(pointer), verb(*write));
                format!("{size} bytes at {pointer} are {verb} while another thread accesses them")
            }
            Check::Lock(cell, rule) => {
                format!("the lock {} {}", quoted(self.place(*cell)), broken(*rule))
            }
            Check::Unreachable => "what is declared unreachable is reached".into(),
        }
    }

    /// Writes pieces, the last first.
    fn write(&self, mut open: Vec<Piece>) -> String {
        let mut out = String::new();
        while let Some(piece) = open.pop() {
            if out.len() > self.limit {
                out.push('…');
                break;
            }
            match piece {
                Piece::Text(text) => out.push_str(&text),
                Piece::Expr(id, least) => self.open_expr(id, least, &mut open),
                Piece::Place(id, postfix) => self.open_place(id, postfix, &mut open),
            }
        }
        out
    }

    /// Puts the pieces of an expression on the stack.
    fn open_expr(&self, id: Id<Expr>, least: u8, open: &mut Vec<Piece>) {
        use Piece::{Expr, Place};
        let text = |t: &'static str| Piece::Text(Cow::Borrowed(t));
        let owned = |t: String| Piece::Text(Cow::Owned(t));
        let e = &self.program.exprs[id];
        let (own, mut parts) = match &e.kind {
            ExprKind::Int(value) => {
                let shown = self.integer(*value, e.ty);
                (if shown.starts_with('-') { UNARY } else { POSTFIX }, vec![owned(shown)])
            }
            ExprKind::Float(bits) => (POSTFIX, vec![owned(self.float(*bits, e.ty))]),
            ExprKind::Load(place) => (POSTFIX, vec![Place(*place, least >= POSTFIX)]),
            ExprKind::Address(place) => (UNARY, vec![text("&"), Place(*place, true)]),
            ExprKind::Function(f) => {
                (POSTFIX, vec![owned(self.program.functions[*f].name.to_string())])
            }
            ExprKind::Unary(op, a) => match op {
                Unary::Neg => (UNARY, vec![text("-"), Expr(*a, UNARY + 1)]),
                Unary::BitNot => (UNARY, vec![text("~"), Expr(*a, UNARY)]),
                Unary::Not => (UNARY, vec![text("!"), Expr(*a, UNARY)]),
                Unary::Float(f) => {
                    (POSTFIX, vec![text(float_name(*f)), text("("), Expr(*a, LOWEST), text(")")])
                }
                Unary::Bits(f) => {
                    (POSTFIX, vec![text(bits_name(*f)), text("("), Expr(*a, LOWEST), text(")")])
                }
            },
            ExprKind::Binary(op, a, b) => {
                let (sign, own) = binary(*op);
                (own, vec![Expr(*a, own), text(sign), Expr(*b, own + 1)])
            }
            ExprKind::Convert(a) if self.is_plain && self.is_silent(*a, e.ty) => {
                open.push(Expr(*a, least));
                return;
            }
            ExprKind::Convert(a) => {
                (UNARY, vec![owned(format!("({})", self.ty(e.ty))), Expr(*a, UNARY)])
            }
            ExprKind::PointerAdd { pointer, index, scale } => {
                let mut parts = vec![Expr(*pointer, 10), text(" + ")];
                match self.program.exprs[*scale].kind {
                    ExprKind::Int(_) => parts.push(Expr(*index, 11)),
                    _ => parts.extend([Expr(*index, 11), text(" * "), Expr(*scale, 12)]),
                }
                (10, parts)
            }
            ExprKind::PointerDiff { left, right, .. } => {
                (10, vec![Expr(*left, 10), text(" - "), Expr(*right, 11)])
            }
            ExprKind::Conditional(c, a, b) => {
                let parts = [Expr(*c, 2), text(" ? "), Expr(*a, LOWEST), text(" : ")];
                (CONDITIONAL, parts.into_iter().chain([Expr(*b, CONDITIONAL)]).collect())
            }
            ExprKind::ObjectSize(a) => (POSTFIX, vec![text("$size("), Expr(*a, LOWEST), text(")")]),
        };
        if own < least {
            parts.insert(0, text("("));
            parts.push(text(")"));
        }
        open.extend(parts.into_iter().rev());
    }

    /// Puts the pieces of a place on the stack.
    fn open_place(&self, id: Id<Place>, postfix: bool, open: &mut Vec<Piece>) {
        use Piece::Expr;
        let text = |t: &'static str| Piece::Text(Cow::Borrowed(t));
        let owned = |t: String| Piece::Text(Cow::Owned(t));
        let place = &self.program.places[id];
        let mut parts = Vec::new();
        let mut steps = place.path.iter();
        match place.base {
            Base::Variable(v) => parts.push(owned(self.variable(v).to_owned())),
            Base::Pointer(pointer) => match (&self.program.exprs[pointer].kind, place.path.first())
            {
                (ExprKind::PointerAdd { pointer, index, .. }, _) => {
                    parts.extend([Expr(*pointer, POSTFIX), text("["), Expr(*index, LOWEST)]);
                    parts.push(text("]"));
                }
                (_, Some(Step::Member(record, member))) => {
                    let name = self.member(*record, *member);
                    parts.extend([Expr(pointer, POSTFIX), owned(format!("->{name}"))]);
                    steps.next();
                }
                (_, None) if !postfix => parts.extend([text("*"), Expr(pointer, UNARY)]),
                _ => parts.extend([text("(*"), Expr(pointer, UNARY), text(")")]),
            },
        }
        for step in steps {
            match step {
                Step::Member(record, member) => {
                    parts.push(owned(format!(".{}", self.member(*record, *member))));
                }
                Step::Index(index) => {
                    parts.extend([text("["), Expr(*index, LOWEST), text("]")]);
                }
            }
        }
        open.extend(parts.into_iter().rev());
    }

    fn member(&self, record: Id<crate::Record>, member: u32) -> String {
        let found = self.program.types.records[record].members.get(member as usize);
        let name = found.and_then(|m| m.name.clone());
        name.map_or_else(|| format!("${member}"), |name| name.to_string())
    }

    fn integer(&self, value: i128, ty: Id<Type>) -> String {
        match self.program.types.get(ty) {
            Type::Pointer { .. } if value == 0 => String::from("NULL"),
            Type::Pointer { .. } => format!("({}){value:#x}", self.ty(ty)),
            Type::Enum(e) => {
                let known = &self.program.types.enumerations[*e].constants;
                let name = known.iter().find(|(_, v)| *v == value);
                name.map_or_else(|| value.to_string(), |(name, _)| name.to_string())
            }
            Type::Int(kind) => match kind {
                IntKind::UInt128 => (value as u128).to_string(),
                _ if self.is_plain => value.to_string(),
                IntKind::UInt => format!("{value}U"),
                IntKind::Long => format!("{value}L"),
                IntKind::ULong => format!("{value}UL"),
                IntKind::LongLong => format!("{value}LL"),
                IntKind::ULongLong => format!("{value}ULL"),
                _ => value.to_string(),
            },
            _ => value.to_string(),
        }
    }

    fn float(&self, bits: u128, ty: Id<Type>) -> String {
        match self.program.types.get(ty) {
            Type::Float(FloatKind::Float) => format!("{:?}f", f32::from_bits(bits as u32)),
            Type::Float(FloatKind::Double) => format!("{:?}", f64::from_bits(bits as u64)),
            _ => format!("{bits:#x}"),
        }
    }
}

/// What is demanded of a lock.
fn demanded(rule: LockRule) -> &'static str {
    match rule {
        LockRule::Mine => "is held by this thread",
        LockRule::NotMine => "is not held by this thread",
        LockRule::Held => "is held",
        LockRule::Free => "is free",
    }
}

/// What a lock is that breaks a rule.
fn broken(rule: LockRule) -> &'static str {
    match rule {
        LockRule::Mine => "is unlocked by a thread that does not hold it",
        LockRule::NotMine => "is locked by the thread that holds it",
        LockRule::Held => "is unlocked and nobody holds it",
        LockRule::Free => "is destroyed while it is held",
    }
}
