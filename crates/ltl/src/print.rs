//! Formulas as text, with the operators people know.

use crate::formula::{Formula, Node, Sub};
use crate::parser::parse;
use parallax_base::FileId;

/// Longer texts are cut: shared parts can make a small formula a long text.
const MAX_TEXT: usize = 10_000;

/// How tight the operator of a formula binds.
const ATOM: u8 = 6;
const PREFIX: u8 = 5;
const TEMPORAL: u8 = 4;
const AND: u8 = 3;
const OR: u8 = 2;

/// What is left to print.
enum Piece {
    Text(&'static str),
    /// A formula that binds at least as tight as this, or stands in brackets.
    Formula(Sub, u8),
}

/// A formula as it is shown.
enum Shown {
    Constant(bool),
    Atom(u32),
    Prefix(&'static str, Sub),
    Infix(Sub, &'static str, Sub),
    Join(&'static str, u8, Vec<Sub>),
}

impl Formula {
    /// The formula as text; read back, it is the same formula.
    pub fn show(&self) -> String {
        self.show_part(self.root)
    }

    /// A part of the formula as text.
    pub fn show_part(&self, part: Sub) -> String {
        let mut out = String::new();
        let mut pieces = vec![Piece::Formula(part, 0)];
        while let Some(piece) = pieces.pop() {
            if out.len() > MAX_TEXT {
                out.push_str(" ...");
                break;
            }
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Formula(f, level) => self.write(f, level, &mut out, &mut pieces),
            }
        }
        out
    }

    fn write(&self, f: Sub, level: u8, out: &mut String, pieces: &mut Vec<Piece>) {
        let shown = self.shown(f);
        let own = match &shown {
            Shown::Constant(_) | Shown::Atom(_) => ATOM,
            Shown::Prefix(..) => PREFIX,
            Shown::Infix(..) => TEMPORAL,
            Shown::Join(_, own, _) => *own,
        };
        let brackets = own < level;
        if brackets {
            out.push('(');
            pieces.push(Piece::Text(")"));
        }
        match shown {
            Shown::Constant(value) => out.push_str(if value { "true" } else { "false" }),
            Shown::Atom(atom) => out.push_str(&self.atom_text(atom)),
            Shown::Prefix(sign, operand) => {
                out.push_str(sign);
                pieces.push(Piece::Formula(operand, PREFIX));
            }
            Shown::Infix(a, sign, b) => {
                // Nested ones are easier to read in brackets, whatever the grouping.
                pieces.push(Piece::Formula(b, PREFIX));
                pieces.push(Piece::Text(sign));
                pieces.push(Piece::Formula(a, PREFIX));
            }
            Shown::Join(sign, _, parts) => {
                for (i, part) in parts.into_iter().enumerate().rev() {
                    pieces.push(Piece::Formula(part, PREFIX));
                    if i > 0 {
                        pieces.push(Piece::Text(sign));
                    }
                }
            }
        }
    }

    fn shown(&self, f: Sub) -> Shown {
        let store = &self.store;
        match store.node(f) {
            Node::True => Shown::Constant(true),
            Node::False => Shown::Constant(false),
            Node::Atom(atom) => Shown::Atom(*atom),
            Node::Not(g) => Shown::Prefix("!", *g),
            Node::And(parts) => Shown::Join(" && ", AND, parts.to_vec()),
            Node::Or(parts) => Shown::Join(" || ", OR, parts.to_vec()),
            Node::Next(g) => Shown::Prefix("X ", *g),
            Node::Until(a, b) if store.as_constant(*a) == Some(true) => Shown::Prefix("<> ", *b),
            Node::Until(a, b) => Shown::Infix(*a, " U ", *b),
            Node::Release(a, b) if store.as_constant(*a) == Some(false) => Shown::Prefix("[] ", *b),
            Node::Release(a, b) => match store.node(*b) {
                Node::Or(parts) if parts.len() == 2 && parts.contains(a) => {
                    let other = if parts[0] == *a { parts[1] } else { parts[0] };
                    Shown::Infix(other, " W ", *a)
                }
                _ => Shown::Infix(*a, " R ", *b),
            },
        }
    }

    /// An atom as it is written in a formula: names as they are, expressions
    /// in brackets, what would be read otherwise in quotes.
    fn atom_text(&self, atom: u32) -> String {
        let text = self.atoms.get(atom as usize).map_or("?", |a| a.text.as_str());
        let (read, diagnostics) = parse(FileId::default(), text);
        let alone = diagnostics.iter().next().is_none()
            && read.is_some_and(|f| {
                // `!!p` is read as the atom `p`.
                *f.store.node(f.root) == Node::Atom(0)
                    && f.atoms.len() == 1
                    && f.atoms[0].text == text
            });
        let path = text.chars().all(|c| c.is_ascii_alphanumeric() || "_@[].".contains(c));
        match alone {
            true if path => text.to_owned(),
            true => format!("({text})"),
            false => format!("\"{text}\""),
        }
    }
}
