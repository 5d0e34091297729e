//! Bounds of templates: text in the form of the SYMBA thesis, and JSON.
//!
//! The thesis (Section 6.1) writes one line per template, `(y:REAL) : [1,3]`,
//! with `1/0` for infinity. Here a round bracket marks a bound that is
//! approached and not attained, and `between U and O` one that is still open.
//! An objective with one wanted side is written `(y:REAL) <= 3`.

use std::fmt::Write;
use std::time::Duration;

use parallax_evidence::{Bound, Bounds, Extent, Verdict};
use parallax_ir::{Side, Sides, TemplateProblem};
use parallax_term::{Linear, Node, Rat, Sort, Term, TermStore};
use serde::Serialize;

use crate::escape::visible;
use crate::json::{CostJson, Envelope, RowJson};

/// Name and version of the format.
pub const BOUNDS_SCHEMA: &str = "parallax-bounds/1";

/// The bounds of a problem and how they came about.
#[derive(Clone, Debug)]
pub struct BoundsReport<'a> {
    /// The problem.
    pub problem: &'a TemplateProblem,
    /// Its bounds.
    pub bounds: &'a Bounds,
    /// Who searched.
    pub engine: &'static str,
    /// Who accepted the bounds.
    pub checked_by: &'a [String],
    /// Why some are open; `None` if none is.
    pub why_open: Option<String>,
    /// Counts of the search.
    pub counts: BoundsCounts,
    /// Time of reading, searching and checking.
    pub times: [Duration; 3],
}

/// Counts of a search for bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BoundsCounts {
    /// Questions whether there is a model.
    pub queries: u64,
    /// Applications of GLOBALPUSH.
    pub global_pushes: u64,
    /// Calls of the procedure behind the UNBOUNDED rules.
    pub unbounded_calls: u64,
    /// Models looked at.
    pub models: u64,
    /// Conflicts of our own search.
    pub conflicts: u64,
    /// Decisions of our own search.
    pub decisions: u64,
    /// Points and walks that the checker evaluated.
    pub evaluated: u64,
    /// Steps of refutations that the checker went through.
    pub check_steps: u64,
    /// Questions of the checker.
    pub check_queries: u64,
}

/// The bounds as JSON.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BoundsJson {
    /// [`BOUNDS_SCHEMA`].
    pub schema: &'static str,
    /// `bounded`, `unsatisfiable` or `open`.
    pub status: &'static str,
    /// What the problem calls itself.
    pub file: String,
    /// Who searched.
    pub engine: &'static str,
    /// One entry per template.
    pub templates: Vec<TemplateJson>,
    /// Who accepted the bounds.
    pub checked_by: Vec<String>,
    /// Why some are open.
    pub reason: Option<String>,
    /// The answers in short: a bound that is final and accepted holds.
    #[serde(flatten)]
    pub envelope: Envelope,
    /// Counts of search and check, and what it cost.
    pub stats: BoundsStatsJson,
    /// Seconds of reading, searching, checking.
    pub times: TimesJson,
}

/// What a search for bounds cost.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BoundsStatsJson {
    /// Counts of search and check.
    #[serde(flatten)]
    pub counts: BoundsCounts,
    /// Time and memory.
    #[serde(flatten)]
    pub cost: CostJson,
}

/// Seconds of the parts of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names say it")]
pub struct TimesJson {
    pub read_s: f64,
    pub search_s: f64,
    pub check_s: f64,
}

/// A template with its bounds.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TemplateJson {
    /// The term in SMT-LIB.
    pub template: String,
    /// `Int` or `Real`: what its values are.
    pub sort: String,
    /// The greatest lower bound, if it was asked for.
    pub lower: Option<BoundJson>,
    /// The least upper bound, if it was asked for.
    pub upper: Option<BoundJson>,
}

/// One bound. Numbers are exact, as text: `3` or `-1/2`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BoundJson {
    /// `attained`, `supremum`, `unbounded`, `between` or `empty`.
    pub kind: &'static str,
    /// The bound; absent if there is none or it is open.
    pub value: Option<String>,
    /// How far the template was seen to reach, if the bound is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached: Option<String>,
    /// What the template does not pass, if the bound is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
}

/// The bounds in the form of the thesis, and remarks after `;`.
pub fn render_bounds(report: &BoundsReport<'_>) -> String {
    let mut text = String::new();
    let BoundsReport { problem, bounds, .. } = report;
    if bounds.is_empty() {
        text.push_str("; the formula has no model: there is nothing to bound\n");
    } else {
        for (index, template) in problem.templates.iter().enumerate() {
            let name = thesis_term(&problem.store, template.term);
            let end = |side| find(bounds, index, side);
            let line = match template.sides {
                Sides::Both => {
                    let (open, low) = end(Side::Lower);
                    let (close, high) = end(Side::Upper);
                    let open = if open { '(' } else { '[' };
                    let close = if close { ')' } else { ']' };
                    format!("{name} : {open}{low},{high}{close}")
                }
                Sides::Upper => {
                    let (strict, high) = end(Side::Upper);
                    format!("{name} {} {high}", if strict { "<" } else { "<=" })
                }
                Sides::Lower => {
                    let (strict, low) = end(Side::Lower);
                    format!("{name} {} {low}", if strict { ">" } else { ">=" })
                }
            };
            let _ = writeln!(text, "{}", visible(&line));
        }
    }
    let _ = writeln!(text, "; {}", summary(report));
    text
}

