//! Transitions with their finite choices made.
//!
//! A choice among a few values (`x := any 0..3`, `b := any`, `y := any 0..n`
//! for a small `n`) is no real input: each value gives a deterministic step. A
//! [`Rule`] is a transition with such inputs replaced by constants, enabled
//! where the value lies within the bounds; only inputs with infinitely or very
//! many values stay free. Abstract posts are computed per rule.

use crate::step::Step;
use parallax_ir::{Input, Program, Transition, bounds};
use parallax_term::{Bv, Int, Sort, Substitution, Term, TermStore, Value};

/// A transition is split into at most this many rules.
const SPLIT_LIMIT: usize = 256;

/// A transition whose finite inputs are fixed.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Index of the transition it comes from.
    pub transition: usize,
    /// The fixed value of each input of the transition, `None` if it is free.
    pub choice: Vec<Option<Value>>,
    /// Condition over the state, without conditionals inside atoms: the guard
    /// of the transition, and the fixed inputs lie within their bounds.
    pub guard: Term,
    /// The whole step, its finite inputs fixed.
    pub step: Step,
    /// "Every free input lies within its bounds and satisfies the constraint."
    pub input_bounds: Term,
    /// Whether there is a constraint on the free inputs: then the guard alone
    /// does not say that the step is possible.
    pub constrained: bool,
    /// Pairs (control position, source location): a cheap necessary condition.
    pub sources: Vec<(usize, Value)>,
}

/// All rules of a program, in the order of the transitions.
pub fn rules(store: &mut TermStore, program: &Program, transitions: &[Transition]) -> Vec<Rule> {
    let mut found = Vec::new();
    for (index, transition) in transitions.iter().enumerate() {
        let whole = Step::of(store, program, transition);
        for choice in choices(store, program, &transition.inputs) {
            let chosen = transition.inputs.iter().zip(&choice).filter(|(_, v)| v.is_some());
            let chosen: Vec<_> = chosen.map(|(i, _)| i.clone()).collect();
            let bounds = bounds(store, &chosen);
            let fixed = transition.inputs.iter().zip(&choice);
            let pairs: Vec<_> = fixed
                .filter_map(|(i, v)| v.clone().map(|v| (i.term, v)))
                .map(|(term, value)| (term, store.constant(value)))
                .collect();
            let mut substitution = Substitution::new(pairs);
            let fits = substitution.apply(store, bounds);
            let constraint = substitution.apply(store, transition.constraint);
            let is_input = |v: &Term| transition.inputs.iter().any(|i| i.term == *v);
            let constrained = store.vars(constraint).iter().any(is_input);
            let decided = if constrained { store.bool(true) } else { constraint };
            let guard = store.and([transition.guard, fits, decided]);
            let guard = store.lift(guard);
            let mut step = whole.at(store, &mut substitution);
            let mut free = choice.iter().map(Option::is_none);
            step.inputs.retain(|_| free.next() == Some(true));
            let within = self::bounds(store, &step.inputs);
            let source = |m: &parallax_ir::Move| {
                let control = program.processes[m.process].control.index();
                (control, Value::int(m.source.index() as i64))
            };
            found.push(Rule {
                transition: index,
                choice,
                guard,
                step,
                input_bounds: store.and([within, constraint]),
                constrained,
                sources: transition.moves.iter().map(source).collect(),
            });
        }
    }
    found
}

/// Every way to fix the finite inputs, `None` where an input stays free.
fn choices(store: &TermStore, program: &Program, inputs: &[Input]) -> Vec<Vec<Option<Value>>> {
    let mut all: Vec<Vec<Option<Value>>> = vec![Vec::new()];
    for input in inputs {
        let range = |t: Option<Term>| t.and_then(|t| range_of(store, program, t));
        let low = range(input.low).and_then(|(low, _)| low.to_i64());
        let high = range(input.high).and_then(|(_, high)| high.to_i64());
        let values: Vec<Value> = match (store.sort(input.term), low, high) {
            (Sort::Bool, ..) => vec![Value::Bool(false), Value::Bool(true)],
            (Sort::Int, Some(low), Some(high)) if high.saturating_sub(low) < SPLIT_LIMIT as i64 => {
                (low..=high).map(Value::int).collect()
            }
            (Sort::Bv(width), ..) if width <= SPLIT_LIMIT.ilog2() => {
                (0..1 << width).map(|n| Value::Bv(Bv::new(width, n))).collect()
            }
            _ => Vec::new(),
        };
        let fits = !values.is_empty() && all.len() * values.len() <= SPLIT_LIMIT;
        let options: Vec<Option<Value>> =
            if fits { values.into_iter().map(Some).collect() } else { vec![None] };
        let extend = |pick: Vec<Option<Value>>| {
            let with = |v: &Option<Value>| [&pick[..], std::slice::from_ref(v)].concat();
            options.iter().map(with).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all
}

/// The least and greatest value that the domains of the variables allow.
fn range_of(store: &TermStore, program: &Program, term: Term) -> Option<(Int, Int)> {
    if let Some(value) = store.int_value(term) {
        return Some((value.clone(), value.clone()));
    }
    let domain = |t: Term| {
        let variable = program.variables.iter().find(|v| v.term == t)?;
        variable.domain.bounds()
    };
    let linear = store.linear(term);
    let (mut low, mut high) = {
        let constant = linear.constant_part().to_int()?;
        (constant.clone(), constant.clone())
    };
    for (part, coefficient) in linear.monomials() {
        let (least, greatest) = domain(*part)?;
        let coefficient = coefficient.to_int()?;
        let ends = [coefficient * &least, coefficient * &greatest];
        let [a, b] = &ends;
        low = &low + a.min(b);
        high = &high + a.max(b);
    }
    Some((low, high))
}
