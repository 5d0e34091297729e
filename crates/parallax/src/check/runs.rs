//! Runs of C programs with inputs that come to mind.
//!
//! An error behind a hundred thousand rounds of a loop is far away for whoever looks at
//! all runs, and near for who takes one. So the program is run, on its constants, small
//! numbers and anything; with `auto` when the engines have had their first turns. A
//! run that breaks the property counts when the checker has repeated it.

use super::{Check, EngineChoice};
use crate::settle::settled;
use crate::{Answer, CTask, Checkers, Shape};
use parallax_base::{Budget, Event, Id};
use parallax_cfa::CProperty;
use parallax_cfa::run::CheckSet;
use parallax_contract::{Length, Runs, runs, subjects};
use parallax_evidence::{Execution, Finding, Outcome, Statistics, Why};
use parallax_ir::Property;
use std::time::{Duration, Instant};

/// Who finds runs by their inputs.
const RUNS: &str = "run";

/// The part of the time that runs may take beside engines, and the most.
const PART: u32 = 20;
const MOST: Duration = Duration::from_secs(2);

impl Check<'_> {
    /// A run that breaks the property, between the turns of engines.
    pub(super) fn by_runs(
        &self,
        property: Id<Property>,
        round: u32,
        checkers: &Checkers,
        budget: &Budget,
    ) -> Option<Answer> {
        let c = self.task.origin.c()?;
        let is_time = round == 1 && self.engine == EngineChoice::Auto;
        if !is_time || self.task.origin.shape() != Shape::Sequential {
            return None;
        }
        let is_about_steps =
            |asked: &CProperty| !asked.is_about_runs() && !matches!(asked, CProperty::Other(_));
        c.asked.get(property.index()).filter(|asked| is_about_steps(asked))?;
        let part = budget.remaining().map_or(MOST, |left| MOST.min(left / PART));
        let seen = self.sample(c, property, Length::LONG, &budget.within(part));
        self.executed(property, &seen, checkers, budget)
    }

    /// What runs do.
    pub(super) fn sample(
        &self,
        c: &CTask,
        property: Id<Property>,
        length: Length,
        budget: &Budget,
    ) -> Runs {
        self.watch.begin(property, RUNS);
        self.budget.notice(Event::Phase("run"));
        let program = &c.source.program;
        let properties = &c.asked[property.index()..=property.index()];
        let (subjects, _) = subjects(program);
        runs(program, &subjects, properties, CheckSet::of(properties), length, budget)
    }

    /// A run that breaks the property, if one was seen.
    pub(super) fn executed(
        &self,
        property: Id<Property>,
        seen: &Runs,
        checkers: &Checkers,
        budget: &Budget,
    ) -> Option<Answer> {
        let start = Instant::now();
        let (_, inputs) = seen.broken.first()?;
        let mut answer = Answer::open(property, RUNS, Why::NoEvidence);
        answer.outcome = Outcome {
            finding: Finding::Executed(Execution { inputs: inputs.clone() }),
            statistics: Statistics { time: start.elapsed(), ..Statistics::default() },
            ..answer.outcome
        };
        let answer = settled(self.task, property, answer, checkers, budget);
        answer.run.is_some().then_some(answer)
    }
}
