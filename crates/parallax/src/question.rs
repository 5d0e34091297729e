//! What is asked about an evidence file, and whether the file answers it.
//!
//! # Soundness
//! The question comes from whoever asks, never from the file. The program is
//! read as the command line says: macros, folders, data model, entry, constants
//! and formulas. The file only says how that program was turned into terms,
//! which every way of doing so is trusted for.

use crate::evidence::{CertifyError, unfit};
use crate::{COptions, Check, Language, LoadError, LoadOptions, Request, Task, load_c, load_files};
use parallax_cfa::CProperty;
use parallax_encode::Passes;
use parallax_evidence::EvidenceFile;
use parallax_report::escape::shell_word;
use parallax_task::{INVARIANTS, asked_of, c_task, model_word, options_of};
use std::fmt;
use std::path::PathBuf;

/// A program as evidence is about it, and what is asked of it.
pub(crate) struct Question {
    /// The program, with the properties that the file may speak of.
    pub(crate) task: Task,
    /// The names of the properties that are asked.
    pub(crate) asked: Vec<String>,
    /// Those of them that the program was not prepared for, as the file does
    /// not speak of them.
    pub(crate) silent: Vec<CProperty>,
}

/// How the question of a file differs from the one that is asked, as arguments
/// of the command line.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Difference {
    /// What the file was made with and nobody asked for.
    pub missing: Vec<String>,
    /// What was asked for and the file was made without.
    pub surplus: Vec<String>,
}

impl Difference {
    fn none(self) -> Result<(), CertifyError> {
        match self.missing.is_empty() && self.surplus.is_empty() {
            true => Ok(()),
            false => Err(CertifyError::OtherQuestion(Box::new(self))),
        }
    }

    /// Compares arguments that may be repeated, in any order.
    fn compare(&mut self, flag: &str, file: &[String], given: &[String]) {
        let argument = |text: &String| match flag {
            "" => text.clone(),
            flag => format!("{flag} {}", shell_word(text)),
        };
        self.missing.extend(beyond(file, given).iter().map(argument));
        self.surplus.extend(beyond(given, file).iter().map(argument));
    }

    /// Compares arguments whose order matters.
    fn compare_in_order(&mut self, flag: &str, file: &[String], given: &[String]) {
        if file != given && beyond(file, given).is_empty() && beyond(given, file).is_empty() {
            // The same in another order: all of them are wrong.
            self.compare(flag, file, &[]);
            self.compare(flag, &[], given);
        } else {
            self.compare(flag, file, given);
        }
    }

    /// Compares how a C program is read.
    fn compare_c(&mut self, file: &COptions, given: &COptions) {
        self.compare_in_order("-D", &file.defines, &given.defines);
        self.compare_in_order("-U", &file.undefines, &given.undefines);
        if !are_same_folders(&file.includes, &given.includes) {
            let text = |paths: &[PathBuf]| -> Vec<String> {
                paths.iter().map(|path| path.display().to_string()).collect()
            };
            self.compare_in_order("-I", &text(&file.includes), &text(&given.includes));
        }
        // These have a value if none is given, so there is nothing to leave out.
        let model = |of: &COptions| model_word(of.model.unwrap_or_default());
        if model(file) != model(given) {
            self.missing.push(format!("--data-model {}", model(file)));
        }
        let entry = |of: &COptions| of.entry.clone().unwrap_or_else(|| String::from("main"));
        if entry(file) != entry(given) {
            self.missing.push(format!("--entry {}", shell_word(&entry(file))));
        }
        let call = |of: &COptions| of.call.as_ref().map_or_else(Vec::new, arguments_of);
        self.compare_in_order("", &call(file), &call(given));
        let flag = String::from("--malloc-may-fail");
        match (file.malloc_may_fail, given.malloc_may_fail) {
            (true, false) => self.missing.push(flag),
            (false, true) => self.surplus.push(flag),
            _ => {}
        }
    }
}

/// A call with arbitrary arguments, as arguments of the command line.
pub fn arguments_of(call: &Request) -> Vec<String> {
    let Request { function, assume, elements, links, null, free_globals } = call;
    let usual = Request::call("");
    let mut all = vec![format!("--function {}", shell_word(function))];
    all.extend(assume.iter().map(|condition| format!("--assume {}", shell_word(condition))));
    if *elements != usual.elements {
        all.push(format!("--elements {elements}"));
    }
    if *links != usual.links {
        all.push(format!("--unwind-data {links}"));
    }
    if *null {
        all.push(String::from("--null-arguments"));
    }
    if *free_globals {
        all.push(String::from("--free-globals"));
    }
    all
}

/// What is in the one list and not in the other, as often as it is.
fn beyond(of: &[String], others: &[String]) -> Vec<String> {
    let mut others: Vec<&String> = others.iter().collect();
    let is_left = |text: &&String| match others.iter().position(|other| other == text) {
        Some(at) => {
            others.swap_remove(at);
            false
        }
        None => true,
    };
    of.iter().filter(is_left).cloned().collect()
}

