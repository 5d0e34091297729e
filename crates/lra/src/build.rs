//! From a formula to clauses, atoms and columns.
//!
//! Every connective has a variable, defined by clauses in the directions that
//! the formula needs (Plaisted and Greenbaum 1986). Outermost conjunctions and
//! disjunctions need none. A conditional number is a column of its own with
//! two conditional equations.

use crate::proof::Origin;
use crate::theory::Atom;
use crate::{Lra, Unsupported};
use parallax_search::Lit;
use parallax_simplex::Num;
use parallax_term::{Linear, Node, Relation, Sort, Term, TermStore, Value};
use rustc_hash::FxHashMap;

/// What a literal stands for, for whoever looks for reasons.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Gate {
    /// Itself.
    #[default]
    Plain,
    /// The conjunction of some literals: a range of [`Lra::children`].
    All(u32, u32),
    /// Their disjunction.
    Any(u32, u32),
    /// Two literals have the same value.
    Same(Lit, Lit),
}

/// A sum over columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sum {
    pub(crate) parts: Vec<(u32, Num)>,
    pub(crate) constant: Num,
}

const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;

struct Builder<'a> {
    store: &'a TermStore,
    lra: Lra,
    /// Literals of formulas.
    literals: FxHashMap<Term, Lit>,
    /// In which directions formulas are needed.
    polarity: FxHashMap<Term, u8>,
    /// The formula.
    whole: Term,
}

impl Lra {
    /// A solver for one formula of linear real arithmetic.
    pub fn new(store: &TermStore, formula: Term) -> Result<Lra, Unsupported> {
        let mut builder = Builder {
            store,
            lra: Lra::empty(),
            literals: FxHashMap::default(),
            polarity: FxHashMap::default(),
            whole: formula,
        };
        builder.build(formula)?;
        Ok(builder.lra)
    }
}

