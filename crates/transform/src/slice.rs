//! Property-directed slicing: what cannot influence the targets is removed.
//!
//! After Weiser, TSE 1984, with control dependence as in [`Dependence`], and
//! across calls in the style of Horwitz, Reps and Binkley, TOPLAS 1990, but
//! without telling calls of one function apart. An operation matters if it is a
//! target, writes a variable or a memory region that something that matters
//! reads, or branches before something that matters. What does not matter does
//! nothing; a branch that does not matter goes straight to where its ways meet;
//! ways from which no target can be reached end.
//!
//! A call matters if its result does, if the function has a *lasting* effect
//! that matters (a target, or a write to what is not its own), or if it may not
//! return and that decides. Of an argument that does not matter, zero is passed;
//! a result that does not matter is not stored.
//!
//! # Soundness
//!
//! Every run of the program that reaches a target has a run of the slice that
//! reaches it, so a target that the slice never reaches is never reached. The
//! converse does not hold: a loop that does not matter is removed even if it
//! never ends, and so is a check that is not a target, though a failed check
//! ends the run. So a run that reaches a target in the slice must be replayed
//! on the program; inputs of edges that are not in the slice may be anything.
//! A check whose operands all matter is kept, which makes this rare.
//!
//! A function whose call is kept returns in the slice if it returns in the
//! program: what decides about its end matters as soon as a call of it does.
//!
//! Unsupported constructs are targets: the slice reaches them as the program does.

mod build;
mod ends;
mod parts;

use crate::dependence::{Dependence, is_final};
use crate::origin::Origin;
use crate::points_to::PointsTo;
use ends::ends;
use parallax_base::Id;
use parallax_cfa::{Callee, Edge, Function, Graph, Location, Op, Program};
use parts::{Part, Parts};
use std::collections::{BTreeMap, BTreeSet};

/// A slice.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The program.
    pub program: Program,
    /// Its way back.
    pub origin: Origin,
    /// How many edges matter.
    pub kept: usize,
}

/// Slices all that the start function of a program comes to for the operations
/// that `is_target` accepts. The analysis must be of this program. A program
/// with threads stays as it is: all of it may matter. `None` if there is no start
/// function, or a call through a pointer: resolve these before.
pub fn slice(
    program: &Program,
    points_to: &PointsTo,
    is_target: &dyn Fn(&Op) -> bool,
) -> Option<Slice> {
    let main = program.main?;
    if program.has_threads() {
        let (origin, kept) = (Origin::identity(program), program.functions[main].edges.len());
        return Some(Slice { program: program.clone(), origin, kept });
    }
    let reached = points_to.reached().iter().copied();
    let defined: Vec<Id<Function>> =
        reached.filter(|f| program.functions[*f].is_defined).chain([main]).collect();
    let is_indirect = |e: &Edge| matches!(e.op, Op::Call { callee: Callee::Indirect(_), .. });
    if defined.iter().any(|f| program.functions[*f].edges.iter().any(is_indirect)) {
        return None;
    }
    let ends = ends(program, &defined);
    let mut bodies: Vec<Option<Body>> = program.functions.iter().map(|_| None).collect();
    for id in defined {
        let function = &program.functions[id];
        let graph = Graph::new(function);
        let dependence = Dependence::across(function, &graph, &|op| ends.of(op));
        bodies[id.index()] = Some(Body {
            function,
            graph,
            dependence,
            matters: vec![false; function.edges.len()],
            useful: vec![false; function.locations.len()],
            callers: Vec::new(),
            is_called: false,
            is_result: false,
        });
    }
    let mut slicer = Slicer {
        program,
        parts: Parts::new(program, points_to),
        bodies,
        writers: BTreeMap::new(),
        needed: BTreeSet::new(),
        results: BTreeSet::new(),
        lasting: BTreeSet::new(),
        work: Vec::new(),
        open: Vec::new(),
    };
    slicer.close(is_target);
    Some(slicer.build())
}

/// An edge of a function.
type Step = (Id<Function>, Id<Edge>);

/// A function that `main` reaches.
struct Body<'a> {
    function: &'a Function,
    graph: Graph,
    dependence: Dependence,
    /// The edges that matter.
    matters: Vec<bool>,
    /// The locations from which a target can be reached.
    useful: Vec<bool>,
    /// The calls of the function.
    callers: Vec<Step>,
    /// Whether some call of it matters.
    is_called: bool,
    /// Whether some result of it matters.
    is_result: bool,
}

