//! Results on their way out: text, JSON or annotations on standard output, and files
//! for other tools. What all of them say is read off one object.

use crate::drive::Timed;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{files, terminal};
use clap::ValueEnum;
use parallax::report::{Digest, Page, annotations, junit, render_page, sarif};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What other tools read.
#[derive(clap::Args, Clone, Default, Debug)]
#[command(next_help_heading = "For other tools")]
pub(crate) struct FormatArgs {
    /// Print the result as annotations of GitHub Actions
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    pub(crate) format: Option<Printed>,
    /// Write the result as SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
    /// Write the result as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write the result as a page of HTML that opens from disk
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Write what happens while it happens, as lines of JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,
}

/// What is printed instead of text.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Printed {
    // Workflow commands.
    Github,
}

impl FormatArgs {
    /// The files that are written.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = &Path> {
        [&self.sarif, &self.junit, &self.report, &self.events]
            .into_iter()
            .flatten()
            .map(PathBuf::as_path)
    }
}

/// Where the result of a command goes.
#[derive(Clone, Default, Debug)]
pub(crate) struct Delivery {
    /// What the command is about, for what has no place of its own.
    pub(crate) subject: String,
    /// Whether one JSON object is wanted.
    pub(crate) is_json: bool,
    /// What other tools read.
    pub(crate) formats: FormatArgs,
}

impl Delivery {
    /// Where the result of a command goes that takes time.
    pub(crate) fn of(command: &dyn Timed) -> Delivery {
        let (is_json, formats) = (command.is_json(), command.formats());
        Delivery { subject: command.asked().subject, is_json, formats }
    }

    /// Whether text is printed.
    pub(crate) fn is_text(&self) -> bool {
        !self.is_json && self.formats.format.is_none()
    }

    /// Hands a result out, and returns the verdict in it. `page` is what a page shows
    /// besides the object.
    pub(crate) fn result(
        &self,
        object: &impl Serialize,
        text: impl FnOnce() -> String,
        page: impl FnOnce() -> Page,
    ) -> Result<String, Failure> {
        match self.formats.format {
            _ if self.is_json => terminal::print_json(object),
            Some(Printed::Github) => terminal::print(&annotations(&self.digest(object))),
            None => terminal::print(&text()),
        }
        self.write(object, page)?;
        Ok(data(object)["verdict"].as_str().unwrap_or_default().to_owned())
    }

    /// Says why there is no result.
    pub(crate) fn failure(&self, failure: &Failure) -> Exit {
        let object = failure.object();
        match self.formats.format {
            Some(Printed::Github) if !self.is_json => {
                terminal::print(&annotations(&self.digest(&object)));
            }
            _ => failure.print(self.is_json),
        }
        if let Err(second) = self.write(&object, Page::default) {
            // One object is out already.
            second.print(false);
        }
        failure.exit()
    }

    /// Writes the files.
    fn write(&self, object: &impl Serialize, page: impl FnOnce() -> Page) -> Result<(), Failure> {
        let put = |path: &Option<PathBuf>, render: fn(&Digest) -> String| match path {
            Some(path) => {
                let text = render(&self.digest(object));
                files::write(path, |out| out.write_all(text.as_bytes()))
            }
            None => Ok(()),
        };
        put(&self.formats.sarif, sarif)?;
        put(&self.formats.junit, junit)?;
        let Some(path) = &self.formats.report else { return Ok(()) };
        let mut page = page();
        // A command that says nothing of its own shows its object.
        if page.object.is_null() {
            page.object = data(object);
        }
        if page.title.is_empty() {
            page.title.clone_from(&self.subject);
        }
        page.command = std::env::args().nth(1).unwrap_or_default();
        page.version = env!("CARGO_PKG_VERSION").to_owned();
        files::write(path, |out| out.write_all(render_page(&page).as_bytes()))
    }

    fn digest(&self, object: &impl Serialize) -> Digest {
        Digest::of(&self.subject, env!("CARGO_PKG_VERSION"), &data(object))
    }
}

fn data(object: &impl Serialize) -> serde_json::Value {
    // Serializing plain data cannot fail.
    serde_json::to_value(object).unwrap_or_default()
}
