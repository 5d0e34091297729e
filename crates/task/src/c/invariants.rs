//! Loop invariants in C, from a proof over terms.
//!
//! A closed set of states says what holds whenever a run is at a location. At
//! the head of a loop of the source this is said again in C, over the variables
//! that are in scope there: one case for each region, cases joined by `||`.
//! Facts that C has no words for are left out of a case; a case without facts
//! makes the whole pointless, and nothing is said then.
//!
//! Only variables that may still be read are spoken of. What nobody reads may
//! have been dropped on the way to the terms, so its value there says nothing
//! about the program. And only loops that exist once are: those of the start
//! function, and of functions that are called at one place, and so on upward.

use super::CTask;
use crate::Task;
use parallax_base::{Id, Span};
use parallax_cfa::{Callee, ExprKind, Function, Location, Op, Program, Storage, Variable};
use parallax_encode::Passes;
use parallax_evidence::{ClosedSet, Region};
use parallax_report::Invariant;
use parallax_term::{Int, Linear, Node, Relation, Term, TermStore, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An invariant with more cases, or longer text, is not worth reading.
const CASES: usize = 100;
const LENGTH: usize = 20_000;

/// Facts nested deeper than this are left out.
const DEPTH: u32 = 40;

/// The head of a loop of the source, as it is in the program over terms.
pub struct Head {
    /// The location.
    pub location: usize,
    /// The cut point in the program form.
    pub cut: Id<Location>,
    /// Where the loop stands.
    pub span: Span,
    /// The function it stands in.
    pub function: Id<Function>,
    /// What that is called.
    pub name: Arc<str>,
    /// Where it is in that function, before all passes.
    pub at: Id<Location>,
    /// The variables that can be spoken of.
    pub words: Words,
}

/// The heads of all loops. A loop of a function that is called at several
/// places is there several times.
pub(crate) fn heads(task: &Task, c: &CTask) -> Vec<Head> {
    let Some(prepared) = &c.prepared else { return Vec::new() };
    let encoded = &prepared.encoded;
    // Of several threads nothing is said yet: where the others are matters.
    if encoded.starts.len() > 1 {
        return Vec::new();
    }
    let Some(main) = encoded.form.main else { return Vec::new() };
    let source = &c.source.program;
    let read = task.program.live_variables().unwrap_or_default();
    // In a whole program nothing else was dropped than what is not live.
    let live = if c.source.options.passes == Passes::Whole { &encoded.live } else { &read };
    let mut found = Vec::new();
    for (location, cut) in encoded.cuts.iter().enumerate() {
        let Some(cut) = *cut else { continue };
        let span = encoded.form.functions[main].locations[cut].loop_head;
        let origin = prepared.origin.location(main, cut);
        let (Some(span), Some(origin)) = (span, origin) else { continue };
        let in_scope = |v: Id<Variable>| {
            let of = prepared.origin.variable(v)?;
            let variable = &source.variables[of.variable?];
            let is_static = matches!(variable.storage, Storage::Static);
            let here = match variable.owner {
                None => is_static,
                Some(owner) => owner == origin.function && (is_static || of.stack == origin.stack),
            };
            (here && is_plain(source, origin.function, variable, span)).then_some(variable)
        };
        let mut words = BTreeMap::new();
        for (v, position) in &encoded.scalars {
            if let Some(variable) = in_scope(*v)
                && live[location].contains(position)
                && let Some(id) = prepared.origin.variable(*v).and_then(|of| of.variable)
                && let Some(word) = Word::of(source, id, variable)
            {
                words.insert(task.program.variables[Id::new(*position)].term, word);
            }
        }
        let (function, at) = (origin.function, origin.location);
        let name = Arc::clone(&source.functions[function].name);
        found.push(Head { location, cut, span, function, name, at, words: Words(words) });
    }
    found
}

/// The heads of loops that exist once.
pub fn single_heads(task: &Task, c: &CTask) -> Vec<Head> {
    let once = called_once(&c.source.program);
    heads(task, c).into_iter().filter(|head| once.contains(&head.function)).collect()
}

/// What holds at the heads of loops, by a closed set of states of the task.
pub fn loop_invariants(task: &Task, c: &CTask, set: &ClosedSet) -> Vec<Invariant> {
    let Some(process) = task.program.processes.iter().next() else { return Vec::new() };
    let mut found: Vec<Invariant> = Vec::new();
    for head in single_heads(task, c) {
        let span = head.span;
        let speaker = Speaker { store: &set.store, names: &head.words.0 };
        let value = speaker.cases(task, set, process.control, head.location);
        if let Some(value) = value
            && !found.iter().any(|other| other.span == span)
        {
            let function = head.name.to_string();
            found.push(Invariant { span, function, value });
        }
    }
    found
}

/// The functions of which there is one instance: the start function, and those
/// that are called at one place of such a function and that no pointer leads to.
fn called_once(program: &Program) -> BTreeSet<Id<Function>> {
    let mut sites: BTreeMap<Id<Function>, Vec<Id<Function>>> = BTreeMap::new();
    for (caller, function) in program.functions.iter_enumerated() {
        for edge in &function.edges {
            if let Op::Call { callee: Callee::Direct(f), .. } = edge.op {
                sites.entry(f).or_default().push(caller);
            }
        }
    }
    let pointed: BTreeSet<Id<Function>> = program
        .exprs
        .iter()
        .filter_map(|e| match e.kind {
            ExprKind::Function(f) => Some(f),
            _ => None,
        })
        .collect();
    let mut found: BTreeSet<Id<Function>> =
        program.main.filter(|main| !sites.contains_key(main)).into_iter().collect();
    loop {
        let before = found.len();
        for (callee, callers) in &sites {
            if let [caller] = callers[..]
                && found.contains(&caller)
                && !pointed.contains(callee)
            {
                found.insert(*callee);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Whether the name of a variable means this variable at a place in a function:
/// no other one that may be meant has the name, and it is declared before.
fn is_plain(program: &Program, function: Id<Function>, variable: &Variable, at: Span) -> bool {
    let same = program.variables.iter().filter(|other| {
        *other.name == *variable.name && other.owner.is_none_or(|owner| owner == function)
    });
    let is_name = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let before = variable.span.file != at.file || variable.span.lo < at.lo;
    variable.name.chars().all(is_name) && same.count() == 1 && before
}

/// A variable of integer type, in C.
struct Word {
    variable: Id<Variable>,
    name: String,
    bits: u32,
    signed: bool,
}

impl Word {
    fn of(program: &Program, id: Id<Variable>, variable: &Variable) -> Option<Word> {
        let kind = program.types.int_kind(variable.ty)?;
        let (bits, signed) = (kind.width(program.types.model), kind.is_signed());
        let name = || variable.name.to_string();
        (bits <= 64).then(|| Word { variable: id, name: name(), bits, signed })
    }

    fn min(&self) -> i128 {
        if self.signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    fn max(&self) -> i128 {
        (1 << (self.bits - u32::from(self.signed))) - 1
    }

    /// The variable as a number that sums of a few do not leave.
    fn wide(&self) -> Option<String> {
        (self.bits <= 32).then(|| format!("(long long){}", self.name))
    }
}

/// Variables with their names in C, by their symbols.
pub struct Words(BTreeMap<Term, Word>);

impl Words {
    /// The conjuncts of a formula that C has words for.
    pub fn facts(&self, store: &TermStore, formula: Term) -> Vec<String> {
        Speaker { store, names: &self.0 }.conjuncts(formula)
    }

    /// The symbol with a name.
    pub fn symbol(&self, name: &str) -> Option<Term> {
        self.0.iter().find(|(_, word)| word.name == name).map(|(&term, _)| term)
    }

    /// The symbols with the variables they stand for.
    pub fn variables(&self) -> impl Iterator<Item = (Term, Id<Variable>)> {
        self.0.iter().map(|(&term, word)| (term, word.variable))
    }

    /// Whether a symbol has a name.
    pub fn knows(&self, symbol: Term) -> bool {
        self.0.contains_key(&symbol)
    }
}

struct Speaker<'s> {
    store: &'s TermStore,
    names: &'s BTreeMap<Term, Word>,
}

/// A fact in C.
enum Fact {
    /// It holds whatever happens.
    Always,
    /// This expression.
    Text(String),
}

impl Speaker<'_> {
    /// What holds at a location, if there is something to say.
    fn cases(
        &self,
        task: &Task,
        set: &ClosedSet,
        control: Id<parallax_ir::Variable>,
        location: usize,
    ) -> Option<String> {
        let here = Value::int(location as i64);
        let mut cases = BTreeSet::new();
        for region in set.prefix.iter().chain(&set.fragment) {
            let at = region.fixed.iter().find(|(v, _)| *v == control);
            // A region that does not say where it is may be here.
            if at.is_none_or(|(_, value)| *value == here) {
                cases.insert(self.region(task, region)?);
            }
        }
        for point in &set.points {
            if point.get(control.index()) != Some(&here) {
                continue;
            }
            let facts = task.program.variables.iter().zip(point.iter());
            let facts = facts.filter_map(|(v, value)| self.equal(v.term, value));
            let facts: Vec<String> = facts.collect();
            if facts.is_empty() {
                return None;
            }
            cases.insert(facts.join(" && "));
        }
        if cases.is_empty() || cases.len() > CASES {
            return None;
        }
        let one = cases.len() == 1;
        let cases: Vec<String> =
            cases.into_iter().map(|c| if one { c } else { format!("({c})") }).collect();
        Some(cases.join(" || ")).filter(|text| text.len() <= LENGTH)
    }

    /// The facts of a region; `None` if there are none.
    fn region(&self, task: &Task, region: &Region) -> Option<String> {
        let mut facts = Vec::new();
        for (variable, value) in &region.fixed {
            facts.extend(self.equal(task.program.variables[*variable].term, value));
        }
        facts.extend(self.conjuncts(region.formula));
        (!facts.is_empty()).then(|| facts.join(" && "))
    }

    /// The conjuncts of a formula, as far as they can be said.
    fn conjuncts(&self, formula: Term) -> Vec<String> {
        let mut facts = Vec::new();
        let mut open = vec![formula];
        while let Some(term) = open.pop() {
            match self.store.node(term) {
                Node::And(items) => open.extend(items.iter().rev()),
                _ => {
                    if let Some(Fact::Text(text)) = self.say(term, true, 0) {
                        facts.push(text);
                    }
                }
            }
        }
        facts
    }

    fn equal(&self, term: Term, value: &Value) -> Option<String> {
        let word = self.names.get(&term)?;
        let value = value.as_int().and_then(Int::to_i64)?;
        (word.signed || word.bits < 64).then(|| format!("{} == {value}", word.name))
    }

    /// A fact, or its negation.
    fn say(&self, term: Term, positive: bool, depth: u32) -> Option<Fact> {
        if depth > DEPTH {
            return None;
        }
        match self.store.node(term) {
            Node::Not(inner) => self.say(*inner, !positive, depth + 1),
            Node::And(items) => self.join(items, positive, positive, depth),
            Node::Or(items) => self.join(items, positive, !positive, depth),
            Node::Compare(Relation::Eq, linear) if self.remainder(linear).is_some() => {
                self.congruence(linear, positive)
            }
            Node::Compare(relation, linear) => self.compare(*relation, linear, positive),
            _ => None,
        }
    }

    fn join(&self, items: &[Term], positive: bool, all: bool, depth: u32) -> Option<Fact> {
        let mut texts = Vec::new();
        for item in items {
            match self.say(*item, positive, depth + 1)? {
                Fact::Always if all => {}
                Fact::Always => return Some(Fact::Always),
                Fact::Text(text) => texts.push(format!("({text})")),
            }
        }
        let word = if all { " && " } else { " || " };
        Some(if texts.is_empty() { Fact::Always } else { Fact::Text(texts.join(word)) })
    }

    /// The sum and the modulus, if a linear combination is one remainder.
    fn remainder(&self, linear: &Linear) -> Option<(Linear, i128)> {
        let [(term, factor)] = linear.monomials() else { return None };
        let Node::Mod(sum, by) = self.store.node(*term) else { return None };
        let modulus = self.store.int_value(*by)?.to_u128()?;
        let is_plain = linear.constant_part().is_zero() && factor.is_one();
        (is_plain && modulus > 0)
            .then(|| Some((self.store.linear(*sum), modulus.try_into().ok()?)))?
    }

    /// `sum % modulus == 0`. C has other remainders for negative numbers, but
    /// the same zeros. Modulo `2^64` sums are those of `unsigned long long`.
    fn congruence(&self, linear: &Linear, positive: bool) -> Option<Fact> {
        let (sum, modulus) = self.remainder(linear)?;
        let wraps = modulus == 1 << 64;
        let mut most = i128::from(sum.constant_part().to_int()?.to_i64()?).checked_abs()?;
        let mut text = String::new();
        for (term, factor) in sum.monomials() {
            let word = self.names.get(term)?;
            let factor = small(factor.to_int()?)?;
            let end = word.min().abs().max(word.max().abs());
            most = most.checked_add(factor.abs().checked_mul(end)?)?;
            let value = match wraps {
                true => format!("(unsigned long long){}", word.name),
                false => word.wide()?,
            };
            let times = match factor.abs() {
                1 => value,
                n => format!("{n} * {value}"),
            };
            text.push_str(match (factor > 0, text.is_empty()) {
                (true, true) => "",
                (false, true) => "0 - ",
                (true, false) => " + ",
                (false, false) => " - ",
            });
            text.push_str(&times);
        }
        let constant = small(sum.constant_part().to_int()?)?;
        match constant.signum() {
            1 => text.push_str(&format!(" + {constant}")),
            -1 => text.push_str(&format!(" - {}", -constant)),
            _ => {}
        }
        let sign = if positive { "==" } else { "!=" };
        Some(Fact::Text(match wraps {
            true => format!("{text} {sign} 0"),
            false if most < 1 << 63 && modulus < 1 << 63 => {
                format!("({text}) % {modulus} {sign} 0")
            }
            false => return None,
        }))
    }

    /// `linear <= 0` or `linear == 0`, with what is negative on the right.
    fn compare(&self, relation: Relation, linear: &Linear, positive: bool) -> Option<Fact> {
        let constant = small(linear.constant_part().to_int()?)?;
        let mut left = Vec::new();
        let mut right = Vec::new();
        // The greatest number that may come up.
        let mut most = constant.checked_abs()?;
        let (mut least, mut greatest) = (constant, constant);
        let single = linear.monomials().len() == 1;
        for (term, factor) in linear.monomials() {
            let word = self.names.get(term)?;
            let factor = small(factor.to_int()?)?;
            let ends = [factor.checked_mul(word.min())?, factor.checked_mul(word.max())?];
            most = most.checked_add(ends[0].abs().max(ends[1].abs()))?;
            greatest = greatest.checked_add(ends[0].max(ends[1]))?;
            least = least.checked_add(ends[0].min(ends[1]))?;
            let bare = single && factor.abs() == 1 && word.signed;
            let text = if bare { word.name.clone() } else { word.wide()? };
            let times = match factor.abs() {
                1 => text,
                n => format!("{n} * {text}"),
            };
            if factor > 0 { left.push(times) } else { right.push(times) }
        }
        if most >= 1 << 63 {
            return None;
        }
        // What the types say already.
        if relation == Relation::Le && (if positive { greatest <= 0 } else { least > 0 }) {
            return Some(Fact::Always);
        }
        // `sum > 0` is `sum >= 1`.
        let constant = if relation == Relation::Le && !positive { constant - 1 } else { constant };
        if right.is_empty() {
            right.push((-constant).to_string());
        } else if constant > 0 || left.is_empty() {
            left.push(constant.to_string());
        } else if constant < 0 {
            right.push((-constant).to_string());
        }
        let sign = match (relation, positive) {
            (Relation::Le, true) => "<=",
            (Relation::Le | Relation::Lt, false) => ">=",
            (Relation::Lt, true) => "<",
            (Relation::Eq, true) => "==",
            (Relation::Eq, false) => "!=",
        };
        Some(Fact::Text(format!("{} {sign} {}", left.join(" + "), right.join(" + "))))
    }
}

fn small(value: &Int) -> Option<i128> {
    value.to_i64().map(i128::from)
}
