//! Which variables may be read before they are written, at each location.
//!
//! A variable that begins to live has arbitrary contents. Saying so costs a
//! free choice on an edge, which is worth it only if somebody may look. And
//! where ways meet, values that nobody will look at need not be told apart.

use parallax_base::Id;
use parallax_cfa::{
    Argument, Base, Check, Expr, ExprKind, Function, Op, Place, Program, Step, Variable,
};
use std::collections::BTreeSet;

/// What each edge of a function reads and writes of whole variables.
pub(crate) struct Effects {
    reads: Vec<Vec<Id<Variable>>>,
    writes: Vec<Option<Id<Variable>>>,
    out: Vec<Vec<usize>>,
    sources: Vec<usize>,
    targets: Vec<usize>,
    starts: Vec<(Id<Variable>, usize)>,
}

impl Effects {
    /// Looks at every edge once.
    pub(crate) fn new(program: &Program, function: &Function) -> Effects {
        let mut out = vec![Vec::new(); function.locations.len()];
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        let (mut sources, mut targets) = (Vec::new(), Vec::new());
        let mut starts = Vec::new();
        for (index, edge) in function.edges.iter().enumerate() {
            out[edge.source.index()].push(index);
            sources.push(edge.source.index());
            targets.push(edge.target.index());
            let mut found = Reads { program, variables: BTreeSet::new() };
            let mut written = None;
            match &edge.op {
                Op::Assign(place, value) => {
                    found.expr(*value);
                    written = found.target(*place);
                }
                Op::Input { to, .. } | Op::Havoc { to, .. } => written = found.target(*to),
                Op::Assume(e) => found.expr(*e),
                Op::Copy { to, from } => {
                    found.place(*from);
                    written = found.target(*to);
                }
                Op::Call { to, arguments, .. } => {
                    for argument in arguments {
                        match argument {
                            Argument::Scalar(e) => found.expr(*e),
                            Argument::Aggregate(place) => found.place(*place),
                        }
                    }
                    written = to.and_then(|to| found.target(to));
                }
                Op::Primitive { to, arguments, .. } => {
                    arguments.iter().for_each(|e| found.expr(*e));
                    written = to.and_then(|to| found.target(to));
                }
                Op::Live(variable, size) => {
                    size.iter().for_each(|e| found.expr(*e));
                    starts.push((*variable, edge.target.index()));
                    // A new life ends the question about the old one.
                    written = Some(*variable);
                }
                Op::Check(check) => match *check {
                    Check::Overflow(e)
                    | Check::Division(e)
                    | Check::Shift(e)
                    | Check::FloatConversion(e)
                    | Check::Free(e)
                    | Check::Callable(e) => found.expr(e),
                    Check::Lock(place, _) => found.place(place),
                    // Where something is, not what.
                    Check::Access { place, .. }
                    | Check::Initialized(place)
                    | Check::Alone { place, .. } => {
                        found.target(place);
                    }
                    Check::AccessBytes { pointer, size, .. }
                    | Check::AloneBytes { pointer, size, .. } => {
                        found.expr(pointer);
                        found.expr(size);
                    }
                    Check::Sequenced { apart, .. } | Check::Index { within: apart, .. } => {
                        found.expr(apart);
                    }
                    Check::Unreachable => {}
                },
                Op::Skip
                | Op::Return(_)
                | Op::Dead(_)
                | Op::Error(_)
                | Op::Halt(_)
                | Op::Unsupported(_) => {}
            }
            reads.push(found.variables.into_iter().collect());
            writes.push(written);
        }
        Effects { reads, writes, out, sources, targets, starts }
    }

