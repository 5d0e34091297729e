//! Progression: what a formula asks of the rest of a word.
//!
//! For each formula `f` in negation normal form and each letter `a` there are
//! finitely many *successors*, each a set of formulas (obligations) and a set
//! of untils that it postpones. They come from the expansion laws
//!
//! ```text
//! a U b  =  b || (a && X (a U b))        a R b  =  b && (a || X (a R b))
//! ```
//!
//! by distributing `&&` over `||`; the right alternative of an until postpones
//! it (Bacchus, Kabanza: *Using temporal logics to express search control
//! knowledge for planning*, AIJ 2000, with the alternatives kept apart; it is
//! also the alternating automaton of Gastin and Oddoux, CAV 2001).
//!
//! **What it is used for.** Let a word `w` satisfy `f`. Then there is a sequence
//! of obligations `O(0) = {f}, O(1), O(2), ...`, each a successor of the one
//! before under the letter of `w`, such that `w` from position `i` on satisfies
//! all of `O(i)`, and no until is postponed at every position from some
//! position on.
//!
//! *Proof.* At each position take the alternative that holds, for `a U b` the
//! left one whenever `b` holds. All formulas of the next set hold of the rest
//! of the word. If `a U b` is postponed at `i`, then `b` does not hold at `i`
//! and `a U b` holds at `i + 1`. Were it postponed at all positions from `i`
//! on, `b` would hold at none of them, and `a U b` would not hold at `i + 1`.
//!
//! A successor may be dropped if another one has fewer obligations and
//! postpones fewer untils: the sequence may take that one instead.

use crate::formula::{Formula, Node, Store, Sub};
use parallax_base::{Budget, Id, Stop};
use rustc_hash::FxHashMap;

/// One way to go on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Successor {
    /// What the rest of the word must satisfy, in increasing order.
    pub obligations: Vec<Sub>,
    /// The untils that were put off, in increasing order.
    pub postponed: Vec<Sub>,
}

/// The successors of one formula and all its parts.
#[derive(Clone, Debug)]
pub struct Progression {
    store: Store,
    root: Sub,
    parts: Vec<Sub>,
    /// By letter, restricted to the atoms of the formula: the successors of
    /// every part.
    known: FxHashMap<u64, Vec<Vec<Successor>>>,
}

impl Progression {
    /// The progression of a formula, or of its negation.
    pub fn new(formula: &Formula, negated: bool) -> Progression {
        let (store, root) = formula.normal_form(negated);
        let parts = store.parts(root);
        Progression { store, root, parts, known: FxHashMap::default() }
    }

    /// The formula in negation normal form.
    pub fn root(&self) -> Sub {
        self.root
    }

    /// The store its parts are in.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The obligations to begin with.
    pub fn initial(&self) -> Vec<Sub> {
        self.obligations(self.root)
    }

    /// Whether a formula is a part of this one.
    pub fn has_part(&self, index: usize) -> bool {
        self.parts.binary_search(&Id::new(index)).is_ok()
    }

    /// All ways to go on after a letter; none if the obligations exclude it.
    pub fn successors(
        &mut self,
        obligations: &[Sub],
        letter: u64,
        budget: &Budget,
    ) -> Result<Vec<Successor>, Stop> {
        if !self.known.contains_key(&letter) {
            let table = self.table(letter, budget)?;
            self.known.insert(letter, table);
        }
        let table = &self.known[&letter];
        let mut all = vec![Successor::default()];
        for f in obligations {
            all = both(&all, &table[f.index()], budget)?;
        }
        Ok(all)
    }

    /// The successors of every part, children first.
    fn table(&self, letter: u64, budget: &Budget) -> Result<Vec<Vec<Successor>>, Stop> {
        let mut table: Vec<Vec<Successor>> = vec![Vec::new(); self.store.len()];
        let done = |holds: bool| if holds { vec![Successor::default()] } else { Vec::new() };
        for &part in &self.parts {
            let of = |f: &Sub| &table[f.index()];
            let found = match self.store.node(part) {
                Node::True => done(true),
                Node::False => done(false),
                Node::Atom(atom) => done(letter >> atom & 1 == 1),
                // In negation normal form, of an atom.
                Node::Not(f) => done(of(f).is_empty()),
                Node::And(fs) => {
                    let mut all = done(true);
                    for f in fs {
                        all = both(&all, of(f), budget)?;
                    }
                    all
                }
                Node::Or(fs) => either(fs.iter().flat_map(|f| of(f).clone()).collect()),
                Node::Next(f) => {
                    vec![Successor { obligations: self.obligations(*f), postponed: vec![] }]
                }
                Node::Until(a, b) => {
                    let later = Successor { obligations: vec![part], postponed: vec![part] };
                    let later = both(of(a), &[later], budget)?;
                    either([of(b).clone(), later].concat())
                }
                Node::Release(a, b) => {
                    let later = Successor { obligations: vec![part], postponed: vec![] };
                    let released = either([of(a).clone(), vec![later]].concat());
                    both(of(b), &released, budget)?
                }
            };
            table[part.index()] = found;
        }
        Ok(table)
    }

    /// A conjunction as the set of its parts.
    fn obligations(&self, f: Sub) -> Vec<Sub> {
        match self.store.node(f) {
            Node::True => Vec::new(),
            Node::And(parts) => union(parts, &[]),
            _ => vec![f],
        }
    }
}

/// One successor of each list, joined.
fn both(a: &[Successor], b: &[Successor], budget: &Budget) -> Result<Vec<Successor>, Stop> {
    let mut all = Vec::new();
    for left in a {
        budget.check()?;
        all.extend(b.iter().map(|right| Successor {
            obligations: union(&left.obligations, &right.obligations),
            postponed: union(&left.postponed, &right.postponed),
        }));
        if all.len() > 4096 {
            all = either(all);
        }
    }
    Ok(either(all))
}

/// Without those that another one makes superfluous, in increasing order.
fn either(mut all: Vec<Successor>) -> Vec<Successor> {
    all.sort_by_cached_key(|s| (s.obligations.len(), s.postponed.len(), s.clone()));
    let mut kept: Vec<Successor> = Vec::new();
    for one in all {
        let superfluous = kept.iter().any(|k| {
            is_subset(&k.obligations, &one.obligations) && is_subset(&k.postponed, &one.postponed)
        });
        if !superfluous {
            kept.push(one);
        }
    }
    kept.sort();
    kept
}

fn union(a: &[Sub], b: &[Sub]) -> Vec<Sub> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

fn is_subset(a: &[Sub], b: &[Sub]) -> bool {
    a.iter().all(|f| b.binary_search(f).is_ok())
}
