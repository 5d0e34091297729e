//! From a control-flow automaton to a flat list of instructions.
//!
//! Locations are laid out along the edges, so that most edges fall through.
//! Every edge begins with a `Step` instruction, behind the branch for an
//! assumption. This file has the control flow; expressions, places and
//! operations are in files of their own.

use super::code::{Class, Code, Home, Instr, Reg, SlotCode, class_of};
use super::shared::{Memo, Shared};
use crate::{Binary, Edge, ExprKind, Function, Initial, Location, Op, Storage, Unary, Variable};
use parallax_base::Id;
use rustc_hash::FxHashMap;

/// The function that is being compiled.
pub(crate) struct Compiler<'s, 'p> {
    pub(crate) shared: &'s Shared<'p>,
    pub(crate) function: Id<Function>,
    pub(crate) code: Code,
    pub(crate) memo: Memo,
    /// Expressions whose memory must be undone when an arm ends.
    pub(crate) trail: Vec<usize>,
    pub(crate) constants: FxHashMap<u64, Reg>,
    pub(crate) pairs: FxHashMap<(u64, u64), Reg>,
    /// Registers for values in between: free ones and those of this edge.
    pub(crate) free: [Vec<Reg>; 2],
    pub(crate) used: [Vec<Reg>; 2],
    /// Homes of the locals.
    pub(crate) homes: FxHashMap<Id<Variable>, Home>,
    /// The first instruction of each location.
    starts: Vec<u32>,
    /// Jumps to locations, by the place of the instruction.
    jumps: Vec<(usize, Id<Location>)>,
    /// Edges that start somewhere else, with the jump that leads there.
    pending: Vec<(usize, Id<Edge>)>,
}

const UNKNOWN: u32 = u32::MAX;

/// Compiles a function that is defined.
pub(crate) fn compile(shared: &Shared<'_>, function: Id<Function>) -> Code {
    let mut compiler = Compiler::new(shared, function);
    let locations = shared.program.functions[function].locations.len();
    compiler.starts = vec![UNKNOWN; locations];
    compiler.place_variables();
    compiler.control_flow();
    compiler.finish()
}

/// Compiles the initializers of the static variables.
pub(crate) fn compile_initials(shared: &Shared<'_>) -> Code {
    let mut compiler = Compiler::new(shared, Id::new(0));
    for (_, initial) in &shared.program.initials {
        if let Initial::Items(items) = initial {
            for item in items {
                compiler.begin_edge();
                compiler.assign(item.place, item.value);
            }
        }
    }
    compiler.emit(Instr::Return);
    compiler.finish()
}

impl<'s, 'p> Compiler<'s, 'p> {
    fn new(shared: &'s Shared<'p>, function: Id<Function>) -> Compiler<'s, 'p> {
        Compiler {
            shared,
            function,
            code: Code::default(),
            memo: std::mem::take(&mut shared.memo.borrow_mut()),
            trail: Vec::new(),
            constants: FxHashMap::default(),
            pairs: FxHashMap::default(),
            free: [Vec::new(), Vec::new()],
            used: [Vec::new(), Vec::new()],
            homes: FxHashMap::default(),
            starts: Vec::new(),
            jumps: Vec::new(),
            pending: Vec::new(),
        }
    }

    fn place_variables(&mut self) {
        let program = self.shared.program;
        for &id in &self.shared.locals[self.function.index()] {
            let variable = &program.variables[id];
            let home = if self.shared.in_memory[id.index()] {
                let depth = (self.code.frame_bytes + variable.size.max(1) + 16)
                    .next_multiple_of(variable.align.max(16));
                self.code.frame_bytes = depth;
                let from_entry = !self.shared.lived[id.index()]
                    && !matches!(variable.storage, Storage::Parameter);
                self.code.has_entry_slots |= from_entry;
                self.code.slots.push(SlotCode {
                    variable: id,
                    size: variable.size,
                    depth,
                    from_entry,
                });
                Home::Slot(self.code.slots.len() as u32 - 1)
            } else {
                let class = self.shared.scalar(id).map_or(Class::One, class_of);
                Home::Register(self.fresh(class), class)
            };
            self.homes.insert(id, home);
            self.code.homes.push((id, home));
        }
        for parameter in &program.functions[self.function].parameters {
            if let Some(home) = self.homes.get(parameter) {
                self.code.parameters.push(*home);
            }
        }
    }

    /// A register that keeps its number.
    pub(crate) fn fresh(&mut self, class: Class) -> Reg {
        let at = self.code.template.len() as Reg;
        self.code.template.push(0);
        if class != Class::One {
            self.code.template.push(0);
        }
        at
    }

    fn control_flow(&mut self) {
        let function = &self.shared.program.functions[self.function];
        let mut leaving: Vec<Vec<Id<Edge>>> = vec![Vec::new(); function.locations.len()];
        let mut turns = vec![false; function.locations.len()];
        for (id, edge) in function.edges.iter_enumerated() {
            leaving[edge.source.index()].push(id);
            // A check and what follows are one step.
            turns[edge.target.index()] |= !matches!(edge.op, Op::Check(_));
        }
        turns[function.entry.index()] = true;
        let mut current = Some(function.entry);
        loop {
            while let Some(location) = current {
                if self.starts[location.index()] != UNKNOWN {
                    self.jump_to(location);
                    break;
                }
                self.starts[location.index()] = self.code.instrs.len() as u32;
                if self.shared.has_threads && turns[location.index()] {
                    self.emit(Instr::Turn);
                }
                current = self.location(location, &leaving[location.index()]);
            }
            let Some((jump, edge)) = self.pending.pop() else { break };
            self.patch(jump, self.code.instrs.len() as u32);
            current = self.edge(edge);
        }
    }

