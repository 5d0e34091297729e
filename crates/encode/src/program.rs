//! The `ir` program, and the way back from it.

use crate::arithmetic::Arithmetic;
use crate::blocks::{Cuts, Target};
use crate::encoder::{Choice, Encoder};
use crate::execute::End;
use crate::expand::expand;
use crate::integers::Integers;
use crate::layout::Layout;
use crate::liveness::Effects;
use crate::pointer::Pointers;
use crate::prepare::unknown_code;
use crate::prune::{self, prune};
use crate::state::State;
use crate::vectors::Vectors;
use crate::{Blocks, Encoding, Options, Passes, suit};
use parallax_base::{Id, IdVec, Span};
use parallax_cfa as cfa;
use parallax_ir as ir;
use parallax_term::{Term, TermStore};
use parallax_transform::Uses;
use parallax_transform::points_to::PointsTo;
use parallax_transform::ranges::{self, Ranges};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Why a program has no encoding at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotEncoded(pub String);

impl std::fmt::Display for NotEncoded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotEncoded {}

/// A place that the encoding does not cover.
#[derive(Clone, Debug)]
pub struct GapPlace {
    /// The location that stands for it.
    pub location: Id<ir::Location>,
    /// What is not covered.
    pub what: Arc<str>,
    /// Where.
    pub span: Span,
}

/// An encoded program and the way back.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// The program over terms. Its properties are those asked, in order; if
    /// there are gaps, one more asks whether they can be reached.
    pub program: ir::Program,
    /// The property that no gap is reached.
    pub covered: Option<Id<ir::Property>>,
    /// The gaps.
    pub gaps: Vec<GapPlace>,
    /// The program form that was encoded: copies are expanded. Choices refer to it.
    pub form: cfa::Program,
    /// The cut point of each location, if it is one.
    pub cuts: Vec<Option<Id<cfa::Location>>>,
    /// The choices of each edge, in the order of its inputs.
    pub choices: Vec<Vec<Choice>>,
    /// Variables of the program form that are one variable of the program over
    /// terms each: both, the latter by its position.
    pub scalars: Vec<(Id<cfa::Variable>, usize)>,
    /// Which of them the program form may still read, for each location, by
    /// position. What it does not may have a value of the past.
    pub live: Vec<BTreeSet<usize>>,
    /// Whether arithmetic was taken not to wrap because of ranges.
    pub uses_ranges: bool,
    /// Where everything is kept.
    pub(crate) layout: Layout,
}

/// The name of the property that no gap is reached.
pub const COVERED: &str = "covered";

/// Encodes a program of one function.
pub fn encode(program: &cfa::Program, options: &Options) -> Result<Encoded, NotEncoded> {
    let (form, _) = expand(program);
    let Some(main) = form.main else {
        return Err(NotEncoded("the program has no function to start with".into()));
    };
    let function = &form.functions[main];
    let points_to = PointsTo::analyze(&form, &unknown_code());
    let regions = points_to.regions(&form);
    let vectors = match options.encoding {
        Encoding::Vectors => true,
        Encoding::Integers => false,
        Encoding::Suited => suit::works_on_bits(&form, function, &regions),
    };
    let effects = Effects::new(&form, function);
    // What is lost at the end is asked of all static pointers, read or not.
    let tracks = options.properties.contains(&cfa::CProperty::Track);
    let live = effects.liveness(form.variables.len()).filter(|_| !tracks);
    let arithmetic: &'static dyn Arithmetic = if vectors { &Vectors } else { &Integers };
    let mut encoder = Encoder {
        program: &form,
        options,
        store: TermStore::new(),
        arithmetic,
        pointers: Pointers { vectors, bits: form.types.model.word() as u32 * 8 },
        variables: IdVec::default(),
        names: BTreeMap::new(),
        symbols: Vec::new(),
        homes: Vec::new(),
        regions: Vec::new(),
        region_of: Vec::new(),
        lies_in: BTreeMap::new(),
        wholes: BTreeMap::new(),
        outside: Vec::new(),
        private: BTreeMap::new(),
        next_object: 0,
        first_local: 0,
        first_heap: 0,
        read_first: effects.read_first(live.as_ref()),
        live_at: live,
        owners: Vec::new(),
        shadows: BTreeMap::new(),
        origins: BTreeMap::new(),
        sizes: None,
        live: None,
        heap: None,
        stack: None,
        cyclic: BTreeSet::new(),
        addresses: None,
        integer_pointers: false,
        functions: Vec::new(),
        read_only: (0, 0),
        inputs: Vec::new(),
        doubts: Vec::new(),
        edge: Id::new(0),
        location: function.entry,
        is_narrowed: false,
        ranges: (!vectors && options.passes != Passes::Plain).then(|| {
            let options = ranges::Options { overflow_ends: options.stop_at_overflow() };
            Ranges::analyze(&form, main, options)
        }),
    };
    let mut mentioned = Uses::of_function(&form, function);
    let items = initial_nodes(&form);
    let initials = Uses::of_nodes(&form, items);
    mentioned.exprs.extend(initials.exprs);
    mentioned.places.extend(initials.places);
    encoder.lay_out(function, &mentioned, &points_to, &regions);
    encoder.note_owners();
    let first_region = encoder.private.len();
    let (mut fixed, predicate) = encoder.initial(&points_to, &regions, first_region);
    encoder.initial_shadows(&mut fixed);
    let assembled = Assembly::new(&mut encoder, function).assemble();
    let Assembly { locations, mut edges, gaps, cuts, mut choices, violations, .. } = assembled;
    let scalars = encoder.scalars();
    let integers = encoder.integer_pointers || encoder.addresses.is_some();
    let Encoder {
        mut store,
        mut variables,
        homes,
        regions,
        region_of,
        pointers,
        first_heap,
        live_at,
        is_narrowed: uses_ranges,
        ..
    } = encoder;
    let mut predicate = predicate;
    let positions = if options.passes != Passes::All {
        (0..variables.len()).map(Some).collect()
    } else {
        prune(prune::Parts {
            store: &mut store,
            variables: &mut variables,
            fixed: &mut fixed,
            predicate: &mut predicate,
            locations: locations.len(),
            edges: &mut edges,
            choices: &mut choices,
        })
    };
    let scalars: Vec<_> =
        scalars.into_iter().filter_map(|(v, slot)| Some((v, positions[slot]?))).collect();
    let is_live = |at: &Id<cfa::Location>, v: Id<cfa::Variable>| {
        live_at.as_ref().is_none_or(|live| live.contains(at.index(), v))
    };
    let live_at = |cut: &Option<Id<cfa::Location>>| {
        let live = scalars.iter().filter(|(v, _)| cut.as_ref().is_some_and(|at| is_live(at, *v)));
        live.map(|(_, position)| *position).collect()
    };
    let live = cuts.iter().map(live_at).collect();
    let layout = Layout { homes, regions, region_of, pointers, first_heap, integers, positions };
    let parts = Parts { store, variables, fixed, predicate, locations, edges, violations };
    let (program, covered) = finish(parts, options, &gaps, function);
    let encoded =
        Encoded { program, covered, gaps, form, cuts, choices, scalars, live, uses_ranges, layout };
    Ok(encoded)
}

