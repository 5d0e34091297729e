//! Makes any function an error function.
//!
//! The front end knows the usual error functions by their names. For another
//! one, its body gives way to an error, so that direct calls and calls through
//! pointers are noticed alike.

use parallax_base::Span;
use parallax_cfa::{Callee, Edge, Location, Op, Program};

/// Error functions of the front end.
const KNOWN: [&str; 3] = ["reach_error", "__VERIFIER_error", "__assert_fail"];

/// Turns calls of the function into errors. Returns whether every call is
/// noticed: a function that the front end replaces by its meaning leaves no
/// calls behind.
pub(crate) fn forbid(program: &mut Program, name: &str) -> bool {
    if KNOWN.contains(&name) {
        return true;
    }
    let found = program.functions.iter_enumerated().find(|(_, f)| *f.name == *name);
    let Some((id, _)) = found else { return false };
    let is_called = program.functions.iter().any(|f| {
        let calls = |e: &Edge| match &e.op {
            Op::Call { callee: Callee::Direct(callee), .. } => *callee == id,
            Op::Error(text) => **text == *name,
            _ => false,
        };
        f.edges.iter().any(calls)
    });
    let function = &mut program.functions[id];
    if !function.is_defined && !is_called {
        return false;
    }
    if !function.is_defined {
        let place = |span: Span| Location { label: None, span, loop_head: None };
        function.entry = function.locations.push(place(function.span));
        function.exit = function.locations.push(place(function.span));
        function.is_defined = true;
    }
    let edge = Edge {
        source: function.entry,
        target: function.exit,
        op: Op::Error(name.into()),
        span: function.span,
        branch: None,
    };
    function.edges = [edge].into_iter().collect();
    true
}