    fn location(&mut self, location: Id<Location>, edges: &[Id<Edge>]) -> Option<Id<Location>> {
        let function = &self.shared.program.functions[self.function];
        let assumptions =
            edges.iter().filter(|e| matches!(function.edges[**e].op, Op::Assume(_))).count();
        match edges {
            [] => {
                let end = if location == function.exit { Instr::Return } else { Instr::Stuck };
                self.emit(end);
                None
            }
            [only] if assumptions == 0 => self.edge(*only),
            _ if assumptions == edges.len() => self.branch(edges),
            _ => {
                self.emit(Instr::Choose { count: edges.len() as u32 });
                for edge in edges {
                    let at = self.emit(Instr::Jump { to: UNKNOWN });
                    self.pending.push((at, *edge));
                }
                None
            }
        }
    }

    /// One edge, without its condition.
    fn edge(&mut self, id: Id<Edge>) -> Option<Id<Location>> {
        let function = &self.shared.program.functions[self.function];
        let edge = &function.edges[id];
        self.begin_edge();
        self.await_turn(&edge.op);
        self.emit(Instr::Step { edge: id.index() as u32 });
        let goes_on = self.operation(edge);
        goes_on.then_some(edge.target)
    }

    /// A branch: the first edge whose condition holds is taken.
    fn branch(&mut self, edges: &[Id<Edge>]) -> Option<Id<Location>> {
        let function = &self.shared.program.functions[self.function];
        let condition = |edge: Id<Edge>| match function.edges[edge].op {
            Op::Assume(condition) => Some(condition),
            _ => None,
        };
        self.begin_edge();
        let [first @ .., last] = edges else {
            self.emit(Instr::Stuck);
            return None;
        };
        if self.shared.options.lazy {
            self.emit(Instr::Decide { edge: edges[0].index() as u32 });
        }
        for edge in first {
            if let Some(condition) = condition(*edge) {
                let patch = self.jump_if(condition, true);
                self.pending.push((patch, *edge));
            }
        }
        // Two opposite conditions are tested once.
        let opposite = matches!((first, condition(*last)), ([first], Some(second))
            if condition(*first).is_some_and(|first| self.are_opposite(first, second)));
        if !opposite && let Some(condition) = condition(*last) {
            let patch = self.jump_if(condition, true);
            self.emit(Instr::Stuck);
            self.pending.push((patch, *last));
            return None;
        }
        self.edge(*last)
    }

    /// Whether two expressions are the same, up to a few levels.
    fn same_value(&self, a: Id<crate::Expr>, b: Id<crate::Expr>) -> bool {
        let exprs = &self.shared.program.exprs;
        a == b || {
            let (x, y) = (&exprs[a], &exprs[b]);
            let places = &self.shared.program.places;
            x.ty == y.ty
                && match (&x.kind, &y.kind) {
                    (ExprKind::Load(p), ExprKind::Load(q)) => {
                        p == q || places[*p].path.is_empty() && places[*p] == places[*q]
                    }
                    (ExprKind::Convert(p), ExprKind::Convert(q)) => p == q,
                    _ => x == y,
                }
        }
    }

    /// Whether exactly one of the two holds, as far as the form shows it.
    fn are_opposite(&self, a: Id<crate::Expr>, b: Id<crate::Expr>) -> bool {
        use ExprKind::{Binary as B, Unary as U};
        let exprs = &self.shared.program.exprs;
        match (&exprs[a].kind, &exprs[b].kind) {
            (U(Unary::Not, x), _) if *x == b => true,
            (_, U(Unary::Not, y)) if *y == a => true,
            (B(op, x1, y1), B(negated, x2, y2)) => {
                let negation = match op {
                    Binary::Eq => Binary::Ne,
                    Binary::Ne => Binary::Eq,
                    Binary::Lt => Binary::Ge,
                    Binary::Ge => Binary::Lt,
                    Binary::Gt => Binary::Le,
                    Binary::Le => Binary::Gt,
                    _ => return false,
                };
                let ordered = self
                    .shared
                    .program
                    .types
                    .scalar(exprs[*x1].ty)
                    .is_some_and(|ty| !ty.is_float());
                ordered
                    && *negated == negation
                    && self.same_value(*x1, *x2)
                    && self.same_value(*y1, *y2)
            }
            _ => false,
        }
    }

    fn jump_to(&mut self, location: Id<Location>) {
        let at = self.emit(Instr::Jump { to: UNKNOWN });
        self.jumps.push((at, location));
    }

    pub(crate) fn emit(&mut self, instr: Instr) -> usize {
        self.code.instrs.push(instr);
        self.code.instrs.len() - 1
    }

    /// Sets the target of the jump at a place.
    pub(crate) fn patch(&mut self, at: usize, target: u32) {
        match &mut self.code.instrs[at] {
            Instr::Jump { to }
            | Instr::JumpZero { to, .. }
            | Instr::JumpNonZero { to, .. }
            | Instr::JumpEq { to, .. }
            | Instr::JumpNe { to, .. }
            | Instr::JumpLtS { to, .. }
            | Instr::JumpLeS { to, .. }
            | Instr::JumpLtU { to, .. }
            | Instr::JumpLeU { to, .. } => *to = target,
            _ => {}
        }
    }

    fn finish(mut self) -> Code {
        for (patch, location) in std::mem::take(&mut self.jumps) {
            self.patch(patch, self.starts[location.index()]);
        }
        *self.shared.memo.borrow_mut() = self.memo;
        self.code
    }
}
