//! Formulas along a straight walk.
//!
//! A walk starts at a point and goes in a direction: not at all, up to an end
//! that is left out, or for ever. Every number is then `a + s*b` for the
//! distance `s`, and a formula is true everywhere on the walk, false
//! everywhere, or undecided. Undecided is always a safe answer.

use crate::Rejected;
use parallax_ir::TemplateProblem;
use parallax_term::{Node, Rat, Relation, Sort, Term, TermStore, Value};
use rustc_hash::FxHashMap;

/// How far a walk goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// Distances from 0 up to but not including 1.
    Segment,
    /// All distances that are not negative.
    Ray,
}

/// A number on a walk: its value at the start and its growth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Walked<N> {
    pub(crate) start: N,
    pub(crate) growth: N,
}

/// Arithmetic that may overflow: machine words first, exact numbers after.
pub(crate) trait Number: Clone + PartialEq {
    const ZERO: Self;
    fn of(value: &Rat) -> Option<Self>;
    fn plus(&self, factor: &Self, other: &Self) -> Option<Self>;
    fn sign(&self) -> i32;
    fn rat(&self) -> Rat;
}

impl Number for i64 {
    const ZERO: i64 = 0;
    fn of(value: &Rat) -> Option<i64> {
        value.to_int()?.to_i64()
    }
    fn plus(&self, factor: &i64, other: &i64) -> Option<i64> {
        self.checked_add(factor.checked_mul(*other)?)
    }
    fn sign(&self) -> i32 {
        self.signum() as i32
    }
    fn rat(&self) -> Rat {
        Rat::from(*self)
    }
}

impl Number for Rat {
    const ZERO: Rat = Rat::ZERO;
    fn of(value: &Rat) -> Option<Rat> {
        Some(value.clone())
    }
    fn plus(&self, factor: &Rat, other: &Rat) -> Option<Rat> {
        Some(self + &(factor * other))
    }
    fn sign(&self) -> i32 {
        self.signum()
    }
    fn rat(&self) -> Rat {
        self.clone()
    }
}

type Place = u32;

enum Step<N> {
    Truth(bool),
    Number(N),
    LoadTruth(usize),
    LoadNumber(usize),
    Not(Place),
    All(Box<[Place]>),
    Any(Box<[Place]>),
    Same(Place, Place),
    Choose(Place, Place, Place),
    Copy(Place),
    Sum(Box<[(Place, N)]>, N),
    Compare(Relation, Box<[(Place, N)]>, N),
    /// Quotient or remainder by a constant.
    Divide(Place, Rat, bool),
}

/// What a subterm is on a walk.
#[derive(Clone)]
enum Result<N> {
    Truth(bool),
    Number(Walked<N>),
    Open,
}

/// The formula and the templates of a problem, ready for walks.
struct Code<N> {
    steps: Vec<Step<N>>,
    formula: Place,
    templates: Vec<Place>,
}

impl<N: Number> Code<N> {
    fn new(problem: &TemplateProblem) -> Option<Code<N>> {
        let store = &problem.store;
        let roots = problem.templates.iter().map(|t| t.term).chain([problem.formula]);
        let terms = store.subterms(&roots.collect::<Vec<_>>());
        let places: FxHashMap<Term, Place> =
            terms.iter().enumerate().map(|(i, &t)| (t, i as Place)).collect();
        let slots = problem.symbols.iter().enumerate().map(|(i, &t)| (t, i)).collect();
        let steps: Option<_> = terms.iter().map(|&t| step(store, t, &places, &slots)).collect();
        Some(Code {
            steps: steps?,
            formula: places[&problem.formula],
            templates: problem.templates.iter().map(|t| places[&t.term]).collect(),
        })
    }

    /// What everything is on a walk; `None` on overflow.
    fn run(&self, walk: &Walk<'_>) -> Option<Vec<Result<N>>> {
        let mut done: Vec<Result<N>> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let result = follow(step, walk, &done)?;
            done.push(result);
        }
        Some(done)
    }
}

