//! Templates as people write them: `x + 2*y - z`.

use parallax_ir as ir;
use parallax_term::{Int, Rat, Term, TermStore};
use std::collections::{BTreeMap, BTreeSet};

/// A factor and a name.
type Part = (Rat, String);

/// What a name means in one place.
pub type Scope<'a> = &'a dyn Fn(&str) -> Option<Term>;

/// The variables of a model that are numbers.
pub fn of_model(program: &ir::Program) -> impl Fn(&str) -> Option<Term> + use<> {
    let numbers = program.variables.iter().filter(|v| v.domain.sort().is_number());
    let known: BTreeMap<String, Term> = numbers.map(|v| (v.name.to_string(), v.term)).collect();
    move |name| known.get(name).copied()
}

/// Reads a template: one term in each scope where all its names mean something.
/// Fails with a sentence.
pub fn read_one(
    store: &mut TermStore,
    text: &str,
    scopes: &[Scope<'_>],
) -> Result<BTreeSet<Term>, String> {
    let parts = parts(text)?;
    let meant = |scope: &Scope<'_>| -> Option<Vec<Term>> {
        parts.iter().map(|(_, name)| scope(name)).collect()
    };
    let meanings: Vec<Vec<Term>> = scopes.iter().filter_map(meant).collect();
    if meanings.is_empty() {
        let all: Vec<&str> = parts.iter().map(|(_, name)| &**name).collect();
        return Err(match &all[..] {
            [one] => format!("no loop knows an integer variable `{one}`"),
            _ => format!("no loop knows all of the integer variables {}", all.join(", ")),
        });
    }
    let mut found = BTreeSet::new();
    for symbols in meanings {
        let mut sum = None;
        for ((factor, _), symbol) in parts.iter().zip(symbols) {
            if !store.sort(symbol).is_number() {
                return Err("a variable is held as a bit-vector; give --encoding int".to_owned());
            }
            let part = store.scale(factor, symbol);
            sum = Some(match sum {
                None => part,
                Some(sum) if store.sort(sum) == store.sort(part) => store.add(sum, part),
                Some(_) => return Err("integers and reals do not mix in a template".to_owned()),
            });
        }
        found.extend(sum);
    }
    Ok(found)
}

/// The parts of a sum.
fn parts(text: &str) -> Result<Vec<Part>, String> {
    let mut rest = text.trim();
    let mut found: Vec<Part> = Vec::new();
    if rest.is_empty() {
        return Err("it is empty".into());
    }
    while !rest.is_empty() {
        let column = text.len() - rest.len() + 1;
        let mut sign = 1;
        match rest.chars().next() {
            Some('+') => rest = rest[1..].trim_start(),
            Some('-') => {
                sign = -1;
                rest = rest[1..].trim_start();
            }
            _ if found.is_empty() => {}
            _ => return Err(format!("expected `+` or `-` at column {column}")),
        }
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let mut factor = Int::from(sign);
        if digits > 0 {
            let value: Int =
                rest[..digits].parse().map_err(|_| "a number is too large".to_owned())?;
            factor = &factor * &value;
            rest = rest[digits..].trim_start();
            rest = rest.strip_prefix('*').unwrap_or(rest).trim_start();
        }
        let is_part = |c: char| c.is_alphanumeric() || "_.[]@".contains(c);
        let length = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        if length == 0 {
            let column = text.len() - rest.len() + 1;
            return Err(format!("expected the name of a variable at column {column}"));
        }
        found.push((Rat::from(factor), rest[..length].to_owned()));
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_read() {
        let part = |factor: i64, name: &str| (Rat::from(factor), name.to_owned());
        assert_eq!(parts("x + 2*y - z"), Ok(vec![part(1, "x"), part(2, "y"), part(-1, "z")]));
        assert_eq!(parts("-3 a[2]"), Ok(vec![part(-3, "a[2]")]));
        assert_eq!(parts("x 2"), Err("expected `+` or `-` at column 3".into()));
        assert_eq!(parts("x + "), Err("expected the name of a variable at column 5".into()));
        assert_eq!(parts(" "), Err("it is empty".into()));
    }
}
