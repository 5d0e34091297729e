//! What a verdict about a C program takes for granted.

use super::{CProgram, CTask};
use crate::origin::Verdicts;
use parallax_base::Id;
use parallax_cfa::{CProperty, Callee, Op};
use parallax_evidence::Verdict;
use std::collections::BTreeSet;

/// Names in one sentence; the rest are counted.
const NAMES: usize = 5;

/// What the answers to the properties of a program rest on, one sentence each.
/// Comes with the properties that were asked and are not known to hold.
pub(crate) fn assumptions(c: &CProgram, open: &[(&CProperty, Verdict)]) -> Vec<String> {
    let mut found = Vec::new();
    let asked = |property: &CProperty| c.properties.contains(property);
    let silent = CProperty::assumed().into_iter().filter(|p| !asked(p) && occurs(c, p));
    let silent: Vec<&str> = silent.filter_map(|p| p.assumption()).collect();
    if !silent.is_empty() {
        found.push(format!("not asked: {}", silent.join(", ")));
    }
    for (property, verdict) in open {
        if let Some(sentence) = property.assumption() {
            found.push(format!("{sentence} (`{property}`: {})", verdict.word()));
        }
    }
    if asked(&CProperty::Deref) && !asked(&CProperty::ObjectBounds) {
        // Accesses are checked against the whole object, as sanitizers do.
        found.push("an index stays inside its own array where the object goes on".to_owned());
    }
    if c.program.places.iter().any(|place| place.volatile) {
        found.push("volatile objects change only where the program writes them".to_owned());
    }
    if c.program.has_threads() {
        let text = "memory is sequentially consistent, also where threads race for it";
        found.push(text.to_owned());
        found.push("pthread_create never fails".to_owned());
    }
    let mut undefined = BTreeSet::new();
    let mut effects = BTreeSet::new();
    let mut allocates = false;
    for function in &c.program.functions {
        for edge in &function.edges {
            match &edge.op {
                Op::Call { callee: Callee::Direct(f), .. } => {
                    let callee = &c.program.functions[*f];
                    if callee.is_unknown() {
                        undefined.insert(&*callee.name);
                    }
                }
                // What models of the library leave open is theirs to say.
                Op::Havoc { why, .. }
                    if !function.is_library && **why != *parallax_front_c::lower::ORDER =>
                {
                    effects.insert(&**why);
                }
                Op::Primitive { primitive: parallax_cfa::Primitive::Allocate, .. } => {
                    allocates = true;
                }
                _ => {}
            }
        }
    }
    if !undefined.is_empty() {
        let names = list(&undefined);
        found.push(format!(
            "undefined functions return, free nothing, and change no variable of the program that they were not given: {names}"
        ));
    }
    found.extend(c.assumed.iter().map(|text| text.to_string()));
    if !effects.is_empty() {
        found.push(format!("any effect of {}", list(&effects)));
    }
    if allocates && !c.options.malloc_may_fail {
        found.push("malloc never fails".to_owned());
    }
    found
}

/// What was asked, is no proof of its own, and is taken for granted by what holds.
pub(crate) fn granted<'c>(c: &'c CTask, verdict: Verdicts<'_>) -> Vec<(&'c CProperty, Verdict)> {
    let open = |(at, asked): (usize, &'c CProperty)| {
        let verdict = verdict(Id::new(at)).unwrap_or(Verdict::Unknown);
        let is_open = verdict != Verdict::Holds && occurs(&c.source, asked);
        (is_open && asked.assumption().is_some()).then_some((asked, verdict))
    };
    c.asked.iter().enumerate().filter_map(open).collect()
}

/// Whether the program has a check of this kind at all.
fn occurs(c: &CProgram, property: &CProperty) -> bool {
    c.program.functions.iter().any(|function| {
        function.edges.iter().any(|edge| match &edge.op {
            Op::Check(check) => property.asks(check),
            _ => false,
        })
    })
}

fn list(names: &BTreeSet<&str>) -> String {
    let mut text =
        names.iter().take(NAMES).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    if names.len() > NAMES {
        text.push_str(&format!(" and {} more", names.len() - NAMES));
    }
    text
}
