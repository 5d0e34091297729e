//! The rules of `symba` as the thesis writes them: `<M, U, O>` after each.

use parallax_ir::{Side, TemplateProblem};
use parallax_optimize::Applied;
use parallax_term::Rat;

/// A rule and the state after it, as lines of text.
///
/// Over the reals the rules work on the closure of the formula, so a model may
/// lie on a bound that is strict.
pub fn rule_text(problem: &TemplateProblem, applied: &Applied) -> String {
    let store = &problem.store;
    let template = |index: usize| store.infix(problem.templates[index].term);
    let goal = applied.goal.map(|(index, side)| match side {
        Side::Upper => template(index),
        Side::Lower => format!("-({})", template(index)),
    });
    let from = applied.from.map(|number| format!("p{number}"));
    let arguments: Vec<String> = from.into_iter().chain(goal).collect();
    let mut text = applied.rule.to_owned();
    if !arguments.is_empty() {
        text.push_str(&format!("({})", arguments.join(", ")));
    }
    if let Some(point) = &applied.point {
        let value = |(symbol, value): &(_, parallax_term::Value)| {
            format!("{} = {value}", store.infix(*symbol))
        };
        let values: Vec<String> = point.iter().map(value).collect();
        text.push_str(&format!(": p{} = ({})", applied.models, values.join(", ")));
    }
    let models: Vec<String> = (1..=applied.models).map(|number| format!("p{number}")).collect();
    text.push_str(&format!("\n  M = {{{}}}", models.join(", ")));
    let wanted = problem.wanted();
    let bound = |(index, side): (usize, Side), value: &Rat| match side {
        Side::Upper => format!("{} <= {value}", template(index)),
        Side::Lower => format!("{} >= {value}", template(index)),
    };
    let is_bottom = applied.under.iter().all(Option::is_none);
    let under = wanted
        .iter()
        .zip(&applied.under)
        .filter_map(|(&at, value)| Some(bound(at, value.as_ref()?.as_ref()?)));
    let under = match is_bottom {
        true => String::from("false"),
        false => joined(under),
    };
    let over = wanted.iter().zip(&applied.over).filter_map(|(&at, v)| Some(bound(at, v.as_ref()?)));
    text.push_str(&format!("\n  U = {under}\n  O = {}\n", joined(over)));
    text
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { String::from("true") } else { parts.join(" && ") }
}