fn step<N: Number>(
    store: &TermStore,
    term: Term,
    places: &FxHashMap<Term, Place>,
    slots: &FxHashMap<Term, usize>,
) -> Option<Step<N>> {
    let place = |t: &Term| places[t];
    let all = |items: &[Term]| items.iter().map(place).collect();
    let sum = |linear: &parallax_term::Linear| {
        let items = linear.monomials().iter().map(|(t, c)| Some((place(t), N::of(c)?)));
        Some((items.collect::<Option<Box<[_]>>>()?, N::of(linear.constant_part())?))
    };
    Some(match store.node(term) {
        Node::Value(Value::Bool(b)) => Step::Truth(*b),
        Node::Value(value) => Step::Number(N::of(&value.to_rat()?)?),
        Node::Var(_, Sort::Bool) => Step::LoadTruth(*slots.get(&term)?),
        Node::Var(..) => Step::LoadNumber(*slots.get(&term)?),
        Node::Not(a) => Step::Not(place(a)),
        Node::And(items) => Step::All(all(items)),
        Node::Or(items) => Step::Any(all(items)),
        Node::Iff(a, b) => Step::Same(place(a), place(b)),
        Node::Ite(c, a, b) => Step::Choose(place(c), place(a), place(b)),
        Node::ToReal(a) => Step::Copy(place(a)),
        Node::Sum(linear) => {
            let (items, constant) = sum(linear)?;
            Step::Sum(items, constant)
        }
        Node::Compare(relation, linear) => {
            let (items, constant) = sum(linear)?;
            Step::Compare(*relation, items, constant)
        }
        Node::Div(a, by) => Step::Divide(place(a), store.value(*by)?.to_rat()?, true),
        Node::Mod(a, by) => Step::Divide(place(a), store.value(*by)?.to_rat()?, false),
        Node::Product(_) | Node::Equal(..) | Node::Apply(..) => return None,
    })
}

/// The next result; `None` on overflow.
fn follow<N: Number>(step: &Step<N>, walk: &Walk<'_>, done: &[Result<N>]) -> Option<Result<N>> {
    let at = |place: &Place| &done[*place as usize];
    let truth = |place: &Place| match at(place) {
        Result::Truth(b) => Some(*b),
        _ => None,
    };
    let still = |start: N| Result::Number(Walked { start, growth: N::ZERO });
    // One item with the value `ends` decides; all without it give the opposite.
    let junction = |items: &[Place], ends: bool| {
        let mut is_open = false;
        for item in items {
            match truth(item) {
                Some(b) if b == ends => return Result::Truth(ends),
                Some(_) => {}
                None => is_open = true,
            }
        }
        if is_open { Result::Open } else { Result::Truth(!ends) }
    };
    Some(match step {
        Step::Truth(b) => Result::Truth(*b),
        Step::Number(value) => still(value.clone()),
        Step::LoadTruth(slot) => Result::Truth(walk.from[*slot] == Value::Bool(true)),
        Step::LoadNumber(slot) => {
            let start = N::of(&walk.from[*slot].to_rat()?)?;
            let growth = match walk.along {
                None => N::ZERO,
                Some((direction, _)) => N::of(&direction[*slot])?,
            };
            Result::Number(Walked { start, growth })
        }
        Step::Not(a) => truth(a).map_or(Result::Open, |b| Result::Truth(!b)),
        Step::All(items) => junction(items, false),
        Step::Any(items) => junction(items, true),
        Step::Same(a, b) => match (truth(a), truth(b)) {
            (Some(a), Some(b)) => Result::Truth(a == b),
            _ => Result::Open,
        },
        Step::Choose(c, a, b) => match truth(c) {
            Some(true) => at(a).clone(),
            Some(false) => at(b).clone(),
            None => Result::Open,
        },
        Step::Copy(a) => at(a).clone(),
        Step::Sum(items, constant) => match combine(items, constant, done)? {
            Some(number) => Result::Number(number),
            None => Result::Open,
        },
        Step::Compare(relation, items, constant) => match combine(items, constant, done)? {
            Some(number) => {
                let reach = walk.along.map_or(Reach::Segment, |(_, reach)| reach);
                compare(*relation, &number, reach)?.map_or(Result::Open, Result::Truth)
            }
            None => Result::Open,
        },
        Step::Divide(a, by, wants_quotient) => match at(a) {
            Result::Number(n) if n.growth.sign() == 0 => {
                let (start, by) = (n.start.rat(), by.to_int()?);
                let (quotient, rest) = start.to_int()?.div_rem_euclid(by)?;
                still(N::of(&Rat::from(if *wants_quotient { quotient } else { rest }))?)
            }
            _ => Result::Open,
        },
    })
}

