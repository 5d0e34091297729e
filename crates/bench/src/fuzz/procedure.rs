//! C procedures against specifications: what they do on all choices is the truth.

use super::asker::word;
use super::{Asker, Counts, Wrong};
use parallax_generate::procedure::task;

/// Options that must not change a verdict.
const SETTINGS: [&[&str]; 3] = [&[], &["--all-predicates"], &["--one-level"]];

pub(super) fn round(asker: &Asker, seed: u64, counts: &mut Counts) -> Result<(), Wrong> {
    let task = task(seed);
    counts.inputs += 1;
    counts.violated += u64::from(!task.conforms);
    asker.write("program.c", &task.program)?;
    asker.write("system.magic", &task.system)?;
    let files = &["program.c", "system.magic"];
    for settings in [SETTINGS[0], SETTINGS[1 + seed as usize % 2]] {
        let mut args = vec!["magic", "system.magic", "--certificate", "proof.json"];
        args.extend(settings);
        let said = asker.ask(&args, files)?;
        let verdict = match said.code {
            0 => "holds",
            10 => "violated",
            _ => "unknown",
        };
        said.judge(verdict, word(task.conforms), files, counts)?;
        if said.code != 20 {
            let all = ["program.c", "system.magic", "proof.json"];
            asker.certify(&["system.magic", "proof.json"], &all)?;
        }
    }
    Ok(())
}
