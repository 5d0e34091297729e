//! The Aldebaran format `.aut`, as CADP and mCRL2 read and write it.
//!
//! `des (initial, transitions, states)`, then one `(from, "label", to)` per
//! line. The silent action is written `"tau"`; when reading, an unquoted `i` is
//! silent as well. The format knows no special states, so `ERROR` and `END` are
//! loops with the labels `*ERROR*` and `*END*`, and read back as such.

use crate::system::{Lts, StateId, TAU};
use std::fmt::Write;

const ERROR: &str = "*ERROR*";
const END: &str = "*END*";

/// Why a text is no `.aut` file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for AutError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for AutError {}

/// The text of a system.
pub fn write_aut(lts: &Lts) -> String {
    let marks = usize::from(lts.error().is_some()) + usize::from(lts.end().is_some());
    let mut text = format!(
        "des ({}, {}, {})\n",
        lts.initial(),
        lts.transition_count() + marks,
        lts.state_count()
    );
    let mut line = |from: StateId, label: &str, to: StateId| {
        let label = label.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string does not fail.
        let _ = writeln!(text, "({from}, \"{label}\", {to})");
    };
    for state in lts.states() {
        for edge in lts.edges(state) {
            line(state, lts.label(edge.action), edge.target);
        }
        if lts.error() == Some(state) {
            line(state, ERROR, state);
        }
        if lts.end() == Some(state) {
            line(state, END, state);
        }
    }
    text
}

/// One line as it is read.
struct Line<'a> {
    number: usize,
    text: &'a str,
    at: usize,
}

impl<'a> Line<'a> {
    fn fail<T>(&self, message: &str) -> Result<T, AutError> {
        let column = self.text[..self.at].chars().count() + 1;
        Err(AutError { line: self.number, column, message: message.to_owned() })
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn expect(&mut self, what: &str) -> Result<(), AutError> {
        self.skip();
        if !self.rest().starts_with(what) {
            return self.fail(&format!("expected `{what}`"));
        }
        self.at += what.len();
        Ok(())
    }

    /// Nothing may follow.
    fn end(&mut self) -> Result<(), AutError> {
        self.skip();
        if self.rest().is_empty() { Ok(()) } else { self.fail("expected the end of the line") }
    }

    fn number(&mut self) -> Result<u32, AutError> {
        self.skip();
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        match rest[..length].parse() {
            Ok(value) => {
                self.at += length;
                Ok(value)
            }
            Err(_) => self.fail("expected a number below 4294967296"),
        }
    }

    /// The label, and whether it is the silent action.
    fn label(&mut self) -> Result<(String, bool), AutError> {
        self.skip();
        let rest = self.rest();
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut label = String::new();
            let mut escaped = false;
            for (place, c) in quoted.char_indices() {
                match c {
                    _ if escaped => {
                        label.push(c);
                        escaped = false;
                    }
                    '\\' => escaped = true,
                    '"' => {
                        self.at += place + 2;
                        let silent = label == "tau";
                        return Ok((label, silent));
                    }
                    _ => label.push(c),
                }
            }
            return self.fail("the label has no closing quote");
        }
        // An unquoted label ends before the last comma of the line.
        let Some(comma) = rest.rfind(',') else { return self.fail("expected a label and `,`") };
        let label = rest[..comma].trim();
        self.at += comma;
        if label.is_empty() {
            return self.fail("the label is empty");
        }
        Ok((label.to_owned(), label == "i" || label == "tau"))
    }
}

/// Reads a text.
///
/// # Errors
/// When it is not in the format, with the place.
pub fn read_aut(name: &str, text: &str) -> Result<Lts, AutError> {
    let mut lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, text)| Line { number: index + 1, text, at: 0 });
    let Some(mut head) = lines.next() else {
        let message = "the file is empty, expected `des (initial, transitions, states)`";
        return Err(AutError { line: 1, column: 1, message: message.to_owned() });
    };
    head.expect("des")?;
    head.expect("(")?;
    let initial = head.number()?;
    head.expect(",")?;
    let transitions = head.number()?;
    head.expect(",")?;
    let states = head.number()?;
    head.expect(")")?;
    head.end()?;
    if initial >= states {
        return head.fail("the initial state is not below the number of states");
    }
    if states > MAX_STATES {
        return head.fail("more than 100 million states");
    }
    // States cost memory, so a short text cannot have as many as it likes.
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    if states > FREE_STATES && states > length {
        return head.fail("more states than the transitions lead to");
    }
    let mut lts = Lts::new(name);
    for _ in 0..states {
        lts.add_state();
    }
    lts.set_initial(initial);
    let mut edges = vec![Vec::new(); states as usize];
    let mut seen = 0;
    for mut line in lines {
        line.expect("(")?;
        let from = line.number()?;
        line.expect(",")?;
        let (label, silent) = line.label()?;
        line.expect(",")?;
        let to = line.number()?;
        line.expect(")")?;
        line.end()?;
        if from >= states || to >= states {
            return line.fail("a state is not below the number of states");
        }
        seen += 1;
        match label.as_str() {
            ERROR if from == to => lts.set_error(Some(from)),
            END if from == to => lts.set_end(Some(from)),
            _ => {
                let action = if silent { TAU } else { lts.action(&label) };
                edges[from as usize].push(crate::Edge { action, target: to });
            }
        }
    }
    if seen != transitions {
        return head.fail(&format!("{transitions} transitions are announced, {seen} are there"));
    }
    for (state, list) in edges.into_iter().enumerate() {
        lts.set_edges(state as StateId, list);
    }
    Ok(lts)
}

const MAX_STATES: u32 = 100_000_000;
/// States that a text may have without a transition to each of them.
const FREE_STATES: u32 = 100_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_with_quotes_and_special_states_survive() {
        let mut lts = Lts::new("P");
        let states: Vec<StateId> = (0..3).map(|_| lts.add_state()).collect();
        let odd = lts.action("a\"b\\c, d");
        lts.add_edge(states[0], odd, states[1]);
        lts.add_edge(states[0], TAU, states[2]);
        lts.set_error(Some(states[1]));
        lts.set_end(Some(states[2]));
        let text = write_aut(&lts);
        let back = read_aut("P", &text).expect("what was written is read");
        assert_eq!(write_aut(&back), text);
        assert_eq!((back.error(), back.end()), (Some(1), Some(2)));
    }

    #[test]
    fn an_unquoted_i_is_silent_and_a_quoted_one_is_not() {
        let lts = read_aut("P", "des(0,2,2)\n(0,i,1)\n(1, \"i\", 0)\n").expect("fine");
        assert_eq!(lts.edges(0)[0].action, TAU);
        assert_ne!(lts.edges(1)[0].action, TAU);
    }

    #[test]
    fn errors_have_places() {
        let place = |text: &str| {
            let error = read_aut("P", text).expect_err("broken");
            (error.line, error.column)
        };
        assert_eq!(place(""), (1, 1));
        // What follows a transition is not skipped.
        assert_eq!(place("des (0, 1, 2)\n(0, \"a\", 1) (1, \"b\", 0)"), (2, 13));
        // A short text that would cost gigabytes.
        assert_eq!(place("des (0, 0, 99999999)"), (1, 21));
        assert_eq!(place("des (0, 1, 1)\n(0, \"a\", 7)"), (2, 12));
        assert_eq!(place("des (0, 1, 1)\n(0, \"a, 0)"), (2, 5));
        assert_eq!(place("des (0, 2, 1)\n(0, a, 0)"), (1, 14));
        assert_eq!(place("des (3, 0, 1)"), (1, 14));
    }
}
