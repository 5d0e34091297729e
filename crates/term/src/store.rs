//! The term store: append-only and hash-consed.
//!
//! Invariants:
//! - A [`Term`] is an index; equal terms have equal indices.
//! - Children are older than parents, so increasing index is a topological
//!   order. Every traversal uses that instead of recursion: a term nested a
//!   million deep needs no stack.
//! - A frozen segment is shared, never changed. A clone of a store therefore
//!   agrees with it on all terms that existed when it was cloned.

use crate::{Args, Int, Linear, Op, Sort, Value};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::sync::Arc;

/// A term of some [`TermStore`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub(crate) u32);

impl Term {
    /// Position in the store; smaller for older terms.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a linear combination relates to zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// `<= 0`
    Le,
    /// `< 0`; only over the reals, integers are tightened to `Le`.
    Lt,
    /// `= 0`
    Eq,
}

/// The shape of a term. Built only by the constructors of [`TermStore`], which
/// keep the normal forms said at each variant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant.
    Value(Value),
    /// A free symbol; the name and the sort identify it.
    Var(Arc<str>, Sort),
    /// Negation; never of a constant or of another negation.
    Not(Term),
    /// Conjunction: at least two children, increasing, none a conjunction.
    And(Box<[Term]>),
    /// Disjunction: at least two children, increasing, none a disjunction.
    Or(Box<[Term]>),
    /// Equality of truth values; the first child is the older, none is negated.
    Iff(Term, Term),
    /// Conditional value, never a truth value.
    Ite(Term, Term, Term),
    /// A sum that is neither a constant nor a single plain term.
    Sum(Linear),
    /// A product of at least two non-constant numbers, increasing.
    Product(Box<[Term]>),
    /// Euclidean quotient; 0 when the divisor is 0.
    Div(Term, Term),
    /// Euclidean remainder; 0 when the divisor is 0.
    Mod(Term, Term),
    /// An integer read as a real.
    ToReal(Term),
    /// `linear REL 0`: coprime integer coefficients, the first one positive.
    Compare(Relation, Linear),
    /// Equality of bit-vectors, floating-point numbers (as in SMT-LIB, not as
    /// in IEEE 754) or arrays; the first child is the older.
    Equal(Term, Term),
    /// A function on machine data.
    Apply(Op, Args),
}

impl Node {
    /// Calls `visit` on each child.
    pub fn for_each_child(&self, mut visit: impl FnMut(Term)) {
        match self {
            Node::Value(_) | Node::Var(..) => {}
            Node::Not(a) | Node::ToReal(a) => visit(*a),
            Node::And(items) | Node::Or(items) | Node::Product(items) => {
                items.iter().copied().for_each(visit);
            }
            Node::Iff(a, b) | Node::Div(a, b) | Node::Mod(a, b) | Node::Equal(a, b) => {
                visit(*a);
                visit(*b);
            }
            Node::Ite(c, a, b) => {
                visit(*c);
                visit(*a);
                visit(*b);
            }
            Node::Apply(_, arguments) => arguments.iter().copied().for_each(visit),
            Node::Sum(linear) | Node::Compare(_, linear) => {
                linear.monomials().iter().for_each(|(t, _)| visit(*t));
            }
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Segment {
    base: u32,
    nodes: Vec<(Node, Sort)>,
    table: HashTable<u32>,
}

impl Segment {
    fn find(&self, hash: u64, node: &Node) -> Option<Term> {
        self.table.find(hash, |&i| self.nodes[i as usize].0 == *node).map(|&i| Term(self.base + i))
    }
}

/// All terms of a task. See the module text for the invariants.
#[derive(Clone, Debug, Default)]
pub struct TermStore {
    frozen: Vec<Arc<Segment>>,
    tail: Segment,
    fresh: u32,
}

impl TermStore {
    /// An empty store.
    pub fn new() -> TermStore {
        TermStore::default()
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.tail.base as usize + self.tail.nodes.len()
    }

    /// Whether there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes later clones cheap: they share all terms that exist now.
    pub fn freeze(&mut self) {
        if !self.tail.nodes.is_empty() {
            let base = self.len() as u32;
            let full = std::mem::replace(&mut self.tail, Segment { base, ..Segment::default() });
            self.frozen.push(Arc::new(full));
        }
    }

    /// A store for another thread or another purpose; terms older than the
    /// fork mean the same on both sides.
    #[must_use]
    pub fn fork(&mut self) -> TermStore {
        self.freeze();
        self.clone()
    }

    fn entry(&self, term: Term) -> &(Node, Sort) {
        let segment = if term.0 >= self.tail.base {
            &self.tail
        } else {
            let after = self.frozen.partition_point(|s| s.base <= term.0);
            &self.frozen[after - 1]
        };
        &segment.nodes[(term.0 - segment.base) as usize]
    }

    /// The shape of a term.
    pub fn node(&self, term: Term) -> &Node {
        &self.entry(term).0
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.entry(term).1
    }

    /// The value of a constant term.
    pub fn value(&self, term: Term) -> Option<&Value> {
        match self.node(term) {
            Node::Value(v) => Some(v),
            _ => None,
        }
    }

    /// The integer of a constant term.
    pub fn int_value(&self, term: Term) -> Option<&Int> {
        self.value(term).and_then(Value::as_int)
    }

    /// Whether the term is the constant `true`.
    pub fn is_true(&self, term: Term) -> bool {
        matches!(self.value(term), Some(Value::Bool(true)))
    }

    /// Whether the term is the constant `false`.
    pub fn is_false(&self, term: Term) -> bool {
        matches!(self.value(term), Some(Value::Bool(false)))
    }

    /// The name of a symbol.
    pub fn name(&self, term: Term) -> Option<&Arc<str>> {
        match self.node(term) {
            Node::Var(name, _) => Some(name),
            _ => None,
        }
    }

    /// Interns a node that is already in normal form.
    pub(crate) fn intern(&mut self, node: Node, sort: Sort) -> Term {
        let hash = FxBuildHasher.hash_one(&node);
        let known = self.frozen.iter().find_map(|s| s.find(hash, &node));
        if let Some(term) = known.or_else(|| self.tail.find(hash, &node)) {
            return term;
        }
        let tail = &mut self.tail;
        let local = tail.nodes.len() as u32;
        tail.nodes.push((node, sort));
        let nodes = &tail.nodes;
        tail.table.insert_unique(hash, local, |&i| FxBuildHasher.hash_one(&nodes[i as usize].0));
        Term(tail.base + local)
    }

    /// The symbol with this name and sort.
    pub fn var(&mut self, name: &str, sort: Sort) -> Term {
        self.intern(Node::Var(name.into(), sort), sort)
    }

    /// A symbol that occurs nowhere else in this store.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Term {
        loop {
            let (before, name) = (self.len(), format!("{prefix}!{}", self.fresh));
            self.fresh += 1;
            let term = self.var(&name, sort);
            if term.index() == before {
                return term;
            }
        }
    }

    /// All subterms of `roots` (themselves included), children before parents.
    pub fn subterms(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut found = Vec::new();
        let mut stack = roots.to_vec();
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                found.push(term);
                self.node(term).for_each_child(|child| stack.push(child));
            }
        }
        found.sort_unstable();
        found
    }

    /// The symbols that occur in a term, oldest first.
    pub fn vars(&self, term: Term) -> Vec<Term> {
        let mut all = self.subterms(&[term]);
        all.retain(|&t| matches!(self.node(t), Node::Var(..)));
        all
    }
}
