//! Formulas and values as the user wrote them: locations and enumeration
//! constants by name.
//!
//! In a program the location of a process is a number in a control variable,
//! and an enumeration constant is its index. Here `pc_P == 2` reads
//! `P@critical` again, and `phase != 1` reads `phase != busy`.

use std::collections::{BTreeMap, BTreeSet};

use parallax_base::Id;
use parallax_ir::{Domain, Edge, Input, Process, Program, Role, Variable};
use parallax_term::{Int, Node, Relation, Sort, Substitution, Term, TermStore, Value};

use crate::escape::visible;

/// A formula is written out as a tree; one with more nodes than this is not.
const MAX_NODES: u64 = 20_000;

/// Prints terms of one store with the names of one program.
pub struct Printer<'a> {
    program: &'a Program,
    store: TermStore,
    /// Variables that are not shown as numbers, by their symbol.
    named: BTreeMap<Term, Id<Variable>>,
    /// The names of all variables, and the local ones of each process.
    taken: BTreeSet<&'a str>,
    locals: BTreeMap<Id<Process>, Vec<Id<Variable>>>,
    /// Variables with a shorter name in the process that is being shown.
    short: BTreeMap<Id<Variable>, Term>,
}

impl<'a> Printer<'a> {
    /// A printer for terms of `store`, which is the program's or a fork of it.
    pub fn new(program: &'a Program, store: &TermStore) -> Printer<'a> {
        let named = program.variables.iter_enumerated().filter(|(_, v)| {
            matches!(v.role, Role::Control(_)) || matches!(v.domain, Domain::Enum(_))
        });
        let named = named.map(|(id, v)| (v.term, id)).collect();
        let mut locals: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (id, variable) in program.variables.iter_enumerated() {
            if let Role::Local(process) = variable.role {
                locals.entry(process).or_default().push(id);
            }
        }
        let taken = program.variables.iter().map(|v| &*v.name).collect();
        Printer { program, store: store.clone(), named, taken, locals, short: BTreeMap::new() }
    }

    /// The local variables of a process, in order.
    pub fn locals(&self, process: Id<Process>) -> &[Id<Variable>] {
        self.locals.get(&process).map_or(&[], Vec::as_slice)
    }

    /// From now on, the local variables of a process are shown without its
    /// name before them, unless another variable has that name.
    pub fn enter(&mut self, process: Id<Process>) {
        self.short.clear();
        let prefix = format!("{}.", self.program.processes[process].name);
        for &id in self.locals.get(&process).into_iter().flatten() {
            let variable = &self.program.variables[id];
            let short = variable.name.strip_prefix(&prefix).filter(|s| !self.taken.contains(s));
            if let Some(short) = short {
                self.short.insert(id, self.store.var(short, variable.domain.sort()));
            }
        }
    }

    /// The name of a variable where we are.
    pub fn name(&self, variable: Id<Variable>) -> String {
        let short = self.short.get(&variable).and_then(|&t| self.store.name(t));
        visible(short.unwrap_or(&self.program.variables[variable].name)).into_owned()
    }

    /// A formula or a number in infix notation.
    pub fn term(&mut self, term: Term) -> String {
        match self.too_large(term) {
            Some(text) => text,
            None => {
                let renamed = self.with_names(term);
                visible(&self.store.infix(renamed)).into_owned()
            }
        }
    }

    /// The negation of a formula.
    pub fn negation(&mut self, term: Term) -> String {
        let negated = self.store.not(term);
        self.term(negated)
    }

    /// The parts of a conjunction, locations first; none for `true`.
    pub fn conjuncts(&mut self, term: Term) -> Vec<String> {
        if self.store.is_true(term) {
            return Vec::new();
        }
        let parts: Vec<Term> = match self.store.node(term) {
            Node::And(items) => items.to_vec(),
            _ => vec![term],
        };
        let (places, rest): (Vec<Term>, Vec<Term>) =
            parts.into_iter().partition(|&t| self.is_place(t));
        // A disjunction among conjuncts needs its parentheses.
        let several = places.len() + rest.len() > 1;
        let mut shown = Vec::new();
        for part in places.into_iter().chain(rest) {
            let text = self.term(part);
            let loose = matches!(self.store.node(part), Node::Or(_));
            shown.push(if several && loose { format!("({text})") } else { text });
        }
        shown
    }

    /// A conjunction on one line, locations first.
    pub fn conjunction(&mut self, term: Term) -> String {
        let parts = self.conjuncts(term);
        if parts.is_empty() { String::from("true") } else { parts.join(" && ") }
    }

    /// What is assigned to a variable: constants of its enumeration by name.
    pub fn value_for(&mut self, variable: Id<Variable>, term: Term) -> String {
        let domain = &self.program.variables[variable].domain;
        let Domain::Enum(names) = domain else { return self.term(term) };
        if let Some(value) = self.store.value(term) {
            return visible(&domain.show(value)).into_owned();
        }
        if let Some(text) = self.too_large(term) {
            return text;
        }
        // Constants in the branches of conditionals, not in the conditions.
        let renamed = self.with_names(term);
        let mut branches = vec![renamed];
        let mut constants: BTreeMap<Term, Term> = BTreeMap::new();
        let mut conditionals = Vec::new();
        while let Some(branch) = branches.pop() {
            match self.store.node(branch).clone() {
                Node::Ite(_, yes, no) => {
                    branches.extend([no, yes]);
                    conditionals.push(branch);
                }
                Node::Value(Value::Int(i)) => {
                    let name = i.to_i64().and_then(|i| names.get(usize::try_from(i).ok()?));
                    if let Some(name) = name {
                        constants.insert(branch, self.store.var(name, Sort::Int));
                    }
                }
                _ => {}
            }
        }
        // Children are older than parents, so this goes from the inside out.
        conditionals.sort_unstable();
        for conditional in conditionals {
            if let Node::Ite(condition, yes, no) = *self.store.node(conditional) {
                let to = |t: Term| constants.get(&t).copied().unwrap_or(t);
                let rebuilt = self.store.ite(condition, to(yes), to(no));
                constants.insert(conditional, rebuilt);
            }
        }
        let shown = constants.get(&renamed).copied().unwrap_or(renamed);
        visible(&self.store.infix(shown)).into_owned()
    }

    /// The updates of an edge, one `x := e` each; inputs read `any` or, where
    /// they are part of an expression, `x?`.
    pub fn updates(&mut self, edge: &Edge) -> Vec<String> {
        let mut shown: Vec<String> = Vec::new();
        let mut marks = Vec::new();
        for (i, input) in edge.inputs.iter().enumerate() {
            let direct = edge.updates.iter().any(|u| u.value == input.term);
            let again = edge.inputs[..i].iter().filter(|o| o.name == input.name).count();
            let mark = if again == 0 { String::new() } else { (again + 1).to_string() };
            let name = format!("{}?{mark}", input.name);
            let sort = self.store.sort(input.term);
            marks.push((input.term, self.store.var(&name, sort)));
            if !direct {
                shown.push(format!("{} := {}", visible(&name), self.any(input, None)));
            }
        }
        for update in &edge.updates {
            let name = self.name(update.variable);
            let uses = |i: &&Input| i.term == update.value;
            let value = match edge.inputs.iter().find(uses) {
                Some(input) => self.any(input, Some(update.variable)),
                None => {
                    let value = self.store.substitute(update.value, &marks);
                    self.value_for(update.variable, value)
                }
            };
            shown.push(format!("{name} := {value}"));
        }
        if !self.store.is_true(edge.constraint) {
            let constraint = self.store.substitute(edge.constraint, &marks);
            shown.push(format!("where {}", visible(&self.store.infix(constraint))));
        }
        shown
    }

    /// A choice; plain `any` if it is among all values of the variable.
    fn any(&mut self, input: &Input, target: Option<Id<Variable>>) -> String {
        let constant = |t: Option<Term>| self.store.int_value(t?).cloned();
        let chosen = constant(input.low).zip(constant(input.high));
        let all = target.and_then(|v| self.program.variables[v].domain.bounds());
        if (input.low, input.high) == (None, None) || (chosen.is_some() && chosen == all) {
            return String::from("any");
        }
        let mut bound = |bound: Option<Term>| match (bound, target) {
            (None, _) => String::new(),
            (Some(term), Some(variable)) => self.value_for(variable, term),
            (Some(term), None) => self.term(term),
        };
        let (low, high) = (bound(input.low), bound(input.high));
        format!("any {low}..={high}")
    }

    /// A text instead of the term if it is too large to write out.
    fn too_large(&self, term: Term) -> Option<String> {
        let subterms = self.store.subterms(&[term]);
        let mut sizes: BTreeMap<Term, u64> = BTreeMap::new();
        for &sub in &subterms {
            let mut size = 1u64;
            self.store.node(sub).for_each_child(|child| {
                size = size.saturating_add(sizes.get(&child).copied().unwrap_or(1));
            });
            sizes.insert(sub, size);
        }
        let size = sizes.get(&term).copied().unwrap_or(1);
        (size > MAX_NODES).then(|| format!("<formula of {} distinct parts>", subterms.len()))
    }

    /// The term with its named atoms replaced by symbols that print as wanted.
    fn with_names(&mut self, term: Term) -> Term {
        let long = |v: &Id<Variable>| self.program.variables[*v].term;
        let mut pairs: Vec<(Term, Term)> = self.short.iter().map(|(v, t)| (long(v), *t)).collect();
        for sub in self.store.subterms(&[term]) {
            let (atom, positive) = self.store.literal(sub);
            if let Some(name) = self.atom_name(atom, positive) {
                pairs.push((sub, self.store.var(&name, Sort::Bool)));
            }
        }
        Substitution::new(pairs).apply(&mut self.store, term)
    }

    fn is_place(&self, term: Term) -> bool {
        let (atom, _) = self.store.literal(term);
        self.equality(atom)
            .is_some_and(|(v, _)| matches!(self.program.variables[v].role, Role::Control(_)))
    }

    /// The variable and constant of `variable == constant`, for variables
    /// whose values have names.
    fn equality(&self, atom: Term) -> Option<(Id<Variable>, Int)> {
        let Node::Compare(Relation::Eq, linear) = self.store.node(atom) else { return None };
        let [(term, factor)] = linear.monomials() else { return None };
        let variable = *self.named.get(term)?;
        let constant = linear.constant_part().to_int()?;
        factor.is_one().then(|| (variable, -constant))
    }

    fn atom_name(&self, atom: Term, positive: bool) -> Option<String> {
        let (variable, constant) = self.equality(atom)?;
        let index = usize::try_from(constant.to_i64()?).ok()?;
        let info = &self.program.variables[variable];
        if let Role::Control(process) = info.role {
            let place = place(self.program, process, index)?;
            return Some(if positive { place } else { format!("!{place}") });
        }
        let Domain::Enum(names) = &info.domain else { return None };
        let sign = if positive { "==" } else { "!=" };
        Some(format!("{} {sign} {}", self.name(variable), names.get(index)?))
    }
}

/// `P@location`, if the process has a location of that index.
pub(crate) fn place(program: &Program, process: Id<Process>, index: usize) -> Option<String> {
    let process = &program.processes[process];
    let location = process.locations.get(Id::new(index))?;
    Some(format!("{}@{}", process.name, location.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::ticket;

    #[test]
    fn locations_and_constants_have_their_names_back() {
        let program = ticket();
        let mut store = program.store.clone();
        let p = Id::new(0);
        let at = |store: &mut TermStore, l: usize| program.at(store, p, Id::new(l));
        let (idle, critical) = (at(&mut store, 0), at(&mut store, 2));
        let find = |name: &str| {
            let found = program.variables.iter_enumerated().find(|(_, v)| &*v.name == name);
            found.map(|(id, v)| (id, v.term)).expect("a variable of the sample")
        };
        let ((_, t), (phase_id, phase)) = (find("t"), find("phase"));
        let (one, seven) = (store.int(1), store.int(7));
        let is_busy = store.eq(phase, one);
        let not_busy = store.not(is_busy);
        let not_critical = store.not(critical);
        let small = store.le(t, seven);
        let either = store.or([idle, small]);
        let all = store.and([small, not_busy, either, not_critical]);
        let zero = store.int(0);
        let choice = store.ite(is_busy, zero, one);

        let mut printer = Printer::new(&program, &store);
        assert_eq!(printer.term(is_busy), "phase == busy");
        assert_eq!(
            printer.conjunction(all),
            "!P[0]@critical && phase != busy && t <= 7 && (t <= 7 || P[0]@idle)"
        );
        assert_eq!(printer.negation(idle), "!P[0]@idle");
        assert_eq!(printer.value_for(phase_id, choice), "if phase == busy then idle else busy");
        let truth = store.bool(true);
        assert_eq!(printer.conjunction(truth), "true");
    }

    #[test]
    fn a_formula_that_is_small_only_by_sharing_is_not_written_out() {
        let program = ticket();
        let mut store = program.store.clone();
        let (x, y) = (store.var("x", Sort::Int), store.var("y", Sort::Int));
        let mut term = x;
        for _ in 0..200 {
            let product = store.mul(term, term);
            let shifted = store.add(product, y);
            term = store.div(shifted, y);
        }
        let mut printer = Printer::new(&program, &store);
        let text = printer.term(term);
        assert!(text.starts_with("<formula of ") && text.len() < 60, "{text}");
    }
}
