//! Systems from SMT-LIB text of the logic `HORN`, the format of CHC-COMP.
//!
//! An assertion is read as one formula in which each applied predicate is a
//! truth value of its own. What makes the formula false is a conjunction, or a
//! few of them: predicates that hold, a constraint, and at most one predicate
//! that does not. Each is a clause. So `=>`, `or`, `not` and `let` may be
//! written in any way that means clauses.
//!
//! Refused with its place is what terms do not have: quantifiers inside of
//! formulas, data types, functions, and division by what is not a constant
//! (SMT-LIB leaves open what it is for zero).

use crate::{Applied, Clause, Predicate, System};
use parallax_base::{Id, IdVec};
use parallax_term::{Node, ReadError, Sexpr, Sexprs, Sort, Term, TermStore, smtlib_name};
use std::collections::{BTreeMap, BTreeSet};

/// Clauses that one assertion may stand for.
const SPLITS: usize = 256;

impl System {
    /// Whether a text says that it is of the logic `HORN`.
    pub fn is_horn(text: &str) -> bool {
        let Ok(all) = Sexprs::read(text) else { return false };
        let logic = |command: Sexpr<'_>| {
            let mut words = command.elements().take(2).map(Sexpr::symbol);
            words.next() == Some(Some("set-logic")) && words.next() == Some(Some("HORN"))
        };
        all.iter().any(logic)
    }

    /// Reads a whole text.
    ///
    /// # Errors
    /// The first thing that makes no sense, or is not supported.
    pub fn read(text: &str) -> Result<System, ReadError> {
        let all = Sexprs::read(text)?;
        let store = TermStore::new();
        let system = System { store, predicates: IdVec::default(), clauses: Vec::new() };
        let mut mark = String::from("?m");
        while text.contains(&mark) {
            mark.push('m');
        }
        let mut reader = Reader {
            text,
            system,
            names: BTreeMap::new(),
            written: BTreeMap::new(),
            mark,
            marks: 0,
        };
        for command in all.iter() {
            let mut parts = command.elements();
            let name = parts.next().and_then(Sexpr::symbol);
            let rest: Vec<Sexpr<'_>> = parts.collect();
            match (name, rest.as_slice()) {
                (Some("exit"), _) => break,
                (
                    Some(
                        "set-logic" | "set-info" | "set-option" | "check-sat" | "get-model"
                        | "get-proof" | "get-info" | "echo",
                    ),
                    _,
                ) => {}
                (Some("declare-fun"), [name, sorts, range]) => {
                    reader.declare(command, *name, sorts.elements(), *range)?;
                }
                (Some("declare-const"), [name, range]) => {
                    reader.declare(command, *name, std::iter::empty(), *range)?;
                }
                (Some("assert"), [formula]) => reader.assertion(*formula)?,
                _ => return reader.fail(command, "this command is not for Horn clauses"),
            }
        }
        Ok(reader.system)
    }
}

struct Reader<'a> {
    text: &'a str,
    system: System,
    /// Predicates by their symbols as written, bars aside: `%false` is a name
    /// that `false` is not.
    names: BTreeMap<&'a str, Id<Predicate>>,
    /// How the bound symbols of an assertion are written, by name.
    written: BTreeMap<String, &'a str>,
    /// How symbols begin that stand for applied predicates; the text has none.
    mark: String,
    marks: usize,
}

impl<'a> Reader<'a> {
    fn fail<T>(&self, at: Sexpr<'_>, message: impl Into<String>) -> Result<T, ReadError> {
        Err(ReadError::new(self.text, at.offset(), message))
    }

