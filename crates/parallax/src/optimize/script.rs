//! Scripts for optimizing solvers: every query is searched, judged and said.
//!
//! ```
//! use parallax::optimize::{Optimize, load_problem_text};
//! use parallax::report::render_optima;
//!
//! let text = "(declare-const x Int) (declare-const y Int)
//!             (assert (and (<= 0 x 5) (<= 0 y 5) (<= (+ x y) 7)))
//!             (maximize x) (maximize y) (check-sat) (get-objectives)";
//! let task = load_problem_text("two.smt2", text)?;
//! let text = render_optima(&Optimize::new(&task).run_script()?.report);
//! assert!(text.starts_with("sat\n(objectives\n (x 5)\n (y 2)\n)\n"), "{text}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{LAST, Optimize, OptimizeError, forget_limits};
use crate::Checkers;
use crate::accept::{Rejected, Vouched};
use crate::isolate::isolated;
use parallax_base::{Budget, Span};
use parallax_certify::Claim;
use parallax_evidence::{Bounds, Extent, Optimum, Point};
use parallax_front_smt::{Ask, Priority, Query};
use parallax_ir::{Sides, Template, TemplateProblem};
use parallax_optimize::{Failed, Open, lexicographic, optimize, pareto};
use parallax_report::{ObjectiveJson, OptimaReply, OptimaReport};
use parallax_solver::Model;
use parallax_term::{Rat, Sort, Term, Value, smtlib_symbol};

/// Replies to a script, and what they rest on.
#[derive(Clone, Debug)]
pub struct Replied {
    /// One for each query.
    pub report: OptimaReport,
    /// The evidence for each that the checker accepted.
    pub evidence: Vec<Optimum>,
}

impl Optimize<'_> {
    /// Replies to all queries of a script, one after the other.
    ///
    /// # Soundness
    /// What a reply claims was accepted by the checker, or is not claimed.
    pub fn run_script(&self) -> Result<Replied, OptimizeError> {
        let (mut replies, mut evidence) = (Vec::new(), Vec::new());
        for query in &self.task.queries {
            let (reply, found) = self.reply(query)?;
            replies.push(reply);
            evidence.push(found);
        }
        Ok(Replied { report: OptimaReport { replies }, evidence })
    }

    fn reply(&self, query: &Query) -> Result<(OptimaReply, Optimum), OptimizeError> {
        let problem = with_goal(&query.problem);
        let (mut evidence, mut why) = self.look(query, &problem)?;
        let mut checked_by = Vec::new();
        let mut checkers = Checkers::new(self.solver.clone());
        if self.cross_check {
            checkers = checkers.and_second().map_err(|_| OptimizeError::NoSecondSolver)?;
        }
        let budget = match self.budget.check() {
            Ok(()) => self.budget.clone(),
            Err(_) => Budget::new(Some(LAST), self.budget.memory_limit()),
        };
        match checkers.accept(&claimed(&problem, &evidence), &budget) {
            Ok(vouched) => checked_by = judges(vouched),
            Err((rejected @ (Rejected::Stopped(_) | Rejected::GaveUp(_)), _)) => {
                // Nobody has seen that nothing is better, so it is not said.
                why = Some(rejected.to_string());
                let mut bounds = match evidence {
                    Optimum::Stages(stages) => stages.into_iter().next().unwrap_or_default(),
                    Optimum::Bounds(bounds) => bounds,
                    Optimum::Front(_) => Bounds::default(),
                };
                if query.priority != Priority::Box || bounds.bounds.is_empty() {
                    bounds = Bounds::default();
                } else {
                    forget_limits(&problem, &mut bounds);
                }
                evidence = Optimum::Bounds(bounds);
            }
            Err((rejected, _)) => {
                let engine = self.config.engine.name();
                return Err(OptimizeError::Rejected { engine, why: rejected.to_string() });
            }
        }
        Ok((said(query, &problem, &evidence, checked_by, why), evidence))
    }

    /// The evidence for a query, and why something is open.
    fn look(
        &self,
        query: &Query,
        problem: &TemplateProblem,
    ) -> Result<(Optimum, Option<String>), OptimizeError> {
        let limited = self.search_budget();
        let config = &self.search_config(&limited);
        let (solver, watch) = (&self.solver, self.watch);
        let found = isolated(|| -> Result<_, Failed> {
            Ok(match query.priority {
                Priority::Pareto if !query.problem.templates.is_empty() => {
                    let found = pareto(problem, config, solver, &limited, watch)?;
                    (Optimum::Front(found.front), found.why_open)
                }
                Priority::Box => {
                    let found = optimize(problem, config, solver, &limited, watch)?;
                    (Optimum::Bounds(found.bounds), found.why_open)
                }
                _ => {
                    let found = lexicographic(problem, config, solver, &limited, watch)?;
                    (Optimum::Stages(found.stages), found.why_open)
                }
            })
        });
        match found {
            Ok((evidence, open)) => Ok((
                evidence,
                open.map(|open| match open {
                    Open::Stopped(stop) => format!("{stop} reached"),
                    Open::GaveUp(reason) => reason,
                }),
            )),
            Err(Failed::Solver(error)) => Err(OptimizeError::Solver(error)),
            Err(other) => Err(OptimizeError::Rejected {
                engine: self.config.engine.name(),
                why: other.to_string(),
            }),
        }
    }
}

