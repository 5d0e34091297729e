//! What a finished run hands to the renderers.

use parallax_base::{Id, SourceMap, Span, Stop};
use parallax_evidence::{
    Certificate, CertificateKind, ClosedSet, Descent, Finding, Outcome, Statistics, Trace, Verdict,
    Why,
};
use parallax_ir::{Program, Property};

use crate::c::CRun;

/// The answer to one property, after the checker has seen its evidence.
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    /// The property.
    pub property: Id<Property>,
    /// What the engine found; evidence that was rejected is already `Unknown`.
    pub outcome: &'a Outcome,
    /// Who accepted the evidence, such as `z3 5.4.0` or `interpreter`.
    pub checked_by: &'a [String],
    /// The run of the C program that breaks the property.
    pub run: Option<CRun<'a>>,
    /// The program that the evidence is about, if it is not that of the run:
    /// one with the same properties, made for this answer.
    pub about: Option<&'a Program>,
    /// The contracts that stand for recursive calls in that program.
    pub contracts: Vec<String>,
    /// Properties that were asked as well and are not known to hold: the answer
    /// takes them for granted.
    pub assumes: Vec<String>,
    /// What made the program smaller and is in no certificate.
    pub trusts: Vec<&'static str>,
    /// What holds whenever a run is at a place, as its proof says.
    pub invariants: Vec<(Span, String)>,
}

/// All answers of a run.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// The program the answers are about.
    pub program: &'a Program,
    /// The files its spans point into.
    pub sources: &'a SourceMap,
    /// One answer per property that was asked.
    pub answers: Vec<Answer<'a>>,
    /// What the answers rest on besides the evidence, one sentence each.
    pub assumptions: Vec<String>,
    /// Figures of the whole run.
    pub statistics: Statistics,
    /// The next useful command, if there is one.
    pub next: Option<String>,
}

impl Answer<'_> {
    /// The program that the evidence is about.
    pub fn program<'p>(&'p self, run: &Run<'p>) -> &'p Program {
        self.about.unwrap_or(run.program)
    }

    /// The property as the evidence is about it.
    pub fn target<'p>(&'p self, run: &Run<'p>) -> &'p Property {
        let asked = self.property(run.program);
        let named = self.about.and_then(|p| Some(&p.properties[p.property(&asked.name)?]));
        named.unwrap_or(asked)
    }

    /// The property asked.
    pub fn property<'p>(&self, program: &'p Program) -> &'p Property {
        &program.properties[self.property]
    }

    /// What the property is called: its name, or the formula as it was written.
    pub(crate) fn title<'p>(&self, program: &'p Program) -> &'p str {
        title(self.property(program))
    }

    /// The verdict on the property.
    pub fn verdict(&self, program: &Program) -> Verdict {
        Verdict::of(&self.outcome.finding, self.property(program).kind)
    }
}

impl Run<'_> {
    /// `violated` if a property is, else `unknown` if one is, else `holds`.
    pub fn verdict(&self) -> Verdict {
        // Nothing asked is nothing known.
        match self.answers.is_empty() {
            true => Verdict::Unknown,
            false => Verdict::worst(self.answers.iter().map(|a| a.verdict(self.program))),
        }
    }
}

/// What a property is called: its name, or the formula as it was written, with
/// the name in front if it was given one.
pub(crate) fn title(property: &Property) -> &str {
    property.temporal.as_ref().map_or(&property.name, |temporal| &temporal.text)
}

/// The word for the evidence of a finding, `None` if there is none.
pub(crate) fn evidence_word(finding: &Finding) -> Option<&'static str> {
    match finding {
        Finding::Proved(certificate) => Some(certificate.kind().word()),
        Finding::Reached(trace) if trace.recurrence.is_some() => Some("recurrence"),
        Finding::Reached(trace) if trace.cycle.is_some() => Some("lasso"),
        Finding::Reached(_) => Some("trace"),
        Finding::Executed(_) => Some("execution"),
        Finding::Unknown(_) => None,
    }
}

