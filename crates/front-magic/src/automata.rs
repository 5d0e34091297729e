//! Transition systems in the place of calls of functions that do not exist.
//!
//! Where an assumed routine or the driver does actions, the C text calls a
//! *machine*, and then has, after free choices, one call for each way to leave
//! it; what follows there is C: conditions on the result, what is written. To
//! passes both are unknown code, so they are kept, and no transition system is
//! ever written as C. When everything is inlined and made small, [`splice`]
//! puts the states of the machine between the call and the ways out. A state
//! is a place that offers its actions; each action leads to a place of its own,
//! whose mark is its number. The encoder cuts blocks at both.
//!
//! [`splice`]: Automata::splice

use crate::machine::returned;
use crate::text::NEVER;
use parallax_base::{Id, IdVec};
use parallax_cfa::{Callee, Edge, Function, Location, Mark, Op, Program};
use parallax_lts::{Lts, TAU};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How calls of machines begin; the number follows.
pub(crate) const MACHINE: &str = "__magic_machine_";
/// How calls begin that stand for ways to leave a machine; the number follows.
pub(crate) const LEFT: &str = "__magic_left_";

/// The mark of a place where actions are offered, and the number of no action.
pub(crate) const SILENT: u32 = 0;

/// Where a step of a machine leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum To {
    State(usize),
    /// Out of the machine.
    Left(usize),
}

/// A transition system: for each state its actions and where they lead.
#[derive(Clone, Debug)]
struct Machine {
    initial: usize,
    states: Vec<Vec<(u32, To)>>,
}

/// The machines of a program, and their actions by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Automata {
    numbers: BTreeMap<String, u32>,
    names: Vec<String>,
    machines: Vec<Machine>,
    ways: usize,
}

impl Automata {
    /// The number of an action, from 1.
    fn number(&mut self, name: &str) -> u32 {
        let next = self.names.len() as u32 + 1;
        let number = *self.numbers.entry(name.to_owned()).or_insert(next);
        if number == next {
            self.names.push(name.to_owned());
        }
        number
    }

    /// The action of a number, if it is one.
    pub(crate) fn name(&self, number: u32) -> Option<&str> {
        let place = usize::try_from(number.checked_sub(1)?).ok()?;
        self.names.get(place).map(String::as_str)
    }

    fn machine(&mut self, machine: Machine) -> usize {
        let lefts = machine.states.iter().flatten().filter_map(|(_, to)| match to {
            To::Left(way) => Some(way + 1),
            To::State(_) => None,
        });
        self.ways = self.ways.max(lefts.max().unwrap_or(0));
        self.machines.push(machine);
        self.machines.len() - 1
    }

    /// A machine that does one action, and is left by way 0.
    pub(crate) fn action(&mut self, name: &str) -> usize {
        let number = self.number(name);
        self.machine(Machine { initial: 0, states: vec![vec![(number, To::Left(0))]] })
    }

    /// A machine that does what a transition system does. Return actions leave
    /// it: each by the way that is its position in `ways`, which grows.
    pub(crate) fn system(&mut self, lts: &Lts, ways: &mut Vec<String>) -> usize {
        let mut states = Vec::new();
        for state in lts.states() {
            let mut steps = Vec::new();
            for edge in lts.edges(state) {
                let label = lts.label(edge.action);
                let to = To::State(edge.target as usize);
                steps.push(match returned(label) {
                    Some(_) => {
                        let known = ways.iter().position(|way| way == label);
                        let way = known.unwrap_or(ways.len());
                        if known.is_none() {
                            ways.push(label.to_string());
                        }
                        (SILENT, To::Left(way))
                    }
                    None if edge.action == TAU => (SILENT, to),
                    None => (self.number(label), to),
                });
            }
            steps.sort_unstable();
            states.push(steps);
        }
        self.machine(Machine { initial: lts.initial() as usize, states })
    }

