//! The parser: compositions and progress properties.

use crate::ast::{CBody, CInner, CompositeDef, Item, Modes, ProgressDef};
use crate::lex::Token;
use crate::parse::{Parsed, Parser};

impl Parser<'_> {
    /// After `||`.
    pub(crate) fn composite(&mut self, modes: Modes) -> Parsed<CompositeDef> {
        let name = self.upper("the name of a composition")?;
        let parameters = self.parameters()?;
        self.expect("=")?;
        let body = self.composite_body()?;
        let high = self.is("<<");
        let priority =
            if self.take("<<") || self.take(">>") { Some((high, self.set()?)) } else { None };
        let hiding = self.hiding()?;
        self.expect(".")?;
        Ok(CompositeDef { name, modes, parameters, body, priority, hiding })
    }

    fn composite_body(&mut self) -> Parsed<CBody> {
        self.deeper(|parser| {
            if parser.take_word("if") {
                let condition = parser.expr()?;
                if !parser.take_word("then") {
                    return parser.fail("`then`");
                }
                let yes = parser.composite_body()?;
                let no =
                    if parser.take_word("else") { Some(parser.composite_body()?) } else { None };
                return Ok(CBody::If(condition, Box::new(yes), no.map(Box::new)));
            }
            if parser.take_word("forall") {
                let indices = parser.indices()?;
                return Ok(CBody::Forall(indices, Box::new(parser.composite_body()?)));
            }
            parser.labelled()
        })
    }

    fn labelled(&mut self) -> Parsed<CBody> {
        let (mut share, mut label) = (None, None);
        while self.at_prefix() {
            let labels = self.labels()?;
            if share.is_none() && label.is_none() && self.take("::") {
                share = Some(labels);
            } else if label.is_none() {
                self.expect(":")?;
                label = Some(labels);
            } else {
                return self.fail("a process after its label");
            }
        }
        let inner = if self.take("(") {
            let mut parts = vec![self.composite_body()?];
            while self.take("||") {
                parts.push(self.composite_body()?);
            }
            self.expect(")")?;
            CInner::Parallel(parts)
        } else {
            let name = self.upper("a process")?;
            CInner::Reference(name, self.arguments()?.unwrap_or_default())
        };
        let relabels = if self.take("/") { self.relabels()? } else { Vec::new() };
        Ok(CBody::Labelled { share, label, inner, relabels })
    }

    /// Whether a label with a colon after it comes next.
    fn at_prefix(&self) -> bool {
        match self.peek() {
            Token::Lower(_) | Token::Sign("{" | "[") => true,
            Token::Upper(_) => match self.ahead(1) {
                Token::Sign(":" | "::" | "[") => true,
                Token::Sign(".") => {
                    matches!(self.ahead(2), Token::Lower(_) | Token::Sign("{" | "["))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// After `progress`.
    pub(crate) fn progress(&mut self) -> Parsed<Item> {
        let name = self.title("the name of a progress property")?;
        let indices = self.indices()?;
        self.expect("=")?;
        let mut condition = None;
        if self.take_word("if") {
            condition = Some(self.labels()?);
            if !self.take_word("then") {
                return self.fail("`then`");
            }
        }
        let actions = self.labels()?;
        Ok(Item::Progress(ProgressDef { name, indices, condition, actions }))
    }
}
