//! Abstract posts: where a rule can lead from an abstract state.
//!
//! Most of a post needs no solver: a predicate untouched by the rule keeps its
//! value; a precondition that is constant under the explicit values, or that
//! is itself a predicate, is read off. Only what is left is asked, one
//! implication per predicate, and only what even those leave open is
//! enumerated by AllSAT. What stays undecided are the *doubts*: the formulas
//! that a refinement turns into predicates.

use crate::cube::{Bits, Cube};
use crate::{Oracle, Partition, Predicates, Query, Rule};
use parallax_base::{Budget, Stop};
use parallax_solver::Halt;
use parallax_term::{Sort, Substitution, Term, TermStore, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// At most this many successors of one post are listed.
const IMAGE_LIMIT: usize = 64;

/// What abstract computations work with; borrowed from an engine for a call.
pub struct Context<'a> {
    /// Where new terms go.
    pub store: &'a mut TermStore,
    /// Who answers implications.
    pub oracle: &'a mut Oracle,
    /// The current predicates.
    pub predicates: &'a Predicates,
    /// The limits of the run.
    pub budget: &'a Budget,
}

/// An abstract state as formulas: what is needed to ask about it.
pub struct Residual {
    /// Explicit variables by their values.
    pub explicit: Substitution,
    /// The predicates as literals over hidden variables, sorted.
    pub literals: Rc<[Term]>,
}

impl Residual {
    /// A formula with explicit variables replaced by their values and known
    /// atoms by their truth. Its atoms must have no conditionals inside.
    pub fn simplify(&mut self, store: &mut TermStore, formula: Term) -> Term {
        let formula = self.explicit.apply(store, formula);
        let mut pairs = Vec::new();
        for atom in store.atoms(formula) {
            let negation = store.not(atom);
            if self.literals.binary_search(&atom).is_ok() {
                pairs.push((atom, store.bool(true)));
            } else if self.literals.binary_search(&negation).is_ok() {
                pairs.push((atom, store.bool(false)));
            }
        }
        store.substitute(formula, &pairs)
    }
}

/// Where a rule can lead.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// Abstract successors, each with a concrete witness; no repetition.
    pub cubes: Vec<Cube>,
    /// Whether `cubes` are all of them.
    pub complete: bool,
    /// Whether every concrete state of the source takes the rule into the one
    /// successor listed.
    pub exact: bool,
    /// Conditions on the source (and the inputs) that its cube does not decide.
    pub doubts: Vec<Term>,
    /// For each successor: the values of the undecided terms that lead there.
    pub values: Vec<Vec<(Term, Value)>>,
}

/// Computes abstract posts of a fixed set of rules.
pub struct Post {
    partition: Partition,
    rules: Vec<Rule>,
    preconditions: FxHashMap<(usize, Term), Term>,
    assignments: Vec<Substitution>,
}

enum Decided {
    Yes(Value),
    No(Term),
}

impl Decided {
    fn open(&self) -> Option<Term> {
        match self {
            Decided::Yes(_) => None,
            Decided::No(term) => Some(*term),
        }
    }
}

impl Post {
    /// Posts of these rules over variables split like this.
    pub fn new(partition: Partition, rules: Vec<Rule>) -> Post {
        let assignments = rules.iter().map(|r| r.step.assignment()).collect();
        Post { partition, rules, preconditions: FxHashMap::default(), assignments }
    }

    /// The rules.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The split of the variables.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The formula view of an abstract state. `variables` are the symbols of
    /// all state positions.
    pub fn residual(&self, cx: &mut Context, variables: &[Term], cube: &Cube) -> Residual {
        let pairs = self.partition.explicit.iter().zip(&cube.explicit);
        let pairs: Vec<_> =
            pairs.map(|(&slot, v)| (variables[slot], cx.store.constant(v.clone()))).collect();
        let mut explicit = Substitution::new(pairs);
        let mut literals = Vec::with_capacity(cx.predicates.len());
        for (index, &atom) in cx.predicates.atoms().iter().enumerate() {
            let atom = explicit.apply(cx.store, atom);
            let literal = if cube.bits.get(index) { atom } else { cx.store.not(atom) };
            if !cx.store.is_true(literal) {
                literals.push(literal);
            }
        }
        literals.sort_unstable();
        literals.dedup();
        Residual { explicit, literals: literals.into() }
    }