/// What the initial values mention.
fn initial_nodes(program: &cfa::Program) -> Vec<parallax_transform::Node> {
    use parallax_transform::Node;
    let mut nodes = Vec::new();
    for (_, initial) in &program.initials {
        if let cfa::Initial::Items(items) = initial {
            for item in items {
                nodes.extend([Node::Place(item.place), Node::Expr(item.value)]);
            }
        }
    }
    nodes
}

/// Locations and edges under construction.
struct Assembly<'e, 'p> {
    encoder: &'e mut Encoder<'p>,
    function: &'p cfa::Function,
    locations: IdVec<ir::Location>,
    edges: IdVec<ir::Edge>,
    gaps: Vec<GapPlace>,
    cuts: Vec<Option<Id<cfa::Location>>>,
    choices: Vec<Vec<Choice>>,
    violations: BTreeMap<usize, Id<ir::Location>>,
    known: BTreeMap<Target, Id<ir::Location>>,
}

impl<'e, 'p> Assembly<'e, 'p> {
    fn new(encoder: &'e mut Encoder<'p>, function: &'p cfa::Function) -> Assembly<'e, 'p> {
        Assembly {
            encoder,
            function,
            locations: IdVec::default(),
            edges: IdVec::default(),
            gaps: Vec::new(),
            cuts: Vec::new(),
            choices: Vec::new(),
            violations: BTreeMap::new(),
            known: BTreeMap::new(),
        }
    }

    /// Encodes block after block, from the start on.
    fn assemble(mut self) -> Assembly<'e, 'p> {
        let every = self.encoder.options.blocks == Blocks::Single;
        let cuts = Cuts::new(self.function, every);
        let start = self.function.entry.index();
        self.location(&Target::Cut(start));
        let mut open = vec![start];
        let mut seen = BTreeSet::from([start]);
        while let Some(at) = open.pop() {
            let source = self.location(&Target::Cut(at));
            for (target, state) in self.encoder.block(self.function, &cuts, Id::new(at)) {
                let to = self.location(&target);
                self.edge(source, to, &target, state);
                if let Target::Cut(next) = target
                    && seen.insert(next)
                {
                    open.push(next);
                }
            }
        }
        self
    }

