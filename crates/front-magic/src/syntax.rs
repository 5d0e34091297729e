//! The system file.
//!
//! ```text
//! system     = "system" NAME "{" { item } "}"
//! item       = "source" STRING { "," STRING } ";"        C files, relative to the system file
//!            | "include" STRING ";" | "define" STRING ";"
//!            | "fsp" STRING ";" | "fsp" "{" FSP text "}"  transition systems
//!            | "procedure" DECLARATION "{" { ptarget } "}"
//!            | "assume" DECLARATION [ writes ] "{" { case } "}"
//!            | "call" DECLARATION "as" ACTION [ writes ] ";"   one action, any result
//!            | writes ";"                                 of routines that do not say it
//!            | "specification" NAME ";"                   of all procedures together
//!            | "hide" ACTION { "," ACTION } ";"           silent in the composition
//!            | "deadlock" ";"                             ask for deadlocks, too
//! writes     = "writes" ("nothing" | "arguments")
//! ptarget    = "target" case | "returns" ACTION ";" | "statics" ("initial" | "arbitrary") ";"
//!            | "distinct" ";"                             pointers to different objects
//! case       = [ "when" "(" C expression ")" ] NAME ";"
//! ```
//!
//! A DECLARATION is that of the routine, as in a C header, with names for the
//! parameters. In conditions, `$1`, `$2`, .. are the arguments. FSP texts may
//! use `return {e}` as an action: `$0` is the result, `return {3}` is short for
//! `return {$0 == 3}`, and `return {}` is that of a `void` routine. Comments
//! are as in C.

use parallax_base::{Diagnostic, Diagnostics, FileId, Span};

/// The declaration of a routine.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The type of the result, as text.
    pub result: String,
    /// The name.
    pub name: String,
    /// The parameters: declaration and name.
    pub parameters: Vec<(String, String)>,
    /// Where it stands.
    pub span: Span,
}

impl Signature {
    /// Whether there is no result.
    pub fn is_void(&self) -> bool {
        self.result == "void"
    }
}

/// One case of a procedure abstraction.
#[derive(Clone, Debug)]
pub struct Target {
    /// The condition on the parameters, in C; none for always.
    pub guard: Option<String>,
    /// The transition system.
    pub machine: String,
    /// Where it stands.
    pub span: Span,
}

/// A procedure that is checked.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its declaration.
    pub signature: Signature,
    /// What it must conform to on its own.
    pub targets: Vec<Target>,
    /// The action of its return in a composition; silent if there is none.
    pub returns: Option<String>,
    /// Whether static objects have their initial values; `None` for: yes in a
    /// composition, no on its own.
    pub statics: Option<bool>,
    /// Whether pointers among its arguments lead to different objects. If not,
    /// those of one type may lead to one.
    pub distinct: bool,
}

/// What an assumed routine writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writes {
    /// Nothing.
    Nothing,
    /// What its arguments lead to, unless that is constant.
    Arguments,
}

/// What is assumed of a routine.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// Its declaration.
    pub signature: Signature,
    /// The cases.
    pub cases: Vec<Target>,
    /// A single action instead, with any result.
    pub action: Option<String>,
    /// What it writes, if that is said of it.
    pub writes: Option<Writes>,
}

/// A system file.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Its name.
    pub name: String,
    /// The C files, with their places.
    pub sources: Vec<(String, Span)>,
    /// Folders for headers.
    pub includes: Vec<String>,
    /// Macros.
    pub defines: Vec<String>,
    /// Files with transition systems.
    pub fsp_files: Vec<(String, Span)>,
    /// Transition systems in the file: the text and its place.
    pub fsp_texts: Vec<(String, Span)>,
    /// The procedures.
    pub procedures: Vec<Procedure>,
    /// The assumptions.
    pub assumptions: Vec<Abstraction>,
    /// What the procedures together must conform to.
    pub specification: Option<(String, Span)>,
    /// Actions that are silent in the composition.
    pub hidden: Vec<String>,
    /// Whether deadlocks are looked for.
    pub deadlock: bool,
    /// What assumed routines write of which it is not said.
    pub writes: Option<Writes>,
}

/// The error is in the diagnostics.
struct Broken;

type Parsed<T> = Result<T, Broken>;

struct Reader<'a> {
    text: &'a str,
    at: usize,
    file: FileId,
    diagnostics: Diagnostics,
}

