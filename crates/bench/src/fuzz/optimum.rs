//! Optimization problems in a box of integers: trying all points is the truth.

use super::{Asker, Counts, Wrong};
use parallax_generate::formula::{extremes, formula, problem};

/// Half the length of the box.
const SIZE: i64 = 3;

/// Engines that must not change a bound.
const ENGINES: [&str; 3] = ["auto", "symba", "dnf"];

pub(super) fn round(asker: &Asker, seed: u64, counts: &mut Counts) -> Result<(), Wrong> {
    let formula = formula(seed);
    let extremes = extremes(&formula, SIZE);
    counts.inputs += 1;
    counts.violated += u64::from(extremes.is_none());
    let file = "problem.smt2";
    asker.write(file, &problem(&formula, SIZE))?;
    let truth: Vec<Option<i64>> = match &extremes {
        Some(list) => list.iter().flat_map(|(low, high)| [Some(*low), Some(*high)]).collect(),
        None => vec![None; 8],
    };
    for engine in [ENGINES[0], ENGINES[1 + seed as usize % 2]] {
        let said = asker.ask(&["optimize", file, "--engine", engine], &[file])?;
        let bounds = said.json["templates"].as_array().map_or(&[][..], |list| list);
        if bounds.len() != truth.len() {
            return Err(said.wrong(format!("{} bounds", bounds.len()), &[file]));
        }
        for (number, (bound, truth)) in bounds.iter().zip(&truth).enumerate() {
            let bound = &bound[if number % 2 == 0 { "lower" } else { "upper" }];
            let found = match bound["kind"].as_str() {
                Some("empty") => "none".to_owned(),
                Some("attained") => bound["value"].as_str().unwrap_or("?").to_owned(),
                Some("between") => "unknown".to_owned(),
                other => format!("{other:?}"),
            };
            let truth = truth.map_or_else(|| "none".to_owned(), |value| value.to_string());
            said.judge(&found, &truth, &[file], counts)?;
        }
    }
    Ok(())
}
