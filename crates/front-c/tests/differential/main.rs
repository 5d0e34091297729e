//! The interpreter against the compiler: random programs, every operator and
//! conversion at its limits, and the library on random arguments.
//!
//! `PARALLAX_PROGRAMS` and `PARALLAX_SEED` choose how many random programs are
//! compared and which.

mod expression;
mod generator;
mod library;
mod native;
mod orders;
mod statement;
mod tables;

use generator::{Generator, PRELUDE, guards};
use native::{compiled, first_difference, has_ilp32, interpreted};
use parallax_cfa::DataModel;

/// How many programs share a file, and so a run of the compiler.
const BATCH: u64 = 50;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// A file with the programs of some seeds.
fn batch(seeds: impl Iterator<Item = u64> + Clone, has_wide: bool) -> String {
    let mut text = String::from(PRELUDE);
    text.push_str(&guards());
    for seed in seeds.clone() {
        text.push_str(&Generator::new(seed, &format!("p{seed}_"), has_wide).program());
    }
    text.push_str("int main(void) {\n");
    for seed in seeds {
        text.push_str(&format!("  p{seed}_main();\n"));
    }
    text.push_str("  return 0;\n}\n");
    text
}

/// Compares the programs from a seed on; describes the first difference of
/// each file.
fn compare(first: u64, model: DataModel, flags: &[&str]) -> Result<u64, String> {
    let text = batch(first..first + BATCH, model == DataModel::Lp64);
    let Some(expected) = compiled(&text, model, flags) else { return Ok(0) };
    let (found, steps) = interpreted(&text, model);
    match first_difference(&expected, &found) {
        None => Ok(steps),
        Some((expected, found)) => {
            let at = std::env::temp_dir().join(format!("parallax-difference-{first}.c"));
            let _ = std::fs::write(&at, &text);
            Err(format!("{}: compiled `{expected}`, interpreted `{found}`", at.display()))
        }
    }
}

#[test]
fn random_programs_run_as_compiled() {
    let (count, seed) = (setting("PARALLAX_PROGRAMS", 1000), setting("PARALLAX_SEED", 1));
    let with_ilp32 = has_ilp32();
    if !with_ilp32 {
        eprintln!("note: `cc -m32` does not work here; only LP64 is compared");
    }
    let files: Vec<(u64, DataModel, &[&str])> = (0..count.div_ceil(BATCH))
        .map(|file| {
            let first = seed + file * BATCH;
            match file % 8 {
                1 | 3 | 5 if with_ilp32 => (first, DataModel::Ilp32, &["-O0"][..]),
                7 => (first, DataModel::Lp64, &["-O1"][..]),
                _ => (first, DataModel::Lp64, &["-O0"][..]),
            }
        })
        .collect();
    let half = files.len() / 2;
    let work = |part: &[(u64, DataModel, &[&str])]| -> Vec<Result<u64, String>> {
        part.iter().map(|(first, model, flags)| compare(*first, *model, flags)).collect()
    };
    let results = std::thread::scope(|scope| {
        let other = scope.spawn(|| work(&files[half..]));
        let mut results = work(&files[..half]);
        results.extend(other.join().expect("the other half ends"));
        results
    });
    let differences: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(
        differences.is_empty(),
        "{} differences:\n{}",
        differences.len(),
        differences.join("\n")
    );
}

#[test]
fn operators_and_conversions_at_their_limits() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let text = tables::program(model);
        let Some(expected) = compiled(&text, model, &["-O0"]) else { continue };
        let (found, _) = interpreted(&text, model);
        if let Some((expected, found)) = first_difference(&expected, &found) {
            panic!("{model:?}: compiled `{expected}`, interpreted `{found}`");
        }
    }
}

#[test]
fn the_library_answers_as_this_machine_does() {
    // Calls stay calls, and the library has its numbers from `libm`.
    let flags = ["-O0", "-fno-builtin", "-Wl,--no-as-needed", "-lm"];
    let (count, seed) = (setting("PARALLAX_PROGRAMS", 1000), setting("PARALLAX_SEED", 1));
    for (index, seed) in (seed..seed + count.div_ceil(50)).enumerate() {
        let model = if index % 4 == 3 { DataModel::Ilp32 } else { DataModel::Lp64 };
        let text = library::program(seed, 200);
        let Some(expected) = compiled(&text, model, &flags) else { continue };
        let (found, _) = interpreted(&text, model);
        if let Some((expected, found)) = first_difference(&expected, &found) {
            let at = std::env::temp_dir().join(format!("parallax-library-{seed}.c"));
            let _ = std::fs::write(&at, &text);
            panic!("{model:?}, {}: compiled `{expected}`, interpreted `{found}`", at.display());
        }
    }
}
