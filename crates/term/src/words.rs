//! Straight-line code over machine words: the fast half of evaluation.
//!
//! Nearly all values of a search fit an `i64`. Code without reals and without
//! huge constants is compiled a second time into operations on words, truth
//! values as 0 and 1. Every operation is checked: when a value does not fit,
//! the run is given up and the exact code takes over, so words never decide
//! anything that exact arithmetic would decide otherwise.

use crate::{Int, Linear, Node, Relation, Term, TermStore, Value};

type Register = u32;

#[derive(Clone, Debug)]
enum Op {
    Constant(i64),
    Load(usize),
    Not(Register),
    And(Box<[Register]>),
    Or(Box<[Register]>),
    Same(Register, Register),
    Ite(Register, Register, Register),
    Sum(Sum),
    Product(Box<[Register]>),
    Div(Register, Register),
    Mod(Register, Register),
    Le(Sum),
    Zero(Sum),
}

#[derive(Clone, Debug)]
struct Sum {
    constant: i64,
    monomials: Box<[(Register, i64)]>,
}

/// Code over words.
#[derive(Clone, Debug)]
pub(crate) struct Words(Box<[Op]>);

impl Words {
    /// The word code of `terms`, which are closed under subterms and in
    /// topological order; `None` if some term needs more than words.
    pub(crate) fn compile(
        store: &TermStore,
        terms: &[Term],
        register: &dyn Fn(Term) -> Register,
        slot: &dyn Fn(Term) -> Option<usize>,
    ) -> Option<Words> {
        let list = |items: &[Term]| items.iter().map(|&t| register(t)).collect();
        let word = |c: &crate::Rat| c.to_int().and_then(Int::to_i64);
        let sum = |linear: &Linear| {
            let monomials: Option<Box<[_]>> =
                linear.monomials().iter().map(|(t, c)| Some((register(*t), word(c)?))).collect();
            Some(Sum { constant: word(linear.constant_part())?, monomials: monomials? })
        };
        let op = |&term: &Term| {
            Some(match store.node(term) {
                Node::Value(Value::Bool(b)) => Op::Constant(i64::from(*b)),
                Node::Value(Value::Int(i)) => Op::Constant(i.to_i64()?),
                Node::Value(Value::Real(_)) | Node::ToReal(_) => return None,
                Node::Var(..) => slot(term).map_or(Op::Constant(0), Op::Load),
                Node::Not(a) => Op::Not(register(*a)),
                Node::And(items) => Op::And(list(items)),
                Node::Or(items) => Op::Or(list(items)),
                Node::Iff(a, b) => Op::Same(register(*a), register(*b)),
                Node::Ite(c, a, b) => Op::Ite(register(*c), register(*a), register(*b)),
                Node::Sum(linear) => Op::Sum(sum(linear)?),
                Node::Product(items) => Op::Product(list(items)),
                Node::Div(a, b) => Op::Div(register(*a), register(*b)),
                Node::Mod(a, b) => Op::Mod(register(*a), register(*b)),
                Node::Compare(Relation::Le, linear) => Op::Le(sum(linear)?),
                Node::Compare(Relation::Eq, linear) => Op::Zero(sum(linear)?),
                Node::Compare(Relation::Lt, _) => return None,
            })
        };
        terms.iter().map(op).collect::<Option<Box<[Op]>>>().map(Words)
    }

    /// Runs on a state; `None` if some value does not fit a word.
    pub(crate) fn run(&self, state: &[Value], words: &mut Vec<i64>) -> Option<()> {
        words.clear();
        words.reserve(self.0.len());
        for op in &self.0 {
            let at = |r: &Register| words[*r as usize];
            let word = match op {
                Op::Constant(word) => *word,
                Op::Load(slot) => match &state[*slot] {
                    Value::Bool(b) => i64::from(*b),
                    Value::Int(i) => i.to_i64()?,
                    Value::Real(_) => return None,
                },
                Op::Not(a) => 1 - at(a),
                Op::And(items) => i64::from(items.iter().all(|r| at(r) == 1)),
                Op::Or(items) => i64::from(items.iter().any(|r| at(r) == 1)),
                Op::Same(a, b) => i64::from(at(a) == at(b)),
                Op::Ite(c, a, b) => at(if at(c) == 1 { a } else { b }),
                Op::Sum(sum) => total(sum, words)?,
                Op::Product(items) => {
                    items.iter().try_fold(1i64, |product, r| product.checked_mul(at(r)))?
                }
                Op::Div(_, b) | Op::Mod(_, b) if at(b) == 0 => 0,
                Op::Div(a, b) => at(a).checked_div_euclid(at(b))?,
                Op::Mod(a, b) => at(a).checked_rem_euclid(at(b))?,
                Op::Le(sum) => i64::from(total(sum, words)? <= 0),
                Op::Zero(sum) => i64::from(total(sum, words)? == 0),
            };
            words.push(word);
        }
        Some(())
    }
}

fn total(sum: &Sum, words: &[i64]) -> Option<i64> {
    sum.monomials.iter().try_fold(sum.constant, |total, (register, coefficient)| {
        total.checked_add(words[*register as usize].checked_mul(*coefficient)?)
    })
}
