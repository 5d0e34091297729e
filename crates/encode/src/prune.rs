//! Removes what no step of the encoded program looks at.
//!
//! A variable is live at a location if some way from there reads it before it
//! is overwritten. What an edge writes to a variable that is not live at its
//! target is dropped; then variables that occur nowhere are dropped, and
//! initial conditions that are about none of the others. Initial conditions
//! say what static memory holds and can be met in any case, so nothing is lost
//! with those that nobody reads.

use crate::encoder::Choice;
use parallax_base::{Id, IdVec};
use parallax_ir as ir;
use parallax_term::{Node, Term, TermStore, Value};
use rustc_hash::FxHashMap;

/// A set of variables, by their positions.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Set(Vec<u64>);

impl Set {
    fn empty(count: usize) -> Set {
        Set(vec![0; count.div_ceil(64)])
    }

    fn insert(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    fn remove(&mut self, at: usize) {
        self.0[at / 64] &= !(1 << (at % 64));
    }

    fn contains(&self, at: usize) -> bool {
        self.0[at / 64] & 1 << (at % 64) != 0
    }

    /// Adds the other; says whether this one grew.
    fn add(&mut self, other: &Set) -> bool {
        let mut grew = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            grew |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        grew
    }

    fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(mine, theirs)| mine & theirs != 0)
    }
}

/// The parts of a program that are looked through.
pub(crate) struct Parts<'a> {
    pub(crate) store: &'a mut TermStore,
    pub(crate) variables: &'a mut IdVec<ir::Variable>,
    pub(crate) fixed: &'a mut Vec<Option<Value>>,
    pub(crate) predicate: &'a mut Term,
    /// Where the locations of each process end.
    pub(crate) ends: &'a [usize],
    pub(crate) edges: &'a mut IdVec<ir::Edge>,
    pub(crate) choices: &'a mut [Vec<Choice>],
    /// What says which noted place is passed along each edge.
    pub(crate) noted: &'a [Option<Term>],
    /// What is looked at from outside, at every location.
    pub(crate) kept: &'a [usize],
    /// Formulas that are looked at where processes are at one of these locations.
    pub(crate) standing: &'a [(Vec<Id<ir::Location>>, Term)],
}