/// `1 step`, `2 steps`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// The evidence in a few words: what it is and how large.
pub(crate) fn evidence_summary(finding: &Finding) -> String {
    match finding {
        Finding::Unknown(why) => why.to_string(),
        Finding::Reached(trace) if trace.cycle.is_some() => lasso_summary(trace),
        Finding::Reached(trace) if trace.steps.is_empty() => "an initial state".to_owned(),
        Finding::Reached(trace) => format!("run of {}", count(trace.steps.len(), "step")),
        Finding::Executed(run) => format!("run with {}", count(run.inputs.len(), "input")),
        Finding::Proved(certificate) => match &**certificate {
            Certificate::Closed(set) => set_summary(set),
            Certificate::Reduced(reduced) => {
                let (points, regions) = (reduced.points.len(), reduced.fragment.len());
                let states = match (points, regions) {
                    (_, 0) => count(points, "state"),
                    (0, _) => count(regions, "region"),
                    _ => format!("{} and {}", count(points, "state"), count(regions, "region")),
                };
                let word = certificate.kind().word();
                format!("{word} set of {states}, {} with some steps left out", reduced.savings())
            }
            Certificate::Quantified(quantified) => {
                let regions = count(quantified.set.fragment.len(), "region");
                let over = match quantified.constants.len() {
                    1 => String::from("an arbitrary index"),
                    several => format!("{several} arbitrary indices"),
                };
                format!("{} of {regions} over {over}", certificate.kind().word())
            }
            Certificate::Unrolling(tree) => {
                let (paths, depth) = (count(tree.leaves().len(), "path"), tree.depth());
                let word = certificate.kind().word();
                format!("{word} of {paths} of up to {}", count(depth, "step"))
            }
            Certificate::Ranking(ranking) => {
                let (pairs, states) = (ranking.nodes.len(), ranking.states.len());
                let word = certificate.kind().word();
                format!("{word} of {} over {}", count(pairs, "pair"), count(states, "state"))
            }
            Certificate::Descent(descent) => {
                let nodes = count(descent.nodes.len(), "region");
                let terms = count(telling(descent).len(), "term");
                format!("{} of {nodes} with {terms}", certificate.kind().word())
            }
        },
    }
}

/// The places of a measure that are not the same everywhere.
pub(crate) fn telling(descent: &Descent) -> Vec<usize> {
    let width = descent.nodes.iter().map(|node| node.measure.len()).min().unwrap_or(0);
    let is_same = |i: usize| {
        let mut terms = descent.nodes.iter().map(|node| node.measure[i]);
        let first = terms.next();
        first.is_none_or(|t| descent.store.value(t).is_some()) && terms.all(|t| Some(t) == first)
    };
    (0..width).filter(|&i| !is_same(i)).collect()
}

/// `run of 2 steps, then 3 for ever`.
fn lasso_summary(trace: &Trace) -> String {
    let total = trace.steps.len();
    let stem = trace.cycle.unwrap_or(total).min(total);
    let cycle = total - stem;
    match (stem, cycle) {
        (_, 0) => format!("run of {} that ends and stays", count(stem, "step")),
        (0, _) => format!("run of {} for ever", count(cycle, "step")),
        _ => format!("run of {}, then {cycle} for ever", count(stem, "step")),
    }
}

fn set_summary(set: &ClosedSet) -> String {
    let (points, prefix) = (count(set.points.len(), "state"), set.prefix.len());
    let regions = count(set.fragment.len(), "region");
    let word = set.kind().word();
    match set.kind() {
        CertificateKind::Enumeration if prefix == 0 => format!("{word} of {points}"),
        CertificateKind::Enumeration => format!("{word} of {points} and {prefix} symbolic"),
        CertificateKind::Bisimulation => {
            let steps = set.quotient.as_ref().map_or(0, Vec::len);
            format!("{word} of {regions} and {}", count(steps, "step"))
        }
        CertificateKind::SafeFragment if prefix == 0 => {
            format!("{word} of {regions} after {points}")
        }
        CertificateKind::SafeFragment => {
            format!("{word} of {regions} after {points} and {prefix} symbolic")
        }
        CertificateKind::Inductive
        | CertificateKind::Unrolling
        | CertificateKind::ReducedUnrolling
        | CertificateKind::Reduced
        | CertificateKind::Quantified
        | CertificateKind::Ranking
        | CertificateKind::Descent => format!("{word} of {regions}"),
    }
}

/// What to try when a question stayed open, if anything.
pub(crate) fn hint(why: &Why) -> Option<&str> {
    match why {
        Why::Unsupported { hint, .. } => Some(hint),
        Why::Stopped(Stop::Time) => Some("a longer --time"),
        Why::Stopped(Stop::Memory) => Some("a larger --memory"),
        Why::Stopped(Stop::Cancelled) => None,
        Why::NoProgress(_) => Some("another --engine"),
        Why::SolverGaveUp(_) => Some("a longer --time, or another --engine"),
        Why::NoEvidence => Some("a file that `check --certificate` writes for it"),
        Why::CertificateRejected(_) => {
            Some("a report to the developers: this is a bug in Parallax")
        }
    }
}
