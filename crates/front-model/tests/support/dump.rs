//! Programs as text.

use parallax_ir::{Program, Role};
use std::fmt::Write;

/// Variables, edges and properties of a program, one per line.
pub(crate) fn program(p: &Program) -> String {
    let mut out = format!("program {}\n", p.name);
    for (variable, fixed) in p.variables.iter().zip(&p.init.fixed) {
        let role = match variable.role {
            Role::Shared => "shared",
            Role::Local(_) => "local",
            Role::Control(_) => continue,
        };
        let domain = match &variable.domain {
            parallax_ir::Domain::Range(low, high) => format!("{low}..={high}"),
            parallax_ir::Domain::Enum(names) => format!("{{{}}}", names.join(", ")),
            other => format!("{other:?}").to_lowercase(),
        };
        let init = fixed.as_ref().map_or("any".to_owned(), |v| variable.domain.show(v));
        let _ = writeln!(out, "{role} {}: {domain} = {init}", variable.name);
    }
    if !p.store.is_true(p.init.predicate) {
        let _ = writeln!(out, "init {}", p.store.infix(p.init.predicate));
    }
    for process in &p.processes {
        let locations: Vec<String> = process
            .locations
            .iter()
            .map(|l| format!("{}{}", l.name, if l.is_final { "!" } else { "" }))
            .collect();
        let _ = writeln!(out, "process {} ({})", process.name, locations.join(" "));
        for edge in &process.edges {
            let (from, to) = (&process.locations[edge.source], &process.locations[edge.target]);
            let _ = write!(out, "  {}: ", edge.name);
            if let Some(action) = edge.action {
                let _ = write!(out, "[{}] ", p.actions[action].name);
            }
            let _ = write!(out, "{} -> {} when {}", from.name, to.name, p.store.infix(edge.guard));
            for input in &edge.inputs {
                let show =
                    |t: Option<parallax_term::Term>| t.map_or(String::new(), |t| p.store.infix(t));
                let name = p.store.infix(input.term);
                let _ = write!(out, " any {name} in {}..={}", show(input.low), show(input.high));
                assert!(name.starts_with(&*input.name), "{name} is chosen for {}", input.name);
            }
            for (i, update) in edge.updates.iter().enumerate() {
                let lead = if i == 0 { " do" } else { "," };
                let variable = &p.variables[update.variable].name;
                let _ = write!(out, "{lead} {variable} := {}", p.store.infix(update.value));
            }
            out.push('\n');
        }
    }
    for property in &p.properties {
        let mark = if property.implicit { " (implicit)" } else { "" };
        let (word, target) = (property.kind.word(), p.store.infix(property.target));
        let _ = writeln!(out, "{word} {}{mark}: reach {target}", property.name);
    }
    out
}
