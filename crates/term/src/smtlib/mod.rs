//! Terms as SMT-LIB 2.6 text.
//!
//! A subterm that occurs more than once is bound by `let`, so the text is not
//! larger than the term is. Division by an unknown is guarded, because our
//! quotients are 0 for a zero divisor and SMT-LIB leaves them open. Reading
//! the text back gives the same term.

mod apply;
mod float;
mod lets;
mod machine;
pub(crate) mod ops;
mod read;
mod script;
mod sexpr;

pub use lets::Lets;
pub use script::ScriptWriter;
pub use sexpr::{Atom, ReadError, Sexpr, Sexprs};

use crate::{
    Bv, FloatRange, Linear, Node, Op, Rat, Relation, RoundingMode, Sort, Term, TermStore, Value,
};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fmt::Write;

/// Words that are not free to be the name of a symbol.
const RESERVED: &[&str] = &[
    "!",
    "*",
    "+",
    "-",
    "/",
    "<",
    "<=",
    "=",
    "=>",
    ">",
    ">=",
    "_",
    "abs",
    "and",
    "as",
    "assert",
    "check-sat",
    "distinct",
    "div",
    "divisible",
    "echo",
    "exists",
    "exit",
    "fp",
    "false",
    "forall",
    "is_int",
    "ite",
    "let",
    "match",
    "mod",
    "not",
    "or",
    "par",
    "pop",
    "push",
    "reset",
    "to_int",
    "to_real",
    "true",
    "xor",
];

/// A name as an SMT-LIB symbol, quoted if need be.
///
/// A name that no symbol can have (a theory's word, a bar or a backslash in
/// it) is written `%name` with `%`, bars, backslashes and control characters
/// as `%XX`. Different names have different symbols, and the reader goes back.
pub fn smtlib_symbol(name: &str) -> String {
    let odd = |c: char| matches!(c, '|' | '\\') || c.is_control();
    let mut text = String::new();
    let reserved = RESERVED.contains(&name) || ops::is_reserved(name);
    if name.is_empty() || name.starts_with('%') || name.contains(odd) || reserved {
        text.push('%');
        for c in name.chars() {
            if odd(c) || c == '%' {
                let _ = write!(text, "%{:02X}", c as u32);
            } else {
                text.push(c);
            }
        }
    } else {
        text.push_str(name);
    }
    let simple = |b: u8| b.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&b);
    if text.bytes().all(simple) && !text.starts_with(|c: char| c.is_ascii_digit()) {
        text
    } else {
        format!("|{text}|")
    }
}

/// The name behind a symbol that [`smtlib_symbol`] wrote, given without its bars.
pub fn smtlib_name(symbol: &str) -> String {
    unescape(symbol).into_owned()
}

/// The name behind a symbol, given without its bars.
pub(crate) fn unescape(symbol: &str) -> Cow<'_, str> {
    let Some(escaped) = symbol.strip_prefix('%') else { return symbol.into() };
    let mut name = String::new();
    let mut parts = escaped.split('%');
    name.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let code = part.get(..2).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        match code.and_then(char::from_u32) {
            Some(c) => {
                name.push(c);
                name.push_str(&part[2..]);
            }
            None => return symbol.into(),
        }
    }
    name.into()
}

/// What is still to be written: a text or a term, innermost last.
pub(crate) enum Piece {
    Text(Cow<'static, str>),
    Term(Term),
}

impl TermStore {
    /// The term as SMT-LIB text.
    pub fn smtlib(&self, term: Term) -> String {
        let all = self.subterms(&[term]);
        let uses = self.uses(&all);
        let mut prefix = String::from("$");
        let clashes = |prefix: &str| {
            let taken = |t: &&Term| self.name(**t).is_some_and(|n| n.starts_with(prefix));
            all.iter().any(|t| taken(&t))
        };
        while clashes(&prefix) {
            prefix.push('$');
        }
        let mut names: FxHashMap<Term, String> = FxHashMap::default();
        let (mut out, mut open) = (String::new(), 0);
        for &shared in &all {
            if uses.get(&shared).is_some_and(|n| *n > 1) && !self.is_leaf(shared) {
                let name = format!("{prefix}{open}");
                let _ = write!(out, "(let (({name} ");
                self.write_smtlib(shared, &names, &mut out);
                out.push_str(")) ");
                names.insert(shared, name);
                open += 1;
            }
        }
        self.write_smtlib(term, &names, &mut out);
        out.extend(std::iter::repeat_n(')', open));
        out
    }

