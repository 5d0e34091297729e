//! Contracts as text: `n <= 100 || \result == n - 10`.
//!
//! A clause is a list of conditions joined by `||`. A condition compares two
//! sums by `<=`, `==` or `!=`; `== ... (mod 4)` compares remainders. Names are
//! those of parameters, which mean what was passed, and of static variables,
//! which mean the state after the call in `ensures` and before it in
//! `requires`; `\old(x)` is `x` before the call, `\result` what is returned.

use super::{Atom, Clause, Condition, Contract, Relation, Sum};
use parallax_base::Id;
use parallax_cfa::{Function, Program, Storage, Variable};
use std::fmt::Write;

/// Longest clause that is read.
const MAX_LENGTH: usize = 10_000;

/// A contract as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContractText {
    /// The name of the function.
    pub function: String,
    /// What holds when it is called.
    pub requires: Vec<String>,
    /// What holds when it returns.
    pub ensures: Vec<String>,
}

/// The function of a contract with its names.
struct Scope<'p> {
    program: &'p Program,
    function: &'p Function,
    is_late: bool,
}

/// The static variables that a contract of a function can name.
pub fn speakable(program: &Program, function: Id<Function>) -> Vec<Id<Variable>> {
    let scope = Scope { program, function: &program.functions[function], is_late: true };
    let names = |v: &Id<Variable>| scope.global(&program.variables[*v].name) == Some(*v);
    program.variables.ids().filter(names).collect()
}

impl Contract {
    /// The contract as text; `None` if the function has no name of its own or
    /// a clause speaks of something that has none.
    pub fn text(&self, program: &Program) -> Option<ContractText> {
        let function = &program.functions[self.function];
        if named(program, &function.name)? != self.function {
            return None;
        }
        let write = |clauses: &[Clause], is_late: bool| {
            let scope = Scope { program, function, is_late };
            clauses.iter().map(|clause| scope.clause(clause)).collect::<Option<Vec<String>>>()
        };
        Some(ContractText {
            function: function.name.to_string(),
            requires: write(&self.requires, false)?,
            ensures: write(&self.ensures, true)?,
        })
    }

    /// Reads a contract; fails with a sentence.
    pub fn read(program: &Program, text: &ContractText) -> Result<Contract, String> {
        let id = named(program, &text.function)
            .ok_or_else(|| format!("there is no single function `{}`", text.function))?;
        let function = &program.functions[id];
        let read = |clauses: &[String], is_late: bool| {
            let scope = Scope { program, function, is_late };
            clauses.iter().map(|clause| scope.read(clause)).collect::<Result<Vec<Clause>, String>>()
        };
        Ok(Contract {
            function: id,
            requires: read(&text.requires, false)?,
            ensures: read(&text.ensures, true)?,
        })
    }
}

/// The function with this name, if there is one and only one with a body.
fn named(program: &Program, name: &str) -> Option<Id<Function>> {
    let mut found = program.functions.iter_enumerated().filter(|(_, f)| *f.name == *name);
    let (id, function) = found.next()?;
    (found.next().is_none() && function.is_defined).then_some(id)
}

impl Scope<'_> {
    /// The parameter with this name, if only one has it.
    fn parameter(&self, name: &str) -> Option<usize> {
        let is = |v: &Id<Variable>| *self.program.variables[*v].name == *name;
        let mut found = self.function.parameters.iter().enumerate().filter(|(_, v)| is(v));
        let (at, _) = found.next()?;
        found.next().is_none().then_some(at)
    }

    /// The static variable with this name, if only one has it and no parameter
    /// hides it.
    fn global(&self, name: &str) -> Option<Id<Variable>> {
        let hides = |v: &Id<Variable>| *self.program.variables[*v].name == *name;
        if self.function.parameters.iter().any(hides) {
            return None;
        }
        let is_static = |v: &Variable| v.storage == Storage::Static && *v.name == *name;
        let mut found = self.program.variables.iter_enumerated().filter(|(_, v)| is_static(v));
        let (id, variable) = found.next()?;
        (found.next().is_none() && variable.owner.is_none()).then_some(id)
    }

    fn atom(&self, atom: Atom) -> Option<String> {
        let global = |v: Id<Variable>| {
            let name = &self.program.variables[v].name;
            (self.global(name)? == v).then(|| name.to_string())
        };
        match atom {
            Atom::Result => self.is_late.then(|| "\\result".to_owned()),
            Atom::After(v) => global(v).filter(|_| self.is_late),
            Atom::Before(v) if self.is_late => Some(format!("\\old({})", global(v)?)),
            Atom::Before(v) => global(v),
            Atom::Parameter(at) => {
                let name = &self.program.variables[*self.function.parameters.get(at)?].name;
                (self.parameter(name)? == at).then(|| name.to_string())
            }
        }
    }

    fn clause(&self, clause: &Clause) -> Option<String> {
        let parts = clause.0.iter().map(|condition| self.condition(condition));
        let text = parts.collect::<Option<Vec<String>>>()?.join(" || ");
        (!text.is_empty()).then_some(text)
    }

    fn condition(&self, condition: &Condition) -> Option<String> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for m in &condition.sum.monomials {
            let factors: Option<Vec<String>> = m.factors.iter().map(|a| self.atom(*a)).collect();
            let mut text = factors?.join(" * ");
            if m.coefficient.unsigned_abs() != 1 {
                text = format!("{} * {text}", m.coefficient.unsigned_abs());
            }
            if m.coefficient > 0 { left.push(text) } else { right.push(text) }
        }
        let constant = condition.sum.constant;
        let side = |mut parts: Vec<String>, constant: Option<u128>| {
            parts.extend(constant.map(|c| c.to_string()));
            if parts.is_empty() { "0".to_owned() } else { parts.join(" + ") }
        };
        let magnitude = (constant != 0).then_some(constant.unsigned_abs());
        let left = side(left, magnitude.filter(|_| constant > 0));
        let right = side(right, magnitude.filter(|_| constant < 0));
        Some(match condition.relation {
            Relation::AtMost => format!("{left} <= {right}"),
            Relation::Zero => format!("{left} == {right}"),
            Relation::NotZero => format!("{left} != {right}"),
            Relation::Divisible(by) => format!("{left} == {right} (mod {by})"),
        })
    }

    fn read(&self, text: &str) -> Result<Clause, String> {
        if text.len() > MAX_LENGTH {
            return Err("a clause is too long".to_owned());
        }
        let mut reader = Reader { scope: self, tokens: tokens(text)?, next: 0 };
        let mut conditions = vec![reader.condition()?];
        while reader.take("||") {
            conditions.push(reader.condition()?);
        }
        match reader.peek() {
            None => Ok(Clause(conditions)),
            Some(token) => Err(format!("`{token}` is not expected in `{text}`")),
        }
    }

    fn name(&self, name: &str, is_old: bool) -> Result<Atom, String> {
        if let Some(at) = self.parameter(name).filter(|_| !is_old) {
            return Ok(Atom::Parameter(at));
        }
        let variable = self.global(name).ok_or_else(|| format!("nothing is called `{name}`"))?;
        let is_before = is_old || !self.is_late;
        Ok(if is_before { Atom::Before(variable) } else { Atom::After(variable) })
    }
}

