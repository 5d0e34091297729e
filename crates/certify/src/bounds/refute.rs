//! Checking refutations: clause by clause, without search.
//!
//! Every clause is either read off a definition, or a sum of its negated
//! literals is computed and found contradictory, or the clauses it names are
//! looked at once, in order. So the time is linear in the size of the proof.

use crate::Rejected;
use parallax_base::Budget;
use parallax_evidence::{Literal, Name, Refutation, Step};
use parallax_ir::TemplateProblem;
use parallax_term::{Linear, Node, Rat, Relation, Sort, Term, TermStore, Value};
use rustc_hash::FxHashMap;

/// Steps between two looks at the budget.
const STRIDE: usize = 1024;

/// A literal of the checker: an atom's number, and whether it is negated.
type Lit = u32;

/// The clauses that were accepted.
pub(crate) struct Clauses {
    /// Where each clause begins in `lits`.
    starts: Vec<u32>,
    lits: Vec<Lit>,
}

impl Clauses {
    pub(crate) fn get(&self, step: u32) -> Option<&[Lit]> {
        let from = *self.starts.get(step as usize)? as usize;
        let to = *self.starts.get(step as usize + 1)? as usize;
        self.lits.get(from..to)
    }
}

/// Names, atoms and values.
pub(crate) struct Refuter<'a> {
    store: &'a mut TermStore,
    formula: Term,
    names: &'a [Name],
    /// The literal of each name.
    named: Vec<Lit>,
    /// The numbers of atoms.
    numbers: FxHashMap<Term, u32>,
    /// 1 for true, -1 for false, 0 for open; by literal.
    values: Vec<i8>,
}

fn bad<T>(what: &str) -> Result<T, Rejected> {
    Err(Rejected::Refutation(what.to_owned()))
}

impl<'a> Refuter<'a> {
    /// Accepts all clauses of a refutation.
    pub(crate) fn check(
        problem: &TemplateProblem,
        store: &'a mut TermStore,
        refutation: &'a Refutation,
        budget: &Budget,
    ) -> Result<(Refuter<'a>, Clauses), Rejected> {
        let known = problem.store.len();
        let mut refuter = Refuter {
            store,
            formula: problem.formula,
            names: &refutation.names,
            named: Vec::with_capacity(refutation.names.len()),
            numbers: FxHashMap::default(),
            values: Vec::new(),
        };
        for name in &refutation.names {
            let term = match name {
                Name::Term(term) if term.index() < known => *term,
                Name::Compare(relation, linear) => refuter.comparison(known, *relation, linear)?,
                Name::Term(_) => return bad("a name is not a term of the problem"),
            };
            let lit = refuter.lit(term)?;
            refuter.named.push(lit);
        }
        let mut clauses = Clauses { starts: vec![0], lits: Vec::new() };
        for (at, step) in refutation.steps.iter().enumerate() {
            if at % STRIDE == 0 {
                budget.check()?;
            }
            refuter.step(step, known, &mut clauses)?;
            clauses.starts.push(clauses.lits.len() as u32);
        }
        Ok((refuter, clauses))
    }

    fn comparison(
        &mut self,
        known: usize,
        relation: Relation,
        linear: &Linear,
    ) -> Result<Term, Rejected> {
        let mut sorts = linear.monomials().iter().map(|(term, _)| {
            (term.index() < known).then(|| self.store.sort(*term)).filter(|s| s.is_number())
        });
        let sort = sorts.next().unwrap_or(Some(Sort::Real));
        match sort {
            Some(sort) if sorts.all(|other| other == Some(sort)) => {
                Ok(self.store.relate(relation, linear.clone(), sort))
            }
            _ => bad("a comparison is not over numbers of the problem"),
        }
    }

    /// The literal of a formula.
    pub(crate) fn lit(&mut self, term: Term) -> Result<Lit, Rejected> {
        if self.store.sort(term) != Sort::Bool {
            return bad("a literal is no truth value");
        }
        let (atom, is_positive) = self.store.literal(term);
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(atom).or_insert(next);
        if number == next {
            let value = match self.store.value(atom) {
                Some(Value::Bool(true)) => 1,
                Some(Value::Bool(false)) => -1,
                _ => 0,
            };
            self.values.extend([value, -value]);
        }
        Ok(2 * number + u32::from(!is_positive))
    }