    pub(crate) fn is_leaf(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Value(_) | Node::Var(..))
    }

    /// How often each term is written below the others in `all`.
    pub(crate) fn uses(&self, all: &[Term]) -> FxHashMap<Term, u32> {
        let mut uses = FxHashMap::default();
        for &term in all {
            self.node(term).for_each_child(|child| *uses.entry(child).or_default() += 1);
            // An unknown divisor is written twice.
            if let Node::Div(_, b) | Node::Mod(_, b) = self.node(term) {
                *uses.entry(*b).or_default() += 1;
            }
            // So is a number whose integer may not fit.
            if let Node::Apply(
                Op::FloatToSigned(..) | Op::FloatToUnsigned(..) | Op::FloatToBits,
                x,
            ) = self.node(term)
            {
                *uses.entry(x[0]).or_default() += 1;
            }
        }
        uses
    }

    /// Writes the term; terms in `names` are written by name, but not the term
    /// itself, so that a definition can be written.
    pub(crate) fn write_smtlib(
        &self,
        term: Term,
        names: &FxHashMap<Term, String>,
        out: &mut String,
    ) {
        let mut stack = Vec::new();
        self.pieces(term, &mut stack);
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => out.push_str(&text),
                Piece::Term(term) => match names.get(&term) {
                    Some(name) => out.push_str(name),
                    None => self.pieces(term, &mut stack),
                },
            }
        }
    }

    /// Pushes the pieces of a term, the last to be written first.
    fn pieces(&self, term: Term, stack: &mut Vec<Piece>) {
        let from = stack.len();
        match self.node(term) {
            Node::Value(value) => stack.push(Piece::Text(literal(value).into())),
            Node::Var(name, _) => stack.push(Piece::Text(smtlib_symbol(name).into())),
            Node::Not(a) => call("not", &[*a], stack),
            Node::And(items) => call("and", items, stack),
            Node::Or(items) => call("or", items, stack),
            Node::Iff(a, b) | Node::Equal(a, b) => call("=", &[*a, *b], stack),
            Node::Apply(
                op @ (Op::FloatToSigned(mode, width) | Op::FloatToUnsigned(mode, width)),
                x,
            ) => {
                let signed = matches!(op, Op::FloatToSigned(..));
                self.conversion_pieces(*op, (*mode, signed, *width), x[0], stack);
            }
            Node::Apply(op @ Op::FloatToBits, x) => {
                let bits = ops::nan_bits(self.sort(x[0]));
                stack.push(Piece::Text("(ite ".into()));
                call("fp.isNaN", x, stack);
                stack.push(Piece::Text(format!(" {bits} ").into()));
                call(&ops::head(*op, self.sort(term)), x, stack);
                stack.push(Piece::Text(")".into()));
            }
            Node::Apply(op, arguments) => {
                call(&ops::head(*op, self.sort(term)), arguments, stack);
            }
            Node::Ite(c, a, b) => call("ite", &[*c, *a, *b], stack),
            Node::Product(items) => call("*", items, stack),
            Node::ToReal(a) => call("to_real", &[*a], stack),
            Node::Div(a, b) => self.quotient_pieces("div", *a, *b, stack),
            Node::Mod(a, b) => self.quotient_pieces("mod", *a, *b, stack),
            Node::Sum(linear) => {
                let sort = self.sort(term);
                side(linear.monomials().iter().cloned(), linear.constant_part(), sort, stack);
            }
            Node::Compare(relation, linear) => self.comparison_pieces(*relation, linear, stack),
        }
        stack[from..].reverse();
    }

    fn quotient_pieces(&self, operator: &str, a: Term, b: Term, stack: &mut Vec<Piece>) {
        if self.value(b).is_some() {
            return call(operator, &[a, b], stack);
        }
        stack.push(Piece::Text("(ite (= ".into()));
        stack.push(Piece::Term(b));
        stack.push(Piece::Text(" 0) 0 ".into()));
        call(operator, &[a, b], stack);
        stack.push(Piece::Text(")".into()));
    }

    /// A conversion to an integer that is 0 where the integer does not fit.
    fn conversion_pieces(
        &self,
        op: Op,
        (mode, signed, width): (RoundingMode, bool, u32),
        a: Term,
        stack: &mut Vec<Piece>,
    ) {
        let Sort::Float(format) = self.sort(a) else { return };
        let range = FloatRange::new(mode, format, signed, width);
        let text = |text: String| Piece::Text(text.into());
        let number = |stack: &mut Vec<Piece>| match range.of_rounded {
            true => call(&ops::head(Op::FloatRound(mode), Sort::Bool), &[a], stack),
            false => stack.push(Piece::Term(a)),
        };
        let above = if range.low_is_inside { "fp.leq" } else { "fp.lt" };
        stack.push(text(format!("(ite (and ({above} {} ", ops::float(range.low))));
        number(stack);
        stack.push(text(") (fp.lt ".into()));
        number(stack);
        stack.push(text(format!(" {})) ", ops::float(range.high))));
        call(&ops::head(op, Sort::Bv(width)), &[a], stack);
        stack.push(text(format!(" {})", ops::bits(Bv::new(width, 0)))));
    }

    /// Positive monomials left, negative ones right, the constant right.
    fn comparison_pieces(&self, relation: Relation, linear: &Linear, stack: &mut Vec<Piece>) {
        let sort = linear.monomials().first().map_or(Sort::Int, |(t, _)| self.sort(*t));
        let (left, right): (Vec<_>, Vec<_>) =
            linear.monomials().iter().cloned().partition(|(_, c)| c.signum() > 0);
        stack.push(Piece::Text(
            match relation {
                Relation::Le => "(<= ",
                Relation::Lt => "(< ",
                Relation::Eq => "(= ",
            }
            .into(),
        ));
        side(left.into_iter(), &Rat::ZERO, sort, stack);
        stack.push(Piece::Text(" ".into()));
        let flipped = right.into_iter().map(|(t, c)| (t, -&c));
        side(flipped, &-linear.constant_part(), sort, stack);
        stack.push(Piece::Text(")".into()));
    }
}

