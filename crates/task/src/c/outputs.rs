//! Files about C programs: harnesses and witnesses.

use super::invariants::loop_invariants;
use super::{CProgram, CTask};
use crate::{MAX_BYTES, Task, read_limited};
use parallax_base::iso_time;
use parallax_cfa::{CProperty, Recording};
use parallax_evidence::ClosedSet;
use parallax_report::escape::shell_word;
use parallax_report::{
    Harness, WitnessInput, WitnessTask, correctness_witness, harness, violation_witness,
};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// What the file is called that calls the function which is asked about.
const DRIVER: &str = "driver.c";

/// The run that breaks a property of a C program.
#[derive(Clone, Copy, Debug)]
pub struct Breach<'a> {
    /// The property.
    pub property: &'a CProperty,
    /// The program as it was asked for the property.
    pub source: &'a CProgram,
    /// The run.
    pub run: &'a Recording,
}

impl Breach<'_> {
    /// Whether it needs a certain order of threads.
    pub(super) fn has_several(&self) -> bool {
        self.run.steps.iter().any(|step| step.thread > 0)
    }

    /// A C file that reproduces the violation when it is compiled as
    /// `folder/harness.c` together with the program; `None` if it needs a certain
    /// order of threads.
    pub fn harness(&self, folder: &Path) -> Option<Harness> {
        if self.has_several() {
            return None;
        }
        let command = |flags: &[&'static str]| {
            let mut words: Vec<String> = vec!["cc".into()];
            words.extend(self.words(flags, folder));
            words.extend(["-o".to_owned(), folder.join("reproduce").display().to_string()]);
            words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ")
        };
        let made = harness(&self.source.program, self.run, self.property, command);
        let driver = self.source.driver.as_ref();
        let driver = driver.map(|driver| driver.program(&folder.join(DRIVER)));
        Some(Harness { driver, ..made })
    }

    /// What a compiler is given for the harness in a folder, its output aside.
    pub(super) fn words(&self, flags: &[&str], folder: &Path) -> Vec<String> {
        let options = &self.source.options;
        let mut words: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
        words.extend(options.includes.iter().map(|i| format!("-I{}", i.display())));
        words.extend(options.defines.iter().map(|d| format!("-D{d}")));
        words.extend(options.undefines.iter().map(|u| format!("-U{u}")));
        words.push(folder.join("harness.c").display().to_string());
        // The driver includes the file of the function that it calls.
        let driver = self.source.driver.as_ref();
        words.extend(self.source.files.iter().map(|file| match driver {
            Some(driver) if driver.file == *file => folder.join(DRIVER).display().to_string(),
            _ => file.display().to_string(),
        }));
        words.push("-lm".to_owned());
        words
    }
}

impl CTask {
    /// A witness of a violation in the exchange format; `None` if the run needs a
    /// certain order of threads. `asked` is everything that was asked.
    ///
    /// # Errors
    /// If the files of the program cannot be read.
    pub fn violation(
        &self,
        asked: &[&CProperty],
        of: &Breach<'_>,
        now: SystemTime,
    ) -> io::Result<Option<String>> {
        let about = about(self, asked, now)?;
        let is_told = !of.has_several();
        Ok(is_told.then(|| violation_witness(&about, &of.source.view(of.run))))
    }

    /// A witness of correctness: invariants of loops from proofs, each with the
    /// task that it is about.
    ///
    /// # Errors
    /// If the files of the program cannot be read.
    pub fn correctness(
        &self,
        asked: &[&CProperty],
        proofs: &[(&Task, &ClosedSet)],
        now: SystemTime,
    ) -> io::Result<String> {
        let about = about(self, asked, now)?;
        let mut known = Vec::new();
        for (task, set) in proofs {
            let own = task.origin.c().unwrap_or(self);
            if own.recursion().is_none() {
                known.extend(loop_invariants(task, own, set));
            }
        }
        Ok(correctness_witness(&about, &self.source.sources, &known))
    }
}

fn about(c: &CTask, asked: &[&CProperty], now: SystemTime) -> io::Result<WitnessTask> {
    let mut inputs = Vec::new();
    for path in &c.source.files {
        inputs.push(WitnessInput { name: path.display().to_string(), hash: file_hash(path)? });
    }
    // What SV-COMP has no formula for goes by our name.
    let formulas: Vec<String> = asked
        .iter()
        .map(|p| p.formula().unwrap_or_else(|| format!("G ! {}", p.name())))
        .map(|formula| format!("CHECK( init(main()), LTL({formula}) )"))
        .collect();
    let specification = formulas.join("\n");
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let time = iso_time(now);
    let mut seed = Sha256::new();
    for text in inputs.iter().map(|i| &i.hash).chain([&specification, &version, &time]) {
        seed.update(text.as_bytes());
    }
    let model = c.source.options.model.unwrap_or_default();
    let uuid = uuid(&seed.finalize());
    Ok(WitnessTask { inputs, specification, model, version, time, uuid })
}

/// The SHA-256 of a file, in hexadecimal.
///
/// # Errors
/// If the file cannot be read.
pub fn file_hash(path: &Path) -> io::Result<String> {
    Ok(hexadecimal(&Sha256::digest(read_limited(path, MAX_BYTES)?.unwrap_or_default())))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A UUID made of a hash, with the marks of version 8 (RFC 9562).
fn uuid(hash: &[u8]) -> String {
    let mut bytes = [0; 16];
    for (byte, from) in bytes.iter_mut().zip(hash) {
        *byte = *from;
    }
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hexadecimal(&bytes);
    let parts = [&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]];
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids() {
        assert_eq!(uuid(&[0xff; 32]), "ffffffff-ffff-8fff-bfff-ffffffffffff");
    }
}
