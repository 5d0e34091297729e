//! Finding a second solver on this machine.

use crate::PipeCommand;
use std::path::{Path, PathBuf};

/// Known solvers: the name of the executable, what makes it read commands from
/// its input, and the folder of `third_party` that setup places it in.
const KNOWN: &[(&str, &[&str], &str)] = &[
    ("yices-smt2", &["--incremental"], "yices"),
    ("cvc5", &["--incremental", "--lang", "smt2"], "cvc5"),
    ("z3", &["-in"], "z3"),
];

/// A solver to ask for a second opinion: one that was set up next to this
/// executable, else one on the search path. Solvers other than Z3 come first.
///
/// The current directory is not looked at: it may belong to whoever wrote the
/// files that are analysed.
pub fn find_second_solver() -> Option<PipeCommand> {
    let executable = std::env::current_exe().ok();
    let beside = executable.iter().flat_map(|path| path.ancestors().skip(1));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let roots: Vec<&Path> = beside.collect();
    KNOWN.iter().find_map(|solver| {
        let set_up = roots.iter().find_map(|root| set_up_below(root, solver));
        set_up.or_else(|| on_path.iter().find_map(|folder| in_folder(folder, solver)))
    })
}

/// Z3 as an executable that reads commands, found in the same way.
pub fn find_z3() -> Option<PipeCommand> {
    let z3 = KNOWN.last()?;
    let executable = std::env::current_exe().ok()?;
    let set_up = executable.ancestors().skip(1).find_map(|root| set_up_below(root, z3));
    let path = std::env::var_os("PATH").unwrap_or_default();
    set_up.or_else(|| std::env::split_paths(&path).find_map(|folder| in_folder(&folder, z3)))
}

/// A second solver that setup placed below this root of a source tree.
pub fn find_second_solver_below(root: &Path) -> Option<PipeCommand> {
    KNOWN.iter().find_map(|solver| set_up_below(root, solver))
}

type Known = (&'static str, &'static [&'static str], &'static str);

fn set_up_below(root: &Path, solver: &Known) -> Option<PipeCommand> {
    in_folder(&root.join("third_party").join(solver.2).join("bin"), solver)
}

fn in_folder(folder: &Path, (name, arguments, _): &Known) -> Option<PipeCommand> {
    let program = folder.join(name);
    let arguments = arguments.iter().map(ToString::to_string).collect();
    program.is_file().then_some(PipeCommand { program, arguments })
}
