//! Which steps of a run matter to how it ends: a dynamic backward slice.
//!
//! H. Agrawal, J. R. Horgan, *Dynamic Program Slicing*, PLDI 1990; control
//! dependence on the run as in B. Xin, X. Zhang, *Efficient Online Detection of
//! Dynamic Control Dependence*, ISSTA 2007. We deviate in one point: memory
//! that is reached through pointers counts as one object, which keeps too many
//! steps and never too few.

mod access;
mod postdominators;

use self::access::{Access, Reads};
use self::postdominators::postdominators;
use crate::{Argument, Edge, Function, Location, Op, Primitive, Program, Storage, Variable};
use parallax_base::Id;
use std::collections::{BTreeMap, BTreeSet};

/// A step of a run: which edge of which function was taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Executed {
    /// The function.
    pub function: Id<Function>,
    /// Its edge.
    pub edge: Id<Edge>,
}

/// What was found out about the steps of a run.
#[derive(Clone, Debug, Default)]
pub struct Relevance {
    /// Whether each step matters to the last one.
    pub relevant: Vec<bool>,
    /// How many calls were open at each step; zero in `main`.
    pub depth: Vec<u32>,
    /// For each step, the call that opened its function.
    pub caller: Vec<Option<usize>>,
}

/// An activation of a function.
struct Frame {
    function: Id<Function>,
    /// The step that called it.
    call: Option<usize>,
    /// Branches that decide whether the present step is taken: the step and
    /// where its ways meet again.
    branches: Vec<(usize, Id<Location>, Option<Id<Location>>)>,
    number: u32,
}

/// How a step hangs together with others.
#[derive(Clone, Copy)]
struct Link {
    frame: u32,
    /// The branch or call that decided that it is taken.
    control: Option<usize>,
    /// For a call that was entered: the number of the new frame. For a return:
    /// the call that it answers.
    partner: Option<usize>,
}

/// An object of a run: a variable of an activation, or of all.
type Object = (u32, Id<Variable>);

/// The frame that global variables belong to.
const GLOBAL: u32 = u32::MAX;

/// Finds the steps that the last step depends on, or what a formula saw. Steps of several threads
/// are all kept.
pub fn relevance(program: &Program, steps: &[Executed]) -> Relevance {
    if program.has_threads() {
        let count = steps.len();
        return Relevance {
            relevant: vec![true; count],
            depth: vec![0; count],
            caller: vec![None; count],
        };
    }
    let (links, mut found) = link(program, steps);
    let mut slice = Slice {
        program,
        reads: Reads::new(program),
        objects: BTreeSet::new(),
        memory: false,
        life: false,
        relevant: vec![false; steps.len()],
    };
    for (index, step) in steps.iter().enumerate().rev() {
        let op = &program.functions[step.function].edges[step.edge].op;
        if index + 1 == steps.len() {
            slice.relevant[index] = true;
        }
        slice.visit(op, index, steps, &links);
        if slice.relevant[index]
            && let Some(parent) = links[index].control
        {
            slice.relevant[parent] = true;
        }
    }
    found.relevant = slice.relevant;
    found
}

/// Follows calls and branches forwards.
fn link(program: &Program, steps: &[Executed]) -> (Vec<Link>, Relevance) {
    let mut meets: BTreeMap<Id<Function>, Vec<Option<Id<Location>>>> = BTreeMap::new();
    let mut frames: Vec<Frame> = Vec::new();
    let mut count = 0;
    let mut links = Vec::with_capacity(steps.len());
    let mut found = Relevance::default();
    let mut entered: Option<usize> = None;
    for (index, step) in steps.iter().enumerate() {
        let function = &program.functions[step.function];
        let edge = &function.edges[step.edge];
        let fits = frames.last().is_some_and(|f| f.function == step.function);
        if entered.is_some() || !fits {
            let branches = Vec::new();
            frames.push(Frame { function: step.function, call: entered, branches, number: count });
            count += 1;
            entered = None;
        }
        let depth = frames.len() as u32 - 1;
        let Some(frame) = frames.last_mut() else { continue };
        frame.branches.retain(|(_, _, meet)| *meet != Some(edge.source));
        let control = frame.branches.last().map(|b| b.0).or(frame.call);
        found.depth.push(depth);
        found.caller.push(frame.call);
        let mut this = Link { frame: frame.number, control, partner: None };
        if let Op::Assume(_) = edge.op {
            let meets = meets.entry(step.function).or_insert_with(|| postdominators(function));
            // A loop test replaces the test of the round before.
            if let Some(again) = frame.branches.iter().position(|b| b.1 == edge.source) {
                frame.branches.truncate(again);
            }
            frame.branches.push((index, edge.source, meets[edge.source.index()]));
        }
        let next = steps.get(index + 1);
        match &edge.op {
            Op::Call { .. } => {
                let stays = next.is_none_or(|n| {
                    let source = program.functions[n.function].edges[n.edge].source;
                    n.function == step.function && source == edge.target
                });
                if !stays {
                    entered = Some(index);
                    this.partner = Some(count as usize);
                }
            }
            _ if edge.target == function.exit && frames.len() > 1 => {
                this.partner = frames.pop().and_then(|f| f.call);
            }
            _ => {}
        }
        links.push(this);
    }
    (links, found)
}

