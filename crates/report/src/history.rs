//! How a search got where it is: one entry per refinement.

use std::fmt::Write;

use parallax_evidence::{Outcome, Refinement, SpuriousPath};
use parallax_ir::Property;

use crate::escape::{clip, visible};
use crate::run::{count, title};

/// Characters of a line.
const LINE: usize = 600;

/// The refinement history of an answer, with paths and predicates. At most
/// `max_items` rounds are shown. Empty if there was no refinement.
pub fn render_history(property: &Property, outcome: &Outcome, max_items: usize) -> String {
    if outcome.history.is_empty() {
        return String::new();
    }
    let mut out = String::new();
    let head = format!("search for {}:", visible(title(property)));
    let done =
        writeln!(out, "{head}").and_then(|()| write_rounds(&mut out, &outcome.history, max_items));
    done.map_or_else(|_| String::new(), |()| out)
}

/// The rounds of a history, indented.
pub(crate) fn write_rounds(
    out: &mut String,
    history: &[Refinement],
    max_items: usize,
) -> std::fmt::Result {
    for round in history.iter().take(max_items) {
        let seen = count(round.abstract_states as usize, "abstract state");
        let added = match round.predicates.is_empty() {
            true => String::from("nothing added"),
            false => format!("added {}", round.predicates.join(", ")),
        };
        let reason = match round.reason.as_str() {
            reason if !reason.is_empty() && round.path.is_none() => format!(" ({reason})"),
            _ => String::new(),
        };
        let text = format!("{seen}; {added}{reason}");
        writeln!(out, "  round {}: {}", round.iteration, visible(&clip(&text, LINE)))?;
        if let Some(path) = &round.path {
            write_path(out, path)?;
        }
    }
    if history.len() > max_items {
        writeln!(out, "  ... and {} more", history.len() - max_items)?;
    }
    Ok(())
}

fn write_path(out: &mut String, path: &SpuriousPath) -> std::fmt::Result {
    let mut text = path.start.to_string();
    for (i, (step, place)) in path.steps.iter().enumerate() {
        if let Some((omitted, before)) = path.omitted
            && i == before
        {
            text.push_str(&format!(" ... {} ...", count(omitted, "step")));
        }
        let shown = if place.is_empty() { "." } else { place };
        text.push_str(&format!(" -- {step} -> {shown}"));
    }
    writeln!(out, "    path: {}", visible(&clip(&text, LINE)))?;
    let end = match step(path, path.end) {
        _ if path.end > path.len() => String::from("no run along it ends in the target"),
        Some(name) => format!("no run takes step {}, {name}", path.end),
        None => format!("no run takes step {}", path.end),
    };
    writeln!(out, "    {} ({})", visible(&clip(&end, LINE)), visible(&path.method))?;
    // What is tracked where, the places in the order of the path.
    let mut places: Vec<&str> = Vec::new();
    for (_, place) in &path.tracked {
        if !places.contains(&&**place) {
            places.push(place);
        }
    }
    for place in places {
        let here = path.tracked.iter().filter(|(_, at)| **at == *place);
        let here: Vec<&str> = here.map(|(predicate, _)| predicate.as_str()).collect();
        let place = if place.is_empty() { "everywhere" } else { place };
        let text = format!("at {place}: {}", here.join(", "));
        writeln!(out, "    {}", visible(&clip(&text, LINE)))?;
    }
    Ok(())
}

/// The name of a step, counted from 1, if it is not left out.
fn step(path: &SpuriousPath, number: usize) -> Option<&str> {
    let index = number.checked_sub(1)?;
    let index = match path.omitted {
        Some((omitted, before)) if index >= before + omitted => index - omitted,
        Some((_, before)) if index >= before => return None,
        _ => index,
    };
    path.steps.get(index).map(|(name, _)| &**name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(steps: &[(&str, &str)], end: usize, tracked: &[(&str, &str)]) -> SpuriousPath {
        SpuriousPath {
            start: "P@l0".into(),
            steps: steps.iter().map(|&(a, b)| (a.into(), b.into())).collect(),
            omitted: None,
            end,
            method: "interpolants".into(),
            tracked: tracked.iter().map(|&(a, b)| (a.to_owned(), b.into())).collect(),
        }
    }

    fn shown(path: SpuriousPath) -> String {
        let mut out = String::new();
        write_path(&mut out, &path).expect("a string takes everything");
        out
    }

    #[test]
    fn a_path_where_it_ends_and_what_is_tracked() {
        let steps = [("rho1", "P@l1"), ("rho3", "P@l2"), ("rho5", "P@error")];
        let tracked = [("y <= 0", "P@l1"), ("x >= 0", "P@l1"), ("y <= 0", "P@l2")];
        insta::assert_snapshot!(shown(path(&steps, 3, &tracked)), @"
            path: P@l0 -- rho1 -> P@l1 -- rho3 -> P@l2 -- rho5 -> P@error
            no run takes step 3, rho5 (interpolants)
            at P@l1: y <= 0, x >= 0
            at P@l2: y <= 0
        ");
    }

    #[test]
    fn the_middle_may_be_left_out_and_the_target_may_be_what_fails() {
        let mut long = path(&[("a", "P@x"), ("b", "P@y")], 5, &[]);
        long.omitted = Some((3, 1));
        insta::assert_snapshot!(shown(long.clone()), @"
            path: P@l0 -- a -> P@x ... 3 steps ... -- b -> P@y
            no run takes step 5, b (interpolants)
        ");
        long.end = 3;
        assert!(shown(long.clone()).contains("no run takes step 3 ("));
        long.end = 6;
        assert!(shown(long).contains("no run along it ends in the target"));
    }
}
