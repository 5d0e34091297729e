//! Files with evidence about optima: an answer to each question of a text.
//!
//! ```json
//! { "schema": "parallax-optima-evidence/1", "answers": [
//!   { "stages": [{ "points": [[4, 2]], "bounds": [
//!       { "template": 0, "side": "upper", "extent": { "attained": { "value": 16, "point": 0 } } }] }] },
//!   { "front": { "points": [[0, 2], [2, 0]], "is_whole": true } },
//!   { "bounds": { "points": [], "bounds": [
//!       { "template": 0, "side": "lower", "extent": "empty" }] } }] }
//! ```
//!
//! A point has a value for each symbol of the problem, in order. Proofs that nothing
//! lies beyond a bound are not part of the file: whoever reads it asks a solver.

use super::EvidenceError;
use super::read::mismatch;
use super::value::{Scalar, of_sort, values};
use crate::{Bound, Bounds, Extent, Front, Optimum, Point};
use parallax_ir::{Side, TemplateProblem};
use parallax_term::{Rat, Sort, Value};
use serde::{Deserialize, Serialize};

const SCHEMA: &str = "parallax-optima-evidence/1";

/// A file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptimaFile {
    schema: String,
    answers: Vec<RawOptimum>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawOptimum {
    Bounds(RawBounds),
    Stages(Vec<RawBounds>),
    Front(RawFront),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFront {
    points: Vec<Vec<Scalar>>,
    is_whole: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBounds {
    points: Vec<Vec<Scalar>>,
    bounds: Vec<RawBound>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBound {
    template: usize,
    side: RawSide,
    extent: RawExtent,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawSide {
    Upper,
    Lower,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum RawExtent {
    Empty,
    Attained { value: Scalar, point: usize },
    Supremum { value: Scalar, from: usize, towards: usize },
    Unbounded { from: usize, ray: usize },
    Between { reached: Option<(Scalar, usize)>, limit: Option<Scalar> },
}

impl OptimaFile {
    /// The file of these answers.
    pub fn new(answers: &[Optimum]) -> OptimaFile {
        let answers = answers.iter().map(|answer| match answer {
            Optimum::Bounds(bounds) => RawOptimum::Bounds(raw(bounds)),
            Optimum::Stages(stages) => RawOptimum::Stages(stages.iter().map(raw).collect()),
            Optimum::Front(Front { points, is_whole }) => {
                RawOptimum::Front(RawFront { points: raw_points(points), is_whole: *is_whole })
            }
        });
        OptimaFile { schema: SCHEMA.to_owned(), answers: answers.collect() }
    }

    /// Reads a file; what it says is not yet looked at.
    ///
    /// # Errors
    /// If it is damaged, or of another kind.
    pub fn parse(text: &str) -> Result<OptimaFile, EvidenceError> {
        let file: OptimaFile =
            serde_json::from_str(text).map_err(|error| EvidenceError::Syntax(error.to_string()))?;
        match file.schema == SCHEMA {
            true => Ok(file),
            false => mismatch(format!("schema `{}` is not `{SCHEMA}`", file.schema)),
        }
    }

    /// Its answers to questions about these problems.
    ///
    /// # Errors
    /// If they do not fit.
    pub fn decode(self, problems: &[&TemplateProblem]) -> Result<Vec<Optimum>, EvidenceError> {
        if self.answers.len() != problems.len() {
            let (own, asked) = (self.answers.len(), problems.len());
            return mismatch(format!("{own} answers to {asked} questions"));
        }
        let pairs = self.answers.into_iter().zip(problems);
        pairs.map(|(answer, problem)| decoded(answer, problem)).collect()
    }
}

fn decoded(answer: RawOptimum, problem: &TemplateProblem) -> Result<Optimum, EvidenceError> {
    Ok(match answer {
        RawOptimum::Bounds(bounds) => Optimum::Bounds(bounds_of(bounds, problem)?),
        RawOptimum::Stages(stages) => {
            let stages = stages.into_iter().map(|stage| bounds_of(stage, problem));
            Optimum::Stages(stages.collect::<Result<_, _>>()?)
        }
        RawOptimum::Front(RawFront { points, is_whole }) => {
            Optimum::Front(Front { points: points_of(points, problem)?, is_whole })
        }
    })
}

fn raw(bounds: &Bounds) -> RawBounds {
    let bound = |bound: &Bound| RawBound {
        template: bound.template,
        side: match bound.side {
            Side::Upper => RawSide::Upper,
            Side::Lower => RawSide::Lower,
        },
        extent: match &bound.extent {
            Extent::Empty => RawExtent::Empty,
            Extent::Attained { value, point } => {
                RawExtent::Attained { value: number(value), point: *point }
            }
            Extent::Supremum { value, from, towards } => {
                RawExtent::Supremum { value: number(value), from: *from, towards: *towards }
            }
            Extent::Unbounded { from, ray } => RawExtent::Unbounded { from: *from, ray: *ray },
            Extent::Between { reached, limit } => RawExtent::Between {
                reached: reached.as_ref().map(|(value, point)| (number(value), *point)),
                limit: limit.as_ref().map(number),
            },
        },
    };
    RawBounds {
        points: raw_points(&bounds.points),
        bounds: bounds.bounds.iter().map(bound).collect(),
    }
}

fn raw_points(points: &[Point]) -> Vec<Vec<Scalar>> {
    points.iter().map(|point| point.iter().cloned().map(Scalar).collect()).collect()
}

fn number(value: &Rat) -> Scalar {
    Scalar(Value::Real(Box::new(value.clone())))
}

fn bounds_of(raw: RawBounds, problem: &TemplateProblem) -> Result<Bounds, EvidenceError> {
    let points = points_of(raw.points, problem)?;
    let known = |point: usize| match point < points.len() {
        true => Ok(point),
        false => mismatch(format!("there is no point {point}")),
    };
    let mut bounds = Vec::new();
    for RawBound { template, side, extent } in raw.bounds {
        if template >= problem.templates.len() {
            return mismatch(format!("there is no template {template}"));
        }
        let side = match side {
            RawSide::Upper => Side::Upper,
            RawSide::Lower => Side::Lower,
        };
        let extent = match extent {
            RawExtent::Empty => Extent::Empty,
            RawExtent::Attained { value, point } => {
                Extent::Attained { value: rational(value)?, point: known(point)? }
            }
            RawExtent::Supremum { value, from, towards } => Extent::Supremum {
                value: rational(value)?,
                from: known(from)?,
                towards: known(towards)?,
            },
            RawExtent::Unbounded { from, ray } => {
                Extent::Unbounded { from: known(from)?, ray: known(ray)? }
            }
            RawExtent::Between { reached, limit } => Extent::Between {
                reached: match reached {
                    Some((value, point)) => Some((rational(value)?, known(point)?)),
                    None => None,
                },
                limit: limit.map(rational).transpose()?,
            },
        };
        bounds.push(Bound { template, side, extent });
    }
    Ok(Bounds { bounds, points, refutations: Vec::new() })
}

fn points_of(
    raw: Vec<Vec<Scalar>>,
    problem: &TemplateProblem,
) -> Result<Vec<Point>, EvidenceError> {
    let sorts: Vec<Sort> = problem.symbols.iter().map(|&s| problem.store.sort(s)).collect();
    raw.into_iter().map(|point| Ok(values(point, &sorts)?.into())).collect()
}

fn rational(value: Scalar) -> Result<Rat, EvidenceError> {
    match of_sort(value.0, Sort::Real)? {
        Value::Real(value) => Ok(*value),
        other => mismatch(format!("`{other}` is no number")),
    }
}
