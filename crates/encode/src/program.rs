//! The `ir` program, and the way back from it.

use crate::arithmetic::Arithmetic;
use crate::blocks::{Cuts, Target};
use crate::encoder::{Choice, Encoder};
use crate::execute::End;
use crate::expand::expand;
use crate::integers::Integers;
use crate::layout::Layout;
use crate::liveness::{Effects, Live};
use crate::meet::{self, Meeting};
use crate::pointer::Pointers;
use crate::prepare::unknown_code;
use crate::prune::{self, prune};
use crate::state::State;
use crate::vectors::Vectors;
use crate::visible::{Visible, depths};
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
    /// The thread that comes there.
    pub process: Id<ir::Process>,
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
    /// The locations where a property is violated, with its number in the list of
    /// those asked; a location is one of the list of all processes.
    pub violations: Vec<(usize, Id<ir::Location>)>,
    /// The program form that was encoded: copies are expanded. Choices refer to it.
    pub form: cfa::Program,
    /// The functions that the processes run: that of `main`, then a thread each.
    pub starts: Vec<Id<cfa::Function>>,
    /// Where the locations of each process end, in the lists of all of them.
    pub ends: Vec<usize>,
    /// The cut point of each location, if it is one: process after process.
    pub cuts: Vec<Option<Id<cfa::Location>>>,
    /// For each edge the function of its process, and whether that ends with it.
    pub(crate) moves: Vec<(Id<cfa::Function>, bool)>,
    /// The choices of each edge, in the order of its inputs.
    pub choices: Vec<Vec<Choice>>,
    /// For each edge the number of the noted place that is passed last on the
    /// way along it, over the variables before it and its inputs; negative if
    /// none is. Nothing if there is none on any way.
    pub noted: Vec<Option<Term>>,
    /// Variables of the program form that are one variable of the program over
    /// terms each: both, the latter by its position.
    pub scalars: Vec<(Id<cfa::Variable>, usize)>,
    /// Which of them the program form may still read, for each location, by
    /// position. What it does not may have a value of the past.
    pub live: Vec<BTreeSet<usize>>,
    /// The atoms of the formula that is asked, the excluded one last: Boolean
    /// variables of the program over terms, by position.
    pub letter: Vec<usize>,
    /// Whether arithmetic was taken not to wrap because of ranges.
    pub uses_ranges: bool,
    /// Where everything is kept.
    pub(crate) layout: Layout,
}

/// The name of the property that no gap is reached.
pub const COVERED: &str = "covered";

