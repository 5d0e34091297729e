//! Evaluation on concrete values.
//!
//! Terms are compiled once into straight-line [`Code`] over registers and then
//! run on many states: no recursion, no hashing, shared subterms computed once.
//! This is the ground truth the rest of the system is measured by: solver
//! models, traces and predicate values are all decided here.

mod meaning;
mod words;

use crate::eval::words::Words;
use crate::{Bv, Int, Linear, Node, Rat, Relation, Sort, Term, TermStore, Value, op};
use rustc_hash::FxHashMap;

type Register = u32;

/// Exact operations; used when words do not suffice.
#[derive(Clone, Debug)]
enum Op {
    Constant(Value),
    Load(usize),
    Not(Register),
    And(Box<[Register]>),
    Or(Box<[Register]>),
    Same(Register, Register),
    Ite(Register, Register, Register),
    Sum(Box<Sum>, Sort),
    Product(Box<[Register]>),
    Div(Register, Register),
    Mod(Register, Register),
    ToReal(Register),
    Compare(Relation, Box<Sum>),
    Apply(op::Op, u8, [Register; 3]),
}

#[derive(Clone, Debug)]
struct Sum {
    monomials: Box<[(Register, Rat)]>,
    constant: Rat,
}

/// Registers to run [`Code`] in; reused between runs to avoid allocation.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    words: Vec<i64>,
    values: Vec<Value>,
    outputs: Vec<Value>,
}

/// Some terms, compiled for evaluation on states.
#[derive(Clone, Debug)]
pub struct Code {
    words: Option<Words>,
    exact: Box<[Op]>,
    outputs: Box<[(Register, Sort)]>,
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
        let terms = store.subterms(outputs);
        let registers: FxHashMap<Term, Register> =
            terms.iter().enumerate().map(|(i, &t)| (t, i as Register)).collect();
        let register = |t: Term| registers[&t];
        let words = Words::compile(store, &terms, &register, &slot);
        let exact = terms.iter().map(|&t| exact_op(store, t, &register, &slot)).collect();
        let outputs = outputs.iter().map(|&t| (register(t), store.sort(t))).collect();
        Code { words, exact, outputs }
    }

    /// Runs the word code; false if the exact code has to take over.
    fn run_words(&self, state: &[Value], scratch: &mut Scratch) -> bool {
        self.words.as_ref().is_some_and(|code| code.run(state, &mut scratch.words).is_some())
    }

    /// Evaluates all outputs on a state; read them with [`Code::output`].
    pub fn run(&self, state: &[Value], scratch: &mut Scratch) {
        scratch.outputs.clear();
        if self.run_words(state, scratch) {
            let words = &scratch.words;
            scratch.outputs.extend(self.outputs.iter().map(|&(register, sort)| {
                let word = words[register as usize];
                match sort {
                    Sort::Bool => Value::Bool(word == 1),
                    Sort::Bv(width) => Value::Bv(Bv::new(width, (word as u64).into())),
                    _ => Value::int(word),
                }
            }));
            return;
        }
        scratch.values.clear();
        for op in &self.exact {
            let value = step(op, state, &scratch.values);
            scratch.values.push(value);
        }
        let values = &scratch.values;
        scratch.outputs.extend(self.outputs.iter().map(|&(r, _)| values[r as usize].clone()));
    }

    /// The value of the `index`-th output after [`Code::run`].
    pub fn output<'a>(&self, index: usize, scratch: &'a Scratch) -> &'a Value {
        &scratch.outputs[index]
    }

    /// The first output as a truth value.
    pub fn test(&self, state: &[Value], scratch: &mut Scratch) -> bool {
        if self.run_words(state, scratch) {
            return scratch.words[self.outputs[0].0 as usize] == 1;
        }
        self.run(state, scratch);
        *self.output(0, scratch) == Value::Bool(true)
    }

    /// The first output.
    pub fn eval(&self, state: &[Value], scratch: &mut Scratch) -> Value {
        self.run(state, scratch);
        self.output(0, scratch).clone()
    }
}

