//! Queries written to disk, one standalone SMT-LIB file each.
//!
//! For reports of solver bugs, for benchmarks and for readers who want to know
//! what was asked. The file `query-000123.smt2` holds the 124th query of a run
//! with the answer it got as its `:status`.

use crate::logic::Logic;
use crate::stack::Stack;
use crate::{Answer, Model, Solver, SolverError, SolverStats};
use parallax_base::{Budget, Stop};
use parallax_term::{Term, TermStore};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder for queries. Clones number their files together, so that the
/// solvers of several threads can write to one folder.
#[derive(Clone, Debug)]
pub struct RecordDir {
    path: Arc<PathBuf>,
    next: Arc<AtomicUsize>,
}

impl RecordDir {
    /// Makes the folder if it does not exist.
    pub fn create(path: &Path) -> Result<RecordDir, SolverError> {
        let failed = |source| SolverError::Record { path: path.into(), source };
        std::fs::create_dir_all(path).map_err(failed)?;
        Ok(RecordDir { path: Arc::new(path.into()), next: Arc::default() })
    }

    fn write(&self, script: &str) -> std::io::Result<()> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let path = self.path.join(format!("query-{number:06}.smt2"));
        // An earlier run may have left a file; a link there is not followed.
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        std::fs::File::create_new(&path)?.write_all(script.as_bytes())
    }
}

/// A solver whose queries are written down.
pub struct Recording {
    solver: Box<dyn Solver>,
    folder: RecordDir,
    stack: Stack,
}

impl Recording {
    /// Writes the queries of `solver` into `folder`. The solver must be new.
    pub fn new(solver: Box<dyn Solver>, folder: RecordDir) -> Recording {
        Recording { solver, folder, stack: Stack::new() }
    }
}

impl Solver for Recording {
    fn name(&self) -> &str {
        self.solver.name()
    }

    fn push(&mut self) {
        self.stack.push();
        self.solver.push();
    }

    fn pop(&mut self) {
        self.stack.pop();
        self.solver.pop();
    }

    fn assert(&mut self, store: &TermStore, formula: Term) {
        self.stack.assert(formula);
        self.solver.assert(store, formula);
    }

    fn check(
        &mut self,
        store: &TermStore,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<Answer, Stop> {
        let outcome = self.solver.check(store, assumptions, budget);
        let status = match &outcome {
            Ok(Answer::Sat) => "sat",
            Ok(Answer::Unsat) => "unsat",
            Ok(Answer::Unknown(_)) | Err(_) => "unknown",
        };
        self.stack.assumptions = assumptions.to_vec();
        let query = self.stack.query();
        let logic = Logic::of(store, &query).name();
        let script = store.smtlib_script(logic, &query, Some(status));
        let written = self.folder.write(&script);
        // A record with holes is worse than none: say so where it is seen.
        let failed = |error| Answer::Unknown(format!("cannot record the query: {error}"));
        outcome.map(|answer| written.map_or_else(failed, |()| answer))
    }

    fn model(&mut self, store: &TermStore, symbols: &[Term]) -> Option<Model> {
        self.solver.model(store, symbols)
    }

    fn core(&mut self) -> Option<Vec<Term>> {
        self.solver.core()
    }

    fn eliminate(
        &mut self,
        store: &mut TermStore,
        formula: Term,
        bound: &[Term],
        budget: &Budget,
    ) -> Result<Option<Term>, Stop> {
        self.solver.eliminate(store, formula, bound, budget)
    }

    fn statistics(&self) -> SolverStats {
        self.solver.statistics()
    }
}