/// Encodes a program of one function, or of one for each thread.
pub fn encode(program: &cfa::Program, options: &Options) -> Result<Encoded, NotEncoded> {
    let (form, _) = expand(program);
    let Some(main) = form.main else {
        return Err(NotEncoded("the program has no function to start with".into()));
    };
    let others = form.functions.ids().filter(|f| *f != main && form.functions[*f].is_defined);
    let starts: Vec<Id<cfa::Function>> = std::iter::once(main).chain(others).collect();
    let functions: Vec<&cfa::Function> = starts.iter().map(|f| &form.functions[*f]).collect();
    let function = functions[0];
    let has_threads = form.has_threads();
    if has_threads && options.properties.iter().any(|p| !meet::suits_threads(p)) {
        return Err(NotEncoded("threads: this property is not decided for them".into()));
    }
    let points_to = PointsTo::analyze(&form, &unknown_code());
    let regions = points_to.regions(&form);
    let vectors = match options.encoding {
        Encoding::Vectors => true,
        Encoding::Integers => false,
        Encoding::Suited => functions.iter().any(|f| suit::works_on_bits(&form, f, &regions)),
    };
    // What is lost at the end is asked of all static pointers, read or not.
    let tracks = options.properties.contains(&cfa::CProperty::Track);
    let effects: Vec<Effects> = functions.iter().map(|f| Effects::new(&form, f)).collect();
    let mut lives: Vec<Option<Live>> = effects
        .iter()
        .map(|effects| effects.liveness(form.variables.len()).filter(|_| !tracks))
        .collect();
    let read_first = effects.iter().zip(&lives).flat_map(|(e, live)| e.read_first(live.as_ref()));
    let read_first = read_first.collect();
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
        read_first,
        live_at: None,
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
        mentioned: BTreeSet::new(),
        first_cells: Vec::new(),
        vague: BTreeSet::new(),
        team: None,
        letter: Vec::new(),
        shared: BTreeSet::new(),
        function: main,
        edge: Id::new(0),
        location: function.entry,
        is_narrowed: false,
        ranges: (!vectors && !has_threads && options.passes != Passes::Plain).then(|| {
            let options = ranges::Options { overflow_ends: options.stop_at_overflow() };
            Ranges::analyze(&form, main, options)
        }),
    };
    let ops = functions.iter().flat_map(|f| f.edges.iter().map(|edge| &edge.op));
    let mut mentioned = Uses::of_ops(&form, ops);
    let items = initial_nodes(&form);
    let initials = Uses::of_nodes(&form, items);
    mentioned.exprs.extend(initials.exprs);
    mentioned.places.extend(initials.places);
    encoder.lay_out(&functions, &mentioned, &points_to, &regions);
    let mut cuts: Vec<Cuts> =
        functions.iter().map(|f| Cuts::new(f, options.blocks == Blocks::Single)).collect();
    let mut announced = Vec::new();
    if has_threads {
        let visible = Visible::new(&form, &points_to, &starts);
        let depths = functions.iter().map(|f| depths(f)).collect::<Result<Vec<_>, _>>()?;
        let mut inside = false;
        announced = visible.announced(&depths);
        for a in &announced {
            cuts[a.thread].stand_at(functions[a.thread].edges[a.edge].target);
        }
        if options.properties.contains(&cfa::CProperty::Deadlock) {
            for ((cuts, depths), function) in cuts.iter_mut().zip(&depths).zip(&functions) {
                meet::waiting(function, depths)?.into_iter().for_each(|at| cuts.stand_at(at));
            }
        }
        for (number, (cuts, depths)) in cuts.iter_mut().zip(&depths).enumerate() {
            visible.cut(number, depths, cuts);
            let mut cut = cuts.is_cut.iter().zip(depths);
            inside |= cut.any(|(cut, depth)| *cut && depth.is_some_and(|d| d > 0));
        }
        encoder.make_team(&starts, depths);
        encoder.shared.clone_from(visible.shared());
        // Who starts a thread writes what it is given.
        encoder.shared.extend(functions.iter().flat_map(|f| f.parameters.iter().copied()));
        if inside {
            encoder.make_section();
        }
    }
    encoder.make_letter();
    encoder.note_owners();
    let first_region = encoder.private.len();
    let (mut fixed, predicate) = encoder.initial(&points_to, &regions, first_region);
    encoder.initial_shadows(&mut fixed);
    encoder.initial_team(&mut fixed);
    for slot in &encoder.letter {
        fixed[*slot] = Some(parallax_term::Value::Bool(false));
    }
    let mut assembled = Assembled::default();
    for (number, function) in functions.iter().enumerate() {
        encoder.live_at = lives[number].take();
        encoder.function = starts[number];
        if let Some(team) = &mut encoder.team {
            team.current = number;
        }
        Assembly::new(&mut encoder, function, &mut assembled).assemble(&cuts[number]);
        lives[number] = encoder.live_at.take();
    }
    let places = |thread: usize, at: Id<cfa::Location>| {
        let start = thread.checked_sub(1).map_or(0, |before| assembled.ends[before]);
        let own = start..assembled.ends[thread];
        own.map(Id::new).find(|l: &Id<ir::Location>| assembled.cuts[l.index()] == Some(at))
    };
    let meetings = match has_threads {
        true => encoder.meetings(&announced, &functions, &places)?,
        false => Vec::new(),
    };
    let Assembled { locations, mut edges, gaps, cuts, mut choices, noted, violations, ends } =
        assembled;
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
        is_narrowed: uses_ranges,
        letter,
        ..
    } = encoder;
    let mut predicate = predicate;
    let mut kept = letter.clone();
    for term in meetings.iter().flat_map(|(_, meeting)| meeting.everywhere()) {
        let vars = store.vars(term);
        let seen = variables.iter_enumerated().filter(|(_, v)| vars.contains(&v.term));
        kept.extend(seen.map(|(id, _)| id.index()));
    }
    let standing: Vec<_> = meetings.iter().flat_map(|(_, meeting)| meeting.standing()).collect();
    let positions = if options.passes != Passes::All {
        (0..variables.len()).map(Some).collect()
    } else {
        prune(prune::Parts {
            store: &mut store,
            variables: &mut variables,
            fixed: &mut fixed,
            predicate: &mut predicate,
            ends: &ends,
            edges: &mut edges,
            choices: &mut choices,
            noted: &noted,
            kept: &kept,
            standing: &standing,
        })
    };
    let scalars: Vec<_> =
        scalars.into_iter().filter_map(|(v, slot)| Some((v, positions[slot]?))).collect();
    let letter = letter.into_iter().filter_map(|slot| positions[slot]).collect();
    let live_at = |(number, cut): (usize, &Option<Id<cfa::Location>>)| {
        let lives = &lives[ends.iter().take_while(|end| **end <= number).count()];
        let is_live = |at: &Id<cfa::Location>, v: Id<cfa::Variable>| {
            lives.as_ref().is_none_or(|live| live.contains(at.index(), v))
        };
        let live = scalars.iter().filter(|(v, _)| cut.as_ref().is_some_and(|at| is_live(at, *v)));
        live.map(|(_, position)| *position).collect()
    };
    let live = cuts.iter().enumerate().map(live_at).collect();
    let layout = Layout { homes, regions, region_of, pointers, first_heap, integers, positions };
    let moves = edges.iter().map(|edge| {
        let process = ends.iter().take_while(|end| **end <= edge.source.index()).count();
        (starts[process], cuts[edge.target.index()].is_none())
    });
    let moves = moves.collect();
    let parts = Parts { store, variables, fixed, predicate, locations, edges };
    let (program, covered) =
        finish(parts, options, &violations, &gaps, &functions, &ends, &meetings);
    Ok(Encoded {
        program,
        covered,
        gaps,
        violations,
        form,
        starts,
        ends,
        cuts,
        moves,
        choices,
        noted,
        scalars,
        live,
        letter,
        uses_ranges,
        layout,
    })
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

