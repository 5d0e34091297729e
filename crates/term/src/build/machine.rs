//! What the constructors of terms over machine data have in common: constants
//! are folded, also through a conditional between two constants, arguments of
//! commutative functions are ordered with a constant last, and equality.

use crate::{Args, Bv, Float, Node, Op, Sort, Term, TermStore, Value};

impl TermStore {
    /// A bit-vector constant.
    pub fn bv(&mut self, width: u32, bits: u128) -> Term {
        self.constant(Value::Bv(Bv::new(width, bits)))
    }

    /// A floating-point constant.
    pub fn float(&mut self, value: Float) -> Term {
        self.constant(Value::Float(value))
    }

    /// The bits of a constant.
    pub fn bv_value(&self, term: Term) -> Option<Bv> {
        self.value(term).and_then(Value::as_bv)
    }

    /// Applies a function to arguments that fit it.
    pub fn apply(&mut self, op: Op, arguments: &[Term]) -> Term {
        debug_assert!(
            op.sort(&arguments.iter().map(|t| self.sort(*t)).collect::<Vec<_>>()).is_some(),
            "{op:?} on {:?}",
            arguments.iter().map(|t| self.sort(*t)).collect::<Vec<_>>()
        );
        if let Some(folded) = self.fold(op, arguments) {
            return folded;
        }
        match *arguments {
            [a] => self.normal_unary(op, a),
            [a, b] if op.commutes() => {
                let constant_first = self.value(a).is_some();
                let swap = if self.value(b).is_some() { false } else { constant_first || b < a };
                let (a, b) = if swap { (b, a) } else { (a, b) };
                self.normal_binary(op, a, b)
            }
            [a, b] => self.normal_binary(op, a, b),
            [array, index, value] if op == Op::Store => self.normal_store(array, index, value),
            _ => self.plain(op, arguments),
        }
    }

    fn normal_unary(&mut self, op: Op, a: Term) -> Term {
        match op {
            Op::BvNot | Op::BvNeg => self.normal_bv_unary(op, a),
            Op::BvExtract(high, low) => self.normal_extract(a, high, low),
            Op::BvZeroExtend(by) => self.normal_zero_extend(a, by),
            Op::BvSignExtend(by) => self.normal_sign_extend(a, by),
            Op::BvToInt => self.normal_to_int(a),
            Op::IntToBv(width) => self.normal_int_to_bv(a, width),
            Op::ConstArray(_) => self.plain(op, &[a]),
            _ => self.normal_float_unary(op, a),
        }
    }

    fn normal_binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        match op {
            Op::BvConcat => self.normal_concat(a, b),
            Op::BvUlt | Op::BvSlt => self.normal_less(op, a, b),
            Op::Select => self.normal_select(a, b),
            _ if matches!(self.sort(a), Sort::Float(_)) => self.normal_float_binary(op, a, b),
            _ => self.normal_bv_binary(op, a, b),
        }
    }

    /// The node itself, already in normal form.
    pub(crate) fn plain(&mut self, op: Op, arguments: &[Term]) -> Term {
        let sorts: Vec<Sort> = arguments.iter().map(|t| self.sort(*t)).collect();
        let sort = op.sort(&sorts).unwrap_or(Sort::Bool);
        self.intern(Node::Apply(op, Args::new(arguments)), sort)
    }

    /// The result on constants, of which one may be a choice of two.
    pub(crate) fn fold(&mut self, op: Op, arguments: &[Term]) -> Option<Term> {
        let mut choice = None;
        for (i, &argument) in arguments.iter().enumerate() {
            match *self.node(argument) {
                Node::Value(_) => {}
                Node::Ite(c, a, b)
                    if choice.is_none() && self.value(a).is_some() && self.value(b).is_some() =>
                {
                    choice = Some((i, c, a, b));
                }
                _ => return None,
            }
        }
        let on = |store: &TermStore, arguments: &[Term]| {
            let values: Vec<&Value> = arguments.iter().filter_map(|t| store.value(*t)).collect();
            op.eval(&values)
        };
        let Some((position, c, a, b)) = choice else {
            let value = on(self, arguments);
            return Some(self.constant(value));
        };
        let [a, b] = [a, b].map(|branch| {
            let mut arguments = arguments.to_vec();
            arguments[position] = branch;
            let value = on(self, &arguments);
            self.constant(value)
        });
        Some(self.ite(c, a, b))
    }

    /// Equality of bit-vectors, floating-point numbers or arrays.
    pub(crate) fn equal(&mut self, a: Term, b: Term) -> Term {
        let (mut a, mut b) = (a, b);
        loop {
            if a == b {
                return self.bool(true);
            }
            if self.value(a).is_some() {
                (a, b) = (b, a);
            }
            let Some(constant) = self.value(b).cloned() else { break };
            match *self.node(a) {
                Node::Value(_) => return self.bool(false),
                Node::Ite(c, yes, no) => match (self.value(yes), self.value(no)) {
                    (Some(yes), Some(no)) => {
                        let (yes, no) = (*yes == constant, *no == constant);
                        let (yes, no) = (self.bool(yes), self.bool(no));
                        return self.ite(c, yes, no);
                    }
                    _ => break,
                },
                _ => {}
            }
            match constant.as_bv().map(|bits| self.solve_equal(a, bits)) {
                Some(Some(Some((inner, bits)))) => {
                    a = inner;
                    b = self.constant(Value::Bv(bits));
                }
                Some(Some(None)) => return self.bool(false),
                _ => break,
            }
        }
        if let Some((a, b)) = self.strip_equal(a, b) {
            return self.equal(a, b);
        }
        if self.surely_differ(a, b) {
            return self.bool(false);
        }
        self.intern(Node::Equal(a.min(b), a.max(b)), Sort::Bool)
    }

    /// Whether two terms have different values in every state, as far as that
    /// is easy to see: different constants, or different distances from the
    /// same term.
    pub(crate) fn surely_differ(&self, a: Term, b: Term) -> bool {
        match self.sort(a) {
            Sort::Int | Sort::Real => {
                let difference = self.linear(a).plus(&crate::Rat::from(-1), &self.linear(b));
                difference.as_constant().is_some_and(|c| !c.is_zero())
            }
            Sort::Bv(_) => {
                let ((x, c), (y, d)) = (self.bv_offset(a), self.bv_offset(b));
                x == y && c != d
            }
            _ => a != b && self.value(a).is_some() && self.value(b).is_some(),
        }
    }
}