fn exact_op(
    store: &TermStore,
    term: Term,
    register: &dyn Fn(Term) -> Register,
    slot: &dyn Fn(Term) -> Option<usize>,
) -> Op {
    let list = |items: &[Term]| items.iter().map(|&t| register(t)).collect();
    let sum = |linear: &Linear| {
        let monomials = linear.monomials().iter().map(|(t, c)| (register(*t), c.clone())).collect();
        Box::new(Sum { monomials, constant: linear.constant_part().clone() })
    };
    match store.node(term) {
        Node::Value(value) => Op::Constant(value.clone()),
        Node::Var(_, sort) => match slot(term) {
            Some(slot) => Op::Load(slot),
            None => Op::Constant(Value::default_of(*sort)),
        },
        Node::Not(a) => Op::Not(register(*a)),
        Node::And(items) => Op::And(list(items)),
        Node::Or(items) => Op::Or(list(items)),
        Node::Iff(a, b) => Op::Same(register(*a), register(*b)),
        Node::Ite(c, a, b) => Op::Ite(register(*c), register(*a), register(*b)),
        Node::Sum(linear) => Op::Sum(sum(linear), store.sort(term)),
        Node::Product(items) => Op::Product(list(items)),
        Node::Div(a, b) => Op::Div(register(*a), register(*b)),
        Node::Mod(a, b) => Op::Mod(register(*a), register(*b)),
        Node::ToReal(a) => Op::ToReal(register(*a)),
        Node::Compare(relation, linear) => Op::Compare(*relation, sum(linear)),
        Node::Equal(a, b) => Op::Same(register(*a), register(*b)),
        Node::Apply(op, arguments) => {
            let mut registers = [0; 3];
            for (place, argument) in registers.iter_mut().zip(arguments.iter()) {
                *place = register(*argument);
            }
            Op::Apply(*op, arguments.len() as u8, registers)
        }
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
        Op::Same(a, b) => Value::Bool(at(a) == at(b)),
        Op::Ite(c, a, b) => at(if truth(c) { a } else { b }).clone(),
        Op::Sum(sum, sort) => {
            Value::number(total(sum, registers), *sort).unwrap_or_else(|| Value::default_of(*sort))
        }
        Op::Product(items) => match at(&items[0]) {
            Value::Int(_) => Value::Int(items.iter().map(int).fold(Int::ONE, |p, n| &p * &n)),
            _ => Value::Real(Box::new(items.iter().map(number).fold(Rat::ONE, |p, n| &p * &n))),
        },
        Op::Div(a, b) => Value::Int(int(a).div_rem_euclid(&int(b)).map_or(Int::ZERO, |(q, _)| q)),
        Op::Mod(a, b) => Value::Int(int(a).div_rem_euclid(&int(b)).map_or(Int::ZERO, |(_, r)| r)),
        Op::ToReal(a) => Value::Real(Box::new(number(a))),
        Op::Compare(relation, sum) => {
            let sign = total(sum, registers).signum();
            Value::Bool(match relation {
                Relation::Le => sign <= 0,
                Relation::Lt => sign < 0,
                Relation::Eq => sign == 0,
            })
        }
        Op::Apply(op, count, arguments) => {
            let [a, b, c] = arguments.each_ref().map(at);
            op.eval(&[a, b, c][..usize::from(*count)])
        }
    }
}

fn total(sum: &Sum, registers: &[Value]) -> Rat {
    sum.monomials.iter().fold(sum.constant.clone(), |total, (register, coefficient)| {
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
        let below = s.le(x, y);
        let picked = s.ite(below, x, y);
        let outputs = [sum, same, below, picked];
        let code = Code::compile(s, &outputs, |t| [x, y].iter().position(|v| *v == t));
        let exact = Code { words: None, ..code.clone() };
        let (fast, slow) = (&mut Scratch::default(), &mut Scratch::default());
        for x in [0, -1, 7, -7, i64::MAX, i64::MIN] {
            for y in [0, -5, i64::MAX, i64::MIN] {
                let state = [Value::int(x), Value::int(y)];
                code.run(&state, fast);
                exact.run(&state, slow);
                let expected = (i128::from(x) + i128::from(y)).to_string();
                assert_eq!(code.output(0, fast).to_string(), expected);
                assert_eq!(code.output(1, fast), &Value::Bool(true));
                for i in 0..outputs.len() {
                    assert_eq!(code.output(i, fast), exact.output(i, slow));
                }
            }
        }
    }

    #[test]
    fn quotients_by_zero_are_zero() {
        let s = &mut TermStore::new();
        let (x, y) = (s.var("x", Sort::Int), s.var("y", Sort::Int));
        let (q, r) = (s.div(x, y), s.modulo(x, y));
        let code = Code::compile(s, &[q, r], |t| Some(usize::from(t == y)));
        let exact = Code { words: None, ..code.clone() };
        for code in [code, exact] {
            let scratch = &mut Scratch::default();
            code.run(&[Value::int(5), Value::int(0)], scratch);
            assert_eq!(code.output(0, scratch), &Value::int(0));
            assert_eq!(code.output(1, scratch), &Value::int(0));
        }
    }
}