/// Whether an end is strict, and the end itself.
fn find(bounds: &Bounds, template: usize, side: Side) -> (bool, String) {
    let own = bounds.bounds.iter().find(|b| b.template == template && b.side == side);
    let infinite = if side == Side::Upper { "1/0" } else { "-1/0" };
    let or_infinite = |value: Option<&Rat>, infinite: &str| {
        value.map_or_else(|| infinite.to_owned(), Rat::to_string)
    };
    match own.map(|b| &b.extent) {
        Some(Extent::Attained { value, .. }) => (false, value.to_string()),
        Some(Extent::Supremum { value, .. }) => (true, value.to_string()),
        Some(Extent::Between { reached, limit }) => {
            let nothing = if side == Side::Upper { "-1/0" } else { "1/0" };
            let reached = or_infinite(reached.as_ref().map(|(value, _)| value), nothing);
            let limit = or_infinite(limit.as_ref(), infinite);
            (false, format!("between {reached} and {limit}"))
        }
        _ => (false, infinite.to_owned()),
    }
}

/// How many bounds of which kind, who checked them, what it took.
fn summary(report: &BoundsReport<'_>) -> String {
    let mut text = String::new();
    let kinds = [
        ("attained", "attained"),
        ("supremum", "not attained"),
        ("unbounded", "unbounded"),
        ("between", "open"),
        ("empty", "empty"),
    ];
    let count = |kind: &str| {
        let all = report.bounds.bounds.iter();
        all.filter(|b| kind_of(&b.extent) == kind).count()
    };
    let parts: Vec<String> = kinds
        .iter()
        .filter_map(|(kind, word)| match count(kind) {
            0 => None,
            n => Some(format!("{n} {word}")),
        })
        .collect();
    let total = report.bounds.bounds.len();
    let noun = if total == 1 { "bound" } else { "bounds" };
    let _ = write!(text, "{total} {noun}: {}", parts.join(", "));
    if let Some(why) = &report.why_open {
        let _ = write!(text, "; ended early: {}", visible(why));
    }
    match report.checked_by {
        [] => {}
        by => {
            let _ = write!(text, "\n; checked by {}", visible(&by.join(", ")));
        }
    }
    let time: Duration = report.times.iter().sum();
    let _ = write!(
        text,
        "\n; {}: {} queries, {} models, {:.2} s",
        report.engine,
        report.counts.queries,
        report.counts.models,
        time.as_secs_f64()
    );
    text
}

fn kind_of(extent: &Extent) -> &'static str {
    match extent {
        Extent::Empty => "empty",
        Extent::Attained { .. } => "attained",
        Extent::Supremum { .. } => "supremum",
        Extent::Unbounded { .. } => "unbounded",
        Extent::Between { .. } => "between",
    }
}

/// The bounds as JSON.
pub fn bounds_json(report: &BoundsReport<'_>) -> BoundsJson {
    let BoundsReport { problem, bounds, .. } = report;
    let bound = |index: usize, side: Side| {
        let own = bounds.bounds.iter().find(|b| b.template == index && b.side == side)?;
        let (reached, limit) = match &own.extent {
            Extent::Between { reached, limit } => (
                reached.as_ref().map(|(value, _)| value.to_string()),
                limit.as_ref().map(Rat::to_string),
            ),
            _ => (None, None),
        };
        let value = match &own.extent {
            Extent::Attained { value, .. } | Extent::Supremum { value, .. } => {
                Some(value.to_string())
            }
            _ => None,
        };
        Some(BoundJson { kind: kind_of(&own.extent), value, reached, limit })
    };
    let templates = problem.templates.iter().enumerate().map(|(index, template)| TemplateJson {
        template: problem.store.smtlib(template.term),
        sort: problem.store.sort(template.term).to_string(),
        lower: bound(index, Side::Lower),
        upper: bound(index, Side::Upper),
    });
    let row = |own: &Bound| {
        let side = if own.side == Side::Upper { "maximum" } else { "minimum" };
        let term = problem.store.smtlib(problem.templates[own.template].term);
        let is_open = matches!(own.extent, Extent::Between { .. });
        RowJson {
            name: format!("{side} of {term}"),
            verdict: if is_open { Verdict::Unknown } else { Verdict::Holds },
            checked_by: report.checked_by.to_vec(),
            reason: report.why_open.clone().filter(|_| is_open),
        }
    };
    let cost = CostJson::after(report.times.iter().sum());
    let [read, search, check] = report.times.map(|t| t.as_secs_f64());
    BoundsJson {
        schema: BOUNDS_SCHEMA,
        status: match () {
            () if bounds.is_empty() => "unsatisfiable",
            () if bounds.is_final() => "bounded",
            () => "open",
        },
        file: problem.name.clone(),
        engine: report.engine,
        templates: templates.collect(),
        checked_by: report.checked_by.to_vec(),
        reason: report.why_open.clone(),
        envelope: Envelope::new(bounds.bounds.iter().map(row).collect(), []),
        stats: BoundsStatsJson { counts: report.counts, cost },
        times: TimesJson { read_s: read, search_s: search, check_s: check },
    }
}

/// A template as the thesis writes it: `((x:REAL)+(2*(y:REAL)))`.
fn thesis_term(store: &TermStore, term: Term) -> String {
    let linear: Linear = store.linear(term);
    let symbol = |t: Term| match store.node(t) {
        Node::Var(name, Sort::Int) => format!("({name}:INT)"),
        Node::Var(name, _) => format!("({name}:REAL)"),
        _ => store.smtlib(t),
    };
    let mut parts: Vec<String> = linear
        .monomials()
        .iter()
        .map(|(t, factor)| match factor.is_one() {
            true => symbol(*t),
            false => format!("({factor}*{})", symbol(*t)),
        })
        .collect();
    let constant = linear.constant_part();
    if parts.is_empty() || !constant.is_zero() {
        parts.push(constant.to_string());
    }
    match parts.as_slice() {
        [one] if one.starts_with('(') => one.clone(),
        _ => format!("({})", parts.join("+")),
    }
}