    /// `atom` after the rule, as a formula over the state before.
    pub fn precondition(&mut self, store: &mut TermStore, rule: usize, formula: Term) -> Term {
        if let Some(&known) = self.preconditions.get(&(rule, formula)) {
            return known;
        }
        let result = self.assignments[rule].apply(store, formula);
        self.preconditions.insert((rule, formula), result);
        result
    }

    /// Whether the control locations allow the rule at all.
    pub fn starts_at(&self, rule: usize, cube: &Cube) -> bool {
        self.rules[rule].sources.iter().all(|(slot, value)| {
            let at = self.partition.explicit.binary_search(slot);
            at.is_ok_and(|i| cube.explicit[i] == *value)
        })
    }

    /// The guard under an abstract state: a constant if the state decides it.
    pub fn guard(&self, cx: &mut Context, from: &mut Residual, rule: usize) -> Term {
        from.simplify(cx.store, self.rules[rule].guard)
    }

    /// Where `rule` leads from the abstract state. `hint` is a successor that
    /// was seen; listing successors ends with the first that is not `wanted`.
    pub fn image(
        &mut self,
        cx: &mut Context,
        cube: &Cube,
        from: &mut Residual,
        rule: usize,
        hint: Option<&Cube>,
        wanted: &dyn Fn(&Cube) -> bool,
    ) -> Result<Image, Stop> {
        if !self.starts_at(rule, cube) {
            return Ok(Image { complete: true, ..Image::default() });
        }
        let guard = self.guard(cx, from, rule);
        let mut doubts = Vec::new();
        match self.decide(cx, from, guard, None)? {
            Decided::Yes(Value::Bool(true)) => {}
            Decided::Yes(_) => return Ok(Image { complete: true, ..Image::default() }),
            Decided::No(guard) => doubts.push(guard),
        }
        // The explicit part of the successor.
        let mut explicit: Vec<Decided> = cube.explicit.iter().cloned().map(Decided::Yes).collect();
        let (partition, updates) = (&self.partition, self.rules[rule].step.updates.clone());
        for update in &updates {
            if let Ok(index) = partition.explicit.binary_search(&update.variable.index()) {
                let value = from.explicit.apply(cx.store, update.value);
                explicit[index] = match cx.store.value(value) {
                    Some(v) => Decided::Yes(v.clone()),
                    None => self.decide(cx, from, value, hint.map(|h| &h.explicit[index]))?,
                };
            }
        }
        // The predicates.
        let mut bits = Vec::with_capacity(cx.predicates.len());
        for (index, &atom) in cx.predicates.atoms().iter().enumerate() {
            let before = self.precondition(cx.store, rule, atom);
            if before == atom {
                bits.push(Decided::Yes(Value::Bool(cube.bits.get(index))));
                continue;
            }
            let before = from.explicit.apply(cx.store, before);
            let hint = hint.map(|h| Value::Bool(h.bits.get(index)));
            bits.push(self.decide(cx, from, before, hint.as_ref())?);
        }
        let open: Vec<Term> = explicit.iter().chain(&bits).filter_map(Decided::open).collect();
        doubts.extend(open.iter().filter(|&&t| cx.store.sort(t) == Sort::Bool));
        if self.rules[rule].constrained {
            // Whether some input is allowed is not said by the guard.
            doubts.push(from.explicit.apply(cx.store, self.rules[rule].input_bounds));
        }
        if doubts.is_empty() && open.is_empty() {
            let exact = true;
            let cubes = vec![assemble(&explicit, &bits, |_| None)];
            return Ok(Image { cubes, complete: true, exact, ..Image::default() });
        }
        let rule = &self.rules[rule];
        enumerate(cx, from, guard, rule.input_bounds, &explicit, &bits, doubts, wanted)
    }

