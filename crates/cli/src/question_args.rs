//! What is asked of which program: shared by all commands that read programs.
//! `check` and `certify` take the same question, so evidence is held against
//! the question of whoever checks it.

use crate::call_args::CallArgs;
use crate::failure::Failure;
use crate::limits::define;
use clap::ValueEnum;
use parallax::report::escape::shell_word;
use parallax::{COptions, DataModel, Fairness, Language, LoadOptions, arguments_of};
use parallax_base::Budget;
use std::path::PathBuf;

/// What is asked.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct QuestionArgs {
    /// Check this property only; for C also a property file (.prp); may be repeated
    #[arg(short, long = "property", visible_alias = "spec", value_name = "NAME")]
    pub(crate) properties: Vec<String>,
    /// Check this formula of linear temporal logic, such as `[] <> P@idle`; may be repeated
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) ltl: Vec<String>,
    /// Let formulas speak of runs in which this process (`*`: each) moves if it always could
    #[arg(long, value_name = "PROCESS")]
    pub(crate) fair: Vec<String>,
    /// The same, in which it moves if it could again and again
    #[arg(long, value_name = "PROCESS")]
    pub(crate) strongly_fair: Vec<String>,
    /// Override a constant of the model, or define a macro; may be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub(crate) defines: Vec<String>,
    #[command(flatten)]
    pub(crate) c: CArgs,
    /// The function a run begins with [default: that of the property file, else main]
    #[arg(long, value_name = "NAME", conflicts_with = "function", help_heading = "C programs")]
    pub(crate) entry: Option<String>,
    /// Let `malloc` return null
    #[arg(long, help_heading = "C programs")]
    pub(crate) malloc_may_fail: bool,
    #[command(flatten)]
    pub(crate) call: CallArgs,
}

/// How C is read.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct CArgs {
    /// A folder for headers; may be repeated
    #[arg(short = 'I', value_name = "DIR", help_heading = "C programs")]
    pub(crate) includes: Vec<PathBuf>,
    /// A macro not to define; may be repeated
    #[arg(short = 'U', value_name = "NAME", help_heading = "C programs")]
    pub(crate) undefines: Vec<String>,
    /// Sizes of `long` and pointers [default: that of the task, else lp64]
    #[arg(long, value_enum, value_name = "MODEL", help_heading = "C programs")]
    pub(crate) data_model: Option<Model>,
}

/// Sizes of `long` and pointers.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Model {
    // 32 bits.
    Ilp32,
    // 64 bits.
    Lp64,
}

impl CArgs {
    /// How C is read, with macros.
    pub(crate) fn options(&self, defines: &[String]) -> COptions {
        COptions {
            model: self.data_model.map(|model| match model {
                Model::Ilp32 => DataModel::Ilp32,
                Model::Lp64 => DataModel::Lp64,
            }),
            includes: self.includes.clone(),
            defines: defines.to_vec(),
            undefines: self.undefines.clone(),
            ..COptions::default()
        }
    }
}

impl QuestionArgs {
    /// How the files are read.
    pub(crate) fn load_options(
        &self,
        files: &[PathBuf],
        budget: &Budget,
    ) -> Result<LoadOptions, Failure> {
        let c = COptions {
            properties: self.properties.clone(),
            entry: self.entry.clone(),
            malloc_may_fail: self.malloc_may_fail,
            call: self.call.request(),
            budget: budget.clone(),
            ..self.c.options(&self.defines)
        };
        let options = load_options(files, &self.defines, c)?;
        let weak = self.fair.iter().map(|name| (name.clone(), Fairness::Weak));
        let strong = self.strongly_fair.iter().map(|name| (name.clone(), Fairness::Strong));
        let fair = weak.chain(strong).collect();
        Ok(LoadOptions { formulas: self.ltl.clone(), fair, ..options })
    }

    /// How the program is read, as arguments with a blank before each.
    pub(crate) fn settings(&self) -> String {
        let mut text = String::new();
        let mut add = |flag: &str, value: &str| {
            text.push_str(&format!(" {flag} {}", shell_word(value)));
        };
        self.defines.iter().for_each(|define| add("-D", define));
        self.c.includes.iter().for_each(|folder| add("-I", &folder.to_string_lossy()));
        self.c.undefines.iter().for_each(|name| add("-U", name));
        if let Some(model) = self.c.data_model.and_then(|m| m.to_possible_value()) {
            add("--data-model", model.get_name());
        }
        self.fair.iter().for_each(|name| add("--fair", name));
        self.strongly_fair.iter().for_each(|name| add("--strongly-fair", name));
        self.entry.iter().for_each(|entry| add("--entry", entry));
        let call = self.call.request();
        let call = call.iter().flat_map(arguments_of);
        call.for_each(|argument| text.push_str(&format!(" {argument}")));
        if self.malloc_may_fail {
            text.push_str(" --malloc-may-fail");
        }
        text
    }

    /// What is asked, as arguments with a blank before each.
    pub(crate) fn asked(&self) -> String {
        let property = |name: &String| format!(" -p {}", shell_word(name));
        let formula = |text: &String| format!(" --ltl {}", shell_word(text));
        let asked = self.properties.iter().map(property);
        asked.chain(self.ltl.iter().map(formula)).collect()
    }
}

/// How files are read. A model wants a value for each of its constants.
pub(crate) fn load_options(
    files: &[PathBuf],
    defines: &[String],
    c: COptions,
) -> Result<LoadOptions, Failure> {
    let is_c = |path: &PathBuf| Language::of(path).is_some_and(Language::is_c);
    if files.iter().all(is_c) {
        return Ok(LoadOptions { c, ..LoadOptions::default() });
    }
    let constants = defines.iter().map(|text| define(text));
    let constants: Result<Vec<_>, String> = constants.collect();
    let constants = constants.map_err(|message| {
        Failure::usage("P0001", &format!("invalid value for `-D <NAME=VALUE>`: {message}"))
    })?;
    Ok(LoadOptions { constants, c, ..LoadOptions::default() })
}
