//! A run in a few words for each thing that was asked, whatever command it is of:
//! what formats know that have rules, places and messages, and no formulas.
//!
//! It is read off the object of `--json`, so no format says what JSON does not say, and
//! a result that was saved can be rendered later. [`sarif()`], [`junit()`] and
//! [`annotations`] render it.

mod github;
mod junit;
mod sarif;
#[cfg(test)]
mod tests;

use serde_json::{Value as Json, json};

pub use self::github::annotations;
pub use self::junit::junit;
pub use self::sarif::sarif;

/// A run in a few words.
#[derive(Clone, PartialEq, Debug)]
pub struct Digest {
    /// The file that was asked about; what has no place of its own is said of it.
    pub file: String,
    /// The version of Parallax.
    pub version: String,
    /// One entry for each thing that was asked.
    pub entries: Vec<Entry>,
    /// What the answers rest on besides the evidence.
    pub assumptions: Vec<String>,
    /// Why there are no answers, if the input could not be read.
    pub problems: Vec<Problem>,
    /// Seconds.
    pub time_s: f64,
}

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// `holds`.
    Holds,
    /// `violated`.
    Violated,
    /// `unknown`.
    Unknown,
}

/// One thing that was asked, and the answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// What was asked.
    pub name: String,
    /// The answer.
    pub word: Word,
    /// The answer in a sentence.
    pub message: String,
    /// What to try if it is open.
    pub hint: Option<String>,
    /// Where it is: of a violation the place where it happens, else of the property.
    pub place: Option<Place>,
    /// The function it happens in.
    pub function: Option<String>,
    /// The run that shows it.
    pub flow: Vec<Moment>,
    /// The calls open in the end, outermost first.
    pub calls: Vec<Place>,
    /// The kind of evidence.
    pub evidence: Option<String>,
    /// Who accepted the evidence.
    pub checked_by: Vec<String>,
    /// Seconds that this answer took, if that is known.
    pub time_s: Option<f64>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Moment {
    /// Where it is.
    pub place: Option<Place>,
    /// What it does.
    pub text: String,
    /// How many calls are open.
    pub depth: u64,
    /// Values after it, by name.
    pub values: Vec<(String, String)>,
}

/// What is wrong with the input.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// Stable code such as `M0102`.
    pub code: String,
    /// Whether it is an error, not a warning.
    pub is_error: bool,
    /// One sentence.
    pub message: String,
    /// Where.
    pub place: Option<Place>,
    /// What the user can do about it.
    pub help: Option<String>,
}

/// A range of a file. Lines and columns count from 1, columns in characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file as the user named it.
    pub file: String,
    /// Where it begins.
    pub start: (u64, u64),
    /// Where it ends, exclusive.
    pub end: (u64, u64),
}

impl Word {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Word::Holds => "holds",
            Word::Violated => "violated",
            Word::Unknown => "unknown",
        }
    }
}

impl Digest {
    /// What the object of `--json` says about a file.
    pub fn of(file: &str, version: &str, object: &Json) -> Digest {
        Digest {
            file: file.to_owned(),
            version: version.to_owned(),
            entries: entries(object),
            assumptions: strings(&object["assumptions"]),
            problems: list(&object["diagnostics"]).iter().map(problem).collect(),
            time_s: object["stats"]["time_s"].as_f64().unwrap_or_default(),
        }
    }

    /// How many entries have an answer.
    pub fn count(&self, word: Word) -> usize {
        self.entries.iter().filter(|entry| entry.word == word).count()
    }
}

/// The answers of an object; of a table of functions those of each.
fn entries(object: &Json) -> Vec<Entry> {
    let mut all: Vec<Entry> = list(&object["properties"]).iter().map(entry).collect();
    for function in list(&object["functions"]) {
        let name = text(&function["name"]).unwrap_or_default();
        let own = list(&function["result"]["properties"]);
        if own.is_empty() {
            let of = json!({ "name": name, "verdict": "unknown", "reason": function["note"] });
            all.push(entry(&of));
        }
        all.extend(own.iter().map(entry).map(|of| Entry {
            name: format!("{name}: {}", of.name),
            message: format!("in `{name}`, {}", of.message),
            ..of
        }));
    }
    if all.is_empty() && object["verdict"] == "unknown" {
        // A reader must not take silence for success.
        let why = "the limits were reached before it was known what is asked";
        all.push(entry(&json!({ "name": "check", "verdict": "unknown", "reason": why })));
    }
    all
}

fn list(of: &Json) -> &[Json] {
    of.as_array().map_or(&[], Vec::as_slice)
}

fn text(of: &Json) -> Option<String> {
    of.as_str().map(str::to_owned)
}

fn strings(of: &Json) -> Vec<String> {
    list(of).iter().filter_map(text).collect()
}

impl Place {
    /// The place of a `span` of JSON, if it is one.
    pub fn of(span: &Json) -> Option<Place> {
        place(span)
    }
}

