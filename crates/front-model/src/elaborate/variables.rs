//! Laying out variables: arrays become cells, families become processes.
//!
//! The cells are, in this order: all shared variables as they are declared,
//! then for each process its control variable and its local variables.

use std::sync::Arc;

use parallax_base::{Diagnostic, Id, Span};
use parallax_ir::{Domain, Role, Variable};
use parallax_term::Value;

use super::MAX_INSTANCES;
use super::context::{Cx, Declared, Dim, Elab, Member, Shape, Typed};
use crate::ast::{Initializer, Item, VarGroup};

impl<'m> Cx<'m> {
    /// Expands all variables and processes and fixes initial values.
    ///
    /// Fails if the expansion is incomplete; then nothing may refer to cells.
    pub(super) fn variables(&mut self) -> Elab<()> {
        let model = self.model;
        let groups = model.items.iter().filter_map(|item| match item {
            Item::Var(group) => Some(group),
            _ => None,
        });
        let shapes = self.shapes(groups);
        for (var, shape) in shapes.into_iter().enumerate() {
            self.vars[var].shape = shape;
            self.vars[var].base = self.cells.len();
            let declared = &self.vars[var];
            let (name, init) = (declared.name, declared.init);
            if let Some(shape) = declared.shape.clone() {
                self.expand(name.text, name.span, &shape, init, Role::Shared)?;
            }
        }
        let mut next_process = 0;
        for family in 0..self.families.len() {
            self.expand_family(family, &mut next_process)?;
        }
        Ok(())
    }

    /// The shape of every variable of some declarations, in order.
    fn shapes(&mut self, groups: impl Iterator<Item = &'m VarGroup<'m>>) -> Vec<Option<Shape>> {
        let mut shapes = Vec::new();
        for group in groups {
            let shape = self.shape(&group.ty).ok();
            shapes.extend(group.names.iter().map(|_| shape.clone()));
        }
        shapes
    }

    fn expand_family(&mut self, f: usize, next_process: &mut usize) -> Elab<()> {
        let def = self.families[f].def;
        let shapes = self.shapes(def.vars.iter());
        // A variable declared twice was entered once; match by name.
        let names: Vec<&str> = def.vars.iter().flat_map(|g| &g.names).map(|n| n.text).collect();
        let mut base = 0;
        for declared in &mut self.families[f].vars {
            let position = names.iter().position(|n| *n == declared.name.text);
            declared.shape = position.and_then(|p| shapes[p].clone());
            declared.base = base;
            base += declared.shape.as_ref().map_or(0, Shape::cells);
        }
        for binder in &def.binders {
            let dim = self.values_of(&binder.domain)?;
            self.families[f].dims.push(dim);
        }
        let dims = self.families[f].dims.clone();
        let count = dims.iter().try_fold(1usize, |n, d| n.checked_mul(d.size));
        let too_many = |n: usize| n.saturating_add(*next_process) > MAX_INSTANCES;
        let Some(count) = count.filter(|&n| !too_many(n)) else {
            let text = format!("more than {MAX_INSTANCES} processes");
            let error =
                Diagnostic::error("M0305", def.name.span, text).label("this family is too large");
            return Err(self.fail(error));
        };
        if count == 0 {
            let text = format!("the family `{}` is empty", def.name.text);
            self.warn(Diagnostic::warning("M0905", def.name.span, text));
        }
        for flat in 0..count {
            self.expand_member(f, flat, &dims, Id::new(*next_process))?;
            *next_process += 1;
        }
        Ok(())
    }

    fn expand_member(
        &mut self,
        f: usize,
        flat: usize,
        dims: &[Dim],
        id: Id<parallax_ir::Process>,
    ) -> Elab<()> {
        let def = self.families[f].def;
        let indices = self.unflatten(dims, flat);
        let name = match indices.is_empty() {
            true => def.name.text.to_owned(),
            false => format!("{}[{}]", def.name.text, self.show_indices(&indices)),
        };
        let control = self.cells.len();
        let last = def.locations.len().saturating_sub(1) as i64;
        self.push_cell(
            format!("{name}@"),
            Domain::Range(0.into(), last.into()),
            Role::Control(id),
            Some(Value::int(0)),
            def.name.span,
        )?;
        let base = self.cells.len();
        for var in 0..self.families[f].vars.len() {
            let declared = &self.families[f].vars[var];
            let (local, init) = (declared.name, declared.init);
            if let Some(shape) = declared.shape.clone() {
                // An initial value may speak of the indices of the family.
                let outer = self.bound.len();
                self.bind_family(f, &indices);
                let full = format!("{name}.{}", local.text);
                let result = self.expand(&full, local.span, &shape, init, Role::Local(id));
                self.bound.truncate(outer);
                result?;
            }
        }
        let edges = parallax_base::IdVec::default();
        let member =
            Member { name: name.into(), indices, control, base, edges, attempts: Vec::new() };
        self.families[f].members.push(member);
        Ok(())
    }

