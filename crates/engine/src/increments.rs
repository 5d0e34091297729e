//! Relations between variables, read off the steps that add constants.
//!
//! Refinement along paths sees one round of a loop more each time, and finds
//! `x <= 1`, `x <= 2`, and so on, where `x == 2 * y` is what keeps the program
//! safe. What a loop adds in each round says it: if all steps move two variables
//! along one line, they stay on it; if they move them within a cone, they do not
//! leave it; if they move one by multiples of a number, its remainder stays; if
//! a guard stops one, it does not pass the number it is compared with. What takes the
//! value of another one may keep it; what is asked of it says something about the other
//! one as well, and two that take the same value may be the same.
//!
//! These are guesses, and worth tracking: steps that do not add constants are
//! not looked at. Nobody takes them for true.

use parallax_ir::{Program, Transition};
use parallax_term::{Int, Node, Rat, Relation, Sort, Term, TermStore, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Pairs are not tried among more variables than this.
const VARIABLES: usize = 10;

/// More guesses cost more than they are worth.
const GUESSES: usize = 32;

/// A step with more conditional values than this is not taken apart.
const CONDITIONS: usize = 8;

/// What adds more is taken for the way around of a machine integer.
const WRAP: i64 = 1 << 31;

/// Starting points of a pair that are tried.
const STARTS: usize = 3;

/// What a step does to a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    Adds(i64),
    Sets(i64),
    /// Takes the value of the variable with this symbol.
    Copies(Term),
    /// Gives another value.
    Other(Term),
}

impl Effect {
    /// What is added to the variable, unless nothing is.
    fn adds(self) -> Option<i64> {
        match self {
            Effect::Adds(by) if by != 0 => Some(by),
            _ => None,
        }
    }

    /// What is given to the variable, if that has nothing to do with what it held.
    fn value(self, store: &mut TermStore) -> Option<Term> {
        match self {
            Effect::Adds(_) => None,
            Effect::Sets(to) => Some(store.int(to)),
            Effect::Copies(term) | Effect::Other(term) => Some(term),
        }
    }
}

/// What a step does to all variables, by position; those that it leaves alone
/// are not mentioned.
type Step = BTreeMap<usize, Effect>;

/// A step, or a starting point, of two variables.
type Vector = (i128, i128);

/// Conditions on integer variables that the steps suggest.
pub fn relations(
    store: &mut TermStore,
    program: &Program,
    transitions: &[Transition],
) -> Vec<Term> {
    let steps: Vec<Step> = transitions.iter().flat_map(|t| cases(store, program, t)).collect();
    let moves = |v: usize| {
        steps.iter().any(|step| matches!(step.get(&v), Some(Effect::Adds(by)) if *by != 0))
    };
    let is_number = |v: &usize| store.sort(program.variables.as_slice()[*v].term) == Sort::Int;
    let moving: Vec<usize> =
        (0..program.variables.len()).filter(|&v| is_number(&v) && moves(v)).collect();
    let mut found = copies(store, program, &steps);
    found.extend(sources(store, program, transitions, &steps));
    for &v in &moving {
        single(store, program, &steps, v, &mut found);
    }
    if moving.len() <= VARIABLES {
        for (i, &u) in moving.iter().enumerate() {
            for &v in &moving[i + 1..] {
                pair(store, program, &steps, (u, v), &mut found);
            }
        }
    }
    for transition in transitions {
        barriers(store, program, transition, &mut found);
    }
    // Each one costs questions at every step; equations say most.
    let mut seen = BTreeSet::new();
    found.retain(|term| seen.insert(*term));
    found.sort_by_key(|term| !matches!(store.node(*term), Node::Compare(Relation::Eq, _)));
    found.truncate(GUESSES);
    found
}

