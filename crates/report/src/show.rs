//! Programs as a readable listing and as a graph of their processes.

use std::fmt::Write;

use parallax_base::Id;
use parallax_ir::{Domain, Edge as Step, Process, Program, PropertyKind, Role, Variable};

use crate::escape::visible;
use crate::formula::Printer;
use crate::graph::{Edge, Graph, Node, NodeKind};

/// The program as a listing close to the modelling language: what the front
/// end made of it, families expanded and constants folded.
pub fn show_program(program: &Program) -> String {
    let mut out = String::new();
    write_program(&mut out, program).map_or_else(|_| String::new(), |()| out)
}

fn write_program(out: &mut String, program: &Program) -> std::fmt::Result {
    let mut printer = Printer::new(program, &program.store);
    writeln!(out, "model {};", visible(&program.name))?;
    let shared = program.variables.iter_enumerated().filter(|(_, v)| v.role == Role::Shared);
    let shared: Vec<_> = shared.map(|(id, _)| id).collect();
    if !shared.is_empty() {
        writeln!(out)?;
    }
    write_variables(out, program, &shared, "", &printer)?;
    for condition in printer.conjuncts(program.init.predicate) {
        writeln!(out, "init {condition};")?;
    }
    if !program.actions.is_empty() {
        let names: Vec<_> = program.actions.iter().map(|a| visible(&a.name)).collect();
        writeln!(out, "action {};", names.join(", "))?;
    }
    for (id, process) in program.processes.iter_enumerated() {
        writeln!(out)?;
        printer.enter(id);
        writeln!(out, "process {} {{", visible(&process.name))?;
        write_variables(out, program, printer.locals(id), "  ", &printer)?;
        write_process(out, program, process, &mut printer)?;
        writeln!(out, "}}")?;
    }
    let mut printer = Printer::new(program, &program.store);
    if !program.properties.is_empty() {
        writeln!(out)?;
    }
    for property in &program.properties {
        let (word, name) = (property.kind.word(), visible(&property.name));
        let tail = if property.implicit { "  // added by the front end" } else { "" };
        match property.kind {
            PropertyKind::DeadlockFree => writeln!(out, "{word} {name};{tail}")?,
            PropertyKind::Ltl => {
                let text = property.temporal.as_ref().map_or("", |t| &t.text);
                writeln!(out, "// {word} {}", visible(text))?;
            }
            PropertyKind::Invariant => {
                writeln!(out, "{word} {name}: {};{tail}", printer.negation(property.target))?;
            }
            PropertyKind::Unreachable | PropertyKind::Reachable => {
                writeln!(out, "{word} {name}: {};{tail}", printer.term(property.target))?;
            }
        }
    }
    Ok(())
}

fn write_variables(
    out: &mut String,
    program: &Program,
    list: &[Id<Variable>],
    indent: &str,
    printer: &Printer<'_>,
) -> std::fmt::Result {
    for &id in list {
        let (name, variable) = (printer.name(id), &program.variables[id]);
        let domain = domain(variable);
        let fixed = program.init.fixed.get(id.index()).and_then(Option::as_ref);
        match fixed.map(|value| variable.domain.show(value)) {
            Some(value) => writeln!(out, "{indent}var {name}: {domain} = {};", visible(&value))?,
            None => writeln!(out, "{indent}var {name}: {domain};")?,
        }
    }
    Ok(())
}

fn domain(variable: &Variable) -> String {
    match &variable.domain {
        Domain::Bool => String::from("bool"),
        Domain::Int => String::from("int"),
        Domain::Real => String::from("real"),
        Domain::Range(low, high) => format!("{low}..={high}"),
        Domain::Enum(names) => {
            let names: Vec<_> = names.iter().map(|n| visible(n)).collect();
            format!("{{{}}}", names.join(", "))
        }
        Domain::Bv(width) => format!("bits {width}"),
        Domain::Float(_) | Domain::Array(..) => variable.domain.sort().to_string(),
    }
}

