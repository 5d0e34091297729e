//! Terms from SMT-LIB text.
//!
//! Reads what [`TermStore::smtlib`] writes and what solvers answer: the core
//! theory, linear and nonlinear integer and real arithmetic, bit-vectors,
//! arrays, `let`, and annotations, which are skipped. Integers among reals are read as reals.
//!
//! `div` and `mod` by zero are read as 0, as everywhere in our terms; SMT-LIB
//! leaves them open. The guard that the printer puts around them is taken off
//! again, so that reading is the inverse of printing.

use crate::smtlib::apply::{OPERATORS, apply, ints};
use crate::smtlib::machine::{self, Head};
use crate::smtlib::ops;
use crate::smtlib::sexpr::{Atom, ReadError, Sexpr, Sexprs};
use crate::smtlib::{literal, unescape};
use crate::{Int, Node, Rat, Sort, Term, TermStore, Value};
use rustc_hash::FxHashMap;

/// A term that was read. `bare` is a quotient as it stands in the text, which
/// a guard around it may claim.
#[derive(Clone, Copy)]
struct Read {
    term: Term,
    bare: bool,
}

/// An open parenthesis.
enum Frame<'a> {
    /// `(operator argument*`, up to item `end`.
    Call { operator: Operator<'a>, at: Sexpr<'a>, arguments: Vec<Read> },
    /// `(let ((name term)*`; the names come into force after the last.
    Bindings { at: Sexpr<'a>, list: Sexpr<'a>, names: Vec<&'a str>, terms: Vec<Term> },
    /// The body of a `let` that brought these names into force.
    Body { at: Sexpr<'a>, names: Vec<&'a str> },
    /// `(! term attribute*`
    Annotated { at: Sexpr<'a> },
}

#[derive(Clone)]
enum Operator<'a> {
    Named(&'static str),
    Divisible(Int),
    Machine(Head<'a>),
}

impl TermStore {
    /// Reads a term. `scope` gives the meaning of free symbols, by their names
    /// without bars.
    pub fn read_smtlib_term(
        &mut self,
        text: &str,
        scope: &dyn Fn(&str) -> Option<Term>,
    ) -> Result<Term, ReadError> {
        let all = Sexprs::read(text)?;
        let mut items = all.iter();
        let Some(term) = items.next() else {
            return Err(ReadError::new(text, text.len(), "a term is missing"));
        };
        if let Some(more) = items.next() {
            return Err(ReadError::new(text, more.offset(), "the term ends before this"));
        }
        self.read_smtlib_sexpr(&all, term, scope)
    }

    /// Reads an s-expression as a term, like [`TermStore::read_smtlib_term`].
    pub fn read_smtlib_sexpr<'a>(
        &mut self,
        all: &'a Sexprs<'a>,
        root: Sexpr<'a>,
        scope: &dyn Fn(&str) -> Option<Term>,
    ) -> Result<Term, ReadError> {
        Reader::new(self, all, scope, Bound::default()).read(root)
    }
}

impl Value {
    /// The value as an SMT-LIB term.
    pub fn smtlib(&self) -> String {
        literal(self)
    }

    /// Reads a constant of the given sort, as solvers print them in models.
    pub fn from_smtlib(text: &str, sort: Sort) -> Option<Value> {
        match Value::read_smtlib(text)? {
            Value::Int(int) if sort == Sort::Real => Value::number(Rat::from(int), sort),
            value if value.sort() == sort => Some(value),
            Value::Real(real) if sort == Sort::Int => real.to_int().cloned().map(Value::Int),
            _ => None,
        }
    }

    /// Reads a constant of whatever sort it is.
    pub fn read_smtlib(text: &str) -> Option<Value> {
        let store = &mut TermStore::new();
        let term = store.read_smtlib_term(text, &|_| None).ok()?;
        store.value(term).cloned()
    }
}

/// Names bound by `let`, the innermost last.
pub(crate) type Bound<'a> = FxHashMap<&'a str, Vec<Term>>;

pub(crate) struct Reader<'a, 's> {
    pub(crate) store: &'s mut TermStore,
    pub(crate) all: &'a Sexprs<'a>,
    pub(crate) scope: &'s dyn Fn(&str) -> Option<Term>,
    pub(crate) bound: Bound<'a>,
    stack: Vec<Frame<'a>>,
}

impl<'a, 's> Reader<'a, 's> {
    /// A reader that knows the names of `bound`.
    pub(crate) fn new(
        store: &'s mut TermStore,
        all: &'a Sexprs<'a>,
        scope: &'s dyn Fn(&str) -> Option<Term>,
        bound: Bound<'a>,
    ) -> Reader<'a, 's> {
        Reader { store, all, scope, bound, stack: Vec::new() }
    }

    /// Reads one term; afterwards as many names are bound as before.
    pub(crate) fn read(&mut self, root: Sexpr<'a>) -> Result<Term, ReadError> {
        let mut next = root;
        loop {
            // Open frames until a term is complete, then close those it ends.
            let mut read = match self.open(next)? {
                Ok(read) => read,
                Err(inside) => {
                    next = inside;
                    continue;
                }
            };
            let mut after = next.end();
            loop {
                match self.close(read, after)? {
                    Step::Done(term) => return Ok(term),
                    Step::Next(sibling) => {
                        next = sibling;
                        break;
                    }
                    Step::Closed(outer, end) => (read, after) = (outer, end),
                }
            }
        }
    }

    /// Reads an atom, or opens a list and says what to read inside it.
    fn open(&mut self, item: Sexpr<'a>) -> Result<Result<Read, Sexpr<'a>>, ReadError> {
        if let Some(atom) = item.atom() {
            return self.atom(item, &atom).map(|term| Ok(Read { term, bare: false }));
        }
        let mut elements = item.elements();
        let Some(head) = elements.next() else { return self.fail(item, "`()` is no term") };
        if head.symbol() == Some("_") {
            return match machine::literal(item) {
                Some(value) => Ok(Ok(Read { term: self.store.constant(value), bare: false })),
                None => self.fail(item, "this is no known constant"),
            };
        }
        let mut first = elements.next();
        let missing = |reader: &Self| reader.fail(item, "arguments are missing");
        let frame = match head.symbol() {
            Some("let") => {
                let (Some(list), Some(_), None) = (first, elements.next(), elements.next()) else {
                    return self.fail(item, "`let` needs bindings and a body");
                };
                self.stack.push(Frame::Bindings {
                    at: item,
                    list,
                    names: Vec::new(),
                    terms: Vec::new(),
                });
                return self.binding(list.elements().next(), list).map(Err);
            }
            Some("!") => Frame::Annotated { at: item },
            Some(name) => match OPERATORS.iter().find(|known| **known == name) {
                Some(known) => {
                    Frame::Call { operator: Operator::Named(known), at: item, arguments: vec![] }
                }
                None => match machine::named(name) {
                    Some(known) => self.machine(item, known, &mut first)?,
                    None => return self.fail(head, format!("`{name}` is no known function")),
                },
            },
            None => match (divisor(head), machine::indexed(head)) {
                (Some(n), _) => {
                    Frame::Call { operator: Operator::Divisible(n), at: item, arguments: vec![] }
                }
                (None, Some(known)) => self.machine(item, known, &mut first)?,
                _ => return self.fail(head, "this is no known function"),
            },
        };
        let Some(first) = first else { return missing(self) };
        self.stack.push(frame);
        Ok(Err(first))
    }

    /// A call of a function on machine data. A direction of rounding that
    /// stands first is taken out of the arguments.
    fn machine(
        &self,
        item: Sexpr<'a>,
        mut head: Head<'a>,
        first: &mut Option<Sexpr<'a>>,
    ) -> Result<Frame<'a>, ReadError> {
        if head.rounds() {
            match first.and_then(Sexpr::symbol).filter(|name| head.in_mode(name)) {
                Some(_) => *first = item.elements().nth(2),
                None => match head {
                    Head::Rounding("to_fp", indices, _) => head = Head::FromBits(indices),
                    _ => return self.fail(item, "a direction of rounding is missing"),
                },
            }
        }
        Ok(Frame::Call { operator: Operator::Machine(head), at: item, arguments: vec![] })
    }

    /// Starts a binding of the innermost `let`, or its body after the last.
    fn binding(
        &mut self,
        binding: Option<Sexpr<'a>>,
        list: Sexpr<'a>,
    ) -> Result<Sexpr<'a>, ReadError> {
        if let Some(binding) = binding {
            let mut parts = binding.elements();
            let (name, term) = (parts.next().and_then(Sexpr::symbol), parts.next());
            let (Some(name), Some(term), None) = (name, term, parts.next()) else {
                return self.fail(binding, "a binding is `(name term)`");
            };
            if let Some(Frame::Bindings { names, .. }) = self.stack.last_mut() {
                names.push(name);
            }
            return Ok(term);
        }
        if let Some(Frame::Bindings { at, names, terms, .. }) = self.stack.pop() {
            for (name, term) in names.iter().zip(terms) {
                self.bound.entry(name).or_default().push(term);
            }
            self.stack.push(Frame::Body { at, names });
        }
        match self.all.at(list.end()) {
            Some(body) => Ok(body),
            None => self.fail(list, "`let` needs a body"),
        }
    }

    /// Hands a finished term to the innermost frame; `after` is the item that
    /// follows it.
    fn close(&mut self, read: Read, after: usize) -> Result<Step<'a>, ReadError> {
        let sibling = |end: usize| (after < end).then(|| self.all.at(after)).flatten();
        match self.stack.last_mut() {
            None => Ok(Step::Done(read.term)),
            Some(Frame::Annotated { at }) => {
                let end = at.end();
                self.stack.pop();
                Ok(Step::Closed(read, end))
            }
            Some(Frame::Body { at, names }) => {
                let end = at.end();
                for name in names.iter() {
                    self.bound.get_mut(name).map(Vec::pop);
                }
                self.stack.pop();
                Ok(Step::Closed(Read { bare: false, ..read }, end))
            }
            Some(Frame::Bindings { list, terms, .. }) => {
                terms.push(read.term);
                let (list, next) = (*list, sibling(list.end()));
                self.binding(next, list).map(Step::Next)
            }
            Some(Frame::Call { at, arguments, .. }) => {
                arguments.push(read);
                let end = at.end();
                if let Some(next) = sibling(end) {
                    return Ok(Step::Next(next));
                }
                let Some(Frame::Call { operator, at, arguments }) = self.stack.pop() else {
                    return Ok(Step::Done(read.term));
                };
                match self.call(&operator, &arguments) {
                    Ok(read) => Ok(Step::Closed(read, end)),
                    Err(message) => self.fail(at, message),
                }
            }
        }
    }

    pub(crate) fn fail<T>(
        &self,
        at: Sexpr<'_>,
        message: impl Into<String>,
    ) -> Result<T, ReadError> {
        Err(ReadError::new(self.all.text(), at.offset(), message))
    }

    fn atom(&mut self, item: Sexpr<'a>, atom: &Atom<'a>) -> Result<Term, ReadError> {
        match atom {
            Atom::Numeral(digits) => match digits.parse::<Int>() {
                Ok(int) => Ok(self.store.int(int)),
                Err(message) => self.fail(item, message),
            },
            Atom::Decimal(text) => {
                let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
                let num = format!("{whole}{fraction}").parse::<Int>();
                let den = format!("1{}", "0".repeat(fraction.len())).parse::<Int>();
                match num.and_then(|n| den.map(|d| Rat::new(n, d))) {
                    Ok(Some(value)) => Ok(self.store.real(value)),
                    _ => self.fail(item, "this is no decimal number"),
                }
            }
            Atom::Symbol(name) => {
                let bound = self.bound.get(name).and_then(|terms| terms.last().copied());
                let quoted = item.text().starts_with('|');
                let known = bound.or_else(|| match *name {
                    "true" if !quoted => Some(self.store.bool(true)),
                    "false" if !quoted => Some(self.store.bool(false)),
                    _ if name.starts_with('#') && !quoted => {
                        ops::read_bits(name).map(|bits| self.store.constant(Value::Bv(bits)))
                    }
                    _ => (self.scope)(&unescape(name)),
                });
                known.map_or_else(|| self.fail(item, format!("`{name}` is not known")), Ok)
            }
            Atom::Keyword(_) | Atom::String(_) => self.fail(item, "a term is expected here"),
        }
    }

    fn call(&mut self, operator: &Operator<'_>, arguments: &[Read]) -> Result<Read, String> {
        let terms: Vec<Term> = arguments.iter().map(|read| read.term).collect();
        let store = &mut *self.store;
        let plain = |term| Read { term, bare: false };
        let name = match operator {
            Operator::Named(name) => *name,
            Operator::Divisible(n) => {
                let [a] = ints(store, &terms)? else { return Err("one argument expected".into()) };
                let (a, n, zero) = (*a, store.int(n.clone()), store.int(0));
                let rest = store.modulo(a, n);
                return Ok(plain(store.eq(rest, zero)));
            }
            Operator::Machine(head) => {
                return machine::apply(store, head, &terms).map(plain);
            }
        };
        if let ("ite", [c, a, b]) = (name, arguments)
            && b.bare
            && let Node::Div(_, divisor) | Node::Mod(_, divisor) = *store.node(b.term)
        {
            let zero = store.int(0);
            if a.term == zero && c.term == store.eq(divisor, zero) {
                return Ok(plain(b.term));
            }
        }
        let bare = matches!((name, terms.len()), ("div" | "mod", 2));
        Ok(Read { term: apply(store, name, terms)?, bare })
    }
}

enum Step<'a> {
    /// The whole text is read.
    Done(Term),
    /// Read this next.
    Next(Sexpr<'a>),
    /// The term closed its frame, which ends before the item with this number.
    Closed(Read, usize),
}

/// The number of `(_ divisible n)`.
fn divisor(head: Sexpr<'_>) -> Option<Int> {
    let parts: Vec<_> = head.elements().take(4).collect();
    match parts.as_slice() {
        [a, b, n] if (a.symbol(), b.symbol()) == (Some("_"), Some("divisible")) => {
            n.text().parse().ok()
        }
        _ => None,
    }
}
