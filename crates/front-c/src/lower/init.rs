//! Declarations and initializers of local objects.
//!
//! Small objects are written part by part. The constant parts of larger ones,
//! zeros included, are kept in a static object `$initN` that is copied; so an
//! array of a thousand elements takes one operation, as compiled code does it.

use super::assign::is_plain;
use super::body::Body;
use super::build::{Touch, Way};
use super::expr::Value;
use crate::typed::{self, Expr, ExprKind, Init, InitItem, InitStep};
use parallax_base::{Id, Span};
use parallax_cfa::{ArrayLength, Initial, InitialItem, Op, Step, Storage, Type, Variable};
use std::collections::HashSet;

/// How many scalars are written one by one at most.
const SMALL: usize = 16;

impl Body<'_, '_> {
    /// A declaration of a local variable.
    pub(crate) fn declare(&mut self, tree: Id<typed::Variable>, init: Option<&Init>, span: Span) {
        if self.typed.variables[tree].storage != typed::Storage::Local {
            return;
        }
        let variable = self.cx.variable(tree);
        let (ty, volatile) = (self.cx.variables[variable].ty, self.typed.variables[tree].volatile);
        let fixed = self.cx.build.types.size_of(ty).is_some();
        let size = (!fixed).then(|| self.size_of(ty));
        self.emit(Op::Live(variable, size), span);
        self.enter(variable, true);
        if let Some(init) = init {
            let way = self.cx.build.variable(variable, ty, volatile);
            self.initialize(&way, init, span);
        }
    }

    /// An unnamed object, initialized when reached.
    pub(crate) fn compound_literal(
        &mut self,
        tree: Id<typed::Variable>,
        init: &Init,
        span: Span,
    ) -> Way {
        if self.typed.variables[tree].storage != typed::Storage::Local {
            return self.static_literal(tree, init);
        }
        let variable = self.cx.variable(tree);
        let ty = self.cx.variables[variable].ty;
        self.emit(Op::Live(variable, None), span);
        self.enter(variable, false);
        let way = self.cx.build.variable(variable, ty, false);
        self.initialize(&way, init, span);
        way
    }

    fn initialize(&mut self, root: &Way, init: &Init, span: Span) {
        let before = self.begin_list(init, span);
        self.initialize_parts(root, init, span);
        self.end_list(before);
    }

    fn initialize_parts(&mut self, root: &Way, init: &Init, span: Span) {
        if let ([item], true) = (&init.items[..], self.is_whole(root, init)) {
            self.initialize_whole(root, item.value, span);
            return;
        }
        let mut leaves = Vec::new();
        let few = self.leaves(root, &mut leaves);
        let constant = init.items.iter().filter(|item| self.is_constant_item(item)).count();
        let from_template = if few && constant <= SMALL {
            if init.zero_rest {
                self.zero_rest(root, &leaves, init, span);
            }
            HashSet::new()
        } else if init.zero_rest || constant > SMALL {
            self.copy_template(root, init, span)
        } else {
            HashSet::new()
        };
        for (index, item) in init.items.iter().enumerate() {
            if !from_template.contains(&index) {
                self.initialize_item(root, item, span);
            }
        }
    }

    /// Whether there is one value for the object as a whole.
    fn is_whole(&self, root: &Way, init: &Init) -> bool {
        let whole = init.items.len() == 1 && init.items[0].path.is_empty();
        whole && !matches!(self.cx.build.types.get(root.ty), Type::Array { .. })
    }

    fn initialize_whole(&mut self, root: &Way, value: Id<Expr>, span: Span) {
        if !self.is_scalar(root.ty) {
            return self.record_into(value, root, span);
        }
        match &self.typed.exprs[value].kind {
            ExprKind::Call(callee, arguments)
                if is_plain(root)
                    && self.ty(value) == root.ty
                    && !self.ready.contains_key(&value) =>
            {
                self.call(value, *callee, arguments, Some(root), false);
            }
            _ => {
                let value = self.rvalue(value);
                self.set(root, value, span);
            }
        }
    }