    fn of(&self, literal: Literal) -> Result<Lit, Rejected> {
        match self.named.get(literal as usize / 2) {
            Some(lit) => Ok(lit ^ (literal & 1)),
            None => bad("a literal has no name"),
        }
    }

    fn step(&mut self, step: &Step, known: usize, clauses: &mut Clauses) -> Result<(), Rejected> {
        match step {
            Step::Formula => {
                let lit = self.lit(self.formula)?;
                clauses.lits.push(lit);
            }
            Step::Connective(term, _) | Step::Conditional(term, _) if term.index() >= known => {
                return bad("a definition is not of the problem");
            }
            Step::Connective(term, part) => self.connective(*term, *part as usize, clauses)?,
            Step::Conditional(term, part) => self.conditional(*term, *part, clauses)?,
            Step::Trichotomy(name) => self.trichotomy(*name, clauses)?,
            Step::Arithmetic { clause, factors, otherwise } => {
                self.arithmetic(clause, factors, otherwise.as_deref())?;
                for literal in clause {
                    clauses.lits.push(self.of(*literal)?);
                }
            }
            Step::Derived { clause, from } => {
                let own = clauses.lits.len();
                for literal in clause {
                    clauses.lits.push(self.of(*literal)?);
                }
                self.derived(own, from, clauses)?;
            }
        }
        Ok(())
    }

    fn connective(&mut self, term: Term, part: usize, to: &mut Clauses) -> Result<(), Rejected> {
        let node = self.store.node(term).clone();
        let own = self.lit(term)?;
        match node {
            Node::And(items) | Node::Or(items) if part <= items.len() => {
                // A disjunction is the negated conjunction of the negations.
                let flip = u32::from(matches!(self.store.node(term), Node::Or(_)));
                match items.get(part) {
                    Some(item) => {
                        let item = self.lit(*item)? ^ flip;
                        to.lits.extend([own ^ 1 ^ flip, item]);
                    }
                    None => {
                        to.lits.push(own ^ flip);
                        for item in &items {
                            let item = self.lit(*item)? ^ 1 ^ flip;
                            to.lits.push(item);
                        }
                    }
                }
                Ok(())
            }
            Node::Iff(a, b) if part < 4 => {
                let (a, b) = (self.lit(a)?, self.lit(b)?);
                to.lits.extend(match part {
                    0 => [own ^ 1, a ^ 1, b],
                    1 => [own ^ 1, a, b ^ 1],
                    2 => [own, a, b],
                    _ => [own, a ^ 1, b ^ 1],
                });
                Ok(())
            }
            _ => bad("a definition is of something else"),
        }
    }

    fn conditional(&mut self, term: Term, part: u32, to: &mut Clauses) -> Result<(), Rejected> {
        let Node::Ite(c, a, b) = *self.store.node(term) else {
            return bad("a definition is of something else");
        };
        let (branch, flip) = if part == 0 { (a, 1) } else { (b, 0) };
        let equal = self.store.eq(term, branch);
        let lits = [self.lit(c)? ^ flip, self.lit(equal)?];
        to.lits.extend(lits);
        Ok(())
    }

    fn trichotomy(&mut self, name: u32, to: &mut Clauses) -> Result<(), Rejected> {
        let Some(Name::Compare(Relation::Eq, linear)) = self.names.get(name as usize) else {
            return bad("a case distinction is not about an equation");
        };
        let sort = linear.monomials().first().map_or(Sort::Real, |(t, _)| self.store.sort(*t));
        let minus = linear.scaled(&Rat::from(-1));
        let less = self.store.relate(Relation::Lt, linear.clone(), sort);
        let greater = self.store.relate(Relation::Lt, minus, sort);
        let lits = [self.of(2 * name)?, self.lit(less)?, self.lit(greater)?];
        to.lits.extend(lits);
        Ok(())
    }

