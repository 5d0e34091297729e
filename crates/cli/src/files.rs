//! Reading files, and writing them: whole or not at all.

use crate::failure::Failure;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    Ok(parallax::read_text(path)?)
}

/// Writes a file. A reader sees the old content or all of the new, and an
/// error leaves the old.
pub(crate) fn write(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    replace(path, content).map_err(|error| {
        Failure::input("P0006", &format!("cannot write `{}`: {error}", path.display()))
    })
}

/// Makes a folder, if it is not there yet.
pub(crate) fn create_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| {
        Failure::input("P0006", &format!("cannot create `{}`: {error}", path.display()))
    })
}

/// Refuses a path whose folder does not exist, before any work is done for it.
pub(crate) fn has_folder(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    if folder.is_none_or(Path::is_dir) {
        return Ok(());
    }
    let message = format!("cannot write `{}`: its folder does not exist", path.display());
    Err(Failure::input("P0006", &message))
}

fn replace(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A device or a pipe (`/dev/stdout`) cannot be replaced, only written to.
    let special = fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir());
    if special {
        return content(&mut File::options().write(true).open(path)?);
    }
    let aside = aside(path)?;
    let written = File::create_new(&aside).and_then(|mut file| {
        content(&mut file)?;
        if let Ok(old) = fs::metadata(path) {
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

/// A name in the same folder that nobody else uses.
fn aside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::other("not the name of a file"))?;
    let mut aside = std::ffi::OsString::from(".");
    aside.push(name);
    aside.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(aside))
}
