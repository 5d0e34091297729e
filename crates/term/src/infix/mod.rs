//! Terms as people write them: infix, in the syntax of models.
//!
//! Comparisons are turned so that both sides have positive coefficients:
//! `x - y + 1 <= 0` is shown as `x < y`. Iterative, like every printer.

mod machine;

use crate::{Linear, Node, Op, Rat, Relation, Sort, Term, TermStore};
use std::fmt::Write;

/// Binding strength of the context a term stands in.
const LOOSE: u8 = 0;
const OR: u8 = 1;
const AND: u8 = 2;
pub(crate) const COMPARE: u8 = 3;
pub(crate) const SUM: u8 = 4;
pub(crate) const FACTOR: u8 = 5;
/// Tighter than every operator.
pub(crate) const TIGHT: u8 = u8::MAX;

pub(crate) enum Item {
    Text(String),
    Term(Term, u8),
}

impl TermStore {
    /// The term in infix notation.
    pub fn infix(&self, term: Term) -> String {
        let mut out = String::new();
        let mut stack = vec![Item::Term(term, LOOSE)];
        while let Some(item) = stack.pop() {
            match item {
                Item::Text(text) => out.push_str(&text),
                Item::Term(term, strength) => {
                    let mut parts = Vec::new();
                    self.parts(term, strength, &mut parts);
                    stack.extend(parts.into_iter().rev());
                }
            }
        }
        out
    }

    fn parts(&self, term: Term, strength: u8, parts: &mut Vec<Item>) {
        let own = match self.node(term) {
            Node::Or(_) => OR,
            Node::And(_) => AND,
            Node::Iff(..) | Node::Compare(..) => COMPARE,
            Node::Not(a) if self.is_relation(*a) => COMPARE,
            Node::Sum(_) => SUM,
            Node::Product(_) => FACTOR,
            Node::Div(..) | Node::Mod(..) => SUM,
            Node::Ite(..) => LOOSE,
            Node::Equal(..) => COMPARE,
            Node::Apply(op, arguments) => self.machine_strength(*op, arguments),
            _ => TIGHT,
        };
        let wrapped = own < strength;
        if wrapped {
            parts.push(Item::Text("(".into()));
        }
        match self.node(term) {
            Node::Value(value) => parts.push(Item::Text(value.to_string())),
            Node::Var(name, _) => parts.push(Item::Text(name.to_string())),
            Node::Not(a) => match self.node(*a) {
                Node::Compare(relation, linear) => self.comparison(*relation, linear, false, parts),
                Node::Iff(a, b) => joined(&[*a, *b], " != ", SUM, parts),
                Node::Equal(a, b) => joined(&[*a, *b], self.equality(*a, false), SUM, parts),
                Node::Apply(op, arguments) if self.is_relation(*a) => {
                    self.machine_parts(*op, arguments, false, parts);
                }
                _ => {
                    parts.push(Item::Text("!".into()));
                    parts.push(Item::Term(*a, TIGHT));
                }
            },
            Node::And(items) => joined(items, " && ", COMPARE, parts),
            Node::Or(items) => joined(items, " || ", AND, parts),
            Node::Iff(a, b) => joined(&[*a, *b], " == ", SUM, parts),
            Node::Equal(a, b) => joined(&[*a, *b], self.equality(*a, true), SUM, parts),
            Node::Apply(op, arguments) => self.machine_parts(*op, arguments, true, parts),
            Node::Product(items) => joined(items, " * ", FACTOR + 1, parts),
            Node::Div(a, b) => joined(&[*a, *b], " / ", FACTOR + 1, parts),
            Node::Mod(a, b) => joined(&[*a, *b], " % ", FACTOR + 1, parts),
            Node::ToReal(a) => parts.push(Item::Term(*a, strength)),
            Node::Ite(c, a, b) => {
                for (text, child) in [("if ", c), (" then ", a), (" else ", b)] {
                    parts.push(Item::Text(text.into()));
                    parts.push(Item::Term(*child, OR));
                }
            }
            Node::Sum(linear) => {
                side(linear.monomials().iter().cloned(), linear.constant_part(), parts)
            }
            Node::Compare(relation, linear) => self.comparison(*relation, linear, true, parts),
        }
        if wrapped {
            parts.push(Item::Text(")".into()));
        }
    }

