//! Proofs as text: how the search got there, and what the certificate says.

use std::fmt::Write;

use parallax_evidence::{
    Certificate, CertificateKind, ClosedSet, Descent, Finding, Movers, Outcome, Quantified,
    RankedNode, Ranking, Reduced, Region, Unrolling,
};
use parallax_ir::{Program, Property};

use crate::escape::{clip, visible};
use crate::formula::Printer;
use crate::history::write_rounds;
use crate::ltl::owed;
use crate::run::{count, evidence_summary, telling, title};
use crate::state::{assignment, state_values};

/// Characters of a line that holds a formula.
const LINE: usize = 600;

/// The proof of a property: predicates, refinement history, prefix and
/// fragment, or all paths. Of each list at most `max_items` items are shown. Empty if the
/// outcome is not a proof.
pub fn render_proof(
    program: &Program,
    property: &Property,
    outcome: &Outcome,
    max_items: usize,
) -> String {
    let Finding::Proved(certificate) = &outcome.finding else { return String::new() };
    let mut out = String::new();
    write_proof(&mut out, program, property, outcome, certificate, max_items)
        .map_or_else(|_| String::new(), |()| out)
}

fn write_proof(
    out: &mut String,
    program: &Program,
    property: &Property,
    outcome: &Outcome,
    certificate: &Certificate,
    max_items: usize,
) -> std::fmt::Result {
    // Of a goal it is shown that it cannot be reached.
    let what = if property.kind.wants_target() { "refutation" } else { "proof" };
    let name = visible(title(property));
    writeln!(out, "{what} of {name}: {}", evidence_summary(&outcome.finding))?;

    if !outcome.history.is_empty() {
        writeln!(out, "refinement:")?;
        write_rounds(out, &outcome.history, max_items)?;
    }
    if let Some(system) = outcome.abstraction.as_ref().filter(|s| !s.predicates.is_empty()) {
        let mut printer = Printer::new(program, &system.store);
        writeln!(out, "predicates:")?;
        list(out, system.predicates.len(), max_items, |i| {
            format!("p{}: {}", i + 1, clip(&printer.term(system.predicates[i]), LINE))
        })?;
    }
    match certificate {
        Certificate::Closed(set) => write_set(out, program, set, max_items),
        Certificate::Reduced(reduced) => write_reduced(out, program, reduced, max_items),
        Certificate::Quantified(set) => write_quantified(out, program, property, set, max_items),
        Certificate::Unrolling(tree) => write_paths(out, program, tree, max_items),
        Certificate::Ranking(ranking) => write_ranking(out, program, property, ranking, max_items),
        Certificate::Descent(descent) => write_descent(out, program, property, descent, max_items),
    }
}

/// What runs that break the formula would owe in which state, by rank.
fn write_ranking(
    out: &mut String,
    program: &Program,
    property: &Property,
    ranking: &Ranking,
    max_items: usize,
) -> std::fmt::Result {
    let part = owed(property);
    let ranks = count(ranking.blamed.len(), "rank");
    writeln!(out, "what a run that breaks it would owe: {ranks}, which never grow:")?;
    let mut members: Vec<Vec<&RankedNode>> = vec![Vec::new(); ranking.blamed.len()];
    for node in &ranking.nodes {
        if let Some(list) = members.get_mut(node.rank as usize) {
            list.push(node);
        }
    }
    // The largest rank first: that is where runs begin.
    let order: Vec<usize> = (0..members.len()).rev().collect();
    list(out, order.len(), max_items, |i| {
        let rank = order[i];
        let blame = match &ranking.blamed[rank] {
            Some(until) => format!("puts off {}", part(until)),
            None => String::from("is left at once"),
        };
        let mut lines =
            vec![format!("rank {rank}, {}, {blame}:", count(members[rank].len(), "pair"))];
        for node in members[rank].iter().take(max_items) {
            let state = ranking.states.get(node.state as usize);
            let state = state.map_or_else(String::new, |s| state_values(program, s).join(", "));
            let owes = ranking.obligations.get(node.obligations as usize);
            let owes: Vec<String> = owes.iter().flat_map(|set| set.iter().map(&part)).collect();
            let owes = if owes.is_empty() { String::from("nothing") } else { owes.join(", ") };
            lines.push(format!("    {} owes {}", clip(&state, LINE), clip(&visible(&owes), LINE)));
        }
        if members[rank].len() > max_items {
            lines.push(format!("    ... and {} more", members[rank].len() - max_items));
        }
        lines.join("\n")
    })
}