/// What evidence claims of a problem.
pub(super) fn claimed<'a>(problem: &'a TemplateProblem, evidence: &'a Optimum) -> Claim<'a> {
    match evidence {
        Optimum::Stages(stages) => Claim::Lexicographic { problem, stages },
        Optimum::Front(front) => Claim::Pareto { problem, front },
        Optimum::Bounds(bounds) => Claim::Bounded { problem, bounds },
    }
}

/// Who accepted it.
pub(super) fn judges(vouched: Vouched) -> Vec<String> {
    let mut judges = vec![String::from("evaluation")];
    if vouched.accepted.steps > 0 {
        judges.push(String::from("refutation"));
    }
    judges.extend(vouched.by);
    judges
}

/// The reply that evidence gives.
pub(super) fn said(
    query: &Query,
    problem: &TemplateProblem,
    evidence: &Optimum,
    checked_by: Vec<String>,
    why: Option<String>,
) -> OptimaReply {
    let mut reply = OptimaReply { status: "unknown", checked_by, ..OptimaReply::default() };
    let point = say(query, problem, evidence, &mut reply);
    reply.reason = why;
    reply.printed = query.asks.iter().map(|ask| printed(query, ask, point, &reply)).collect();
    reply
}

/// The problem itself; with a constant to bound if nothing is wanted, so that
/// the question whether there is a model is asked like all others.
pub(super) fn with_goal(problem: &TemplateProblem) -> TemplateProblem {
    let mut problem = problem.clone();
    if problem.templates.is_empty() {
        let term = problem.store.int(0);
        problem.templates.push(Template { term, sides: Sides::Upper, span: Span::default() });
    }
    problem
}

/// Fills in what evidence says that was accepted; the model to be shown.
fn say<'e>(
    query: &Query,
    problem: &TemplateProblem,
    evidence: &'e Optimum,
    reply: &mut OptimaReply,
) -> Option<&'e Point> {
    let bounds: Vec<(&Bounds, &Extent)> = match evidence {
        Optimum::Front(front) => {
            reply.status = match (front.points.is_empty(), front.is_whole) {
                (true, true) => "unsat",
                (true, false) => "unknown",
                _ => "sat",
            };
            let values = |point: &Point| -> Vec<String> {
                let model = model_of(problem, point);
                let of = |t: &Template| model.eval(&problem.store, t.term).smtlib();
                problem.templates.iter().map(of).collect()
            };
            let all: Vec<Vec<String>> = front.points.iter().map(values).collect();
            for (at, name) in query.names.iter().enumerate() {
                let value = all.first().map_or_else(|| "unknown".into(), |first| first[at].clone());
                let attained = !all.is_empty();
                reply.objectives.push(ObjectiveJson { name: shown_name(name), value, attained });
            }
            if !all.is_empty() {
                reply.remarks.push(match front.is_whole {
                    true => {
                        format!("the front has {} points; the model is of the first", all.len())
                    }
                    false => format!("{} points of the front; there may be more", all.len()),
                });
                reply.front = Some(all);
            }
            reply.front_is_whole = front.is_whole;
            return front.points.first();
        }
        Optimum::Stages(stages) => {
            stages.iter().filter_map(|b| Some((b, &b.bounds.first()?.extent))).collect()
        }
        Optimum::Bounds(all) => all.bounds.iter().map(|b| (all, &b.extent)).collect(),
    };
    let is_open = |extent: &Extent| matches!(extent, Extent::Between { .. });
    let is_empty = bounds.iter().any(|(_, extent)| **extent == Extent::Empty);
    reply.status = match bounds.first() {
        Some(_) if is_empty => "unsat",
        Some(_) if !bounds.iter().any(|(_, extent)| is_open(extent)) => "sat",
        _ => "unknown",
    };
    let mut model = None;
    for (_, extent) in &bounds {
        if let Extent::Supremum { .. } | Extent::Unbounded { .. } = extent {
            reply.remarks.push("no model is best: the model is one of many".into());
        }
    }
    for (of, extent) in bounds.iter().rev() {
        let at = match extent {
            Extent::Attained { point, .. } => Some(*point),
            Extent::Supremum { from, .. } | Extent::Unbounded { from, .. } => Some(*from),
            Extent::Between { reached: Some((_, point)), .. } => Some(*point),
            _ => None,
        };
        model = at.and_then(|at| of.points.get(at)).or(model);
        // The last stage has the values of all before it.
        if matches!(evidence, Optimum::Stages(_)) && model.is_some() {
            break;
        }
    }
    if is_empty {
        return None;
    }
    for (at, name) in query.names.iter().enumerate() {
        let template = &problem.templates[at];
        let (value, attained) = match bounds.get(at) {
            Some((_, extent)) => {
                let sort = problem.store.sort(template.term);
                (
                    value_text(extent, template.sides, sort),
                    matches!(extent, Extent::Attained { .. }),
                )
            }
            None => (String::from("unknown"), false),
        };
        if bounds.get(at).is_none() && reply.status == "sat" {
            let before = &query.names[bounds.len() - 1];
            let remark = format!("`{name}` is not asked: `{before}` has no best value");
            reply.remarks.push(remark);
        }
        reply.objectives.push(ObjectiveJson { name: shown_name(name), value, attained });
    }
    if matches!(evidence, Optimum::Bounds(_)) && bounds.len() > 1 {
        reply.remarks.push("each objective is on its own; the model is of the first".into());
    }
    model
}

