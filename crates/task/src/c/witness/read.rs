//! The text of a witness in the format 2.0 of SV-COMP, and of 2.1 as far as it is the same
//! (<https://gitlab.com/sosy-lab/benchmarking/sv-witnesses>).

use super::WitnessPlace;
use parallax_cfa::DataModel;
use parallax_front_c::Spot;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What a witness says.
#[derive(Clone, PartialEq, Debug)]
pub struct Witness {
    /// Who made it, with the version.
    pub producer: String,
    /// The text of the property file it was made for.
    pub specification: Option<String>,
    /// The sizes of types it was made for.
    pub model: Option<DataModel>,
    /// The SHA-256 of the files it was made for, by their names.
    pub hashes: BTreeMap<String, String>,
    /// What it claims.
    pub claim: Claim,
}

/// What a witness claims.
#[derive(Clone, PartialEq, Debug)]
pub enum Claim {
    /// The property holds, and these are invariants.
    Correct(Vec<Invariant>),
    /// A run breaks the property, and it takes these steps.
    Violated(Vec<Step>),
}

/// Something that holds whenever control is at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Where.
    pub place: WitnessPlace,
    /// Whether the place is the head of a loop.
    pub is_loop: bool,
    /// The condition, in C.
    pub value: String,
    /// Why it cannot be read, if it cannot.
    pub unread: Option<String>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where.
    pub place: WitnessPlace,
    /// What happens there.
    pub kind: StepKind,
    /// The segment it is in: the number of steps to be followed before it.
    pub segment: usize,
    /// Whether it must not happen until the next step to be followed.
    pub is_avoided: bool,
    /// What it is bound to.
    pub constraint: Option<Constraint>,
}

/// What happens at a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StepKind {
    /// A condition holds before a statement.
    Assumption,
    /// A branch is taken.
    Branching,
    /// A function is called.
    Enter,
    /// A function returns.
    Return,
    /// The property is broken.
    Target,
}

/// What a step is bound to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// An expression of C; for a branch `true`, `false` or the value of a `case`.
    pub value: String,
    /// Whether it is in a language that is not read.
    pub unread: Option<String>,
}

/// Why a text is no witness.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadWitness(String);

#[derive(Deserialize)]
struct Entry {
    entry_type: String,
    metadata: Metadata,
    #[serde(default)]
    content: Vec<Item>,
}

#[derive(Deserialize)]
struct Metadata {
    format_version: Text,
    #[serde(default)]
    producer: Producer,
    #[serde(default)]
    task: About,
}

#[derive(Deserialize, Default)]
struct Producer {
    #[serde(default)]
    name: String,
    version: Option<Text>,
}

#[derive(Deserialize, Default)]
struct About {
    #[serde(default)]
    input_file_hashes: BTreeMap<String, String>,
    specification: Option<String>,
    data_model: Option<String>,
}

#[derive(Deserialize)]
struct Item {
    invariant: Option<InvariantText>,
    segment: Option<Vec<WaypointItem>>,
}

#[derive(Deserialize)]
struct InvariantText {
    #[serde(rename = "type")]
    kind: String,
    location: LocationText,
    value: Option<Text>,
    #[serde(default)]
    format: String,
}

#[derive(Deserialize)]
struct WaypointItem {
    waypoint: Waypoint,
}

#[derive(Deserialize)]
struct Waypoint {
    #[serde(rename = "type")]
    kind: String,
    action: String,
    location: LocationText,
    constraint: Option<ConstraintText>,
}

#[derive(Deserialize)]
struct ConstraintText {
    value: Text,
    #[serde(default)]
    format: String,
}

#[derive(Deserialize)]
struct LocationText {
    file_name: String,
    line: u32,
    column: Option<u32>,
    function: Option<String>,
}

/// A word, a number and a truth value may be written without quotes.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Truth(bool),
    Number(f64),
    Word(String),
}

impl Text {
    fn into_text(self) -> String {
        match self {
            Text::Truth(truth) => truth.to_string(),
            Text::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
                (number as i64).to_string()
            }
            Text::Number(number) => number.to_string(),
            Text::Word(text) => text,
        }
    }
}