    /// Decides a term over the state before the step, if the cube does.
    fn decide(
        &self,
        cx: &mut Context,
        from: &Residual,
        term: Term,
        hint: Option<&Value>,
    ) -> Result<Decided, Stop> {
        if let Some(value) = cx.store.value(term) {
            return Ok(Decided::Yes(value.clone()));
        }
        if cx.store.sort(term) != Sort::Bool {
            if let Some(value) = hint {
                let constant = cx.store.constant(value.clone());
                let same = cx.store.eq(term, constant);
                let implied = cx.oracle.implies(cx.store, &from.literals, same, cx.budget)?;
                if implied == Some(true) {
                    return Ok(Decided::Yes(value.clone()));
                }
            }
            return Ok(Decided::No(term));
        }
        let sides = match hint {
            Some(Value::Bool(side)) => vec![*side],
            _ => vec![true, false],
        };
        for side in sides {
            let goal = if side { term } else { cx.store.not(term) };
            if cx.oracle.implies(cx.store, &from.literals, goal, cx.budget)? == Some(true) {
                return Ok(Decided::Yes(Value::Bool(side)));
            }
        }
        Ok(Decided::No(term))
    }
}

/// Lists the successors that differ in the undecided parts, by AllSAT.
#[expect(clippy::too_many_arguments, reason = "the parts of one post, used nowhere else")]
fn enumerate(
    cx: &mut Context,
    from: &mut Residual,
    guard: Term,
    input_bounds: Term,
    explicit: &[Decided],
    bits: &[Decided],
    doubts: Vec<Term>,
    wanted: &dyn Fn(&Cube) -> bool,
) -> Result<Image, Stop> {
    let mut image = Image { doubts, ..Image::default() };
    let bounds = from.explicit.apply(cx.store, input_bounds);
    let open: Vec<Term> = explicit.iter().chain(bits).filter_map(Decided::open).collect();
    let mut symbols: Vec<Term> = Vec::new();
    for &term in open.iter().chain(from.literals.iter()).chain([&bounds, &guard]) {
        symbols.extend(cx.store.vars(term));
    }
    symbols.sort_unstable();
    symbols.dedup();
    let numbers: Vec<bool> = open.iter().map(|&t| cx.store.sort(t) != Sort::Bool).collect();
    let (store, solver) = (&mut *cx.store, cx.oracle.solver());
    let mut query = Query { store, solver, budget: cx.budget };
    query.solver.push();
    for &literal in from.literals.iter().chain([&bounds, &guard]) {
        query.assert(literal);
    }
    let listed = query.combinations(&open, &symbols, None, &mut |values| {
        let value_of = |t| open.iter().position(|&o| o == t).map(|i| values[i].clone());
        let cube = assemble(explicit, bits, value_of);
        let goes_on = wanted(&cube) && image.cubes.len() < IMAGE_LIMIT;
        image.cubes.push(cube);
        image.values.push(open.iter().copied().zip(values).collect());
        goes_on
    });
    query.solver.pop();
    image.complete = match listed {
        Err(Halt::Stop(stop)) => return Err(stop),
        Err(Halt::GaveUp(_)) => false,
        Ok(complete) => complete,
    };
    // What is in doubt about a number is whether it has this value.
    for values in &image.values {
        for ((term, value), _) in values.iter().zip(&numbers).filter(|(_, is_number)| **is_number) {
            let value = cx.store.constant(value.clone());
            image.doubts.push(cx.store.eq(*term, value));
        }
    }
    Ok(image)
}

fn assemble(explicit: &[Decided], bits: &[Decided], at: impl Fn(Term) -> Option<Value>) -> Cube {
    let value = |d: &Decided| match d {
        Decided::Yes(value) => value.clone(),
        Decided::No(term) => at(*term).unwrap_or(Value::Bool(false)),
    };
    Cube {
        explicit: explicit.iter().map(value).collect(),
        bits: Bits::new(bits.iter().map(|d| value(d) == Value::Bool(true))),
    }
}
