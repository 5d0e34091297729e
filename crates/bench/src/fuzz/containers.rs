//! Containers: a native program that tries all sequences of calls is the truth.

use super::{Asker, Counts, Wrong};
use parallax_generate::container::{LENGTH, VALUES, container};

/// Techniques that try everything that can make a difference.
const TECHNIQUES: [&str; 3] = ["complete", "concrete", "subsumption"];

/// The length of the shortest sequence that breaks the invariant, or 0.
fn truth(asker: &Asker, program: &str, driver: &str) -> Result<u64, Wrong> {
    asker.write("native.c", &format!("{program}{driver}"))?;
    asker.compile(&["-w", "-O1", "-o", "native", "native.c"])?;
    let done = asker.run(&asker.folder.join("native").to_string_lossy(), &[])?;
    let text = String::from_utf8_lossy(&done.stdout);
    text.parse().map_err(|_| Wrong::failed(format!("the native program prints `{text}`")))
}

pub(super) fn round(asker: &Asker, seed: u64, counts: &mut Counts) -> Result<(), Wrong> {
    let container = container(seed);
    let shortest = truth(asker, &container.program, &container.driver)?;
    counts.inputs += 1;
    counts.violated += u64::from(shortest > 0);
    asker.write("box.c", &container.program)?;
    asker.write("box.toml", &container.api)?;
    let files = &["box.c", "box.toml"];
    let (length, values) = (LENGTH.to_string(), VALUES.to_string());
    for technique in [TECHNIQUES[0], TECHNIQUES[1 + seed as usize % 2]] {
        let mut args = vec!["testgen", "box.c", "--api", "box.toml", "-m", technique];
        args.extend(["-l", &length, "-n", &values]);
        let said = asker.ask(&args, files)?;
        let failure = &said.json["failure"];
        let calls = failure["calls"].as_array().map_or(0, |calls| calls.len() as u64);
        let found = match said.json["stopped"].is_null() || !failure.is_null() {
            // Symbolic values are not limited to those that were tried.
            true if technique == "subsumption" && shortest == 0 && calls > 0 => continue,
            true if technique == "subsumption" && calls < shortest && calls > 0 => continue,
            true => calls.to_string(),
            false => "unknown".to_owned(),
        };
        said.judge(&found, &shortest.to_string(), files, counts)?;
    }
    Ok(())
}
