//! Which clauses hold together: the largest inductive subset of candidates.
//!
//! The program with contracts is encoded once, with a switch for each clause.
//! A clause that fails while all others are relied on is switched off, until
//! none fails: Flanagan and Leino, *Houdini, an annotation assistant for
//! ESC/Java*, FME 2001. Then what the property needs is read off unsatisfiable
//! cores.
//!
//! Edges from loop heads are looked at from every state, reachable or not, so
//! clauses may be lost there. Nothing here is trusted: contracts are evidence,
//! and are checked as such.

use parallax_base::Budget;
use parallax_cfa::Program;
use parallax_encode::{Calls, Encoded, Options, prepare};
use parallax_ir as ir;
use parallax_solver::{Answer, Halt, Solver, SolverConfig};
use parallax_term::{Bv, Code, Int, Scratch, Substitution, Term, TermStore, Value};
use parallax_transform::contracts::{Contract, Mode};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How long one question may take.
const QUESTION: Duration = Duration::from_secs(3);

/// Contracts of at most so many clauses are made shorter.
const SHORT: usize = 40;

/// How long a question may take that can be done without.
const SHORT_QUESTION: Duration = Duration::from_millis(500);

/// A way that must not be possible.
struct Obligation {
    formula: Term,
    /// Whether it is a clause that fails; else it is the property, or what is
    /// not covered for another reason.
    is_clause: bool,
}

/// A program with clauses that can be switched.
pub(crate) struct Probe {
    store: TermStore,
    solver: Box<dyn Solver>,
    obligations: Vec<Obligation>,
    /// For each clause that matters at all: the terms for on and for off.
    switches: BTreeMap<usize, (Term, Term)>,
    /// The variable that says which clause is checked, and what it holds.
    checked: Option<(Term, ir::Domain)>,
    /// The clauses that are switched on.
    pub(crate) alive: BTreeSet<usize>,
}

/// A number as a value of a variable.
fn number(store: &mut TermStore, domain: &ir::Domain, value: usize) -> Term {
    match domain {
        ir::Domain::Bv(width) => store.bv(*width, value as u128),
        _ => store.int(Int::from(value as i64)),
    }
}

impl Probe {
    /// Encodes a program with candidates. The options ask for one property.
    pub(crate) fn new(
        program: &Program,
        options: &Options,
        contracts: &[Contract],
        solver: &SolverConfig,
    ) -> Result<Probe, Halt> {
        let calls = Calls::Contracts(contracts.to_vec(), Mode::Switched);
        let Encoded { program: encoded, gaps, .. } = prepare(program, options, &calls)
            .map_err(|error| Halt::GaveUp(error.to_string()))?
            .encoded;
        let mut store = encoded.store.clone();
        let count = contracts.iter().map(|c| c.requires.len() + c.ensures.len()).sum();
        let named = |name: &str| encoded.variables.iter().find(|v| *v.name == *name);
        let mut switches = BTreeMap::new();
        for clause in 0..count {
            if let Some(v) = named(&format!("$switch{clause}")) {
                let off = number(&mut store, &v.domain, 0);
                let off = store.eq(v.term, off);
                let on = store.not(off);
                switches.insert(clause, (on, off));
            }
        }
        let checked = named("$checked").map(|v| (v.term, v.domain.clone()));
        let initial = encoded.initial_formula(&mut store);
        let mut anywhere = Vec::new();
        for variable in &encoded.variables {
            anywhere.push(variable.domain.constraint(&mut store, variable.term));
        }
        let anywhere = store.and(anywhere);
        let mut obligations = Vec::new();
        for transition in encoded.transitions(&mut store) {
            let [step] = &transition.moves[..] else {
                return Err(Halt::GaveUp("a step of several processes".into()));
            };
            let process = &encoded.processes[step.process];
            let is_first = step.source == process.initial;
            let gap = gaps.iter().find(|gap| gap.location == step.target);
            let is_clause =
                gap.is_some_and(|gap| gap.what.ends_with("that its contract does not allow"));
            let control = encoded.variables[process.control].term;
            let at = store.int(step.target.index() as i64);
            let mut is_target = |property: &ir::Property| {
                let target = Substitution::new([(control, at)]).apply(&mut store, property.target);
                store.is_true(target)
            };
            if gap.is_none() && !encoded.properties.iter().any(&mut is_target) {
                continue;
            }
            let bounds = transition.input_bounds(&mut store);
            let state = if is_first { initial } else { anywhere };
            let formula = store.and([state, transition.guard, bounds]);
            obligations.push(Obligation { formula, is_clause });
        }
        Ok(Probe {
            store,
            solver: solver.open()?,
            obligations,
            switches,
            checked,
            alive: (0..count).collect(),
        })
    }

    /// One assumption for each switch.
    fn assumptions(&self) -> Vec<Term> {
        let term = |(clause, (on, off)): (&usize, &(Term, Term))| {
            if self.alive.contains(clause) { *on } else { *off }
        };
        self.switches.iter().map(term).collect()
    }

    /// The formula "this clause is the one that is checked".
    fn checks(&mut self, clause: usize) -> Option<Term> {
        let (variable, domain) = self.checked.clone()?;
        let clause = number(&mut self.store, &domain, clause);
        Some(self.store.eq(variable, clause))
    }