/// Removes what is not needed; gives the new position of each variable.
pub(crate) fn prune(parts: Parts<'_>) -> Vec<Option<usize>> {
    let Parts { store, variables, fixed, predicate, ends, edges, choices, noted, kept, standing } =
        parts;
    let count = variables.len();
    let mut known = Occurrences::new(store, variables);
    let mut needed = Set::empty(count);
    kept.iter().for_each(|&slot| needed.insert(slot));
    let mut asked = needed.clone();
    standing.iter().for_each(|(_, term)| _ = asked.add(&known.of(*term)));
    let mut elsewhere = Elsewhere::new(&mut known, ends, edges, asked);
    let looks = elsewhere.looks(&mut known, edges, standing, count);
    let live = liveness(&mut known, &elsewhere, edges, (noted, &looks), &needed, count);
    looks.iter().for_each(|(_, set)| _ = needed.add(set));
    for (id, choices) in edges.ids().zip(choices) {
        let edge = &mut edges[id];
        let target = &live[edge.target.index()];
        edge.updates.retain(|update| target.contains(update.variable.index()));
        let mut roots = vec![edge.guard, edge.constraint];
        roots.extend(edge.updates.iter().map(|update| update.value));
        roots.extend(noted[id.index()]);
        for root in &roots {
            needed.add(&known.of(*root));
        }
        for update in &edge.updates {
            needed.insert(update.variable.index());
        }
        let used = known.store.subterms(&roots);
        let is_used: Vec<bool> =
            edge.inputs.iter().map(|input| used.binary_search(&input.term).is_ok()).collect();
        let mut kept = is_used.iter();
        edge.inputs.retain(|_| kept.next().copied().unwrap_or(true));
        let mut kept = is_used.iter();
        choices.retain(|_| kept.next().copied().unwrap_or(true));
    }
    let conditions = match known.store.node(*predicate) {
        Node::And(items) => items.to_vec(),
        _ => vec![*predicate],
    };
    let about: Vec<Set> = conditions.iter().map(|c| known.of(*c)).collect();
    // In a program with threads the states are listed, if they can be.
    if ends.len() > 1 {
        for (id, variable) in variables.iter_enumerated() {
            let is_said = about.iter().any(|set| set.contains(id.index()));
            if fixed[id.index()].is_none()
                && !is_said
                && elsewhere.is_dead_at_start(id.index(), &live)
            {
                fixed[id.index()] = Some(variable.domain.default_value());
            }
        }
    }
    loop {
        let mut grew = false;
        for set in &about {
            grew |= needed.meets(set) && needed.add(set);
        }
        if !grew {
            break;
        }
    }
    let kept = conditions.iter().zip(&about).filter(|(_, set)| needed.meets(set));
    let kept: Vec<Term> = kept.map(|(condition, _)| *condition).collect();
    *predicate = store.and(kept);
    let mut positions = Vec::with_capacity(count);
    let (mut rest, mut values) = (IdVec::default(), Vec::new());
    for (id, variable) in variables.iter_enumerated() {
        positions.push(needed.contains(id.index()).then(|| {
            values.push(fixed[id.index()].clone());
            rest.push(variable.clone()).index()
        }));
    }
    (*variables, *fixed) = (rest, values);
    for id in edges.ids() {
        for update in &mut edges[id].updates {
            if let Some(position) = positions[update.variable.index()] {
                update.variable = Id::new(position);
            }
        }
    }
    positions
}

/// Which process is where, and what the other processes read.
struct Elsewhere {
    /// The process of each location.
    process: Vec<usize>,
    /// For each process what it may read, of variables that matter at all.
    reads: Vec<Set>,
}

impl Elsewhere {
    fn new(
        known: &mut Occurrences<'_>,
        ends: &[usize],
        edges: &IdVec<ir::Edge>,
        mut needed: Set,
    ) -> Elsewhere {
        let count = known.count;
        let mut process = Vec::new();
        for (number, end) in ends.iter().enumerate() {
            process.resize(*end, number);
        }
        let mut reads = vec![Set::empty(count); ends.len()];
        for edge in edges {
            for root in [edge.guard, edge.constraint] {
                let read = known.of(root);
                needed.add(&read);
                reads[process[edge.source.index()]].add(&read);
            }
        }
        let mut grew = ends.len() > 1;
        while grew {
            grew = false;
            for edge in edges {
                for update in &edge.updates {
                    if needed.contains(update.variable.index()) {
                        let read = known.of(update.value);
                        grew |= needed.add(&read);
                        grew |= reads[process[edge.source.index()]].add(&read);
                    }
                }
            }
        }
        Elsewhere { process, reads }
    }

    /// What is looked at, by location. What one process alone writes is its own, and
    /// looked at where that one is.
    fn looks(
        &mut self,
        known: &mut Occurrences<'_>,
        edges: &IdVec<ir::Edge>,
        standing: &[(Vec<Id<ir::Location>>, Term)],
        count: usize,
    ) -> Vec<(usize, Set)> {
        let mut writers: Vec<Vec<usize>> = vec![Vec::new(); count];
        for edge in edges {
            let process = self.process[edge.source.index()];
            for update in &edge.updates {
                let writers = &mut writers[update.variable.index()];
                if !writers.contains(&process) {
                    writers.push(process);
                }
            }
        }
        let mut found = Vec::new();
        for (locations, term) in standing {
            let all = known.of(*term);
            let here = |location: &Id<ir::Location>| self.process[location.index()];
            let processes: Vec<usize> = locations.iter().map(here).collect();
            for (location, process) in locations.iter().zip(&processes) {
                let mut set = Set::empty(count);
                for slot in (0..count).filter(|slot| all.contains(*slot)) {
                    let is_other = match writers[slot][..] {
                        [owner] => owner != *process && processes.contains(&owner),
                        _ => false,
                    };
                    if !is_other {
                        set.insert(slot);
                    }
                }
                self.reads[*process].add(&set);
                found.push((location.index(), set));
            }
        }
        found
    }