fn call(operator: &str, arguments: &[Term], stack: &mut Vec<Piece>) {
    stack.push(Piece::Text(format!("({operator}").into()));
    for argument in arguments {
        stack.push(Piece::Text(" ".into()));
        stack.push(Piece::Term(*argument));
    }
    stack.push(Piece::Text(")".into()));
}

/// A sum of monomials and a constant that is left out when it is zero.
fn side(
    monomials: impl ExactSizeIterator<Item = (Term, Rat)>,
    constant: &Rat,
    sort: Sort,
    stack: &mut Vec<Piece>,
) {
    let shows_constant = !constant.is_zero() || monomials.len() == 0;
    let several = monomials.len() + usize::from(shows_constant) > 1;
    if several {
        stack.push(Piece::Text("(+".into()));
    }
    let space = if several { " " } else { "" };
    for (term, factor) in monomials {
        if factor.is_one() {
            stack.push(Piece::Text(space.into()));
            stack.push(Piece::Term(term));
        } else {
            stack.push(Piece::Text(format!("{space}(* {} ", number(&factor, sort)).into()));
            stack.push(Piece::Term(term));
            stack.push(Piece::Text(")".into()));
        }
    }
    if shows_constant {
        stack.push(Piece::Text(format!("{space}{}", number(constant, sort)).into()));
    }
    if several {
        stack.push(Piece::Text(")".into()));
    }
}

/// A value as an SMT-LIB term.
pub(crate) fn literal(value: &Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Int(int) => number(&Rat::from(int.clone()), Sort::Int),
        Value::Real(real) => number(real, Sort::Real),
        Value::Bv(bits) => ops::bits(*bits),
        Value::Float(float) => ops::float(*float),
        Value::Array(array) => ops::array(array),
    }
}

fn number(value: &Rat, sort: Sort) -> String {
    let (num, den) = (value.num().abs(), value.den());
    let size = match sort {
        Sort::Real if den.is_one() => format!("{num}.0"),
        Sort::Real => format!("(/ {num}.0 {den}.0)"),
        _ => num.to_string(),
    };
    if value.signum() < 0 { format!("(- {size})") } else { size }
}