    fn declare(
        &mut self,
        command: Sexpr<'a>,
        name: Sexpr<'a>,
        sorts: impl Iterator<Item = Sexpr<'a>>,
        range: Sexpr<'a>,
    ) -> Result<(), ReadError> {
        let Some(symbol) = name.symbol().filter(|s| !matches!(*s, "true" | "false")) else {
            return self.fail(name, "a name is expected");
        };
        let name = smtlib_name(symbol);
        if self.system.predicate(&name).is_some() {
            return self.fail(command, "this, or what cannot be told from it, is declared already");
        }
        if range.symbol() != Some("Bool") {
            return self.fail(range, "only predicates are declared in Horn clauses");
        }
        let mut parameters = Vec::new();
        for (number, sort) in sorts.enumerate() {
            let Some(sort) = Sort::from_smtlib(sort.text()) else {
                return self.fail(sort, "an unknown sort");
            };
            parameters.push(self.system.store.fresh(&format!("{name}.{number}"), sort));
        }
        let predicate = Predicate { name: name.as_str().into(), parameters };
        let id = self.system.predicates.push(predicate);
        self.names.insert(symbol, id);
        Ok(())
    }

    fn assertion(&mut self, formula: Sexpr<'a>) -> Result<(), ReadError> {
        self.written.clear();
        let (mut body, mut bound, mut is_negated) = (formula, BTreeMap::new(), false);
        loop {
            let parts: Vec<Sexpr<'a>> = body.elements().collect();
            let head = parts.first().and_then(|head| head.symbol());
            match (head, parts.get(1), parts.get(2)) {
                (Some("forall"), Some(list), Some(inner)) if !is_negated => {
                    self.bind(*list, &mut bound)?;
                    body = *inner;
                }
                (Some("exists"), Some(list), Some(inner)) if is_negated => {
                    self.bind(*list, &mut bound)?;
                    body = *inner;
                }
                (Some("not"), Some(inner), None) => {
                    is_negated = !is_negated;
                    body = *inner;
                }
                (Some("!"), Some(inner), _) => body = *inner,
                _ => break,
            }
        }
        let (text, applied) = self.marked(body, &bound)?;
        let marks: BTreeMap<String, Term> = applied
            .keys()
            .filter_map(|mark| Some((self.system.store.name(*mark)?.to_string(), *mark)))
            .collect();
        let scope = |name: &str| marks.get(name).copied().or_else(|| bound.get(name).copied());
        let read = self.system.store.read_smtlib_term(&text, &scope);
        let read = read.or_else(|error| self.fail(body, format!("in this: {}", error.message)))?;
        let store = &mut self.system.store;
        if store.sort(read) != Sort::Bool {
            return self.fail(body, "an assertion is a formula");
        }
        let falsified = if is_negated { read } else { store.not(read) };
        let mut open = vec![falsified];
        let mut made = 0;
        while let Some(formula) = open.pop() {
            made += 1;
            if made > SPLITS {
                return self.fail(body, "this stands for too many clauses");
            }
            match self.split(formula, &applied) {
                Split::Never => {}
                Split::Into(parts) => open.extend(parts.into_iter().rev()),
                Split::Clause(clause) => {
                    if self.divides(&clause) {
                        return self.fail(body, "division by what is not a constant");
                    }
                    self.system.clauses.push(clause);
                }
                Split::Strange => return self.fail(body, "this is no Horn clause"),
            }
        }
        Ok(())
    }

    fn bind(
        &mut self,
        list: Sexpr<'a>,
        bound: &mut BTreeMap<String, Term>,
    ) -> Result<(), ReadError> {
        for pair in list.elements() {
            let parts: Vec<Sexpr<'a>> = pair.elements().collect();
            let [name, sort] = parts.as_slice() else {
                return self.fail(pair, "a bound symbol is `(name sort)`");
            };
            let (Some(name), Some(sort)) = (name.symbol(), Sort::from_smtlib(sort.text())) else {
                return self.fail(pair, "a name and a known sort are expected");
            };
            if self.names.contains_key(name) {
                return self.fail(pair, "a symbol with the name of a predicate");
            }
            let plain = smtlib_name(name);
            if self.written.insert(plain.clone(), name).is_some_and(|before| before != name) {
                return self.fail(pair, "symbols that cannot be told apart");
            }
            let symbol = self.system.store.var(&plain, sort);
            bound.insert(plain, symbol);
        }
        Ok(())
    }

