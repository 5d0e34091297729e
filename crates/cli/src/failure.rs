//! Why a command could not do its work: always diagnostics, with an exit code.
//!
//! | code | meaning |
//! | --- | --- |
//! | P0001 | the command line makes no sense |
//! | P0002 | a file cannot be read |
//! | P0003 | a file is too large |
//! | P0004 | a file is not text |
//! | P0005 | no front end reads files with this extension |
//! | P0006 | a file cannot be written |
//! | P0007 | a task definition, compilation database or property file makes no sense |
//! | P0008 | a model is given together with other files |
//! | P0009 | a formula of linear temporal logic is asked of a C program, or a given predicate or template means nothing |
//! | P0010 | there is no such property |
//! | P0011 | there is no such engine |
//! | P0012 | there is no second solver to cross-check with |
//! | P0013 | the model or program states no property |
//! | P0014 | an input of a run makes no sense |
//! | P0015 | a template makes no sense |
//! | P0016 | an output would be written over another one or over an input |
//! | P0020 | an evidence file is damaged or about another program |
//! | P0021 | an evidence file was made for another question |
//! | P0022 | a witness makes no sense |
//! | P0023 | a witness was made for types of other sizes |
//! | P0030 | the limits were reached before anything was known |
//! | P0031 | the program cannot be analyzed |
//! | P0032 | the system refuses a thread or memory |
//! | P0070 | a bug in Parallax |

use crate::exit::Exit;
use crate::terminal;
use parallax::invariants::InvariantError;
use parallax::optimize::OptimizeError;
use parallax::report::{ErrorJson, error_json, render_diagnostics};
use parallax::{CProperty, CertifyError, CheckError, LoadError};
use parallax_base::{Diagnostic, Diagnostics, NoThread, Severity, SourceMap, Stop};

/// A command that failed.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    sources: SourceMap,
    diagnostics: Diagnostics,
    /// The limit that was reached, if that is why.
    stop: Option<Stop>,
}

impl Failure {
    fn new(exit: Exit, code: &'static str, message: &str, help: Option<&str>) -> Failure {
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(Diagnostic {
            code,
            severity: Severity::Error,
            message: message.to_owned(),
            labels: Vec::new(),
            help: help.map(str::to_owned),
        });
        Failure { exit, sources: SourceMap::default(), diagnostics, stop: None }
    }

    /// The command line makes no sense.
    pub(crate) fn usage(code: &'static str, message: &str) -> Failure {
        Failure::new(Exit::Usage, code, message, None)
    }

    /// A file cannot be read, written or understood.
    pub(crate) fn input(code: &'static str, message: &str) -> Failure {
        Failure::new(Exit::BadInput, code, message, None)
    }

    /// A file cannot be used, and there is something to do about it.
    pub(crate) fn with_help(code: &'static str, message: &str, help: &str) -> Failure {
        Failure::new(Exit::BadInput, code, message, Some(help))
    }

    /// The limits were reached before there was a result.
    pub(crate) fn stopped(stop: Stop, message: &str) -> Failure {
        Failure { stop: Some(stop), ..Failure::open("P0030", message) }
    }

    /// There is no answer.
    pub(crate) fn open(code: &'static str, message: &str) -> Failure {
        Failure::new(Exit::Unknown, code, message, None)
    }

    /// The system has no room for the work.
    pub(crate) fn no_room(message: &str) -> Failure {
        let help = "limits on memory or processes (`ulimit -v`, `ulimit -u`) are too tight";
        Failure::new(Exit::Unknown, "P0032", message, Some(help))
    }

    /// The system refuses a thread.
    pub(crate) fn no_thread(refused: &NoThread) -> Failure {
        Failure::no_room(&refused.to_string())
    }

    /// A bug in Parallax.
    pub(crate) fn internal(message: &str) -> Failure {
        let help = "this is a bug in Parallax: please report it, with the model if you can";
        Failure::new(Exit::Internal, "P0070", &format!("internal error: {message}"), Some(help))
    }

    /// What is wrong with a part of the work, in a line, if the rest may go on.
    pub(crate) fn of_part(&self) -> Option<String> {
        let first = self.diagnostics.iter().find(|d| d.severity == Severity::Error)?;
        let is_of_part = matches!(self.exit, Exit::BadInput | Exit::Unknown);
        (is_of_part && first.code != "P0013").then(|| first.message.clone())
    }

    /// The limit that was reached before there was anything to say.
    pub(crate) fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// How the command ends.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// What is wrong, as data.
    pub(crate) fn object(&self) -> ErrorJson {
        error_json(&self.sources, &self.diagnostics)
    }

