//! A small program for the tests of this crate: two processes that take
//! tickets, with an enumeration, a choice and a shared action.

use std::sync::Arc;

use parallax_base::{FileId, Id, IdVec, SourceFile, SourceMap, Span};
use parallax_ir::{
    Action, Domain, Edge, Init, Input, Location, Process, Program, Property, PropertyKind, Role,
    State, Update, Variable,
};
use parallax_term::{Term, TermStore, Value};

/// The text the spans of [`ticket`] point into.
const TEXT: &str = "\
model ticket;
process P[i in 0..2] {
  take: idle -> waiting do mine := t, t := t + 1;
  enter: waiting -> critical when mine <= s;
  leave: critical -> idle do s := s + 1;
  [tick] idle -> idle do phase := any;
}
invariant mutex: !(P[0]@critical && P[1]@critical);
";

/// The file of [`ticket`].
pub(crate) fn sources() -> SourceMap {
    let mut map = SourceMap::default();
    map.add(SourceFile::new("ticket.plx", TEXT));
    map
}

fn span(what: &str) -> Span {
    let lo = TEXT.find(what).expect("part of the text");
    Span::new(FileId(0), lo, lo + what.len())
}

struct Builder {
    store: TermStore,
    variables: IdVec<Variable>,
    fixed: Vec<Option<Value>>,
}

impl Builder {
    fn var(&mut self, name: &str, domain: Domain, role: Role, value: Option<i64>) -> Id<Variable> {
        let term = self.store.var(name, domain.sort());
        self.fixed.push(value.map(Value::int));
        self.variables.push(Variable { name: name.into(), term, domain, role, span: span("model") })
    }

    fn term(&self, id: Id<Variable>) -> Term {
        self.variables[id].term
    }
}

/// The program described by the text above.
pub(crate) fn ticket() -> Program {
    let mut b = Builder { store: TermStore::new(), variables: IdVec::default(), fixed: Vec::new() };
    let t = b.var("t", Domain::Int, Role::Shared, Some(0));
    let s = b.var("s", Domain::Int, Role::Shared, None);
    let phases: Arc<[Arc<str>]> = ["idle".into(), "busy".into()].into();
    let phase = b.var("phase", Domain::Enum(phases), Role::Shared, Some(0));
    let one = b.store.int(1);
    let truth = b.store.bool(true);
    let mut actions = IdVec::default();
    let tick = actions.push(Action { name: "tick".into(), span: span("[tick]") });
    let mut processes = IdVec::default();
    for i in 0..2 {
        let p: Id<Process> = Id::new(i);
        let name = format!("P[{i}]");
        let range = Domain::Range(0.into(), 2.into());
        let control = b.var(&format!("{name}@"), range, Role::Control(p), Some(0));
        let mine = b.var(&format!("{name}.mine"), Domain::Int, Role::Local(p), Some(0));
        let location =
            |name: &str| Location { name: name.into(), is_final: name == "idle", span: span(name) };
        let locations: IdVec<Location> =
            ["idle", "waiting", "critical"].into_iter().map(location).collect();
        let (t_plus, s_plus) = (b.term(t), b.term(s));
        let (t_plus, s_plus) = (b.store.add(t_plus, one), b.store.add(s_plus, one));
        let guard = {
            let (mine, s) = (b.term(mine), b.term(s));
            b.store.le(mine, s)
        };
        let edge = |name: &str, source, target, guard, updates, text| Edge {
            name: name.into(),
            source: Id::new(source),
            target: Id::new(target),
            action: None,
            guard,
            inputs: Vec::new(),
            constraint: truth,
            updates,
            span: span(text),
        };
        let set = |variable, value| Update { variable, value };
        let ticket = b.term(t);
        let mut edges: IdVec<Edge> = [
            edge("take", 0, 1, truth, vec![set(mine, ticket), set(t, t_plus)], "take: idle"),
            edge("enter", 1, 2, guard, vec![], "enter: waiting"),
            edge("leave", 2, 0, truth, vec![set(s, s_plus)], "leave: critical"),
        ]
        .into_iter()
        .collect();
        let mut joint = edge("tick", 0, 0, truth, vec![], "[tick] idle");
        joint.action = Some(tick);
        if i == 0 {
            let term = b.store.fresh("phase", parallax_term::Sort::Int);
            let (low, high) = (b.store.int(0), b.store.int(1));
            let (low, high) = (Some(low), Some(high));
            joint.inputs.push(Input { term, name: "phase".into(), low, high });
            joint.updates.push(set(phase, term));
        }
        edges.push(joint);
        let initial = Id::new(0);
        let span = span("process P");
        processes.push(Process { name: name.into(), control, locations, initial, edges, span });
    }
    let predicate = {
        let (s, t) = (b.term(s), b.term(t));
        b.store.le(s, t)
    };
    let mut program = Program {
        name: "ticket".into(),
        store: b.store,
        variables: b.variables,
        processes,
        actions,
        init: Init { fixed: b.fixed, predicate },
        properties: IdVec::default(),
    };
    let mut store = program.store.clone();
    let both = [0, 1].map(|p| program.at(&mut store, Id::new(p), Id::new(2)));
    let both = store.and(both);
    let stuck = program.deadlock(&mut store);
    program.store = store;
    let mut property = |name: &str, kind, target| {
        let implicit = kind == PropertyKind::DeadlockFree;
        let span = span("invariant mutex");
        program.properties.push(Property {
            name: name.into(),
            kind,
            target,
            temporal: None,
            implicit,
            span,
        });
    };
    property("mutex", PropertyKind::Invariant, both);
    property("both", PropertyKind::Reachable, both);
    property("deadlock_free", PropertyKind::DeadlockFree, stuck);
    program
}

/// A state of [`ticket`] by its variables: t, s, phase, then location and
/// ticket of each process.
pub(crate) fn state(values: [i64; 7]) -> State {
    State::new(values.map(Value::int).to_vec())
}
