//! The concrete interpreter: what a program really does.
//!
//! States are plain values in the order of [`Program::variables`]. Guards,
//! input bounds and updates are compiled once; a step costs no solver and no
//! term construction. Steps are tried process by process in textual order.

use crate::classes::representatives;
use crate::{Program, Transition};
use parallax_base::Id;
use parallax_term::{Bv, Code, Int, Scratch, Sort, Term, Value};
use rustc_hash::FxHashMap;
use std::ops::Deref;

/// A concrete state: one value per variable of the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State(Box<[Value]>);

impl State {
    /// A state from values in the order of the program's variables.
    pub fn new(values: impl Into<Box<[Value]>>) -> State {
        State(values.into())
    }
}

impl Deref for State {
    type Target = [Value];
    fn deref(&self) -> &[Value] {
        &self.0
    }
}

/// The ways to choose the inputs of a step in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choices {
    /// All of them, each a list with one value per input.
    All(Vec<Vec<Value>>),
    /// More than the caller wanted to see, or infinitely many.
    TooMany,
}

struct Compiled {
    guard: Code,
    /// Two outputs per input: low, high. Absent bounds read as `false`.
    bounds: Code,
    /// `None` if there is no constraint.
    constraint: Option<Code>,
    input_sorts: Vec<Sort>,
    /// Values that stand for all of an input, if that is known.
    classes: Vec<Option<Vec<Value>>>,
    updates: Code,
    slots: Vec<usize>,
}

/// Runs one program.
pub struct Interpreter {
    transitions: Vec<Transition>,
    compiled: Vec<Compiled>,
    /// For each process: its control slot and, per location, the steps that
    /// start there (a shared action under its first process).
    by_source: Vec<(usize, Vec<Vec<usize>>)>,
    initial: InitialStates,
    scratch: Scratch,
    buffer: Vec<Value>,
}

struct InitialStates {
    fixed: Vec<Option<Value>>,
    domains: Vec<Vec<Value>>,
    predicate: Code,
    finite: bool,
    size: u64,
}

impl Interpreter {
    /// Compiles a program.
    pub fn new(program: &Program) -> Interpreter {
        let mut store = program.store.clone();
        let transitions = program.transitions(&mut store);
        let width = program.variables.len();
        let slots: FxHashMap<Term, usize> =
            program.variables.iter().enumerate().map(|(i, v)| (v.term, i)).collect();
        let no = store.bool(false);
        let compiled = transitions
            .iter()
            .map(|t| {
                let slot = |term: Term| {
                    let input = || t.inputs.iter().position(|i| i.term == term).map(|i| width + i);
                    slots.get(&term).copied().or_else(input)
                };
                let bounds: Vec<_> = t
                    .inputs
                    .iter()
                    .flat_map(|i| [i.low.unwrap_or(no), i.high.unwrap_or(no)])
                    .collect();
                let values: Vec<_> = t.updates.iter().map(|u| u.value).collect();
                Compiled {
                    guard: Code::compile(&store, &[t.guard], slot),
                    bounds: Code::compile(&store, &bounds, slot),
                    constraint: (!store.is_true(t.constraint))
                        .then(|| Code::compile(&store, &[t.constraint], slot)),
                    input_sorts: t.inputs.iter().map(|i| store.sort(i.term)).collect(),
                    classes: representatives(&store, t),
                    updates: Code::compile(&store, &values, slot),
                    slots: t.updates.iter().map(|u| u.variable.index()).collect(),
                }
            })
            .collect();
        let by_source = program
            .processes
            .iter_enumerated()
            .map(|(p, process)| {
                let starts = |l: usize| {
                    let here =
                        |t: &Transition| t.moves[0].process == p && t.moves[0].source == Id::new(l);
                    (0..transitions.len()).filter(|&t| here(&transitions[t])).collect()
                };
                (process.control.index(), (0..process.locations.len()).map(starts).collect())
            })
            .collect();
        let free = program.variables.iter().zip(&program.init.fixed).filter(|(_, v)| v.is_none());
        let sizes: Vec<_> = free.map(|(v, _)| v.domain.size()).collect();
        let size = sizes.iter().try_fold(1u64, |n, size| n.checked_mul((*size)?));
        let finite = size.is_some_and(|n| n <= 1 << 20);
        let domains = program
            .variables
            .iter()
            .zip(&program.init.fixed)
            .map(|(v, f)| if f.is_none() && finite { v.domain.values().collect() } else { vec![] })
            .collect();
        let predicate =
            Code::compile(&store, &[program.init.predicate], |t| slots.get(&t).copied());
        let fixed = program.init.fixed.clone();
        let initial =
            InitialStates { fixed, domains, predicate, finite, size: size.unwrap_or(u64::MAX) };
        Interpreter {
            transitions,
            compiled,
            by_source,
            initial,
            scratch: Scratch::default(),
            buffer: Vec::new(),
        }
    }

    /// The steps of the program; their index is what traces record.
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// Whether all initial states can be listed by [`Interpreter::initial_states`].
    pub fn has_listable_initial_states(&self) -> bool {
        self.initial.finite
    }

    /// All initial states, when there are finitely (and reasonably) many;
    /// otherwise none. Check [`Interpreter::has_listable_initial_states`].
    pub fn initial_states(&mut self) -> Vec<State> {
        let mut found = Vec::new();
        if !self.initial.finite {
            return found;
        }
        for index in 0..self.initial.size {
            let mut rest = index;
            let mut values = Vec::with_capacity(self.initial.fixed.len());
            for (fixed, domain) in self.initial.fixed.iter().zip(&self.initial.domains) {
                values.push(match fixed {
                    Some(value) => value.clone(),
                    None => {
                        let n = domain.len() as u64;
                        let value = domain[(rest % n) as usize].clone();
                        rest /= n;
                        value
                    }
                });
            }
            if self.initial.predicate.test(&values, &mut self.scratch) {
                found.push(State::new(values));
            }
        }
        found
    }

