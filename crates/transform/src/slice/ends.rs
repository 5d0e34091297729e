//! Which functions may not return, and why.
//!
//! A call of such a function is a place where a run may end, which decides about
//! all that follows.

use crate::dependence::{Way, is_final};
use parallax_base::Id;
use parallax_cfa::{Callee, Function, Graph, Op, Program};

/// How the calls of each function may end but by a return.
pub(super) struct Ends {
    ways: Vec<Way>,
}

impl Ends {
    /// How an operation may end, if it is a call.
    pub(super) fn of(&self, op: &Op) -> Way {
        match op {
            Op::Call { callee: Callee::Direct(f), .. } => self.ways[f.index()],
            _ => Way::On,
        }
    }
}

/// How these functions, and all that they call, may end.
pub(super) fn ends(program: &Program, functions: &[Id<Function>]) -> Ends {
    let mut ways = vec![Way::On; program.functions.len()];
    let mut callers: Vec<Vec<Id<Function>>> = vec![Vec::new(); program.functions.len()];
    for &id in functions {
        let function = &program.functions[id];
        ways[id.index()] = own(function);
        for edge in &function.edges {
            if let Op::Call { callee: Callee::Direct(f), .. } = edge.op {
                callers[f.index()].push(id);
            }
        }
    }
    let mut work: Vec<Id<Function>> = functions.to_vec();
    while let Some(id) = work.pop() {
        let way = ways[id.index()];
        for caller in &callers[id.index()] {
            let old = ways[caller.index()];
            if way > old {
                ways[caller.index()] = way;
                work.push(*caller);
            }
        }
    }
    Ends { ways }
}

/// How a function may end by what stands in it.
fn own(function: &Function) -> Way {
    let graph = Graph::new(function);
    let mut way = Way::On;
    // Who returns or ends, and all that comes there.
    let mut seen = vec![false; function.locations.len()];
    let mut back = Vec::new();
    for at in graph.order() {
        let leaving = graph.leaving(*at);
        let is_exit = *at == function.exit;
        let halts = leaving.iter().any(|e| matches!(function.edges[*e].op, Op::Halt(_)));
        let fails = leaving.iter().any(|e| is_final(&function.edges[*e].op));
        if halts || leaving.is_empty() && !is_exit && !comes_from_end(function, &graph, *at) {
            way = Way::Halts;
        } else if fails {
            way = way.max(Way::Fails);
        }
        if is_exit || halts || leaving.is_empty() {
            back.push(*at);
        }
    }
    while let Some(at) = back.pop() {
        if !std::mem::replace(&mut seen[at.index()], true) {
            back.extend(graph.entering(at).iter().map(|e| function.edges[*e].source));
        }
    }
    // A loop without an end.
    match graph.order().iter().any(|at| graph.is_loop_head(*at) && !seen[at.index()]) {
        true => Way::Halts,
        false => way,
    }
}

/// Whether only edges that end the run lead to a location.
fn comes_from_end(function: &Function, graph: &Graph, at: Id<parallax_cfa::Location>) -> bool {
    graph.entering(at).iter().all(|e| is_final(&function.edges[*e].op))
}
