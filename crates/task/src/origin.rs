//! Where the program of a task comes from, and what only that knows.
//!
//! Whoever has a task asks here instead of telling languages apart: what answers
//! rest on, how the program was made and how to make it again, which run of the
//! source a run over terms stands for.

use crate::c::{
    CTask, Head, assumptions, c_task_by, calls_of, granted, heads, script, settings, unrepeated,
};
use crate::{Model, Task, as_invariant};
use parallax_base::Id;
use parallax_cfa::run::Script;
use parallax_cfa::{CProperty, Recording};
use parallax_encode::{Calls, GapPlace, Passes};
use parallax_evidence::{Finding, Made, Recursion, Trace, Verdict, Why};
use parallax_ir::Property;
use parallax_report::CRun;
use parallax_term::Term;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where a program over terms comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// A model.
    Model(Model),
    /// Horn clauses.
    Clauses,
    /// A C program.
    C(Arc<CTask>),
}

/// What programs of a kind are like, for those who choose engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Processes with few places of control and conditions on data.
    Model,
    /// One process with many places of control.
    Sequential,
    /// Several of them.
    Concurrent,
}

/// What a finding says about the source.
pub enum Replay<'a> {
    /// The same as about the program over terms.
    Same,
    /// There is a run if the source, run by these choices, breaks the property.
    By {
        /// The C program.
        program: &'a parallax_cfa::Program,
        /// What the run is said to break.
        property: &'a CProperty,
        /// The choices.
        script: Script,
    },
    /// Nothing.
    Nothing(Why),
}

/// Who is asked for verdicts: those of the properties that were answered.
pub type Verdicts<'a> = &'a dyn Fn(Id<Property>) -> Option<Verdict>;

impl Origin {
    /// The C program, for those who do what only C knows.
    pub fn c(&self) -> Option<&CTask> {
        match self {
            Origin::C(c) => Some(c),
            Origin::Model(_) | Origin::Clauses => None,
        }
    }

    /// Whether it is a C program: its properties are named when it is loaded.
    pub fn is_c(&self) -> bool {
        self.c().is_some()
    }

    /// What its programs are like.
    pub fn shape(&self) -> Shape {
        match self.c() {
            None => Shape::Model,
            Some(c) if c.source.program.has_threads() => Shape::Concurrent,
            Some(_) => Shape::Sequential,
        }
    }

    /// What evidence files keep of how the program was made.
    pub fn settings(&self) -> Vec<(String, String)> {
        match self {
            Origin::Model(model) => model.constants.clone(),
            Origin::Clauses => Vec::new(),
            Origin::C(c) => settings(&c.source),
        }
    }

    /// The states that the program over terms does not cover, if there are any.
    pub(crate) fn gap(&self) -> Option<Term> {
        self.c()?.gap
    }

    /// Something else is asked, which has its place in the program already.
    pub(crate) fn ask(&mut self, property: CProperty) {
        if let Origin::C(c) = self {
            Arc::make_mut(c).asked.push(property);
        }
    }
}

impl Task {
    /// Whether a property is asked if nobody names one: of a C program, an
    /// implicit one only serves the search.
    pub fn is_shown(&self, property: &Property) -> bool {
        !property.implicit || !self.origin.is_c()
    }

    /// What answers rest on besides their evidence.
    pub fn assumptions(&self, verdict: Verdicts<'_>) -> Vec<String> {
        match &self.origin {
            Origin::Model(model) => model.assumptions(&self.program, verdict),
            Origin::Clauses => Model::default().assumptions(&self.program, verdict),
            Origin::C(c) => {
                let mut all = self.program.properties.ids();
                let holds = all.any(|id| verdict(id) == Some(Verdict::Holds));
                let open = if holds { self.granted(verdict) } else { Vec::new() };
                assumptions(&c.source, &open)
            }
        }
    }

    /// What a property that holds takes for granted although it was asked:
    /// undefined behavior has a fixed meaning, or ends the run, so it says
    /// nothing about what a compiler makes of it.
    pub fn granted(&self, verdict: Verdicts<'_>) -> Vec<(&CProperty, Verdict)> {
        self.origin.c().map_or_else(Vec::new, |c| granted(c, verdict))
    }

