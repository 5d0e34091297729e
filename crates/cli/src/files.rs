//! Reading files, and writing them: whole or not at all, and never what was not
//! meant.
//!
//! A file is written beside its place and renamed. A symbolic link is neither
//! followed nor replaced, no file of the run is written over, and devices such as
//! `/dev/stdout` are written to directly. What could not be written in the end
//! is refused by [`prepare`] before the work begins.

use crate::failure::Failure;
use parallax::report::{Graph, to_dot, to_svg};
use parallax_base::SourceMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    Ok(parallax::read_text(path)?)
}

/// Where a run will write, checked before it works. The same path for two
/// outputs, an output over one of the `inputs`, and what cannot be written are
/// refused.
pub(crate) fn prepare<'a>(
    outputs: impl IntoIterator<Item = &'a Path>,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Failure> {
    let inputs: Vec<&Path> = inputs.into_iter().collect();
    let mut seen: Vec<PathBuf> = Vec::new();
    for path in outputs {
        let place = place(path).map_err(|error| unwritable(path, &error))?;
        if seen.contains(&place) {
            let message = format!("two outputs have the name `{}`", path.display());
            return Err(Failure::usage("P0016", &message));
        }
        seen.push(place);
        spare(path, &inputs)?;
        probe(path).map_err(|error| unwritable(path, &error))?;
    }
    Ok(())
}

/// Refuses outputs that are among the sources of a program, headers included.
pub(crate) fn spare_sources<'a>(
    outputs: impl IntoIterator<Item = &'a Path>,
    sources: &SourceMap,
) -> Result<(), Failure> {
    let read: Vec<&Path> = sources.files().map(|file| Path::new(file.name())).collect();
    outputs.into_iter().try_for_each(|output| spare(output, &read))
}

/// Refuses an output that is among the files that are read.
pub(crate) fn spare(output: &Path, inputs: &[&Path]) -> Result<(), Failure> {
    let written = fs::metadata(output).ok().filter(fs::Metadata::is_file);
    let Some(written) = written else { return Ok(()) };
    let is_same = |input: &&&Path| fs::metadata(input).is_ok_and(|read| same(&read, &written));
    match inputs.iter().find(is_same) {
        Some(input) => {
            let (output, input) = (output.display(), input.display());
            let message = format!("`{output}` would be written over `{input}`, which is read");
            Err(Failure::usage("P0016", &message))
        }
        None => Ok(()),
    }
}

/// Refuses a folder that cannot be made, or that nothing can be written to.
pub(crate) fn prepare_folder(folder: &Path) -> Result<(), Failure> {
    let is_there = |path: &&Path| path.as_os_str().is_empty() || path.exists();
    let near = folder.ancestors().find(is_there).unwrap_or(Path::new(""));
    let near = if near.as_os_str().is_empty() { Path::new(".") } else { near };
    let tried = match near.is_dir() {
        true => probe_folder(near),
        false => Err(io::Error::other(format!("`{}` is no folder", near.display()))),
    };
    tried.map_err(|error| unwritable(folder, &error))
}

/// Writes a file. A reader sees the old content or all of the new, and an
/// error leaves the old.
pub(crate) fn write(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    replace(path, content).map_err(|error| unwritable(path, &error))
}

/// Opens a file that is written bit by bit, for somebody who reads along.
pub(crate) fn stream(path: &Path) -> Result<File, Failure> {
    let opened = kind(path).and_then(|_| File::create(path));
    opened.map_err(|error| unwritable(path, &error))
}

/// Draws a graph, which is made if it is wanted.
pub(crate) fn draw(
    dot: Option<&Path>,
    svg: Option<&Path>,
    graph: impl FnOnce() -> Graph,
) -> Result<(), Failure> {
    if dot.is_none() && svg.is_none() {
        return Ok(());
    }
    let graph = graph();
    if let Some(path) = dot {
        write(path, |out| out.write_all(to_dot(&graph).as_bytes()))?;
    }
    if let Some(path) = svg {
        write(path, |out| out.write_all(to_svg(&graph).as_bytes()))?;
    }
    Ok(())
}

