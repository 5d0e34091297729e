//! Straight-line code over machine words: the fast half of evaluation.
//!
//! Nearly all values of a search fit an `i64`. Code without reals and without
//! huge constants is compiled a second time into operations on words, truth
//! values as 0 and 1. Every operation is checked: when a value does not fit,
//! the run is given up and the exact code takes over, so words never decide
//! anything that exact arithmetic would decide otherwise. Bit-vectors of at
//! most 64 bits are words by nature.

use crate::{Bv, Int, Linear, Node, Relation, Sort, Term, TermStore, Value, op};

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
    /// A function from bit-vectors to a bit-vector; the widths are known.
    Bits(op::Op, [Register; 2], [u8; 2]),
    /// `a < b`, signed or not.
    Less(op::Op, [Register; 2], u8),
    /// The unsigned number as an integer.
    ToInt(Register),
    /// An integer modulo a power of two.
    Wrap(Register, u8),
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
        let width = |term: Term| match store.sort(term) {
            Sort::Bv(width) if width <= 64 => Some(width as u8),
            _ => None,
        };
        let bits = |term: Term, op: op::Op, arguments: &[Term]| {
            let (a, b) = (arguments[0], *arguments.last()?);
            let both = [register(a), register(b)];
            Some(match op {
                op::Op::BvUlt | op::Op::BvSlt => Op::Less(op, both, width(a)?),
                op::Op::BvToInt => Op::ToInt(register(a)),
                op::Op::IntToBv(_) => Op::Wrap(register(a), width(term)?),
                _ => Op::Bits(op, both, [width(a)?, width(b)?]),
            })
        };
        let op = |&term: &Term| {
            match store.sort(term) {
                Sort::Bool | Sort::Int | Sort::Bv(..=64) => {}
                _ => return None,
            }
            Some(match store.node(term) {
                Node::Value(Value::Bool(b)) => Op::Constant(i64::from(*b)),
                Node::Value(Value::Int(i)) => Op::Constant(i.to_i64()?),
                Node::Value(Value::Bv(bits)) => Op::Constant(bits.bits() as u64 as i64),
                Node::Value(_) | Node::ToReal(_) => return None,
                Node::Var(..) => slot(term).map_or(Op::Constant(0), Op::Load),
                Node::Not(a) => Op::Not(register(*a)),
                Node::And(items) => Op::And(list(items)),
                Node::Or(items) => Op::Or(list(items)),
                Node::Iff(a, b) => Op::Same(register(*a), register(*b)),
                Node::Equal(a, b) => {
                    width(*a)?;
                    Op::Same(register(*a), register(*b))
                }
                Node::Apply(op, arguments) => bits(term, *op, arguments)?,
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
                    Value::Bv(bits) => u64::try_from(bits.bits()).ok()? as i64,
                    Value::Real(_) | Value::Float(_) | Value::Array(_) => return None,
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
                Op::Bits(op, [a, b], widths) => {
                    let value = op.on_bits(vector(at(a), widths[0]), vector(at(b), widths[1]))?;
                    value.bits() as u64 as i64
                }
                Op::Less(op, [a, b], width) => {
                    let (a, b) = (vector(at(a), *width), vector(at(b), *width));
                    i64::from(if *op == op::Op::BvUlt { a.ult(b) } else { a.slt(b) })
                }
                Op::ToInt(a) if at(a) < 0 => return None,
                Op::ToInt(a) => at(a),
                Op::Wrap(a, width) => {
                    Bv::new((*width).into(), i128::from(at(a)) as u128).bits() as u64 as i64
                }
            };
            words.push(word);
        }
        Some(())
    }
}

/// A word as the bit-vector it stands for.
fn vector(word: i64, width: u8) -> Bv {
    Bv::new(width.into(), (word as u64).into())
}

fn total(sum: &Sum, words: &[i64]) -> Option<i64> {
    sum.monomials.iter().try_fold(sum.constant, |total, (register, coefficient)| {
        total.checked_add(words[*register as usize].checked_mul(*coefficient)?)
    })
}
