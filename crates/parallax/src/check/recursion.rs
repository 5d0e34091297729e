//! C programs that recur: runs, contracts, and recursion followed step by step.
//!
//! In turn: the program is run with inputs that come to mind; its recursion is
//! followed to a small depth; contracts are looked for; recursion is followed
//! deeper. Each way makes a task of its own, whose one property is also broken
//! by what it does not cover. What is found there is an answer like any other,
//! about that task: the checker sees it, and the program is run again before a
//! violation counts.

use super::{Check, Within, first};
use crate::isolate::isolated;
use crate::settle::settled;
use crate::{Answer, CProgram, CTask, CheckError, Checkers, Task};
use parallax_base::{Budget, Event, Id, Stop};
use parallax_cfa::CProperty;
use parallax_contract::{Length, Runs, infer, subjects};
use parallax_encode::{Calls, Options};
use parallax_engine::Engine;
use parallax_evidence::{Finding, Why};
use parallax_ir::Property;
use parallax_task::c_task_by;
use parallax_transform::contracts::Mode;
use std::sync::Arc;
use std::time::Duration;

/// Depths to which recursion is followed before and after contracts are tried.
const SHALLOW: usize = 3;
const DEEP: [usize; 3] = [10, 25, 60];

/// What a way may take when there is no time limit.
const LONG: Duration = Duration::from_secs(60);

/// What came of the ways to treat recursion.
pub(super) enum Tried {
    /// An answer.
    Answered(Box<Answer>),
    /// None: all was tried.
    InVain,
    /// None: with more time there might have been one.
    TooLate(Stop),
}

impl Tried {
    fn is_answer(&self) -> bool {
        matches!(self, Tried::Answered(_))
    }

    /// What came of one way and another: an answer before all, and too little
    /// time before nothing.
    fn or(self, other: Tried) -> Tried {
        match (&self, &other) {
            (Tried::InVain, _) | (_, Tried::Answered(_)) => other,
            _ => self,
        }
    }
}

/// The answer, unless it is an open question that more time might have closed.
pub(super) fn or_stopped(answer: Answer, stop: Stop) -> Answer {
    match answer.outcome.finding {
        Finding::Unknown(Why::Unsupported { .. } | Why::NoProgress(_)) => {
            Answer::open(answer.property, answer.outcome.engine, stop.into())
        }
        _ => answer,
    }
}

/// A question about a program that recurs.
struct Asked<'a> {
    c: &'a CTask,
    property: Id<Property>,
    asked: CProperty,
    engines: &'a [Box<dyn Engine>],
    checkers: &'a Checkers,
    budget: &'a Budget,
}

impl Asked<'_> {
    /// A part of the time that is left.
    fn part(&self, nth: u32) -> Budget {
        self.budget.within(self.budget.remaining().map_or(LONG, |left| left / nth))
    }

    /// The program with this question alone.
    fn source(&self) -> CProgram {
        self.c.source.asking(vec![self.asked.clone()])
    }
}

