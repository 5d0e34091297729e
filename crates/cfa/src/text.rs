//! Types, expressions and operations as text close to C.
//!
//! For people: labels of graphs, steps of counterexamples, listings. Names
//! that occur twice in a function get a number, so `x` and `x#2` are told
//! apart. Nothing here recurses on the depth of an expression, and text beyond
//! [`Printer::limit`] is cut with `…`, because expressions share parts and can
//! be much larger written out than in memory.

use crate::{
    Argument, ArrayLength, Base, Binary, BitFunction, Callee, Check, Expr, ExprKind, FloatFunction,
    FloatKind, IntKind, Op, Place, Primitive, Program, Step, Type, Unary, Variable,
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
        Printer { program, names, limit: 4000 }
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
            Op::Halt => out.push(text("halt")),
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
        };
        format!("check: {demand}")
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
                IntKind::UInt => format!("{value}U"),
                IntKind::Long => format!("{value}L"),
                IntKind::ULong => format!("{value}UL"),
                IntKind::LongLong => format!("{value}LL"),
                IntKind::ULongLong => format!("{value}ULL"),
                IntKind::UInt128 => (value as u128).to_string(),
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

    /// Wraps a type around what was declared so far, from the inside out.
    fn declarator(&self, id: Id<Type>, name: String, depth: u32) -> String {
        /// Types nested deeper than this are not written out.
        const DEPTH: u32 = 40;
        let types = &self.program.types;
        let (mut id, mut inner, mut after_pointer) = (id, name, false);
        let plain = loop {
            if inner.len() > self.limit {
                return inner;
            }
            let parenthesized = |inner: String| match after_pointer {
                true => format!("({inner})"),
                false => inner,
            };
            match types.get(id) {
                Type::Pointer { to, .. } => {
                    inner = format!("*{inner}");
                    (id, after_pointer) = (*to, true);
                }
                Type::Array { of, length } => {
                    let length = match length {
                        ArrayLength::Fixed(n) => n.to_string(),
                        ArrayLength::Unknown => String::new(),
                        ArrayLength::Variable(_) => String::from("*"),
                    };
                    inner = format!("{}[{length}]", parenthesized(inner));
                    (id, after_pointer) = (*of, false);
                }
                Type::Function(f) => {
                    let mut list: Vec<String> = match depth < DEPTH {
                        true => f.parameters.iter().map(|&p| self.deeper(p, depth)).collect(),
                        false => vec!["…".into()],
                    };
                    if f.variadic {
                        list.push("...".into());
                    } else if list.is_empty() && f.prototyped {
                        list.push("void".into());
                    }
                    inner = format!("{}({})", parenthesized(inner), list.join(", "));
                    (id, after_pointer) = (f.result, false);
                }
                Type::Void => break Cow::Borrowed("void"),
                Type::Int(kind) => break Cow::Borrowed(int_name(*kind)),
                Type::Float(kind) => break Cow::Borrowed(float_type(*kind)),
                Type::Complex(kind) => break Cow::Owned(format!("{} _Complex", float_type(*kind))),
                Type::Enum(e) => {
                    let name = types.enumerations[*e].name.as_deref();
                    break Cow::Owned(format!("enum {}", name.unwrap_or("$")));
                }
                Type::Record(r) => {
                    let record = &types.records[*r];
                    let word = if record.is_union { "union" } else { "struct" };
                    break Cow::Owned(format!("{word} {}", record.name.as_deref().unwrap_or("$")));
                }
                Type::VaList => break Cow::Borrowed("va_list"),
            }
        };
        if inner.is_empty() { plain.into_owned() } else { format!("{plain} {inner}") }
    }

    fn deeper(&self, id: Id<Type>, depth: u32) -> String {
        self.declarator(id, String::new(), depth + 1)
    }
}

/// The sign of an operator and how tightly it binds.
fn binary(op: Binary) -> (&'static str, u8) {
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

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Bool => "_Bool",
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::ULongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
    }
}

fn float_type(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Float128 => "_Float128",
    }
}

fn float_name(function: FloatFunction) -> &'static str {
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

fn bits_name(function: BitFunction) -> &'static str {
    match function {
        BitFunction::PopCount => "$popcount",
        BitFunction::LeadingZeros => "$leading_zeros",
        BitFunction::TrailingZeros => "$trailing_zeros",
        BitFunction::ByteSwap => "$byte_swap",
    }
}