/// Reads a system file.
///
/// # Errors
/// What is wrong with it; reading ends at the first error.
pub fn read(file: FileId, text: &str) -> Result<System, Diagnostics> {
    let mut reader = Reader { text, at: 0, file, diagnostics: Diagnostics::default() };
    match reader.system() {
        Ok(system) => Ok(system),
        Err(Broken) => Err(reader.diagnostics),
    }
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips blanks and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.at += blank;
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            } else if blank == 0 {
                return;
            }
        }
    }

    fn span(&self, from: usize) -> Span {
        Span::new(self.file, from, self.at.max(from))
    }

    fn fail<T>(&mut self, expected: &str) -> Parsed<T> {
        self.skip();
        let found: String =
            self.rest().chars().take_while(|c| !c.is_whitespace()).take(20).collect();
        let found =
            if found.is_empty() { "the end of the file".into() } else { format!("`{found}`") };
        let span = Span::new(self.file, self.at, self.at + 1);
        let message = format!("expected {expected}, found {found}");
        self.diagnostics.push(Diagnostic::error("F0030", span, message));
        Err(Broken)
    }

    fn word_ahead(&mut self) -> &'a str {
        self.skip();
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        &rest[..rest.find(|c: char| !is_part(c)).unwrap_or(rest.len())]
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.word_ahead() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    fn name(&mut self, what: &str) -> Parsed<(String, Span)> {
        let word = self.word_ahead();
        if word.is_empty() {
            return self.fail(what);
        }
        let from = self.at;
        self.at += word.len();
        Ok((word.to_owned(), self.span(from)))
    }

    /// A label such as `send.hello[1]`, brackets as dots.
    fn action(&mut self) -> Parsed<String> {
        self.skip();
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
        let length = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        if length == 0 {
            return self.fail("an action");
        }
        self.at += length;
        Ok(rest[..length].replace('[', ".").replace(']', ""))
    }

    fn take(&mut self, sign: &str) -> bool {
        self.skip();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.take(sign) { Ok(()) } else { self.fail(&format!("`{sign}`")) }
    }

    fn string(&mut self) -> Parsed<(String, Span)> {
        self.skip();
        let from = self.at;
        let Some(inner) = self.rest().strip_prefix('"') else {
            return self.fail("a name in quotes");
        };
        let Some(end) = inner.find(['"', '\n']).filter(|&end| inner[end..].starts_with('"')) else {
            return self.fail("a closing quote");
        };
        self.at += end + 2;
        Ok((inner[..end].to_owned(), self.span(from)))
    }

    /// What stands between brackets, which nest; the opening one was read.
    fn balanced(&mut self, open: char, close: char) -> Parsed<(String, Span)> {
        let (from, mut depth) = (self.at, 1usize);
        for (place, c) in self.rest().char_indices() {
            if c == open {
                depth += 1;
            } else if c == close {
                depth -= 1;
                if depth == 0 {
                    let inner = self.rest()[..place].to_owned();
                    self.at += place;
                    let span = self.span(from);
                    self.at += close.len_utf8();
                    return Ok((inner, span));
                }
            }
        }
        self.at = self.text.len();
        self.fail(&format!("`{close}`"))
    }

    fn system(&mut self) -> Parsed<System> {
        let mut system = System::default();
        if !self.take_word("system") {
            return self.fail("`system`");
        }
        system.name = self.name("the name of the system")?.0;
        self.expect("{")?;
        while !self.take("}") {
            self.item(&mut system)?;
        }
        self.skip();
        if !self.rest().is_empty() {
            return self.fail("the end of the file");
        }
        Ok(system)
    }

    fn item(&mut self, system: &mut System) -> Parsed<()> {
        let (word, _) = self.name("an item of a system, such as `source` or `procedure`")?;
        match word.as_str() {
            "source" => {
                system.sources.push(self.string()?);
                while self.take(",") {
                    system.sources.push(self.string()?);
                }
                self.expect(";")
            }
            "include" => {
                system.includes.push(self.string()?.0);
                self.expect(";")
            }
            "define" => {
                system.defines.push(self.string()?.0);
                self.expect(";")
            }
            "fsp" => {
                if self.take("{") {
                    system.fsp_texts.push(self.balanced('{', '}')?);
                    return Ok(());
                }
                system.fsp_files.push(self.string()?);
                self.expect(";")
            }
            "procedure" => {
                let procedure = self.procedure()?;
                system.procedures.push(procedure);
                Ok(())
            }
            "assume" => {
                let signature = self.signature()?;
                let writes = self.writes()?;
                self.expect("{")?;
                let mut cases = Vec::new();
                while !self.take("}") {
                    cases.push(self.case()?);
                }
                system.assumptions.push(Abstraction { signature, cases, action: None, writes });
                Ok(())
            }
            "call" => {
                let signature = self.signature()?;
                if !self.take_word("as") {
                    return self.fail("`as`");
                }
                let action = Some(self.action()?);
                let (cases, writes) = (Vec::new(), self.writes()?);
                system.assumptions.push(Abstraction { signature, cases, action, writes });
                self.expect(";")
            }
            "writes" => {
                self.at -= word.len();
                system.writes = self.writes()?;
                self.expect(";")
            }
            "specification" => {
                system.specification = Some(self.name("the name of a process")?);
                self.expect(";")
            }
            "hide" => {
                system.hidden.push(self.action()?);
                while self.take(",") {
                    system.hidden.push(self.action()?);
                }
                self.expect(";")
            }
            "deadlock" => {
                system.deadlock = true;
                self.expect(";")
            }
            _ => {
                self.at -= word.len();
                self.fail("an item of a system, such as `source` or `procedure`")
            }
        }
    }

    /// What a routine writes, if that is said.
    fn writes(&mut self) -> Parsed<Option<Writes>> {
        if !self.take_word("writes") {
            return Ok(None);
        }
        if self.take_word("nothing") {
            return Ok(Some(Writes::Nothing));
        }
        if self.take_word("arguments") {
            return Ok(Some(Writes::Arguments));
        }
        self.fail("`nothing` or `arguments`")
    }

    fn procedure(&mut self) -> Parsed<Procedure> {
        let signature = self.signature()?;
        let (mut targets, mut returns, mut statics) = (Vec::new(), None, None);
        let mut distinct = false;
        self.expect("{")?;
        while !self.take("}") {
            if self.take_word("target") {
                targets.push(self.case()?);
            } else if self.take_word("returns") {
                returns = Some(self.action()?);
                self.expect(";")?;
            } else if self.take_word("statics") {
                statics = Some(self.take_word("initial"));
                if statics == Some(false) && !self.take_word("arbitrary") {
                    return self.fail("`initial` or `arbitrary`");
                }
                self.expect(";")?;
            } else if self.take_word("distinct") {
                distinct = true;
                self.expect(";")?;
            } else {
                return self.fail("`target`, `returns`, `statics`, `distinct` or `}`");
            }
        }
        Ok(Procedure { signature, targets, returns, statics, distinct })
    }

    fn case(&mut self) -> Parsed<Target> {
        let mut guard = None;
        if self.take_word("when") {
            self.expect("(")?;
            guard = Some(self.balanced('(', ')')?.0);
        }
        let (machine, span) = self.name("the name of a process")?;
        self.expect(";")?;
        Ok(Target { guard, machine, span })
    }

    /// A declaration such as `int read(struct file *f, int size)`.
    fn signature(&mut self) -> Parsed<Signature> {
        self.skip();
        let from = self.at;
        let Some(open) = self.rest().find('(') else { return self.fail("a declaration") };
        let head = self.rest()[..open].trim_end();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let start = head.trim_end_matches(is_part).len();
        let (result, name) = (head[..start].trim().to_owned(), head[start..].to_owned());
        if result.is_empty() || name.is_empty() || head.contains([';', '{', '}']) {
            return self.fail("a declaration such as `int read(int size)`");
        }
        self.at += open + 1;
        let (inner, _) = self.balanced('(', ')')?;
        let span = self.span(from);
        let mut parameters = Vec::new();
        for part in split_commas(&inner) {
            let part = part.trim();
            if part.is_empty() || part == "void" {
                continue;
            }
            let start = part.trim_end_matches(is_part).len();
            if start == 0 || part[start..].is_empty() {
                return self.fail("parameters with a type and a name, without arrays");
            }
            parameters.push((part.to_owned(), part[start..].to_owned()));
        }
        Ok(Signature { result, name, parameters, span })
    }
}

/// Splits at commas outside of brackets.
fn split_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0i32);
    for (place, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Letters of several bytes before a name are refused or kept, never cut.
    #[test]
    fn letters_outside_of_ascii_are_no_part_of_names() {
        for declaration in ["int ߎf(int x)", "ߎ(int x)", "int f(int ߎx)", "int f(ߎ)"] {
            let text = format!("system s {{ procedure {declaration} {{ target S; }} }}");
            let read = read(FileId(0), &text);
            let names = |system: System| system.procedures[0].signature.name.clone();
            let is_odd = declaration.starts_with("int ߎ") || declaration.contains("int ߎ");
            assert_eq!(read.ok().map(names), is_odd.then(|| "f".to_owned()), "{declaration}");
        }
    }
}