fn write_process(
    out: &mut String,
    program: &Program,
    process: &Process,
    printer: &mut Printer<'_>,
) -> std::fmt::Result {
    if process.locations.len() > 1 {
        // The first location is the initial one, as in the language.
        let mut order: Vec<_> = process.locations.iter_enumerated().collect();
        let starts_final = process.locations[process.initial].is_final;
        order.sort_by_key(|(id, l)| (l.is_final != starts_final, *id != process.initial));
        for group in order.chunk_by(|a, b| a.1.is_final == b.1.is_final) {
            let names: Vec<_> = group.iter().map(|(_, l)| visible(&l.name)).collect();
            let word = if group[0].1.is_final { "final" } else { "location" };
            writeln!(out, "  {word} {};", names.join(", "))?;
        }
    }
    for edge in &process.edges {
        let mut line = format!("  {}:", visible(&edge.name));
        if let Some(action) = edge.action {
            write!(line, " [{}]", visible(&program.actions[action].name))?;
        }
        if process.locations.len() > 1 {
            let name = |l| visible(&process.locations[l].name);
            write!(line, " {} -> {}", name(edge.source), name(edge.target))?;
        }
        let (guard, updates) = (guard(edge, printer), printer.updates(edge));
        if let Some(guard) = guard {
            write!(line, " when {guard}")?;
        }
        if !updates.is_empty() {
            // Long updates get a line each.
            let flat = updates.join(", ");
            if line.len() + flat.len() < 100 {
                write!(line, " do {flat}")?;
            } else {
                write!(line, "\n    do {}", updates.join(",\n       "))?;
            }
        }
        writeln!(out, "{line};")?;
    }
    Ok(())
}

/// The guard, unless it is `true`.
fn guard(edge: &Step, printer: &mut Printer<'_>) -> Option<String> {
    let parts = printer.conjuncts(edge.guard);
    (!parts.is_empty()).then(|| parts.join(" && "))
}

/// The processes as graphs, one cluster each: locations are nodes, commands
/// are edges with guard and update.
pub fn program_graph(program: &Program) -> Graph {
    let mut printer = Printer::new(program, &program.store);
    let mut graph = Graph { title: program.name.clone(), ..Graph::default() };
    for (id, process) in program.processes.iter_enumerated() {
        let group = id.index();
        printer.enter(id);
        let base = graph.nodes.len();
        graph.groups.push(process.name.to_string());
        for (id, location) in process.locations.iter_enumerated() {
            // The only location of a process without locations has no name.
            let alone = process.locations.len() == 1;
            let name = if alone { String::from("●") } else { location.name.to_string() };
            graph.nodes.push(Node {
                lines: vec![name],
                kind: if location.is_final { NodeKind::Final } else { NodeKind::Normal },
                initial: id == process.initial,
                group: Some(group),
            });
        }
        for edge in &process.edges {
            let mut lines = vec![edge.name.to_string()];
            if let Some(action) = edge.action {
                let name = &program.actions[action].name;
                lines[0] = format!("{} [{name}]", lines[0]);
            }
            lines.extend(guard(edge, &mut printer).map(|g| format!("when {g}")));
            let updates = printer.updates(edge);
            if !updates.is_empty() {
                lines.push(format!("do {}", updates.join(", ")));
            }
            let (from, to) = (base + edge.source.index(), base + edge.target.index());
            graph.edges.push(Edge::new(from, to, lines.join("\n")));
        }
    }
    graph
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::ticket;

    #[test]
    fn a_listing() {
        insta::assert_snapshot!(show_program(&ticket()), @"
        model ticket;

        var t: int = 0;
        var s: int;
        var phase: {idle, busy} = idle;
        init t >= s;
        action tick;

        process P[0] {
          var mine: int = 0;
          final idle;
          location waiting, critical;
          take: idle -> waiting do mine := t, t := t + 1;
          enter: waiting -> critical when s >= mine;
          leave: critical -> idle do s := s + 1;
          tick: [tick] idle -> idle do phase := any;
        }

        process P[1] {
          var mine: int = 0;
          final idle;
          location waiting, critical;
          take: idle -> waiting do mine := t, t := t + 1;
          enter: waiting -> critical when s >= mine;
          leave: critical -> idle do s := s + 1;
          tick: [tick] idle -> idle;
        }

        invariant mutex: !(P[0]@critical && P[1]@critical);
        reachable both: P[0]@critical && P[1]@critical;
        deadlock_free deadlock_free;  // added by the front end
        ");
    }

    #[test]
    fn a_graph_of_processes() {
        insta::assert_snapshot!(crate::to_text(&program_graph(&ticket())), @"
        ticket
        P[0]:
          [0] idle  (initial, final)
              -- take; do mine := t, t := t + 1 -> [1]
              -- tick [tick]; do phase := any -> [0]
          [1] waiting
              -- enter; when s >= mine -> [2]
          [2] critical
              -- leave; do s := s + 1 -> [0]
        P[1]:
          [3] idle  (initial, final)
              -- take; do mine := t, t := t + 1 -> [4]
              -- tick [tick] -> [3]
          [4] waiting
              -- enter; when s >= mine -> [5]
          [5] critical
              -- leave; do s := s + 1 -> [3]
        ");
    }
}
