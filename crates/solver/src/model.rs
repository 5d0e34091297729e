//! Values for symbols, as a solver or an enumeration gives them.

use parallax_term::{Code, Node, Scratch, Term, TermStore, Value};
use std::collections::BTreeMap;

/// Values of some symbols; all others stand for the default of their sort.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    values: BTreeMap<Term, Value>,
}

impl Model {
    /// The value given to a symbol, if any.
    pub fn get(&self, symbol: Term) -> Option<&Value> {
        self.values.get(&symbol)
    }

    /// The value of a symbol, completed with the default of its sort.
    pub fn value_of(&self, store: &TermStore, symbol: Term) -> Value {
        self.get(symbol).cloned().unwrap_or_else(|| Value::default_of(store.sort(symbol)))
    }

    /// Gives a symbol a value.
    pub fn insert(&mut self, symbol: Term, value: Value) {
        self.values.insert(symbol, value);
    }

    /// The symbols with their values, oldest symbol first.
    pub fn iter(&self) -> impl Iterator<Item = (Term, &Value)> {
        self.values.iter().map(|(symbol, value)| (*symbol, value))
    }

    /// The values of some terms.
    pub fn eval_all(&self, store: &TermStore, terms: &[Term]) -> Vec<Value> {
        let symbols: Vec<Term> = self.values.keys().copied().collect();
        let state: Vec<Value> = self.values.values().cloned().collect();
        let code = Code::compile(store, terms, |symbol| symbols.binary_search(&symbol).ok());
        let scratch = &mut Scratch::default();
        code.run(&state, scratch);
        (0..terms.len()).map(|i| code.output(i, scratch).clone()).collect()
    }

    /// The value of a term.
    pub fn eval(&self, store: &TermStore, term: Term) -> Value {
        match store.node(term) {
            Node::Var(..) => self.value_of(store, term),
            _ => self.eval_all(store, &[term]).swap_remove(0),
        }
    }

    /// Whether a formula is true.
    pub fn satisfies(&self, store: &TermStore, formula: Term) -> bool {
        self.eval(store, formula) == Value::Bool(true)
    }

    /// The values as a conjunction of equations.
    pub fn formula(&self, store: &mut TermStore) -> Term {
        let mut equations = Vec::with_capacity(self.values.len());
        for (&symbol, value) in &self.values {
            let value = store.constant(value.clone());
            equations.push(store.eq(symbol, value));
        }
        store.and(equations)
    }
}

impl FromIterator<(Term, Value)> for Model {
    fn from_iter<I: IntoIterator<Item = (Term, Value)>>(iter: I) -> Model {
        Model { values: iter.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_term::Sort;

    #[test]
    fn open_symbols_read_as_defaults() {
        let s = &mut TermStore::new();
        let (x, y) = (s.var("x", Sort::Int), s.var("y", Sort::Int));
        let model: Model = [(x, Value::int(3))].into_iter().collect();
        let sum = s.add(x, y);
        assert_eq!(model.eval(s, sum), Value::int(3));
        assert_eq!(model.value_of(s, y), Value::int(0));
        let formula = model.formula(s);
        assert!(model.satisfies(s, formula));
    }
}