/// Makes a folder, if it is not there yet.
pub(crate) fn create_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| {
        Failure::input("P0006", &format!("cannot create `{}`: {error}", path.display()))
    })
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::input("P0006", &format!("cannot write `{}`: {error}", path.display()))
}

/// What a path is, as far as writing goes.
enum Kind {
    /// Standard output or standard error, under one of their names.
    Stdout,
    Stderr,
    /// A device or a pipe: it cannot be replaced, only written to.
    Special,
    /// A file, or nothing yet.
    File(Option<fs::Metadata>),
}

fn kind(path: &Path) -> io::Result<Kind> {
    match path.to_str() {
        Some("/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1") => return Ok(Kind::Stdout),
        Some("/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2") => return Ok(Kind::Stderr),
        _ => {}
    }
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Kind::File(None)),
        Err(error) => return Err(error),
    };
    match metadata.file_type() {
        kind if kind.is_symlink() && !is_of_the_system(path) => {
            Err(io::Error::other("it is a symbolic link; name the file itself"))
        }
        kind if kind.is_dir() => Err(io::Error::other("it is a folder")),
        kind if kind.is_file() => Ok(Kind::File(Some(metadata))),
        _ => Ok(Kind::Special),
    }
}

/// Whether the system keeps the names in a folder, such as `/dev/fd`.
fn is_of_the_system(path: &Path) -> bool {
    path.starts_with("/dev") || path.starts_with("/proc")
}

/// A path that is the same for all names of a file that may not be there yet.
fn place(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::other("not the name of a file"))?;
    let folder = folder_of(path);
    match folder.canonicalize() {
        Ok(folder) => Ok(folder.join(name)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(io::Error::other("its folder does not exist"))
        }
        Err(error) => Err(error),
    }
}

fn folder_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// Tries what [`replace`] will do, without effect.
fn probe(path: &Path) -> io::Result<()> {
    match kind(path)? {
        Kind::Stdout | Kind::Stderr => Ok(()),
        // Writing nothing fails where nothing can be written. A pipe is left
        // alone: it makes us wait until somebody reads.
        Kind::Special if is_pipe(path) => Ok(()),
        Kind::Special => File::options().write(true).open(path)?.write(&[]).map(|_| ()),
        Kind::File(old) => {
            if old.is_some_and(|old| old.permissions().readonly()) {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            probe_folder(folder_of(path))
        }
    }
}

/// Writes a block beside the files of a folder, and removes it.
fn probe_folder(folder: &Path) -> io::Result<()> {
    let aside = aside(folder);
    let written = File::create_new(&aside).and_then(|mut file| file.write_all(&[0; 4096]));
    // If it was not made there is nothing to remove.
    let _ = fs::remove_file(&aside);
    written
}

fn replace(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let old = match kind(path)? {
        // Opened again, a file behind it would be written from its start.
        Kind::Stdout => return flushed(&mut io::stdout().lock(), content),
        Kind::Stderr => return flushed(&mut io::stderr().lock(), content),
        Kind::Special => return content(&mut File::options().write(true).open(path)?),
        Kind::File(old) => old,
    };
    let aside = aside(folder_of(path));
    let written = File::create_new(&aside).and_then(|mut file| {
        content(&mut file)?;
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        fs::rename(&aside, path)
    });
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&aside);
    }
    written
}

fn flushed(
    out: &mut dyn Write,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    content(out)?;
    out.flush()
}

/// A name in a folder that nobody else uses.
fn aside(folder: &Path) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    folder.join(OsString::from(format!(".parallax-{}-{number}.tmp", std::process::id())))
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|m| m.file_type().is_fifo() || m.file_type().is_socket())
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}

/// Whether two files are one.
#[cfg(unix)]
fn same(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn same(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    false
}
