//! The constructors of terms; each returns a normal form.
//!
//! Constants are folded, conjunctions and disjunctions are flat and sorted,
//! sums are [`Linear`], and a comparison over the integers is tightened:
//! `2x <= 3` is `x <= 1`, `x < y` is `x <= y - 1`. A comparison whose first
//! coefficient would be negative is stored as the negation of its complement,
//! so a predicate and its complement are one atom and its negation.

mod array;
mod bv;
mod float;
mod float_normal;
mod int_bits;
mod machine;
mod quotient;
mod resize;

pub use int_bits::IntType;

use crate::{Int, Linear, Node, Rat, Relation, Sort, Term, TermStore, Value};

impl TermStore {
    /// A constant.
    pub fn constant(&mut self, value: Value) -> Term {
        let sort = value.sort();
        self.intern(Node::Value(value), sort)
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> Term {
        self.constant(Value::Bool(value))
    }

    /// An integer constant.
    pub fn int(&mut self, value: impl Into<Int>) -> Term {
        self.constant(Value::Int(value.into()))
    }

    /// A real constant.
    pub fn real(&mut self, value: Rat) -> Term {
        self.constant(Value::Real(Box::new(value)))
    }

    /// `!a`
    pub fn not(&mut self, a: Term) -> Term {
        match self.node(a) {
            Node::Value(Value::Bool(b)) => {
                let flipped = !*b;
                self.bool(flipped)
            }
            Node::Not(inner) => *inner,
            _ => self.intern(Node::Not(a), Sort::Bool),
        }
    }

    /// Conjunction of any number of formulas; `true` for none.
    pub fn and(&mut self, items: impl IntoIterator<Item = Term>) -> Term {
        self.junction(items, true)
    }

    /// Disjunction of any number of formulas; `false` for none.
    pub fn or(&mut self, items: impl IntoIterator<Item = Term>) -> Term {
        self.junction(items, false)
    }

    /// Conjunction when `neutral` is true, else disjunction.
    fn junction(&mut self, items: impl IntoIterator<Item = Term>, neutral: bool) -> Term {
        let mut flat = Vec::new();
        for item in items {
            match self.node(item) {
                Node::Value(Value::Bool(b)) if *b == neutral => {}
                Node::Value(_) => return item,
                Node::And(children) if neutral => flat.extend_from_slice(children),
                Node::Or(children) if !neutral => flat.extend_from_slice(children),
                _ => flat.push(item),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let clash = flat.iter().any(|&t| match self.node(t) {
            Node::Not(inner) => flat.binary_search(inner).is_ok(),
            _ => false,
        });
        match flat.len() {
            _ if clash => self.bool(!neutral),
            0 => self.bool(neutral),
            1 => flat[0],
            _ if neutral => self.intern(Node::And(flat.into()), Sort::Bool),
            _ => self.intern(Node::Or(flat.into()), Sort::Bool),
        }
    }

    /// `a => b`
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or([not_a, b])
    }

    /// `a <=> b` for truth values.
    pub fn iff(&mut self, a: Term, b: Term) -> Term {
        let (mut a, mut b, mut flipped) = (a, b, false);
        for side in [&mut a, &mut b] {
            if let Node::Not(inner) = self.node(*side) {
                *side = *inner;
                flipped = !flipped;
            }
        }
        let same = match (
            self.value(a).and_then(Value::as_bool),
            self.value(b).and_then(Value::as_bool),
        ) {
            _ if a == b => self.bool(true),
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) => self.not(b),
            (_, Some(false)) => self.not(a),
            _ => self.intern(Node::Iff(a.min(b), a.max(b)), Sort::Bool),
        };
        if flipped { self.not(same) } else { same }
    }

    /// `if c then a else b`, for any sort.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        if a == b {
            return a;
        }
        match self.node(c) {
            Node::Value(Value::Bool(true)) => return a,
            Node::Value(Value::Bool(false)) => return b,
            Node::Not(inner) => {
                let inner = *inner;
                return self.ite(inner, b, a);
            }
            _ => {}
        }
        if self.sort(a) == Sort::Bool {
            let not_c = self.not(c);
            let (yes, no) = (self.and([c, a]), self.and([not_c, b]));
            return self.or([yes, no]);
        }
        if let Some(idle) = self.idle_choice(c, a, b) {
            return idle;
        }
        let sort = self.sort(a);
        self.intern(Node::Ite(c, a, b), sort)
    }

    /// A number as a linear combination.
    pub fn linear(&self, term: Term) -> Linear {
        match self.node(term) {
            Node::Sum(linear) => linear.clone(),
            Node::Value(value) => Linear::constant(value.to_rat().unwrap_or(Rat::ZERO)),
            _ => Linear::term(term),
        }
    }

    /// The term of a linear combination of the given numeric sort.
    pub fn sum(&mut self, linear: Linear, sort: Sort) -> Term {
        if let Some(term) = linear.as_term() {
            return term;
        }
        match linear.as_constant().and_then(|c| Value::number(c.clone(), sort)) {
            Some(value) => self.constant(value),
            None => self.intern(Node::Sum(linear), sort),
        }
    }

    /// `a + b`
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let linear = self.linear(a).plus(&Rat::ONE, &self.linear(b));
        let sort = self.sort(a);
        self.sum(linear, sort)
    }

    /// `a - b`
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let linear = self.linear(a).plus(&Rat::from(-1), &self.linear(b));
        let sort = self.sort(a);
        self.sum(linear, sort)
    }

    /// `-a`
    pub fn neg(&mut self, a: Term) -> Term {
        self.scale(&Rat::from(-1), a)
    }

    /// `factor * a`; over the integers the factor must be an integer.
    pub fn scale(&mut self, factor: &Rat, a: Term) -> Term {
        let linear = self.linear(a).scaled(factor);
        let sort = self.sort(a);
        self.sum(linear, sort)
    }

    /// `a * b`; linear when one side is constant.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let (la, lb) = (self.linear(a), self.linear(b));
        if let Some(c) = la.as_constant() {
            return self.scale(c, b);
        }
        if let Some(c) = lb.as_constant() {
            return self.scale(c, a);
        }
        let (mut factors, mut coefficient) = (Vec::new(), Rat::ONE);
        for (side, linear) in [(a, la), (b, lb)] {
            let plain = match linear.monomials() {
                [(term, c)] if linear.constant_part().is_zero() => {
                    coefficient = &coefficient * c;
                    *term
                }
                _ => side,
            };
            match self.node(plain) {
                Node::Product(items) => factors.extend_from_slice(items),
                _ => factors.push(plain),
            }
        }
        factors.sort_unstable();
        let sort = self.sort(a);
        let product = self.intern(Node::Product(factors.into()), sort);
        self.scale(&coefficient, product)
    }

    /// An integer read as a real.
    pub fn to_real(&mut self, a: Term) -> Term {
        match self.value(a).and_then(Value::to_rat) {
            Some(value) => self.real(value),
            None => self.intern(Node::ToReal(a), Sort::Real),
        }
    }

    /// `a <= b`
    pub fn le(&mut self, a: Term, b: Term) -> Term {
        self.compare(Relation::Le, a, b)
    }

    /// `a < b`
    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        self.compare(Relation::Lt, a, b)
    }

    /// `a >= b`
    pub fn ge(&mut self, a: Term, b: Term) -> Term {
        self.le(b, a)
    }

    /// `a > b`
    pub fn gt(&mut self, a: Term, b: Term) -> Term {
        self.lt(b, a)
    }

    /// `a = b`, for any sort.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        match self.sort(a) {
            Sort::Bool => self.iff(a, b),
            Sort::Int | Sort::Real => self.compare(Relation::Eq, a, b),
            Sort::Bv(_) | Sort::Float(_) | Sort::Array(..) => self.equal(a, b),
        }
    }

    fn compare(&mut self, relation: Relation, a: Term, b: Term) -> Term {
        let linear = self.linear(a).plus(&Rat::from(-1), &self.linear(b));
        let sort = self.sort(a);
        self.relate(relation, linear, sort)
    }

    /// The normal form of `linear REL 0`.
    pub fn relate(&mut self, relation: Relation, linear: Linear, sort: Sort) -> Term {
        if let Some(c) = linear.as_constant() {
            let truth = match relation {
                Relation::Le => c.signum() <= 0,
                Relation::Lt => c.signum() < 0,
                Relation::Eq => c.signum() == 0,
            };
            return self.bool(truth);
        }
        if let [(term, _)] = linear.monomials()
            && let Some(known) = self.relate_known(relation, &linear, *term, sort)
        {
            return known;
        }
        let linear = linear.scaled(&linear.primitive_factor());
        if sort == Sort::Int {
            return self.relate_int(relation, linear);
        }
        let minus = Rat::from(-1);
        if !linear.leads_negative() {
            return self.intern(Node::Compare(relation, linear), Sort::Bool);
        }
        let flipped = linear.scaled(&minus);
        let complement = match relation {
            Relation::Eq => return self.intern(Node::Compare(Relation::Eq, flipped), Sort::Bool),
            Relation::Le => Relation::Lt,
            Relation::Lt => Relation::Le,
        };
        let atom = self.intern(Node::Compare(complement, flipped), Sort::Bool);
        self.not(atom)
    }

    /// Coefficients are coprime integers; the constant may still be a fraction.
    fn relate_int(&mut self, relation: Relation, linear: Linear) -> Term {
        let minus = Rat::from(-1);
        let constant = linear.constant_part().clone();
        // sum + k <= 0 over integers is sum <= floor(-k); sum + k < 0 is sum <= ceil(-k) - 1.
        let bound = match relation {
            Relation::Eq => match constant.to_int() {
                None => return self.bool(false),
                Some(_) => {
                    let sign = if linear.leads_negative() { minus } else { Rat::ONE };
                    let node = Node::Compare(Relation::Eq, linear.scaled(&sign));
                    return self.intern(node, Sort::Bool);
                }
            },
            Relation::Le => (-&constant).floor(),
            Relation::Lt => &-&constant.floor() - &Int::ONE,
        };
        let tight = linear.shifted(&-&constant).shifted(&-&Rat::from(bound));
        if !tight.leads_negative() {
            return self.intern(Node::Compare(Relation::Le, tight), Sort::Bool);
        }
        // t <= 0 is !(t >= 1), that is !(1 - t <= 0).
        let complement = tight.scaled(&minus).shifted(&Rat::ONE);
        let atom = self.intern(Node::Compare(Relation::Le, complement), Sort::Bool);
        self.not(atom)
    }

    /// The atom under a literal, and whether the literal is positive.
    pub fn literal(&self, term: Term) -> (Term, bool) {
        match self.node(term) {
            Node::Not(inner) => (*inner, false),
            _ => (term, true),
        }
    }
}