    /// The variables that may be read from each location on before they are
    /// written; `None` if there are too many of both to say.
    pub(crate) fn liveness(&self, variables: usize) -> Option<Live> {
        let words = variables.div_ceil(64);
        let count = self.out.len();
        if count.saturating_mul(words) > ROOM {
            return None;
        }
        let mut live = Live { words, sets: vec![0; count * words] };
        let mut entering = vec![Vec::new(); count];
        for (edge, target) in self.targets.iter().enumerate() {
            entering[*target].push(edge);
        }
        let mut open: Vec<usize> = (0..count).collect();
        let mut waits = vec![true; count];
        let mut before = vec![0; words];
        while let Some(at) = open.pop() {
            waits[at] = false;
            for &edge in &entering[at] {
                before.copy_from_slice(live.set(at));
                if let Some(v) = self.writes[edge].map(Id::index) {
                    before[v / 64] &= !(1 << (v % 64));
                }
                for v in self.reads[edge].iter().map(|v| v.index()) {
                    before[v / 64] |= 1 << (v % 64);
                }
                let source = self.sources[edge];
                let mut grew = false;
                let set = &mut live.sets[source * words..(source + 1) * words];
                for (mine, theirs) in set.iter_mut().zip(&before) {
                    grew |= theirs & !*mine != 0;
                    *mine |= theirs;
                }
                if grew && !std::mem::replace(&mut waits[source], true) {
                    open.push(source);
                }
            }
        }
        Some(live)
    }

    /// The variables some life of which may be read before it is written.
    pub(crate) fn read_first(&self, live: Option<&Live>) -> BTreeSet<Id<Variable>> {
        let read = |start: usize, v: Id<Variable>| live.is_none_or(|live| live.contains(start, v));
        let starts = self.starts.iter().filter(|(v, start)| read(*start, *v));
        starts.map(|(v, _)| *v).collect()
    }
}

/// Words of all sets together.
const ROOM: usize = 1 << 24;

/// The live variables of each location.
pub(crate) struct Live {
    words: usize,
    sets: Vec<u64>,
}

impl Live {
    fn set(&self, at: usize) -> &[u64] {
        &self.sets[at * self.words..(at + 1) * self.words]
    }

    /// Whether a variable is live at a location.
    pub(crate) fn contains(&self, at: usize, variable: Id<Variable>) -> bool {
        let v = variable.index();
        self.set(at)[v / 64] & 1 << (v % 64) != 0
    }
}

struct Reads<'p> {
    program: &'p Program,
    variables: BTreeSet<Id<Variable>>,
}

impl Reads<'_> {
    fn expr(&mut self, root: Id<Expr>) {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            match &self.program.exprs[id].kind {
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
                ExprKind::Load(place) => {
                    let place = &self.program.places[*place];
                    if let Base::Variable(v) = place.base {
                        self.variables.insert(v);
                    }
                    inner(place, &mut open);
                }
                // Taking an address lets anybody read.
                ExprKind::Address(place) => {
                    let place = &self.program.places[*place];
                    if let Base::Variable(v) = place.base {
                        self.variables.insert(v);
                    }
                    inner(place, &mut open);
                }
                ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::ObjectSize(a) => {
                    open.push(*a);
                }
                ExprKind::Binary(_, a, b) => open.extend([*a, *b]),
                ExprKind::PointerAdd { pointer, index, scale } => {
                    open.extend([*pointer, *index, *scale]);
                }
                ExprKind::PointerDiff { left, right, scale } => {
                    open.extend([*left, *right, *scale]);
                }
                ExprKind::Conditional(c, a, b) => open.extend([*c, *a, *b]),
            }
        }
    }

    /// A place that is read.
    fn place(&mut self, id: Id<Place>) {
        let place = &self.program.places[id];
        if let Base::Variable(v) = place.base {
            self.variables.insert(v);
        }
        let mut open = Vec::new();
        inner(place, &mut open);
        open.into_iter().for_each(|e| self.expr(e));
    }

    /// A place that is written; the variable if it is written as a whole.
    fn target(&mut self, id: Id<Place>) -> Option<Id<Variable>> {
        let place = &self.program.places[id];
        let mut open = Vec::new();
        inner(place, &mut open);
        open.into_iter().for_each(|e| self.expr(e));
        match place.base {
            Base::Variable(v) if place.path.is_empty() && place.bits.is_none() => Some(v),
            _ => None,
        }
    }
}

/// The expressions that say where a place is.
fn inner(place: &Place, open: &mut Vec<Id<Expr>>) {
    if let Base::Pointer(e) = place.base {
        open.push(e);
    }
    for step in &place.path {
        if let Step::Index(e) = step {
            open.push(*e);
        }
    }
}