fn primitive_name(primitive: Primitive) -> &'static str {
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DataModel, FunctionType, Qualifiers, Storage, Types};
    use parallax_base::{IdVec, Span};

    /// A program with nothing in it.
    fn empty() -> Program {
        Program {
            types: Types::new(DataModel::Lp64),
            exprs: IdVec::default(),
            places: IdVec::default(),
            variables: IdVec::default(),
            initials: Vec::new(),
            functions: IdVec::default(),
            main: None,
        }
    }

    fn variable(program: &mut Program, name: &str, ty: Id<Type>) -> Id<Place> {
        let id = program.variables.push(Variable {
            name: name.into(),
            ty,
            storage: Storage::Local,
            owner: None,
            address_taken: false,
            read_only: false,
            size: 4,
            align: 4,
            span: Span::default(),
        });
        let base = Base::Variable(id);
        program.places.push(Place { base, path: Vec::new(), ty, bits: None, volatile: false })
    }

    #[test]
    fn expressions_have_the_parentheses_they_need() {
        let mut p = empty();
        let int = p.types.int(IntKind::Int);
        let pointer = p.types.pointer(int);
        let (x, q) = (variable(&mut p, "x", int), variable(&mut p, "q", pointer));
        let twin = variable(&mut p, "x", int);
        let mut add = |kind, ty| p.exprs.push(Expr { kind, ty });
        let x = add(ExprKind::Load(x), int);
        let one = add(ExprKind::Int(1), int);
        let sum = add(ExprKind::Binary(Binary::Add, x, one), int);
        let product = add(ExprKind::Binary(Binary::Mul, sum, sum), int);
        let minus = add(ExprKind::Unary(Unary::Neg, product), int);
        let nested = add(ExprKind::Unary(Unary::Neg, minus), int);
        let left = add(ExprKind::Binary(Binary::Sub, x, sum), int);
        let q = add(ExprKind::Load(q), pointer);
        let next = add(ExprKind::PointerAdd { pointer: q, index: x, scale: one }, pointer);
        let null = add(ExprKind::Int(0), pointer);
        let test = add(ExprKind::Binary(Binary::Eq, q, null), int);
        let either = add(ExprKind::Conditional(test, sum, one), int);
        let cell =
            Place { base: Base::Pointer(next), path: vec![], ty: int, bits: None, volatile: false };
        let cell = p.places.push(cell);
        let star =
            Place { base: Base::Pointer(q), path: vec![], ty: int, bits: None, volatile: false };
        let star = p.places.push(star);
        let printer = Printer::new(&p);
        assert_eq!(printer.expr(nested), "-(-((x + 1) * (x + 1)))");
        assert_eq!(printer.expr(left), "x - (x + 1)");
        assert_eq!(printer.expr(either), "q == NULL ? x + 1 : 1");
        assert_eq!(printer.op(&Op::Assign(cell, either)), "q[x] = q == NULL ? x + 1 : 1");
        assert_eq!(printer.op(&Op::Assign(star, one)), "*q = 1");
        assert_eq!(printer.op(&Op::Assign(twin, one)), "x#2 = 1");
        assert_eq!(printer.check(&Check::Overflow(sum)), "check: x + 1 does not overflow");
    }

    #[test]
    fn types_read_as_declarations() {
        let mut p = empty();
        let char = p.types.int(IntKind::Char);
        let string = p.types.pointer(char);
        let function = FunctionType {
            result: string,
            parameters: vec![char, string],
            variadic: true,
            prototyped: true,
        };
        let function = p.types.intern(Type::Function(function));
        let pointer = p.types.pointer(function);
        let table = p.types.intern(Type::Array { of: pointer, length: ArrayLength::Fixed(3) });
        let rows = p.types.intern(Type::Array { of: char, length: ArrayLength::Fixed(8) });
        let row = p.types.intern(Type::Pointer { to: rows, qualifiers: Qualifiers::default() });
        let printer = Printer::new(&p);
        assert_eq!(printer.ty(string), "char *");
        assert_eq!(printer.declaration(table, "f"), "char *(*f[3])(char, char *, ...)");
        assert_eq!(printer.declaration(row, "r"), "char (*r)[8]");
    }

    #[test]
    fn shared_and_deep_expressions_are_cut() {
        let mut p = empty();
        let int = p.types.int(IntKind::Int);
        let mut e = p.exprs.push(Expr { kind: ExprKind::Int(1), ty: int });
        for _ in 0..100_000 {
            e = p.exprs.push(Expr { kind: ExprKind::Binary(Binary::BitXor, e, e), ty: int });
        }
        let text = Printer::new(&p).expr(e);
        assert!(text.ends_with('…') && text.len() < 5000, "{}", text.len());
    }
}
