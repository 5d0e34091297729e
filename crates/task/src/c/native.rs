//! A violation, seen natively: the harness of a run is compiled together with the
//! program and run in a sandbox, under the sanitizers that its property needs.
//!
//! # Soundness
//! Nothing rests on it. A verdict has been accepted before; this is a second
//! opinion by a compiler and a machine that know nothing of us.

use super::{Breach, CProgram};
use parallax_child::{NotBuilt, Reach, compile, execute};
use parallax_report::Harness;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;

/// How long a program may take that is said to fail.
const TIME: Duration = Duration::from_secs(20);

/// What came of a native run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Native {
    /// It failed as predicted; what it said last.
    Reproduced(String),
    /// It ended otherwise: how, and how many values of the run were not given
    /// to it.
    Otherwise(String, usize),
    /// It cannot be seen: why.
    NotSeen(String),
}

impl Native {
    /// A stable word.
    pub fn word(&self) -> &'static str {
        match self {
            Native::Reproduced(_) => "reproduced",
            Native::Otherwise(..) => "not reproduced",
            Native::NotSeen(_) => "not run",
        }
    }
}

impl std::fmt::Display for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = self.word();
        match self {
            Native::Reproduced(how) => write!(f, "{word}: {how}"),
            Native::Otherwise(how, 0) => write!(f, "{word}: {how}"),
            Native::Otherwise(how, unset) => {
                let what = if *unset == 1 { "value or effect" } else { "values or effects" };
                write!(f, "{word}: {how}; {unset} {what} of the run cannot be had from outside")
            }
            Native::NotSeen(why) => write!(f, "{word}: {why}"),
        }
    }
}

impl Breach<'_> {
    /// Whether the violation shows itself when the program is compiled and run.
    pub fn shows_natively(&self) -> bool {
        Harness::can_show(self.property)
    }

    /// Compiles the program and runs it.
    pub fn run_natively(&self) -> Native {
        if self.has_several() {
            let why = "no compiler notices whose turn it is among several threads";
            return Native::NotSeen(why.to_owned());
        }
        if !self.shows_natively() {
            let property = self.property;
            return Native::NotSeen(format!("no compiler notices a violation of `{property}`"));
        }
        attempt(self).unwrap_or_else(Native::NotSeen)
    }
}

fn attempt(of: &Breach<'_>) -> Result<Native, String> {
    let failed = |error: std::io::Error| error.to_string();
    let folder = tempfile::Builder::new().prefix("parallax-native").tempdir().map_err(failed)?;
    let folder = folder.path();
    let harness = of.harness(folder).ok_or("there is no run")?;
    std::fs::write(folder.join("harness.c"), &harness.text).map_err(failed)?;
    if let Some(driver) = &harness.driver {
        std::fs::write(folder.join("driver.c"), driver).map_err(failed)?;
    }
    let words = of.words(&harness.flags, folder);
    let program = folder.join("reproduce");
    compile(words, &program, &reads(of.source)).map_err(|error| match error {
        NotBuilt::NoCompiler => "there is no `cc`".to_owned(),
        NotBuilt::Rejected(text) => {
            let first = text.lines().find(|line| line.contains("error")).or(text.lines().last());
            format!("`cc` rejects it: {}", first.unwrap_or_default())
        }
        NotBuilt::Failed(text) => format!("`cc` failed: {text}"),
    })?;
    let mut command = Command::new(&program);
    command.args(vec![""; harness.arguments]);
    let ran = execute(&command, TIME).map_err(failed)?;
    let Some(ran) = ran else {
        let how = format!("it does not end within {} s", TIME.as_secs());
        return Ok(Native::Otherwise(how, harness.unset));
    };
    let messages = String::from_utf8_lossy(&ran.stderr);
    Ok(match ran.status.code() {
        Some(Harness::FAILED) => Native::Reproduced(said(&messages).to_owned()),
        _ => Native::Otherwise(ended(ran.status, &messages), harness.unset),
    })
}

/// What the compiler may read: where the files that were read lie.
fn reads(c: &CProgram) -> Reach {
    let mut reach = Reach::new();
    let folders = c.files.iter().filter_map(|file| file.parent());
    folders.for_each(|folder| reach.add(folder));
    c.options.includes.iter().for_each(|folder| reach.add(folder));
    for file in c.sources.files() {
        if let Some(folder) = Path::new(file.name()).parent().filter(|f| !f.as_os_str().is_empty())
        {
            reach.add(folder);
        }
    }
    reach
}

/// The line that tells what went wrong.
fn said(messages: &str) -> &str {
    let marks = ["parallax: ", "runtime error: ", "ERROR: "];
    let found = marks.iter().find_map(|mark| {
        let line = messages.lines().find(|line| line.contains(mark))?;
        line.split_once(mark).map(|(_, text)| text)
    });
    let text = found.unwrap_or("it failed");
    text.strip_prefix("AddressSanitizer: ").unwrap_or(text).trim()
}

/// How a run ended that did not fail.
fn ended(status: ExitStatus, messages: &str) -> String {
    match messages.lines().find_map(|line| line.strip_prefix("parallax: ")) {
        Some(text) => text.to_owned(),
        None => format!("it ends with {status}"),
    }
}
