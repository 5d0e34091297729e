//! Templates for linear contradictions: no copies, no solver.
//!
//! As in [`crate::template`], the parts are torn apart and agree at each cut on
//! the values of some templates only; here each part's linear literals are rows
//! of one simplex over its own numbers, and a template at a cut is an equation
//! between the two sides that is turned on and off. So hundreds of templates are
//! tried one by one on a warm tableau, before sets of them are. If one suffices,
//! bounds of it that stay the same are preferred ([`crate::steady`]).
//!
//! From a contradiction, with factors `f` of the rows `L <= 0` and `m` of the
//! equations `t(left) - t(right) = 0`, the interpolant at a cut is
//! `c - sum of m*t <= 0`: the rows of the earlier parts sum up to that, because
//! all their numbers cancel but for what the equations at the cut take over;
//! `c` is the sum of their constants.

use crate::Candidate;
use crate::linear::{self, Bounding, Constraint, Table, factor};
use crate::problem::{Spans, symbols};
use crate::steady::{self, Program};
use crate::template::Template;
use parallax_base::{Budget, Stop};
use parallax_simplex::{Feasibility, Share};
use parallax_term::{Linear, Rat, Relation, Sort, Term, TermStore};

/// Try no set of templates with more equations than this.
const EQUATIONS: usize = 1500;

/// A row of the simplex, by tag.
enum Row {
    /// A constraint of a part, with its literal.
    Part(usize, Option<Term>, Constraint, Bounding),
    /// A template at a cut.
    Link(usize, Linear, Bounding),
}

/// Torn parts with linear literals.
struct Guide {
    /// Numbers are those of one part.
    table: Table<(u32, Term)>,
    rows: Vec<Row>,
    /// The rows of each template.
    links: Vec<Vec<usize>>,
    parts: usize,
}

/// A formula for each cut, and the templates in them.
pub(crate) type Guided = (Candidate, Vec<usize>);

/// Interpolants over as few templates of as low rank as possible.
pub(crate) fn interpolants(
    store: &mut TermStore,
    parts: &[Vec<Term>],
    spans: &Spans,
    templates: &[Template],
    budget: &Budget,
) -> Result<Option<Guided>, Stop> {
    let mut guide =
        Guide { table: Table::default(), rows: Vec::new(), links: Vec::new(), parts: parts.len() };
    for (part, literals) in parts.iter().enumerate() {
        for (literal, constraint) in linear::constraints(store, literals) {
            guide.add(part, literal, constraint);
        }
    }
    for template in templates {
        guide.link(store, spans, template);
    }
    let mut order: Vec<usize> = (0..templates.len()).collect();
    order.sort_by_key(|template| templates[*template].rank);
    order.retain(|template| !guide.links[*template].is_empty());
    for &template in &order {
        if let Some(shares) = guide.check(&[template], budget)? {
            let sums = match guide.steady(store, &templates[template], budget)? {
                Some(formulas) => Candidate { formulas, core: parts.to_vec() },
                None => guide.sums(store, &shares),
            };
            return Ok(Some((sums, vec![template])));
        }
    }
    let mut known = 0;
    while known < order.len() {
        let rank = templates[order[known]].rank;
        while order.get(known).is_some_and(|template| templates[*template].rank == rank) {
            known += 1;
        }
        let equations: usize = order[..known].iter().map(|t| guide.links[*t].len()).sum();
        if equations > EQUATIONS {
            return Ok(None);
        }
        let mut used = order[..known].to_vec();
        let Some(mut shares) = guide.check(&used, budget)? else { continue };
        guide.retain_used(&mut used, &shares);
        let mut at = used.len();
        while at > 0 {
            at -= 1;
            let mut without = used.clone();
            without.remove(at);
            if let Some(fewer) = guide.check(&without, budget)? {
                shares = fewer;
                guide.retain_used(&mut used, &shares);
                at = at.min(used.len());
            }
        }
        used.sort_unstable();
        return Ok(Some((guide.sums(store, &shares), used)));
    }
    Ok(None)
}

impl Guide {
    fn add(&mut self, part: usize, literal: Option<Term>, constraint: Constraint) {
        let monomials = constraint.linear.monomials().iter();
        let sum: Vec<((u32, Term), Rat)> =
            monomials.map(|(number, c)| ((part as u32, *number), c.clone())).collect();
        let Some(bounding) = self.table.bounding_of(&sum, constraint.linear.constant_part()) else {
            return;
        };
        self.table.assert(&bounding, constraint.relation, self.rows.len() as u32);
        self.rows.push(Row::Part(part, literal, constraint, bounding));
    }

