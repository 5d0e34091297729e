//! Our terms as Z3 expressions.
//!
//! Expressions are built in increasing order of terms, which is a topological
//! order, so no recursion is needed here. Z3 itself recurses over formulas:
//! beyond [`DEEPEST`] levels its stack is in danger, and a term is refused
//! instead. The symbol with index 7 is named `v7` for Z3: names of models may
//! hold any character, and two symbols may differ in their sort alone.

use crate::logic::Logic;
use crate::z3_machine::{self, z3_sort};
use crate::z3_number::Number;
use parallax_term::{Linear, Node, Rat, Relation, Sort, Term, TermStore, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use z3::ast::{Array, BV, Bool, Dynamic, Float, Int, Real};

/// Terms nested deeper are refused. Z3 5.4 was seen to overflow a stack of
/// 2 MiB at 100,000 levels and not at 10,000.
const DEEPEST: u32 = 10_000;

/// When more expressions are known than this, all are forgotten.
const REMEMBERED: usize = 1 << 20;

#[derive(Clone)]
pub(crate) enum Ast {
    Bool(Bool),
    Int(Int),
    Real(Real),
    Bv(BV),
    Float(Float),
    Array(Array),
}

impl Ast {
    pub(crate) fn dynamic(&self) -> Dynamic {
        match self {
            Ast::Bool(ast) => ast.into(),
            Ast::Int(ast) => ast.into(),
            Ast::Real(ast) => ast.into(),
            Ast::Bv(ast) => ast.into(),
            Ast::Float(ast) => ast.into(),
            Ast::Array(ast) => ast.into(),
        }
    }
}

struct Entry {
    ast: Ast,
    depth: u32,
    logic: Logic,
    /// To notice a caller that mixes stores.
    #[cfg(debug_assertions)]
    node: Node,
}

/// Remembers the expressions of terms. All belong to the context of the thread
/// that made it.
#[derive(Default)]
pub(crate) struct Translation {
    entries: FxHashMap<Term, Entry>,
}

impl Translation {
    /// The formula for Z3 with the logic it needs; `None` if it is nested too
    /// deeply.
    pub(crate) fn formula(&mut self, store: &TermStore, term: Term) -> Option<(Bool, Logic)> {
        if self.entries.len() > REMEMBERED {
            self.entries.clear();
        }
        self.extend(store, term);
        let entry = &self.entries[&term];
        #[cfg(debug_assertions)]
        assert_eq!(&entry.node, store.node(term), "one solver was used with two stores");
        match &entry.ast {
            Ast::Bool(formula) if entry.depth <= DEEPEST => Some((formula.clone(), entry.logic)),
            _ => None,
        }
    }

    /// The symbol for Z3, of any sort.
    pub(crate) fn symbol(&mut self, store: &TermStore, symbol: Term) -> Dynamic {
        self.extend(store, symbol);
        self.ast(symbol).dynamic()
    }

    /// The value a model of Z3 gives a symbol, the default if it leaves it
    /// open; `None` if it is none of our values.
    pub(crate) fn value(
        &mut self,
        store: &TermStore,
        model: &z3::Model,
        symbol: Term,
    ) -> Option<Value> {
        self.extend(store, symbol);
        let value = match &self.entries[&symbol].ast {
            Ast::Bool(ast) => model.get_const_interp(ast).map(|v| v.as_bool().map(Value::Bool)),
            Ast::Int(ast) => model.get_const_interp(ast).map(|v| v.value()),
            Ast::Real(ast) => model.get_const_interp(ast).map(|v| v.value()),
            machine => {
                let value = model.get_const_interp(&machine.dynamic());
                value.map(|v| z3_machine::value(model, &v, store.sort(symbol)))
            }
        };
        value.unwrap_or_else(|| Some(Value::default_of(store.sort(symbol))))
    }

    /// Translates the term and all its subterms that are not yet known.
    fn extend(&mut self, store: &TermStore, root: Term) {
        let mut missing = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !self.entries.contains_key(&term) && seen.insert(term) {
                missing.push(term);
                store.node(term).for_each_child(|child| stack.push(child));
            }
        }
        missing.sort_unstable();
        for term in missing {
            let entry = self.translate(store, term);
            self.entries.insert(term, entry);
        }
    }

    fn translate(&self, store: &TermStore, term: Term) -> Entry {
        let (node, sort) = (store.node(term), store.sort(term));
        let (mut depth, mut logic) = (0, Logic::of_node(store, term));
        node.for_each_child(|child| {
            let child = &self.entries[&child];
            depth = depth.max(child.depth);
            logic = logic.union(child.logic);
        });
        let ast = match node {
            Node::Value(Value::Bool(value)) => Ast::Bool(Bool::from_bool(*value)),
            Node::Not(a) => Ast::Bool(self.bool(*a).not()),
            Node::And(items) => Ast::Bool(Bool::and(&self.bools(items))),
            Node::Or(items) => Ast::Bool(Bool::or(&self.bools(items))),
            Node::Iff(a, b) => Ast::Bool(self.bool(*a).iff(self.bool(*b))),
            Node::Var(_, Sort::Bool) => Ast::Bool(Bool::new_const(symbol_name(term))),
            Node::Compare(relation, linear) => Ast::Bool(match store.sort(first(linear)) {
                Sort::Real => self.compare::<Real>(*relation, linear),
                _ => self.compare::<Int>(*relation, linear),
            }),
            Node::Div(a, b) => Ast::Int(self.quotient(store, *a, *b, Part::Quotient)),
            Node::Mod(a, b) => Ast::Int(self.quotient(store, *a, *b, Part::Remainder)),
            Node::ToReal(a) => Ast::Real(self.number::<Int>(*a).to_real()),
            Node::Equal(a, b) => Ast::Bool(self.equal(*a, *b)),
            Node::Apply(op, arguments) => {
                self.apply(*op, arguments, sort, store.sort(arguments[0]))
            }
            _ if !sort.is_number() => self.machine(term, node, sort),
            _ if sort == Sort::Real => Ast::Real(self.arithmetic(term, node)),
            _ => Ast::Int(self.arithmetic(term, node)),
        };
        Entry {
            ast,
            depth: depth + 1,
            logic,
            #[cfg(debug_assertions)]
            node: node.clone(),
        }
    }

    /// A symbol, a constant or a choice that is machine data.
    fn machine(&self, term: Term, node: &Node, sort: Sort) -> Ast {
        let ast = match node {
            Node::Value(value) => z3_machine::constant(value),
            Node::Var(..) => {
                let symbol = Dynamic::new_const(symbol_name(term), &z3_sort(sort));
                Some(z3_machine::wrap(&symbol, sort))
            }
            Node::Ite(c, a, b) => {
                let choice = self.bool(*c).ite(&self.ast(*a).dynamic(), &self.ast(*b).dynamic());
                Some(z3_machine::wrap(&choice, sort))
            }
            _ => None,
        };
        ast.unwrap_or_else(|| unreachable!("machine data of another shape"))
    }

    /// A node whose children are numbers of its own sort.
    fn arithmetic<N: Number>(&self, term: Term, node: &Node) -> N {
        match node {
            Node::Var(..) => N::symbol(&symbol_name(term)),
            Node::Ite(c, a, b) => self.bool(*c).ite(self.number(*a), self.number(*b)),
            Node::Sum(linear) => self.sum(linear),
            Node::Product(items) => {
                N::product(&items.iter().map(|t| self.number(*t)).collect::<Vec<&N>>())
            }
            Node::Value(value) => N::constant(&value.to_rat().unwrap_or(Rat::ZERO)),
            _ => unreachable!("a number of another shape"),
        }
    }

    fn sum<N: Number>(&self, linear: &Linear) -> N {
        let mut items: Vec<N> = Vec::with_capacity(linear.monomials().len() + 1);
        for (term, factor) in linear.monomials() {
            let term: &N = self.number(*term);
            items.push(match factor.is_one() {
                true => term.clone(),
                false => N::product(&[&N::constant(factor), term]),
            });
        }
        if !linear.constant_part().is_zero() || items.is_empty() {
            items.push(N::constant(linear.constant_part()));
        }
        if items.len() == 1 { items.swap_remove(0) } else { N::sum(&items) }
    }

    fn compare<N: Number>(&self, relation: Relation, linear: &Linear) -> Bool {
        let bound = -linear.constant_part();
        let left: N = self.sum(&linear.shifted(&bound));
        left.compare(relation, &N::constant(&bound))
    }

    /// SMT-LIB leaves division by zero open, our terms say 0. A negative
    /// constant divisor is made positive: quantifier elimination fails on it.
    fn quotient(&self, store: &TermStore, a: Term, b: Term, part: Part) -> Int {
        let (dividend, divisor): (&Int, &Int) = (self.number(a), self.number(b));
        let quotient = |divisor: &Int| match part {
            Part::Quotient => dividend.div(divisor),
            Part::Remainder => dividend.modulo(divisor),
        };
        match store.int_value(b) {
            Some(value) if value.signum() > 0 => quotient(divisor),
            Some(value) => {
                let opposite = quotient(&Int::constant(&Rat::from(-value)));
                if part == Part::Quotient { opposite.unary_minus() } else { opposite }
            }
            None => {
                let zero = Int::from_i64(0);
                divisor.eq(&zero).ite(&zero, &quotient(divisor))
            }
        }
    }

    pub(crate) fn ast(&self, term: Term) -> &Ast {
        &self.entries[&term].ast
    }

    fn bool(&self, term: Term) -> &Bool {
        match self.ast(term) {
            Ast::Bool(ast) => ast,
            _ => unreachable!("a number where a formula is expected"),
        }
    }

    fn bools(&self, terms: &[Term]) -> Vec<&Bool> {
        terms.iter().map(|term| self.bool(*term)).collect()
    }

    pub(crate) fn number<N: Number>(&self, term: Term) -> &N {
        match N::of(self.ast(term)) {
            Some(number) => number,
            None => unreachable!("a term of another sort"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Quotient,
    Remainder,
}

/// The first unknown of a comparison; its sort is that of the whole.
fn first(linear: &Linear) -> Term {
    linear.monomials()[0].0
}

pub(crate) fn symbol_name(symbol: Term) -> String {
    format!("v{}", symbol.index())
}
