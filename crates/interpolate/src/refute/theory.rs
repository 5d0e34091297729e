//! What the propositional variables mean, and the simplex behind the bounds.

use super::clause::{Clause, Origin};
use crate::linear::{Bounding, Constraint, Table, factor, formula};
use parallax_base::{Budget, Stop};
use parallax_search::Lit;
use parallax_simplex::{Feasibility, Share};
use parallax_term::{Int, Linear, Rat, Relation, Sort, Term, TermStore};
use rustc_hash::FxHashMap;

/// The parts in which something occurs: the first and the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    pub(crate) first: usize,
    pub(crate) last: usize,
}

impl Span {
    pub(crate) fn at(part: usize) -> Span {
        Span { first: part, last: part }
    }

    pub(crate) fn extend(&mut self, part: usize) {
        self.first = self.first.min(part);
        self.last = self.last.max(part);
    }
}

/// A propositional variable.
#[derive(Clone, Debug)]
struct Atom {
    /// The formula it stands for; `None` for the name of a subformula.
    formula: Option<Term>,
    span: Span,
    /// The bounds that it and its negation are.
    bounds: Option<[(Constraint, Bounding); 2]>,
}

/// Atoms, numbers, and the bounds in force.
#[derive(Clone, Debug, Default)]
pub(crate) struct Theory {
    atoms: Vec<Atom>,
    vars: FxHashMap<Term, usize>,
    /// Bounds whose formula the store would write without their number.
    raw: FxHashMap<Linear, usize>,
    table: Table,
    numbers: FxHashMap<Term, Span>,
    pub(crate) branches: usize,
}

impl Theory {
    pub(crate) fn len(&self) -> usize {
        self.atoms.len()
    }

    pub(crate) fn span(&self, var: usize) -> Span {
        self.atoms[var].span
    }

    /// The formula of a literal.
    pub(crate) fn formula(&self, store: &mut TermStore, literal: Lit) -> Option<Term> {
        let formula = self.atoms[literal.var()].formula?;
        Some(if literal.is_positive() { formula } else { store.not(formula) })
    }

    /// The constraint that a literal is.
    pub(crate) fn constraint(&self, literal: Lit) -> Option<&Constraint> {
        let bounds = self.atoms[literal.var()].bounds.as_ref()?;
        Some(&bounds[usize::from(!literal.is_positive())].0)
    }

    fn bounding(&self, literal: Lit) -> Option<&(Constraint, Bounding)> {
        let bounds = self.atoms[literal.var()].bounds.as_ref()?;
        Some(&bounds[usize::from(!literal.is_positive())])
    }

    /// The name of a subformula of a part.
    pub(crate) fn name(&mut self, part: usize) -> usize {
        self.atoms.push(Atom { formula: None, span: Span::at(part), bounds: None });
        self.atoms.len() - 1
    }

    /// The variable of an atom that occurs in the given parts.
    pub(crate) fn atom(&mut self, store: &mut TermStore, atom: Term, span: Span) -> usize {
        if let Some(&var) = self.vars.get(&atom) {
            self.extend(var, span);
            return var;
        }
        let negated = store.not(atom);
        let read = [atom, negated].map(|literal| Constraint::read(store, literal));
        let var = self.new_atom(Some(atom), span, read);
        self.vars.insert(atom, var);
        var
    }

    /// The literal `linear <= 0`, which occurs in the given parts.
    ///
    /// Says something about the numbers in it even where the store knows
    /// better: of `ite(c, 1, 0) <= 0` it makes `!c`.
    pub(crate) fn bound(&mut self, store: &mut TermStore, linear: Linear, span: Span) -> Lit {
        let formula = formula(store, &linear, Relation::Le);
        let (inner, positive) = store.literal(formula);
        let numbers = |linear: &Linear| -> Vec<Term> {
            linear.monomials().iter().map(|(number, _)| *number).collect()
        };
        let written = Constraint::read(store, formula);
        if written.is_some_and(|written| numbers(&written.linear) == numbers(&linear)) {
            return Lit::new(self.atom(store, inner, span), positive);
        }
        if let Some(&var) = self.raw.get(&linear) {
            self.extend(var, span);
            return Lit::new(var, true);
        }
        let is_int = |(number, _): &(Term, Rat)| store.sort(*number) == Sort::Int;
        let (flipped, one) = (linear.scaled(&Rat::from(-1)), Rat::ONE);
        let negated = match linear.monomials().iter().all(is_int) {
            true => Constraint { linear: flipped.shifted(&one), relation: Relation::Le },
            false => Constraint { linear: flipped, relation: Relation::Lt },
        };
        let yes = Constraint { linear: linear.clone(), relation: Relation::Le };
        let var = self.new_atom(Some(formula), span, [yes, negated].map(Some));
        self.raw.insert(linear, var);
        Lit::new(var, true)
    }

    fn extend(&mut self, var: usize, span: Span) {
        let known = &mut self.atoms[var].span;
        known.extend(span.first);
        known.extend(span.last);
    }

    fn new_atom(
        &mut self,
        formula: Option<Term>,
        span: Span,
        constraints: [Option<Constraint>; 2],
    ) -> usize {
        let bounds = match constraints {
            [Some(yes), Some(no)] if yes.relation != Relation::Eq => {
                let table = &mut self.table;
                match [&yes, &no].map(|constraint| table.bounding(&constraint.linear)) {
                    [Some(yes_bound), Some(no_bound)] => Some([(yes, yes_bound), (no, no_bound)]),
                    _ => None,
                }
            }
            _ => None,
        };
        self.atoms.push(Atom { formula, span, bounds });
        self.atoms.len() - 1
    }