impl Witness {
    /// Reads a witness.
    ///
    /// # Errors
    /// If the text is none, or claims things of different kinds.
    pub fn read(text: &str) -> Result<Witness, BadWitness> {
        let bad = |message: String| BadWitness(message);
        let entries: Vec<Entry> = serde_saphyr::from_str(text).map_err(|error| {
            let message = error.to_string();
            bad(message.lines().next().unwrap_or("it is no list of entries").to_owned())
        })?;
        let mut claim: Option<Claim> = None;
        let mut about: Option<Metadata> = None;
        for Entry { entry_type, metadata, content } in entries {
            let version = match &metadata.format_version {
                Text::Number(number) => format!("{number:.1}"),
                Text::Word(text) => text.clone(),
                Text::Truth(_) => String::from("?"),
            };
            if !matches!(version.as_str(), "2.0" | "2.1") {
                return Err(bad(format!("format version `{version}` is not known")));
            }
            let next = match entry_type.as_str() {
                "invariant_set" => Claim::Correct(invariants(content)),
                "violation_sequence" => Claim::Violated(steps(content)?),
                other => return Err(bad(format!("entries of type `{other}` are not known"))),
            };
            claim = Some(match (claim, next) {
                (None, next) => next,
                (Some(Claim::Correct(mut known)), Claim::Correct(more)) => {
                    known.extend(more);
                    Claim::Correct(known)
                }
                _ => return Err(bad(String::from("it claims more than one thing"))),
            });
            about.get_or_insert(metadata);
        }
        let (Some(claim), Some(about)) = (claim, about) else {
            return Err(bad(String::from("it has no entries")));
        };
        let Metadata { producer, task, .. } = about;
        let model = match task.data_model.as_deref() {
            Some("ILP32") => Some(DataModel::Ilp32),
            Some("LP64") => Some(DataModel::Lp64),
            _ => None,
        };
        let version = producer.version.map(Text::into_text).unwrap_or_default();
        Ok(Witness {
            producer: format!("{} {version}", producer.name).trim().to_owned(),
            specification: task.specification,
            model,
            hashes: task.input_file_hashes,
            claim,
        })
    }
}

fn place(of: LocationText) -> WitnessPlace {
    let spot = Spot { file: of.file_name, line: of.line, column: of.column };
    WitnessPlace { spot, function: of.function }
}

fn invariants(content: Vec<Item>) -> Vec<Invariant> {
    let read = |of: InvariantText| {
        let unread = match (of.kind.as_str(), of.format.as_str()) {
            ("loop_invariant" | "location_invariant", "c_expression" | "ext_c_expression") => None,
            ("loop_invariant" | "location_invariant", other) => {
                Some(format!("its format is `{other}`"))
            }
            (other, _) => Some(format!("it is a `{other}`")),
        };
        Invariant {
            place: place(of.location),
            is_loop: of.kind == "loop_invariant",
            value: of.value.map(Text::into_text).unwrap_or_default(),
            unread,
        }
    };
    content.into_iter().filter_map(|item| item.invariant).map(read).collect()
}

fn steps(content: Vec<Item>) -> Result<Vec<Step>, BadWitness> {
    let mut found: Vec<Step> = Vec::new();
    let mut followed = 0;
    for segment in content.into_iter().filter_map(|item| item.segment) {
        for WaypointItem { waypoint } in segment {
            let kind = match waypoint.kind.as_str() {
                "assumption" => StepKind::Assumption,
                "branching" => StepKind::Branching,
                "function_enter" => StepKind::Enter,
                "function_return" => StepKind::Return,
                "target" => StepKind::Target,
                other => {
                    return Err(BadWitness(format!("waypoints of type `{other}` are not known")));
                }
            };
            let is_avoided = match waypoint.action.as_str() {
                "follow" => false,
                "avoid" => true,
                other => {
                    return Err(BadWitness(format!("waypoints to `{other}` are not known")));
                }
            };
            let constraint = waypoint.constraint.map(|of| Constraint {
                value: of.value.into_text(),
                unread: match of.format.as_str() {
                    "" | "c_expression" | "acsl_expression" | "ext_c_expression" => None,
                    other => Some(format!("its format is `{other}`")),
                },
            });
            let place = place(waypoint.location);
            found.push(Step { place, kind, segment: followed, is_avoided, constraint });
            if !is_avoided {
                followed += 1;
            }
        }
    }
    match found.iter().position(|step| step.kind == StepKind::Target && !step.is_avoided) {
        Some(at) if at + 1 == found.len() => Ok(found),
        Some(_) => Err(BadWitness(String::from("its target is not the last waypoint"))),
        None => Err(BadWitness(String::from("it has no target"))),
    }
}