    /// Switches clauses off until those that are left hold.
    pub(crate) fn weaken(&mut self, budget: &Budget) -> Result<(), Halt> {
        loop {
            let before = self.alive.len();
            for nth in 0..self.obligations.len() {
                if self.obligations[nth].is_clause {
                    let formula = self.obligations[nth].formula;
                    self.solver.push();
                    self.solver.assert(&self.store, formula);
                    let done = self.weaken_by(formula, budget);
                    self.solver.pop();
                    done?;
                }
            }
            if self.alive.len() == before {
                return Ok(());
            }
        }
    }

    /// Switches off what fails on the way that the solver holds.
    fn weaken_by(&mut self, formula: Term, budget: &Budget) -> Result<(), Halt> {
        let mut symbols = self.store.vars(formula);
        symbols.sort_unstable();
        let code = Code::compile(&self.store, &[formula], |s| symbols.binary_search(&s).ok());
        loop {
            budget.check()?;
            let assumptions = self.assumptions();
            let within = budget.within(QUESTION);
            let answer = self.solver.check(&self.store, &assumptions, &within);
            let failing = match answer {
                Ok(Answer::Unsat) => return Ok(()),
                Ok(Answer::Sat) => self.failing(&symbols, &code),
                Ok(Answer::Unknown(_)) | Err(_) => Vec::new(),
            };
            budget.check()?;
            if failing.is_empty() {
                return self.weaken_singly(budget);
            }
            for clause in failing {
                self.alive.remove(&clause);
            }
        }
    }

    /// The clauses that fail in the state of the solver's model, whichever of
    /// them it is about.
    fn failing(&mut self, symbols: &[Term], code: &Code) -> Vec<usize> {
        let Some((checked, domain)) = self.checked.clone() else { return Vec::new() };
        let Some(model) = self.solver.model(&self.store, symbols) else { return Vec::new() };
        let Ok(at) = symbols.binary_search(&checked) else { return Vec::new() };
        let mut state: Vec<Value> =
            symbols.iter().map(|s| model.value_of(&self.store, *s)).collect();
        let mut scratch = Scratch::default();
        let fails = |clause: &usize| {
            state[at] = match domain {
                ir::Domain::Bv(width) => Value::Bv(Bv::new(width, *clause as u128)),
                _ => Value::int(*clause as i64),
            };
            code.test(&state, &mut scratch)
        };
        self.alive.iter().copied().filter(fails).collect()
    }

    /// Asks for each clause on its own. One without an answer is switched off.
    fn weaken_singly(&mut self, budget: &Budget) -> Result<(), Halt> {
        for clause in self.alive.clone() {
            budget.check()?;
            let mut assumptions = self.assumptions();
            assumptions.extend(self.checks(clause));
            let within = budget.within(SHORT_QUESTION);
            if !matches!(self.solver.check(&self.store, &assumptions, &within), Ok(Answer::Unsat)) {
                self.alive.remove(&clause);
            }
        }
        budget.check()?;
        Ok(())
    }

    /// The clauses behind the last answer "unsatisfiable".
    fn needed(&mut self) -> BTreeSet<usize> {
        let Some(core) = self.solver.core() else { return self.alive.clone() };
        let on = self.switches.iter().filter(|(_, (on, _))| core.contains(on));
        on.map(|(clause, _)| *clause).filter(|clause| self.alive.contains(clause)).collect()
    }

    /// The clauses that keep the property, and those that keep these; `None`
    /// if the clauses do not keep it.
    pub(crate) fn enough(&mut self, budget: &Budget) -> Result<Option<BTreeSet<usize>>, Halt> {
        let mut needed = BTreeSet::new();
        for nth in 0..self.obligations.len() {
            if !self.obligations[nth].is_clause {
                match self.reasons(nth, None, QUESTION, budget)? {
                    Some(found) => needed.extend(found),
                    None => return Ok(None),
                }
            }
        }
        let mut open: Vec<usize> = needed.iter().copied().collect();
        while let Some(clause) = open.pop() {
            for nth in 0..self.obligations.len() {
                if self.obligations[nth].is_clause {
                    // A clause that no longer has an answer stays with all others.
                    let found = self.reasons(nth, Some(clause), QUESTION, budget)?;
                    let found = found.unwrap_or_else(|| self.alive.clone());
                    open.extend(found.difference(&needed));
                    needed.extend(found);
                }
            }
        }
        self.alive = needed;
        if self.alive.len() <= SHORT {
            self.shorten(budget)?;
        }
        Ok(Some(self.alive.clone()))
    }

    /// Leaves out one clause after the other, if the rest does without it.
    fn shorten(&mut self, budget: &Budget) -> Result<(), Halt> {
        for clause in self.alive.clone().into_iter().rev() {
            self.alive.remove(&clause);
            let mut holds = true;
            for nth in 0..self.obligations.len() {
                holds = holds && self.reasons(nth, None, SHORT_QUESTION, budget)?.is_some();
            }
            if !holds {
                self.alive.insert(clause);
            }
        }
        Ok(())
    }

    /// The clauses that make a way impossible, on which one clause is checked.
    fn reasons(
        &mut self,
        nth: usize,
        clause: Option<usize>,
        time: Duration,
        budget: &Budget,
    ) -> Result<Option<BTreeSet<usize>>, Halt> {
        budget.check()?;
        let formula = self.obligations[nth].formula;
        let mut assumptions = self.assumptions();
        if let Some(clause) = clause {
            assumptions.extend(self.checks(clause));
        }
        self.solver.push();
        self.solver.assert(&self.store, formula);
        let within = budget.within(time);
        let answer = self.solver.check(&self.store, &assumptions, &within);
        let found = matches!(answer, Ok(Answer::Unsat)).then(|| self.needed());
        self.solver.pop();
        budget.check()?;
        Ok(found)
    }
}
