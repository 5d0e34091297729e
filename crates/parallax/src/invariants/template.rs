//! Templates as people write them: `x + 2*y - z`.

use super::InvariantError;
use crate::Task;
use crate::c::Head;
use parallax_term::{Int, Rat, Term};
use std::collections::BTreeSet;

/// A factor and a name.
type Part = (Rat, String);

/// Reads templates. In C a name can mean a variable in each function, so a
/// template stands for one term at each loop where all its names mean something.
pub(super) fn read(
    task: &mut Task,
    texts: &[String],
    heads: &[Head],
) -> Result<Vec<Term>, InvariantError> {
    let mut found = BTreeSet::new();
    for text in texts {
        let wrong = |message: String| InvariantError::Template { text: text.clone(), message };
        let parts = parts(text).map_err(wrong)?;
        let mut names = Vec::new();
        if task.c.is_some() {
            for head in heads {
                let all: Option<Vec<Term>> =
                    parts.iter().map(|(_, name)| head.words.symbol(name)).collect();
                names.extend(all);
            }
        } else {
            let symbol = |name: &String| {
                let variable = task.program.variables.iter().find(|v| *v.name == **name)?;
                variable.domain.sort().is_number().then_some(variable.term)
            };
            names.extend(parts.iter().map(|(_, name)| symbol(name)).collect::<Option<Vec<_>>>());
        }
        if names.is_empty() {
            let all: Vec<&str> = parts.iter().map(|(_, name)| &**name).collect();
            let message = match &all[..] {
                [one] => format!("no loop knows an integer variable `{one}`"),
                _ => format!("no loop knows all of the integer variables {}", all.join(", ")),
            };
            return Err(wrong(message));
        }
        for symbols in names {
            let store = &mut task.program.store;
            let mut sum = None;
            for ((factor, _), symbol) in parts.iter().zip(symbols) {
                let part = store.scale(factor, symbol);
                sum = Some(match sum {
                    None => part,
                    Some(sum) if store.sort(sum) == store.sort(part) => store.add(sum, part),
                    Some(_) => {
                        return Err(wrong("integers and reals do not mix in a template".into()));
                    }
                });
            }
            found.extend(sum);
        }
    }
    task.program.store.freeze();
    Ok(found.into_iter().collect())
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