fn place(of: &Json) -> Option<Place> {
    let point = |at: &Json| Some((at["line"].as_u64()?, at["column"].as_u64()?));
    // What comes from nowhere has an empty range at the start of the first file.
    let is_place = of["end"]["offset"].as_u64() != Some(0);
    let place =
        Place { file: text(&of["file"])?, start: point(&of["start"])?, end: point(&of["end"])? };
    is_place.then_some(place)
}

fn problem(of: &Json) -> Problem {
    Problem {
        code: text(&of["code"]).unwrap_or_default(),
        is_error: of["severity"] != "warning",
        message: text(&of["message"]).unwrap_or_default(),
        place: list(&of["labels"]).first().and_then(place),
        help: text(&of["help"]),
    }
}

/// `` `mutex` is violated: run of 7 steps ``.
fn sentence(name: &str, word: Word, more: &str) -> String {
    let verb = if word == Word::Holds { "" } else { "is " };
    let colon = if more.is_empty() { "" } else { ": " };
    format!("`{name}` {verb}{}{colon}{more}", word.word())
}

fn entry(of: &Json) -> Entry {
    let name = text(&of["name"]).unwrap_or_default();
    let word = match of["verdict"].as_str() {
        Some("holds") => Word::Holds,
        Some("violated") => Word::Violated,
        _ => Word::Unknown,
    };
    // Commands differ in how much they say of evidence and reasons.
    let (evidence, reason) = (&of["evidence"], &of["reason"]);
    let why = text(&reason["text"]).or_else(|| text(reason)).or_else(|| text(&of["rejected"]));
    let summary = text(&evidence["summary"]);
    let shown = text(&of["formula"]).unwrap_or_else(|| name.clone());
    let more = why.or(summary).unwrap_or_default();
    let accepted = if evidence["checked_by"].is_null() { of } else { evidence };
    let mut entry = Entry {
        message: sentence(&shown, word, &more),
        hint: text(&reason["hint"]),
        place: place(&reason["span"]).or_else(|| place(&of["span"])),
        function: None,
        flow: Vec::new(),
        calls: Vec::new(),
        evidence: text(&evidence["kind"]).or_else(|| text(evidence)),
        checked_by: strings(&accepted["checked_by"]),
        time_s: of["stats"]["time_s"].as_f64(),
        name,
        word,
    };
    if of["run"].is_object() {
        of_c_run(&mut entry, &shown, &of["run"]);
    } else if of["trace"].is_object() {
        entry.flow = of_model_run(&of["trace"], entry.place.as_ref());
    } else {
        // Systems do actions, which have no place.
        let action = |text| Moment { place: None, text, depth: 0, values: Vec::new() };
        entry.flow = strings(&of["trace"]).into_iter().map(action).collect();
    }
    entry
}

/// The run of a C program that breaks a property.
fn of_c_run(entry: &mut Entry, shown: &str, run: &Json) {
    let end = text(&run["text"]).unwrap_or_default();
    entry.message = sentence(shown, entry.word, &end);
    entry.place = place(&run["span"]).or(entry.place.take());
    entry.calls = list(&run["calls"]).iter().filter_map(place).collect();
    let steps = list(&run["steps"]);
    entry.function = steps.last().and_then(|step| text(&step["function"]));
    let moment = |step: &Json| {
        let what = text(&step["text"]).unwrap_or_default();
        let text = match (step["branch"].as_bool(), step["value"].as_str()) {
            (Some(taken), _) => format!("{what}: {taken}"),
            (None, Some(value)) => format!("{what}  (value {value})"),
            (None, None) => what,
        };
        let depth = step["depth"].as_u64().unwrap_or_default();
        Moment { place: place(&step["span"]), text, depth, values: Vec::new() }
    };
    entry.flow = steps.iter().map(moment).collect();
    let depth = entry.flow.last().map_or(0, |last| last.depth);
    entry.flow.push(Moment { place: place(&run["span"]), text: end, depth, values: Vec::new() });
}

/// The run of a model to a target.
fn of_model_run(trace: &Json, property: Option<&Place>) -> Vec<Moment> {
    let cycle = trace["cycle"].as_u64();
    let start = Moment {
        place: property.cloned(),
        text: String::from("initial state"),
        depth: 0,
        values: values(&trace["initial"]),
    };
    let step = |(index, step): (usize, &Json)| {
        let is_back = cycle == Some(index as u64);
        let more = if is_back { " (from here on for ever)" } else { "" };
        Moment {
            place: place(&step["span"]),
            text: text(&step["transition"]).unwrap_or_default() + more,
            depth: 0,
            values: values(&step["changes"]),
        }
    };
    std::iter::once(start).chain(list(&trace["steps"]).iter().enumerate().map(step)).collect()
}

fn values(of: &Json) -> Vec<(String, String)> {
    let shown = |value: &Json| text(value).unwrap_or_else(|| value.to_string());
    let pairs = of.as_object().into_iter().flatten();
    pairs.map(|(name, value)| (name.clone(), shown(value))).collect()
}