    fn location(&mut self, target: &Target) -> Id<ir::Location> {
        if let Some(&known) = self.known.get(target) {
            return known;
        }
        let (name, span, is_final, cut) = match target {
            Target::Cut(at) => {
                let location = &self.function.locations[Id::new(*at)];
                let name = match &location.label {
                    Some(label) => format!("{label}'{at}"),
                    None => format!("L{at}"),
                };
                (name, location.loop_head.unwrap_or(location.span), false, Some(Id::new(*at)))
            }
            Target::End(End::Finished, span) => ("end".into(), *span, true, None),
            Target::End(End::Violated(number), span) => {
                let property = &self.encoder.options.properties[*number];
                (format!("violated {property}"), *span, true, None)
            }
            Target::End(End::Gap(_), span) => {
                (format!("uncovered{}", self.gaps.len()), *span, true, None)
            }
        };
        let id = self.locations.push(ir::Location { name: name.into(), is_final, span });
        self.cuts.push(cut);
        match target {
            Target::End(End::Violated(number), _) => drop(self.violations.insert(*number, id)),
            Target::End(End::Gap(what), span) => {
                self.gaps.push(GapPlace { location: id, what: what.clone(), span: *span });
            }
            _ => {}
        }
        self.known.insert(target.clone(), id);
        id
    }

    fn edge(
        &mut self,
        source: Id<ir::Location>,
        target: Id<ir::Location>,
        meaning: &Target,
        state: State,
    ) {
        let encoder = &mut *self.encoder;
        // At the end nobody looks at the variables any more.
        let values = match meaning {
            Target::Cut(_) => state.values,
            Target::End(..) => BTreeMap::new(),
        };
        let all: BTreeSet<Term> = encoder.inputs.iter().map(|(i, _)| i.term).collect();
        let is_input = |v: &Term| all.contains(v);
        let (mut guard, mut constraint) = (Vec::new(), Vec::new());
        let mut used: BTreeSet<Term> = BTreeSet::new();
        for condition in state.path {
            let inputs: Vec<Term> =
                encoder.store.vars(condition).into_iter().filter(is_input).collect();
            let list = if inputs.is_empty() { &mut guard } else { &mut constraint };
            list.push(condition);
            used.extend(inputs);
        }
        for &value in values.values() {
            used.extend(encoder.store.vars(value).into_iter().filter(is_input));
        }
        let chosen = encoder.inputs.iter().filter(|(i, _)| used.contains(&i.term));
        let (inputs, choices) = chosen.cloned().unzip();
        let updates = values
            .into_iter()
            .map(|(slot, value)| ir::Update { variable: Id::new(slot), value })
            .collect();
        let name = format!("{}->{}", self.locations[source].name, self.locations[target].name);
        self.edges.push(ir::Edge {
            name: name.into(),
            source,
            target,
            action: None,
            guard: encoder.store.and(guard),
            inputs,
            constraint: encoder.store.and(constraint),
            updates,
            span: self.locations[source].span,
        });
        self.choices.push(choices);
    }
}

/// The parts of the finished program.
struct Parts {
    store: TermStore,
    variables: IdVec<ir::Variable>,
    fixed: Vec<Option<parallax_term::Value>>,
    predicate: Term,
    locations: IdVec<ir::Location>,
    edges: IdVec<ir::Edge>,
    violations: BTreeMap<usize, Id<ir::Location>>,
}

fn finish(
    parts: Parts,
    options: &Options,
    gaps: &[GapPlace],
    function: &cfa::Function,
) -> (ir::Program, Option<Id<ir::Property>>) {
    let Parts { mut store, mut variables, mut fixed, predicate, locations, edges, violations } =
        parts;
    let process = Id::new(0);
    let names: Arc<[Arc<str>]> = locations.iter().map(|l| l.name.clone()).collect();
    let domain = ir::Domain::Enum(names);
    let term = store.var("main@", domain.sort());
    let role = ir::Role::Control(process);
    let control = variables.push(ir::Variable {
        name: "main@".into(),
        term,
        domain,
        role,
        span: function.span,
    });
    fixed.push(Some(parallax_term::Value::int(0)));
    let at = |store: &mut TermStore, location: Id<ir::Location>| {
        let index = store.int(location.index() as i64);
        store.eq(term, index)
    };
    let mut properties = IdVec::default();
    for (number, property) in options.properties.iter().enumerate() {
        let target = match violations.get(&number) {
            Some(&location) => at(&mut store, location),
            None => store.bool(false),
        };
        properties.push(ir::Property {
            name: property.name().into(),
            kind: ir::PropertyKind::Unreachable,
            temporal: None,
            target,
            implicit: false,
            span: function.span,
        });
    }
    let covered = (!gaps.is_empty()).then(|| {
        let places: Vec<Term> = gaps.iter().map(|g| at(&mut store, g.location)).collect();
        let target = store.or(places);
        properties.push(ir::Property {
            name: COVERED.into(),
            kind: ir::PropertyKind::Unreachable,
            temporal: None,
            target,
            implicit: true,
            span: function.span,
        })
    });
    let program = ir::Program {
        name: function.name.to_string(),
        store,
        variables,
        processes: IdVec::from_iter([ir::Process {
            name: "main".into(),
            control,
            locations,
            initial: Id::new(0),
            edges,
            span: function.span,
        }]),
        actions: IdVec::default(),
        init: ir::Init { fixed, predicate },
        properties,
    };
    (program, covered)
}
