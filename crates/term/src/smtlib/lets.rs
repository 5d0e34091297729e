//! The outermost `let`s of a term, read on their own.
//!
//! Who must see how a formula is written, before constructors normalise it,
//! reads the `let`s around it first and then the parts of its body: whether an
//! assertion is an implication, say, and what its conclusion is.

use crate::smtlib::read::{Bound, Reader};
use crate::{ReadError, Sexpr, Sexprs, Term, TermStore};
use rustc_hash::FxHashMap;

/// The `let`s around a term and what is inside them.
#[derive(Clone, Debug)]
pub struct Lets<'a> {
    all: &'a Sexprs<'a>,
    bound: Bound<'a>,
    /// Where a name is bound; `None` if it is bound more than once.
    definitions: FxHashMap<&'a str, Option<Sexpr<'a>>>,
    body: Sexpr<'a>,
}

impl<'a> Lets<'a> {
    /// The term inside, which is no `let`.
    pub fn body(&self) -> Sexpr<'a> {
        self.body
    }

    /// The text that a symbol stands for, if one `let` alone binds it. All that
    /// the text mentions means here what it means there.
    pub fn definition(&self, symbol: Sexpr<'a>) -> Option<Sexpr<'a>> {
        // A name that is bound twice makes every other text ambiguous.
        if self.definitions.values().any(Option::is_none) {
            return None;
        }
        self.definitions.get(symbol.symbol()?).copied().flatten()
    }
}

impl TermStore {
    /// Reads the `let`s around a term.
    pub fn read_smtlib_lets<'a>(
        &mut self,
        all: &'a Sexprs<'a>,
        root: Sexpr<'a>,
        scope: &dyn Fn(&str) -> Option<Term>,
    ) -> Result<Lets<'a>, ReadError> {
        let mut reader = Reader::new(self, all, scope, Bound::default());
        let mut definitions = FxHashMap::default();
        let mut body = root;
        loop {
            let mut parts = body.elements();
            let head = parts.next().and_then(Sexpr::symbol);
            match (head, parts.next(), parts.next(), parts.next()) {
                (Some("let"), Some(list), Some(inner), None) => {
                    let mut terms = Vec::new();
                    for binding in list.elements() {
                        let mut pair = binding.elements();
                        let (name, text) = (pair.next().and_then(Sexpr::symbol), pair.next());
                        let (Some(name), Some(text), None) = (name, text, pair.next()) else {
                            return reader.fail(binding, "a binding is `(name term)`");
                        };
                        terms.push((name, text, reader.read(text)?));
                    }
                    for (name, text, term) in terms {
                        reader.bound.entry(name).or_default().push(term);
                        let again = definitions.insert(name, Some(text)).is_some();
                        if again {
                            definitions.insert(name, None);
                        }
                    }
                    body = inner;
                }
                (Some("!"), Some(inner), ..) => body = inner,
                _ => return Ok(Lets { all, bound: reader.bound, definitions, body }),
            }
        }
    }

    /// Reads a term inside of `lets`.
    pub fn read_smtlib_within<'a>(
        &mut self,
        lets: &mut Lets<'a>,
        item: Sexpr<'a>,
        scope: &dyn Fn(&str) -> Option<Term>,
    ) -> Result<Term, ReadError> {
        let bound = std::mem::take(&mut lets.bound);
        let mut reader = Reader::new(self, lets.all, scope, bound);
        let result = reader.read(item);
        lets.bound = reader.bound;
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn the_body_is_read_in_parts() {
        let s = &mut TermStore::new();
        let x = s.var("x", Sort::Int);
        let scope = |name: &str| (name == "x").then_some(x);
        let text = "(let ((a (+ x 1))) (! (let ((b (=> (< a 3) (< x 2)))) b) :named top))";
        let all = Sexprs::read(text).expect("well formed");
        let root = all.iter().next().expect("one term");
        let mut lets = s.read_smtlib_lets(&all, root, &scope).expect("readable");
        let body = lets.definition(lets.body()).expect("bound once");
        let parts: Vec<_> = body.elements().collect();
        assert_eq!(parts[0].symbol(), Some("=>"));
        let premise = s.read_smtlib_within(&mut lets, parts[1], &scope).expect("readable");
        let two = s.int(2);
        assert_eq!(premise, s.lt(x, two));
    }

    #[test]
    fn a_name_bound_twice_defines_nothing() {
        let s = &mut TermStore::new();
        let all = Sexprs::read("(let ((a true)) (let ((b a) (a false)) b))").expect("well formed");
        let root = all.iter().next().expect("one term");
        let lets = s.read_smtlib_lets(&all, root, &|_| None).expect("readable");
        assert!(lets.definition(lets.body()).is_none());
    }
}