impl Builder<'_> {
    fn build(&mut self, formula: Term) -> Result<(), Unsupported> {
        let store = self.store;
        let terms = store.subterms(&[formula]);
        // What stands at the top needs no literal of its own.
        let tops: Vec<Term> = match store.node(formula) {
            Node::And(items) => items.to_vec(),
            _ => vec![formula],
        };
        let mut outer: FxHashMap<Term, ()> = FxHashMap::default();
        for &top in &tops {
            match store.node(top) {
                Node::Or(items) => {
                    outer.insert(top, ());
                    items.iter().for_each(|&t| self.need(t, POSITIVE));
                }
                Node::Iff(a, b) => {
                    outer.insert(top, ());
                    [*a, *b].iter().for_each(|&t| self.need(t, POSITIVE | NEGATIVE));
                }
                _ => self.need(top, POSITIVE),
            }
        }
        for &term in terms.iter().rev() {
            self.spread(term);
        }
        for &term in &terms {
            if let Node::Var(_, sort) = store.node(term) {
                match sort {
                    Sort::Real => {
                        self.column(term);
                    }
                    Sort::Bool => {}
                    _ => return Err(Unsupported(term)),
                }
            }
            let needed = self.polarity.get(&term).copied().unwrap_or(0);
            if store.sort(term) == Sort::Bool && needed != 0 {
                let lit = self.literal(term, needed)?;
                self.literals.insert(term, lit);
            } else if let Node::Ite(c, a, b) = *store.node(term) {
                self.conditional(term, c, a, b)?;
            }
        }
        let is_list = matches!(store.node(formula), Node::And(_));
        for (at, &top) in tops.iter().enumerate() {
            self.top(top, outer.contains_key(&top), is_list.then_some(at as u32));
        }
        Ok(())
    }

    fn need(&mut self, term: Term, polarity: u8) {
        *self.polarity.entry(term).or_default() |= polarity;
    }

    /// Passes the needs of a formula on to its parts.
    fn spread(&mut self, term: Term) {
        let needed = self.polarity.get(&term).copied().unwrap_or(0);
        let store = self.store;
        match store.node(term) {
            Node::Ite(c, ..) => self.need(*c, POSITIVE | NEGATIVE),
            _ if needed == 0 => {}
            Node::Not(a) => self.need(*a, (needed & 1) << 1 | needed >> 1),
            Node::And(items) | Node::Or(items) => {
                items.iter().for_each(|&t| self.need(t, needed));
            }
            Node::Iff(a, b) => [*a, *b].iter().for_each(|&t| self.need(t, POSITIVE | NEGATIVE)),
            _ => {}
        }
    }

    fn lit(&self, term: Term) -> Lit {
        self.literals.get(&term).copied().unwrap_or(self.lra.truth)
    }

    fn literal(&mut self, term: Term, needed: u8) -> Result<Lit, Unsupported> {
        let store = self.store;
        Ok(match store.node(term) {
            Node::Value(Value::Bool(true)) => self.lra.truth,
            Node::Value(_) => !self.lra.truth,
            Node::Var(..) => {
                let lit = self.lra.variable(term, [Gate::Plain; 2]);
                self.lra.bools.push((term, lit));
                lit
            }
            Node::Not(a) => !self.lit(*a),
            Node::And(items) => self.junction(term, items, needed, true),
            Node::Or(items) => self.junction(term, items, needed, false),
            Node::Iff(a, b) => {
                let (a, b) = (self.lit(*a), self.lit(*b));
                let gate = self.lra.variable(term, [Gate::Same(a, b), Gate::Same(a, !b)]);
                let lra = &mut self.lra;
                let origin = |part| Origin::Connective(term, part);
                if needed & POSITIVE != 0 {
                    lra.add_clause(&[!gate, !a, b], origin(0));
                    lra.add_clause(&[!gate, a, !b], origin(1));
                }
                if needed & NEGATIVE != 0 {
                    lra.add_clause(&[gate, a, b], origin(2));
                    lra.add_clause(&[gate, !a, !b], origin(3));
                }
                gate
            }
            Node::Compare(relation, linear) => {
                let sum = self.sum(linear)?;
                self.lra.atom(*relation, sum, needed & POSITIVE != 0, needed & NEGATIVE != 0)
            }
            _ => return Err(Unsupported(term)),
        })
    }

    /// A conjunction, or a disjunction.
    fn junction(&mut self, term: Term, items: &[Term], needed: u8, is_all: bool) -> Lit {
        let parts: Vec<Lit> = items.iter().map(|&t| self.lit(t)).collect();
        let lra = &mut self.lra;
        let straight = lra.keep(parts.iter().copied());
        let negated = lra.keep(parts.iter().map(|&l| !l));
        let (all, any) = if is_all { (straight, negated) } else { (negated, straight) };
        let (all, any) = (Gate::All(all.0, all.1), Gate::Any(any.0, any.1));
        let gate = lra.variable(term, if is_all { [all, any] } else { [any, all] });
        // `whole` is true if all of `sign(item)` are, and only then.
        let (whole, straight) = if is_all { (gate, POSITIVE) } else { (!gate, NEGATIVE) };
        let sign = |l: Lit| if is_all { l } else { !l };
        if needed & straight != 0 {
            for (at, &item) in parts.iter().enumerate() {
                let origin = Origin::Connective(term, at as u32);
                lra.add_clause(&[!whole, sign(item)], origin);
            }
        }
        if needed & !straight & 3 != 0 {
            let mut clause: Vec<Lit> = parts.iter().map(|&item| !sign(item)).collect();
            clause.push(whole);
            lra.add_clause(&clause, Origin::Connective(term, parts.len() as u32));
        }
        gate
    }

    /// Asserts an outermost formula: the whole one, or one of its items.
    fn top(&mut self, term: Term, is_outer: bool, item: Option<u32>) {
        let store = self.store;
        // Literals with the part of the definition that they come from.
        let group: Vec<(Vec<Lit>, Option<u32>)> = match store.node(term) {
            Node::Or(items) if is_outer => {
                let clause = items.iter().map(|&t| self.lit(t)).collect();
                vec![(clause, Some(items.len() as u32))]
            }
            Node::Iff(a, b) if is_outer => {
                let (a, b) = (self.lit(*a), self.lit(*b));
                vec![(vec![!a, b], Some(0)), (vec![a, !b], Some(1))]
            }
            _ => vec![(vec![self.lit(term)], None)],
        };
        let whole = self.whole;
        for (clause, part) in group {
            let range = self.lra.keep(clause.iter().copied());
            self.lra.tops.push(range);
            let search = &mut self.lra.search;
            let mut steps = vec![search.theory.proof.origin(Origin::Formula, &[])];
            steps.extend(
                item.map(|at| search.theory.proof.origin(Origin::Connective(whole, at), &[])),
            );
            let own =
                part.map(|part| search.theory.proof.origin(Origin::Connective(term, part), &[]));
            steps.extend(own);
            let step = search.theory.proof.derived(&clause, &steps);
            search.add_clause(&clause, step);
        }
    }

    /// The column of a term that is neither a sum nor a constant.
    fn column(&mut self, term: Term) -> u32 {
        if let Some(&column) = self.lra.columns.get(&term) {
            return column;
        }
        self.lra.add_column(term)
    }

    fn sum(&mut self, linear: &Linear) -> Result<Sum, Unsupported> {
        let mut parts = Vec::with_capacity(linear.monomials().len());
        for (term, factor) in linear.monomials() {
            match self.store.node(*term) {
                Node::Var(_, Sort::Real) | Node::Ite(..) => {
                    parts.push((self.column(*term), Num::from_rat(factor)));
                }
                _ => return Err(Unsupported(*term)),
            }
        }
        parts.sort_unstable_by_key(|(column, _)| *column);
        Ok(Sum { parts, constant: Num::from_rat(linear.constant_part()) })
    }

    /// `c => column = a` and `!c => column = b`.
    fn conditional(&mut self, term: Term, c: Term, a: Term, b: Term) -> Result<(), Unsupported> {
        let condition = self.lit(c);
        let column = self.column(term);
        for (part, (guard, branch)) in [(!condition, a), (condition, b)].into_iter().enumerate() {
            let mut sum = self.sum(&self.store.linear(branch))?;
            sum.parts.iter_mut().for_each(|(_, factor)| *factor = factor.neg());
            sum.constant = sum.constant.neg();
            sum.parts.push((column, Num::ONE));
            let equal = self.lra.atom(Relation::Eq, sum, true, false);
            let range = self.lra.keep([guard, equal]);
            self.lra.tops.push(range);
            let origin = Origin::Conditional(term, part as u32);
            self.lra.add_clause(&[guard, equal], origin);
        }
        Ok(())
    }
}

