//! Value errors: leaving a range, indexing outside an array, dividing by zero.
//!
//! While expressions and updates are elaborated, every way to go wrong is noted
//! as a [`Defect`] with the condition under which it happens. Defects that
//! interval reasoning refutes are dropped. What remains strengthens the guard
//! of its command, so that the wrong step is not taken, and becomes part of the
//! target of the implicit property `values`, so that it is not overlooked.
//!
//! A defect may depend on what `any` chooses, but guards may not. The chosen
//! value is projected away exactly ([`Cx::projected`]): at a bound for linear
//! conditions, else by listing a short constant range, else it is an error that
//! asks for a simpler model.

use std::collections::HashMap;

use parallax_base::{Diagnostic, Id, Span};
use parallax_ir::{Action, Input};
use parallax_term::{Int, Node, Relation, Term};

use super::bounds::refuted;
use super::context::{Cx, Elab};
use crate::parser::Reported;

/// What kind of value error.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    Division,
    /// Index outside an array or family of that many cells.
    Index(usize),
    /// A value outside `low..=high`.
    Range(Int, Int),
}

/// A place where evaluation may go wrong.
#[derive(Clone, Debug)]
pub(super) struct Defect {
    /// The condition, over the state before the step and its inputs.
    pub(super) when: Term,
    pub(super) span: Span,
    pub(super) fault: Fault,
    /// How many ranges of `any` were met before it.
    pub(super) after: usize,
}

/// A value error that some run may meet.
pub(super) struct Hazard {
    /// Family, member and source location of the command; none for a property.
    pub(super) at: Option<(usize, usize, usize)>,
    pub(super) action: Option<Id<Action>>,
    pub(super) when: Term,
    pub(super) span: Span,
}

/// How many values of an input are listed one by one.
const LISTED: i64 = 256;

/// How deep projection follows a formula.
const PROJECTION_DEPTH: u32 = 64;

impl<'m> Cx<'m> {
    /// Notes a way to go wrong.
    pub(super) fn defect(&mut self, when: Term, span: Span, fault: Fault) {
        if self.dry == 0 && !self.store.is_false(when) {
            let after = self.nonempty.len();
            self.defects.push(Defect { when, span, fault, after });
        }
    }

    /// Notes that a value must lie in `low..=high`; each side on its own, so that
    /// one may be refuted without the other.
    pub(super) fn must_lie_in(
        &mut self,
        value: Term,
        low: &Int,
        high: &Int,
        at: Span,
        fault: Fault,
    ) {
        let (least, greatest) = (self.store.int(low.clone()), self.store.int(high.clone()));
        let (below, above) = (self.store.lt(value, least), self.store.lt(greatest, value));
        self.defect(below, at, fault.clone());
        self.defect(above, at, fault);
    }

    /// Defects noted since `mark` happen only where `condition` holds.
    pub(super) fn only_if(&mut self, mark: usize, condition: Term) {
        for i in mark..self.defects.len() {
            self.defects[i].when = self.store.and([condition, self.defects[i].when]);
        }
    }

    /// The error for a defect that always happens.
    pub(super) fn certain(&mut self, defect: &Defect) -> Reported {
        let text = match &defect.fault {
            Fault::Division => "division by zero".to_owned(),
            Fault::Index(size) => format!("the index is always outside its {size} cells"),
            Fault::Range(low, high) => format!("the value is always outside {low}..={high}"),
        };
        self.fail(Diagnostic::error("M0307", defect.span, text))
    }

    /// Least and greatest values of all cells that have them.
    pub(super) fn limits(&self) -> HashMap<Term, (Int, Int)> {
        let bounded = |v: &parallax_ir::Variable| Some((v.term, v.domain.bounds()?));
        self.cells.iter().filter_map(bounded).collect()
    }

    /// Drops the defects that cannot happen where `facts` hold. One that happens
    /// for certain is an error.
    pub(super) fn discharge(
        &mut self,
        defects: Vec<Defect>,
        facts: &[Term],
        limits: &HashMap<Term, (Int, Int)>,
    ) -> Elab<Vec<Defect>> {
        let mut known = facts.to_vec();
        let mut left: Vec<Defect> = Vec::new();
        let mut result = Ok(());
        for defect in defects {
            let repeated = left.iter().any(|d| d.when == defect.when);
            if repeated || self.store.is_false(defect.when) {
                continue;
            }
            if self.store.is_true(defect.when) {
                result = Err(self.certain(&defect));
                continue;
            }
            self.charge(known.len(), defect.span)?;
            if !refuted(&self.store, limits, &known, defect.when) {
                // A later defect only counts where the earlier ones did not happen.
                let fine = self.store.not(defect.when);
                known.push(fine);
                left.push(defect);
            }
        }
        result.map(|()| left)
    }