    /// The numbers that an atom bounds.
    pub(crate) fn numbers_of(&self, var: usize) -> Vec<Term> {
        let numbers = |(constraint, _): &(Constraint, Bounding)| {
            constraint.linear.monomials().iter().map(|(term, _)| *term).collect()
        };
        self.atoms[var].bounds.as_ref().map_or_else(Vec::new, |[yes, _]| numbers(yes))
    }

    /// Notes that a number occurs in a part.
    pub(crate) fn meet(&mut self, number: Term, part: usize) {
        self.numbers.entry(number).or_insert(Span::at(part)).extend(part);
    }

    /// Lemmas between neighboring bounds of one form: `x <= 3` implies `x <= 5`.
    pub(crate) fn neighbors(&self) -> Vec<Clause> {
        // Upper bounds by form: as the atom itself or as its negation.
        let mut bounds: Vec<(usize, Rat, bool, Lit)> = Vec::new();
        for var in 0..self.len() {
            for literal in [Lit::new(var, true), Lit::new(var, false)] {
                let Some((constraint, bounding)) = self.bounding(literal) else { continue };
                if bounding.is_upper() {
                    let strict = constraint.relation == Relation::Lt;
                    bounds.push((bounding.var.index(), bounding.value.clone(), !strict, literal));
                }
            }
        }
        bounds.sort_unstable();
        let lemma = |pair: &[(usize, Rat, bool, Lit)]| {
            let [(form, _, _, tight), (other, _, _, loose)] = pair else { return None };
            // Not both `tight` and the negation of `loose`.
            (form == other).then(|| self.clash(*tight, !*loose)).flatten()
        };
        bounds.windows(2).filter_map(lemma).collect()
    }

    /// The lemma that two bounds of one form exclude each other.
    fn clash(&self, upper: Lit, lower: Lit) -> Option<Clause> {
        let factor = |literal: Lit| {
            let (_, bounding) = self.bounding(literal)?;
            Some((!literal, bounding.size()))
        };
        let shares = Box::new([factor(upper)?, factor(lower)?]);
        let literals = shares.iter().map(|(literal, _)| *literal).collect();
        Some(Clause { literals, origin: Origin::Lemma(shares) })
    }

    pub(crate) fn push(&mut self) {
        self.table.simplex.push();
    }

    pub(crate) fn pop(&mut self) {
        self.table.simplex.pop();
    }

    /// Whether a literal is a bound.
    pub(crate) fn is_bound(&self, literal: Lit) -> bool {
        self.atoms[literal.var()].bounds.is_some()
    }

    /// Takes a literal as true; whether that is a bound.
    pub(crate) fn assert(&mut self, literal: Lit) -> bool {
        let side = usize::from(!literal.is_positive());
        let Some(bounds) = &self.atoms[literal.var()].bounds else { return false };
        let (constraint, bounding) = &bounds[side];
        self.table.assert(bounding, constraint.relation, literal.index() as u32);
        true
    }

    /// A clause that is violated because the bounds in force have no solution.
    pub(crate) fn conflict(&mut self, budget: &Budget) -> Result<Option<Clause>, Stop> {
        let Feasibility::Infeasible(shares) = self.table.simplex.check(budget)? else {
            return Ok(None);
        };
        let share = |share: &Share| {
            let literal = Lit::from_index(share.tag as usize);
            let (_, bounding) = self.bounding(literal)?;
            Some((!literal, factor(share, bounding)))
        };
        let shares: Box<[(Lit, Rat)]> = shares.iter().filter_map(share).collect();
        let literals = shares.iter().map(|(literal, _)| *literal).collect();
        Ok(Some(Clause { literals, origin: Origin::Lemma(shares) }))
    }

    /// Whether an atom is true in the last solution of the simplex.
    pub(crate) fn guess(&self, var: usize) -> Option<bool> {
        let (constraint, bounding) = &self.atoms[var].bounds.as_ref()?[0];
        let value = self.table.simplex.value(bounding.var);
        let limit = (bounding.value.clone(), Rat::ZERO);
        let strict = constraint.relation == Relation::Lt;
        Some(match bounding.is_upper() {
            true => value < limit || !strict && value == limit,
            false => value > limit || !strict && value == limit,
        })
    }

    /// A new atom that splits the values of an integer that has a fraction in
    /// the last solution; `None` if there is none.
    pub(crate) fn branch(&mut self, store: &mut TermStore) -> Option<usize> {
        let (number, floor) = self.table.numbers.iter().find_map(|(var, number)| {
            if store.sort(*number) != Sort::Int {
                return None;
            }
            let (value, tiny) = self.table.simplex.value(*var);
            match value.to_int() {
                None => Some((*number, value.floor())),
                Some(_) if tiny.signum() > 0 => Some((*number, value.floor())),
                Some(_) if tiny.signum() < 0 => Some((*number, &value.floor() - &Int::ONE)),
                Some(_) => None,
            }
        })?;
        let span = *self.numbers.get(&number)?;
        let linear = Linear::term(number).shifted(&-&Rat::from(floor));
        let known = self.len();
        let literal = self.bound(store, linear, span);
        self.branches += 1;
        (self.len() > known).then_some(literal.var())
    }
}
