//! What an answer takes for granted of arguments and of assumed routines, in
//! sentences.

use crate::syntax::{Abstraction, Procedure, System, Writes};
use crate::text::{meeting, pointee};
use parallax_cfa::{Program, Storage};

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
