//! The two ways to run a C text: compiled by `cc`, and interpreted.

use parallax_base::SourceMap;
use parallax_cfa::DataModel;
use parallax_cfa::run::{Interpreter, Options, Oracle, Recorded};
use parallax_front_c::Input;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A file name of its own in a folder for temporary files.
fn temporary(extension: &str) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("parallax-differential-{}-{number}.{extension}", std::process::id());
    std::env::temp_dir().join(name)
}

/// What the compiled program prints. `None` if this machine cannot compile for
/// the data model.
pub(crate) fn compiled(text: &str, model: DataModel, flags: &[&str]) -> Option<String> {
    compiled_by("cc", text, model, flags)
}

/// The same with a compiler by name.
pub(crate) fn compiled_by(
    name: &str,
    text: &str,
    model: DataModel,
    flags: &[&str],
) -> Option<String> {
    let (source, binary) = (temporary("c"), temporary("out"));
    std::fs::write(&source, text).expect("temporary files can be written");
    let mut command = Command::new(name);
    command.args(["-std=gnu11", "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off"]);
    if model == DataModel::Ilp32 {
        // Without this, floats are computed in the x87 format.
        command.args(["-m32", "-msse2", "-mfpmath=sse", "-fexcess-precision=standard"]);
    }
    let compiler =
        command.args(flags).arg("-o").args([&binary, &source]).output().expect("`cc` is installed");
    if !compiler.status.success() {
        let message = String::from_utf8_lossy(&compiler.stderr).into_owned();
        assert!(model == DataModel::Ilp32, "cc refuses {}:\n{message}", source.display());
        let _ = std::fs::remove_file(&source);
        return None;
    }
    let run = Command::new(&binary).output().expect("the compiled program runs");
    assert!(run.status.success(), "{} ends with {}", source.display(), run.status);
    let _ = (std::fs::remove_file(&source), std::fs::remove_file(&binary));
    Some(String::from_utf8_lossy(&run.stdout).into_owned())
}

/// Whether `cc` can make 32-bit programs here.
pub(crate) fn has_ilp32() -> bool {
    compiled("int main(void) { return 0; }", DataModel::Ilp32, &[]).is_some()
}

/// What the interpreted program prints, with a line that says how it ended if
/// that is not in good order; and how many edges it took.
pub(crate) fn interpreted(text: &str, model: DataModel) -> (String, u64) {
    interpreted_by(text, model, &mut Recorded::default())
}

/// The same with somebody who chooses what the program leaves open.
pub(crate) fn interpreted_by(
    text: &str,
    model: DataModel,
    oracle: &mut dyn Oracle,
) -> (String, u64) {
    let mut sources = SourceMap::default();
    let options = parallax_front_c::Options { model, ..Default::default() };
    let input = Input::text("program.i", text);
    let loaded = match parallax_front_c::load(&mut sources, &[input], &options) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return (format!("refused: {diagnostics:?}"), 0),
    };
    let run = Interpreter::new(&loaded.program, Options::default());
    let report = run.run(oracle);
    let mut output = String::from_utf8_lossy(&report.output).into_owned();
    if report.outcome != parallax_cfa::run::Outcome::Exit(Some(0)) {
        let place = report.position.map(|at| {
            let text = sources.get(at.span.file).map_or("", |file| file.text());
            text.get(at.span.range()).unwrap_or_default().to_string()
        });
        output.push_str(&format!("{} at {place:?}\n", report.outcome));
    }
    (output, report.steps)
}

/// The first line in which two outputs differ.
pub(crate) fn first_difference<'a>(a: &'a str, b: &'a str) -> Option<(&'a str, &'a str)> {
    if a == b {
        return None;
    }
    let (mut left, mut right) = (a.lines(), b.lines());
    loop {
        match (left.next(), right.next()) {
            (Some(x), Some(y)) if x == y => {}
            (None, None) => return Some(("(end)", "(end)")),
            (x, y) => return Some((x.unwrap_or("(end)"), y.unwrap_or("(end)"))),
        }
    }
}
