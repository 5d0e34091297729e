//! What is not modelled: a place that the encoding ends in, a *gap*.
//!
//! # Soundness
//! Every property forbids to arrive at a gap, so a proof shows that no run does. A
//! run that ends in one is no violation: it says what is missing. Behind each
//! property stands the same once more without the gaps, so that a gap in front
//! does not hide a violation elsewhere; nothing is ever proved of that one alone.

use super::CTask;
use parallax_base::Id;
use parallax_encode::GapPlace;
use parallax_evidence::{Trace, Why};
use parallax_ir as ir;
use parallax_term::Term;

/// To arrive at what is not covered is to break each property. Behind the
/// properties comes each of them once more, as it is without the gap: a gap
/// that lies in front must not hide a violation.
pub(super) fn forbid_gap(
    program: &mut ir::Program,
    covered: Option<Id<ir::Property>>,
) -> Option<Term> {
    let gap = program.properties[covered?].target;
    let all = std::mem::take(&mut program.properties);
    let asked: Vec<ir::Property> =
        all.iter_enumerated().filter(|(id, _)| Some(*id) != covered).map(|p| p.1.clone()).collect();
    for mut property in asked.iter().cloned() {
        property.target = program.store.or([property.target, gap]);
        program.properties.push(property);
    }
    for mut property in asked {
        property.name = format!("{}, gaps aside", property.name).into();
        property.implicit = true;
        program.properties.push(property);
    }
    Some(gap)
}

impl CTask {
    /// The property without what the encoding does not cover, if that is
    /// another one.
    pub fn gaps_aside(&self, property: Id<ir::Property>) -> Option<Id<ir::Property>> {
        let asked = self.asked.get(property.index())?;
        let mut later = self.asked.iter().enumerate().skip(property.index() + 1);
        let (at, _) = later.find(|(_, other)| *other == asked)?;
        Some(Id::new(at))
    }

    /// The gap that a run over terms of the program ends in, if it ends in one.
    pub fn gap_of(&self, program: &ir::Program, trace: &Trace) -> Option<&GapPlace> {
        let encoded = &self.prepared.as_ref()?.encoded;
        // The locations of all processes are counted in one row.
        let before = |process: usize| process.checked_sub(1).map_or(0, |last| encoded.ends[last]);
        encoded.gaps.iter().find(|gap| {
            let control = program.processes[gap.process].control;
            let at = trace.last().get(control.index());
            let at = at.and_then(|at| at.to_string().parse::<usize>().ok());
            at.is_some_and(|at| gap.location.index() == before(gap.process.index()) + at)
        })
    }
}

/// The reason that a gap of an encoding is.
pub fn not_modelled(gap: &GapPlace) -> Why {
    Why::Unsupported {
        construct: gap.what.to_string(),
        place: Some(gap.span),
        hint: "the program without it".to_owned(),
    }
}
