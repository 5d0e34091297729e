//! Models as the origin of a program: how they are read, and what an answer about
//! them rests on.

use crate::load::{Invalid, LoadError, LoadOptions};
use crate::{Origin, Task, template};
use parallax_base::{Id, SourceFile, SourceMap};
use parallax_evidence::Verdict;
use parallax_front_model::{Loaded, Options};
use parallax_ir::{Fairness, Process, Program, Property};
use std::collections::BTreeMap;

/// How a model was made into a program.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The constants that were overridden, as name and value.
    pub constants: Vec<(String, String)>,
    /// The processes that formulas take to be fair.
    pub fair: Vec<(String, Fairness)>,
}

impl Model {
    /// What answers rest on: constants, how runs end, fairness, and what the front
    /// end left to an implicit property that does not hold for sure.
    pub(crate) fn assumptions(
        &self,
        program: &Program,
        verdict: &dyn Fn(Id<Property>) -> Option<Verdict>,
    ) -> Vec<String> {
        let mut found = Vec::new();
        if !self.constants.is_empty() {
            let pairs: Vec<_> = self.constants.iter().map(|(n, v)| format!("{n} = {v}")).collect();
            found.push(format!("constants {}", pairs.join(", ")));
        }
        let answered =
            || program.properties.iter_enumerated().filter(|(id, _)| verdict(*id).is_some());
        if answered().any(|(_, property)| property.temporal.is_some()) {
            found.push(String::from("runs that end stay in their last state"));
            let fair = self.fair.iter();
            found.extend(fair.map(|(name, how)| format!("`{name}` is {} fair", how.word())));
        }
        for (id, property) in program.properties.iter_enumerated().filter(|(_, p)| p.implicit) {
            let state = match verdict(id) {
                Some(Verdict::Holds) => continue,
                Some(verdict) => verdict.word(),
                None => "not checked",
            };
            if answered().any(|(other, _)| other != id) {
                let name = &property.name;
                found.push(format!("values stay in their ranges (property `{name}`: {state})"));
            }
        }
        found
    }
}

pub(crate) fn load_with(name: &str, text: &str, options: &LoadOptions) -> Result<Task, LoadError> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(name, text));
    let constants = options.constants.clone();
    let (given, fair) = (&options.given, options.fair.clone());
    let options = Options {
        defines: constants.clone(),
        formulas: options.formulas.clone(),
        predicates: given.predicates.clone(),
    };
    match parallax_front_model::load(&mut sources, file, &options) {
        Ok(Loaded { mut program, predicates, warnings }) => {
            let model = template::of_model(&program);
            let mut templates = Vec::new();
            for text in &given.templates {
                let terms = template::read_one(&mut program.store, text, &[&model]);
                templates.extend(terms.map_err(|message| {
                    let (what, text) = ("template", text.clone());
                    LoadError::Given { what, text, message }
                })?);
            }
            let named = named_processes(&program, &fair)?;
            let too_many = program.assume_fair(&named);
            too_many.map_err(|error| LoadError::Unfair(error.to_string()))?;
            let origin = Origin::Model(Model { constants, fair });
            let task = Task::of_program(program, sources, origin)?;
            Ok(Task { warnings, predicates, templates, ..task })
        }
        Err(diagnostics) => Err(LoadError::Invalid(Box::new(Invalid { sources, diagnostics }))),
    }
}

/// The processes of these names, each once.
fn named_processes(
    program: &Program,
    fair: &[(String, Fairness)],
) -> Result<Vec<(Id<Process>, Fairness)>, LoadError> {
    let mut found: BTreeMap<Id<Process>, Fairness> = BTreeMap::new();
    for (name, fairness) in fair {
        let family = format!("{name}[");
        let is_named =
            |p: &Process| name == "*" || *p.name == **name || p.name.starts_with(&family);
        for (id, _) in program.processes.iter_enumerated().filter(|(_, p)| is_named(p)) {
            // To be strongly fair is to be weakly fair, too.
            let known = found.entry(id).or_insert(*fairness);
            *known = (*known).max(*fairness);
        }
        if !program.processes.iter().any(is_named) {
            let known: Vec<String> =
                program.processes.iter().map(|p| format!("`{}`", p.name)).collect();
            return Err(LoadError::Unfair(format!(
                "there is no process `{name}`; the model has {}",
                known.join(", ")
            )));
        }
    }
    Ok(found.into_iter().collect())
}

/// A model laid out in the one style, or what is wrong with it.
pub fn format_model(name: &str, text: &str) -> Result<String, LoadError> {
    parallax_front_model::format(text).map_err(|diagnostics| {
        let mut sources = SourceMap::default();
        sources.add(SourceFile::new(name, text));
        LoadError::Invalid(Box::new(Invalid { sources, diagnostics }))
    })
}
