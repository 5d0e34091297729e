//! C procedures against specifications: what they do on all choices is the truth.

use super::session::word;
use super::{Counts, Session, Wrong};
use parallax_generate::procedure::task;

/// Options that must not change a verdict.
const SETTINGS: [&[&str]; 3] = [&[], &["--all-predicates"], &["--one-level"]];

pub(super) fn round(session: &Session, seed: u64, counts: &mut Counts) -> Result<(), Wrong> {
    let task = task(seed);
    counts.inputs += 1;
    counts.violated += u64::from(!task.conforms);
    session.write("program.c", &task.program)?;
    session.write("system.magic", &task.system)?;
    let files = &["program.c", "system.magic"];
    for settings in [SETTINGS[0], SETTINGS[1 + seed as usize % 2]] {
        let mut args = vec!["magic", "system.magic", "--certificate", "proof.json"];
        args.extend(settings);
        let said = session.ask(&args, files)?;
        let verdict = match said.code {
            0 => "holds",
            10 => "violated",
            _ => "unknown",
        };
        said.judge(verdict, word(task.conforms), files, counts)?;
        if said.code != 20 {
            let all = ["program.c", "system.magic", "proof.json"];
            session.certify(&["system.magic", "proof.json"], &all)?;
        }
    }
    Ok(())
}
