//! What is wrong with a measured row, if anything.
//!
//! An `unknown` is never a wrong verdict: it is shown, and the reader decides.
//! It is a broken demand, though: a row that must show certain figures must
//! have an answer.

use std::fmt;

use crate::measure::{Measured, Outcome};
use crate::row::Row;

/// Something a row must not do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objection(String);

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// All objections to a measured row.
pub fn judge(row: &Row, measured: &Measured) -> Vec<Objection> {
    let mut objections = Vec::new();
    let mut object = |text: String| {
        objections.push(Objection(format!("{} ({}): {text}", row.name, row.engine)));
    };
    match &measured.outcome {
        Outcome::Crashed(what) => object(format!("no answer: {what}")),
        Outcome::Overran => object("did not stop at its time limit".into()),
        Outcome::Answered(verdict) if *verdict != row.expected && verdict != "unknown" => {
            object(format!("wrong verdict: {verdict}, expected {}", row.expected));
        }
        Outcome::Answered(verdict) if verdict == "unknown" => {
            if !row.demands.is_empty() {
                object(format!("must show figures, but is unknown ({})", measured.evidence));
            }
        }
        Outcome::Answered(_) => {
            for demand in &row.demands {
                let found = measured.figures.get(&demand.figure).copied();
                let is_met = |n| n == demand.value || demand.at_most && n < demand.value;
                if !found.is_some_and(is_met) {
                    let shown = found.map_or("none".into(), |n| n.to_string());
                    let bound = if demand.at_most { "at most " } else { "" };
                    let (word, value) = (demand.figure.word(), demand.value);
                    object(format!("{word}: {shown}, must be {bound}{value}"));
                }
            }
        }
    }
    objections
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::{Demand, Figure, Figures};

    fn row(demands: Vec<Demand>) -> Row {
        Row {
            name: "r".into(),
            source: "5.1".into(),
            engine: "ase".into(),
            args: Vec::new(),
            model: "m.plx".into(),
            defines: Vec::new(),
            property: "p".into(),
            expected: "holds".into(),
            limit: 60,
            published: Figures::new(),
            published_seconds: None,
            label: "exact".into(),
            demands,
            note: String::new(),
        }
    }

    fn check(outcome: Outcome, states: u64, demands: &[Demand], expected: &[&str]) {
        let measured = Measured {
            outcome,
            engine: String::new(),
            evidence: "time".into(),
            reason: String::new(),
            figures: Figures::from([(Figure::States, states)]),
            queries: None,
            seconds: 0.0,
            memory_mb: None,
            doubt: 0.0,
            trusts: Vec::new(),
        };
        let objections = judge(&row(demands.to_vec()), &measured);
        let shown: Vec<String> = objections.iter().map(Objection::to_string).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn wrong_verdicts_and_broken_demands_are_objected_to() {
        let answered = |word: &str| Outcome::Answered(word.into());
        let mut demand = [Demand { figure: Figure::States, at_most: false, value: 22 }];
        check(answered("holds"), 22, &demand, &[]);
        check(answered("holds"), 23, &demand, &["r (ase): states: 23, must be 22"]);
        check(answered("holds"), 23, &[], &[]);
        check(answered("unknown"), 1, &[], &[]);
        check(
            answered("unknown"),
            22,
            &demand,
            &["r (ase): must show figures, but is unknown (time)"],
        );
        let wrong = "r (ase): wrong verdict: violated, expected holds";
        check(answered("violated"), 22, &demand, &[wrong]);
        demand[0].at_most = true;
        check(answered("holds"), 21, &demand, &[]);
        check(answered("holds"), 23, &demand, &["r (ase): states: 23, must be at most 22"]);
        check(Outcome::Overran, 0, &[], &["r (ase): did not stop at its time limit"]);
        check(Outcome::Crashed("x".into()), 0, &[], &["r (ase): no answer: x"]);
    }
}
