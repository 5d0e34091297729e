//! The system's C preprocessor as a child process.
//!
//! The command is `cc` with arguments fixed here; what users add are folders,
//! macros and the language standard. Nothing an analyzed file says reaches the
//! command line, not even a name that compilers take for a file of further
//! options (`@name`): the driver of GCC hands parts of names and arguments on as
//! words of their own, so none of them may begin with `@`.
//!
//! The child ends with us, within limits of time, memory and output, and reads
//! only what is within [`Reach`].

use crate::options::Flag;
use parallax_base::{Budget, Stop};
use parallax_child::{Guard, Guarded, Reach, find_program};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long one file may take.
const TIME: Duration = Duration::from_secs(60);
/// How much memory one file may take.
const MEMORY: u64 = 4 << 30;
/// How many bytes one file may become.
pub(crate) const SIZE: u64 = 1 << 29;
/// How many bytes of messages are read.
const MESSAGES: u64 = 1 << 24;
/// How often the budget is looked at.
const TICK: Duration = Duration::from_millis(10);

/// What to preprocess.
pub(super) enum Subject<'a> {
    /// A regular file with a harmless name.
    File(&'a Path),
    /// A text, with the name it has in places, and the folder that its includes
    /// are relative to.
    Text { name: &'a str, text: &'a [u8], folder: Option<&'a Path> },
}

/// What the preprocessor said.
pub(super) struct Output {
    pub(super) succeeded: bool,
    pub(super) text: Vec<u8>,
    pub(super) messages: String,
    /// Names of the subject in places.
    pub(super) names: Vec<String>,
    /// Whether it could read nothing else than it was allowed to.
    pub(super) is_confined: bool,
}

/// Why there is no output.
pub(super) enum Failure {
    /// There is no `cc`.
    Missing,
    TooSlow,
    TooLarge,
    /// The limits of the run were reached.
    Stopped(Stop),
    /// What was to be defined is no macro.
    NoMacro(String),
    Other(io::Error),
}

/// The arguments for flags.
fn arguments(flags: &[Flag]) -> Result<Vec<OsString>, Failure> {
    let mut out: Vec<OsString> = Vec::new();
    for flag in flags {
        let (option, value) = match flag {
            Flag::Include(path) => ("-I", plain(path)),
            Flag::SystemInclude(path) => ("-isystem", plain(path)),
            Flag::QuoteInclude(path) => ("-iquote", plain(path)),
            Flag::ForcedInclude(path) => ("-include", plain(path)),
            Flag::Define(text) => ("-D", macro_word(text)?),
            Flag::Undefine(name) => ("-U", macro_word(name)?),
            Flag::Standard(name) => {
                out.push(format!("-std={name}").into());
                continue;
            }
        };
        out.extend([option.into(), value]);
    }
    Ok(out)
}

/// A macro, if its name begins as names do.
fn macro_word(text: &str) -> Result<OsString, Failure> {
    let begins = |c: char| c.is_alphabetic() || c == '_' || c == '$';
    match text.starts_with(begins) {
        true => Ok(text.into()),
        false => Err(Failure::NoMacro(text.to_owned())),
    }
}

/// A path that is not taken for an option or a response file.
fn plain(path: &Path) -> OsString {
    match path.as_os_str().as_encoded_bytes().first() {
        Some(b'-' | b'@') => Path::new(".").join(path).into_os_string(),
        _ => path.as_os_str().to_owned(),
    }
}

/// Whether compilers take no part of a file's path for anything else.
pub(super) fn has_harmless_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().first() != Some(&b'@'))
}

/// The subject as a file, if it is none, and its names in places.
struct Prepared {
    path: PathBuf,
    names: Vec<String>,
    folder: Option<PathBuf>,
    /// Removed when dropped.
    _text: Option<TempDir>,
}

fn prepared(subject: &Subject<'_>) -> io::Result<Prepared> {
    match subject {
        Subject::File(path) => {
            let path = PathBuf::from(plain(path));
            let names = vec![path.to_string_lossy().into_owned()];
            Ok(Prepared { path, names, folder: None, _text: None })
        }
        Subject::Text { name, text, folder } => {
            let place = tempfile::Builder::new().prefix("parallax-").tempdir()?;
            let path = place.path().join("text.c");
            // A line marker gives the text its name.
            let name: String = name.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
            let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
            let mut file = std::fs::File::create(&path)?;
            file.write_all(format!("# 1 \"{quoted}\"\n").as_bytes())?;
            file.write_all(text)?;
            let names = vec![name, path.to_string_lossy().into_owned()];
            let folder = folder.map(Path::to_owned);
            Ok(Prepared { path, names, folder, _text: Some(place) })
        }
    }
}

