//! A campaign's folder, the binary it asks, and what came out.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What one kind came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Inputs, variants not counted.
    pub inputs: u64,
    /// Inputs of which what is asked does not hold.
    pub violated: u64,
    /// Questions that were asked.
    pub answers: u64,
    /// Answers that are not `unknown`.
    pub decided: u64,
}

/// What ends a campaign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// What is wrong.
    pub message: String,
    /// The command that shows it.
    pub command: Vec<String>,
    /// The files that the command reads, under the asker's folder.
    pub files: Vec<String>,
}

impl Wrong {
    /// Something went wrong that is no answer.
    pub(super) fn failed(message: impl Into<String>) -> Wrong {
        Wrong { message: message.into(), command: Vec::new(), files: Vec::new() }
    }
}

/// What one run of Parallax said.
pub(super) struct Said {
    pub(super) code: i32,
    pub(super) json: Value,
    pub(super) command: Vec<String>,
}

/// A folder to work in and a binary to ask.
#[derive(Clone, Debug)]
pub struct Asker {
    /// The binary.
    pub parallax: PathBuf,
    /// Where inputs are written.
    pub folder: PathBuf,
    /// The time limit of one answer, in seconds.
    pub time: u64,
}

impl Asker {
    /// Writes a file of the input.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), Wrong> {
        let path = self.folder.join(name);
        std::fs::write(&path, text).map_err(|e| Wrong::failed(format!("{}: {e}", path.display())))
    }

    /// Runs a program in the folder.
    pub(super) fn run(&self, program: &str, args: &[&str]) -> Result<std::process::Output, Wrong> {
        let mut command = Command::new(program);
        command.args(args).current_dir(&self.folder).stdin(Stdio::null());
        command.output().map_err(|error| Wrong::failed(format!("{program}: {error}")))
    }

    /// Compiles with `cc`.
    pub(super) fn compile(&self, args: &[&str]) -> Result<(), Wrong> {
        let done = self.run("cc", args)?;
        match done.status.success() {
            true => Ok(()),
            false => Err(Wrong::failed(format!("cc: {}", String::from_utf8_lossy(&done.stderr)))),
        }
    }

    /// Asks Parallax; exit codes other than those of verdicts are wrong.
    pub(super) fn ask(&self, args: &[&str], files: &[&str]) -> Result<Said, Wrong> {
        let limit = format!("{}s", self.time);
        let mut all = args.to_vec();
        all.extend(["--json", "--time", &limit]);
        let done = self.run(&self.parallax.to_string_lossy(), &all)?;
        let command: Vec<String> = all.iter().map(|&arg| arg.to_owned()).collect();
        let text = String::from_utf8_lossy(&done.stdout);
        let wrong = |message| Wrong {
            message,
            command: command.clone(),
            files: files.iter().map(|&f| f.to_owned()).collect(),
        };
        let code = done.status.code();
        let json = serde_json::from_str(&text);
        match (code, json) {
            (Some(code @ (0 | 10 | 20)), Ok(json)) => Ok(Said { code, json, command }),
            _ => {
                let error = String::from_utf8_lossy(&done.stderr);
                Err(wrong(format!("exit {code:?}: {text}{error}")))
            }
        }
    }

    /// Has evidence accepted that a run wrote.
    pub(super) fn certify(&self, args: &[&str], files: &[&str]) -> Result<(), Wrong> {
        let mut all = vec!["certify"];
        all.extend(args);
        let done = self.run(&self.parallax.to_string_lossy(), &all)?;
        if matches!(done.status.code(), Some(0 | 10)) {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&done.stdout);
        let error = String::from_utf8_lossy(&done.stderr);
        Err(Wrong {
            message: format!("our own evidence is not accepted: {text}{error}"),
            command: all.iter().map(|&arg| arg.to_owned()).collect(),
            files: files.iter().map(|&f| f.to_owned()).collect(),
        })
    }
}

impl Said {
    /// Counts an answer; a verdict that is not `unknown` must be the truth.
    pub(super) fn judge(
        &self,
        verdict: &str,
        truth: &str,
        files: &[&str],
        counts: &mut Counts,
    ) -> Result<(), Wrong> {
        counts.answers += 1;
        if verdict == "unknown" {
            return Ok(());
        }
        counts.decided += 1;
        match verdict == truth {
            true => Ok(()),
            false => Err(self.wrong(format!("the answer is {verdict}, the truth {truth}"), files)),
        }
    }

    /// A wrong answer.
    pub(super) fn wrong(&self, message: String, files: &[&str]) -> Wrong {
        let files = files.iter().map(|&f| f.to_owned()).collect();
        Wrong { message, command: self.command.clone(), files }
    }

    /// The verdict on a property.
    pub(super) fn verdict(&self, property: &str) -> String {
        let properties = self.json["properties"].as_array().map_or(&[][..], |list| list);
        let asked = properties.iter().find(|p| p["name"] == property);
        let verdict = asked.and_then(|p| p["verdict"].as_str());
        verdict.unwrap_or("missing").to_owned()
    }
}

/// The word for a truth.
pub(super) fn word(holds: bool) -> &'static str {
    if holds { "holds" } else { "violated" }
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

impl Asker {
    /// Keeps the files of a wrong answer, and how to ask again, in a folder.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn keep(&self, wrong: &Wrong, to: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(to)?;
        for file in &wrong.files {
            std::fs::copy(self.folder.join(file), to.join(file))?;
        }
        let command = wrong.command.join(" ");
        std::fs::write(to.join("README"), format!("parallax {command}\n{}\n", wrong.message))
    }
}