impl Lra {
    /// The column of a term that is neither a sum nor a constant.
    pub(crate) fn add_column(&mut self, term: Term) -> u32 {
        let column = self.search.theory.bounds.add_column();
        self.forms.push(None);
        self.column_terms.push(Some(term));
        self.columns.insert(term, column);
        column
    }

    /// Adds a clause; only without decisions.
    fn add_clause(&mut self, literals: &[Lit], origin: Origin) {
        let step = self.search.theory.proof.origin(origin, literals);
        self.search.add_clause(literals, step);
    }

    fn add_var(&mut self, atom: Option<Atom>) -> usize {
        self.search.theory.add_var(atom);
        self.search.add_var()
    }

    /// The variable of a formula that is no comparison.
    fn variable(&mut self, term: Term, gates: [Gate; 2]) -> Lit {
        let var = self.add_var(None);
        self.gates.extend(gates);
        self.terms.resize(var, None);
        self.terms.push(Some(term));
        Lit::new(var, true)
    }

    /// Keeps a list of literals.
    fn keep(&mut self, literals: impl IntoIterator<Item = Lit>) -> (u32, u32) {
        let from = self.children.len() as u32;
        self.children.extend(literals);
        (from, self.children.len() as u32)
    }

    /// The literal of `sum REL 0`. It bounds its column when true if
    /// `positive`, when false if `negative`.
    pub(crate) fn atom(
        &mut self,
        relation: Relation,
        sum: Sum,
        positive: bool,
        negative: bool,
    ) -> Lit {
        let Some((_, lead)) = sum.parts.first() else {
            let sign = sum.constant.signum();
            let truth = match relation {
                Relation::Le => sign <= 0,
                Relation::Lt => sign < 0,
                Relation::Eq => sign == 0,
            };
            return if truth { self.truth } else { !self.truth };
        };
        let scale = lead.inverse();
        let value = sum.constant.mul(&scale).neg();
        let flips = lead.signum() < 0 && relation != Relation::Eq;
        let relation = match relation {
            Relation::Le if flips => Relation::Lt,
            Relation::Lt if flips => Relation::Le,
            same => same,
        };
        let mut parts = sum.parts;
        if !scale.is_one() {
            parts.iter_mut().for_each(|(_, factor)| *factor = factor.mul(&scale));
        }
        let column = self.form(parts);
        let lit = self.known_atom(Atom { column, relation, value });
        let (lit, positive, negative) =
            if flips { (lit, negative, positive) } else { (lit, positive, negative) };
        self.speak(lit, positive, negative);
        if flips { !lit } else { lit }
    }

    /// Says in which directions a literal of an atom bounds its column.
    pub(crate) fn speak(&mut self, lit: Lit, positive: bool, negative: bool) {
        self.search.theory.speaks[lit.index()] |= positive;
        let is_new = negative && !self.search.theory.speaks[(!lit).index()];
        self.search.theory.speaks[(!lit).index()] |= negative;
        // What differs is less or greater.
        if is_new
            && let Some(Atom { column, relation: Relation::Eq, value }) =
                self.search.theory.atoms[lit.var()].clone()
        {
            let less =
                self.known_atom(Atom { column, relation: Relation::Lt, value: value.clone() });
            let most = self.known_atom(Atom { column, relation: Relation::Le, value });
            self.speak(less, true, false);
            self.speak(most, false, true);
            let range = self.keep([less, !most]);
            self.gates[(!lit).index()] = Gate::Any(range.0, range.1);
            self.add_clause(&[lit, less, !most], Origin::Trichotomy(lit));
        }
    }

    pub(crate) fn known_atom(&mut self, atom: Atom) -> Lit {
        if let Some(&lit) = self.atoms.get(&atom) {
            return lit;
        }
        let lit = Lit::new(self.add_var(Some(atom.clone())), true);
        self.gates.extend([Gate::Plain; 2]);
        self.atoms.insert(atom, lit);
        lit
    }

    /// The column of a sum whose first factor is 1.
    pub(crate) fn form(&mut self, parts: Vec<(u32, Num)>) -> u32 {
        if let [(column, _)] = parts.as_slice() {
            return *column;
        }
        if let Some(&column) = self.sums.get(&parts) {
            return column;
        }
        let column = self.search.theory.bounds.add_column();
        self.search.theory.bounds.add_row(column, &parts);
        self.forms.push(Some(parts.clone().into()));
        self.column_terms.push(None);
        self.sums.insert(parts, column);
        column
    }
}