struct Slicer<'a> {
    program: &'a Program,
    parts: Parts<'a>,
    bodies: Vec<Option<Body<'a>>>,
    /// Who writes a part, and whether by the result of a call.
    writers: BTreeMap<Part, Vec<(Step, bool)>>,
    /// The parts that something that matters reads.
    needed: BTreeSet<Part>,
    /// The calls whose results matter.
    results: BTreeSet<Step>,
    /// The functions with a lasting effect that matters.
    lasting: BTreeSet<Id<Function>>,
    /// What was marked and what is needed, to be looked at.
    work: Vec<Step>,
    open: Vec<Part>,
}

impl<'a> Slicer<'a> {
    fn body(&self, function: Id<Function>) -> Option<&Body<'a>> {
        self.bodies[function.index()].as_ref()
    }

    fn op(&self, (function, edge): Step) -> &'a Op {
        &self.program.functions[function].edges[edge].op
    }

    /// The function with a body that an operation calls.
    fn called(&self, op: &Op) -> Option<Id<Function>> {
        match op {
            Op::Call { callee: Callee::Direct(f), .. } => self.body(*f).map(|_| *f),
            _ => None,
        }
    }

    fn mark(&mut self, step: Step) {
        if let Some(body) = &mut self.bodies[step.0.index()]
            && !std::mem::replace(&mut body.matters[step.1.index()], true)
        {
            self.work.push(step);
        }
    }

    fn mark_leaving(&mut self, function: Id<Function>, at: Id<Location>) {
        let leaving = self.body(function).map(|b| b.graph.leaving(at).to_vec()).unwrap_or_default();
        leaving.into_iter().for_each(|edge| self.mark((function, edge)));
    }

    /// Marks what decides whether a location is reached.
    fn mark_deciders(&mut self, function: Id<Function>, at: Id<Location>) {
        let deciders = self.body(function).map(|b| b.dependence.deciders(at).to_vec());
        for decider in deciders.unwrap_or_default() {
            self.mark_leaving(function, decider);
        }
    }

    /// Finds what is useful and what matters.
    fn close(&mut self, is_target: &dyn Fn(&Op) -> bool) {
        let mut targets = Vec::new();
        for id in self.program.functions.ids() {
            let Some(body) = self.body(id) else { continue };
            let order = body.graph.order().iter();
            let steps: Vec<Id<Edge>> =
                order.flat_map(|at| body.graph.leaving(*at)).copied().collect();
            for edge in steps {
                let (step, op) = ((id, edge), self.op((id, edge)));
                if is_target(op) || matches!(op, Op::Unsupported(_)) {
                    targets.push(step);
                }
                let callee = self.called(op);
                if let Some(body) = callee.and_then(|f| self.bodies[f.index()].as_mut()) {
                    body.callers.push(step);
                }
                for part in self.parts.writes(op, callee) {
                    self.writers.entry(part).or_default().push((step, false));
                }
                if let (Some(_), Op::Call { to: Some(to), .. }) = (callee, op) {
                    for part in self.parts.of_place(*to) {
                        self.writers.entry(part).or_default().push((step, true));
                    }
                }
            }
        }
        self.find_useful(&targets);
        for step in targets {
            self.mark(step);
            self.last(step.0);
        }
        loop {
            if let Some(part) = self.open.pop() {
                self.spread(part);
            } else if let Some(step) = self.work.pop() {
                self.matter(step);
            } else {
                break;
            }
        }
    }

    /// Locations from which a target can be reached, in the function or after
    /// its return.
    fn find_useful(&mut self, targets: &[Step]) {
        let source = |(f, e): Step| (f, self.program.functions[f].edges[e].source);
        let mut back: Vec<(Id<Function>, Id<Location>)> =
            targets.iter().map(|step| source(*step)).collect();
        while let Some((id, at)) = back.pop() {
            let Some(body) = &mut self.bodies[id.index()] else { continue };
            if std::mem::replace(&mut body.useful[at.index()], true) {
                continue;
            }
            let Some(body) = self.body(id) else { continue };
            for edge in body.graph.entering(at) {
                let edge = &body.function.edges[*edge];
                match self.called(&edge.op) {
                    Some(callee) => back.push((callee, self.program.functions[callee].exit)),
                    None if is_final(&edge.op) => {}
                    None => back.push((id, edge.source)),
                }
            }
            if at == body.function.entry {
                back.extend(body.callers.iter().map(|step| source(*step)));
            }
        }
    }

    fn is_useful(&self, (function, edge): Step) -> bool {
        let source = self.program.functions[function].edges[edge].source;
        self.body(function).is_some_and(|body| body.useful[source.index()])
    }

    /// A function has a lasting effect that matters, and so has who calls it.
    fn last(&mut self, function: Id<Function>) {
        let mut open = vec![function];
        while let Some(function) = open.pop() {
            if !self.lasting.insert(function) {
                continue;
            }
            let callers = self.body(function).map(|b| b.callers.clone()).unwrap_or_default();
            for step in callers {
                // What comes after a call that is of no use is not looked at.
                if self.is_useful(step) {
                    self.mark(step);
                    open.push(step.0);
                }
            }
        }
    }

    /// An edge matters: so does what it reads and what decides about it.
    fn matter(&mut self, step: Step) {
        let (function, edge) = step;
        let source = self.program.functions[function].edges[edge].source;
        self.mark_deciders(function, source);
        let op = self.op(step);
        // The branches at one location stand and fall together.
        if matches!(op, Op::Assume(_)) {
            self.mark_leaving(function, source);
        }
        match self.called(op) {
            Some(callee) => {
                self.enter(callee);
                self.pass(op, callee);
            }
            None => {
                for part in self.parts.reads(op) {
                    self.need(part);
                }
            }
        }
    }

    /// A call of a function matters, and with it whether it returns.
    fn enter(&mut self, callee: Id<Function>) {
        let Some(body) = &mut self.bodies[callee.index()] else { return };
        let exit = body.function.exit;
        if !std::mem::replace(&mut body.is_called, true) && body.useful[exit.index()] {
            self.mark_deciders(callee, exit);
        }
    }

    /// Of a call that matters, the arguments that do.
    fn pass(&mut self, op: &Op, callee: Id<Function>) {
        let Op::Call { arguments, .. } = op else { return };
        for (i, argument) in arguments.iter().enumerate() {
            if self.is_passed(callee, i, argument) {
                for part in self.parts.of_argument(argument) {
                    self.need(part);
                }
            }
        }
    }

    /// The result of a call matters.
    fn result(&mut self, step: Step) {
        let op = self.op(step);
        let (Some(callee), Op::Call { to: Some(to), .. }) = (self.called(op), op) else { return };
        self.mark(step);
        if self.results.insert(step) {
            for part in self.parts.behind(*to) {
                self.need(part);
            }
        }
        let Some(body) = &mut self.bodies[callee.index()] else { return };
        if !std::mem::replace(&mut body.is_result, true) {
            let edges = body.function.edges.iter_enumerated();
            let is_return = |(_, e): &(Id<Edge>, &Edge)| matches!(e.op, Op::Return(_));
            let returns: Vec<Id<Edge>> = edges.filter(is_return).map(|(id, _)| id).collect();
            for edge in returns {
                if self.is_useful((callee, edge)) {
                    self.mark((callee, edge));
                }
            }
        }
    }

    /// Something that matters reads a part.
    fn need(&mut self, part: Part) {
        if self.needed.insert(part) {
            self.open.push(part);
        }
    }

    /// Marks who writes a part that is needed.
    fn spread(&mut self, part: Part) {
        for (step, by_result) in self.writers.get(&part).cloned().unwrap_or_default() {
            if !self.is_useful(step) {
                continue;
            }
            match by_result {
                true => self.result(step),
                false => self.mark(step),
            }
            if self.parts.owner(part) != Some(step.0) {
                self.last(step.0);
            }
        }
        // Of a parameter, what is passed.
        let Some((callee, number)) = self.parts.parameter(part) else { return };
        let callers = self.body(callee).map(|b| b.callers.clone()).unwrap_or_default();
        for step in callers {
            let matters = |b: &Body<'_>| b.matters[step.1.index()];
            if let (true, Op::Call { arguments, .. }) =
                (self.body(step.0).is_some_and(matters), self.op(step))
                && let Some(argument) = arguments.get(number)
            {
                for part in self.parts.of_argument(argument) {
                    self.need(part);
                }
            }
        }
    }
}
