//! Checks in processes of their own. Dropping a [`Run`] ends its process. What is checked is
//! the file on disk, with whatever it includes.

use crate::Settings;
use crate::documents::Document;
use parallax_child::Guard;
use serde_json::Value as Json;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

/// How often somebody looks whether a check was cancelled.
const TICK: Duration = Duration::from_millis(5);

/// A check that goes on.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) number: u64,
    cancelled: Arc<AtomicBool>,
}

/// A check that has ended.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) uri: String,
    pub(crate) key: String,
    pub(crate) number: u64,
    /// The object of `--json`, if there is one.
    pub(crate) object: Option<Json>,
    pub(crate) messages: String,
}

/// What is written on request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Product {
    /// A C file that reproduces a failure.
    Harness,
    /// A page.
    Report,
}

impl Run {
    /// Begins to check a document; `told` hears how it ends.
    pub(crate) fn begin(
        settings: &Settings,
        document: &Document,
        told: &Sender<Finished>,
    ) -> io::Result<Run> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut command = command(settings, document);
        command.arg("--json");
        let cancelled = Arc::new(AtomicBool::new(false));
        let run = Run { number, cancelled: Arc::clone(&cancelled) };
        let (uri, key, told) = (document.uri.clone(), document.key(), told.clone());
        let work = move || {
            let (object, messages) = output(&command, &cancelled);
            // Nobody listens once the editor is gone.
            let _ = told.send(Finished { uri, key, number, object, messages });
        };
        std::thread::Builder::new().name(String::from("check")).spawn(work)?;
        Ok(run)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

fn command(settings: &Settings, document: &Document) -> Command {
    let mut command = Command::new(&settings.program);
    command.arg(document.command).arg(&document.path);
    command.args(&settings.arguments);
    command.current_dir(document.path.parent().unwrap_or(Path::new("/")));
    command
}

/// Runs a command until it ends or is cancelled.
fn output(command: &Command, cancelled: &AtomicBool) -> (Option<Json>, String) {
    let mut child = match Guard::default().start(command) {
        Ok(child) => child,
        Err(error) => return (None, error.to_string()),
    };
    let read = |pipe: Option<Box<dyn io::Read + Send>>| {
        std::thread::spawn(move || {
            let mut text = Vec::new();
            // A pipe that breaks has ended.
            let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut text));
            String::from_utf8_lossy(&text).into_owned()
        })
    };
    let out = read(child.output().map(|pipe| Box::new(pipe) as _));
    let messages = read(child.messages().map(|pipe| Box::new(pipe) as _));
    while matches!(child.try_wait(), Ok(None)) && !cancelled.load(Ordering::Relaxed) {
        std::thread::sleep(TICK);
    }
    drop(child);
    let out = out.join().unwrap_or_default();
    (serde_json::from_str(&out).ok(), messages.join().unwrap_or_default())
}

/// Writes a file about a document as it is on disk, beside it.
pub(crate) fn write(
    settings: &Settings,
    document: &Document,
    product: Product,
) -> io::Result<PathBuf> {
    let folder = document.path.parent().unwrap_or(Path::new("/"));
    let stem = document.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut command = command(settings, document);
    let path = match product {
        Product::Harness => {
            let into = folder.join(format!("{stem}-harness"));
            command.arg("--harness").arg(&into);
            into.join("harness.c")
        }
        Product::Report => {
            let path = folder.join(format!("{stem}.html"));
            command.arg("--report").arg(&path);
            path
        }
    };
    let before = std::fs::metadata(&path).and_then(|m| m.modified()).ok();
    let done = Guard::default().start(&command)?.finish()?;
    let after = std::fs::metadata(&path).and_then(|m| m.modified()).ok();
    match after.is_some() && after != before {
        true => Ok(path),
        false => Err(io::Error::other(String::from_utf8_lossy(&done.stderr).trim().to_owned())),
    }
}