/// What runs that break the formula would owe where, and what falls on the way.
fn write_descent(
    out: &mut String,
    program: &Program,
    property: &Property,
    descent: &Descent,
    max_items: usize,
) -> std::fmt::Result {
    let part = owed(property);
    let mut printer = Printer::new(program, &descent.store);
    let columns = telling(descent);
    writeln!(out, "what a run that breaks it would owe, and what falls on the way:")?;
    list(out, descent.nodes.len(), max_items, |i| {
        let node = &descent.nodes[i];
        let owes = descent.obligations.get(node.obligations as usize);
        let owes: Vec<String> = owes.iter().flat_map(|set| set.iter().map(&part)).collect();
        let owes = if owes.is_empty() { String::from("nothing") } else { owes.join(", ") };
        let measure: Vec<String> =
            columns.iter().map(|&column| printer.term(node.measure[column])).collect();
        let mut text = clip(&region(program, &mut printer, &node.region), LINE).into_owned();
        text += &format!(" owes {}", clip(&visible(&owes), LINE));
        text += &format!("\n    measure ({})", clip(&measure.join(", "), LINE));
        if let Some(until) = &node.blamed {
            text += &format!(", may put off {}", visible(&part(until)));
        }
        text
    })
}

fn write_set(
    out: &mut String,
    program: &Program,
    certificate: &ClosedSet,
    max_items: usize,
) -> std::fmt::Result {
    let mut printer = Printer::new(program, &certificate.store);
    let all = certificate.kind() == CertificateKind::Enumeration;
    if !certificate.points.is_empty() {
        let points = count(certificate.points.len(), "state");
        let tail = if all { "all that can be reached" } else { "passed before the fragment" };
        writeln!(out, "{points}, {tail}:")?;
        list(out, certificate.points.len(), max_items, |i| {
            let values = state_values(program, &certificate.points[i]).join(", ");
            clip(&values, LINE).into_owned()
        })?;
    }
    for (regions, letter, tail) in [
        (
            &certificate.prefix,
            's',
            if all { "symbolic" } else { "symbolic, passed before the fragment" },
        ),
        (&certificate.fragment, 'r', "closed under every step, free of the target"),
    ] {
        if regions.is_empty() {
            continue;
        }
        writeln!(out, "{}, {tail}:", count(regions.len(), "region"))?;
        list(out, regions.len(), max_items, |i| {
            let text = region(program, &mut printer, &regions[i]);
            format!("{letter}{}: {}", i + 1, clip(&text, LINE))
        })?;
    }
    Ok(())
}

/// The states of a reduced set, each with those who move from it.
fn write_reduced(
    out: &mut String,
    program: &Program,
    reduced: &Reduced,
    max_items: usize,
) -> std::fmt::Result {
    let set = &reduced.set;
    let mut printer = Printer::new(program, &set.store);
    let who = |movers: Option<&Movers>| match movers.and_then(|m| m.processes.as_deref()) {
        None => String::from("all move"),
        Some(processes) => {
            let name = |&p: &u32| program.processes.as_slice().get(p as usize).map(|p| &*p.name);
            let names: Vec<&str> = processes.iter().filter_map(name).collect();
            format!("only {} moves", names.join(", "))
        }
    };
    if !set.points.is_empty() {
        let points = count(set.points.len(), "state");
        writeln!(out, "{points}, closed under the steps of those who move:")?;
        list(out, set.points.len(), max_items, |i| {
            let values = state_values(program, &set.points[i]).join(", ");
            format!("{}; {}", clip(&values, LINE), visible(&who(reduced.points.get(i))))
        })?;
    }
    if !set.fragment.is_empty() {
        let regions = count(set.fragment.len(), "region");
        writeln!(out, "{regions}, closed under the steps of those who move:")?;
        list(out, set.fragment.len(), max_items, |i| {
            let text = region(program, &mut printer, &set.fragment[i]);
            let who = who(reduced.fragment.get(i));
            format!("r{}: {}; {}", i + 1, clip(&text, LINE), visible(&who))
        })?;
    }
    Ok(())
}

