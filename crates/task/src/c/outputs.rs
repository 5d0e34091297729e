//! Files about C programs: harnesses and witnesses.

use super::invariants::invariants;
use super::{CProgram, CTask};
use crate::{MAX_BYTES, Task, read_limited};
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
use std::time::{SystemTime, UNIX_EPOCH};

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
        Some(harness(&self.source.program, self.run, self.property, command))
    }

    /// What a compiler is given for the harness in a folder, its output aside.
    pub(super) fn words(&self, flags: &[&str], folder: &Path) -> Vec<String> {
        let options = &self.source.options;
        let mut words: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
        words.extend(options.includes.iter().map(|i| format!("-I{}", i.display())));
        words.extend(options.defines.iter().map(|d| format!("-D{d}")));
        words.extend(options.undefines.iter().map(|u| format!("-U{u}")));
        words.push(folder.join("harness.c").display().to_string());
        words.extend(self.source.files.iter().map(|f| f.display().to_string()));
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
                known.extend(invariants(task, own, set));
            }
        }
        Ok(correctness_witness(&about, &self.source.sources, &known))
    }
}

fn about(c: &CTask, asked: &[&CProperty], now: SystemTime) -> io::Result<WitnessTask> {
    let mut inputs = Vec::new();
    for path in &c.source.files {
        let bytes = read_limited(path, MAX_BYTES)?.unwrap_or_default();
        let hash = hexadecimal(&Sha256::digest(&bytes));
        inputs.push(WitnessInput { name: path.display().to_string(), hash });
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

/// A time as `2026-08-01T12:00:00Z`.
fn iso_time(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years are counted from a first of March, so that leap days come last.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_and_ids() {
        let check = |seconds: u64, expected: &str| {
            assert_eq!(iso_time(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        };
        check(0, "1970-01-01T00:00:00Z");
        check(951_782_399, "2000-02-28T23:59:59Z");
        check(951_782_400, "2000-02-29T00:00:00Z");
        check(1_785_585_600, "2026-08-01T12:00:00Z");
        assert_eq!(uuid(&[0xff; 32]), "ffffffff-ffff-8fff-bfff-ffffffffffff");
    }
}