    /// All scalars of an object; false if there are many, or parts that share
    /// their place.
    fn leaves(&mut self, way: &Way, out: &mut Vec<Way>) -> bool {
        match *self.cx.build.types.get(way.ty) {
            Type::Array { of, length: ArrayLength::Fixed(n) } => {
                n <= SMALL as u64
                    && (0..n).all(|index| {
                        let part = self.step(way, InitStep::Element(index), Some(of));
                        self.leaves(&part, out)
                    })
            }
            Type::Array { length: ArrayLength::Unknown, .. } => true,
            Type::Record(record) => {
                let layout = &self.cx.build.types.records[record];
                let count = layout.members.len();
                if layout.is_union || count > SMALL {
                    return false;
                }
                (0..count).all(|member| {
                    let part = &self.cx.build.types.records[record].members[member];
                    if part.name.is_none() && part.bits.is_some() {
                        return true;
                    }
                    let part = self.step(way, InitStep::Member(record, member as u32), None);
                    self.leaves(&part, out)
                })
            }
            _ => {
                out.push(way.clone());
                out.len() <= SMALL && self.is_scalar(way.ty)
            }
        }
    }

    /// One step into an object; `of` is the element type if known already.
    pub(crate) fn step(&mut self, way: &Way, step: InitStep, of: Option<Id<Type>>) -> Way {
        let mut way = way.clone();
        match step {
            InitStep::Member(record, member) => {
                let part = &self.cx.build.types.records[record].members[member as usize];
                (way.ty, way.bits) = (part.ty, part.bits);
                way.path.push(Step::Member(record, member));
            }
            InitStep::Element(index) | InitStep::Elements(index, _) => {
                way.ty = of.or(self.cx.build.element(way.ty)).unwrap_or(way.ty);
                let index = self.cx.build.int(i128::from(index), self.cx.build.difference);
                way.path.push(Step::Index(index));
            }
        }
        way
    }

    /// The parts an item names; several for a range.
    pub(crate) fn parts(&mut self, root: &Way, path: &[InitStep]) -> Vec<Way> {
        let mut ways = vec![root.clone()];
        for step in path {
            ways = match *step {
                InitStep::Elements(first, last) => {
                    let mut all = Vec::new();
                    for way in &ways {
                        for index in first..=last {
                            all.push(self.step(way, InitStep::Element(index), None));
                        }
                    }
                    all
                }
                step => ways.iter().map(|way| self.step(way, step, None)).collect(),
            };
        }
        ways
    }

    fn zero_rest(&mut self, root: &Way, leaves: &[Way], init: &Init, span: Span) {
        let mut named = HashSet::new();
        for item in &init.items {
            let units = self.string_units(item.value);
            for part in self.parts(root, &item.path) {
                if let (Some(units), Some(of)) = (&units, self.cx.build.element(part.ty)) {
                    for index in 0..units.len() as u64 {
                        let way = self.step(&part, InitStep::Element(index), Some(of));
                        named.insert(way.path);
                    }
                } else {
                    named.insert(part.path);
                }
            }
        }
        for leaf in leaves {
            let covered = (0..=leaf.path.len()).any(|n| named.contains(&leaf.path[..n]));
            if !covered {
                let zero = self.cx.build.zero(leaf.ty);
                self.set(leaf, zero, span);
            }
        }
    }

    /// Whether an item can be part of a static object.
    fn is_constant_item(&self, item: &InitItem) -> bool {
        self.string_units(item.value).is_some()
            || (self.cx.facts.is_constant(item.value) && self.is_scalar(self.ty(item.value)))
    }