    /// The condition, over the state alone, that some choice of the inputs meets
    /// one of the defects.
    pub(super) fn projected(&mut self, defects: &[Defect], inputs: &[Input]) -> Elab<Term> {
        let mut all = Vec::with_capacity(defects.len());
        for defect in defects {
            let mut when = defect.when;
            for input in inputs {
                let Some(without) = self.project(when, input, 0) else {
                    let text = format!(
                        "cannot tell for which values of `any` (chosen for `{}`) this goes wrong",
                        input.name
                    );
                    let error = Diagnostic::error("M0404", defect.span, text)
                        .help("give `any` a short constant range, or guard this use by an `if`");
                    return Err(self.fail(error));
                };
                when = self.built(without, defect.span)?;
            }
            all.push(when);
        }
        Ok(self.store.or(all))
    }

    fn mentions(&self, formula: Term, symbol: Term) -> bool {
        self.store.vars(formula).binary_search(&symbol).is_ok()
    }

    /// `exists input: formula`, with the input inside its bounds.
    fn project(&mut self, formula: Term, input: &Input, depth: u32) -> Option<Term> {
        if !self.mentions(formula, input.term) {
            return Some(formula);
        }
        if depth < PROJECTION_DEPTH {
            match self.store.node(formula).clone() {
                Node::Or(items) => {
                    let cases: Option<Vec<Term>> =
                        items.iter().map(|&item| self.project(item, input, depth + 1)).collect();
                    return cases.map(|cases| self.store.or(cases));
                }
                Node::And(items) => {
                    let (inside, outside): (Vec<Term>, Vec<Term>) =
                        items.iter().partition(|&&item| self.mentions(item, input.term));
                    if let [one] = inside[..] {
                        let one = self.project(one, input, depth + 1)?;
                        return Some(self.store.and(outside.into_iter().chain([one])));
                    }
                }
                _ => {
                    if let Some(found) = self.project_literal(formula, input) {
                        return Some(found);
                    }
                }
            }
        }
        self.project_by_listing(formula, input)
    }

    /// A linear comparison is met by some value in an interval iff it is met at
    /// the right end of it.
    fn project_literal(&mut self, literal: Term, input: &Input) -> Option<Term> {
        let (atom, positive) = self.store.literal(literal);
        let Node::Compare(relation, linear) = self.store.node(atom).clone() else { return None };
        let mut factor = None;
        for (term, coefficient) in linear.monomials() {
            match *term == input.term {
                true => factor = Some(coefficient.signum()),
                false if self.mentions(*term, input.term) => return None,
                false => {}
            }
        }
        let factor = factor?;
        let ends = match (relation, positive) {
            (Relation::Eq, true) => return None,
            (Relation::Eq, false) => vec![input.low, input.high],
            // The least value of the sum decides `<=`, the greatest one `>`.
            (_, true) if factor > 0 => vec![input.low],
            (_, true) => vec![input.high],
            (_, false) if factor > 0 => vec![input.high],
            (_, false) => vec![input.low],
        };
        let mut cases = Vec::new();
        for end in ends {
            cases.push(match end {
                Some(end) => self.store.substitute(literal, &[(input.term, end)]),
                None => self.store.bool(true),
            });
        }
        Some(self.store.or(cases))
    }

    fn project_by_listing(&mut self, formula: Term, input: &Input) -> Option<Term> {
        let values: Vec<Term> = match (input.low, input.high) {
            (Some(low), Some(high)) => {
                let (low, high) = (self.store.int_value(low)?, self.store.int_value(high)?);
                let (low, width) = (low.clone(), (high - low).to_i64()?);
                if width >= LISTED {
                    return None;
                }
                (0..=width).map(|d| self.store.int(&low + &Int::from(d))).collect()
            }
            _ if self.store.sort(input.term) == parallax_term::Sort::Bool => {
                vec![self.store.bool(false), self.store.bool(true)]
            }
            _ => return None,
        };
        let mut cases = Vec::new();
        for value in values {
            cases.push(self.store.substitute(formula, &[(input.term, value)]));
        }
        Some(self.store.or(cases))
    }
}