    /// Whether the term is shown with a sign between two sides, which another
    /// sign can deny.
    fn is_relation(&self, term: Term) -> bool {
        match self.node(term) {
            Node::Compare(..) | Node::Iff(..) | Node::Equal(..) => true,
            Node::Apply(op, _) => matches!(op, Op::BvUlt | Op::BvSlt),
            _ => false,
        }
    }

    fn comparison(
        &self,
        relation: Relation,
        linear: &Linear,
        positive: bool,
        parts: &mut Vec<Item>,
    ) {
        let minus = Rat::from(-1);
        let (left, right): (Vec<_>, Vec<_>) =
            linear.monomials().iter().cloned().partition(|(_, c)| c.signum() > 0);
        let mut constant = -linear.constant_part();
        let mut sign = match (relation, positive) {
            (Relation::Le, true) => " <= ",
            (Relation::Le, false) => " > ",
            (Relation::Lt, true) => " < ",
            (Relation::Lt, false) => " >= ",
            (Relation::Eq, true) => " == ",
            (Relation::Eq, false) => " != ",
        };
        // Over the integers `x <= y - 1` reads better as `x < y`.
        if relation == Relation::Le && constant == minus && self.sort(left[0].0) == Sort::Int {
            sign = if positive { " < " } else { " >= " };
            constant = Rat::ZERO;
        }
        side(left.into_iter(), &Rat::ZERO, parts);
        parts.push(Item::Text(sign.into()));
        side(right.into_iter().map(|(t, c)| (t, -&c)), &constant, parts);
    }
}

pub(crate) fn joined(items: &[Term], separator: &str, strength: u8, parts: &mut Vec<Item>) {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            parts.push(Item::Text(separator.into()));
        }
        parts.push(Item::Term(*item, strength));
    }
}

/// A sum: monomials, then the constant unless it is zero and not alone.
fn side(monomials: impl Iterator<Item = (Term, Rat)>, constant: &Rat, parts: &mut Vec<Item>) {
    let mut first = true;
    for (term, c) in monomials {
        let mut lead = String::new();
        match (first, c.signum() < 0) {
            (true, true) => lead.push('-'),
            (true, false) => {}
            (false, true) => lead.push_str(" - "),
            (false, false) => lead.push_str(" + "),
        }
        let size = if c.signum() < 0 { -&c } else { c };
        if !size.is_one() {
            let _ = write!(lead, "{size} * ");
        }
        parts.push(Item::Text(lead));
        parts.push(Item::Term(term, FACTOR));
        first = false;
    }
    if first {
        parts.push(Item::Text(constant.to_string()));
    } else if constant.signum() < 0 {
        parts.push(Item::Text(format!(" - {}", -constant)));
    } else if constant.signum() > 0 {
        parts.push(Item::Text(format!(" + {constant}")));
    }
}

#[cfg(test)]
mod tests {
    use crate::{Rat, Sort, TermStore};

    #[test]
    fn formulas_read_like_a_model() {
        let s = &mut TermStore::new();
        let (x, y) = (s.var("x", Sort::Int), s.var("y", Sort::Int));
        let (one, two) = (s.int(1), s.int(2));
        let y_minus = s.sub(y, one);
        let le = s.le(x, y_minus);
        let ne = {
            let eq = s.eq(x, two);
            s.not(eq)
        };
        let both = s.and([le, ne]);
        let gt = s.gt(y, two);
        let either = s.or([both, gt]);
        let not = s.not(either);
        let twice = s.scale(&Rat::from(2), x);
        let product = s.mul(twice, y);
        assert_eq!(s.infix(le), "x < y");
        assert_eq!(s.infix(either), "x < y && x != 2 || y > 2");
        assert_eq!(s.infix(not), "!(x < y && x != 2 || y > 2)");
        assert_eq!(s.infix(product), "2 * x * y");
    }
}