/// The constants, what picks them, and the states that are never left whatever they
/// are.
fn write_quantified(
    out: &mut String,
    program: &Program,
    property: &Property,
    quantified: &Quantified,
    max_items: usize,
) -> std::fmt::Result {
    let asked = program.property(&property.name);
    let Some(wide) = asked.and_then(|id| quantified.program(program, id).ok()) else {
        return Ok(());
    };
    let mut printer = Printer::new(&wide, &quantified.set.store);
    let transitions = program.transitions(&mut quantified.set.store.clone());
    let names: Vec<String> = quantified.constants.iter().map(|&c| printer.term(c)).collect();
    writeln!(out, "for all {}; an error picks:", visible(&names.join(", ")))?;
    list(out, quantified.picks.len(), max_items, |i| {
        let pick = &quantified.picks[i];
        let name = transitions.get(pick.transition as usize).map_or("?", |t| t.name.as_str());
        let values = pick.values.iter().zip(&names);
        let values: Vec<String> =
            values.map(|(&v, name)| format!("{name} = {}", printer.term(v))).collect();
        format!("{}: {}", visible(name), clip(&values.join(", "), LINE))
    })?;
    write_set(out, &wide, &quantified.set, max_items)
}

/// All paths of a tree, each on a line; a transition that is taken several
/// times in a row is written once.
fn write_paths(
    out: &mut String,
    program: &Program,
    tree: &Unrolling,
    max_items: usize,
) -> std::fmt::Result {
    let transitions = program.transitions(&mut program.store.clone());
    let leaves = tree.leaves();
    let claim = match tree.movers.is_empty() {
        true => "which no run leaves",
        false => "one for all orders of steps that end alike",
    };
    writeln!(out, "{}, {claim}, free of the target:", count(leaves.len(), "path"))?;
    list(out, leaves.len(), max_items, |i| {
        let path = tree.path(leaves[i]);
        let part = |steps: &[usize]| {
            let name = transitions.get(steps[0]).map_or("?", |t| t.name.as_str());
            match steps.len() {
                1 => visible(name).into_owned(),
                times => format!("{} ({times} times)", visible(name)),
            }
        };
        match path.is_empty() {
            true => String::from("no step"),
            false => {
                let parts: Vec<String> = path.chunk_by(|a, b| a == b).map(part).collect();
                clip(&parts.join("; "), LINE).into_owned()
            }
        }
    })
}

/// An indented list that stops at a limit and says so.
fn list(
    out: &mut String,
    len: usize,
    max: usize,
    mut item: impl FnMut(usize) -> String,
) -> std::fmt::Result {
    for i in 0..len.min(max) {
        writeln!(out, "  {}", item(i))?;
    }
    if len > max {
        writeln!(out, "  ... and {} more", len - max)?;
    }
    Ok(())
}

/// A region on one line: fixed values, then the formula.
fn region(program: &Program, printer: &mut Printer<'_>, region: &Region) -> String {
    let fixed = region.fixed.iter().filter_map(|(id, value)| {
        let variable = program.variables.get(*id)?;
        assignment(program, variable, value)
    });
    let fixed: Vec<String> = fixed.collect();
    let parts = printer.conjuncts(region.formula);
    match (fixed.is_empty(), parts.is_empty()) {
        (true, true) => String::from("true"),
        (false, true) => fixed.join(", "),
        (true, false) => parts.join(" && "),
        (false, false) => format!("{}: {}", fixed.join(", "), parts.join(" && ")),
    }
}
