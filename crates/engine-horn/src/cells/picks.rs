//! Which elements of arrays an error is about: those that the step into it reads.
//!
//! A step that reads the index `10 * i + j` may pick the index, or `i` and `j`: then what
//! is followed is the element at `10 * m + n` for constants `m` and `n`, and what is known
//! of rows and columns can be said of them. Indices that have a variable in common, as in
//! `a[i] <= a[i + 1]`, have a constant in common.

use parallax_engine::Question;
use parallax_ir::{Pick, Transition};
use parallax_term::{Linear, Node, Op, Rat, Sort, Term, TermStore};
use std::collections::BTreeMap;

/// More indices of a step, constants, and forms of indices are not picked: what has to
/// be found grows with each.
const INDICES: usize = 3;
const CONSTANTS: usize = 8;
const FORMS: usize = 3;

/// What a constant is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// A variable that indices are computed from.
    Parts,
    /// An index.
    Whole,
}

/// Constants, and what steps into targets say of them.
#[derive(Clone)]
pub(super) struct Picks {
    /// Grown from the program's.
    pub(super) store: TermStore,
    pub(super) constants: Vec<Term>,
    /// The indices of the elements that are followed, over the constants.
    pub(super) indices: Vec<Term>,
    pub(super) picks: Vec<Pick>,
}

/// An index over numbered parts.
type Form = (Vec<(usize, Rat)>, Rat, Sort);

/// The indices that a step reads: their forms, and what the parts are.
struct Read {
    transition: usize,
    forms: Vec<Form>,
    parts: Vec<Term>,
}

/// Whether a step into a target reads an array.
pub(super) fn reads(question: Question<'_>) -> bool {
    let mut store = question.program.store.clone();
    last(question, &mut store).iter().any(|(_, indices)| !indices.is_empty())
}

impl Picks {
    /// The constants that steps into targets pick; steps that read in the same way
    /// have the same ones. `None` if no step reads an array, or if that takes too many.
    pub(super) fn of(question: Question<'_>, way: Way) -> Option<Picks> {
        let mut store = question.program.store.clone();
        let steps = last(question, &mut store);
        let steps = steps.into_iter().filter(|(_, indices)| !indices.is_empty());
        let reads: Vec<Read> = steps.map(|(t, indices)| read(&store, t, &indices, way)).collect();
        let mut known: BTreeMap<&[Form], usize> = BTreeMap::new();
        let (mut constants, mut indices) = (Vec::new(), Vec::new());
        for read in &reads {
            if known.contains_key(&*read.forms) {
                continue;
            }
            known.insert(&read.forms, constants.len());
            let sorts = read.parts.iter().map(|&part| store.sort(part)).collect::<Vec<_>>();
            let own: Vec<Term> = sorts.iter().map(|&sort| store.fresh("index", sort)).collect();
            indices.extend(read.forms.iter().map(|form| index(&mut store, form, &own)));
            constants.extend(own);
        }
        if reads.is_empty() || known.len() > FORMS || constants.len() > CONSTANTS {
            return None;
        }
        let mut picks = Vec::new();
        for read in &reads {
            let first = known[&*read.forms];
            let any =
                |(nth, &constant): (usize, &Term)| match read.parts.get(nth.wrapping_sub(first)) {
                    Some(&part) => part,
                    // The constants of others do not matter here.
                    None => store.constant(parallax_term::Value::default_of(store.sort(constant))),
                };
            let values = constants.iter().enumerate().map(any).collect();
            picks.push(Pick { transition: read.transition as u32, values });
        }
        Some(Picks { store, constants, indices, picks })
    }
}

/// The forms of the indices of a step.
fn read(store: &TermStore, transition: usize, indices: &[Term], way: Way) -> Read {
    let mut parts: Vec<Term> = Vec::new();
    let mut number = |part: Term| {
        parts.iter().position(|&known| known == part).unwrap_or_else(|| {
            parts.push(part);
            parts.len() - 1
        })
    };
    let mut forms = Vec::new();
    for &index in indices {
        let sort = store.sort(index);
        let sum = match (way, sort) {
            (Way::Parts, Sort::Int) => store.linear(index),
            _ => Linear::term(index),
        };
        let monomials = sum.monomials().iter();
        let form = monomials.map(|(part, factor)| (number(*part), factor.clone())).collect();
        forms.push((form, sum.constant_part().clone(), sort));
    }
    Read { transition, forms, parts }
}

/// An index over constants.
fn index(store: &mut TermStore, form: &Form, constants: &[Term]) -> Term {
    let (monomials, shift, sort) = form;
    if *sort != Sort::Int {
        return constants[monomials[0].0];
    }
    let mut sum = Linear::constant(shift.clone());
    for (part, factor) in monomials {
        sum = sum.plus(factor, &Linear::term(constants[*part]));
    }
    store.sum(sum, *sort)
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
