//! Makes any function an error function, and any label an error.
//!
//! The front end knows the usual error functions by their names. For another
//! one, its body gives way to an error, so that direct calls and calls through
//! pointers are noticed alike. What follows a label gives way to an error too:
//! an operation stays where it is through every pass over the program, a label
//! does not.

use parallax_base::Span;
use parallax_cfa::{CProperty, Callee, Edge, Location, Op, Program};

/// Error functions of the front end.
const KNOWN: [&str; 3] = ["reach_error", "__VERIFIER_error", "__assert_fail"];

/// Whether calls of a function are errors anyway.
pub(crate) fn is_error(name: &str) -> bool {
    KNOWN.contains(&name)
}

/// Turns calls of the function into errors. Returns whether every call is
/// noticed: a function that the front end replaces by its meaning leaves no
/// calls behind.
pub(crate) fn call(program: &mut Program, name: &str) -> bool {
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
        let place = |span: Span| Location::at(span);
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

/// Turns arrival at a label of this name, in any function, into an error.
pub(crate) fn label(program: &mut Program, name: &str) {
    let text = CProperty::Label(name.into()).error_text();
    for id in program.functions.ids() {
        let function = &mut program.functions[id];
        let is_named = |at: &Location| at.label.as_deref() == Some(name);
        if !function.locations.iter().any(is_named) {
            continue;
        }
        let exit = function.exit;
        let (mut edges, mut noticed) = (Vec::new(), Vec::new());
        for edge in &function.edges {
            if !is_named(&function.locations[edge.source]) {
                edges.push(edge.clone());
            } else if !noticed.contains(&edge.source) {
                noticed.push(edge.source);
                let op = Op::Error(text.clone());
                let span = function.locations[edge.source].span;
                edges.push(Edge { source: edge.source, target: exit, op, span, branch: None });
            }
        }
        function.edges = edges.into_iter().collect();
    }
}
