//! Every concrete pointer must be predicted.
//!
//! A run is watched. Where an edge loads a pointer from a variable without
//! pointers to it, the object that the address lies in must be among those that
//! the points-to analysis predicts, and so must the offset.

use parallax_base::Id;
use parallax_cfa::run::{Interpreter, Observer, Options, Recorded, View};
use parallax_cfa::{Base, Edge, Expr, ExprKind, Function, Op, Primitive, Program, Variable};
use parallax_transform::Uses;
use parallax_transform::points_to::{self, ObjectKind, Offset, PointsTo};
use std::collections::{BTreeMap, HashMap};

/// Pointer loads of an edge: the expression and its variable.
type Loads = Vec<(Id<Expr>, Id<Variable>)>;

struct Watch<'a> {
    name: &'a str,
    program: &'a Program,
    points_to: PointsTo,
    loads: HashMap<(Id<Function>, Id<Edge>), Loads>,
    /// Objects by address: size and what they are. Later ones replace earlier.
    objects: BTreeMap<u64, (u64, ObjectKind)>,
    pending: Option<(Id<Variable>, u64, ObjectKind)>,
    checked: usize,
}

impl Watch<'_> {
    fn loads(&mut self, function: Id<Function>, edge: Id<Edge>) -> Loads {
        let program = self.program;
        let found = self.loads.entry((function, edge)).or_insert_with(|| {
            let op = &program.functions[function].edges[edge].op;
            let uses = Uses::of_ops(program, std::iter::once(op));
            let load = |e: &Id<Expr>| match program.exprs[*e].kind {
                ExprKind::Load(place) => {
                    let is_pointer = program.types.pointee(program.exprs[*e].ty).is_some();
                    let place = &program.places[place];
                    match place.base {
                        Base::Variable(v) if place.path.is_empty() && is_pointer => {
                            (!program.variables[v].address_taken).then_some((*e, v))
                        }
                        _ => None,
                    }
                }
                _ => None,
            };
            uses.exprs.iter().filter_map(load).collect()
        });
        found.clone()
    }
}

impl Observer for Watch<'_> {
    fn step(&mut self, view: &View<'_>, edge: Id<Edge>) {
        let Some(function) = view.function() else { return };
        if let Some((variable, size, kind)) = self.pending.take()
            && let Some(address) = view.scalar(variable)
        {
            self.objects.insert(address.bits as u64, (size, kind));
        }
        for (id, variable) in self.program.variables.iter_enumerated() {
            let here = variable.owner.is_none_or(|owner| owner == function);
            if let (true, Some(address)) = (here && variable.address_taken, view.address(id)) {
                self.objects.insert(address, (variable.size, ObjectKind::Variable(id)));
            }
        }
        for (expr, variable) in self.loads(function, edge) {
            let Some(address) = view.scalar(variable).map(|s| s.bits as u64) else { continue };
            let object = self.objects.range(..=address).next_back();
            let Some((start, (size, kind))) = object else { continue };
            let offset = address - start;
            if offset <= *size {
                let name = self.name;
                let targets = self.points_to.targets(expr);
                let outside = targets
                    .iter()
                    .any(|t| self.points_to.objects()[t.object].kind == ObjectKind::Unknown);
                let of = |t: &points_to::Target| self.points_to.objects()[t.object].kind == *kind;
                let near: Vec<Offset> =
                    targets.iter().filter(|t| of(t)).map(|t| t.offset).collect();
                let escaped = self.points_to.pointees(expr);
                let escaped = escaped.iter().any(|o| self.points_to.objects()[*o].kind == *kind);
                assert!(!near.is_empty() || outside && escaped, "{name}: {kind:?} at {edge:?}");
                // A pointer to the start has that class, whatever the shape.
                let known = near.contains(&Offset::At(0)) || near.contains(&Offset::Any);
                assert!(offset > 0 || known || outside, "{name}: {kind:?}+0 not in {near:?}");
                self.checked += 1;
            }
        }
        if let Op::Primitive { to: Some(to), primitive: Primitive::Allocate, arguments } =
            &self.program.functions[function].edges[edge].op
            && let Base::Variable(v) = self.program.places[*to].base
            && let Some(ExprKind::Int(n)) =
                arguments.first().map(|e| self.program.exprs[*e].kind.clone())
        {
            self.pending = Some((v, n as u64, ObjectKind::Heap { function, edge }));
        }
    }
}

/// Runs a program and checks its pointers; says how many there were.
pub(crate) fn check(name: &str, program: &Program, inputs: &[i128]) -> usize {
    let points_to = PointsTo::analyze(program, &points_to::Options::default());
    let mut watch = Watch {
        name,
        program,
        points_to,
        loads: HashMap::new(),
        objects: BTreeMap::new(),
        pending: None,
        checked: 0,
    };
    let options = Options { max_steps: 200_000, ..Options::default() };
    let mut oracle = Recorded::new(inputs.to_vec());
    oracle.rest = Some(1);
    Interpreter::new(program, options).observe(&mut oracle, &mut watch);
    watch.checked
}