/// A sum on the walk; `None` inside if a part is undecided, outside on overflow.
fn combine<N: Number>(
    items: &[(Place, N)],
    constant: &N,
    done: &[Result<N>],
) -> Option<Option<Walked<N>>> {
    let mut sum = Walked { start: constant.clone(), growth: N::ZERO };
    for (place, factor) in items {
        let Result::Number(number) = &done[*place as usize] else { return Some(None) };
        sum.start = sum.start.plus(factor, &number.start)?;
        if number.growth.sign() != 0 {
            sum.growth = sum.growth.plus(factor, &number.growth)?;
        }
    }
    Some(Some(sum))
}

/// Whether `number REL 0` everywhere or nowhere on the walk; `None` inside if
/// neither, outside on overflow.
fn compare<N: Number>(
    relation: Relation,
    number: &Walked<N>,
    reach: Reach,
) -> Option<Option<bool>> {
    let start = number.start.sign();
    // The sign at the end of a segment, which is left out; that of the growth
    // on a ray, where it decides in the end.
    let end = match reach {
        Reach::Segment => number.start.plus(&N::of(&Rat::ONE)?, &number.growth)?.sign(),
        Reach::Ray => number.growth.sign(),
    };
    let grows = number.growth.sign();
    let below_or_zero = start <= 0 && end <= 0;
    let below = start < 0 && end <= 0;
    let above_or_zero = start >= 0 && end >= 0;
    let above = start > 0 && end >= 0;
    Some(match relation {
        Relation::Le if below_or_zero => Some(true),
        Relation::Le if above => Some(false),
        Relation::Lt if below => Some(true),
        Relation::Lt if above_or_zero => Some(false),
        Relation::Eq if start == 0 && grows == 0 => Some(true),
        Relation::Eq if below || above => Some(false),
        _ => None,
    })
}

/// A walk: a point, and where it goes from there.
pub(crate) struct Walk<'a> {
    pub(crate) from: &'a [Value],
    pub(crate) along: Option<(&'a [Rat], Reach)>,
}

/// Evaluates walks, fast while numbers are small.
pub(crate) struct Walker {
    words: Option<Code<i64>>,
    exact: Code<Rat>,
}

/// What a walk shows.
pub(crate) struct Seen {
    /// Whether the formula is true everywhere on it.
    pub(crate) is_model: bool,
    /// Start and growth of each template, where they are decided.
    pub(crate) templates: Vec<Option<Walked<Rat>>>,
}

impl Walker {
    pub(crate) fn new(problem: &TemplateProblem) -> std::result::Result<Walker, Rejected> {
        let foreign = || Rejected::Malformed("the problem is not linear arithmetic".into());
        Ok(Walker { words: Code::new(problem), exact: Code::new(problem).ok_or_else(foreign)? })
    }

    pub(crate) fn walk(&self, walk: &Walk<'_>) -> std::result::Result<Seen, Rejected> {
        if let Some(code) = &self.words
            && let Some(done) = code.run(walk)
        {
            return Ok(seen(code, &done));
        }
        match self.exact.run(walk) {
            Some(done) => Ok(seen(&self.exact, &done)),
            None => Err(Rejected::Malformed("a number is not of its sort".into())),
        }
    }
}

fn seen<N: Number>(code: &Code<N>, done: &[Result<N>]) -> Seen {
    let number = |place: &Place| match &done[*place as usize] {
        Result::Number(n) => Some(Walked { start: n.start.rat(), growth: n.growth.rat() }),
        _ => None,
    };
    Seen {
        is_model: matches!(done[code.formula as usize], Result::Truth(true)),
        templates: code.templates.iter().map(number).collect(),
    }
}
