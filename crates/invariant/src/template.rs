//! Templates: the linear terms that an invariant bounds from above.
//!
//! Both signs of a term are templates of their own. Families: intervals
//! (`±x`), octagons (`±x ±y`), octahedra (`±x ±y ±z`, unit coefficients of up
//! to three variables; Clarisó, Cortadella, SAS 2004, have any number of
//! them), and terms that were given.

use crate::form::{Forms, unconditional};
use parallax_domain::Assignment;
use parallax_term::{Linear, Node, Rat, Sort, Term, TermStore};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// A set of templates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Family {
    /// Intervals, equations and congruences, the sums that the program compares,
    /// sums that loops leave alone, and octagons on variables that meet in a
    /// comparison or an assignment, as far as they are few.
    #[default]
    Auto,
    /// `±x`.
    Intervals,
    /// `±x ±y`.
    Octagons,
    /// `±x ±y ±z`.
    Octahedra,
    /// `±x`, and equations and congruences of any variables.
    Affine,
}

impl Family {
    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Family::Auto => "auto",
            Family::Intervals => "intervals",
            Family::Octagons => "octagons",
            Family::Octahedra => "octahedra",
            Family::Affine => "affine",
        }
    }
}

/// At most so many templates at one place, unless they were given.
const MOST: usize = 240;

/// Larger steps than this are jumps, not slopes.
const FAR: i64 = 1 << 20;

/// At most so many changes of one step are compared with each other.
const MOVED: usize = 8;

/// With at most so many variables, `Auto` takes all pairs.
const FEW: usize = 5;

/// The templates of every place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Templates {
    pub(crate) at: Vec<Vec<Term>>,
    /// Places where templates of the family were left out, because they would
    /// have been too many.
    pub(crate) is_cut: bool,
}

impl Templates {
    /// `live` says which variables matter where: by location of the only
    /// process, and by position of the variable.
    pub(crate) fn new(
        forms: &mut Forms<'_>,
        family: Family,
        given: &[Term],
        live: Option<&[BTreeSet<usize>]>,
    ) -> Templates {
        let numbers = forms.numbers();
        let met = meetings(forms, &numbers);
        let mut sums = compared(forms, &numbers);
        sums.extend(slopes(forms));
        let mut templates = Templates::default();
        for place in 0..forms.control.places.len() {
            let location = forms.control.places[place].first().copied().unwrap_or(0) as usize;
            let is_live = |term: Term| {
                let Some(live) = live.and_then(|l| l.get(location)) else { return true };
                forms.program.slot(term).is_none_or(|slot| live.contains(&slot))
            };
            let mut here: Vec<Term> = numbers.iter().copied().filter(|&t| is_live(t)).collect();
            here.sort_unstable();
            let mut chosen = Chosen::default();
            let store = &mut forms.store;
            for &given in given {
                if store.vars(given).iter().all(|v| here.contains(v)) {
                    chosen.both(store, given);
                }
            }
            for &x in &here {
                chosen.both(store, x);
            }
            let known: BTreeSet<Term> = here.iter().copied().collect();
            let sum_fits = |sum: &&Linear| sum.monomials().iter().all(|(t, _)| known.contains(t));
            if family == Family::Auto {
                for sum in sums.iter().filter(sum_fits) {
                    if chosen.list.len() < MOST {
                        let sum = store.sum(sum.clone(), sort_of(store, sum));
                        chosen.both(store, sum);
                    }
                }
            }
            if !matches!(family, Family::Intervals | Family::Affine) {
                for (at, &x) in here.iter().enumerate() {
                    for &y in &here[at + 1..] {
                        let wanted = match family {
                            Family::Auto => here.len() <= FEW || met.contains(&(x, y)),
                            _ => true,
                        };
                        if wanted && store.sort(x) == store.sort(y) {
                            chosen.signs(store, &[x, y]);
                        }
                    }
                }
            }
            if family == Family::Octahedra {
                for (i, &x) in here.iter().enumerate() {
                    for (j, &y) in here.iter().enumerate().skip(i + 1) {
                        for &z in &here[j + 1..] {
                            if store.sort(x) == store.sort(y) && store.sort(y) == store.sort(z) {
                                chosen.signs(store, &[x, y, z]);
                            }
                        }
                    }
                }
            }
            templates.is_cut |= chosen.is_cut;
            templates.at.push(chosen.list);
        }
        templates
    }
}

#[derive(Default)]
struct Chosen {
    list: Vec<Term>,
    seen: FxHashSet<Term>,
    is_cut: bool,
}

impl Chosen {
    fn push(&mut self, store: &TermStore, term: Term) {
        if store.linear(term).as_constant().is_none() && self.seen.insert(term) {
            self.list.push(term);
        }
    }

