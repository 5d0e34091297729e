//! Words as people write them: `{b}({a,b}{b})^w`.
//!
//! A letter is a set of atoms in braces; what stands in parentheses comes for
//! ever. `^w` may be left out.
//!
//! | code | meaning |
//! | --- | --- |
//! | L0101 | this is no word |
//! | L0102 | an atom that is not in the formula |

use crate::formula::Formula;
use crate::lasso::Lasso;
use parallax_base::{Diagnostic, Diagnostics, FileId, Span};

/// Reads a word over the atoms of a formula.
///
/// # Errors
/// What is wrong with it.
pub fn parse_word(file: FileId, text: &str, formula: &Formula) -> Result<Lasso, Diagnostics> {
    let mut reader = Reader { file, text, at: 0, formula, errors: Diagnostics::default() };
    let stem = reader.letters();
    let open = reader.take("(");
    let cycle = if open { reader.letters() } else { Vec::new() };
    if !open || cycle.is_empty() {
        reader.fail("expected letters in parentheses, which come for ever");
    } else if !reader.take(")") {
        reader.fail("expected `)`");
    } else {
        let _ = reader.take("^w") || reader.take("^ω") || reader.take("w");
        reader.blanks();
        if reader.at < text.len() {
            reader.fail("nothing comes after what comes for ever");
        }
    }
    if reader.errors.has_errors() {
        return Err(reader.errors);
    }
    Ok(Lasso { stem, cycle })
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    formula: &'a Formula,
    errors: Diagnostics,
}

impl Reader<'_> {
    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, sign: &str) -> bool {
        self.blanks();
        let found = self.text[self.at..].starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn fail(&mut self, message: &str) {
        let next = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        let span = Span::new(self.file, self.at, self.at + next);
        let error = Diagnostic::error("L0101", span, message);
        self.errors.push(error.help("a word is, for instance, `{b}({a,b}{b})^w`"));
    }

    /// Letters as long as there are some.
    fn letters(&mut self) -> Vec<u64> {
        let mut letters = Vec::new();
        while self.take("{") {
            let start = self.at;
            let Some(length) = self.text[start..].find('}') else {
                self.fail("`{` is never closed");
                self.at = self.text.len();
                break;
            };
            self.at = start + length + 1;
            letters.push(self.letter(start, start + length));
        }
        letters
    }

    fn letter(&mut self, start: usize, end: usize) -> u64 {
        let mut letter = 0;
        let mut at = start;
        let inside = &self.text[start..end];
        for part in inside.split(',') {
            let name: Vec<&str> = part.split_whitespace().collect();
            let name = name.join(" ");
            let known = self.formula.atoms.iter().position(|a| a.text == name);
            match known {
                Some(atom) => letter |= 1 << atom,
                None if inside.trim().is_empty() => {}
                None => {
                    let span = Span::new(self.file, at, at + part.len());
                    let text = format!("`{name}` is no atom of the formula");
                    let atoms: Vec<_> =
                        self.formula.atoms.iter().map(|a| format!("`{}`", a.text)).collect();
                    let help = format!("its atoms are {}", atoms.join(", "));
                    self.errors.push(Diagnostic::error("L0102", span, text).help(help));
                }
            }
            at += part.len() + 1;
        }
        letter
    }
}
