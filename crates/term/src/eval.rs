//! Evaluation on concrete values.
//!
//! Terms are compiled once into straight-line [`Code`] over registers and then
//! run on many states: no recursion, no hashing, shared subterms computed once.
//! This is the ground truth the rest of the system is measured by: solver
//! models, traces and predicate values are all decided here.

use crate::{Int, Node, Rat, Relation, Sort, Term, TermStore, Value};
use rustc_hash::FxHashMap;

type Register = u32;

#[derive(Clone, Debug)]
enum Op {
    Constant(Value),
    Load(usize),
    Not(Register),
    And(Box<[Register]>),
    Or(Box<[Register]>),
    Iff(Register, Register),
    Ite(Register, Register, Register),
    Sum(Box<Sum>),
    Product(Box<[Register]>),
    Div(Register, Register),
    Mod(Register, Register),
    ToReal(Register),
    Compare(Relation, Box<Sum>),
}

/// A linear combination over registers; `words` is it again with machine
/// coefficients, present when all of them fit.
#[derive(Clone, Debug)]
struct Sum {
    words: Option<(Box<[(Register, i64)]>, i64)>,
    exact: Box<[(Register, Rat)]>,
    constant: Rat,
    sort: Sort,
}

/// Registers to run [`Code`] in; reused between runs to avoid allocation.
#[derive(Clone, Debug, Default)]
pub struct Scratch(Vec<Value>);

/// Some terms, compiled for evaluation on states.
#[derive(Clone, Debug)]
pub struct Code {
    ops: Box<[Op]>,
    outputs: Box<[Register]>,
}

impl Code {
    /// Compiles `outputs`. `slot` says at which position of a state a symbol's
    /// value stands; it returns `None` for a symbol that states do not hold,
    /// which then reads as the default value of its sort.
    pub fn compile(
        store: &TermStore,
        outputs: &[Term],
        slot: impl Fn(Term) -> Option<usize>,
    ) -> Code {
        let mut registers: FxHashMap<Term, Register> = FxHashMap::default();
        let mut ops = Vec::new();
        for term in store.subterms(outputs) {
            let at = |t: &Term| registers[t];
            let list = |items: &[Term]| items.iter().map(at).collect();
            let sum = |linear: &crate::Linear, sort| {
                let exact: Box<[_]> =
                    linear.monomials().iter().map(|(t, c)| (at(t), c.clone())).collect();
                let word = |c: &Rat| c.to_int().and_then(Int::to_i64);
                let coefficients: Option<Box<[_]>> =
                    exact.iter().map(|(r, c)| Some((*r, word(c)?))).collect();
                let words = coefficients.zip(word(linear.constant_part()));
                Box::new(Sum { words, exact, constant: linear.constant_part().clone(), sort })
            };
            let op = match store.node(term) {
                Node::Value(value) => Op::Constant(value.clone()),
                Node::Var(_, sort) => match slot(term) {
                    Some(slot) => Op::Load(slot),
                    None => Op::Constant(Value::default_of(*sort)),
                },
                Node::Not(a) => Op::Not(at(a)),
                Node::And(items) => Op::And(list(items)),
                Node::Or(items) => Op::Or(list(items)),
                Node::Iff(a, b) => Op::Iff(at(a), at(b)),
                Node::Ite(c, a, b) => Op::Ite(at(c), at(a), at(b)),
                Node::Sum(linear) => Op::Sum(sum(linear, store.sort(term))),
                Node::Product(items) => Op::Product(list(items)),
                Node::Div(a, b) => Op::Div(at(a), at(b)),
                Node::Mod(a, b) => Op::Mod(at(a), at(b)),
                Node::ToReal(a) => Op::ToReal(at(a)),
                Node::Compare(relation, linear) => Op::Compare(*relation, sum(linear, Sort::Real)),
            };
            registers.insert(term, ops.len() as Register);
            ops.push(op);
        }
        let outputs = outputs.iter().map(|t| registers[t]).collect();
        Code { ops: ops.into(), outputs }
    }

    /// Evaluates all outputs on a state; read them with [`Code::output`].
    pub fn run(&self, state: &[Value], scratch: &mut Scratch) {
        let registers = &mut scratch.0;
        registers.clear();
        registers.reserve(self.ops.len());
        for op in &self.ops {
            let value = step(op, state, registers);
            registers.push(value);
        }
    }

    /// The value of the `index`-th output after [`Code::run`].
    pub fn output<'a>(&self, index: usize, scratch: &'a Scratch) -> &'a Value {
        &scratch.0[self.outputs[index] as usize]
    }

    /// Runs and returns the first output as a truth value.
    pub fn test(&self, state: &[Value], scratch: &mut Scratch) -> bool {
        self.run(state, scratch);
        *self.output(0, scratch) == Value::Bool(true)
    }

    /// Runs and returns the first output.
    pub fn eval(&self, state: &[Value], scratch: &mut Scratch) -> Value {
        self.run(state, scratch);
        self.output(0, scratch).clone()
    }
}