    /// The text with a symbol in the place of each applied predicate.
    fn marked(
        &mut self,
        body: Sexpr<'a>,
        bound: &BTreeMap<String, Term>,
    ) -> Result<(String, BTreeMap<Term, Applied>), ReadError> {
        let mut found: Vec<(Sexpr<'a>, Id<Predicate>, Vec<Sexpr<'a>>)> = Vec::new();
        let mut stack = vec![body];
        while let Some(item) = stack.pop() {
            let head = if item.is_list() { item.elements().next() } else { Some(item) };
            let name = head.and_then(Sexpr::symbol);
            match name.and_then(|name| self.names.get(name).copied()) {
                Some(id) => found.push((item, id, item.elements().skip(1).collect())),
                None => stack.extend(item.elements()),
            }
        }
        found.sort_by_key(|(item, ..)| item.offset());
        let (mut text, mut at) = (String::new(), body.offset());
        let mut applied = BTreeMap::new();
        for (item, predicate, arguments) in found {
            let scope = |name: &str| bound.get(name).copied();
            let mut terms = Vec::new();
            for argument in &arguments {
                let term = self.system.store.read_smtlib_term(argument.text(), &scope);
                let term = term.or_else(|e| self.fail(*argument, e.message))?;
                terms.push(term);
            }
            let expected = &self.system.predicates[predicate].parameters;
            let store = &self.system.store;
            let sorts = |terms: &[Term]| terms.iter().map(|t| store.sort(*t)).collect::<Vec<_>>();
            if sorts(&terms) != sorts(expected) {
                return self.fail(item, "the arguments do not fit the declaration");
            }
            let name = format!("{}{}", self.mark, self.marks);
            self.marks += 1;
            let mark = self.system.store.var(&name, Sort::Bool);
            applied.insert(mark, Applied { predicate, arguments: terms });
            text.push_str(&self.text[at..item.offset()]);
            text.push_str(&name);
            at = item.offset() + item.text().len();
        }
        text.push_str(&self.text[at..body.offset() + body.text().len()]);
        Ok((text, applied))
    }

    /// What a way to falsify an assertion is.
    fn split(&mut self, formula: Term, applied: &BTreeMap<Term, Applied>) -> Split {
        let store = &mut self.system.store;
        if store.is_false(formula) {
            return Split::Never;
        }
        let parts = conjuncts(store, formula);
        let (mut body, mut head, mut rest) = (Vec::new(), None, Vec::new());
        for (index, &part) in parts.iter().enumerate() {
            let (atom, positive) = store.literal(part);
            match applied.get(&atom) {
                Some(it) if positive => body.push((atom, it.clone())),
                Some(it) if head.is_none() => head = Some(it.clone()),
                Some(_) => return Split::Strange,
                None if !store.vars(part).iter().any(|v| applied.contains_key(v)) => {
                    rest.push(part)
                }
                None => {
                    let denied = store.not(part);
                    let choices = conjuncts(store, denied);
                    if choices.len() < 2 {
                        return Split::Strange;
                    }
                    let mut others = parts.clone();
                    others.remove(index);
                    let with = |denied: Term| {
                        let choice = store.not(denied);
                        store.and(others.iter().copied().chain([choice]).collect::<Vec<_>>())
                    };
                    return Split::Into(choices.into_iter().map(with).collect());
                }
            }
        }
        // In the order in which they are written.
        body.sort_by_key(|(mark, _)| *mark);
        let body = body.into_iter().map(|(_, applied)| applied).collect();
        Split::Clause(Clause { body, head, constraint: store.and(rest) })
    }

    fn divides(&self, clause: &Clause) -> bool {
        let applied = clause.body.iter().chain(&clause.head).flat_map(|a| &a.arguments);
        let roots: BTreeSet<Term> = applied.chain([&clause.constraint]).copied().collect();
        let roots: Vec<Term> = roots.into_iter().collect();
        let store = &self.system.store;
        store.subterms(&roots).into_iter().any(|term| match store.node(term) {
            Node::Div(_, by) | Node::Mod(_, by) => {
                store.int_value(*by).is_none_or(parallax_term::Int::is_zero)
            }
            _ => false,
        })
    }
}