    fn link(&mut self, store: &TermStore, spans: &Spans, template: &Template) {
        let mut links = Vec::new();
        for cut in 1..self.parts {
            let Some(term) = template.at.get(cut).copied().flatten() else { continue };
            let is_shared = |symbol: &Term| spans.is_shared(*symbol, cut);
            if !matches!(store.sort(term), Sort::Int | Sort::Real)
                || !symbols(store, &[term]).iter().all(is_shared)
            {
                continue;
            }
            let linear = linear::plain(store, &store.linear(term));
            let sides = [(cut - 1, Rat::ONE), (cut, Rat::from(-1))];
            let sum: Vec<((u32, Term), Rat)> = sides
                .iter()
                .flat_map(|(part, sign)| {
                    let monomials = linear.monomials().iter();
                    monomials.map(|(number, c)| ((*part as u32, *number), c * sign))
                })
                .collect();
            // The constants of both sides cancel.
            if let Some(bounding) = self.table.bounding_of(&sum, &Rat::ZERO) {
                links.push(self.rows.len());
                self.rows.push(Row::Link(cut, linear, bounding));
            }
        }
        self.links.push(links);
    }

    /// The contradiction between the parts if they agree on some templates.
    fn check(&mut self, templates: &[usize], budget: &Budget) -> Result<Option<Vec<Share>>, Stop> {
        self.table.simplex.push();
        for &template in templates {
            for &row in &self.links[template] {
                if let Row::Link(_, _, bounding) = &self.rows[row] {
                    self.table.assert(bounding, Relation::Eq, row as u32);
                }
            }
        }
        let result = self.table.simplex.check(budget);
        self.table.simplex.pop();
        Ok(match result? {
            Feasibility::Feasible => None,
            Feasibility::Infeasible(shares) => Some(shares),
        })
    }

    /// Interpolants that bound one integer template, from below or from above.
    fn steady(
        &self,
        store: &mut TermStore,
        template: &Template,
        budget: &Budget,
    ) -> Result<Option<Vec<Term>>, Stop> {
        let mut programs: Vec<Program> = Vec::with_capacity(self.parts);
        for part in 0..self.parts {
            programs.push(Program::new(self.rows.iter().filter_map(|row| match row {
                Row::Part(at, _, constraint, _) if *at == part => Some(constraint),
                _ => None,
            })));
        }
        let is_int = |term: Term| store.sort(term) == Sort::Int;
        let linear = |term: Term| is_int(term).then(|| store.linear(term));
        let mut bounded: Vec<Option<Linear>> = vec![None; self.parts + 1];
        for (at, term) in bounded.iter_mut().zip(&template.at).take(self.parts).skip(1) {
            *at = term.and_then(linear);
        }
        if let Some(found) = steady::interpolants(store, &mut programs, &bounded, budget)? {
            return Ok(Some(found));
        }
        for at in bounded.iter_mut().flatten() {
            *at = at.scaled(&Rat::from(-1));
        }
        steady::interpolants(store, &mut programs, &bounded, budget)
    }

    fn retain_used(&self, templates: &mut Vec<usize>, shares: &[Share]) {
        let is_used = |row: usize| shares.iter().any(|share| share.tag as usize == row);
        templates.retain(|template| self.links[*template].iter().any(|row| is_used(*row)));
    }

    fn sums(&self, store: &mut TermStore, shares: &[Share]) -> Candidate {
        let mut formulas = vec![store.bool(true)];
        for cut in 1..=self.parts {
            let (mut sum, mut strict) = (Linear::constant(Rat::ZERO), false);
            for share in shares {
                match &self.rows[share.tag as usize] {
                    Row::Part(part, _, constraint, bounding) if *part < cut => {
                        let constant = constraint.linear.constant_part();
                        sum = sum.shifted(&(&factor(share, bounding) * constant));
                        strict |= constraint.relation == Relation::Lt;
                    }
                    Row::Link(at, linear, bounding) if *at == cut => {
                        let linear = linear.shifted(&-linear.constant_part());
                        sum = sum.plus(&-&factor(share, bounding), &linear);
                    }
                    _ => {}
                }
            }
            let relation = if strict { Relation::Lt } else { Relation::Le };
            formulas.push(linear::formula(store, &sum, relation));
        }
        let mut core = vec![Vec::new(); self.parts];
        for share in shares {
            if let Row::Part(part, Some(literal), ..) = &self.rows[share.tag as usize] {
                core[*part].push(*literal);
            }
        }
        Candidate { formulas, core }
    }
}
