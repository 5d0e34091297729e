//! Names in expressions: indices, constants, variables, array cells, local
//! variables and locations of processes.
//!
//! A place with constant indices is one cell. With an index that depends on the
//! state, reading becomes a choice over the cells: `i == 0 && a[0] || i == 1 &&
//! a[1] ...` for truth values, nested conditionals for numbers. Which cell a
//! wrong index reads does not matter, because it is a value error.

use parallax_base::{Diagnostic, Span};
use parallax_term::{Int, Rat, Term};

use super::context::{Cx, Dim, Elab, Entry, Shape, Ty, Typed};
use super::values::Fault;
use crate::ast::{At, Expr, Name, Path};
use crate::parser::Reported;

/// A variable, or one of the same name in every member of a family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Root {
    Global(usize),
    /// Family, member if it is fixed, variable.
    Local(usize, Option<usize>, usize),
}

/// A scalar cell of a variable, perhaps not yet known which.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) root: Root,
    pub(super) shape: Shape,
    /// All dimensions passed on the way: those of the family (unless the member
    /// is fixed), then those of the variable.
    pub(super) dims: Vec<Dim>,
    pub(super) indices: Vec<Term>,
    pub(super) span: Span,
}

impl<'m> Cx<'m> {
    /// A plain name.
    pub(super) fn name_expr(&mut self, text: &'m str, span: Span) -> Elab<Typed> {
        if let Some((_, typed)) = self.bound.iter().rev().find(|(name, _)| *name == text) {
            return Ok(*typed);
        }
        if self.local(text).is_none() {
            match self.names.get(text) {
                Some(&(Entry::Const(c), _)) => {
                    self.consts[c].used = true;
                    return self.consts[c].value.ok_or(Reported);
                }
                Some((Entry::Var(_), _)) => {}
                Some(&(entry, declared)) => return Err(self.no_value(text, span, entry, declared)),
                None => return self.enum_value(text, span),
            }
        }
        let place = self.place(Name { text, span }, &[], None, span)?;
        self.read_place(&place)
    }

    fn no_value(&mut self, text: &str, span: Span, entry: Entry, declared: Span) -> Reported {
        let (what, help) = match entry {
            Entry::Process(_) => ("a process", "write `P@location` or `P.variable`"),
            Entry::Enum(_) => ("an enumeration", "write one of its values, as in `Phase.idle`"),
            _ => ("a type", "write a constant or a variable"),
        };
        let text = format!("`{text}` is {what}, not a value");
        let error = Diagnostic::error("M0202", span, text).also(declared, "declared here");
        self.fail(error.help(help))
    }

    fn enum_value(&mut self, text: &'m str, span: Span) -> Elab<Typed> {
        match self.enum_values.get(text).map(Vec::as_slice) {
            None => Err(self.unknown("variable, constant or value", text, span)),
            Some(&[(e, position)]) => Ok(self.enum_constant(e, position)),
            Some(several) => {
                let names: Vec<String> = several
                    .iter()
                    .map(|(e, _)| format!("`{}.{text}`", self.enums[*e].def.name.text))
                    .collect();
                let error = Diagnostic::error("M0105", span, format!("`{text}` is ambiguous"))
                    .help(format!("write {}", names.join(" or ")));
                Err(self.fail(error))
            }
        }
    }

    fn enum_constant(&mut self, e: usize, position: usize) -> Typed {
        Typed { term: self.store.int(position as i64), ty: Ty::Enum(e) }
    }

    /// The variable of that name in the process at hand.
    fn local(&self, text: &str) -> Option<(usize, usize, usize)> {
        let (family, member) = self.here?;
        let var = self.families[family].vars.iter().position(|v| v.name.text == text)?;
        Some((family, member, var))
    }

    /// A path with indices or a field.
    pub(super) fn path_expr(&mut self, path: &'m Path<'m>) -> Elab<Typed> {
        if let (Some((field, _)), Some(&(Entry::Enum(e), _))) =
            (&path.field, self.names.get(path.name.text))
        {
            let values = &self.enums[e].def.values;
            let position = values.iter().position(|v| v.text == field.text);
            return match position {
                Some(position) => Ok(self.enum_constant(e, position)),
                None => {
                    let text = format!("`{}` has no value `{}`", path.name.text, field.text);
                    let error = Diagnostic::error("M0102", field.span, text);
                    let known = values.iter().map(|v| v.text);
                    Err(self.fail(super::names::with_nearest(error, field.text, known)))
                }
            };
        }
        let place = self.path_place(path)?;
        self.read_place(&place)
    }

