//! One type for what several units declare alike.
//!
//! Each unit makes its own records and enumerations, although a header gave
//! them the same text. After all units are checked, records that agree in tag
//! (or have none), layout and member types become one, and so do incomplete
//! ones with the complete one of their tag. Equality is the coarsest partition
//! that the members' types respect, found by refinement: all records of one tag
//! and shape start in one class, and a class is split where the types of
//! members fall into different classes.

use super::Checker;
use crate::typed::{ExprKind, Init, InitStep, StmtKind};
use parallax_base::Id;
use parallax_cfa::{Enumeration, FunctionType, Record, Type, Types};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The tag of a record.
type Tag = Option<Arc<str>>;

/// Which record, enumeration and type each one becomes.
struct Map {
    records: Vec<Id<Record>>,
    enumerations: Vec<Id<Enumeration>>,
    types: Vec<Id<Type>>,
}

impl Map {
    fn ty(&self, id: &mut Id<Type>) {
        *id = self.types[id.index()];
    }

    fn record(&self, id: &mut Id<Record>) {
        *id = self.records[id.index()];
    }

    fn init(&self, init: &mut Init) {
        for step in init.items.iter_mut().flat_map(|item| &mut item.path) {
            if let InitStep::Member(record, _) = step {
                self.record(record);
            }
        }
    }

    /// The type with all its parts replaced. Parts are older than the whole.
    fn replaced(&self, ty: &Type) -> Type {
        let mapped = |id: &Id<Type>| self.types[id.index()];
        match ty {
            Type::Record(record) => Type::Record(self.records[record.index()]),
            Type::Enum(e) => Type::Enum(self.enumerations[e.index()]),
            Type::Pointer { to, qualifiers } => {
                Type::Pointer { to: mapped(to), qualifiers: *qualifiers }
            }
            Type::Array { of, length } => Type::Array { of: mapped(of), length: *length },
            Type::Function(function) => Type::Function(FunctionType {
                result: mapped(&function.result),
                parameters: function.parameters.iter().map(mapped).collect(),
                ..*function
            }),
            other => other.clone(),
        }
    }

    /// Computes the types that follow from the records and enumerations.
    fn follow(&mut self, types: &mut Types) {
        self.types.clear();
        // Replacing may make types that were not there; they map to themselves
        // and are never asked for.
        let count = types.len();
        for index in 0..count {
            let replaced = self.replaced(types.get(Id::new(index)));
            self.types.push(types.intern(replaced));
        }
    }
}

impl Checker<'_> {
    /// Makes one record of those that several units declare alike.
    pub(super) fn unify_units(&mut self) {
        let types = &mut self.out.types;
        let mut map = Map {
            records: types.records.ids().collect(),
            enumerations: unified_enumerations(types),
            types: Vec::new(),
        };
        map.follow(types);
        let mut classes = 0;
        loop {
            // The first round assumes that the types of members agree.
            let (records, found) = partition(types, &map, classes > 0);
            let stable = found == classes;
            (map.records, classes) = (records, found);
            map.follow(types);
            if stable {
                break;
            }
        }
        self.rewrite(&map);
    }

    fn rewrite(&mut self, map: &Map) {
        let out = &mut self.out;
        for id in out.types.records.ids() {
            out.types.records[id].members.iter_mut().for_each(|member| map.ty(&mut member.ty));
        }
        for id in out.exprs.ids() {
            let expr = &mut out.exprs[id];
            map.ty(&mut expr.ty);
            match &mut expr.kind {
                ExprKind::Member { of, .. } => map.record(of),
                ExprKind::AssignOp { computed, .. } => map.ty(computed),
                ExprKind::SizeOf(ty) => map.ty(ty),
                ExprKind::CompoundLiteral(_, init) => map.init(init),
                _ => {}
            }
        }
        for id in out.stmts.ids() {
            if let StmtKind::Declare(_, Some(init)) = &mut out.stmts[id].kind {
                map.init(init);
            }
        }
        for id in out.variables.ids() {
            let variable = &mut out.variables[id];
            map.ty(&mut variable.ty);
            variable.init.iter_mut().for_each(|init| map.init(init));
        }
        for id in out.functions.ids() {
            map.ty(&mut out.functions[id].ty);
        }
    }
}

fn unified_enumerations(types: &Types) -> Vec<Id<Enumeration>> {
    let mut first = BTreeMap::new();
    let all = types.enumerations.iter_enumerated();
    all.map(|(id, e)| {
        let shape = (e.name.clone(), e.underlying, e.constants.clone());
        *first.entry(shape).or_insert(id)
    })
    .collect()
}

/// The first record of each class, by record, and the number of classes.
fn partition(types: &Types, map: &Map, with_types: bool) -> (Vec<Id<Record>>, usize) {
    let mut first = BTreeMap::new();
    let mut complete: BTreeMap<(Tag, bool), Vec<Id<Record>>> = BTreeMap::new();
    let mut result: Vec<Id<Record>> = Vec::with_capacity(types.records.len());
    for (id, record) in types.records.iter_enumerated() {
        if !record.is_complete {
            result.push(id);
            continue;
        }
        let members: Vec<_> = record
            .members
            .iter()
            .map(|m| {
                let ty = with_types.then(|| map.types[m.ty.index()]);
                (m.name.clone(), m.offset, m.bits, m.qualifiers, ty)
            })
            .collect();
        let tag = || record.name.clone();
        let shape = (tag(), record.is_union, record.size, record.align, members);
        let of_class = *first.entry(shape).or_insert(id);
        let known = complete.entry((tag(), record.is_union)).or_default();
        if !known.contains(&of_class) {
            known.push(of_class);
        }
        result.push(of_class);
    }
    // An incomplete record is the complete one of its tag, if there is just one.
    let mut open = BTreeMap::new();
    for (id, record) in types.records.iter_enumerated().filter(|(_, r)| !r.is_complete) {
        let own = (record.name.clone(), record.is_union);
        result[id.index()] = match complete.get(&own).map(Vec::as_slice) {
            Some([only]) => *only,
            _ => *open.entry(own).or_insert(id),
        };
    }
    let classes = result.iter().enumerate().filter(|(at, id)| *at == id.index()).count();
    (result, classes)
}
