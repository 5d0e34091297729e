//! Which elements of arrays an error is about: those that the step into it reads.

use parallax_engine::Question;
use parallax_ir::{Pick, Transition};
use parallax_term::{Node, Op, Sort, Term, TermStore};

/// More indices at once are not picked: what has to be found grows with each.
const INDICES: usize = 3;

/// Constants, and what steps into targets say of them.
pub(super) struct Picks {
    /// Grown from the program's.
    pub(super) store: TermStore,
    pub(super) constants: Vec<Term>,
    pub(super) picks: Vec<Pick>,
}

/// Whether a step into a target reads an array.
pub(super) fn reads(question: Question<'_>) -> bool {
    let mut store = question.program.store.clone();
    last(question, &mut store).iter().any(|(_, indices)| !indices.is_empty())
}

impl Picks {
    /// One constant for each index that a step into a target reads, the same ones for
    /// all such steps; `None` if none reads an array.
    pub(super) fn of(question: Question<'_>) -> Option<Picks> {
        let mut store = question.program.store.clone();
        let steps = last(question, &mut store);
        let mut sorts: Vec<Sort> = Vec::new();
        for (_, indices) in &steps {
            for &sort in &indices.iter().map(|&i| store.sort(i)).collect::<Vec<_>>() {
                let wanted = indices.iter().filter(|&&i| store.sort(i) == sort).count();
                let there = sorts.iter().filter(|&&s| s == sort).count();
                sorts.extend(std::iter::repeat_n(sort, wanted.saturating_sub(there)));
            }
        }
        if sorts.is_empty() {
            return None;
        }
        let constants: Vec<Term> = sorts.iter().map(|&sort| store.fresh("index", sort)).collect();
        let mut picks = Vec::new();
        for (transition, indices) in steps {
            let mut values = Vec::new();
            for (nth, &sort) in sorts.iter().enumerate() {
                let before = sorts[..nth].iter().filter(|&&s| s == sort).count();
                let mut own = indices.iter().copied().filter(|&i| store.sort(i) == sort);
                // Where fewer are read, the others are like the first.
                let first = own.clone().next();
                values.push(own.nth(before).or(first).unwrap_or(constants[nth]));
            }
            // A step that does not read an index of each sort confirms nothing.
            if values.iter().zip(&constants).all(|(value, constant)| value != constant) {
                picks.push(Pick { transition: transition as u32, values });
            }
        }
        Some(Picks { store, constants, picks })
    }
}

/// The steps into targets, each with the indices that it reads.
fn last(question: Question<'_>, store: &mut TermStore) -> Vec<(usize, Vec<Term>)> {
    let target = question.property().target;
    let targets = match store.node(target) {
        Node::Or(items) => items.to_vec(),
        _ => vec![target],
    };
    let transitions = question.program.transitions(store);
    let mut found = Vec::new();
    for (number, transition) in transitions.iter().enumerate() {
        let [step] = *transition.moves else { continue };
        let at = question.program.at(store, step.process, step.target);
        if targets.contains(&at) {
            found.push((number, indices(store, transition)));
        }
    }
    found
}

/// The indices that a step reads, in the order of its terms.
fn indices(store: &TermStore, transition: &Transition) -> Vec<Term> {
    let mut found = Vec::new();
    for term in store.subterms(&[transition.guard, transition.constraint]) {
        if let Node::Apply(Op::Select, arguments) = store.node(term)
            && !found.contains(&arguments[1])
            && found.len() < INDICES
        {
            found.push(arguments[1]);
        }
    }
    found
}