/// The parts of a conjunction, however its negations are written.
fn conjuncts(store: &mut TermStore, formula: Term) -> Vec<Term> {
    let (mut open, mut parts) = (vec![formula], Vec::new());
    while let Some(formula) = open.pop() {
        let denied = store.not(formula);
        match (store.node(formula), store.node(denied)) {
            (Node::And(items), _) => open.extend(items.iter().copied().rev()),
            (_, Node::Or(items)) => {
                let items = items.to_vec();
                open.extend(items.into_iter().rev().map(|item| store.not(item)));
            }
            _ => parts.push(formula),
        }
    }
    parts
}

enum Split {
    /// It cannot be falsified like this.
    Never,
    /// In one of several ways.
    Into(Vec<Term>),
    Clause(Clause),
    Strange,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(assertions: &str, expected: &str) {
        let declared = "(set-logic HORN)(declare-fun P (Int Int) Bool)(declare-fun Q (Int) Bool)";
        let text = format!("{declared}{assertions}(check-sat)");
        let said = match System::read(&text) {
            Ok(system) => {
                let all = system.smtlib();
                all.lines().filter(|l| l.starts_with("(assert")).collect::<Vec<_>>().join("\n")
            }
            Err(error) => error.message,
        };
        assert_eq!(said, expected, "{assertions}");
    }

    #[test]
    fn clauses_in_many_spellings() {
        let step = "(assert (forall ((x Int) (y Int)) (=> (and (P x y) (<= x 2)) (P (+ x 1) y))))";
        check(step, step);
        check(
            "(assert (forall ((x Int)) (forall ((y Int)) (or (not (P x y)) (> x 2) \
             (P (+ x 1) y)))))",
            step,
        );
        check(
            "(assert (forall ((x Int) (y Int)) (let ((a (<= x 2))) (! (=> (P x y) (=> a \
             (P (+ x 1) y))) :named s))))",
            step,
        );
        check(
            "(assert (not (exists ((x Int)) (and (Q x) (< x 0)))))",
            "(assert (forall ((x Int)) (=> (and (Q x) (<= x (- 1))) false)))",
        );
        check("(assert (Q 7))", "(assert (=> true (Q 7)))");
        check(
            "(assert (forall ((x Int)) (=> (or (Q x) (P x 1)) (Q (+ x 1)))))",
            "(assert (forall ((x Int)) (=> (Q x) (Q (+ x 1)))))\n\
             (assert (forall ((x Int)) (=> (P x 1) (Q (+ x 1)))))",
        );
    }

    #[test]
    fn what_is_no_clause_is_refused() {
        check("(assert (forall ((x Int)) (or (Q x) (P x x))))", "this is no Horn clause");
        check("(assert (Q 1 2))", "the arguments do not fit the declaration");
        check("(assert (forall ((x Int)) (=> (Q x) (R x))))", "in this: `R` is no known function");
        check(
            "(assert (forall ((x Int) (y Int)) (=> (P x y) (Q (div x y)))))",
            "division by what is not a constant",
        );
        check("(declare-fun f (Int) Int)", "only predicates are declared in Horn clauses");
        check("(push 1)", "this command is not for Horn clauses");
        check(
            "(declare-fun z () Bool)(assert (forall ((z Bool)) (=> z false)))",
            "a symbol with the name of a predicate",
        );
        check(
            "(assert (forall ((%x Int) (x Int)) (=> (P x %x) false)))",
            "symbols that cannot be told apart",
        );
        check("(declare-fun false () Bool)", "a name is expected");
    }

    #[test]
    fn names_are_not_mistaken_for_what_they_look_like() {
        let text = "(declare-fun %false () Bool)(assert (=> %false false))(assert %false)";
        let system = System::read(text).expect("well formed");
        let heads: Vec<bool> = system.clauses.iter().map(|c| c.head.is_some()).collect();
        assert_eq!(heads, [false, true]);
        let text = "(declare-fun p (Int) Bool)(assert (forall ((?m0 Bool)) (=> ?m0 (p 1))))";
        let clause = &System::read(text).expect("well formed").clauses[0];
        assert_eq!((clause.body.len(), clause.head.is_some()), (0, true));
    }
}
