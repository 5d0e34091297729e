//! The segments of a witness, put into the program: a counter says how many steps a run
//! has followed, and only who has followed all of them may come to the target.
//!
//! A run follows a step at the first visit that satisfies its constraint. A run that could
//! follow it later instead is not looked at; where steps are to be avoided this may matter,
//! and then nothing is rejected because no run was found.

use super::{ASSUME, Constraint, SEGMENT, Step, StepKind, WitnessPlace};
use parallax_front_c::{Piece, Splices, looks_only};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The value of a condition or a call.
const VALUE: &str = "__parallax_value";

/// A program whose runs follow a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathPlan {
    /// Counts the steps, and lets only those to the target that have followed all.
    pub splices: Splices,
    /// The steps of each piece.
    pub pieces: Vec<Vec<usize>>,
    /// Steps that are not put in, and why.
    pub left_out: Vec<(usize, String)>,
    /// Whether steps are to be avoided.
    pub avoids: bool,
}

/// What is put in at one place.
struct Point {
    /// The wanted kind of piece.
    form: Form,
    /// The branches of the chain, in the order of the steps.
    chain: Vec<String>,
    steps: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Statement,
    Condition,
    Switch,
    Enter,
    Return,
}

/// Puts the steps of a run into a program. `is_call` says that whoever comes to the target
/// breaks the property there, so others need not come there.
pub fn plan_path(steps: &[Step], is_call: bool) -> PathPlan {
    let mut points: BTreeMap<(WitnessPlace, Form), Point> = BTreeMap::new();
    let mut left_out = Vec::new();
    let is_put = |step: &&Step| is_call || step.is_avoided || step.kind != StepKind::Target;
    for (number, step) in steps.iter().enumerate().filter(|(_, step)| is_put(step)) {
        let (form, condition) = match wanted(step) {
            Ok(found) => found,
            Err(why) => {
                left_out.push((number, why));
                continue;
            }
        };
        let segment = step.segment;
        let then = match (step.kind, step.is_avoided) {
            (StepKind::Target, false) => None,
            (_, true) => Some(format!("{ASSUME}(0)")),
            (_, false) => Some(format!("{SEGMENT} = {}", segment + 1)),
        };
        let branch = match then {
            Some(then) => format!("if ({SEGMENT} == {segment} && ({condition})) {then};"),
            // Who has not followed all steps does not come to the target.
            None => format!("{ASSUME}({SEGMENT} == {segment});"),
        };
        let point = points.entry((step.place.clone(), form)).or_insert_with(|| Point {
            form,
            chain: Vec::new(),
            steps: Vec::new(),
        });
        point.chain.push(branch);
        point.steps.push(number);
    }
    let mut splices = Splices {
        prologue: format!("static int {SEGMENT} = 0;\nvoid {ASSUME}(int);\n"),
        pieces: Vec::new(),
    };
    let mut pieces = Vec::new();
    for ((place, _), point) in points {
        // One visit is one step: of several, the first that fits.
        let mut chain = String::new();
        for (index, branch) in point.chain.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(chain, "{}{branch} ", if index > 0 { "else " } else { "" });
        }
        let piece = match point.form {
            Form::Statement => Piece::Statement(format!("{{ {chain}}}")),
            Form::Condition => Piece::Condition(
                format!("({{ int {VALUE} = ("),
                format!(") ? 1 : 0; {chain}{VALUE}; }})"),
            ),
            Form::Switch => Piece::Condition(
                format!("({{ __auto_type {VALUE} = ("),
                format!("); {chain}{VALUE}; }})"),
            ),
            Form::Enter => Piece::Call(format!("({{ {chain}"), String::from("; })")),
            Form::Return => {
                Piece::Call(format!("({{ __auto_type {VALUE} = "), format!("; {chain}{VALUE}; }})"))
            }
        };
        splices.pieces.push((place.spot, piece));
        pieces.push(point.steps);
    }
    let avoids = steps.iter().any(|step| step.is_avoided);
    PathPlan { splices, pieces, left_out, avoids }
}

/// Where a step is put in, and the condition on which it is taken.
fn wanted(step: &Step) -> Result<(Form, String), String> {
    if let Some(Constraint { unread: Some(why), .. }) = &step.constraint {
        return Err(why.clone());
    }
    let value = step.constraint.as_ref().map(|of| of.value.trim());
    let looking = |text: &str| match looks_only(text) {
        true => Ok(text.to_owned()),
        false => Err(String::from("its constraint is no expression of C without effect")),
    };
    match (step.kind, value) {
        (StepKind::Target, _) if step.is_avoided => Err(String::from("a target to be avoided")),
        (StepKind::Target, _) => Ok((Form::Statement, String::from("1"))),
        (StepKind::Assumption, Some(text)) => Ok((Form::Statement, looking(text)?)),
        (StepKind::Assumption, None) => Err(String::from("an assumption of nothing")),
        (StepKind::Branching, Some("true")) => Ok((Form::Condition, String::from(VALUE))),
        (StepKind::Branching, Some("false")) => Ok((Form::Condition, format!("!{VALUE}"))),
        (StepKind::Branching, Some(text)) if text.parse::<i64>().is_ok() => {
            Ok((Form::Switch, format!("{VALUE} == ({text})")))
        }
        (StepKind::Branching, _) => Err(String::from("a branch that is not said")),
        (StepKind::Enter, None) => Ok((Form::Enter, String::from("1"))),
        (StepKind::Enter, Some(_)) => Err(String::from("a call with a constraint")),
        (StepKind::Return, Some(text)) => {
            Ok((Form::Return, looking(&text.replace("\\result", VALUE))?))
        }
        (StepKind::Return, None) => Err(String::from("a return without a constraint")),
    }
}