/// What was made so far: one process after the other.
#[derive(Default)]
struct Assembled {
    locations: IdVec<ir::Location>,
    edges: IdVec<ir::Edge>,
    gaps: Vec<GapPlace>,
    cuts: Vec<Option<Id<cfa::Location>>>,
    choices: Vec<Vec<Choice>>,
    noted: Vec<Option<Term>>,
    violations: Vec<(usize, Id<ir::Location>)>,
    /// Where the locations of each process end.
    ends: Vec<usize>,
}

/// Locations and edges of a process under construction.
struct Assembly<'e, 'p> {
    encoder: &'e mut Encoder<'p>,
    function: &'p cfa::Function,
    made: &'e mut Assembled,
    known: BTreeMap<Target, Id<ir::Location>>,
}

impl<'e, 'p> Assembly<'e, 'p> {
    fn new(
        encoder: &'e mut Encoder<'p>,
        function: &'p cfa::Function,
        made: &'e mut Assembled,
    ) -> Assembly<'e, 'p> {
        Assembly { encoder, function, made, known: BTreeMap::new() }
    }

    /// Encodes block after block, from the start on.
    fn assemble(mut self, cuts: &Cuts) {
        let start = self.function.entry.index();
        self.location(&Target::Cut(start));
        let mut open = vec![start];
        let mut seen = BTreeSet::from([start]);
        while let Some(at) = open.pop() {
            let source = self.location(&Target::Cut(at));
            for (target, state) in self.encoder.block(self.function, cuts, Id::new(at)) {
                let to = self.location(&target);
                self.edge(source, to, &target, state);
                if let Target::Cut(next) = target
                    && seen.insert(next)
                {
                    open.push(next);
                }
            }
        }
        self.made.ends.push(self.made.locations.len());
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
                (format!("uncovered{}", self.made.gaps.len()), *span, true, None)
            }
        };
        let made = &mut *self.made;
        let id = made.locations.push(ir::Location { name: name.into(), is_final, span });
        made.cuts.push(cut);
        match target {
            Target::End(End::Violated(number), _) => made.violations.push((*number, id)),
            Target::End(End::Gap(what), span) => {
                let process = Id::new(made.ends.len());
                made.gaps.push(GapPlace { process, location: id, what: what.clone(), span: *span });
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
        mut state: State,
    ) {
        let encoder = &mut *self.encoder;
        let made = &mut *self.made;
        let is_start = known_start(&made.ends) == source.index();
        encoder.turn(&mut state, made.cuts[source.index()], meaning, is_start);
        // At the end nobody looks at the variables any more, but for the other
        // threads where it is the end of one.
        let values = match meaning {
            Target::End(End::Finished, _) if encoder.team.is_some() => state.values,
            Target::Cut(_) => state.values,
            Target::End(..) => {
                state.values.into_iter().filter(|(slot, _)| encoder.letter.contains(slot)).collect()
            }
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
        for &value in values.values().chain(&state.noted) {
            used.extend(encoder.store.vars(value).into_iter().filter(is_input));
        }
        let chosen = encoder.inputs.iter().filter(|(i, _)| used.contains(&i.term));
        let (inputs, choices) = chosen.cloned().unzip();
        let updates = values
            .into_iter()
            .map(|(slot, value)| ir::Update { variable: Id::new(slot), value })
            .collect();
        let name = format!("{}->{}", made.locations[source].name, made.locations[target].name);
        made.edges.push(ir::Edge {
            name: name.into(),
            source,
            target,
            action: None,
            guard: encoder.store.and(guard),
            inputs,
            constraint: encoder.store.and(constraint),
            updates,
            span: made.locations[source].span,
        });
        made.choices.push(choices);
        made.noted.push(state.noted);
    }
}

/// The first location of the process that is being made.
fn known_start(ends: &[usize]) -> usize {
    ends.last().copied().unwrap_or(0)
}

/// The parts of the finished program.
struct Parts {
    store: TermStore,
    variables: IdVec<ir::Variable>,
    fixed: Vec<Option<parallax_term::Value>>,
    predicate: Term,
    locations: IdVec<ir::Location>,
    edges: IdVec<ir::Edge>,
}

fn finish(
    parts: Parts,
    options: &Options,
    violations: &[(usize, Id<ir::Location>)],
    gaps: &[GapPlace],
    functions: &[&cfa::Function],
    ends: &[usize],
    meetings: &[(usize, Meeting)],
) -> (ir::Program, Option<Id<ir::Property>>) {
    let Parts { mut store, mut variables, mut fixed, predicate, locations, edges, .. } = parts;
    let function = functions[0];
    let mut processes: IdVec<ir::Process> = IdVec::default();
    let mut controls = Vec::new();
    let mut start = 0;
    let mut edges = edges.iter().peekable();
    for (end, function) in ends.iter().zip(functions) {
        let process = Id::new(processes.len());
        let own = locations.iter().take(*end).skip(start).cloned();
        let own: IdVec<ir::Location> = own.collect();
        let names: Arc<[Arc<str>]> = own.iter().map(|l| l.name.clone()).collect();
        let domain = ir::Domain::Enum(names);
        let name: Arc<str> = match process.index() {
            0 => "main".into(),
            _ => function.name.clone(),
        };
        let control_name: Arc<str> = format!("{name}@").into();
        let term = store.var(&control_name, domain.sort());
        let control = variables.push(ir::Variable {
            name: control_name,
            term,
            domain,
            role: ir::Role::Control(process),
            span: function.span,
        });
        fixed.push(Some(parallax_term::Value::int(0)));
        controls.push((start, term));
        let mut mine: IdVec<ir::Edge> = IdVec::default();
        while let Some(edge) = edges.next_if(|edge| edge.source.index() < *end) {
            let mut edge = edge.clone();
            edge.source = Id::new(edge.source.index() - start);
            edge.target = Id::new(edge.target.index() - start);
            mine.push(edge);
        }
        processes.push(ir::Process {
            name,
            control,
            locations: own,
            initial: Id::new(0),
            edges: mine,
            span: function.span,
        });
        start = *end;
    }
    let at = |store: &mut TermStore, location: Id<ir::Location>| {
        let owner = controls.iter().rev().find(|(start, _)| *start <= location.index());
        let (start, term) = owner.copied().unwrap_or(controls[0]);
        let index = store.int((location.index() - start) as i64);
        store.eq(term, index)
    };
    let mut properties = IdVec::default();
    for (number, property) in options.properties.iter().enumerate() {
        let violated = violations.iter().filter(|(of, _)| *of == number);
        let mut places: Vec<Term> =
            violated.map(|(_, location)| at(&mut store, *location)).collect();
        for (_, meeting) in meetings.iter().filter(|(of, _)| *of == number) {
            places.push(meet::formula(&mut store, meeting, &at));
        }
        properties.push(ir::Property {
            name: property.name().into(),
            kind: ir::PropertyKind::Unreachable,
            temporal: None,
            target: store.or(places),
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
        processes,
        actions: IdVec::default(),
        init: ir::Init { fixed, predicate },
        properties,
    };
    (program, covered)
}
