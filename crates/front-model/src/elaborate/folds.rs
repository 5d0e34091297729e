//! Quantifiers, sums and every other repetition over constant ranges.

use parallax_base::Span;
use parallax_term::{Int, Rat, Term};

use super::context::{Cx, Dim, Elab, Ty, Typed};
use super::mentions::domain_names;
use crate::ast::{Binder, Fold, FoldKind};

impl<'m> Cx<'m> {
    /// The value at a position of a range.
    pub(super) fn member_of(&mut self, dim: &Dim, position: usize) -> Typed {
        let value = &dim.low + &Int::from(position as i64);
        Typed { term: self.store.int(value), ty: dim.ty }
    }

    /// Runs `body` for every combination of the indices, the last one moving
    /// fastest. If there is none, `body` runs once in a dry run, so that what is
    /// wrong with it is found all the same; it must then leave nothing behind.
    pub(super) fn for_each(
        &mut self,
        binders: &'m [Binder<'m>],
        span: Span,
        body: &mut dyn FnMut(&mut Self) -> Elab<()>,
    ) -> Elab<()> {
        let count = self.combinations(binders)?;
        self.charge(count, span)?;
        self.repeat(binders, body)
    }

    /// How many combinations there are at least: those of the indices whose
    /// ranges do not depend on each other. Known before any of them is built.
    fn combinations(&mut self, binders: &'m [Binder<'m>]) -> Elab<usize> {
        let mut count = 1usize;
        for (i, binder) in binders.iter().enumerate() {
            let mut mentioned = Vec::new();
            domain_names(&binder.domain, &mut mentioned);
            if binders[..i].iter().any(|earlier| mentioned.contains(&earlier.name.text)) {
                break;
            }
            let size = self.values_of(&binder.domain)?.size;
            count = count.saturating_mul(size.max(1));
        }
        Ok(count)
    }

    /// The parser limits the number of binders, and so the recursion.
    fn repeat(
        &mut self,
        binders: &'m [Binder<'m>],
        body: &mut dyn FnMut(&mut Self) -> Elab<()>,
    ) -> Elab<()> {
        let Some((first, rest)) = binders.split_first() else { return body(self) };
        let dim = self.values_of(&first.domain)?;
        let is_empty = dim.size == 0;
        self.dry += u32::from(is_empty);
        let mut result = Ok(());
        for position in 0..dim.size.max(1) {
            let value = self.member_of(&dim, position);
            self.bound.push((first.name.text, value));
            result = self.repeat(rest, body);
            self.bound.pop();
            if result.is_err() {
                break;
            }
        }
        self.dry -= u32::from(is_empty);
        result
    }

    pub(super) fn fold(&mut self, fold: &'m Fold<'m>, span: Span) -> Elab<Typed> {
        let element = match fold.kind {
            FoldKind::Sum => Ty::Int,
            FoldKind::Forall | FoldKind::Exists | FoldKind::Count => Ty::Bool,
        };
        let mut terms: Vec<Term> = Vec::new();
        let mut any_real = false;
        let outer = self.dry;
        let mut body = |cx: &mut Self| {
            let typed = cx.expr(&fold.body)?;
            let is_real = fold.kind == FoldKind::Sum && typed.ty == Ty::Real;
            let term = match is_real {
                true => typed.term,
                false => cx.expect(typed, element, &fold.body)?,
            };
            any_real |= is_real;
            if cx.dry == outer {
                terms.push(term);
            }
            Ok(())
        };
        self.for_each(&fold.binders, span, &mut body)?;
        self.charge(terms.len(), span)?;
        Ok(match fold.kind {
            FoldKind::Forall => Typed { term: self.store.and(terms), ty: Ty::Bool },
            FoldKind::Exists => Typed { term: self.store.or(terms), ty: Ty::Bool },
            FoldKind::Sum if any_real => {
                let zero = self.store.real(Rat::ZERO);
                terms.push(zero);
                Typed { term: self.sum(terms), ty: Ty::Real }
            }
            FoldKind::Sum => Typed { term: self.sum(terms), ty: Ty::Int },
            FoldKind::Count => {
                let (one, zero) = (self.store.int(1), self.store.int(0));
                let ones = terms.into_iter().map(|t| self.store.ite(t, one, zero)).collect();
                Typed { term: self.sum(ones), ty: Ty::Int }
            }
        })
    }
}
