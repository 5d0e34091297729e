//! Definite assignment: which reads of local variables need no check.
//!
//! A forward must-analysis on the automaton of one function. The facts are
//! "this place was written", one bit per place that is checked somewhere. A
//! write with constant path gives the fact for the place and its parts; what
//! was written once stays written until its variable begins or ends to live.

use super::body::Body;
use parallax_base::Id;
use parallax_cfa::{Base, Check, ExprKind, Op, Place, Step, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// What an operation does to the facts.
enum Change {
    Gain(Vec<usize>),
    Lose(Vec<usize>),
}

/// Removes the checks that always succeed. Returns the variables that still
/// have one, and whether any was removed.
pub(crate) fn remove_sure(body: &mut Body<'_, '_>) -> (BTreeSet<Id<Variable>>, bool) {
    let tracked = Tracked::of(body);
    if tracked.places.is_empty() {
        return (BTreeSet::new(), false);
    }
    let states = tracked.solve(body);
    let (mut sure, mut doubtful) = (Vec::new(), BTreeSet::new());
    for (index, edge) in body.graph.edges().iter().enumerate() {
        let Op::Check(Check::Initialized(place)) = &edge.op else { continue };
        let Some(bit) = tracked.bit(*place) else { continue };
        let words = tracked.words();
        let start = edge.source.index() * words;
        if states[start + bit / 64] >> (bit % 64) & 1 == 1 {
            sure.push(index);
        } else if let Base::Variable(variable) = body.cx.build.places[*place].base {
            doubtful.insert(variable);
        }
    }
    let removed = !sure.is_empty();
    for edge in sure {
        body.graph.erase(edge);
    }
    (doubtful, removed)
}

/// The places with a check, by bit, and by variable.
struct Tracked {
    places: Vec<Id<Place>>,
    bits: BTreeMap<Id<Place>, usize>,
    by_variable: BTreeMap<Id<Variable>, Vec<usize>>,
}

impl Tracked {
    fn of(body: &Body<'_, '_>) -> Tracked {
        let mut tracked =
            Tracked { places: Vec::new(), bits: BTreeMap::new(), by_variable: BTreeMap::new() };
        for edge in body.graph.edges() {
            let Op::Check(Check::Initialized(place)) = edge.op else { continue };
            let Base::Variable(variable) = body.cx.build.places[place].base else { continue };
            if tracked.bits.contains_key(&place) {
                continue;
            }
            let bit = tracked.places.len();
            tracked.places.push(place);
            tracked.bits.insert(place, bit);
            tracked.by_variable.entry(variable).or_default().push(bit);
        }
        tracked
    }

    fn bit(&self, place: Id<Place>) -> Option<usize> {
        self.bits.get(&place).copied()
    }

    fn words(&self) -> usize {
        self.places.len().div_ceil(64)
    }

    fn change(&self, body: &Body<'_, '_>, op: &Op) -> Option<Change> {
        let written = match op {
            Op::Live(variable, _) | Op::Dead(variable) => {
                return self.by_variable.get(variable).cloned().map(Change::Lose);
            }
            Op::Assign(to, _)
            | Op::Copy { to, .. }
            | Op::Input { to, .. }
            | Op::Havoc { to, .. }
            | Op::Call { to: Some(to), .. }
            | Op::Primitive { to: Some(to), .. }
            | Op::Check(Check::Initialized(to)) => *to,
            _ => return None,
        };
        let places = &body.cx.build.places;
        let written = &places[written];
        // A record may come with members that were never written.
        let is_record = !body.cx.build.is_scalar(written.ty);
        if is_record && !matches!(op, Op::Input { .. } | Op::Havoc { .. }) {
            return None;
        }
        let Base::Variable(variable) = written.base else { return None };
        let bits = self.by_variable.get(&variable)?;
        if !written.path.iter().all(|step| is_constant(body, *step)) {
            return None;
        }
        let holds = |bit: &&usize| {
            let place = &places[self.places[**bit]];
            let same = place.path.len() == written.path.len();
            place.path.starts_with(&written.path) && (!same || place.bits == written.bits)
        };
        Some(Change::Gain(bits.iter().filter(holds).copied().collect()))
    }

    /// The facts at every location, as rows of words.
    fn solve(&self, body: &Body<'_, '_>) -> Vec<u64> {
        let words = self.words();
        let edges = body.graph.edges();
        let mut out: Vec<Vec<usize>> = vec![Vec::new(); body.graph.len()];
        for (index, edge) in edges.iter().enumerate() {
            out[edge.source.index()].push(index);
        }
        let changes: Vec<Option<Change>> =
            edges.iter().map(|edge| self.change(body, &edge.op)).collect();
        let mut states = vec![u64::MAX; words * body.graph.len()];
        let entry = body.graph.entry;
        states[entry.index() * words..(entry.index() + 1) * words].fill(0);
        let mut open = vec![entry];
        let mut seen = vec![false; body.graph.len()];
        seen[entry.index()] = true;
        while let Some(at) = open.pop() {
            let row = states[at.index() * words..(at.index() + 1) * words].to_vec();
            for edge in &out[at.index()] {
                let mut next = row.clone();
                match &changes[*edge] {
                    Some(Change::Gain(bits)) => {
                        bits.iter().for_each(|bit| next[bit / 64] |= 1 << (bit % 64));
                    }
                    Some(Change::Lose(bits)) => {
                        bits.iter().for_each(|bit| next[bit / 64] &= !(1 << (bit % 64)));
                    }
                    None => {}
                }
                let target = edges[*edge].target;
                let known = &mut states[target.index() * words..(target.index() + 1) * words];
                let mut smaller = !std::mem::replace(&mut seen[target.index()], true);
                for (known, next) in known.iter_mut().zip(&next) {
                    smaller |= *known & next != *known;
                    *known &= next;
                }
                if smaller {
                    open.push(target);
                }
            }
        }
        states
    }
}

fn is_constant(body: &Body<'_, '_>, step: Step) -> bool {
    match step {
        Step::Member(..) => true,
        Step::Index(index) => matches!(body.cx.build.exprs[index].kind, ExprKind::Int(_)),
    }
}