/// The compiler that preprocesses.
pub(super) fn compiler() -> Option<PathBuf> {
    find_program("cc")
}

/// Runs `cc -E`. `fixed` are arguments of ours that depend on the data model.
pub(super) fn run(
    subject: &Subject<'_>,
    fixed: &[String],
    flags: &[Flag],
    reach: &Reach,
    budget: &Budget,
) -> Result<Output, Failure> {
    let compiler = compiler().ok_or(Failure::Missing)?;
    let prepared = prepared(subject).map_err(Failure::Other)?;
    let mut reach = reach.clone();
    prepared.path.parent().into_iter().for_each(|folder| reach.add(folder));
    let mut command = Command::new(&compiler);
    command.args(["-E", "-x", "c", "-std=gnu11", "-U_FORTIFY_SOURCE"]).args(fixed);
    if let Some(folder) = &prepared.folder {
        command.arg("-iquote").arg(plain(folder));
    }
    command.args(arguments(flags)?).arg(&prepared.path);
    command.env("LC_ALL", "C").env("CCACHE_DISABLE", "1");
    command.env_remove("DEPENDENCIES_OUTPUT").env_remove("SUNPRO_DEPENDENCIES");
    let time = budget.remaining().map_or(TIME, |left| left.min(TIME));
    let guard = Guard {
        seconds: Some(time.as_secs() + 1),
        memory: Some(budget.memory_limit().map_or(MEMORY, |limit| limit.min(MEMORY))),
        reach: Some(&reach),
    };
    let mut child = guard.start(&command).map_err(Failure::Other)?;
    let is_confined = child.is_confined();
    let (status, text, messages) = collect(&mut child, Instant::now() + TIME, budget)?;
    let messages = String::from_utf8_lossy(&messages).into_owned();
    let succeeded = status.success();
    Ok(Output { succeeded, text, messages, names: prepared.names, is_confined })
}

/// Reads what the child writes until it is done. When this fails, whoever has
/// the child drops it, which ends it.
fn collect(
    child: &mut Guarded,
    deadline: Instant,
    budget: &Budget,
) -> Result<(ExitStatus, Vec<u8>, Vec<u8>), Failure> {
    let text = read(child.output(), SIZE).map_err(Failure::Other)?;
    let messages = read(child.messages(), MESSAGES).map_err(Failure::Other)?;
    let text = receive(&text, SIZE, deadline, budget)?;
    let messages = receive(&messages, MESSAGES, deadline, budget)?;
    loop {
        if let Some(status) = child.try_wait().map_err(Failure::Other)? {
            return Ok((status, text, messages));
        }
        go_on(deadline, budget)?;
        thread::sleep(Duration::from_millis(1));
    }
}

fn go_on(deadline: Instant, budget: &Budget) -> Result<(), Failure> {
    budget.check().map_err(Failure::Stopped)?;
    if Instant::now() < deadline { Ok(()) } else { Err(Failure::TooSlow) }
}

/// What a thread reads, unless it is more than `limit`.
fn receive(
    from: &mpsc::Receiver<io::Result<Vec<u8>>>,
    limit: u64,
    deadline: Instant,
    budget: &Budget,
) -> Result<Vec<u8>, Failure> {
    loop {
        match from.recv_timeout(TICK) {
            Ok(Ok(bytes)) if bytes.len() as u64 > limit => return Err(Failure::TooLarge),
            Ok(bytes) => return bytes.map_err(Failure::Other),
            Err(RecvTimeoutError::Timeout) => go_on(deadline, budget)?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::Other(io::Error::other("its output cannot be read")));
            }
        }
    }
}

/// Reads a pipe to its end, or beyond `limit`, on a thread of its own.
fn read(
    pipe: Option<impl Read + Send + 'static>,
    limit: u64,
) -> io::Result<mpsc::Receiver<io::Result<Vec<u8>>>> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let result = match pipe {
            Some(pipe) => pipe.take(limit + 1).read_to_end(&mut bytes).map(|_| bytes),
            None => Ok(bytes),
        };
        // Nobody listens any more if the time was up.
        let _ = sender.send(result);
    })?;
    Ok(receiver)
}