    /// Puts the indices of a family into scope.
    pub(super) fn bind_family(&mut self, f: usize, indices: &[Typed]) {
        let binders = &self.families[f].def.binders;
        for (binder, &value) in binders.iter().zip(indices) {
            self.bound.push((binder.name.text, value));
        }
    }

    /// The indices of a flat position, the last one moving fastest.
    pub(super) fn unflatten(&mut self, dims: &[Dim], flat: usize) -> Vec<Typed> {
        let mut rest = flat;
        let mut indices = Vec::with_capacity(dims.len());
        for dim in dims.iter().rev() {
            indices.push(self.member_of(dim, rest % dim.size));
            rest /= dim.size;
        }
        indices.reverse();
        indices
    }

    /// Index values as they stand between brackets.
    pub(super) fn show_indices(&self, indices: &[Typed]) -> String {
        let show = |typed: &Typed| {
            let value = self.store.int_value(typed.term);
            let named = match typed.ty {
                super::context::Ty::Enum(e) => value
                    .and_then(|v| usize::try_from(v.to_i64()?).ok())
                    .and_then(|v| self.enums[e].values.get(v)),
                _ => None,
            };
            match (named, value) {
                (Some(name), _) => name.to_string(),
                (None, Some(value)) => value.to_string(),
                (None, None) => self.store.infix(typed.term),
            }
        };
        indices.iter().map(show).collect::<Vec<_>>().join(",")
    }

    /// Adds the cells of one variable.
    fn expand(
        &mut self,
        name: &str,
        span: Span,
        shape: &Shape,
        init: Option<&'m Initializer<'m>>,
        role: Role,
    ) -> Elab<()> {
        let count = shape.cells();
        if count + self.cells.len() > MAX_INSTANCES {
            return Err(self.too_many_cells(span));
        }
        let mut values = Vec::new();
        // Broken initial values were reported; the cells are made all the same.
        let given = init.map(|init| self.initial(init, shape, 0, &mut values));
        if !matches!(given, Some(Ok(()))) {
            values.clear();
        }
        for flat in 0..count {
            let indices = self.unflatten(&shape.dims, flat);
            let mut full = name.to_owned();
            for index in &indices {
                full.push_str(&format!("[{}]", self.show_indices(std::slice::from_ref(index))));
            }
            let value = values.get(flat).cloned();
            self.push_cell(full, shape.domain.clone(), role, value, span)?;
        }
        Ok(())
    }

    fn too_many_cells(&mut self, span: Span) -> crate::parser::Reported {
        let text = format!("more than {MAX_INSTANCES} variables and array cells");
        self.fail(Diagnostic::error("M0305", span, text))
    }

    fn push_cell(
        &mut self,
        name: String,
        domain: Domain,
        role: Role,
        value: Option<Value>,
        span: Span,
    ) -> Elab<()> {
        if self.cells.len() >= MAX_INSTANCES {
            return Err(self.too_many_cells(span));
        }
        let term = self.store.var(&name, domain.sort());
        let name: Arc<str> = name.into();
        self.cells.push(Variable { name, term, domain, role, span });
        self.fixed.push(value);
        Ok(())
    }

    /// The values of all cells from dimension `depth` on; bounded by the dimensions.
    fn initial(
        &mut self,
        init: &'m Initializer<'m>,
        shape: &Shape,
        depth: usize,
        values: &mut Vec<Value>,
    ) -> Elab<()> {
        match init {
            Initializer::Value(e) => {
                let typed = self.constant_value("an initial value", e)?;
                let term = self.expect(typed, shape.ty, e)?;
                let Some(value) = self.store.value(term).cloned() else { return Ok(()) };
                if !shape.domain.contains(&value) {
                    let text = format!("the initial value {value} is outside {}", show(shape));
                    return Err(self.fail(Diagnostic::error("M0306", e.span, text)));
                }
                let cells = shape.dims[depth..].iter().map(|d| d.size).product();
                values.extend(std::iter::repeat_n(value, cells));
                Ok(())
            }
            Initializer::List(cells, span) => {
                let Some(dim) = shape.dims.get(depth) else {
                    let error = Diagnostic::error("M0203", *span, "a list for a single value");
                    return Err(self.fail(error));
                };
                if cells.len() != dim.size {
                    let text =
                        format!("expected {} initial values, found {}", dim.size, cells.len());
                    return Err(self.fail(Diagnostic::error("M0203", *span, text)));
                }
                for cell in cells {
                    self.initial(cell, shape, depth + 1, values)?;
                }
                Ok(())
            }
        }
    }

    /// The variable behind a declared name, for warnings.
    pub(super) fn all_declared(&self) -> impl Iterator<Item = &Declared<'m>> {
        self.vars.iter().chain(self.families.iter().flat_map(|f| &f.vars))
    }
}

/// The bounds of a scalar type, for messages.
pub(super) fn show(shape: &Shape) -> String {
    match shape.domain.bounds() {
        Some((low, high)) => format!("{low}..={high}"),
        None => "the type".to_owned(),
    }
}
