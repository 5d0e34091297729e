//! From what was seen to contracts that hold.

use crate::guards::guards;
use crate::guess::Guess;
use crate::memo::Memo;
use crate::probe::Probe;
use crate::sample::{Runs, Seen, constants};
use crate::subject::Subject;
use crate::table::table;
use parallax_base::{Budget, Stop};
use parallax_cfa::Program;
use parallax_cfa::run::CheckSet;
use parallax_encode::Options;
use parallax_solver::Halt;
use parallax_solver::SolverConfig;
use parallax_transform::contracts::{Clause, Contract, Relation};
use std::collections::BTreeSet;

/// Contracts that hold, as far as the search for them can tell.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// The contracts.
    pub contracts: Vec<Contract>,
    /// Whether they keep the property; if not, they may still help.
    pub is_enough: bool,
    /// How many candidates were looked at.
    pub candidates: usize,
}

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Effort {
    /// Clauses of one condition.
    Plain,
    /// Clauses with a guard as well.
    Guarded,
    /// Equalities with products as well.
    Products,
    /// One clause for each argument.
    Tables,
}

/// Looks for contracts of these functions that keep the property that the
/// options ask for. `program` is the one whose runs were seen.
pub fn infer(
    program: &Program,
    options: &Options,
    subjects: &[Subject],
    runs: &Runs,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Option<Inferred>, Stop> {
    let mut best: Option<Inferred> = None;
    let mut tried: Vec<Contract> = Vec::new();
    for effort in [Effort::Plain, Effort::Guarded, Effort::Products, Effort::Tables] {
        let contracts = match (effort, &best) {
            (Effort::Tables, Some(found)) => tables(program, subjects, runs, found, budget),
            _ => candidates(program, subjects, runs, effort),
        };
        // A table that is not full for want of time says nothing about the next one.
        budget.check()?;
        if contracts == tried {
            continue;
        }
        tried.clone_from(&contracts);
        match attempt(program, options, &contracts, solver, budget) {
            Ok(found) if found.is_enough => return Ok(Some(found)),
            Ok(found) => best = Some(found),
            Err(Halt::GaveUp(_)) => return Ok(best),
            Err(Halt::Stop(stop)) => return Err(stop),
        }
    }
    Ok(best)
}

/// The candidates of all functions.
fn candidates(
    program: &Program,
    subjects: &[Subject],
    runs: &Runs,
    effort: Effort,
) -> Vec<Contract> {
    let mut numbers = constants(program);
    numbers.sort_unstable();
    let nothing = Seen::default();
    let contract = |subject: &Subject| {
        let seen = runs.seen.get(&subject.function).unwrap_or(&nothing);
        let guards = guards(program, subject, seen);
        let guess = Guess {
            subject,
            seen,
            constants: &numbers,
            guards: &guards,
            modulus: modulus(program, subject),
        };
        let mut ensures = guess.ensures();
        if effort >= Effort::Products {
            ensures.extend(guess.products());
        }
        let mut requires = guess.requires();
        if effort == Effort::Plain {
            requires.retain(|clause| clause.0.len() == 1);
            ensures.retain(|clause| clause.0.len() == 1);
        }
        Contract { function: subject.function, requires, ensures }
    };
    subjects.iter().map(contract).collect()
}

/// Tables, with what holds of all calls and with equalities: the less there is
/// besides, the faster the rest.
fn tables(
    program: &Program,
    subjects: &[Subject],
    runs: &Runs,
    found: &Inferred,
    budget: &Budget,
) -> Vec<Contract> {
    let mut contracts = found.contracts.clone();
    let Some(mut memo) = Memo::new(program, subjects, CheckSet::default()) else {
        return contracts;
    };
    let nothing = Seen::default();
    for (number, contract) in contracts.iter_mut().enumerate() {
        let subject = &subjects[number];
        let seen = runs.seen.get(&subject.function).unwrap_or(&nothing);
        let modulus = modulus(program, subject);
        let requires = &contract.requires;
        let rows = table(&mut memo, (number, subject), seen, requires, modulus, budget);
        contract.requires.retain(|clause| clause.0.len() == 1 && clause.atoms().count() == 1);
        let is_equality =
            |clause: &Clause| clause.0.last().is_some_and(|c| c.relation == Relation::Zero);
        contract.ensures.retain(|clause| clause.0.len() == 1 || is_equality(clause));
        contract.ensures.extend(rows);
    }
    contracts
}

/// The range of the widest parameter or result.
fn modulus(program: &Program, subject: &Subject) -> i128 {
    let function = &program.functions[subject.function];
    let mut types: Vec<_> = function.parameters.iter().map(|p| program.variables[*p].ty).collect();
    if let parallax_cfa::Type::Function(ty) = program.types.get(function.ty) {
        types.push(ty.result);
    }
    let bytes = types.iter().filter_map(|ty| program.types.size_of(*ty)).max();
    if bytes.is_some_and(|b| b > 4) { 1 << 64 } else { 1 << 32 }
}

fn attempt(
    program: &Program,
    options: &Options,
    contracts: &[Contract],
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Inferred, Halt> {
    let mut probe = Probe::new(program, options, contracts, solver)?;
    probe.weaken(budget)?;
    let enough = probe.enough(budget)?;
    let is_enough = enough.is_some();
    let kept = enough.unwrap_or_else(|| probe.alive.clone());
    let candidates = contracts.iter().map(|c| c.requires.len() + c.ensures.len()).sum();
    Ok(Inferred { contracts: keep(contracts, &kept), is_enough, candidates })
}

/// The contracts with these clauses only, by their numbers.
fn keep(contracts: &[Contract], kept: &BTreeSet<usize>) -> Vec<Contract> {
    let mut number = 0;
    let mut some = |clauses: &[Clause]| -> Vec<Clause> {
        let first = number;
        number += clauses.len();
        let kept = clauses.iter().enumerate().filter(|(at, _)| kept.contains(&(first + at)));
        kept.map(|(_, clause)| clause.clone()).collect()
    };
    let contract = |c: &Contract| Contract {
        function: c.function,
        requires: some(&c.requires),
        ensures: some(&c.ensures),
    };
    contracts.iter().map(contract).collect()
}
