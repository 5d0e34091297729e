//! Negation normal form: negations stand before atoms only.

use crate::formula::{Formula, Node, Store, Sub};

impl Formula {
    /// The formula, or its negation, with negations before atoms only, in a
    /// store that holds nothing else.
    ///
    /// # Soundness
    /// The result has the same words. Each rule is a duality of the logic:
    /// `! X a` is `X ! a`, `! (a U b)` is `!a R !b`, and the other way round.
    pub fn normal_form(&self, negated: bool) -> (Store, Sub) {
        let mut out = Store::default();
        // For each part: itself and its negation.
        let none = (out.constant(true), out.constant(false));
        let mut forms = vec![none; self.store.len()];
        let parts = self.store.parts(self.root);
        for &part in &parts {
            let form = |f: Sub| forms[f.index()];
            let pair = match self.store.node(part) {
                Node::True => none,
                Node::False => (none.1, none.0),
                Node::Atom(atom) => {
                    let atom = out.atom(*atom);
                    (atom, out.not(atom))
                }
                Node::Not(f) => (form(*f).1, form(*f).0),
                Node::And(fs) => {
                    let yes = out.and(fs.iter().map(|f| form(*f).0));
                    (yes, out.or(fs.iter().map(|f| form(*f).1)))
                }
                Node::Or(fs) => {
                    let yes = out.or(fs.iter().map(|f| form(*f).0));
                    (yes, out.and(fs.iter().map(|f| form(*f).1)))
                }
                Node::Next(f) => (out.next(form(*f).0), out.next(form(*f).1)),
                Node::Until(a, b) => {
                    let (a, b) = (form(*a), form(*b));
                    (out.until(a.0, b.0), out.release(a.1, b.1))
                }
                Node::Release(a, b) => {
                    let (a, b) = (form(*a), form(*b));
                    (out.release(a.0, b.0), out.until(a.1, b.1))
                }
            };
            forms[part.index()] = pair;
        }
        let (yes, no) = forms[self.root.index()];
        (out, if negated { no } else { yes })
    }
}
