//! What an answer takes for granted of arguments and of assumed routines, in
//! sentences.

use crate::syntax::{Abstraction, Procedure, Signature, System, Writes};
use crate::text::{meeting, pointee};
use parallax_base::Id;
use parallax_cfa::{Program, Storage, Type, Types};
use std::collections::BTreeSet;

/// Names of a list that are written out.
const NAMES: usize = 4;

impl System {
    /// The sentences about a procedure. `called` are the assumed routines that
    /// it calls.
    pub(crate) fn assumes(
        &self,
        procedure: &Procedure,
        called: &[&Abstraction],
        program: &Program,
    ) -> Vec<String> {
        let mut found = vec!["no undefined behavior; overflow wraps".to_owned()];
        let signature = &procedure.signature;
        let name = &signature.name;
        let kinds: Vec<String> =
            signature.parameters.iter().filter_map(|(text, _)| pointee(text)).collect();
        if let Some(first) = kinds.first() {
            found.push(format!(
                "pointers that `{name}` is given are not null and lead to no static object"
            ));
            if procedure.distinct && !meeting(signature).is_empty() {
                found.push(format!("pointers that `{name}` is given lead to different objects"));
            } else if kinds.iter().any(|kind| kind != first) {
                found.push(format!(
                    "pointers of different types that `{name}` is given lead to different objects"
                ));
            }
        }
        if gives_inner_pointers(program, signature) {
            found.push(format!(
                "pointers in what `{name}` is given lead to none of the objects it is given and \
                 to no static object"
            ));
        }
        let is_defined = |assumed: &Abstraction| {
            program.functions.iter().any(|f| *f.name == *assumed.signature.name && f.is_defined)
        };
        let outside = || called.iter().copied().filter(|assumed| !is_defined(assumed));
        let silent = outside().filter(|assumed| {
            let has_pointer = |(text, _): &(String, String)| pointee(text).is_some();
            self.writes_of(assumed) == Writes::Nothing
                && assumed.signature.parameters.iter().any(has_pointer)
        });
        if let Some(names) = list(silent) {
            found.push(format!("{names}: nothing is written through arguments"));
        }
        let is_static = |storage| matches!(storage, Storage::Static | Storage::Thread);
        let has_statics = program.variables.iter().any(|v| is_static(v.storage) && !v.read_only);
        if let Some(names) = list(outside()).filter(|_| has_statics) {
            found.push(format!("{names}: no static object is changed that was not given"));
        }
        found
    }
}

/// Whether a routine is given pointers besides those that its declaration shows:
/// in objects that it is given, or under a name for a pointer type. They have any
/// value, and memory of their own behind them.
fn gives_inner_pointers(program: &Program, signature: &Signature) -> bool {
    let Some(function) = program.functions.iter().find(|f| *f.name == *signature.name) else {
        return false;
    };
    let types = &program.types;
    let given = signature.parameters.iter().zip(&function.parameters);
    given.map(|((text, _), id)| (text, program.variables[*id].ty)).any(|(text, ty)| {
        let shown = pointee(text).and_then(|_| types.pointee(ty));
        holds_pointers(types, shown.unwrap_or(ty))
    })
}

/// Whether a value of a type has pointers to objects in it.
fn holds_pointers(types: &Types, ty: Id<Type>) -> bool {
    let (mut open, mut seen) = (vec![ty], BTreeSet::new());
    while let Some(ty) = open.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match types.get(ty) {
            Type::Pointer { to, .. } if !matches!(types.get(*to), Type::Function(_)) => {
                return true;
            }
            Type::Array { of, .. } => open.push(*of),
            Type::Record(record) => {
                open.extend(types.records[*record].members.iter().map(|m| m.ty))
            }
            _ => {}
        }
    }
    false
}

/// The names of routines, the first ones written out.
fn list<'a>(routines: impl Iterator<Item = &'a Abstraction>) -> Option<String> {
    let all: Vec<String> = routines.map(|r| format!("`{}`", r.signature.name)).collect();
    let shown = all.iter().take(NAMES).cloned().collect::<Vec<_>>().join(", ");
    match all.len() {
        0 => None,
        count if count > NAMES => Some(format!("{shown} and {} more", count - NAMES)),
        _ => Some(shown),
    }
}
