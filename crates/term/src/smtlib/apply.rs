//! The functions of SMT-LIB on our terms, with their sorts checked.
//!
//! The constructors of [`TermStore`] trust their callers; a text from outside
//! is not to be trusted, so every argument is looked at here.

use crate::{Linear, Rat, Sort, Term, TermStore, Value};

/// The functions that [`apply`] knows.
pub(crate) const OPERATORS: &[&str] = &[
    "not", "and", "or", "xor", "=>", "=", "distinct", "ite", "+", "-", "*", "/", "div", "mod",
    "abs", "<=", "<", ">=", ">", "to_real", "~",
];

/// Applies a function of [`OPERATORS`] to at least one argument.
pub(crate) fn apply(s: &mut TermStore, name: &str, terms: Vec<Term>) -> Result<Term, String> {
    let arity = |wanted: usize| match terms.len() == wanted {
        true => Ok(()),
        false => Err(format!("`{name}` takes {wanted} arguments, not {}", terms.len())),
    };
    match name {
        "not" => arity(1).and_then(|()| Ok(s.not(bools(s, &terms)?[0]))),
        "and" => bools(s, &terms).map(|t| s.and(t.iter().copied())),
        "or" => bools(s, &terms).map(|t| s.or(t.iter().copied())),
        "xor" => fold(s, bools(s, &terms)?, |s, a, b| {
            let same = s.iff(a, b);
            s.not(same)
        }),
        "=>" => {
            let mut items = bools(s, &terms)?.iter().rev();
            let last = *items.next().ok_or("arguments are missing")?;
            Ok(items.fold(last, |result, premise| s.implies(*premise, result)))
        }
        "=" => {
            let terms = same_sort(s, terms)?;
            chain(s, &terms, TermStore::eq)
        }
        "distinct" => {
            let terms = same_sort(s, terms)?;
            let mut items = Vec::new();
            for (i, a) in terms.iter().enumerate() {
                for b in &terms[i + 1..] {
                    let same = s.eq(*a, *b);
                    items.push(s.not(same));
                }
            }
            Ok(s.and(items))
        }
        "ite" => {
            arity(3)?;
            bools(s, &terms[..1])?;
            let branches = same_sort(s, terms[1..].to_vec())?;
            Ok(s.ite(terms[0], branches[0], branches[1]))
        }
        "+" => {
            let (terms, sort) = numbers(s, terms)?;
            Ok(sum(s, &terms, sort))
        }
        "-" => {
            let (terms, sort) = numbers(s, terms)?;
            let rest = sum(s, &terms[1..], sort);
            Ok(if terms.len() == 1 { s.neg(terms[0]) } else { s.sub(terms[0], rest) })
        }
        // Minus of one argument, as SMT-LIB 1 wrote it; Z3 and old files still do.
        "~" => {
            arity(1)?;
            let (terms, _) = numbers(s, terms)?;
            Ok(s.neg(terms[0]))
        }
        "*" => numbers(s, terms).and_then(|(terms, _)| fold(s, &terms, TermStore::mul)),
        "/" => {
            let terms = reals(s, terms)?;
            let mut result = terms[0];
            for divisor in &terms[1..] {
                let divisor = s.value(*divisor).and_then(Value::to_rat);
                let inverse = divisor.ok_or("the divisor is no constant")?.inverse();
                result = s.scale(&inverse.ok_or("division by zero")?, result);
            }
            Ok(result)
        }
        "div" => fold(s, ints(s, &terms)?, TermStore::div),
        "mod" => arity(2).and_then(|()| fold(s, ints(s, &terms)?, TermStore::modulo)),
        "abs" => {
            arity(1)?;
            let a = ints(s, &terms)?[0];
            let (zero, negated) = (s.int(0), s.neg(a));
            let positive = s.ge(a, zero);
            Ok(s.ite(positive, a, negated))
        }
        "to_real" => arity(1).and_then(|()| Ok(reals(s, terms)?[0])),
        _ => {
            let (terms, _) = numbers(s, terms)?;
            chain(
                s,
                &terms,
                match name {
                    "<=" => TermStore::le,
                    "<" => TermStore::lt,
                    ">=" => TermStore::ge,
                    _ => TermStore::gt,
                },
            )
        }
    }
}

type Binary = fn(&mut TermStore, Term, Term) -> Term;

/// `a op b op c` from the left; at least two arguments.
fn fold(
    s: &mut TermStore,
    terms: &[Term],
    op: impl Fn(&mut TermStore, Term, Term) -> Term,
) -> Result<Term, String> {
    match terms {
        [] | [_] => Err("two or more arguments expected".into()),
        [first, rest @ ..] => Ok(rest.iter().fold(*first, |result, term| op(s, result, *term))),
    }
}

/// `a op b` and `b op c` and so on; at least two arguments.
fn chain(s: &mut TermStore, terms: &[Term], op: Binary) -> Result<Term, String> {
    if terms.len() < 2 {
        return Err("two or more arguments expected".into());
    }
    let items: Vec<Term> = terms.windows(2).map(|pair| op(s, pair[0], pair[1])).collect();
    Ok(s.and(items))
}

/// Adds in pairs, so that a long sum is not copied once per argument.
fn sum(s: &mut TermStore, terms: &[Term], sort: Sort) -> Term {
    let mut parts: Vec<Linear> = terms.iter().map(|term| s.linear(*term)).collect();
    while parts.len() > 1 {
        let pairs = parts.chunks(2);
        parts = pairs
            .map(|pair| match pair {
                [a, b] => a.plus(&Rat::ONE, b),
                one => one[0].clone(),
            })
            .collect();
    }
    let total = parts.pop().unwrap_or(Linear::constant(Rat::ZERO));
    s.sum(total, sort)
}

fn bools<'t>(s: &TermStore, terms: &'t [Term]) -> Result<&'t [Term], String> {
    all_of(s, terms, Sort::Bool)
}

pub(crate) fn ints<'t>(s: &TermStore, terms: &'t [Term]) -> Result<&'t [Term], String> {
    all_of(s, terms, Sort::Int)
}

fn all_of<'t>(s: &TermStore, terms: &'t [Term], sort: Sort) -> Result<&'t [Term], String> {
    match terms.iter().map(|t| s.sort(*t)).find(|other| *other != sort) {
        Some(other) => Err(format!("an argument is {other}, not {sort}")),
        None => Ok(terms),
    }
}

/// Numbers of one sort: integers become reals when there is a real.
fn numbers(s: &mut TermStore, terms: Vec<Term>) -> Result<(Vec<Term>, Sort), String> {
    if let Some(other) = terms.iter().map(|t| s.sort(*t)).find(|sort| !sort.is_number()) {
        return Err(format!("an argument is {other}, not a number"));
    }
    match terms.iter().all(|t| s.sort(*t) == Sort::Int) {
        true => Ok((terms, Sort::Int)),
        false => Ok((reals(s, terms)?, Sort::Real)),
    }
}

fn reals(s: &mut TermStore, mut terms: Vec<Term>) -> Result<Vec<Term>, String> {
    for term in &mut terms {
        match s.sort(*term) {
            Sort::Int => *term = s.to_real(*term),
            Sort::Real => {}
            other => return Err(format!("an argument is {other}, not a number")),
        }
    }
    Ok(terms)
}

fn same_sort(s: &mut TermStore, terms: Vec<Term>) -> Result<Vec<Term>, String> {
    let first = terms.first().map(|t| s.sort(*t));
    if terms.iter().all(|t| Some(s.sort(*t)) == first) {
        return Ok(terms);
    }
    Ok(numbers(s, terms)?.0)
}