    /// Whether the sum of the negated literals is a contradiction.
    fn arithmetic(
        &self,
        clause: &[Literal],
        factors: &[Rat],
        otherwise: Option<&[Rat]>,
    ) -> Result<(), Rejected> {
        let mut has_cases = false;
        for literal in clause {
            let name = self.names.get(*literal as usize / 2);
            has_cases |= matches!(name, Some(Name::Compare(Relation::Eq, _))) && literal & 1 == 0;
        }
        match (has_cases, otherwise) {
            (false, None) => self.contradiction(clause, factors, 1),
            (true, Some(second)) => {
                self.contradiction(clause, factors, 1)?;
                self.contradiction(clause, second, -1)
            }
            _ => bad("a sum has the wrong number of cases"),
        }
    }

    /// Adds up. `case` is the side of a disequality: 1 for less, -1 for greater.
    fn contradiction(
        &self,
        clause: &[Literal],
        factors: &[Rat],
        case: i64,
    ) -> Result<(), Rejected> {
        if clause.len() != factors.len() {
            return bad("a sum has the wrong number of factors");
        }
        let mut sum: Vec<(Term, Rat)> = Vec::new();
        let (mut constant, mut is_strict, mut cases) = (Rat::ZERO, false, 0);
        for (literal, factor) in clause.iter().zip(factors) {
            let Some(Name::Compare(relation, linear)) = self.names.get(*literal as usize / 2)
            else {
                return bad("a sum is over something else");
            };
            // What the negated literal says, as `sign * linear <= 0` or `< 0`.
            let (sign, strict, is_equation) = match (relation, literal & 1 == 1) {
                (Relation::Le, true) => (1, false, false),
                (Relation::Lt, true) => (1, true, false),
                (Relation::Le, false) => (-1, true, false),
                (Relation::Lt, false) => (-1, false, false),
                (Relation::Eq, true) => (1, false, true),
                (Relation::Eq, false) => {
                    cases += 1;
                    (case, true, false)
                }
            };
            if factor.signum() < 0 && !is_equation || cases > 1 {
                return bad("a sum has a factor of the wrong sign");
            }
            is_strict |= strict && factor.signum() != 0;
            let factor = factor * &Rat::from(sign);
            constant = &constant + &(&factor * linear.constant_part());
            for (term, c) in linear.monomials() {
                let more = &factor * c;
                match sum.iter_mut().find(|(t, _)| t == term) {
                    Some((_, total)) => *total = &*total + &more,
                    None => sum.push((*term, more)),
                }
            }
        }
        let sign = constant.signum();
        if sum.iter().all(|(_, c)| c.is_zero()) && (sign > 0 || sign == 0 && is_strict) {
            Ok(())
        } else {
            bad("a sum is no contradiction")
        }
    }

    /// Whether the clause that begins at `own` follows from the others named.
    fn derived(&mut self, own: usize, from: &[u32], clauses: &Clauses) -> Result<(), Rejected> {
        let mut set: Vec<Lit> = Vec::new();
        let mut is_shown = false;
        for &lit in &clauses.lits[own..] {
            // All literals of the clause are assumed to be false.
            match self.values[lit as usize] {
                0 => {
                    self.set(lit ^ 1, &mut set);
                }
                1 => is_shown = true,
                _ => {}
            }
        }
        for &step in from {
            if is_shown {
                break;
            }
            let Some(clause) = clauses.get(step) else {
                self.undo(&set);
                return bad("a clause follows from a later one");
            };
            let mut open = None;
            let mut is_idle = false;
            for &lit in clause {
                match self.values[lit as usize] {
                    0 if open.is_none() || open == Some(lit) => open = Some(lit),
                    -1 => {}
                    _ => is_idle = true,
                }
            }
            match open {
                _ if is_idle => {}
                None => is_shown = true,
                Some(lit) => self.set(lit, &mut set),
            }
        }
        self.undo(&set);
        if is_shown { Ok(()) } else { bad("a clause does not follow") }
    }

    fn set(&mut self, lit: Lit, set: &mut Vec<Lit>) {
        self.values[lit as usize] = 1;
        self.values[(lit ^ 1) as usize] = -1;
        set.push(lit);
    }

    fn undo(&mut self, set: &[Lit]) {
        for &lit in set {
            self.values[lit as usize] = 0;
            self.values[(lit ^ 1) as usize] = 0;
        }
    }
}