    /// The place a path leads to.
    pub(super) fn path_place(&mut self, path: &'m Path<'m>) -> Elab<Place> {
        let field = path.field.as_ref().map(|(name, indices)| (*name, indices.as_slice()));
        self.place(path.name, &path.indices, field, path.span)
    }

    fn place(
        &mut self,
        name: Name<'m>,
        indices: &'m [Expr<'m>],
        field: Option<(Name<'m>, &'m [Expr<'m>])>,
        span: Span,
    ) -> Elab<Place> {
        let shadowed = self.bound.iter().any(|(bound, _)| *bound == name.text);
        if let Some((variable, rest)) = field {
            return self.remote_place(name, indices, variable, rest, span);
        }
        let root = match self.local(name.text) {
            _ if shadowed => None,
            Some((family, member, var)) => Some(Root::Local(family, Some(member), var)),
            None => match self.names.get(name.text) {
                Some(&(Entry::Var(var), _)) => Some(Root::Global(var)),
                _ => None,
            },
        };
        let Some(root) = root else {
            let known = shadowed
                || self.names.contains_key(name.text)
                || self.enum_values.contains_key(name.text);
            return Err(match known {
                true => {
                    let text = format!("`{}` is not a variable", name.text);
                    self.fail(Diagnostic::error("M0202", name.span, text))
                }
                false => self.unknown("variable", name.text, name.span),
            });
        };
        let shape = self.use_variable(root, name)?;
        let indices = self.indices(name, &shape.dims, indices, span)?;
        Ok(Place { root, dims: shape.dims.clone(), shape, indices, span })
    }

    /// `P[i].v[j]`
    fn remote_place(
        &mut self,
        process: Name<'m>,
        members: &'m [Expr<'m>],
        variable: Name<'m>,
        rest: &'m [Expr<'m>],
        span: Span,
    ) -> Elab<Place> {
        let family = self.process(process)?;
        let vars = &self.families[family].vars;
        let Some(var) = vars.iter().position(|v| v.name.text == variable.text) else {
            let text = format!("process `{}` has no variable `{}`", process.text, variable.text);
            let error = Diagnostic::error("M0102", variable.span, text);
            let known: Vec<&str> = vars.iter().map(|v| v.name.text).collect();
            let error = super::names::with_nearest(error, variable.text, known);
            return Err(self.fail(error));
        };
        let shape = self.use_variable(Root::Local(family, None, var), variable)?;
        let mut dims = self.families[family].dims.clone();
        let mut indices = self.indices(process, &dims, members, process.span)?;
        indices.extend(self.indices(variable, &shape.dims, rest, span)?);
        dims.extend(shape.dims.iter().cloned());
        Ok(Place { root: Root::Local(family, None, var), shape, dims, indices, span })
    }

    /// The shape of a variable that may be used here.
    fn use_variable(&mut self, root: Root, name: Name<'m>) -> Elab<Shape> {
        let declared = match root {
            Root::Global(var) => &mut self.vars[var],
            Root::Local(family, _, var) => &mut self.families[family].vars[var],
        };
        declared.used = true;
        let (shape, span) = (declared.shape.clone(), declared.name.span);
        if let Some(what) = self.constant_for {
            let text = format!("{what} must be constant, but `{}` is a variable", name.text);
            let error = Diagnostic::error("M0303", name.span, text).also(span, "declared here");
            return Err(self.fail(error));
        }
        shape.ok_or(Reported)
    }

    /// The family of that name.
    fn process(&mut self, name: Name<'m>) -> Elab<usize> {
        match self.names.get(name.text) {
            Some(&(Entry::Process(family), _)) => Ok(family),
            Some(&(_, declared)) => {
                let text = format!("`{}` is not a process", name.text);
                let error = Diagnostic::error("M0202", name.span, text);
                Err(self.fail(error.also(declared, "declared here")))
            }
            None => Err(self.unknown("process", name.text, name.span)),
        }
    }

    /// Evaluates indices and records where they leave their dimensions.
    fn indices(
        &mut self,
        name: Name<'m>,
        dims: &[Dim],
        indices: &'m [Expr<'m>],
        span: Span,
    ) -> Elab<Vec<Term>> {
        if indices.len() != dims.len() {
            let text = match (dims.len(), indices.len()) {
                (0, _) => format!("`{}` cannot be indexed", name.text),
                (1, 0) => format!("`{}` needs an index", name.text),
                (1, have) => format!("`{}` needs one index, found {have}", name.text),
                (want, have) => {
                    format!("`{}` needs {want} indices, found {have}", name.text)
                }
            };
            return Err(self.fail(Diagnostic::error("M0203", span, text)));
        }
        let mut terms = Vec::with_capacity(indices.len());
        for (dim, e) in dims.iter().zip(indices) {
            let term = self.expr_of(e, dim.ty)?;
            let high = &(&dim.low + &Int::from(dim.size as i64)) - &Int::ONE;
            self.must_lie_in(term, &dim.low, &high, e.span, Fault::Index(dim.size));
            terms.push(term);
        }
        Ok(terms)
    }

    /// The cell at a flat position of a place.
    pub(super) fn cell(&self, place: &Place, flat: usize) -> usize {
        match place.root {
            Root::Global(var) => self.vars[var].base + flat,
            Root::Local(family, Some(member), var) => {
                let family = &self.families[family];
                family.members[member].base + family.vars[var].base + flat
            }
            Root::Local(family, None, var) => {
                let family = &self.families[family];
                let size = place.shape.cells();
                let member = &family.members[flat / size];
                member.base + family.vars[var].base + flat % size
            }
        }
    }

    /// The value of a place.
    pub(super) fn read_place(&mut self, place: &Place) -> Elab<Typed> {
        let ty = place.shape.ty;
        if place.dims.iter().any(|d| d.size == 0) {
            // Only a member of an empty family: the index is wrong in any case.
            return Ok(Typed { term: self.default_term(ty), ty });
        }
        let mut read = |cx: &mut Self, flat: usize| cx.read(cx.cell(place, flat));
        let term =
            self.select(&place.dims, &place.indices, ty == Ty::Bool, place.span, 0, &mut read)?;
        Ok(Typed { term, ty })
    }

    fn default_term(&mut self, ty: Ty) -> Term {
        match ty {
            Ty::Bool => self.store.bool(false),
            Ty::Int | Ty::Enum(_) => self.store.int(0),
            Ty::Real => self.store.real(Rat::ZERO),
        }
    }

    /// Picks one of the values that `read` yields for the flat positions behind
    /// `prefix`. Recursion is over the dimensions, of which there are few.
    fn select(
        &mut self,
        dims: &[Dim],
        indices: &[Term],
        is_bool: bool,
        span: Span,
        prefix: usize,
        read: &mut dyn FnMut(&mut Self, usize) -> Term,
    ) -> Elab<Term> {
        let (Some((dim, dims)), Some((&index, indices))) =
            (dims.split_first(), indices.split_first())
        else {
            return Ok(read(self, prefix));
        };
        let flat = |position: usize| prefix * dim.size + position;
        if let Some(value) = self.store.int_value(index) {
            let position = position(dim, value).unwrap_or(0);
            return self.select(dims, indices, is_bool, span, flat(position), read);
        }
        let mut options = Vec::with_capacity(dim.size);
        for position in 0..dim.size {
            self.charge(1, span)?;
            let value = self.member_of(dim, position).term;
            let here = self.store.eq(index, value);
            let picked = self.select(dims, indices, is_bool, span, flat(position), read)?;
            options.push((here, picked));
        }
        if is_bool {
            let cases: Vec<Term> =
                options.into_iter().map(|(here, picked)| self.store.and([here, picked])).collect();
            return Ok(self.store.or(cases));
        }
        let mut options = options.into_iter().rev();
        let mut term = options.next().map_or(index, |(_, last)| last);
        for (here, picked) in options {
            term = self.store.ite(here, picked, term);
        }
        Ok(term)
    }

    /// `P[i]@location`
    pub(super) fn at_expr(&mut self, at: &'m At<'m>, span: Span) -> Elab<Typed> {
        let family = self.process(at.process)?;
        if let Some(what) = self.constant_for {
            let text = format!("{what} must be constant, but a location changes");
            return Err(self.fail(Diagnostic::error("M0303", span, text)));
        }
        let def = self.families[family].def;
        let Some(&location) = self.families[family].locations.get(at.location.text) else {
            let known = self.families[family].locations.clone();
            return Err(self.unknown_location(at.location, def, &known));
        };
        let dims = self.families[family].dims.clone();
        let indices = self.indices(at.process, &dims, &at.indices, span)?;
        if self.families[family].members.is_empty() {
            return Ok(Typed { term: self.store.bool(false), ty: Ty::Bool });
        }
        let mut read = |cx: &mut Self, flat: usize| {
            let control = cx.read(cx.families[family].members[flat].control);
            let index = cx.store.int(location as i64);
            cx.store.eq(control, index)
        };
        let term = self.select(&dims, &indices, true, span, 0, &mut read)?;
        Ok(Typed { term, ty: Ty::Bool })
    }
}

/// The position of a value in a dimension, if it lies inside.
pub(super) fn position(dim: &Dim, value: &Int) -> Option<usize> {
    let offset = usize::try_from((value - &dim.low).to_i64()?).ok()?;
    (offset < dim.size).then_some(offset)
}