/// An extent as Z3 would print it.
fn value_text(extent: &Extent, sides: Sides, sort: Sort) -> String {
    let number = |value: &Rat| {
        let value = match (sort, value.to_int()) {
            (Sort::Int, Some(int)) => Value::Int(int.clone()),
            _ => Value::Real(Box::new(value.clone())),
        };
        value.smtlib()
    };
    let is_upper = sides == Sides::Upper;
    let (most, least) = ("oo", "(* (- 1) oo)");
    match extent {
        Extent::Attained { value, .. } => number(value),
        Extent::Supremum { value, .. } if is_upper => format!("(- {} epsilon)", number(value)),
        Extent::Supremum { value, .. } => format!("(+ {} epsilon)", number(value)),
        Extent::Unbounded { .. } => String::from(if is_upper { most } else { least }),
        Extent::Between { reached, limit } => {
            let reached = reached.as_ref().map(|(value, _)| number(value));
            let limit = limit.as_ref().map(number);
            let (low, high) = if is_upper { (reached, limit) } else { (limit, reached) };
            let low = low.unwrap_or_else(|| least.into());
            format!("(interval {low} {})", high.unwrap_or_else(|| most.into()))
        }
        Extent::Empty => String::from("unknown"),
    }
}

fn shown_name(name: &str) -> String {
    if name.is_empty() { String::from("||") } else { name.to_owned() }
}

fn model_of(problem: &TemplateProblem, point: &Point) -> Model {
    problem.symbols.iter().copied().zip(point.iter().cloned()).collect()
}

/// What is printed for a command.
fn printed(query: &Query, ask: &Ask, point: Option<&Point>, reply: &OptimaReply) -> String {
    let none = || String::from("(error \"there is no model\")");
    match ask {
        Ask::Echo(text) => text.clone(),
        Ask::Objectives => {
            let mut text = String::from("(objectives\n");
            for ObjectiveJson { name, value, .. } in &reply.objectives {
                text.push_str(&format!(" ({name} {value})\n"));
            }
            text + ")"
        }
        Ask::Model => {
            let Some(point) = point else { return none() };
            let model = model_of(&query.problem, point);
            let mut text = String::from("(\n");
            for &symbol in &query.declared {
                let store = &query.problem.store;
                let name = store.name(symbol).map_or_else(String::new, |n| smtlib_symbol(n));
                let (sort, value) = (store.sort(symbol), model.value_of(store, symbol).smtlib());
                text.push_str(&format!("  (define-fun {name} () {sort} {value})\n"));
            }
            text + ")"
        }
        Ask::Values(terms) => {
            let Some(point) = point else { return none() };
            let model = model_of(&query.problem, point);
            let value = |(text, term): &(String, Term)| {
                format!("({text} {})", model.eval(&query.problem.store, *term).smtlib())
            };
            format!("({})", terms.iter().map(value).collect::<Vec<_>>().join("\n "))
        }
    }
}
