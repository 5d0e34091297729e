//! The parser: definitions, processes and expressions.
//!
//! After an error inside a definition it goes on at the next word that begins
//! one, so one run reports several errors.

use crate::ast::{
    Body, Choice, Hiding, ImportDef, Item, Local, Modes, Name, Parameter, ProcessDef,
};
use crate::lex::{Token, tokens};
use crate::value::{Expr, Step};
use parallax_base::{Diagnostic, Diagnostics, FileId, Span};
use std::rc::Rc;

/// How deep a text may nest.
const DEPTH: u32 = 200;

/// The error is in the diagnostics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Broken;

pub(crate) type Parsed<T> = Result<T, Broken>;

pub(crate) struct Parser<'a> {
    tokens: Vec<(Token, Span)>,
    pub(crate) at: usize,
    depth: u32,
    diagnostics: &'a mut Diagnostics,
}

/// All definitions of a text.
pub(crate) fn parse(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Vec<Item> {
    let tokens = tokens(file, text, diagnostics);
    let mut parser = Parser { tokens, at: 0, depth: 0, diagnostics };
    let mut items = Vec::new();
    while *parser.peek() != Token::End {
        let before = parser.at;
        parser.depth = 0;
        match parser.item() {
            Ok(item) => items.push(item),
            Err(Broken) => parser.recover(before),
        }
    }
    items
}

impl Parser<'_> {
    pub(crate) fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    /// The token `ahead` places after the next one.
    pub(crate) fn ahead(&self, ahead: usize) -> &Token {
        let place = (self.at + ahead).min(self.tokens.len() - 1);
        &self.tokens[place].0
    }

    pub(crate) fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// The place of the token before.
    pub(crate) fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    pub(crate) fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    pub(crate) fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if *found == word)
    }

    pub(crate) fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn fail<T>(&mut self, expected: &str) -> Parsed<T> {
        let message = format!("expected {expected}, found {}", self.peek().describe());
        let span = self.span();
        self.diagnostics.push(Diagnostic::error("F0002", span, message));
        Err(Broken)
    }

    pub(crate) fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.take(sign) { Ok(()) } else { self.fail(&format!("`{sign}`")) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word) { Ok(()) } else { self.fail(&format!("`{word}`")) }
    }

    pub(crate) fn upper(&mut self, what: &str) -> Parsed<Name> {
        let span = self.span();
        let Token::Upper(text) = self.peek() else {
            return self.fail(&format!("{what}, a name that begins with a capital"));
        };
        let name = Name { text: Rc::clone(text), span };
        self.advance();
        Ok(name)
    }

    /// The name of a property, which may be a word such as `END`.
    pub(crate) fn title(&mut self, what: &str) -> Parsed<Name> {
        if let Token::Word(word @ ("STOP" | "END" | "ERROR")) = *self.peek() {
            let name = Name { text: word.into(), span: self.span() };
            self.advance();
            return Ok(name);
        }
        self.upper(what)
    }

    /// One level deeper; an error if the text nests too deep.
    pub(crate) fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH {
            let message = format!("more than {DEPTH} levels of nesting");
            let span = self.span();
            self.diagnostics.push(Diagnostic::error("F0009", span, message));
            return Err(Broken);
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Goes to the next token that may begin a definition.
    fn recover(&mut self, before: usize) {
        if self.at == before {
            self.advance();
        }
        loop {
            let begins = match self.peek() {
                Token::End => true,
                Token::Word(
                    "const" | "range" | "set" | "progress" | "property" | "menu" | "fluent"
                    | "import" | "assert" | "ltl_property" | "constraint" | "deterministic"
                    | "minimal" | "compose",
                ) => true,
                _ => {
                    let after_dot = matches!(self.tokens[self.at - 1].0, Token::Sign("."));
                    let defines = matches!(self.ahead(1), Token::Sign("=" | "("));
                    let process = matches!(self.peek(), Token::Upper(_)) && defines;
                    after_dot && (process || self.is("||"))
                }
            };
            if begins {
                return;
            }
            self.advance();
        }
    }

    fn item(&mut self) -> Parsed<Item> {
        if self.take_word("const") {
            let name = self.upper("the name of a constant")?;
            self.expect("=")?;
            return Ok(Item::Const(name, self.expr()?));
        }
        if self.take_word("range") {
            let name = self.upper("the name of a range")?;
            self.expect("=")?;
            let low = self.expr()?;
            self.expect("..")?;
            return Ok(Item::Range(name, low, self.expr()?));
        }
        if self.take_word("set") {
            let name = self.upper("the name of a set")?;
            self.expect("=")?;
            return Ok(Item::Set(name, self.set_difference()?));
        }
        if self.take_word("progress") {
            return self.progress();
        }
        if self.take_word("menu") {
            self.title("the name of a menu")?;
            self.expect("=")?;
            self.labels()?;
            return Ok(Item::Menu);
        }
        if self.take_word("fluent") {
            return self.fluent();
        }
        if self.take_word("import") {
            let name = self.upper("the name of a process")?;
            self.expect("=")?;
            let Token::Text(file) = self.peek().clone() else {
                return self.fail("the name of a file in quotes");
            };
            let span = self.span();
            self.advance();
            return Ok(Item::Import(ImportDef { name, file, span, lts: None }));
        }
        for word in ["assert", "ltl_property", "constraint"] {
            if self.take_word(word) {
                let name = self.title("the name of a formula")?;
                self.expect("=")?;
                let formula = self.formula()?;
                return Ok(match word {
                    "constraint" => Item::Constraint(name),
                    _ => Item::Assert(name, formula),
                });
            }
        }
        let mut modes = Modes::default();
        loop {
            if self.take_word("deterministic") {
                modes.deterministic = true;
            } else if self.take_word("minimal") {
                modes.minimal = true;
            } else if self.take_word("compose") {
                modes.compose = true;
            } else if self.take_word("property") {
                modes.property = true;
            } else {
                break;
            }
        }
        if self.take("||") {
            return self.composite(modes).map(Item::Composite);
        }
        if matches!(self.peek(), Token::Upper(_)) {
            return self.process(modes).map(Item::Process);
        }
        self.fail("a definition")
    }

    pub(crate) fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let mut parameters = Vec::new();
        if self.take("(") {
            loop {
                let name = self.upper("a parameter")?;
                self.expect("=")?;
                parameters.push(Parameter { name, default: self.expr()? });
                if !self.take(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(parameters)
    }

    fn process(&mut self, modes: Modes) -> Parsed<ProcessDef> {
        let name = self.upper("the name of a process")?;
        let parameters = self.parameters()?;
        self.expect("=")?;
        let body = self.body()?;
        let mut locals = vec![Local { name: name.clone(), indices: Vec::new(), body }];
        while self.take(",") {
            let name = self.upper("the name of a local process")?;
            let indices = self.indices()?;
            self.expect("=")?;
            locals.push(Local { name, indices, body: self.body()? });
        }
        let extension = if self.take("+") { Some(self.set()?) } else { None };
        let relabels = if self.take("/") { self.relabels()? } else { Vec::new() };
        let hiding = self.hiding()?;
        self.expect(".")?;
        Ok(ProcessDef { name, modes, parameters, locals, extension, relabels, hiding })
    }

    pub(crate) fn hiding(&mut self) -> Parsed<Option<Hiding>> {
        let shows = self.is("@");
        if self.take("@") || self.take("\\") {
            return Ok(Some(Hiding { shows, set: self.set()? }));
        }
        Ok(None)
    }

    fn body(&mut self) -> Parsed<Body> {
        self.deeper(|parser| {
            if parser.take("(") {
                let mut choices = vec![parser.choice()?];
                while parser.take("|") {
                    choices.push(parser.choice()?);
                }
                parser.expect(")")?;
                return Ok(Body::Choice(choices));
            }
            if parser.take_word("if") {
                let condition = parser.expr()?;
                parser.expect_word("then")?;
                let yes = parser.body()?;
                let no = if parser.take_word("else") { Some(parser.body()?) } else { None };
                return Ok(Body::If(condition, Box::new(yes), no.map(Box::new)));
            }
            parser.reference()
        })
    }

    /// A reference, or a sequence of processes that ends in one.
    fn reference(&mut self) -> Parsed<Body> {
        for (word, body) in [("STOP", Body::Stop), ("END", Body::End), ("ERROR", Body::Error)] {
            if self.take_word(word) {
                return Ok(body);
            }
        }
        let name = self.upper("a process")?;
        let arguments = self.arguments()?;
        if self.take(";") {
            let rest = self.body()?;
            let arguments = arguments.unwrap_or_default();
            return Ok(Body::Sequence(name, arguments, Box::new(rest)));
        }
        if arguments.is_some() {
            return self.fail("`;`: a process with arguments is followed by what comes after it");
        }
        Ok(Body::Reference(name, self.indices()?))
    }

    pub(crate) fn arguments(&mut self) -> Parsed<Option<Vec<Expr>>> {
        if !self.take("(") {
            return Ok(None);
        }
        let mut arguments = vec![self.expr()?];
        while self.take(",") {
            arguments.push(self.expr()?);
        }
        self.expect(")")?;
        Ok(Some(arguments))
    }

    fn choice(&mut self) -> Parsed<Choice> {
        let guard = if self.take_word("when") { Some(self.expr()?) } else { None };
        let mut prefixes = vec![self.labels()?];
        self.expect("->")?;
        while self.at_labels() {
            prefixes.push(self.labels()?);
            self.expect("->")?;
        }
        Ok(Choice { guard, prefixes, body: self.body()? })
    }

    /// Whether labels come next, not a process. A capital name is a set if a
    /// label can go on after it.
    fn at_labels(&self) -> bool {
        match self.peek() {
            Token::Lower(_) => true,
            Token::Sign(sign) => *sign == "{" || *sign == "[",
            Token::Upper(_) => match self.ahead(1) {
                Token::Sign("->") => true,
                Token::Sign(".") => {
                    matches!(self.ahead(2), Token::Lower(_) | Token::Sign("{" | "["))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// An expression in postfix order.
    pub(crate) fn expr(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut steps = Vec::new();
        self.operators(0, &mut steps)?;
        Ok(Expr { steps, span: start.to(self.last_span()) })
    }

    fn operators(&mut self, level: usize, steps: &mut Vec<Step>) -> Parsed<()> {
        const LEVELS: &[&[&str]] = &[
            &["||"],
            &["&&"],
            &["|"],
            &["^"],
            &["&"],
            &["==", "!="],
            &["<", "<=", ">", ">="],
            &["<<", ">>"],
            &["+", "-"],
            &["*", "/", "%"],
        ];
        let Some(signs) = LEVELS.get(level) else { return self.operand(steps) };
        self.operators(level + 1, steps)?;
        while let Some(sign) = signs.iter().find(|sign| self.is(sign)) {
            self.advance();
            self.operators(level + 1, steps)?;
            steps.push(Step::Binary(sign));
        }
        Ok(())
    }

    fn operand(&mut self, steps: &mut Vec<Step>) -> Parsed<()> {
        let span = self.span();
        match self.peek().clone() {
            Token::Number(value) => {
                self.advance();
                steps.push(Step::Number(value));
            }
            Token::Upper(name) | Token::Lower(name) => {
                self.advance();
                steps.push(Step::Name(name, span));
            }
            Token::Sign("(") => {
                self.advance();
                self.deeper(|parser| parser.operators(0, steps))?;
                self.expect(")")?;
            }
            Token::Sign(sign @ ("!" | "-" | "+")) => {
                self.advance();
                self.deeper(|parser| parser.operand(steps))?;
                steps.push(Step::Unary(sign));
            }
            Token::Sign("'") => {
                self.advance();
                let labels = self.labels()?;
                steps.push(Step::Label(Rc::new(labels)));
            }
            Token::Sign("#") => {
                self.advance();
                let set = self.set()?;
                steps.push(Step::Size(Rc::new(set)));
            }
            Token::Sign("@") => {
                self.advance();
                self.expect("(")?;
                let set = self.set()?;
                self.expect(",")?;
                self.deeper(|parser| parser.operators(0, steps))?;
                self.expect(")")?;
                steps.push(Step::Element(Rc::new(set)));
            }
            _ => return self.fail("an expression"),
        }
        Ok(())
    }
}