impl Check<'_> {
    /// The answer to a property of a C program whose recursion is deeper than
    /// its plain task follows it; `None` if there is none to be had this way.
    pub(super) fn recursive(
        &self,
        property: Id<Property>,
        engines: &[Box<dyn Engine>],
        checkers: &Checkers,
        budget: &Budget,
    ) -> Result<Tried, CheckError> {
        let Some(c) = self.task.origin.c() else { return Ok(Tried::InVain) };
        let is_cut = c.prepared.as_ref().is_some_and(|p| p.cut > 0);
        let asked = c.asked.get(property.index());
        let (true, Some(asked)) = (is_cut, asked) else { return Ok(Tried::InVain) };
        // What recurs too deep for a program is cut off, which proves no end.
        if matches!(asked, CProperty::Other(_)) || asked.is_about_runs() {
            return Ok(Tried::InVain);
        }
        // The plain task is asked in the end.
        let most = budget
            .remaining()
            .map_or_else(|| budget.clone(), |left| budget.within(left.mul_f64(0.9)));
        let asked = Asked { c, property, asked: asked.clone(), engines, checkers, budget: &most };
        let seen = self.sample(c, property, Length::SHORT, &most);
        if let Some(answer) = self.executed(property, &seen, checkers, &most) {
            return Ok(Tried::Answered(Box::new(answer)));
        }
        let mut tried = self.followed(&asked, SHALLOW, 8)?;
        let mut contracted = Tried::InVain;
        if !tried.is_answer() {
            contracted = self.contracted(&asked, &seen, 2)?;
        }
        for depth in DEEP {
            if tried.is_answer() || contracted.is_answer() {
                break;
            }
            tried = tried.or(self.followed(&asked, depth, 4)?);
        }
        if let (Tried::TooLate(_), false, Ok(())) = (&contracted, tried.is_answer(), most.check()) {
            contracted = self.contracted(&asked, &seen, 1)?;
        }
        let in_time = most.check().err().map_or(Tried::InVain, Tried::TooLate);
        Ok(tried.or(contracted).or(in_time))
    }

    /// Follows recursion to a depth: a violation on the way counts, and so does
    /// a proof that nothing lies deeper.
    fn followed(&self, asked: &Asked<'_>, depth: usize, nth: u32) -> Result<Tried, CheckError> {
        if let Err(stop) = asked.budget.check() {
            return Ok(Tried::TooLate(stop));
        }
        let Ok(task) = c_task_by(asked.source(), Calls::Depth(depth)) else {
            return Ok(Tried::InVain);
        };
        if task.origin.c().is_none_or(|c| c.prepared.is_none()) {
            return Ok(Tried::InVain);
        }
        let budget = asked.part(nth);
        let watch = Within { property: asked.property, watch: self.watch };
        let on = self.on(&task, &watch);
        let found = on.answer(first(), asked.engines, asked.checkers, &budget)?;
        let found = settled(&task, first(), found, asked.checkers, &budget);
        Ok(match found.outcome.finding {
            Finding::Unknown(Why::Stopped(stop)) => Tried::TooLate(stop),
            Finding::Unknown(_) => Tried::InVain,
            _ => Tried::Answered(Box::new(about(asked.property, found, task))),
        })
    }

    /// Looks for contracts, and for a proof with them.
    fn contracted(&self, asked: &Asked<'_>, seen: &Runs, nth: u32) -> Result<Tried, CheckError> {
        let source = asked.source();
        let options = Options {
            encoding: source.options.encoding,
            blocks: Default::default(),
            properties: source.properties.clone(),
            passes: source.options.passes,
        };
        let (subjects, _) = subjects(&source.program);
        if subjects.is_empty() {
            return Ok(Tried::InVain);
        }
        self.budget.notice(Event::Phase("contracts"));
        let budget = asked.part(nth);
        let found =
            isolated(|| infer(&source.program, &options, &subjects, seen, &self.solver, &budget));
        let found = match found {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(budget.check().err().map_or(Tried::InVain, Tried::TooLate)),
            Err(stop) => return Ok(Tried::TooLate(stop)),
        };
        let calls = Calls::Contracts(found.contracts, Mode::Whole);
        let Ok(task) = c_task_by(source, calls) else { return Ok(Tried::InVain) };
        // A contract that has no text cannot be part of the evidence.
        if task.origin.c().is_none_or(|c| c.prepared.is_none() || c.recursion().is_none()) {
            return Ok(Tried::InVain);
        }
        let budget = asked.part(if found.is_enough { 1 } else { 3 });
        self.proved(asked, task, &budget)
    }

    /// A proof of the one property of a task, if an engine has one.
    fn proved(&self, asked: &Asked<'_>, task: Task, budget: &Budget) -> Result<Tried, CheckError> {
        let watch = Within { property: asked.property, watch: self.watch };
        let on = self.on(&task, &watch);
        let found = on.search(first(), asked.engines, asked.checkers, budget)?;
        Ok(match found.outcome.finding {
            Finding::Proved(_) => Tried::Answered(Box::new(about(asked.property, found, task))),
            Finding::Unknown(Why::Stopped(stop)) => Tried::TooLate(stop),
            _ => budget.check().err().map_or(Tried::InVain, Tried::TooLate),
        })
    }
}

/// An answer to a property that was found on a task of its own.
fn about(property: Id<Property>, found: Answer, task: Task) -> Answer {
    Answer { property, task: Some(Arc::new(task)), ..found }
}
