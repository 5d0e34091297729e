//! Models: a list of all states is the truth.

use super::asker::word;
use super::{Asker, Counts, Wrong};
use parallax_generate::model::{Style, model, text, truth};

/// Options that must not change a verdict.
const SETTINGS: [&[&str]; 7] = [
    &[],
    &["--engine", "ase"],
    &["--engine", "ur"],
    &["--engine", "bmc"],
    &["--engine", "cegar"],
    &["--engine", "symba"],
    &["--engine", "ase", "--search", "plain"],
];

const PLAIN: Style = Style { prefix: "", reversed: false, dead: false, more: false };

/// Ways to write a model that must not change a verdict.
const STYLES: [Style; 4] = [
    Style { prefix: "other_", ..PLAIN },
    Style { reversed: true, ..PLAIN },
    Style { dead: true, ..PLAIN },
    Style { more: true, ..PLAIN },
];

pub(super) fn round(asker: &Asker, seed: u64, counts: &mut Counts) -> Result<(), Wrong> {
    let model = model(seed);
    let Some(holds) = truth(&model) else { return Ok(()) };
    counts.inputs += 1;
    counts.violated += u64::from(!holds);
    let file = "model.plx";
    for (number, style) in [PLAIN, STYLES[seed as usize % STYLES.len()]].iter().enumerate() {
        asker.write(file, &text(&model, style))?;
        let more = 1 + (seed as usize / 4 + number) % (SETTINGS.len() - 1);
        for settings in [SETTINGS[0], SETTINGS[more]] {
            let mut args = vec!["check", file];
            args.extend(settings);
            if !style.more {
                args.extend(["--certificate", "proof.json"]);
            }
            let said = match asker.ask(&args, &[file]) {
                // An assignment that would be out of range if it were ever done.
                Err(refused) if refused.message.contains("M0307") => return Ok(()),
                said => said?,
            };
            said.judge(&said.verdict("p"), word(holds), &[file], counts)?;
            if matches!(said.code, 0 | 10) && !style.more {
                asker.certify(&[file, "proof.json"], &[file, "proof.json"])?;
            }
        }
    }
    Ok(())
}