fn step(op: &Op, state: &[Value], registers: &[Value]) -> Value {
    let at = |r: &Register| &registers[*r as usize];
    let truth = |r: &Register| *at(r) == Value::Bool(true);
    let number = |r: &Register| at(r).to_rat().unwrap_or(Rat::ZERO);
    let int = |r: &Register| at(r).as_int().cloned().unwrap_or(Int::ZERO);
    match op {
        Op::Constant(value) => value.clone(),
        Op::Load(slot) => state[*slot].clone(),
        Op::Not(a) => Value::Bool(!truth(a)),
        Op::And(items) => Value::Bool(items.iter().all(truth)),
        Op::Or(items) => Value::Bool(items.iter().any(truth)),
        Op::Iff(a, b) => Value::Bool(at(a) == at(b)),
        Op::Ite(c, a, b) => at(if truth(c) { a } else { b }).clone(),
        Op::Sum(sum) => match small_sum(sum, registers) {
            Some(total) => Value::int(total),
            None => Value::number(exact_sum(sum, registers), sum.sort)
                .unwrap_or_else(|| Value::default_of(sum.sort)),
        },
        Op::Product(items) => match at(&items[0]) {
            Value::Int(_) => {
                Value::Int(items.iter().map(int).fold(Int::ONE, |product, n| &product * &n))
            }
            _ => Value::Real(Box::new(
                items.iter().map(number).fold(Rat::ONE, |product, n| &product * &n),
            )),
        },
        Op::Div(a, b) => Value::Int(int(a).div_rem_euclid(&int(b)).map_or(Int::ZERO, |(q, _)| q)),
        Op::Mod(a, b) => Value::Int(int(a).div_rem_euclid(&int(b)).map_or(Int::ZERO, |(_, r)| r)),
        Op::ToReal(a) => Value::Real(Box::new(number(a))),
        Op::Compare(relation, sum) => {
            let sign = match small_sum(sum, registers) {
                Some(total) => total.signum() as i32,
                None => exact_sum(sum, registers).signum(),
            };
            Value::Bool(match relation {
                Relation::Le => sign <= 0,
                Relation::Lt => sign < 0,
                Relation::Eq => sign == 0,
            })
        }
    }
}

/// The sum in machine arithmetic; `None` if anything does not fit.
fn small_sum(sum: &Sum, registers: &[Value]) -> Option<i64> {
    let (words, constant) = sum.words.as_ref()?;
    let mut total = *constant;
    for (register, coefficient) in words {
        let Value::Int(value) = &registers[*register as usize] else { return None };
        total = total.checked_add(value.to_i64()?.checked_mul(*coefficient)?)?;
    }
    Some(total)
}

fn exact_sum(sum: &Sum, registers: &[Value]) -> Rat {
    sum.exact.iter().fold(sum.constant.clone(), |total, (register, coefficient)| {
        let value = registers[*register as usize].to_rat().unwrap_or(Rat::ZERO);
        &total + &(coefficient * &value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_values_agree() {
        let s = &mut TermStore::new();
        let (x, y) = (s.var("x", Sort::Int), s.var("y", Sort::Int));
        let three = s.int(3);
        let (sum, q, r) = (s.add(x, y), s.div(x, three), s.modulo(x, three));
        let back = {
            let tripled = s.scale(&Rat::from(3), q);
            s.add(tripled, r)
        };
        let same = s.eq(back, x);
        let code = Code::compile(s, &[sum, same], |t| [x, y].iter().position(|v| *v == t));
        let scratch = &mut Scratch::default();
        for x in [0, -1, 7, -7, i64::MAX, i64::MIN] {
            for y in [0, -5, i64::MAX, i64::MIN] {
                code.run(&[Value::int(x), Value::int(y)], scratch);
                let expected = (i128::from(x) + i128::from(y)).to_string();
                assert_eq!(code.output(0, scratch).to_string(), expected);
                assert_eq!(code.output(1, scratch), &Value::Bool(true));
            }
        }
    }

    #[test]
    fn quotients_by_zero_are_zero() {
        let s = &mut TermStore::new();
        let (x, y) = (s.var("x", Sort::Int), s.var("y", Sort::Int));
        let (q, r) = (s.div(x, y), s.modulo(x, y));
        let code = Code::compile(s, &[q, r], |t| Some(usize::from(t == y)));
        let scratch = &mut Scratch::default();
        code.run(&[Value::int(5), Value::int(0)], scratch);
        assert_eq!(
            (code.output(0, scratch), code.output(1, scratch)),
            (&Value::int(0), &Value::int(0))
        );
    }
}
