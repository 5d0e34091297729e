//! Which files a child may read, and we on its behalf.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Folders with all that lies below them, as they really are: a link that leads
/// out of them leads to nothing.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Reach {
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) programs: Vec<PathBuf>,
    pub(crate) own: Vec<PathBuf>,
}

impl Reach {
    /// Nothing.
    pub fn new() -> Reach {
        Reach::default()
    }

    /// Adds a folder whose files may be read; one that does not exist adds
    /// nothing.
    pub fn add(&mut self, folder: &Path) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if let Ok(folder) = folder.canonicalize()
            && !self.folders.contains(&folder)
        {
            self.folders.push(folder);
        }
    }

    /// Adds a folder whose files may be read and run.
    pub fn add_programs(&mut self, folder: &Path) {
        if let Ok(folder) = folder.canonicalize()
            && !self.programs.contains(&folder)
        {
            self.programs.push(folder);
        }
    }

    /// Adds a folder where files may be read, run and changed.
    pub fn add_own(&mut self, folder: &Path) {
        if let Ok(folder) = folder.canonicalize()
            && !self.own.contains(&folder)
        {
            self.own.push(folder);
        }
    }

    /// Adds what compilers are made of: a program, what was installed with it,
    /// and where systems keep programs, libraries and headers.
    pub fn add_system(&mut self, program: &Path) {
        const SYSTEM: [&str; 9] = [
            "/usr",
            "/bin",
            "/lib",
            "/lib32",
            "/lib64",
            "/libx32",
            "/opt",
            "/nix/store",
            "/gnu/store",
        ];
        SYSTEM.iter().for_each(|folder| self.add_programs(Path::new(folder)));
        for program in [Some(program.to_owned()), program.canonicalize().ok()] {
            let folder = program.as_deref().and_then(Path::parent);
            let prefix = folder.filter(|f| f.ends_with("bin")).and_then(Path::parent);
            let prefix = prefix.filter(|prefix| prefix.parent().is_some());
            if let Some(folder) = prefix.or(folder) {
                self.add_programs(folder);
            }
        }
    }

    /// Whether a path leads to something within reach.
    pub fn admits(&self, path: &Path) -> bool {
        let Ok(path) = path.canonicalize() else { return false };
        self.folders
            .iter()
            .chain(&self.programs)
            .chain(&self.own)
            .any(|folder| path.starts_with(folder))
    }

    /// The content of a file within reach that is no device, pipe or folder, and
    /// not larger than `limit`; `None` for anything else.
    pub fn read(&self, path: &Path, limit: u64) -> Option<Vec<u8>> {
        if !self.admits(path) {
            return None;
        }
        let file = open_without_waiting(path).ok()?;
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= limit).then_some(bytes)
    }
}

/// Opens a file; a pipe that nobody writes to does not make us wait.
fn open_without_waiting(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        options.custom_flags(flags.bits() as i32);
    }
    options.open(path)
}