/// Splits a clause into words.
fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut found: Vec<String> = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let mut token = String::from(c);
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        if c.is_whitespace() {
            continue;
        } else if is_word(c) || c == '\\' {
            while let Some(&next) = rest.peek().filter(|c| is_word(**c)) {
                token.push(next);
                rest.next();
            }
        } else if "<=>!|".contains(c) {
            token.extend(rest.next_if(|next| "=|".contains(*next)));
        } else if !"+-*()".contains(c) {
            return Err(format!("`{c}` has no meaning in a contract"));
        }
        found.push(token);
    }
    Ok(found)
}

struct Reader<'s, 'p> {
    scope: &'s Scope<'p>,
    tokens: Vec<String>,
    next: usize,
}

impl Reader<'_, '_> {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.next).map(String::as_str)
    }

    fn take(&mut self, token: &str) -> bool {
        let is_here = self.peek() == Some(token);
        self.next += usize::from(is_here);
        is_here
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        match self.take(token) {
            true => Ok(()),
            false => Err(format!("`{token}` is missing")),
        }
    }

    fn word(&mut self) -> Result<String, String> {
        let word = self.peek().ok_or("a clause ends too early")?.to_owned();
        self.next += 1;
        Ok(word)
    }

    fn condition(&mut self) -> Result<Condition, String> {
        let mut sum = Sum::default();
        self.sum(&mut sum, 1)?;
        let sign = self.word()?;
        self.sum(&mut sum, -1)?;
        let relation = match sign.as_str() {
            "<=" => Relation::AtMost,
            "!=" => Relation::NotZero,
            "==" if self.take("(") => {
                self.expect("mod")?;
                let by = self.word()?.parse().ok().filter(|by: &i128| *by >= 2);
                self.expect(")")?;
                Relation::Divisible(by.ok_or("a modulus is a number from 2 on")?)
            }
            "==" => Relation::Zero,
            other => return Err(format!("`{other}` compares nothing")),
        };
        Ok(Condition { sum, relation })
    }

    /// Adds monomials, separated by `+` and `-`, to a sum.
    fn sum(&mut self, sum: &mut Sum, side: i128) -> Result<(), String> {
        let mut sign = if self.take("-") { -side } else { side };
        loop {
            let (mut coefficient, mut factors) = (sign, Vec::new());
            loop {
                let word = self.word()?;
                if word.starts_with(|c: char| c.is_ascii_digit()) {
                    let number: Option<i128> = word.parse().ok();
                    let product = number.and_then(|n| coefficient.checked_mul(n));
                    coefficient = product.ok_or_else(|| format!("`{word}` is too large"))?;
                } else {
                    factors.push(self.value(&word)?);
                }
                if !self.take("*") {
                    break;
                }
            }
            let added = match factors.is_empty() {
                true => sum.constant.checked_add(coefficient).map(|c| sum.constant = c),
                false => sum.add(coefficient, factors),
            };
            added.ok_or("a number is too large")?;
            sign = match self.peek() {
                Some("+") => side,
                Some("-") => -side,
                _ => return Ok(()),
            };
            self.next += 1;
        }
    }

    fn value(&mut self, word: &str) -> Result<Atom, String> {
        match word {
            "\\result" if self.scope.is_late => Ok(Atom::Result),
            "\\old" if self.scope.is_late => {
                self.expect("(")?;
                let name = self.word()?;
                self.expect(")")?;
                self.scope.name(&name, true)
            }
            name => self.scope.name(name, false),
        }
    }
}

impl std::fmt::Display for ContractText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = format!("`{}`", self.function);
        for (word, clauses) in [("requires", &self.requires), ("ensures", &self.ensures)] {
            for clause in clauses {
                write!(text, " {word} {clause};")?;
            }
        }
        f.write_str(text.trim_end_matches(';'))
    }
}
