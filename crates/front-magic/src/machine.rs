//! The transition systems of a system file: FSP with return actions.
//!
//! `return {e}` is not FSP. It is replaced by a label `ret[k]` of at most the
//! same length before the text is read, so that places stay right, and labels
//! get their names back afterwards.

use parallax_base::{Budget, Diagnostics, FileId};
use parallax_front_fsp::{Failure, Model};
use parallax_lts::{Lts, minimize_strong};
use std::collections::BTreeMap;

/// How labels of return actions begin.
pub const RETURN: &str = "return{";

/// Where the numbers of return actions begin: `ret[0]` is no longer than
/// `return {}`.
const PLAIN: &str = "ret";

/// All transition systems of a system file.
#[derive(Clone, Debug, Default)]
pub struct Machines {
    models: Vec<Model>,
    /// The conditions of return actions, by number.
    returns: Vec<String>,
    compiled: BTreeMap<String, Lts>,
}

impl Machines {
    /// Reads a text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn add(&mut self, file: FileId, text: &str) -> Result<(), Diagnostics> {
        let text = self.plain(text);
        self.models.push(Model::read(file, &text)?);
        Ok(())
    }

    /// The text with plain labels in the place of return actions.
    fn plain(&mut self, text: &str) -> String {
        let mut result = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(place) = rest.find("return") {
            let before = rest[..place].chars().next_back();
            let after = &rest[place + "return".len()..];
            let brace = after.trim_start();
            let whole = before.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '_');
            let end = brace.strip_prefix('{').and_then(|inner| inner.find('}'));
            result.push_str(&rest[..place]);
            let (Some(end), true) = (end, whole) else {
                result.push_str("return");
                rest = after;
                continue;
            };
            let condition = brace[1..=end].trim();
            let condition = condition.split_whitespace().collect::<Vec<_>>().join(" ");
            let number = self.returns.iter().position(|known| *known == condition);
            let number = number.unwrap_or_else(|| {
                self.returns.push(condition);
                self.returns.len() - 1
            });
            let length = "return".len() + (after.len() - brace.len()) + end + 2;
            result.push_str(&format!("{PLAIN}[{number}]"));
            let label = PLAIN.len() + 2 + number.to_string().len();
            result.push_str(&" ".repeat(length.saturating_sub(label)));
            rest = &rest[place + length..];
        }
        result.push_str(rest);
        result
    }

    /// The compiled transition system of a name, made small.
    ///
    /// # Errors
    /// What is wrong with it, or that the budget ended; `None` if there is no
    /// such process.
    pub fn get(&mut self, name: &str, budget: &Budget) -> Option<Result<Lts, Failure>> {
        if let Some(known) = self.compiled.get(name) {
            return Some(Ok(known.clone()));
        }
        let model = self
            .models
            .iter()
            .find(|model| model.processes().iter().any(|process| process.name == name))?;
        let compiled = match model.compile(Some(name), budget) {
            Ok(compiled) => compiled.lts,
            Err(failure) => return Some(Err(failure)),
        };
        let named = compiled.map_labels(|label| {
            let number = label.strip_prefix(PLAIN).and_then(|rest| rest.strip_prefix('.'));
            match number.and_then(|number| self.returns.get(number.parse::<usize>().ok()?)) {
                Some(condition) => vec![format!("{RETURN}{condition}}}")],
                None => vec![label.to_owned()],
            }
        });
        let small = match minimize_strong(&named, budget) {
            Ok(small) => small,
            Err(stop) => return Some(Err(Failure::Stopped(stop))),
        };
        self.compiled.insert(name.to_owned(), small.clone());
        Some(Ok(small))
    }
}

/// The condition of a return action, if a label is one.
pub(crate) fn returned(label: &str) -> Option<&str> {
    label.strip_prefix(RETURN)?.strip_suffix('}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn return_actions_are_labels() {
        let mut machines = Machines::default();
        let text =
            "S = (call -> return {$0 == 1} -> STOP | skip -> return {} -> STOP | returns -> S).";
        machines.add(FileId(0), text).expect("fine");
        let lts = machines.get("S", &Budget::unlimited()).expect("there").expect("fine");
        let labels: std::collections::BTreeSet<&str> = lts.alphabet().map(|l| &**l).collect();
        let wanted = ["call", "returns", "return{$0 == 1}", "return{}", "skip"];
        assert_eq!(labels.into_iter().collect::<Vec<_>>(), wanted);
        assert_eq!(returned("return{$0 == 1}"), Some("$0 == 1"));
    }
}
