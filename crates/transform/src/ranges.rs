//! Interval analysis of the integer variables of one function.
//!
//! Cousot and Cousot, POPL 1977: flow-sensitive, with widening to thresholds
//! (the constants of the program), then narrowing by two descending rounds, and
//! refinement by the conditions of branches. Followed are integer variables to
//! which no pointer exists. The result serves to drop checks that cannot fail
//! and to say where arithmetic cannot wrap.
//!
//! # Soundness
//!
//! At a location that is reached, every followed variable is in its interval.
//! Behavior that ends the run refines what follows it: division by zero and bad
//! shifts always, signed overflow only if [`Options::overflow_ends`] is set,
//! which is right exactly when overflow is among the properties asked for.
//! In a program with threads nothing is known but the types.

use crate::environment::Environment;
use crate::evaluate::{Evaluator, plain_variable};
use crate::interval::Interval;
use parallax_base::Id;
use parallax_cfa::{
    Binary, Callee, Edge, Expr, ExprKind, Function, Graph, Initial, Location, Op, Program, Storage,
    Unary,
};
use std::collections::BTreeSet;

/// Choices of the analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Whether a run ends where signed arithmetic overflows.
    pub overflow_ends: bool,
}

/// Visits of a loop head before its variables are widened.
const PATIENCE: u32 = 3;
/// Visits before widening goes to the limits of types at once.
const HURRY: u32 = 24;
/// Rounds of narrowing.
const ROUNDS: usize = 2;

/// What is known at a location.
pub(crate) type State = Environment<Interval>;

/// The ranges at all locations of a function.
#[derive(Debug)]
pub struct Ranges<'a> {
    program: &'a Program,
    states: Vec<Option<State>>,
}

impl<'a> Ranges<'a> {
    /// Analyzes a function.
    pub fn analyze(program: &'a Program, function: Id<Function>, options: Options) -> Ranges<'a> {
        if program.has_threads() {
            let nothing = State::new(program.variables.len());
            let count = program.functions[function].locations.len();
            return Ranges { program, states: vec![Some(nothing); count] };
        }
        let mut analysis = Analysis::new(program, function, options);
        analysis.ascend();
        for _ in 0..ROUNDS {
            analysis.descend();
        }
        Ranges { program, states: analysis.states }
    }

    /// Whether the location may be reached.
    pub fn is_reachable(&self, at: Id<Location>) -> bool {
        self.states[at.index()].is_some()
    }

    /// The values that an integer expression may have at a location; those of
    /// its type if the location is not reached.
    pub fn range(&self, at: Id<Location>, expr: Id<Expr>) -> Interval {
        self.evaluator(at).range(expr)
    }

    /// Whether the outermost operator of an expression, evaluated at a
    /// location, has a mathematical result that fits its type, so that nothing
    /// wraps. False where that is not known.
    pub fn fits(&self, at: Id<Location>, expr: Id<Expr>) -> bool {
        self.evaluator(at).fits(expr)
    }

    /// Answers several questions about one location.
    pub fn evaluator(&self, at: Id<Location>) -> Evaluator<'_> {
        Evaluator::new(self.program, self.states[at.index()].as_ref())
    }
}

