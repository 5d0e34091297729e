//! Grids of all places from above: what steps do as sums, without a solver.
//!
//! A step that gives variables sums of others and of unknowns takes a grid to a
//! grid; conditions are not looked at. So the least fixpoint of these images holds
//! all states that occur, and there are no infinite chains (M. Karr 1976; modulo
//! `2^w`: M. Müller-Olm and H. Seidl, Analysis of modular arithmetic, 2007).
//! Symbolic abstraction from below needs no answer of a solver where it has come
//! so far.

use super::sums::{Part, Sum, Sums};
use super::{Grid, Group};
use crate::form::Forms;
use parallax_base::Budget;
use parallax_domain::Step;
use parallax_solver::Halt;
use parallax_term::{Int, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Conditions whose cases are told apart in a step, at most.
const CONDITIONS: usize = 5;

/// A grid that grows more often than this becomes the largest one.
const RISES: u32 = 400;

/// An affine image: each variable of the target as a sum.
struct Image {
    constant: Vec<Int>,
    /// For each variable of the source how it moves the target.
    columns: Vec<Vec<Int>>,
    /// How unknowns move it.
    unknown: Vec<Vec<Int>>,
}

impl Image {
    fn new(sums: &[Sum], source: &[Term]) -> Image {
        let mut columns = vec![vec![Int::ZERO; sums.len()]; source.len()];
        let mut unknown: BTreeMap<Part, Vec<Int>> = BTreeMap::new();
        for (at, sum) in sums.iter().enumerate() {
            for (part, factor) in &sum.parts {
                let own = match part {
                    Part::Term(term) => source.iter().position(|known| known == term),
                    _ => None,
                };
                let column = match own {
                    Some(own) => &mut columns[own],
                    None => unknown.entry(*part).or_insert_with(|| vec![Int::ZERO; sums.len()]),
                };
                column[at] = factor.clone();
            }
        }
        let constant = sums.iter().map(|sum| sum.constant.clone()).collect();
        Image { constant, columns, unknown: unknown.into_values().collect() }
    }

    fn moved(&self, vector: &[Int]) -> Vec<Int> {
        let mut all = vec![Int::ZERO; self.constant.len()];
        for (value, column) in vector.iter().zip(&self.columns) {
            for (entry, factor) in all.iter_mut().zip(column) {
                *entry = &*entry + &(value * factor);
            }
        }
        all
    }

    /// Adds the image of a grid to a grid that may not be there yet; whether it
    /// grew.
    fn add(&self, source: &Grid, target: &mut Option<Grid>, turns: &[Int]) -> bool {
        let point = self.moved(&source.point);
        let point: Vec<Int> = point.iter().zip(&self.constant).map(|(a, b)| a + b).collect();
        let mut grew = target.is_none();
        let grid = target.get_or_insert_with(|| Grid::new(point.clone(), turns));
        grew |= grid.add(&point);
        for step in source.steps.rows() {
            grew |= grid.add_step(&self.moved(step));
        }
        for step in &self.unknown {
            grew |= grid.add_step(step);
        }
        grew
    }
}

/// Grids that hold all states of each place, group by group; none for a place
/// that no step leads to.
pub(super) fn above(
    forms: &mut Forms<'_>,
    groups: &[Vec<Group>],
    budget: &Budget,
) -> Result<Vec<Option<Vec<Grid>>>, Halt> {
    let mut found: Vec<Vec<Option<Grid>>> =
        groups.iter().map(|here| vec![None; here.len()]).collect();
    let mut is_met = vec![false; groups.len()];
    let values = initial(forms);
    for (at, group) in groups[0].iter().enumerate() {
        let sums: Vec<Sum> = {
            let mut sums = Sums::new(&forms.store);
            let value = |term: &Term| values.get(term).copied().unwrap_or(*term);
            group.terms.iter().map(|term| sums.sum(value(term))).collect()
        };
        let nowhere = Grid::new(Vec::new(), &[]);
        Image::new(&sums, &[]).add(&nowhere, &mut found[0][at], &group.turns);
    }
    is_met[0] = true;
    let mut images: BTreeMap<(usize, usize), Vec<Image>> = BTreeMap::new();
    let mut rises = vec![0; groups.len()];
    let control = forms.control.clone();
    let mut open: BTreeSet<(usize, usize)> = BTreeSet::from([(control.rank[0], 0)]);
    while let Some((_, place)) = open.pop_first() {
        for &step in &control.leaving[place] {
            budget.check()?;
            let target = control.steps[step].target;
            let mut grew = !std::mem::replace(&mut is_met[target], true);
            for (at, group) in groups[target].iter().enumerate() {
                // Variables of other sorts are unknowns.
                let own = groups[place].iter().position(|g| g.is_words() == group.is_words());
                let nowhere = Grid::new(Vec::new(), &[]);
                let (terms, source) = match own {
                    Some(own) => (&groups[place][own].terms[..], found[place][own].clone()),
                    None => (&[][..], Some(nowhere)),
                };
                let Some(source) = source else { continue };
                let images = images
                    .entry((step, at))
                    .or_insert_with(|| of_step(forms, step, &group.terms, terms));
                for image in images.iter() {
                    grew |= image.add(&source, &mut found[target][at], &group.turns);
                }
            }
            if grew {
                rises[target] += 1;
                if rises[target] > RISES {
                    let all = groups[target].iter().map(|group| Some(group.all()));
                    found[target] = all.collect();
                }
                open.insert((control.rank[target], target));
            }
        }
    }
    let whole = found.into_iter().zip(is_met);
    Ok(whole
        .map(|(grids, is_met)| grids.into_iter().collect::<Option<_>>().filter(|_| is_met))
        .collect())
}

/// The values that variables begin with, where that is known.
fn initial(forms: &mut Forms<'_>) -> BTreeMap<Term, Term> {
    let program = forms.program;
    let fixed = program.variables.iter().zip(&program.init.fixed);
    let known: Vec<_> = fixed.filter_map(|(v, value)| Some((v.term, value.clone()?))).collect();
    known.into_iter().map(|(term, value)| (term, forms.store.constant(value))).collect()
}

/// What a step does to some variables, case by case.
fn of_step(forms: &mut Forms<'_>, step: usize, target: &[Term], source: &[Term]) -> Vec<Image> {
    let Step { updates, .. } = forms.steps[step].clone();
    let value = |term: &Term| {
        updates.iter().find(|update| update.symbol == *term).map_or(*term, |update| update.value)
    };
    let values: Vec<Term> = target.iter().map(value).collect();
    let (first, hard) = {
        let mut sums = Sums::new(&forms.store);
        let first: Vec<Sum> = values.iter().map(|&value| sums.sum(value)).collect();
        (first, sums.hard)
    };
    if hard.is_empty() || hard.len() > CONDITIONS {
        return vec![Image::new(&first, source)];
    }
    let mut all = Vec::new();
    for case in 0..1u32 << hard.len() {
        let mut chosen = Vec::new();
        for (at, &condition) in hard.iter().enumerate() {
            chosen.push((condition, forms.store.bool(case >> at & 1 == 1)));
        }
        let values: Vec<Term> =
            values.iter().map(|&value| forms.store.substitute(value, &chosen)).collect();
        let mut sums = Sums::new(&forms.store);
        let sums: Vec<Sum> = values.iter().map(|&value| sums.sum(value)).collect();
        all.push(Image::new(&sums, source));
    }
    all
}
