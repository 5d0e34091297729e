//! C programs: native runs on all inputs are the truth.

use super::asker::word;
use super::{Asker, Counts, Wrong};
use parallax_generate::c::{Program, STYLES, driver, program};

/// Options that must not change a verdict.
const SETTINGS: [&[&str]; 9] = [
    &[],
    &["--engine", "bmc"],
    &["--engine", "cegar"],
    &["--engine", "symba"],
    &["--engine", "ase"],
    &["--encoding", "bv"],
    &["--engine", "cegar", "--encoding", "bv"],
    &["--blocks", "single"],
    &["-p", "all"],
];

/// Whether the error is never reached, by running on all inputs, compiled twice.
fn truth(asker: &Asker, program: &Program) -> Result<bool, Wrong> {
    for (name, text) in &program.files {
        asker.write(name, text)?;
    }
    asker.write("driver.c", &driver(program.inputs))?;
    let mut found = None;
    for level in ["-O0", "-O2"] {
        let mut objects = Vec::new();
        for (name, _) in &program.files {
            // The driver has a `main` of its own.
            let object = format!("{name}.o");
            asker.compile(&["-w", level, "-Dmain=parallax_main", "-c", "-o", &object, name])?;
            objects.push(object);
        }
        let mut link = vec!["-w", "-o", "native", "driver.c"];
        link.extend(objects.iter().map(String::as_str));
        asker.compile(&link)?;
        let native = asker.folder.join("native");
        let done = asker.run(&native.to_string_lossy(), &[])?;
        let here = match done.status.code() {
            Some(0) => true,
            Some(1) => false,
            other => return Err(Wrong::failed(format!("the program ends with {other:?}"))),
        };
        if found.is_some_and(|earlier| earlier != here) {
            return Err(Wrong::failed("two compilations do not agree"));
        }
        found = Some(here);
    }
    found.ok_or_else(|| Wrong::failed("nothing was run"))
}

/// The first style is asked with the usual options and with others; and one more
/// style, with options that depend on the number, too.
pub(super) fn round(asker: &Asker, seed: u64, counts: &mut Counts) -> Result<(), Wrong> {
    counts.inputs += 1;
    let other = 1 + (seed % (STYLES.len() as u64 - 1)) as usize;
    let mut known: Option<bool> = None;
    for (number, (name, style)) in [STYLES[0], STYLES[other]].into_iter().enumerate() {
        let program = program(seed, &style);
        let holds = truth(asker, &program)?;
        match known {
            None => counts.violated += u64::from(!holds),
            // Fewer runs can only do less.
            Some(plain) if style.narrow && (holds || !plain) => {}
            Some(plain) if plain == holds => {}
            Some(_) => return Err(Wrong::failed(format!("`{name}` is another program"))),
        }
        known = known.or(Some(holds));
        let files: Vec<&str> = program.files.iter().map(|(name, _)| *name).collect();
        let more = 1 + (seed as usize / 7 + number) % (SETTINGS.len() - 1);
        for settings in [SETTINGS[0], SETTINGS[more]] {
            let mut args = vec!["check"];
            args.extend(&files);
            args.extend(settings);
            if style.fixed {
                args.extend(["--data-model", "ilp32"]);
            }
            let asked = args[1..].to_vec();
            args.extend(["--certificate", "proof.json"]);
            let said = asker.ask(&args, &files)?;
            let verdict = said.verdict("unreach-call");
            said.judge(&verdict, word(holds), &files, counts)?;
            if said.code == 0 {
                let mut again = files.clone();
                again.push("proof.json");
                let options = ["-p", "--data-model"];
                for pair in asked.windows(2).filter(|pair| options.contains(&pair[0])) {
                    again.extend(pair);
                }
                let mut kept = files.clone();
                kept.push("proof.json");
                asker.certify(&again, &kept)?;
            }
        }
    }
    Ok(())
}
