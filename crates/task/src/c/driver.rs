//! A function that is called with arbitrary arguments: the text that calls it, as a
//! program of its own, and which functions there are.

use super::{COptions, gather, reading};
use crate::{Invalid, LoadError};
use parallax_base::SourceMap;
use parallax_front_c as front;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// What calls a function with arbitrary arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CDriver {
    /// C text, to be read at the end of the file that defines the function.
    pub text: Arc<str>,
    /// That file.
    pub file: PathBuf,
    /// Whether the file defines `main` itself.
    has_main: bool,
}

impl CDriver {
    pub(super) fn of(driver: front::driver::Driver) -> CDriver {
        CDriver { text: driver.text, file: driver.file, has_main: driver.has_main }
    }

    /// A program in the place of the file: it includes the file and has a `main`.
    /// Comes with where it is written.
    pub fn program(&self, at: &Path) -> String {
        let file = from(at, &self.file);
        let include = format!("#include \"{}\"\n", file.display());
        let include = match self.has_main {
            true => format!("#define main parallax_own_main\n{include}#undef main\n"),
            false => include,
        };
        let entry = front::driver::ENTRY;
        format!("{include}{}\nint main(void)\n{{\n  {entry}();\n  return 0;\n}}\n", self.text)
    }
}

/// How a file at one place names another.
fn from(at: &Path, file: &Path) -> PathBuf {
    let is_plain = |path: &Path| path.components().all(|c| matches!(c, Component::Normal(_)));
    let folder = at.parent().unwrap_or(Path::new(""));
    if is_plain(folder) && is_plain(file) {
        let shared = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
        let up = folder.components().skip(shared).map(|_| Component::ParentDir);
        return up.chain(file.components().skip(shared)).collect();
    }
    file.canonicalize().unwrap_or_else(|_| file.to_owned())
}

/// The functions that the files of a program define, in their order. Those of
/// headers are left out.
pub fn c_functions(paths: &[PathBuf], options: &COptions) -> Result<Vec<Arc<str>>, LoadError> {
    let mut sources = SourceMap::default();
    let gathered = gather::gather(&mut sources, paths, options)?;
    let settings = reading(&gathered, options);
    match front::functions(&mut sources, &gathered.inputs, &settings) {
        Ok(found) => Ok(found.into_iter().map(|(name, _)| name).collect()),
        Err(diagnostics) => Err(match options.budget.check() {
            Err(stop) => LoadError::Stopped(stop),
            Ok(()) => LoadError::Invalid(Box::new(Invalid { sources, diagnostics })),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_from_where_the_driver_lies() {
        let check = |at: &str, file: &str, expected: &str| {
            assert_eq!(from(Path::new(at), Path::new(file)), Path::new(expected));
        };
        check("driver.c", "src/lib.c", "src/lib.c");
        check("src/driver.c", "src/lib.c", "lib.c");
        check("out/x/driver.c", "src/lib.c", "../../src/lib.c");
        check("out/driver.c", "lib.c", "../lib.c");
    }
}