    /// Copies a static object with the constant parts; returns which items it
    /// holds.
    fn copy_template(&mut self, root: &Way, init: &Init, span: Span) -> HashSet<usize> {
        let template = self.template(root.ty, span);
        let mut held = HashSet::new();
        let mut items = Vec::new();
        // A constant that replaces a value computed before it stays in order.
        let mut computed: HashSet<&[InitStep]> = HashSet::new();
        for (index, item) in init.items.iter().enumerate() {
            let replaces = (0..=item.path.len()).any(|n| computed.contains(&item.path[..n]));
            let ranges = item.path.iter().any(|step| matches!(step, InitStep::Elements(..)));
            if self.is_constant_item(item) && !replaces {
                self.constant_item(&template, item, &mut items);
                held.insert(index);
            } else {
                computed.insert(if ranges { &[] } else { &item.path });
            }
        }
        if let parallax_cfa::Base::Variable(variable) = template.base {
            self.cx.initials.push((variable, Initial::Items(items)));
        }
        let (to, from) = (self.place(root), self.place(&template));
        self.emit(Op::Copy { to, from }, span);
        held
    }

    /// A static object of zeros.
    pub(crate) fn zeros(&mut self, ty: Id<Type>, span: Span) -> Way {
        let template = self.template(ty, span);
        if let parallax_cfa::Base::Variable(variable) = template.base {
            self.cx.initials.push((variable, Initial::Items(Vec::new())));
        }
        template
    }

    fn template(&mut self, ty: Id<Type>, span: Span) -> Way {
        let variable = Variable {
            name: format!("$init{}", self.cx.initials.len()).into(),
            ty,
            storage: Storage::Static,
            owner: None,
            address_taken: false,
            read_only: true,
            size: self.cx.build.types.size_of(ty).unwrap_or(0),
            align: self.cx.build.types.align_of(ty),
            span,
        };
        let id = self.cx.add_variable(variable, Touch::NONE);
        self.cx.build.variable(id, ty, false)
    }

    /// Adds the scalars of a constant item to the contents of a static object.
    fn constant_item(&mut self, root: &Way, item: &InitItem, out: &mut Vec<InitialItem>) {
        for part in self.parts(root, &item.path) {
            for (way, value) in self.constants(&part, item.value) {
                let place = self.place(&way);
                out.push(InitialItem { place, value });
            }
        }
    }

    /// The constants that a string or scalar puts into a part.
    pub(crate) fn constants(&mut self, part: &Way, value: Id<Expr>) -> Vec<(Way, Value)> {
        let Some(units) = self.string_units(value) else {
            let here = self.graph.current.take();
            let value = self.rvalue(value);
            self.graph.current = here;
            return vec![(part.clone(), self.cx.build.coerce(value, part.ty))];
        };
        let (of, length) = match *self.cx.build.types.get(part.ty) {
            Type::Array { of, length: ArrayLength::Fixed(n) } => (of, n as usize),
            Type::Array { of, .. } => (of, units.len()),
            _ => return Vec::new(),
        };
        let mut all = Vec::new();
        for (index, unit) in units.iter().take(length).enumerate() {
            let way = self.step(part, InitStep::Element(index as u64), Some(of));
            all.push((way, self.cx.build.int(i128::from(*unit), of)));
        }
        all
    }

    /// The elements of a string literal, if that is what the value is.
    pub(crate) fn string_units(&self, value: Id<Expr>) -> Option<std::sync::Arc<[u32]>> {
        let ExprKind::Load(object) = &self.typed.exprs[value].kind else { return None };
        let ExprKind::Variable(variable) = &self.typed.exprs[*object].kind else { return None };
        self.typed.variables[*variable].units.clone()
    }

    fn initialize_item(&mut self, root: &Way, item: &InitItem, span: Span) {
        let parts = self.parts(root, &item.path);
        if self.string_units(item.value).is_some() {
            for part in parts {
                for (way, value) in self.constants(&part, item.value) {
                    self.set(&way, value, span);
                }
            }
            return;
        }
        let Some((first, others)) = parts.split_first() else { return };
        let span = self.span(item.value);
        if !self.is_scalar(first.ty) {
            self.record_into(item.value, first, span);
            for part in others {
                self.copy(part, first, span);
            }
            return;
        }
        let mut value = self.rvalue(item.value);
        if !others.is_empty() {
            value = self.save(value, span);
        }
        for part in &parts {
            self.set(part, value, span);
        }
    }
}
