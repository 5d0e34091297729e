//! From the files on a command line to the parts of a C program and what is
//! asked of it: sources, task definitions, compilation databases, property files.

use super::{COptions, task_file};
use crate::{Invalid, Language, LoadError, read_text};
use parallax_base::SourceMap;
use parallax_cfa::{CProperty, DataModel, Specification};
use parallax_front_c::{Input, compile_commands};
use std::path::{Path, PathBuf};

/// A C program on disk and what is asked of it.
#[derive(Clone, Debug)]
pub(crate) struct Gathered {
    /// The files, with the options that a compilation database gives them.
    pub(crate) inputs: Vec<Input>,
    /// The data model.
    pub(crate) model: DataModel,
    /// What is asked; empty if nothing was said.
    pub(crate) properties: Vec<CProperty>,
    /// The function the program starts with.
    pub(crate) entry: String,
}

/// Collects the parts of a C program.
pub(crate) fn gather(
    sources: &mut SourceMap,
    paths: &[PathBuf],
    options: &COptions,
) -> Result<Gathered, LoadError> {
    let mut inputs: Vec<Input> = Vec::new();
    let mut from_tasks: Vec<PathBuf> = Vec::new();
    let mut model = options.model;
    for path in paths {
        let folder = path.parent().unwrap_or(Path::new(""));
        let bad = |message| LoadError::BadTask { path: path.clone(), message };
        match Language::of(path) {
            Some(Language::C) => inputs.push(Input::file(path)),
            Some(Language::Task) => {
                let task = task_file::parse(&read_text(path)?, folder).map_err(bad)?;
                inputs.extend(task.inputs.into_iter().map(Input::file));
                from_tasks.extend(task.properties);
                model = model.or(task.model);
            }
            Some(Language::Commands) => match compile_commands(sources, path) {
                Ok(found) => inputs.extend(found),
                Err(diagnostics) => {
                    let sources = std::mem::take(sources);
                    return Err(LoadError::Invalid(Box::new(Invalid { sources, diagnostics })));
                }
            },
            _ => {
                return Err(LoadError::UnknownLanguage { path: path.clone() });
            }
        }
    }
    let mut asked = Asked::default();
    for name in &options.properties {
        asked.add(name)?;
    }
    // What is asked on the command line replaces what a task asks.
    if options.properties.is_empty() {
        for path in &from_tasks {
            asked.add_file(path)?;
        }
    }
    Ok(Gathered {
        inputs,
        model: model.unwrap_or_default(),
        properties: asked.properties,
        entry: options.entry.clone().or(asked.entry).unwrap_or_else(|| "main".into()),
    })
}

/// The names of what is asked of files, as far as that is known before they are
/// read.
pub fn asked_names(paths: &[PathBuf], properties: &[String]) -> Vec<String> {
    let options = COptions { properties: properties.to_vec(), ..COptions::default() };
    match gather(&mut SourceMap::default(), paths, &options) {
        Ok(gathered) => gathered.properties.iter().map(|p| p.name().to_string()).collect(),
        Err(_) => properties.to_vec(),
    }
}

/// What is asked, as it is put together.
#[derive(Default)]
struct Asked {
    properties: Vec<CProperty>,
    entry: Option<String>,
}

impl Asked {
    /// Adds a property by its name, or all of a property file.
    fn add(&mut self, name: &str) -> Result<(), LoadError> {
        let path = Path::new(name);
        if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("prp")) {
            return self.add_file(path);
        }
        let found = CProperty::named(name)
            .ok_or_else(|| LoadError::NoSuchCProperty { name: name.to_owned() })?;
        self.extend(found);
        Ok(())
    }

    fn add_file(&mut self, path: &Path) -> Result<(), LoadError> {
        let read = Specification::parse(&read_text(path)?);
        let read = read.map_err(|error| LoadError::BadTask {
            path: path.to_owned(),
            message: error.to_string(),
        })?;
        self.extend(read.properties);
        match &self.entry {
            Some(known) if *known != read.entry => Err(LoadError::BadTask {
                path: path.to_owned(),
                message: format!("it starts with `{}`, another one with `{known}`", read.entry),
            }),
            _ => {
                self.entry = Some(read.entry);
                Ok(())
            }
        }
    }

    fn extend(&mut self, more: Vec<CProperty>) {
        for property in more {
            if !self.properties.contains(&property) {
                self.properties.push(property);
            }
        }
    }
}