    /// Prints what is wrong: on standard error, or as an object on standard
    /// output.
    pub(crate) fn print(&self, json: bool) {
        if json {
            terminal::print_json(&self.object());
        } else {
            let look = terminal::look(&std::io::stderr());
            let text = render_diagnostics(&self.sources, &self.diagnostics, look);
            terminal::note(text.trim_end());
        }
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
        let message = error.to_string();
        match error {
            LoadError::Invalid(invalid) => Failure {
                exit: Exit::BadInput,
                sources: invalid.sources,
                diagnostics: invalid.diagnostics,
                stop: None,
            },
            LoadError::Read { .. } => Failure::input("P0002", &message),
            LoadError::TooLarge { .. } => Failure::input("P0003", &message),
            LoadError::NotText { .. } => Failure::input("P0004", &message),
            LoadError::UnknownLanguage { .. } => Failure::input("P0005", &message),
            LoadError::BadTask { .. } => Failure::input("P0007", &message),
            LoadError::FormulaOnClauses | LoadError::FairC | LoadError::Given { .. } => {
                Failure::usage("P0009", &message)
            }
            LoadError::NotAlone { .. } => Failure::usage("P0008", &message),
            LoadError::NoSuchCProperty { .. } => {
                let known: Vec<&str> = CProperty::names().collect();
                let help = format!(
                    "the properties are {}, unreach-call(FUNCTION), unreach-label(LABEL); \
                     or give a file that ends in `.prp`",
                    known.join(", ")
                );
                Failure::new(Exit::Usage, "P0010", &message, Some(&help))
            }
            LoadError::NoSuchLabel { known, .. } => {
                let help = match known.is_empty() {
                    true => "the program has no labels".to_owned(),
                    false => format!("the labels are {}", known.join(", ")),
                };
                Failure::new(Exit::Usage, "P0010", &message, Some(&help))
            }
            LoadError::NothingAsked => {
                let help = "ask for something: `-p overflow`, `-p memory-safety`, `-p division`";
                Failure::new(Exit::BadInput, "P0013", &message, Some(help))
            }
            LoadError::Stopped(stop) => Failure::stopped(stop, &message),
            LoadError::Malformed(what) => Failure::internal(&what.to_string()),
            _ => Failure::input("P0002", &message),
        }
    }
}

impl From<OptimizeError> for Failure {
    fn from(error: OptimizeError) -> Failure {
        let message = error.to_string();
        match error {
            OptimizeError::NoSecondSolver => Failure::usage("P0012", &message),
            OptimizeError::Rejected { .. } => Failure::internal(&message),
            _ => Failure::input("P0002", &message),
        }
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Failure {
        let message = error.to_string();
        match error {
            CheckError::NoSuchProperty { .. } => Failure::usage("P0010", &message),
            CheckError::NoSuchEngine { .. } => Failure::usage("P0011", &message),
            CheckError::NoSecondSolver => {
                let help = "install `cvc5` or `yices-smt2`, or run without --cross-check";
                Failure::new(Exit::Usage, "P0012", &message, Some(help))
            }
            CheckError::NoProperty => {
                let help = "state one, such as `invariant small: x < 10;`";
                Failure::new(Exit::BadInput, "P0013", &message, Some(help))
            }
            _ => Failure::internal(&message),
        }
    }
}

impl From<InvariantError> for Failure {
    fn from(error: InvariantError) -> Failure {
        let message = error.to_string();
        match error {
            InvariantError::Template { .. } => {
                let help = "a template is a sum of variables, such as `x + 2*y - z`";
                Failure::new(Exit::Usage, "P0015", &message, Some(help))
            }
            InvariantError::Stopped(stop) => Failure::stopped(stop, &message),
            InvariantError::Check(error) => error.into(),
            _ => Failure::open("P0031", &message),
        }
    }
}

impl From<CertifyError> for Failure {
    fn from(error: CertifyError) -> Failure {
        let message = error.to_string();
        match error {
            CertifyError::Load(error) => error.into(),
            CertifyError::Check(error) => error.into(),
            CertifyError::OtherQuestion(difference) => {
                let list = |words: &[String]| words.join(" ");
                let help = match (&difference.missing[..], &difference.surplus[..]) {
                    (missing, []) => format!("to ask what it answers, add: {}", list(missing)),
                    ([], surplus) => {
                        format!("to ask what it answers, leave out: {}", list(surplus))
                    }
                    (missing, surplus) => format!(
                        "to ask what it answers, replace: {}  by: {}",
                        list(surplus),
                        list(missing)
                    ),
                };
                Failure::new(Exit::BadInput, "P0021", &message, Some(&help))
            }
            CertifyError::Read(_) => Failure::input("P0002", &message),
            _ => Failure::input("P0020", &message),
        }
    }
}