/// What a transition does, in each case of its conditional values.
fn cases(store: &mut TermStore, program: &Program, transition: &Transition) -> Vec<Step> {
    let mut conditions = BTreeSet::new();
    for update in &transition.updates {
        conditions.extend(store.conditions(update.value));
    }
    if conditions.len() > CONDITIONS {
        conditions.clear();
    }
    let conditions: Vec<Term> = conditions.into_iter().collect();
    let mut found = Vec::new();
    for case in 0..1u32 << conditions.len() {
        let mut chosen = Vec::new();
        for (i, &condition) in conditions.iter().enumerate() {
            chosen.push((condition, store.bool(case >> i & 1 == 1)));
        }
        let mut step = Step::new();
        for update in &transition.updates {
            let variable = program.variables[update.variable].term;
            if store.sort(variable) == Sort::Int {
                let value = store.substitute(update.value, &chosen);
                step.insert(update.variable.index(), effect(store, variable, value));
            }
        }
        if !found.contains(&step) {
            found.push(step);
        }
    }
    found
}

/// What giving a value to a variable does to it.
fn effect(store: &TermStore, variable: Term, value: Term) -> Effect {
    let linear = store.linear(value);
    let small = |value: &Rat| value.to_int().and_then(Int::to_i64);
    let Some(constant) = small(linear.constant_part()) else { return Effect::Other(value) };
    let added = match linear.monomials() {
        [] => return Effect::Sets(constant),
        [(term, factor)]
            if factor.is_one()
                && constant == 0
                && *term != variable
                && matches!(store.node(*term), Node::Var(..)) =>
        {
            return Effect::Copies(*term);
        }
        [(term, factor)] if factor.is_one() => added(store, variable, *term),
        _ => None,
    };
    match added.and_then(|added| added.checked_add(constant)) {
        Some(by) if by.abs() < WRAP => Effect::Adds(by),
        _ => Effect::Other(value),
    }
}

/// What is added to a variable in a term. Machine integers are the remainder of
/// a sum.
fn added(store: &TermStore, variable: Term, term: Term) -> Option<i64> {
    if term == variable {
        return Some(0);
    }
    let Node::Mod(sum, _) = store.node(term) else { return None };
    let linear = store.linear(*sum);
    match linear.monomials() {
        [(term, factor)] if factor.is_one() && *term == variable => {
            linear.constant_part().to_int().and_then(Int::to_i64)
        }
        _ => None,
    }
}

/// A variable that takes the value of another one may keep it, and lag behind
/// one that only moves in one direction.
fn copies(store: &mut TermStore, program: &Program, steps: &[Step]) -> Vec<Term> {
    let symbols: BTreeMap<Term, usize> =
        program.variables.iter().enumerate().map(|(i, v)| (v.term, i)).collect();
    let mut found = Vec::new();
    for (&v, effect) in steps.iter().flatten() {
        let Effect::Copies(other) = *effect else { continue };
        let Some(&source) = symbols.get(&other) else { continue };
        let own = program.variables.as_slice()[v].term;
        found.push(store.eq(own, other));
        let moved = |effect: &Effect| match effect {
            Effect::Adds(by) => Some(by.signum()),
            _ => None,
        };
        let signs: BTreeSet<Option<i64>> =
            steps.iter().filter_map(|step| step.get(&source)).map(moved).collect();
        if !signs.contains(&None) && !signs.contains(&Some(-1)) {
            found.push(store.le(own, other));
        }
    }
    found
}

/// What guards ask of a variable alone, asked of what it takes its value from; and
/// that two variables are the same that take their values from one.
fn sources(
    store: &mut TermStore,
    program: &Program,
    transitions: &[Transition],
    steps: &[Step],
) -> Vec<Term> {
    let mut taken: BTreeSet<(Term, Term)> = BTreeSet::new();
    for (&v, effect) in steps.iter().flatten() {
        if let Effect::Copies(other) = *effect
            && program.slot(other).is_some()
        {
            taken.insert((other, program.variables.as_slice()[v].term));
        }
    }
    let mut asked = BTreeSet::new();
    for transition in transitions {
        asked.extend(store.atoms(transition.guard));
    }
    let mut found = Vec::new();
    for atom in asked {
        let [own] = store.vars(atom)[..] else { continue };
        for &(other, taker) in &taken {
            if taker == own {
                found.push(store.substitute(atom, &[(own, other)]));
            }
        }
    }
    for (i, &(other, first)) in taken.iter().enumerate() {
        for &(_, second) in taken.iter().skip(i + 1).take_while(|(o, _)| *o == other) {
            found.push(store.eq(first, second));
        }
    }
    found
}