    /// The passes that a proof trusts: what they did is in no certificate.
    pub fn trusted(&self) -> Vec<&'static str> {
        let prepared = self.origin.c().and_then(|c| c.prepared.as_ref());
        prepared.map_or_else(Vec::new, |p| p.trusted.iter().map(|pass| pass.name()).collect())
    }

    /// What became of recursive calls, if they are not followed as deep as there
    /// is room for.
    pub fn recursion(&self) -> Option<Recursion> {
        self.origin.c()?.recursion()
    }

    /// How the task was made from another one, about which it says something.
    pub fn made(&self, from: &Task) -> Made {
        let is_plain =
            |task: &Task| task.origin.c().is_some_and(|c| c.source.options.passes == Passes::Plain);
        Made {
            recursion: self.recursion(),
            plain: is_plain(self) && !is_plain(from),
            always: !self.origin.is_c(),
        }
    }

    /// The task with one of its properties that is made in another way.
    ///
    /// # Errors
    /// With a sentence, if it is not made so.
    pub fn remade(&self, name: &str, made: &Made) -> Result<Task, String> {
        let Some(c) = self.origin.c() else {
            let wanted = Made { always: true, ..Made::default() };
            let property = self.program.property(name).filter(|_| *made == wanted);
            let found = property.and_then(|property| as_invariant(self, property));
            return found.ok_or_else(|| format!("`{name}` is not asked in this way of a model"));
        };
        let asked = c.asked.iter().find(|property| property.name() == name);
        let asked = asked.ok_or_else(|| format!("there is no property `{name}`"))?;
        let calls = match &made.recursion {
            Some(recursion) => calls_of(&c.source.program, recursion)?,
            None => Calls::default(),
        };
        let mut source = c.source.asking(vec![asked.clone()]);
        if made.plain {
            source.options.passes = Passes::Plain;
        }
        let task = c_task_by(source, calls).map_err(|error| error.to_string())?;
        match task.refused.first() {
            Some((_, why)) => Err(why.to_string()),
            None => Ok(task),
        }
    }

    /// The same task with its first property, from a program that no pass has
    /// made smaller; `None` if it is one, or has more steps than this.
    pub fn plain(&self, most: usize) -> Option<Task> {
        let c = self.origin.c()?;
        let prepared = c.prepared.as_ref()?;
        if prepared.trusted.is_empty() || prepared.steps > most {
            return None;
        }
        let mut source = c.source.asking(c.asked.iter().take(1).cloned().collect());
        source.options.passes = Passes::Plain;
        c_task_by(source, c.calls.clone()).ok()
    }

    /// What a finding says about the source.
    pub fn replay(&self, property: Id<Property>, finding: &Finding) -> Replay<'_> {
        let Some(c) = self.origin.c() else {
            return match finding {
                Finding::Executed(_) => {
                    let what = "a run by inputs is evidence about C programs only";
                    Replay::Nothing(Why::CertificateRejected(what.to_owned()))
                }
                _ => Replay::Same,
            };
        };
        if !matches!(finding, Finding::Reached(_) | Finding::Executed(_)) {
            return Replay::Same;
        }
        match c.asked.get(property.index()).zip(script(c, finding)) {
            Some((property, script)) => Replay::By { program: &c.source.program, property, script },
            None => Replay::Nothing(self.unrepeated(property, finding)),
        }
    }

    /// Why a run that was found is none of the source.
    pub fn unrepeated(&self, property: Id<Property>, finding: &Finding) -> Why {
        match self.origin.c() {
            Some(c) => unrepeated(self, c, c.asked.get(property.index()), finding),
            None => Why::NoProgress("the run that was found does not repeat".to_owned()),
        }
    }

    /// A run of the source, as renderers take it.
    pub fn view<'a>(&'a self, recording: &'a Recording) -> Option<CRun<'a>> {
        Some(self.origin.c()?.source.view(recording))
    }

    /// What is not modelled, with its places.
    pub fn gaps(&self) -> &[GapPlace] {
        let prepared = self.origin.c().and_then(|c| c.prepared.as_ref());
        prepared.map_or(&[], |prepared| &prepared.encoded.gaps)
    }

    /// The gap that a run ends in, if it ends in one.
    pub fn gap_of(&self, trace: &Trace) -> Option<&GapPlace> {
        self.origin.c()?.gap_of(&self.program, trace)
    }

    /// The property without what is not modelled, if that is another one.
    pub fn gaps_aside(&self, property: Id<Property>) -> Option<Id<Property>> {
        self.origin.c()?.gaps_aside(property)
    }

    /// The heads of loops of the source; `None` if there is none but the program.
    pub fn heads(&self) -> Option<Vec<Head>> {
        Some(heads(self, self.origin.c()?))
    }

    /// The variables that invariants may speak of, for each location.
    pub fn live(&self) -> Option<Vec<BTreeSet<usize>>> {
        match self.origin.c() {
            Some(c) if c.source.options.passes == Passes::Whole => {
                c.prepared.as_ref().map(|prepared| prepared.encoded.live.clone())
            }
            Some(_) => None,
            // People ask about all variables of a model.
            None => self.program.live_variables().map(|live| {
                live.iter().map(|_| (0..self.program.variables.len()).collect()).collect()
            }),
        }
    }
}
