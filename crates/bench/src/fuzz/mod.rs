//! A campaign that goes on: random programs with ground truth, asked in every
//! setting that must not make a difference.
//!
//! The truth of a program comes from running it natively on all its inputs,
//! compiled twice. An answer is wrong if it contradicts the truth. Settings are
//! engines, encodings and options; and metamorphic variants: other names, dead
//! code, all properties instead of one. Evidence for `holds` is checked again by
//! `certify`.

mod program;

pub use program::{Program, Random, driver, program};

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Options that must not change a verdict.
pub const SETTINGS: [&[&str]; 9] = [
    &[],
    &["--engine", "bmc"],
    &["--engine", "cegar"],
    &["--engine", "symba"],
    &["--engine", "ase"],
    &["--encoding", "bv"],
    &["--engine", "cegar", "--encoding", "bv"],
    &["--blocks", "single"],
    &["-p", "all"],
];

/// The truth of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// The error is never reached.
    Holds,
    /// Some input reaches it.
    Violated,
}

impl Truth {
    /// The word in answers.
    pub fn word(self) -> &'static str {
        match self {
            Truth::Holds => "holds",
            Truth::Violated => "violated",
        }
    }
}

/// Compiles and runs a program on all inputs.
///
/// # Errors
/// What went wrong: a compiler that is missing, or a program that is not what
/// it should be.
pub fn truth(folder: &Path, program: &Program) -> Result<Truth, String> {
    let source = folder.join("program.c");
    let main = folder.join("driver.c");
    let write = |path: &Path, text: &str| std::fs::write(path, text).map_err(|e| e.to_string());
    write(&source, &program.text)?;
    write(&main, &driver(program.inputs))?;
    let mut found = None;
    for level in ["-O0", "-O2"] {
        let binary = folder.join("native");
        // The driver has a `main` of its own.
        let object = folder.join("program.o");
        let mut first = Command::new("cc");
        first.args(["-w", level, "-Dmain=parallax_main", "-c", "-o"]).arg(&object).arg(&source);
        let mut second = Command::new("cc");
        second.args(["-w", "-o"]).arg(&binary).arg(&main).arg(&object);
        for command in [&mut first, &mut second] {
            let done = command.output().map_err(|error| format!("cc: {error}"))?;
            if !done.status.success() {
                return Err(format!("cc: {}", String::from_utf8_lossy(&done.stderr)));
            }
        }
        let status = Command::new(&binary).status().map_err(|error| error.to_string())?;
        let here = match status.code() {
            Some(0) => Truth::Holds,
            Some(1) => Truth::Violated,
            other => return Err(format!("the program does not end in order: {other:?}")),
        };
        if found.is_some_and(|earlier| earlier != here) {
            return Err("two compilations do not agree".into());
        }
        found = Some(here);
    }
    found.ok_or_else(|| "nothing was run".into())
}

/// The answer of Parallax to `unreach-call`: a verdict, or what went wrong.
///
/// # Errors
/// An internal error, a crash, or output that is no answer.
pub fn answer(
    parallax: &Path,
    source: &Path,
    settings: &[&str],
    seconds: u64,
) -> Result<String, String> {
    let proof = source.with_extension("json");
    let mut command = Command::new(parallax);
    command.arg("check").arg(source).args(settings).arg("--json");
    command.arg("--time").arg(format!("{seconds}s")).arg("--certificate").arg(&proof);
    let done = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&done.stdout);
    let code = done.status.code();
    if !matches!(code, Some(0 | 10 | 20)) {
        let error = String::from_utf8_lossy(&done.stderr);
        return Err(format!("exit {code:?}: {text}{error}"));
    }
    let json: Value = serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))?;
    let properties = json["properties"].as_array().map_or(&[][..], |list| list);
    let asked = properties.iter().find(|p| p["name"] == "unreach-call");
    let verdict = asked.and_then(|p| p["verdict"].as_str());
    let verdict = verdict.ok_or_else(|| format!("no answer: {text}"))?.to_owned();
    if code == Some(0) {
        let mut again = Command::new(parallax);
        again.arg("certify").arg(source).arg(&proof);
        let names = settings.windows(2).find(|pair| pair[0] == "-p");
        again.args(names.into_iter().flatten());
        let done = again.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
        if done.status.code() != Some(0) {
            let text = String::from_utf8_lossy(&done.stdout);
            let error = String::from_utf8_lossy(&done.stderr);
            return Err(format!("our own proof is not accepted: {text}{error}"));
        }
    }
    Ok(verdict)
}

/// The variants of a program that must have its verdict, with their names.
pub fn variants(seed: u64) -> Vec<(&'static str, Program)> {
    vec![
        ("plain", program(seed, "", false)),
        ("renamed", program(seed, "other_", false)),
        ("dead", program(seed, "", true)),
    ]
}

/// A folder for one campaign.
///
/// # Errors
/// When it cannot be made.
pub fn folder(name: &str) -> Result<PathBuf, String> {
    let folder = std::env::temp_dir().join(format!("parallax-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    Ok(folder)
}