/// The value a variable begins with, if it is known.
fn initial(program: &Program, v: usize) -> Option<i128> {
    match program.init.fixed.get(v)? {
        Some(Value::Int(value)) => value.to_i64().map(i128::from),
        _ => None,
    }
}

/// A remainder that stays, and a bound that is not crossed.
fn single(
    store: &mut TermStore,
    program: &Program,
    steps: &[Step],
    v: usize,
    found: &mut Vec<Term>,
) {
    let term = program.variables.as_slice()[v].term;
    let (mut added, mut starts) = (BTreeSet::new(), BTreeSet::new());
    starts.extend(initial(program, v));
    for step in steps {
        match step.get(&v) {
            Some(Effect::Adds(by)) if *by != 0 => _ = added.insert(i128::from(*by)),
            Some(Effect::Sets(to)) => _ = starts.insert(i128::from(*to)),
            _ => {}
        }
    }
    let Some(&start) = starts.iter().next() else { return };
    let apart = starts.iter().map(|other| other - start);
    let divisor = added.iter().copied().chain(apart).fold(0, gcd);
    if divisor > 1 {
        let modulus = store.int(divisor as i64);
        let rest = store.modulo(term, modulus);
        let stays = store.int(start.rem_euclid(divisor) as i64);
        found.push(store.eq(rest, stays));
    }
    let first = store.int(start as i64);
    if added.iter().all(|by| *by > 0) {
        found.push(store.ge(term, first));
    } else if added.iter().all(|by| *by < 0) {
        let last = store.int(*starts.last().unwrap_or(&start) as i64);
        found.push(store.le(term, last));
    }
}

/// Where a guard stops a variable that a step moves: one that is increased while
/// it is below 10, or until it is 10, does not pass 10.
fn barriers(
    store: &mut TermStore,
    program: &Program,
    transition: &Transition,
    found: &mut Vec<Term>,
) {
    let moved: Vec<Step> = cases(store, program, transition);
    for atom in store.atoms(transition.guard) {
        let Node::Compare(relation, linear) = store.node(atom).clone() else { continue };
        let constant = linear.constant_part().to_int().and_then(Int::to_i64);
        let ([(symbol, factor)], Some(constant)) = (linear.monomials(), constant) else {
            continue;
        };
        let Some(factor) = factor.to_int().and_then(Int::to_i64).filter(|f| f.abs() == 1) else {
            continue;
        };
        let is_moved = |v: &usize| program.variables.as_slice()[*v].term == *symbol;
        let steps = moved.iter().flatten().filter(|(v, _)| is_moved(v));
        for by in steps.filter_map(|(_, effect)| effect.adds()).collect::<BTreeSet<i64>>() {
            // The last value that may be moved from, on one side or the other.
            let at = match (relation, factor) {
                (Relation::Eq, f) if by.abs() == 1 => -constant * f - by,
                (Relation::Le, 1) => -constant + i64::from(by < 0),
                (Relation::Le, -1) => constant - i64::from(by > 0),
                _ => continue,
            };
            if at.abs() < WRAP - 2 {
                let last = store.int(at + by);
                let bound = if by > 0 { store.le(*symbol, last) } else { store.ge(*symbol, last) };
                found.push(bound);
            }
        }
    }
}

