//! The system's C preprocessor as a child process.
//!
//! The command is `cc` with arguments fixed here; what users add are folders,
//! macros and the language standard. Nothing an analyzed file says reaches the
//! command line. Time and output are bounded.

use crate::options::Flag;
use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How long one file may take.
const TIME: Duration = Duration::from_secs(60);
/// How many bytes one file may become.
pub(crate) const SIZE: u64 = 1 << 29;

/// What to preprocess.
pub(super) enum Subject<'a> {
    File(&'a Path),
    Text(&'a str),
}

/// What the preprocessor said.
pub(super) struct Output {
    pub(super) succeeded: bool,
    pub(super) text: Vec<u8>,
    pub(super) messages: String,
}

/// Why there is no output.
pub(super) enum Failure {
    /// There is no `cc`.
    Missing,
    TooSlow,
    TooLarge,
    Other(std::io::Error),
}

/// The arguments for flags, each in one word so that none is read as another.
fn arguments(flags: &[Flag]) -> Vec<OsString> {
    let joined = |option: &str, value: &std::ffi::OsStr| {
        let mut word = OsString::from(option);
        word.push(value);
        word
    };
    let mut out = Vec::new();
    for flag in flags {
        match flag {
            Flag::Include(path) => out.push(joined("-I", path.as_os_str())),
            Flag::Define(text) => out.push(joined("-D", text.as_ref())),
            Flag::Undefine(name) => out.push(joined("-U", name.as_ref())),
            Flag::Standard(name) => out.push(joined("-std=", name.as_ref())),
            Flag::SystemInclude(path) => out.extend(["-isystem".into(), plain(path)]),
            Flag::QuoteInclude(path) => out.extend(["-iquote".into(), plain(path)]),
            Flag::ForcedInclude(path) => out.extend(["-include".into(), plain(path)]),
        }
    }
    out
}

/// A path that is not taken for an option or a response file.
pub(super) fn plain(path: &Path) -> OsString {
    let first = path.as_os_str().as_encoded_bytes().first();
    match first {
        Some(b'-' | b'@') => Path::new(".").join(path).into_os_string(),
        _ => path.as_os_str().to_owned(),
    }
}

/// Runs `cc -E`. `fixed` are arguments of ours that depend on the data model.
pub(super) fn run(
    subject: &Subject<'_>,
    fixed: &[&str],
    flags: &[Flag],
) -> Result<Output, Failure> {
    let mut command = Command::new("cc");
    command.args(["-E", "-x", "c", "-std=gnu11", "-U_FORTIFY_SOURCE"]).args(fixed);
    command.args(arguments(flags));
    match subject {
        Subject::File(path) => command.arg(plain(path)),
        Subject::Text(_) => command.arg("-"),
    };
    command.env("LC_ALL", "C").env_remove("DEPENDENCIES_OUTPUT").env_remove("SUNPRO_DEPENDENCIES");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::Missing,
        _ => Failure::Other(error),
    })?;
    let result = collect(&mut child, subject);
    if result.is_err() {
        kill(&mut child);
    }
    // So that no zombie is left; after a failure the child was killed.
    let status = child.wait().map_err(Failure::Other)?;
    let (text, messages) = result?;
    let messages = String::from_utf8_lossy(&messages).into_owned();
    Ok(Output { succeeded: status.success(), text, messages })
}

/// Feeds the child and reads what it writes until it is done.
fn collect(child: &mut Child, subject: &Subject<'_>) -> Result<(Vec<u8>, Vec<u8>), Failure> {
    let deadline = Instant::now() + TIME;
    let stdin = child.stdin.take();
    if let (Some(mut stdin), Subject::Text(text)) = (stdin, subject) {
        let text = (*text).to_owned();
        // A child that ends early closes the pipe; its messages tell why.
        thread::spawn(move || drop(stdin.write_all(text.as_bytes())));
    }
    let text = read(child.stdout.take());
    let messages = read(child.stderr.take());
    let wait = |receiver: mpsc::Receiver<std::io::Result<Vec<u8>>>| {
        let left = deadline.saturating_duration_since(Instant::now());
        let bytes = receiver.recv_timeout(left).map_err(|_| Failure::TooSlow)?;
        let bytes = bytes.map_err(Failure::Other)?;
        if bytes.len() as u64 > SIZE { Err(Failure::TooLarge) } else { Ok(bytes) }
    };
    Ok((wait(text)?, wait(messages)?))
}

/// Reads a pipe to its end on a thread of its own.
fn read(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<std::io::Result<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let result = match pipe {
            Some(pipe) => pipe.take(SIZE + 1).read_to_end(&mut bytes).map(|_| bytes),
            None => Ok(bytes),
        };
        // Nobody listens any more if the time was up.
        let _ = sender.send(result);
    });
    receiver
}

/// Ends the child and, where there are process groups, what it started.
fn kill(child: &mut Child) {
    if cfg!(unix) {
        let group = format!("-{}", child.id());
        let mut kill = Command::new("kill");
        let _ = kill.args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
    }
    // Fails only if the child has already ended.
    let _ = child.kill();
}