    /// What is live at a location because another process may read it.
    fn at(&self, location: usize, count: usize) -> Set {
        let mut set = Set::empty(count);
        for (number, reads) in self.reads.iter().enumerate() {
            if number != self.process[location] {
                set.add(reads);
            }
        }
        set
    }

    /// Whether nobody reads what a variable holds at the start. Of one that a
    /// single process reads, that process decides.
    fn is_dead_at_start(&self, variable: usize, live: &[Set]) -> bool {
        let mut readers = (0..self.reads.len()).filter(|p| self.reads[*p].contains(variable));
        match (readers.next(), readers.next()) {
            (None, _) => true,
            (Some(process), None) => {
                let start = self.process.iter().position(|p| *p == process);
                start.is_some_and(|start| !live[start].contains(variable))
            }
            _ => false,
        }
    }
}

/// The variables that are live at each location.
fn liveness(
    known: &mut Occurrences<'_>,
    elsewhere: &Elsewhere,
    edges: &IdVec<ir::Edge>,
    (noted, looks): (&[Option<Term>], &[(usize, Set)]),
    kept: &Set,
    count: usize,
) -> Vec<Set> {
    let locations = elsewhere.process.len();
    let mut live: Vec<Set> = (0..locations).map(|at| elsewhere.at(at, count)).collect();
    live.iter_mut().for_each(|set| _ = set.add(kept));
    looks.iter().for_each(|(at, set)| _ = live[*at].add(set));
    // Conditions read whatever happens later.
    let mut entering: Vec<Vec<Id<ir::Edge>>> = vec![Vec::new(); locations];
    for (id, edge) in edges.iter_enumerated() {
        entering[edge.target.index()].push(id);
        for root in [edge.guard, edge.constraint].into_iter().chain(noted[id.index()]) {
            let read = known.of(root);
            live[edge.source.index()].add(&read);
        }
    }
    let mut open: Vec<usize> = (0..locations).collect();
    while let Some(at) = open.pop() {
        for edge in entering[at].iter().map(|id| &edges[*id]) {
            let mut before = live[at].clone();
            for update in &edge.updates {
                before.remove(update.variable.index());
            }
            for update in &edge.updates {
                if live[at].contains(update.variable.index()) {
                    before.add(&known.of(update.value));
                }
            }
            if live[edge.source.index()].add(&before) && !open.contains(&edge.source.index()) {
                open.push(edge.source.index());
            }
        }
    }
    live
}

/// Which variables occur in terms, each looked through once.
struct Occurrences<'s> {
    store: &'s TermStore,
    positions: FxHashMap<Term, usize>,
    count: usize,
    found: FxHashMap<Term, Set>,
}

impl<'s> Occurrences<'s> {
    fn new(store: &'s TermStore, variables: &IdVec<ir::Variable>) -> Occurrences<'s> {
        let positions = variables.iter().enumerate().map(|(at, v)| (v.term, at)).collect();
        Occurrences { store, positions, count: variables.len(), found: FxHashMap::default() }
    }

    fn of(&mut self, root: Term) -> Set {
        if let Some(known) = self.found.get(&root) {
            return known.clone();
        }
        let mut set = Set::empty(self.count);
        for term in self.store.subterms(&[root]) {
            if let Some(at) = self.positions.get(&term) {
                set.insert(*at);
            }
        }
        self.found.insert(root, set.clone());
        set
    }
}