struct Analysis<'a> {
    program: &'a Program,
    function: &'a Function,
    options: Options,
    graph: Graph,
    /// The position of each location in the order of the graph.
    rank: Vec<Option<usize>>,
    thresholds: Vec<i128>,
    visits: Vec<u32>,
    states: Vec<Option<State>>,
    initial: State,
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program, id: Id<Function>, options: Options) -> Analysis<'a> {
        let function = &program.functions[id];
        let graph = Graph::new(function);
        let count = function.locations.len();
        let mut rank = vec![None; count];
        for (i, at) in graph.order().iter().enumerate() {
            rank[at.index()] = Some(i);
        }
        Analysis {
            program,
            function,
            options,
            rank,
            graph,
            thresholds: thresholds(program),
            visits: vec![0; count],
            states: vec![None; count],
            initial: initial(program, id),
        }
    }

    fn ascend(&mut self) {
        if self.function.locations.is_empty() {
            return;
        }
        let entry = self.function.entry;
        self.states[entry.index()] = Some(self.initial.clone());
        let mut work: BTreeSet<usize> = self.rank[entry.index()].into_iter().collect();
        while let Some(rank) = work.pop_first() {
            let at = self.graph.order()[rank];
            for edge in self.graph.leaving(at).to_vec() {
                let Some(after) = self.after(edge) else { continue };
                let target = self.function.edges[edge].target;
                if self.arrive(target, &after) {
                    work.extend(self.rank[target.index()]);
                }
            }
        }
    }

    /// Joins a state into a location; says whether something is new there.
    fn arrive(&mut self, at: Id<Location>, new: &State) -> bool {
        let thresholds = &self.thresholds;
        let program = self.program;
        let Some(old) = &mut self.states[at.index()] else {
            self.states[at.index()] = Some(new.clone());
            return true;
        };
        let visits = &mut self.visits[at.index()];
        *visits += 1;
        let (widen, hurry) = (self.graph.is_loop_head(at) && *visits > PATIENCE, *visits > HURRY);
        old.join(new, &mut |key, a, b| {
            let joined = a.join(*b);
            if !widen || joined == *a {
                return Some(joined);
            }
            let limits = limits(program, key)?;
            let below = thresholds[..thresholds.partition_point(|t| *t <= joined.lo)].last();
            let above = thresholds.get(thresholds.partition_point(|t| *t < joined.hi));
            let lo = match below {
                _ if joined.lo == a.lo => a.lo,
                Some(t) if !hurry => limits.lo.max(*t),
                _ => limits.lo,
            };
            let hi = match above {
                _ if joined.hi == a.hi => a.hi,
                Some(t) if !hurry => limits.hi.min(*t),
                _ => limits.hi,
            };
            Some(Interval { lo, hi }).filter(|i| !limits.within(*i))
        })
    }

    /// One round of narrowing: each location from its predecessors, once.
    fn descend(&mut self) {
        for at in self.graph.order().to_vec() {
            let mut new: Option<State> = (at == self.function.entry).then(|| self.initial.clone());
            for edge in self.graph.entering(at).to_vec() {
                if let Some(state) = self.after(edge) {
                    match &mut new {
                        None => new = Some(state),
                        Some(joined) => {
                            joined.join(&state, &mut |_, a, b| Some(a.join(*b)));
                        }
                    }
                }
            }
            self.states[at.index()] = new;
        }
    }

    /// The state behind an edge; `None` if it cannot be taken.
    fn after(&self, edge: Id<Edge>) -> Option<State> {
        let Edge { source, op, .. } = &self.function.edges[edge];
        let before = self.states[source.index()].as_ref()?;
        if crate::dependence::is_final(op) {
            return None;
        }
        let mut evaluator = Evaluator::new(self.program, Some(before));
        match op {
            Op::Assume(condition) => evaluator.assume(*condition, true),
            Op::Check(check) => evaluator.passed(check, self.options.overflow_ends),
            Op::Assign(to, value) => {
                let Some(variable) = plain_variable(self.program, *to) else {
                    return Some(before.clone());
                };
                let range = evaluator.range(*value);
                let mut state = before.clone();
                let useful =
                    limits(self.program, variable.index()).filter(|all| !all.within(range));
                state.set(variable.index(), useful.map(|all| range.meet(all).unwrap_or(all)));
                Some(state)
            }
            _ => {
                let mut state = before.clone();
                for variable in crate::evaluate::overwritten(self.program, op) {
                    state.set(variable.index(), None);
                }
                Some(state)
            }
        }
    }
}

/// The values that a followed variable can have at all.
fn limits(program: &Program, key: usize) -> Option<Interval> {
    let kind = program.types.int_kind(program.variables[Id::new(key)].ty)?;
    Some(Interval::of_type(kind, program.types.model)).filter(|i| *i != Interval::ALL)
}

/// Static variables have their initial values when `main` starts.
fn initial(program: &Program, id: Id<Function>) -> State {
    let mut state = State::new(program.variables.len());
    let calls_main = |op: &Op| matches!(op, Op::Call { callee: Callee::Direct(f), .. } if *f == id);
    let called = program.functions.iter().any(|f| f.edges.iter().any(|e| calls_main(&e.op)));
    let taken = program.exprs.iter().any(|e| e.kind == ExprKind::Function(id));
    if program.main != Some(id) || called || taken {
        return state;
    }
    for (variable, initial) in &program.initials {
        let data = &program.variables[*variable];
        let Initial::Items(items) = initial else { continue };
        if data.address_taken || data.storage != Storage::Static {
            continue;
        }
        if limits(program, variable.index()).is_some() {
            let mut value = Some(Interval::one(0));
            for item in items {
                value = match program.exprs[item.value].kind {
                    ExprKind::Int(n) => Some(Interval::one(n)),
                    _ => None,
                };
            }
            state.set(variable.index(), value);
        }
    }
    state
}

/// The constants that conditions compare with, and their neighbors.
fn thresholds(program: &Program) -> Vec<i128> {
    let mut found: BTreeSet<i128> = BTreeSet::from([-1, 0, 1]);
    let constant = |e: Id<Expr>| {
        let mut e = e;
        loop {
            match program.exprs[e].kind {
                ExprKind::Int(n) => return Some(n),
                ExprKind::Unary(Unary::Neg, a) => match program.exprs[a].kind {
                    ExprKind::Int(n) => return n.checked_neg(),
                    _ => return None,
                },
                ExprKind::Convert(a) => e = a,
                _ => return None,
            }
        }
    };
    for expr in &program.exprs {
        if let ExprKind::Binary(op, a, b) = expr.kind
            && (op.is_comparison() || op == Binary::Rem)
            && let Some(n) = constant(a).or_else(|| constant(b))
        {
            found.extend([n.saturating_sub(1), n, n.saturating_add(1)]);
        }
    }
    found.into_iter().collect()
}
