//! Updates: simultaneous assignments and atomic blocks.
//!
//! A block is run on symbolic values: [`Cx::overlay`] holds what each cell holds
//! after the statements so far, over the state before the step. The branches of
//! an `if` are run one after the other from the same start and then merged by
//! conditionals. What is left in the overlay is one simultaneous assignment.

use std::collections::{BTreeMap, BTreeSet};

use parallax_base::{Diagnostic, Span};
use parallax_ir::Input;
use parallax_term::Term;

use super::context::{Cx, Elab, Ty};
use super::places::{Place, Root, position};
use super::values::Fault;
use crate::ast::{Assign, Expr, Range, Stmt, Update, Value};
use crate::parser::Reported;

impl<'m> Cx<'m> {
    /// Runs the update of a command on the overlay.
    pub(super) fn update(&mut self, update: &'m Update<'m>) -> Elab<()> {
        match update {
            Update::Nothing => Ok(()),
            Update::Assigns(list) => self.assigns(list),
            Update::Block(stmts) => self.block(stmts),
        }
    }

    fn block(&mut self, stmts: &'m [Stmt<'m>]) -> Elab<()> {
        let mut result = Ok(());
        for stmt in stmts {
            let done = match stmt {
                Stmt::Assigns(list) => self.assigns(list),
                Stmt::If { branches, otherwise } => self.branches(branches, otherwise),
            };
            if let Err(reported) = done {
                result = Err(reported);
            }
        }
        result
    }

    /// `if c { } else if d { } else { }`
    fn branches(
        &mut self,
        branches: &'m [(Expr<'m>, Vec<Stmt<'m>>)],
        otherwise: &'m [Stmt<'m>],
    ) -> Elab<()> {
        let mut reached = self.store.bool(true);
        let mut outcomes: Vec<(Term, BTreeMap<usize, Term>)> = Vec::new();
        let mut result = Ok(());
        let mut span = Span::default();
        for (condition, stmts) in branches {
            span = condition.span;
            let mark = self.defects.len();
            let holds = self.expr_of(condition, Ty::Bool);
            self.only_if(mark, reached);
            let Ok(holds) = holds else {
                // Check the branch all the same.
                let _ = self.branch_run(stmts, reached);
                result = Err(Reported);
                continue;
            };
            let path = self.store.and([reached, holds]);
            self.built(path, span)?;
            match self.branch_run(stmts, path) {
                Ok(changed) => outcomes.push((holds, changed)),
                Err(reported) => result = Err(reported),
            }
            let not = self.store.not(holds);
            reached = self.store.and([reached, not]);
        }
        let mut merged = self.branch_run(otherwise, reached)?;
        result?;
        for (holds, changed) in outcomes.into_iter().rev() {
            let cells: BTreeSet<usize> = merged.keys().chain(changed.keys()).copied().collect();
            for cell in cells {
                let before = self.read(cell);
                let yes = changed.get(&cell).copied().unwrap_or(before);
                let no = merged.get(&cell).copied().unwrap_or(before);
                let value = self.store.ite(holds, yes, no);
                merged.insert(cell, self.built(value, span)?);
            }
        }
        for (cell, value) in merged {
            self.write(cell, value);
        }
        Ok(())
    }

    /// Runs one branch and takes its writes back; returns what it wrote.
    fn branch_run(&mut self, stmts: &'m [Stmt<'m>], path: Term) -> Elab<BTreeMap<usize, Term>> {
        let (mark, log) = (self.defects.len(), self.log.len());
        self.path.push(path);
        let result = self.block(stmts);
        self.path.pop();
        self.only_if(mark, path);
        let mut changed = BTreeMap::new();
        for i in (log..self.log.len()).rev() {
            let (cell, before) = self.log[i];
            changed.entry(cell).or_insert(self.read(cell));
            match before {
                Some(term) => self.overlay.insert(cell, term),
                None => self.overlay.remove(&cell),
            };
        }
        self.log.truncate(log);
        result.map(|()| changed)
    }

    /// Simultaneous assignments: all values are taken before any is written.
    fn assigns(&mut self, list: &'m [Assign<'m>]) -> Elab<()> {
        let mut writes = Vec::with_capacity(list.len());
        let mut result = Ok(());
        for assign in list {
            let place = self.target(assign);
            let value = match (&assign.value, &place) {
                (Value::Expr(e), Ok(place)) => self.assigned(e, place),
                (Value::Any(range, span), Ok(place)) => {
                    self.any_value(place, range.as_ref(), *span)
                }
                (Value::Expr(e), Err(_)) => self.expr(e).map(|typed| typed.term),
                (Value::Any(..), Err(_)) => Err(Reported),
            };
            match (place, value) {
                (Ok(place), Ok(value)) => writes.push((place, value)),
                _ => result = Err(Reported),
            }
        }
        result?;
        self.distinct(&writes)?;
        for (place, value) in writes {
            self.write_place(&place, value)?;
        }
        Ok(())
    }

    /// The place an assignment writes to.
    fn target(&mut self, assign: &'m Assign<'m>) -> Elab<Place> {
        let path = &assign.target;
        if path.field.is_some() {
            let text = "the variable of a process cannot be assigned from outside";
            let error = Diagnostic::error("M0402", path.span, text)
                .help("a process assigns shared variables and, without a prefix, its own");
            return Err(self.fail(error));
        }
        self.path_place(path)
    }

    fn assigned(&mut self, e: &'m Expr<'m>, place: &Place) -> Elab<Term> {
        let term = self.expr_of(e, place.shape.ty)?;
        if let Some((low, high)) = place.shape.domain.bounds()
            && place.shape.ty == Ty::Int
        {
            let fault = Fault::Range(low.clone(), high.clone());
            self.must_lie_in(term, &low, &high, e.span, fault);
        }
        Ok(term)
    }

    /// `any` or `any low..high`: a new input.
    fn any_value(&mut self, place: &Place, range: Option<&'m Range<'m>>, span: Span) -> Elab<Term> {
        let domain = place.shape.domain.clone();
        let (low, high) = match range {
            Some(range) => {
                let (low, high) = self.any_range(place, range)?;
                (Some(low), Some(high))
            }
            None => match domain.bounds() {
                Some((low, high)) => (Some(self.store.int(low)), Some(self.store.int(high))),
                None => (None, None),
            },
        };
        let name = self.place_name(place);
        let term = self.store.fresh(&name, domain.sort());
        self.charge(1, span)?;
        if self.dry == 0 {
            self.inputs.push(Input { term, name: name.into(), low, high });
            self.input_marks.push(self.nonempty.len());
        }
        Ok(term)
    }

    fn any_range(&mut self, place: &Place, range: &'m Range<'m>) -> Elab<(Term, Term)> {
        let ty = place.shape.ty;
        if ty == Ty::Real && !range.inclusive {
            let error =
                Diagnostic::error("M0201", range.span, "a range of reals has both its ends")
                    .help("write `..=`");
            return Err(self.fail(error));
        }
        if !matches!(ty, Ty::Int | Ty::Real) {
            let have = self.type_name(place.shape.ty);
            let text = format!("a range of integers for a variable of type `{have}`");
            let error = Diagnostic::error("M0201", range.span, text)
                .help("write `any` alone to choose any value of the type");
            return Err(self.fail(error));
        }
        let low = self.expr_of(&range.low, ty);
        let mut high = self.expr_of(&range.high, ty)?;
        let low = low?;
        if !range.inclusive {
            let one = self.store.int(1);
            high = self.store.sub(high, one);
        }
        let nonempty = self.store.le(low, high);
        let path = self.store.and(self.path.iter().copied());
        // Not those of `nonempty`: there a chosen value may cancel out.
        let symbols = [self.store.vars(low), self.store.vars(high)].concat();
        let on_path = self.store.vars(path);
        let chosen = |input: &Input| {
            symbols.contains(&input.term)
                || on_path.contains(&input.term) && !self.store.is_true(nonempty)
        };
        if let Some(input) = self.inputs.iter().find(|input| chosen(input)) {
            let text = format!("the range depends on the value chosen for `{}`", input.name);
            let error = Diagnostic::error("M0405", range.span, text)
                .help("choose the values in two commands, one after the other");
            return Err(self.fail(error));
        }
        // Off the path the input is not used, but must have a value all the same.
        let needed = self.store.implies(path, nonempty);
        if !self.store.is_true(nonempty) {
            self.nonempty.push(needed);
            high = self.store.ite(path, high, low);
        }
        if let Some((least, greatest)) = place.shape.domain.bounds() {
            // Only one end can leave on each side where the range is not empty.
            let (l, g) = (self.store.int(least.clone()), self.store.int(greatest.clone()));
            let (below, above) = (self.store.lt(low, l), self.store.lt(g, high));
            let (below, above) =
                (self.store.and([nonempty, below]), self.store.and([nonempty, above]));
            self.defect(below, range.span, Fault::Range(least.clone(), greatest.clone()));
            self.defect(above, range.span, Fault::Range(least, greatest));
        }
        Ok((low, high))
    }

    /// The name of the variable behind a place, with its cell if that is known.
    fn place_name(&self, place: &Place) -> String {
        if let Some(flat) = self.flat(place) {
            return self.cells.as_slice()[self.cell(place, flat)].name.to_string();
        }
        match place.root {
            Root::Global(var) => self.vars[var].name.text.to_owned(),
            Root::Local(family, member, var) => {
                let family = &self.families[family];
                let owner = member.map_or("", |m| &family.members[m].name);
                format!("{owner}.{}", family.vars[var].name.text)
            }
        }
    }

    /// The flat position of a place whose indices are all constant; a wrong
    /// index (reported elsewhere) counts as the first.
    fn flat(&self, place: &Place) -> Option<usize> {
        let mut flat = 0;
        for (dim, &index) in place.dims.iter().zip(&place.indices) {
            let value = self.store.int_value(index)?;
            flat = flat * dim.size + position(dim, value).unwrap_or(0);
        }
        Some(flat)
    }

    /// Two assignments of one list must never write the same cell.
    fn distinct(&mut self, writes: &[(Place, Term)]) -> Elab<()> {
        let mut known: BTreeMap<usize, Span> = BTreeMap::new();
        let mut open: Vec<&Place> = Vec::new();
        for (place, _) in writes {
            match self.flat(place).map(|flat| self.cell(place, flat)) {
                Some(cell) => {
                    if let Some(&first) = known.get(&cell) {
                        return Err(self.written_twice(place.span, first));
                    }
                    known.insert(cell, place.span);
                }
                None => open.push(place),
            }
        }
        for (i, place) in open.iter().enumerate() {
            self.charge(writes.len(), place.span)?;
            let others = writes.iter().map(|(other, _)| other);
            let constant: Vec<&Place> = others.filter(|o| self.flat(o).is_some()).collect();
            for other in open[..i].iter().copied().chain(constant) {
                if other.root == place.root && !self.differ(place, other) {
                    return Err(self.written_twice(place.span, other.span));
                }
            }
        }
        Ok(())
    }

    /// Whether two places of one variable have an index that always differs.
    fn differ(&mut self, a: &Place, b: &Place) -> bool {
        a.indices.iter().zip(&b.indices).any(|(&i, &j)| {
            let difference = self.store.sub(i, j);
            self.store.int_value(difference).is_some_and(|d| !d.is_zero())
        })
    }

    fn written_twice(&mut self, span: Span, first: Span) -> Reported {
        let error = Diagnostic::error("M0403", span, "written twice at the same time")
            .label("perhaps the same cell")
            .also(first, "first written here")
            .help("put the assignments in sequence: `do { a := 1; b := 2; }`");
        self.fail(error)
    }

    fn write_place(&mut self, place: &Place, value: Term) -> Elab<()> {
        if let Some(flat) = self.flat(place) {
            let cell = self.cell(place, flat);
            self.write(cell, value);
            return Ok(());
        }
        for flat in 0..place.shape.cells() {
            let indices = self.unflatten(&place.dims, flat);
            let mut here = Vec::with_capacity(indices.len());
            for (index, wanted) in place.indices.iter().zip(&indices) {
                here.push(self.store.eq(*index, wanted.term));
            }
            let here = self.store.and(here);
            if self.store.is_false(here) {
                continue;
            }
            let cell = self.cell(place, flat);
            let before = self.read(cell);
            let after = self.store.ite(here, value, before);
            self.built(after, place.span)?;
            self.write(cell, after);
        }
        Ok(())
    }
}
