//! What a page about a check shows besides the object of `--json`: the source, invariants
//! at its lines, control flow, and where locations are.

use crate::{Answer, Checked, Task};
use parallax_base::{SourceFile, SourceMap, Span};
use parallax_evidence::{Certificate, ClosedSet, Finding};
use parallax_ir::Role;
use parallax_report::{
    Page, PageGraph, PageInvariant, PagePlace, Printer, abstract_graph, cfa_page_graph, page_place,
    process_page_graph,
};
use parallax_task::SPLICED;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Graphs with more nodes are not drawn.
const NODES: usize = 20_000;

/// The page about a check, given the object of `--json` with details.
pub fn check_page(command: &str, task: &Task, checked: &Checked, object: Json) -> Page {
    let mut page = Page {
        command: command.to_owned(),
        title: task.program.name.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        object,
        sources: task.sources.files().filter(|file| is_own(file)).map(text_of).collect(),
        ..Page::default()
    };
    let mut places: BTreeMap<String, PagePlace> = BTreeMap::new();
    for answer in &checked.answers {
        let (about, _) = answer.about(task);
        locations(about, &mut places);
        let property = Some(task.program.properties[answer.property].name.to_string());
        page.invariants.extend(invariants(task, answer).into_iter().filter_map(|(span, text)| {
            let place = page_place(&about.sources, span)?;
            Some(PageInvariant { property: property.clone(), place, text })
        }));
        if let Some(system) = &answer.outcome.abstraction {
            let mut graph = PageGraph::from(&abstract_graph(&about.program, system));
            graph.title = String::from("Abstract transition system");
            graph.property = Some(task.program.properties[answer.property].name.to_string());
            page.graphs.push(graph);
        }
    }
    page.places = places.into_iter().collect();
    page.graphs.push(match task.origin.c() {
        Some(c) => cfa_page_graph(&c.source.plain, &c.source.sources),
        None => process_page_graph(&task.program, &task.sources),
    });
    page.graphs.retain(|graph| !graph.nodes.is_empty() && graph.nodes.len() <= NODES);
    page
}

/// The texts of sources, as pages show them.
pub fn page_sources(sources: &SourceMap) -> Vec<(String, String)> {
    sources.files().filter(|file| is_own(file)).map(text_of).collect()
}

fn text_of(file: &SourceFile) -> (String, String) {
    (file.name().to_owned(), file.text().to_owned())
}

/// Whether somebody wrote a file: not what the preprocessor made of it, no header of the
/// system, no model of the library.
fn is_own(file: &SourceFile) -> bool {
    let name = file.name();
    let is_made = name.ends_with(" (preprocessed)") || name.starts_with('<') || name == SPLICED;
    !is_made && !name.starts_with("/usr/") && !file.text().is_empty()
}

/// The places of locations, by the names that they have in results.
fn locations(task: &Task, places: &mut BTreeMap<String, PagePlace>) {
    for process in &task.program.processes {
        for location in &process.locations {
            if let Some(place) = page_place(&task.sources, location.span) {
                places.insert(format!("{}@{}", process.name, location.name), place);
            }
        }
    }
}

/// What a proof says of lines: of loops of a C program in C, of locations of a model in
/// the syntax of models.
pub(crate) fn invariants(task: &Task, answer: &Answer) -> Vec<(Span, String)> {
    let Finding::Proved(certificate) = &answer.outcome.finding else { return Vec::new() };
    let Certificate::Closed(set) = &**certificate else { return Vec::new() };
    let (about, _) = answer.about(task);
    match about.origin.c() {
        Some(c) if c.recursion().is_none() => {
            let known = parallax_task::loop_invariants(about, c, set).into_iter();
            known.map(|of| (of.span, of.value)).collect()
        }
        Some(_) => Vec::new(),
        None => of_model(about, set),
    }
}

/// The closed part of a proof about a model with one process, by location.
fn of_model(task: &Task, set: &ClosedSet) -> Vec<(Span, String)> {
    let program = &task.program;
    let [process] = program.processes.as_slice() else { return Vec::new() };
    if !set.points.is_empty() || !set.prefix.is_empty() {
        return Vec::new();
    }
    let mut printer = Printer::new(program, &set.store);
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for region in &set.fragment {
        let at = region.fixed.iter().find_map(|(id, value)| {
            let is_control = matches!(program.variables[*id].role, Role::Control(_));
            usize::try_from(value.as_int().filter(|_| is_control)?.to_i64()?).ok()
        });
        let Some(at) = at else { continue };
        let text = printer.conjuncts(region.formula).join(" && ");
        found.entry(at).or_default().push(text);
    }
    let shown = |(at, cases): (usize, Vec<String>)| {
        Some((process.locations.as_slice().get(at)?.span, cases.join("\n|| ")))
    };
    found.into_iter().filter_map(shown).collect()
}