/// Whether two lists name the same folders. The program was read with those
/// given; a folder of the file that is not on this machine is not held against
/// them.
fn are_same_folders(file: &[PathBuf], given: &[PathBuf]) -> bool {
    let is_same = |(file, given): (&PathBuf, &PathBuf)| {
        file == given
            || match (file.canonicalize(), given.canonicalize()) {
                (Ok(file), Ok(given)) => file == given,
                (Err(_), given) => given.is_ok(),
                (Ok(_), Err(_)) => false,
            }
    };
    file.len() == given.len() && file.iter().zip(given).all(is_same)
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |words: &[String]| {
            words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
        };
        match (&self.missing[..], &self.surplus[..]) {
            (missing, []) => write!(f, "with {}", list(missing)),
            ([], surplus) => write!(f, "without {}", list(surplus)),
            (missing, surplus) => write!(f, "with {}, without {}", list(missing), list(surplus)),
        }
    }
}

/// Reads the program that is asked about, and prepares it as the file says.
pub(crate) fn question(
    files: &[PathBuf],
    options: &LoadOptions,
    file: &EvidenceFile,
) -> Result<Question, CertifyError> {
    let names = &options.c.properties;
    let wants_invariants = names.iter().any(|name| name == INVARIANTS);
    let mut difference = Difference::default();
    if !file.invariants().is_empty() && !wants_invariants {
        difference.compare("-p", &[INVARIANTS.to_owned()], &[]);
    }
    let mut question = match files
        .iter()
        .any(|p| matches!(Language::of(p), Some(Language::Model | Language::Horn)))
    {
        true => of_model(files, options, file, difference)?,
        false => of_c(files, options, file, difference)?,
    };
    if !file.invariants().is_empty() {
        let task = &mut question.task;
        if task.program.property(INVARIANTS).is_some() {
            return Err(unfit(format!("the program has a property `{INVARIANTS}`")).into());
        }
        task.claim(file.invariants().to_vec()).map_err(unfit)?;
        question.asked.push(INVARIANTS.to_owned());
    }
    Ok(question)
}

fn of_model(
    files: &[PathBuf],
    options: &LoadOptions,
    file: &EvidenceFile,
    mut difference: Difference,
) -> Result<Question, CertifyError> {
    let pairs = |of: &[(String, String)]| -> Vec<String> {
        of.iter().map(|(name, value)| format!("{name}={value}")).collect()
    };
    difference.compare("-D", &pairs(file.constants()), &pairs(&options.constants));
    let asked = &options.formulas;
    let mut formulas: Vec<String> = file.formulas().to_vec();
    let unasked = file.formulas().iter().filter(|f| !asked.contains(f)).cloned();
    difference.compare("--ltl", &unasked.collect::<Vec<_>>(), &[]);
    difference.none()?;
    // Formulas without a name are numbered: those of the file come first.
    formulas.extend(asked.iter().filter(|f| !file.formulas().contains(f)).cloned());
    let options = LoadOptions { formulas, ..options.clone() };
    let task = load_files(files, &options)?;
    let own = options
        .c
        .properties
        .iter()
        .filter(|name| file.invariants().is_empty() || *name != INVARIANTS);
    let own: Vec<String> = own.cloned().collect();
    let temporal = task.program.properties.iter().filter(|p| p.temporal.is_some());
    let named: Vec<String> =
        own.iter().cloned().chain(temporal.map(|p| p.name.to_string())).collect();
    // Invariants alone are asked of a model that may state no property.
    let asked = match named.is_empty() && !file.invariants().is_empty() {
        true => Vec::new(),
        false => {
            let selected = Check::new(&task).properties(named).selected()?;
            selected.into_iter().map(|id| task.program.properties[id].name.to_string()).collect()
        }
    };
    Ok(Question { task, asked, silent: Vec::new() })
}

fn of_c(
    files: &[PathBuf],
    options: &LoadOptions,
    file: &EvidenceFile,
    mut difference: Difference,
) -> Result<Question, CertifyError> {
    let mut given = COptions { formulas: options.formulas.clone(), ..options.c.clone() };
    given.properties.retain(|name| name != INVARIANTS);
    let only_invariants = given.properties.is_empty()
        && given.formulas.is_empty()
        && !options.c.properties.is_empty();
    if only_invariants && file.invariants().is_empty() {
        return Err(unfit(String::from("it claims no invariants")).into());
    }
    let source = load_c(files, &given)?;
    let made = options_of(file.constants()).map_err(unfit)?;
    difference.compare_c(&made, &source.options);
    difference.none()?;
    let asked = if only_invariants { Vec::new() } else { asked_of(&source) };
    let names = asked.iter().map(CProperty::name).collect();
    if asked.is_empty() && !only_invariants {
        return Err(LoadError::NothingAsked.into());
    }
    // Invariants are about a program that is prepared for no property.
    let (own, silent) = match made.passes == Passes::Whole && made.properties.is_empty() {
        true => (Vec::new(), asked),
        false => (asked, Vec::new()),
    };
    let mut source = source.asking(own);
    source.options = COptions {
        encoding: made.encoding,
        blocks: made.blocks,
        passes: made.passes,
        ..source.options
    };
    Ok(Question { task: c_task(source)?, asked: names, silent })
}
