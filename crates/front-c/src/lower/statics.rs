//! The contents of static objects before the program starts.

use super::body::Body;
use super::build::Way;
use super::program::Lowerer;
use crate::libc::modelled_name;
use crate::typed::{self, ExprKind, Init};
use parallax_base::{Id, Span};
use parallax_cfa::{Initial, InitialItem, Place, Step};

impl Lowerer<'_> {
    /// Makes the contents of a static variable.
    pub(crate) fn initialize_static(&mut self, tree: Id<typed::Variable>) {
        let variable = &self.typed.variables[tree];
        let id = self.variable(tree);
        let stream = self.standard_stream(tree);
        if variable.storage == typed::Storage::External && stream.is_none() {
            self.initials.push((id, Initial::Arbitrary));
            return;
        }
        let literal = self.literals.remove(&tree).or(stream);
        let mut body = Body::new(self, Id::new(0), None);
        body.at(None);
        let way = body.cx.build.variable(id, variable.ty, false);
        let mut items = Vec::new();
        if let Some(units) = &variable.units {
            for (index, unit) in units.iter().enumerate() {
                let steps = [typed::InitStep::Element(index as u64)];
                for part in body.parts(&way, &steps) {
                    let value = body.cx.build.int(i128::from(*unit), part.ty);
                    items.push(InitialItem { place: body.place(&part), value });
                }
            }
        }
        let init = variable.init.as_ref().or(literal.as_ref());
        let known = init.is_none_or(|init| body.static_items(&way, init, &mut items));
        let items = body.without_zeros(items);
        let contents = if known { Initial::Items(items) } else { Initial::Arbitrary };
        self.initials.push((id, contents));
    }

    /// What one of the pointers to the standard streams is: the same as the
    /// variable of the models that is named so.
    fn standard_stream(&self, tree: Id<typed::Variable>) -> Option<Init> {
        let variable = &self.typed.variables[tree];
        if variable.storage != typed::Storage::External
            || self.typed.types.pointee(variable.ty).is_none()
            || !matches!(&*variable.name, "stdin" | "stdout" | "stderr")
        {
            return None;
        }
        let is_model = |name: &str| modelled_name(name) == Some(&*variable.name);
        self.typed.variables.iter().find(|v| is_model(&v.name))?.init.clone()
    }
}

impl Body<'_, '_> {
    /// A compound literal at file level: a static object.
    pub(crate) fn static_literal(&mut self, tree: Id<typed::Variable>, init: &Init) -> Way {
        let variable = self.cx.variable(tree);
        if self.typed.variables[tree].init.is_none() && self.cx.open_statics.contains(&tree) {
            self.cx.literals.insert(tree, init.clone());
        }
        let ty = self.cx.variables[variable].ty;
        self.cx.build.variable(variable, ty, false)
    }

    /// Collects the scalars of an initializer; false if one is no constant.
    fn static_items(&mut self, root: &Way, init: &Init, out: &mut Vec<InitialItem>) -> bool {
        for item in &init.items {
            for part in self.parts(root, &item.path) {
                if !self.static_part(&part, item.value, out) {
                    let span = self.span(item.value);
                    self.refuse(span);
                    return false;
                }
            }
        }
        true
    }

    /// Static objects are zero before anything is stored: a zero says something only
    /// where it may be stored over something else.
    fn without_zeros(&self, items: Vec<InitialItem>) -> Vec<InitialItem> {
        let mut kept: Vec<InitialItem> = Vec::new();
        for item in items {
            let is_zero = self.cx.build.as_int(item.value) == Some(0);
            if !is_zero || kept.iter().any(|other| self.may_overlap(other.place, item.place)) {
                kept.push(item);
            }
        }
        kept
    }

    /// Whether two places of one object may share bytes: all that do not differ in a
    /// member of a structure or in a constant index.
    fn may_overlap(&self, a: Id<Place>, b: Id<Place>) -> bool {
        let build = &self.cx.build;
        let (a, b) = (&build.places[a].path, &build.places[b].path);
        let differs = |(one, other): (&Step, &Step)| match (one, other) {
            (Step::Member(record, m), Step::Member(_, n)) => {
                !build.types.records[*record].is_union && m != n
            }
            (Step::Index(i), Step::Index(j)) => {
                matches!((build.as_int(*i), build.as_int(*j)), (Some(i), Some(j)) if i != j)
            }
            _ => false,
        };
        let different = a.iter().zip(b).find(|(one, other)| one != other);
        !different.is_some_and(differs)
    }

    fn refuse(&mut self, span: Span) {
        self.cx.unsupported.push((span, "initial value that is no constant".into()));
    }

    fn static_part(
        &mut self,
        part: &Way,
        value: Id<typed::Expr>,
        out: &mut Vec<InitialItem>,
    ) -> bool {
        if self.string_units(value).is_some() || self.is_scalar(part.ty) {
            for (way, value) in self.constants(part, value) {
                if !self.cx.build.reads(value).is_constant() {
                    return false;
                }
                let place = self.place(&way);
                out.push(InitialItem { place, value });
            }
            return true;
        }
        // A record or array given by a compound literal, or by another static
        // object, has that one's contents.
        let mut value = value;
        while let ExprKind::Load(inner) | ExprKind::Convert(inner) = &self.typed.exprs[value].kind {
            value = *inner;
        }
        match &self.typed.exprs[value].kind {
            ExprKind::CompoundLiteral(_, init) => self.static_items(part, init, out),
            ExprKind::Variable(v) => match &self.typed.variables[*v].init {
                Some(init) => self.static_items(part, init, out),
                None => self.typed.variables[*v].storage == typed::Storage::Static,
            },
            _ => false,
        }
    }
}