    /// Declares what [`Automata::splice`] replaces.
    pub(crate) fn declarations(&self) -> String {
        let mut text = String::new();
        let counts = [(MACHINE, self.machines.len()), (LEFT, self.ways)];
        for (name, number) in
            counts.into_iter().flat_map(|(name, n)| (0..n).map(move |k| (name, k)))
        {
            // Writing to a string does not fail.
            let _ = writeln!(text, "extern void {name}{number}(void);");
        }
        text
    }

    /// Puts the machines into the function that a program starts with.
    pub(crate) fn splice(&self, program: &mut Program) {
        let Some(main) = program.main else { return };
        let function = &program.functions[main];
        let mut leaving: Vec<Vec<Id<Edge>>> = vec![Vec::new(); function.locations.len()];
        for (id, edge) in function.edges.iter_enumerated() {
            leaving[edge.source.index()].push(id);
        }
        let mut body = Body { locations: function.locations.clone(), edges: Vec::new() };
        for edge in &function.edges {
            let machine = number(program, edge, MACHINE).and_then(|m| self.machines.get(m));
            if let Some(machine) = machine {
                let ways = ways(program, function, &leaving, edge.target);
                body.insert(machine, edge, &ways);
            } else if called(program, edge) != Some(NEVER) {
                // A way out is reached only by way of its machine.
                let is_way = number(program, edge, LEFT).is_some();
                let op = if is_way { Op::Skip } else { edge.op.clone() };
                body.edges.push(Edge { op, ..edge.clone() });
            }
        }
        let function = &mut program.functions[main];
        function.locations = body.locations;
        function.edges = body.edges.into_iter().collect();
    }
}

/// Whom an edge calls.
fn called<'a>(program: &'a Program, edge: &Edge) -> Option<&'a str> {
    match &edge.op {
        Op::Call { callee: Callee::Direct(function), .. } => {
            Some(&program.functions[*function].name)
        }
        _ => None,
    }
}

/// The number behind a name that an edge calls.
fn number(program: &Program, edge: &Edge, name: &str) -> Option<usize> {
    called(program, edge)?.strip_prefix(name)?.parse().ok()
}

/// The ways to leave a machine, and where they lead.
fn ways(
    program: &Program,
    function: &Function,
    leaving: &[Vec<Id<Edge>>],
    start: Id<Location>,
) -> BTreeSet<(usize, Id<Location>)> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        for &id in &leaving[at.index()] {
            let edge = &function.edges[id];
            let is_end =
                || number(program, edge, MACHINE).is_some() || called(program, edge) == Some(NEVER);
            if let Some(way) = number(program, edge, LEFT) {
                found.insert((way, edge.target));
            } else if !is_end() && seen.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    found
}

/// A function that is being made.
struct Body {
    locations: IdVec<Location>,
    edges: Vec<Edge>,
}

impl Body {
    /// Puts a machine where it is called.
    fn insert(&mut self, machine: &Machine, call: &Edge, ways: &BTreeSet<(usize, Id<Location>)>) {
        let place = |mark| Location::marked(Mark::Cut(mark), call.span);
        let mut states = Vec::new();
        for state in 0..machine.states.len() {
            states.push(match state == machine.initial {
                true => call.source,
                false => self.locations.push(place(SILENT)),
            });
        }
        let first = &mut self.locations[call.source];
        *first = Location { label: first.label.clone(), ..place(SILENT) };
        for (&from, steps) in states.iter().zip(&machine.states) {
            for &(action, to) in steps {
                let targets: Vec<Id<Location>> = match to {
                    To::State(state) => states.get(state).copied().into_iter().collect(),
                    To::Left(way) => ways.iter().filter(|w| w.0 == way).map(|w| w.1).collect(),
                };
                for target in targets {
                    let done = match action {
                        SILENT => target,
                        _ => self.locations.push(place(action)),
                    };
                    self.skip(from, done, call);
                    if action != SILENT {
                        self.skip(done, target, call);
                    }
                }
            }
        }
    }

    fn skip(&mut self, source: Id<Location>, target: Id<Location>, like: &Edge) {
        self.edges.push(Edge { source, target, op: Op::Skip, span: like.span, branch: None });
    }
}
