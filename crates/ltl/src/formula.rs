//! Formulas as hash-consed nodes in a store.
//!
//! The core has next, until and release; everything else is defined by them
//! when it is built: `<> a` is `true U a`, `[] a` is `false R a`, `a W b` is
//! `b R (a || b)`, `a M b` is `b U (a && b)`. Children have smaller ids than
//! their parents, so a walk over a formula is a loop, never a recursion.
//!
//! Constructors do no more than join operands and drop `true` and `false`:
//! they are trusted. Rewriting that needs an argument is elsewhere.

use parallax_base::{Id, IdVec, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// A letter of a word is a set of atoms, held in 64 bits.
pub const MAX_ATOMS: usize = 64;

/// A formula in a [`Store`].
pub type Sub = Id<Node>;

/// The core forms of formulas.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// Holds where the first letter has this atom.
    Atom(u32),
    /// Does not hold.
    Not(Sub),
    /// All hold: at least two different ones, none of them an `And`.
    And(Box<[Sub]>),
    /// Some holds: at least two different ones, none of them an `Or`.
    Or(Box<[Sub]>),
    /// Holds one step later.
    Next(Sub),
    /// The second holds at some time, and the first at all times before.
    Until(Sub, Sub),
    /// The second holds at all times up to and including the first time at
    /// which the first holds, or for ever.
    Release(Sub, Sub),
}

/// Formulas that share their parts.
#[derive(Clone, Debug)]
pub struct Store {
    nodes: IdVec<Node>,
    index: FxHashMap<Node, Sub>,
}

impl Default for Store {
    fn default() -> Store {
        let mut store = Store { nodes: IdVec::default(), index: FxHashMap::default() };
        store.intern(Node::True);
        store.intern(Node::False);
        store
    }
}

impl Store {
    /// The formula `true`.
    pub const TRUE: usize = 0;
    /// The formula `false`.
    pub const FALSE: usize = 1;

    fn intern(&mut self, node: Node) -> Sub {
        if let Some(&known) = self.index.get(&node) {
            return known;
        }
        let id = self.nodes.push(node.clone());
        self.index.insert(node, id);
        id
    }

    /// The form of a formula.
    pub fn node(&self, f: Sub) -> &Node {
        &self.nodes[f]
    }

    /// How many formulas there are; ids are below this.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: there are always the constants.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// `true` or `false`.
    pub fn constant(&self, value: bool) -> Sub {
        Id::new(if value { Store::TRUE } else { Store::FALSE })
    }

    /// The value of a constant.
    pub fn as_constant(&self, f: Sub) -> Option<bool> {
        match self.node(f) {
            Node::True => Some(true),
            Node::False => Some(false),
            _ => None,
        }
    }

    /// An atom.
    pub fn atom(&mut self, atom: u32) -> Sub {
        self.intern(Node::Atom(atom))
    }

    /// `! f`
    pub fn not(&mut self, f: Sub) -> Sub {
        match *self.node(f) {
            Node::True => self.constant(false),
            Node::False => self.constant(true),
            Node::Not(g) => g,
            _ => self.intern(Node::Not(f)),
        }
    }

    /// The conjunction of all parts.
    pub fn and(&mut self, parts: impl IntoIterator<Item = Sub>) -> Sub {
        self.join(parts, true)
    }

    /// The disjunction of all parts.
    pub fn or(&mut self, parts: impl IntoIterator<Item = Sub>) -> Sub {
        self.join(parts, false)
    }

    fn join(&mut self, parts: impl IntoIterator<Item = Sub>, and: bool) -> Sub {
        let mut all = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::And(inner) if and => all.extend_from_slice(inner),
                Node::Or(inner) if !and => all.extend_from_slice(inner),
                _ => all.push(part),
            }
        }
        let (neutral, absorbing) = (self.constant(and), self.constant(!and));
        if all.contains(&absorbing) {
            return absorbing;
        }
        let mut seen = FxHashSet::default();
        all.retain(|&f| f != neutral && seen.insert(f));
        if let [one] = all[..] {
            return one;
        }
        if all.is_empty() {
            return neutral;
        }
        // Found whatever the order, kept in the order of writing.
        let node = |parts: Vec<Sub>| match and {
            true => Node::And(parts.into()),
            false => Node::Or(parts.into()),
        };
        let mut sorted = all.clone();
        sorted.sort_unstable();
        let key = node(sorted);
        if let Some(&known) = self.index.get(&key) {
            return known;
        }
        let id = self.nodes.push(node(all));
        self.index.insert(key, id);
        id
    }

    /// `X f`
    pub fn next(&mut self, f: Sub) -> Sub {
        match self.as_constant(f) {
            Some(_) => f,
            None => self.intern(Node::Next(f)),
        }
    }

    /// `a U b`
    pub fn until(&mut self, a: Sub, b: Sub) -> Sub {
        match self.as_constant(b) {
            Some(_) => b,
            None => self.intern(Node::Until(a, b)),
        }
    }

    /// `a R b`
    pub fn release(&mut self, a: Sub, b: Sub) -> Sub {
        match self.as_constant(b) {
            Some(_) => b,
            None => self.intern(Node::Release(a, b)),
        }
    }

    /// `<> f`
    pub fn eventually(&mut self, f: Sub) -> Sub {
        self.until(self.constant(true), f)
    }

    /// `[] f`
    pub fn always(&mut self, f: Sub) -> Sub {
        self.release(self.constant(false), f)
    }

    /// `a W b`: until, or the first for ever.
    pub fn weak_until(&mut self, a: Sub, b: Sub) -> Sub {
        let either = self.or([a, b]);
        self.release(b, either)
    }

    /// `a M b`: release, and the first comes.
    pub fn strong_release(&mut self, a: Sub, b: Sub) -> Sub {
        let both = self.and([a, b]);
        self.until(b, both)
    }

    /// `a -> b`
    pub fn implies(&mut self, a: Sub, b: Sub) -> Sub {
        let no = self.not(a);
        self.or([no, b])
    }

    /// `a <-> b`
    pub fn iff(&mut self, a: Sub, b: Sub) -> Sub {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let (both, neither) = (self.and([a, b]), self.and([not_a, not_b]));
        self.or([both, neither])
    }

    /// The direct parts of a formula.
    pub fn children(&self, f: Sub) -> Vec<Sub> {
        match self.node(f) {
            Node::True | Node::False | Node::Atom(_) => Vec::new(),
            Node::Not(g) | Node::Next(g) => vec![*g],
            Node::Until(a, b) | Node::Release(a, b) => vec![*a, *b],
            Node::And(parts) | Node::Or(parts) => parts.to_vec(),
        }
    }

    /// All parts of a formula and itself, children before parents.
    pub fn parts(&self, root: Sub) -> Vec<Sub> {
        let mut needed = vec![false; self.len()];
        needed[root.index()] = true;
        for index in (0..self.len()).rev() {
            if needed[index] {
                self.children(Id::new(index)).iter().for_each(|c| needed[c.index()] = true);
            }
        }
        (0..self.len()).filter(|&i| needed[i]).map(Id::new).collect()
    }
}

/// What an atom is called and where it was written first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// Its text: a name, or an expression of a model.
    pub text: String,
    /// The place of the text, without quotes.
    pub span: Span,
}

/// A formula with the names of its atoms.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The nodes.
    pub store: Store,
    /// The formula.
    pub root: Sub,
    /// The atoms; [`Node::Atom`] counts in this order.
    pub atoms: Vec<Atom>,
}