    /// Whether a state satisfies the initial condition (domains aside).
    pub fn is_initial(&mut self, state: &State) -> bool {
        let fits =
            |(value, fixed): (&Value, &Option<Value>)| fixed.as_ref().is_none_or(|f| f == value);
        state.len() == self.initial.fixed.len()
            && state.iter().zip(&self.initial.fixed).all(fits)
            && self.initial.predicate.test(state, &mut self.scratch)
    }

    /// The steps that might be enabled: those whose (first) process is at
    /// their source. In the order in which searches try them.
    pub fn candidates(&self, state: &State) -> Vec<usize> {
        let mut found = Vec::new();
        for (control, locations) in &self.by_source {
            let at = state[*control].as_int().and_then(Int::to_i64);
            if let Some(starts) = at.and_then(|l| locations.get(usize::try_from(l).ok()?)) {
                found.extend_from_slice(starts);
            }
        }
        found
    }

    /// Whether a step is enabled.
    pub fn is_enabled(&mut self, state: &State, transition: usize) -> bool {
        self.compiled[transition].guard.test(state, &mut self.scratch)
    }

    /// The ways to choose the inputs of an enabled step, if at most `limit`. Of
    /// values that lead to the same state, one may stand for all.
    pub fn choices(&mut self, state: &State, transition: usize, limit: usize) -> Choices {
        let compiled = &self.compiled[transition];
        let mut all = vec![Vec::new()];
        if compiled.input_sorts.is_empty() && compiled.constraint.is_none() {
            return Choices::All(all);
        }
        compiled.bounds.run(state, &mut self.scratch);
        for (i, sort) in compiled.input_sorts.iter().enumerate() {
            let bound = |k| compiled.bounds.output(2 * i + k, &self.scratch).as_int();
            let values: Vec<Value> = match (sort, bound(0), bound(1)) {
                _ if compiled.classes[i].is_some() => {
                    compiled.classes[i].clone().unwrap_or_default()
                }
                (Sort::Bool, ..) => vec![Value::Bool(false), Value::Bool(true)],
                (Sort::Int, Some(low), Some(high)) => match (high - low).to_i64() {
                    Some(width) if width < limit as i64 => {
                        (0..=width).map(|d| Value::Int(low + &Int::from(d))).collect()
                    }
                    _ => return Choices::TooMany,
                },
                (Sort::Bv(width), ..) if *width < 32 && 1 << width <= limit => {
                    (0..1 << width).map(|n| Value::Bv(Bv::new(*width, n))).collect()
                }
                _ => return Choices::TooMany,
            };
            if all.len().saturating_mul(values.len()) > limit {
                return Choices::TooMany;
            }
            let extend = |pick: &Vec<Value>| {
                let pick = pick.clone();
                values
                    .iter()
                    .map(move |v| [&pick[..], std::slice::from_ref(v)].concat())
                    .collect::<Vec<_>>()
            };
            all = all.iter().flat_map(extend).collect();
        }
        all.retain(|inputs| self.satisfies_constraint(state, transition, inputs));
        Choices::All(all)
    }

    fn satisfies_constraint(&mut self, state: &State, transition: usize, inputs: &[Value]) -> bool {
        let Some(constraint) = &self.compiled[transition].constraint else { return true };
        self.buffer.clear();
        self.buffer.extend_from_slice(state);
        self.buffer.extend_from_slice(inputs);
        constraint.test(&self.buffer, &mut self.scratch)
    }

    /// Whether the inputs have the right sorts, lie within their bounds and
    /// satisfy the constraint.
    pub fn inputs_fit(&mut self, state: &State, transition: usize, inputs: &[Value]) -> bool {
        let compiled = &self.compiled[transition];
        if inputs.len() != compiled.input_sorts.len() {
            return false;
        }
        compiled.bounds.run(state, &mut self.scratch);
        let within =
            inputs.iter().zip(&compiled.input_sorts).enumerate().all(|(i, (value, sort))| {
                let bound = |k| compiled.bounds.output(2 * i + k, &self.scratch);
                let below = |a: &Value, b: &Value| match (a.to_rat(), b.to_rat()) {
                    _ if a.as_bv().is_some() && b.as_bv().is_some() => a <= b,
                    (Some(a), Some(b)) => a <= b,
                    _ => true,
                };
                value.sort() == *sort && below(bound(0), value) && below(value, bound(1))
            });
        within && self.satisfies_constraint(state, transition, inputs)
    }

    /// The state after a step. The caller has seen that the step is enabled
    /// and that the inputs fit.
    pub fn fire(&mut self, state: &State, transition: usize, inputs: &[Value]) -> State {
        let compiled = &self.compiled[transition];
        let source: &[Value] = if inputs.is_empty() {
            state
        } else {
            self.buffer.clear();
            self.buffer.extend_from_slice(state);
            self.buffer.extend_from_slice(inputs);
            &self.buffer
        };
        compiled.updates.run(source, &mut self.scratch);
        let mut next = state.0.clone();
        for (i, slot) in compiled.slots.iter().enumerate() {
            next[*slot] = compiled.updates.output(i, &self.scratch).clone();
        }
        State(next)
    }

    /// Takes a step if it is enabled and the inputs fit.
    pub fn step(&mut self, state: &State, transition: usize, inputs: &[Value]) -> Option<State> {
        let allowed = transition < self.compiled.len()
            && self.is_enabled(state, transition)
            && self.inputs_fit(state, transition, inputs);
        allowed.then(|| self.fire(state, transition, inputs))
    }
}
