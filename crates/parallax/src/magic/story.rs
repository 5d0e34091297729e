//! What each procedure does in a counterexample: every action with its place in
//! the source, and the values that were chosen on the way to it.

use super::MagicAnswer;
use parallax_base::Span;
use parallax_evidence::Run;
use parallax_front_magic::Component;
use parallax_ir::{Interpreter, State};
use parallax_report::MagicStep;
use parallax_term::{Int, Value};
use std::path::Path;

impl MagicAnswer {
    /// What each procedure does in a counterexample, action by action: on each
    /// path, as far as a path has something to tell that no other one has.
    pub fn story(&self) -> Vec<(String, Vec<MagicStep>)> {
        let Some(refutation) = self.refutation() else { return Vec::new() };
        let mut told: Vec<(String, Vec<MagicStep>)> = Vec::new();
        for runs in &refutation.runs {
            for (component, run) in self.components.iter().zip(runs) {
                let steps = steps(component, run);
                let is_told = |(name, known): &(String, Vec<MagicStep>)| {
                    *name == component.name && tells(known, &steps)
                };
                if !told.iter().any(is_told) {
                    told.push((component.name.clone(), steps));
                }
            }
        }
        told
    }

    /// For each node of a counterexample what is known of the action: procedure,
    /// place and values.
    pub(crate) fn notes(&self) -> Vec<(usize, Vec<String>)> {
        let mut notes: Vec<(usize, Vec<String>)> = Vec::new();
        for (name, steps) in self.story() {
            for step in steps {
                let mut lines = vec![match &step.place {
                    Some(place) => format!("{name}, {place}"),
                    None => name.clone(),
                }];
                lines.extend(step.values.iter().map(|(name, value)| format!("{name} = {value}")));
                match notes.iter_mut().find(|(node, _)| *node == step.node) {
                    // Paths have their first nodes in common.
                    Some((_, known)) if known.starts_with(&lines) => {}
                    Some((_, known)) => known.extend(lines),
                    None => notes.push((step.node, lines)),
                }
            }
        }
        notes
    }
}

/// Whether a story has all that another one has.
fn tells(story: &[MagicStep], other: &[MagicStep]) -> bool {
    let is_same = |(a, b): (&MagicStep, &MagicStep)| {
        (&a.action, &a.place, &a.values) == (&b.action, &b.place, &b.values)
    };
    other.len() <= story.len() && story.iter().zip(other).all(is_same)
}

fn steps(component: &Component, run: &Run) -> Vec<MagicStep> {
    let program = &component.program;
    let edges: Vec<_> = program.processes.iter().flat_map(|p| p.edges.iter()).collect();
    let mut found = Vec::new();
    // The last place in a file of the user.
    let mut at: Option<Span> = None;
    let mut values: Vec<(String, String)> = Vec::new();
    for (position, name) in &component.given {
        if let Some(value) = run.initial.get(*position) {
            values.push((name.clone(), value.to_string()));
        }
    }
    let mut interpreter = Interpreter::new(program);
    let mut state = Some(State::new(run.initial.clone()));
    for step in &run.steps {
        let Some(edge) = edges.get(step.edge) else { break };
        if component.is_users(edge.span) {
            at = Some(edge.span);
        }
        let action = component.actions[step.edge].as_deref();
        if let Some(action) = action {
            let (place, line) = at.and_then(|at| located(component, at)).unzip();
            found.push(MagicStep {
                action: action.to_owned(),
                place,
                line: line.unwrap_or_default(),
                values: std::mem::take(&mut values),
                node: step.node,
            });
        }
        // Later steps are those of the driver, at the place of the return.
        let left = state.as_ref().and_then(|s| component.left_at(step.edge, s, &step.inputs));
        at = left.or(at);
        // What is chosen on the edge of an action comes after it.
        let names = component.input_names.get(step.edge).map_or(&[][..], Vec::as_slice);
        for (place, (name, value)) in names.iter().zip(&step.inputs).enumerate() {
            if let Some(name) = name
                && state.as_ref().is_none_or(|state| {
                    matters(component, &mut interpreter, state, step.edge, &step.inputs, place)
                })
            {
                values.push((name.clone(), value.to_string()));
            }
        }
        state = state.and_then(|state| interpreter.step(&state, step.edge, &step.inputs));
    }
    found
}

/// Whether another value of an input would lead elsewhere, if only to another
/// place in the text. Of several ways along
/// one edge only one is taken, and only its inputs count.
fn matters(
    component: &Component,
    interpreter: &mut Interpreter,
    state: &State,
    edge: usize,
    inputs: &[Value],
    place: usize,
) -> bool {
    let next = interpreter.step(state, edge, inputs);
    let left = component.left_at(edge, state, inputs);
    let others: Vec<Value> = match &inputs[place] {
        Value::Bool(truth) => vec![Value::Bool(!truth)],
        Value::Int(number) => [1i64, -1, 1000].map(|by| Value::Int(number + &Int::from(by))).into(),
        // Others are not changed by a number; they are shown.
        _ => return true,
    };
    others.into_iter().any(|other| {
        let mut changed = inputs.to_vec();
        changed[place] = other;
        interpreter.step(state, edge, &changed) != next
            || component.left_at(edge, state, &changed) != left
    })
}

/// `file:line:column` with the file as seen from here, and the text of the line.
fn located(component: &Component, at: Span) -> Option<(String, String)> {
    let here = std::env::current_dir().unwrap_or_default();
    let file = component.sources.get(at.file)?;
    let place = file.line_column(at.lo);
    let name = Path::new(file.name());
    let name = name.strip_prefix(&here).unwrap_or(name).display();
    let line = file.line(place.line).trim().to_owned();
    Some((format!("{name}:{}:{}", place.line, place.column), line))
}