/// The state of the walk backwards.
struct Slice<'a> {
    program: &'a Program,
    reads: Reads<'a>,
    /// The objects whose value matters.
    objects: BTreeSet<Object>,
    /// Whether what is reached through pointers matters.
    memory: bool,
    /// Whether it matters which objects live.
    life: bool,
    relevant: Vec<bool>,
}

impl Slice<'_> {
    fn object(&self, frame: u32, variable: Id<Variable>) -> Object {
        let is_global =
            matches!(self.program.variables[variable].storage, Storage::Static | Storage::Thread);
        (if is_global { GLOBAL } else { frame }, variable)
    }

    /// Whether a write matters; a write of a whole variable settles it.
    fn takes(&mut self, frame: u32, access: Access) -> bool {
        match access {
            Access::Life => self.life,
            Access::Memory => {
                let taken = |o: &Object| self.program.variables[o.1].address_taken;
                self.memory || self.objects.iter().any(taken)
            }
            Access::Variable { variable, whole } => {
                let object = self.object(frame, variable);
                let through = self.memory && self.program.variables[variable].address_taken;
                let wanted = self.objects.contains(&object) || through;
                if whole {
                    self.objects.remove(&object);
                }
                wanted
            }
        }
    }

    fn want(&mut self, frame: u32, accesses: &[Access]) {
        for access in accesses {
            match access {
                Access::Memory => self.memory = true,
                Access::Life => self.life = true,
                Access::Variable { variable, .. } => {
                    let object = self.object(frame, *variable);
                    self.objects.insert(object);
                }
            }
        }
    }

    fn visit(&mut self, op: &Op, index: usize, steps: &[Executed], links: &[Link]) {
        let Link { frame, partner, .. } = links[index];
        match (op, partner) {
            (Op::Call { arguments, .. }, Some(callee)) => {
                // The arguments become the parameters of the new frame.
                let entered = steps.get(index + 1).map(|s| s.function);
                let Some(function) = entered.map(|f| &self.program.functions[f]) else { return };
                for (&parameter, argument) in function.parameters.iter().zip(arguments) {
                    let wanted = self.objects.remove(&(callee as u32, parameter));
                    if wanted || (self.memory && self.program.variables[parameter].address_taken) {
                        self.relevant[index] = true;
                        let reads = self.reads.argument(argument);
                        self.want(frame, &reads);
                    }
                }
            }
            (Op::Return(value), Some(call)) => {
                let caller = steps[call];
                let op = &self.program.functions[caller.function].edges[caller.edge].op;
                let Op::Call { to: Some(to), .. } = op else { return };
                let (write, way) = self.reads.target(*to);
                let outer = links[call].frame;
                if self.takes(outer, write) {
                    self.relevant[index] = true;
                    self.relevant[call] = true;
                    self.want(outer, &way);
                    let reads = value.as_ref().map(|v: &Argument| self.reads.argument(v));
                    self.want(frame, &reads.unwrap_or_default());
                }
            }
            _ => {
                let (writes, reads) = self.reads.op(op);
                let is_atom = matches!(op, Op::Primitive { primitive: Primitive::Atom, .. });
                let mut wanted = is_atom || self.relevant[index];
                for write in writes {
                    wanted |= self.takes(frame, write);
                }
                if wanted {
                    self.relevant[index] = true;
                    self.want(frame, &reads);
                }
            }
        }
    }
}