/// The line or the cone that two variables stay in.
fn pair(
    store: &mut TermStore,
    program: &Program,
    steps: &[Step],
    (u, v): (usize, usize),
    found: &mut Vec<Term>,
) {
    let (mut rays, mut starts) = (BTreeSet::new(), BTreeSet::new());
    // Values that are not known, but may lie on a line with each other.
    let mut given = BTreeSet::new();
    if let (Some(a), Some(b)) = (initial(program, u), initial(program, v)) {
        starts.insert((a, b));
    }
    for step in steps {
        let of = |v: &usize| step.get(v).copied().unwrap_or(Effect::Adds(0));
        match (of(&u), of(&v)) {
            (Effect::Adds(a), Effect::Adds(b)) => _ = rays.insert((i128::from(a), i128::from(b))),
            (Effect::Sets(a), Effect::Sets(b)) => _ = starts.insert((i128::from(a), i128::from(b))),
            (a, b) => given.extend(a.value(store).zip(b.value(store))),
        }
    }
    rays.remove(&(0, 0));
    let rays: Vec<Vector> = rays.into_iter().collect();
    let sides = facets(&rays);
    // Two that move in turns are one step apart at most.
    if let [(0, q), (p, 0)] = rays[..]
        && (p > 0) == (q > 0)
        && let Some(&(a, b)) = starts.first()
    {
        for (x, y) in [(0, 0), (p, 0), (0, q)] {
            let offset = q * (a + x) - p * (b + y);
            found.extend(line(store, program, [(u, q), (v, -p)], offset).map(|l| l.0));
        }
    }
    for &(a, b) in starts.iter().take(STARTS) {
        for &((p, q), is_line) in &sides {
            if p == 0 || q == 0 {
                continue;
            }
            let Some((equal, above)) = line(store, program, [(u, p), (v, q)], p * a + q * b) else {
                continue;
            };
            found.push(if is_line { equal } else { above });
        }
    }
    for &(a, b) in given.iter().take(STARTS) {
        for &((p, q), is_line) in &sides {
            let Some(offset) = combined(store, [(a, p), (b, q)]) else { continue };
            let Some((equal, above)) = line(store, program, [(u, p), (v, q)], offset) else {
                continue;
            };
            found.push(if is_line { equal } else { above });
        }
    }
}

/// A sum of values with factors, if it is a number.
fn combined(store: &mut TermStore, parts: [(Term, i128); 2]) -> Option<i128> {
    let mut scaled = Vec::new();
    for (value, factor) in parts {
        if factor == 0 {
            return None;
        }
        scaled.push(store.scale(&Rat::from(i64::try_from(factor).ok()?), value));
    }
    let sum = store.add(scaled[0], scaled[1]);
    match store.value(sum) {
        Some(Value::Int(value)) => value.to_i64().map(i128::from),
        _ => None,
    }
}

/// A sum that is equal to a number, and one that is not below it.
fn line(
    store: &mut TermStore,
    program: &Program,
    sum: [(usize, i128); 2],
    offset: i128,
) -> Option<(Term, Term)> {
    let offset = store.int(i64::try_from(offset).ok()?);
    let mut part = |(at, factor): (usize, i128)| {
        let factor = Rat::from(i64::try_from(factor).ok()?);
        Some(store.scale(&factor, program.variables.as_slice()[at].term))
    };
    let (a, b) = (part(sum[0])?, part(sum[1])?);
    let sum = store.add(a, b);
    Some((store.eq(sum, offset), store.ge(sum, offset)))
}

/// Normals that no ray is on the wrong side of, at most two; whether all rays
/// are at right angles to it.
fn facets(rays: &[Vector]) -> Vec<(Vector, bool)> {
    let mut found: Vec<(Vector, bool)> = Vec::new();
    for &(x, y) in rays {
        let divisor = gcd(x, y).max(1);
        let (x, y) = (x / divisor, y / divisor);
        for normal in [(-y, x), (y, -x)] {
            let along = |ray: &Vector| normal.0 * ray.0 + normal.1 * ray.1;
            if rays.iter().any(|ray| along(ray) < 0) {
                continue;
            }
            let is_line = rays.iter().all(|ray| along(ray) == 0);
            let opposite = |(known, _): &(Vector, bool)| {
                *known == normal || is_line && *known == (-normal.0, -normal.1)
            };
            if !found.iter().any(opposite) {
                found.push((normal, is_line));
            }
        }
    }
    found
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_cones_have_their_normals() {
        let check = |rays: &[Vector], expected: &[(Vector, bool)]| {
            assert_eq!(facets(rays), expected, "{rays:?}");
        };
        check(&[(1, 1), (-1, -1)], &[((-1, 1), true)]);
        check(&[(3, 30)], &[((-10, 1), true)]);
        check(&[(1, 1), (1, 100)], &[((-1, 1), false), ((100, -1), false)]);
        check(&[(0, 1), (1, 1)], &[((1, 0), false), ((-1, 1), false)]);
        check(&[(1, 0), (-1, 0), (0, 1), (0, -1)], &[]);
        check(&[], &[]);
    }
}