    fn both(&mut self, store: &mut TermStore, term: Term) {
        self.push(store, term);
        let minus = store.neg(term);
        self.push(store, minus);
    }

    /// All combinations of signs.
    fn signs(&mut self, store: &mut TermStore, terms: &[Term]) {
        if self.list.len() >= MOST {
            self.is_cut = true;
            return;
        }
        for signs in 0..1u32 << (terms.len() - 1) {
            let mut sum = terms[0];
            for (nth, &term) in terms[1..].iter().enumerate() {
                sum =
                    if signs >> nth & 1 == 0 { store.add(sum, term) } else { store.sub(sum, term) };
            }
            self.both(store, sum);
        }
    }
}

fn sort_of(store: &TermStore, sum: &Linear) -> Sort {
    sum.monomials().first().map_or(Sort::Int, |(t, _)| store.sort(*t))
}

/// Pairs of variables that meet in a comparison or an assignment.
fn meetings(forms: &Forms<'_>, numbers: &[Term]) -> BTreeSet<(Term, Term)> {
    let known: BTreeSet<Term> = numbers.iter().copied().collect();
    let mut pairs = BTreeSet::new();
    let mut meet = |terms: &[Term]| {
        // Who meets everybody meets nobody.
        if terms.len() <= FEW {
            for &x in terms {
                pairs.extend(terms.iter().filter(|&&y| x < y).map(|&y| (x, y)));
            }
        }
    };
    for form in &forms.steps {
        for atom in forms.store.atoms(form.condition) {
            let mut vars = forms.store.vars(atom);
            vars.retain(|v| known.contains(v));
            meet(&vars);
        }
        for &Assignment { symbol, value, .. } in &form.updates {
            let mut vars = forms.store.vars(value);
            vars.push(symbol);
            vars.retain(|v| known.contains(v));
            vars.sort_unstable();
            vars.dedup();
            meet(&vars);
        }
    }
    pairs
}

/// The sums of variables that the program compares, without constants, the most
/// frequent first.
fn compared(forms: &Forms<'_>, numbers: &[Term]) -> Vec<Linear> {
    let known: BTreeSet<Term> = numbers.iter().copied().collect();
    let mut found: BTreeMap<Vec<(Term, Rat)>, (usize, Linear)> = BTreeMap::new();
    for form in &forms.steps {
        let values = form.updates.iter().map(|u| u.value);
        for root in values.chain([form.condition]) {
            for term in forms.store.subterms(&[root]) {
                let Node::Compare(_, linear) = forms.store.node(term) else { continue };
                for sum in unconditional(&forms.store, linear) {
                    let plain = sum.shifted(&-sum.constant_part());
                    let fits = plain.monomials().iter().all(|(t, _)| known.contains(t));
                    if fits && plain.monomials().len() > 1 {
                        let key = plain.monomials().to_vec();
                        found.entry(key).or_insert((0, plain)).0 += 1;
                    }
                }
            }
        }
    }
    let mut sums: Vec<(usize, Linear)> = found.into_values().collect();
    sums.sort_by_key(|(count, _)| usize::MAX - count);
    sums.into_iter().map(|(_, sum)| sum).collect()
}

/// Sums of two variables that a step leaves alone although it adds different
/// constants to them: `2*x - y` for `x += 1, y += 2`.
fn slopes(forms: &Forms<'_>) -> Vec<Linear> {
    let store = &forms.store;
    let mut found: BTreeMap<Vec<(Term, Rat)>, Linear> = BTreeMap::new();
    for form in &forms.steps {
        let mut moved: Vec<(Term, Rat)> = Vec::new();
        for &Assignment { symbol, value, .. } in &form.updates {
            if !store.sort(symbol).is_number() {
                continue;
            }
            for sum in unconditional(store, &store.linear(value)) {
                let change = sum.plus(&Rat::from(-1), &Linear::term(symbol));
                match change.as_constant() {
                    Some(by) if !by.is_zero() && *by < Rat::from(FAR) && *by > Rat::from(-FAR) => {
                        moved.push((symbol, by.clone()));
                    }
                    _ => {}
                }
            }
        }
        moved.truncate(MOVED);
        for (at, (x, by_x)) in moved.iter().enumerate() {
            for (y, by_y) in &moved[at + 1..] {
                let is_same = by_x == by_y || *by_x == -by_y;
                if x == y || is_same || store.sort(*x) != store.sort(*y) {
                    continue;
                }
                let sum = Linear::term(*x).scaled(by_y).plus(&-by_x, &Linear::term(*y));
                found.insert(sum.monomials().to_vec(), sum);
            }
        }
    }
    found.into_values().collect()
}
