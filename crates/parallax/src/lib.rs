//! Layer 8: Parallax as a library.
//!
//! Load a model, ask for its properties, get verdicts whose evidence the
//! checker has accepted:
//!
//! ```
//! use parallax::{Check, Verdict, load_text};
//!
//! let task = load_text(
//!     "counter.plx",
//!     "const N = 3;
//!      var x: int = 0;
//!      process P { up: when x < N do x := x + 1; down: when x == N do x := 0; }
//!      invariant low: x <= N;
//!      reachable top: x == N;",
//!     &[("N".into(), "5".into())],
//! )?;
//! let checked = Check::new(&task).run()?;
//! assert_eq!(checked.verdict(&task), Verdict::Holds);
//! assert!(checked.answers.iter().all(|answer| !answer.checked_by.is_empty()));
//! println!("{}", parallax::report::render_verdict(&checked.report(&task), Default::default()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! There is one path from an engine's finding to a verdict and it leads
//! through [`parallax_certify`]: see [`Check::run`]. This crate touches no
//! terminal; time, memory and cancellation come in as a [`Budget`], progress
//! goes out to a [`Watch`].

mod accept;
mod attack;
mod check;
mod evidence;
mod formula;
mod galois;
mod horn;
mod initial;
pub mod invariants;
mod isolate;
pub mod lts;
pub mod magic;
pub mod optimize;
mod outputs;
mod page;
mod question;
mod registry;
mod result;
mod settle;
pub mod testgen;
mod validate;

pub use accept::Checkers;
pub use check::{Check, CheckError, EngineChoice, Watch};
pub use evidence::{CertifyError, certify_files, save_evidence, with_contracts};
pub use formula::{Automaton, LtlTask, TranslateError, load_formula, load_word, translate};
pub use galois::{
    AbstractStep, GaloisError, MAX_LISTED, Relation, abstract_relation, show_abstraction,
};
pub use horn::{HornError, horn_clauses};
pub use initial::find_initial;
pub use outputs::{c_harness, c_witness, run_natively, shows_natively};
pub use page::{check_page, page_sources};
pub use question::{Difference, arguments_of};
pub use registry::{EngineConfig, engines};
pub use result::{Answer, Checked};
pub use validate::{ValidateError, validate_witness};

pub use parallax_base::{Budget, Stop};
pub use parallax_base::{Event, Observer};
pub use parallax_cfa::{CProperty, DataModel, Recording};
pub use parallax_encode::{Blocks, Encoding, Passes};
pub use parallax_engine_abs::{
    Abstraction, CegarConfig, Covering, Known, Mode, Order as CegarOrder, Refiner, Scope,
    SymbaConfig, Track,
};
pub use parallax_engine_path::{AseConfig, InitialPredicates, Order, Search, UrConfig};
pub use parallax_evidence::{ContractClaim, Finding, Outcome, Verdict, Why};
pub use parallax_ir::Fairness;
pub use parallax_ltl::{Formula, Lasso};
pub use parallax_report as report;
pub use parallax_solver::{PipeCommand, RecordDir, SolverConfig, SolverError, serve_z3};
pub use parallax_task::{
    CDriver, CInputs, COptions, CProgram, CRunEnd, CTask, Given, Invalid, Language, LoadError,
    LoadOptions, MAX_BYTES, Model, Native, Origin, Request, Shape, Task, asked_names, breaks,
    c_functions, format_model, load, load_c, load_files, load_model, load_text, read_text, run_c,
};
