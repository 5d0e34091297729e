//! What several searches for models of one formula tell each other.
//!
//! Searches that are copies of one another know the same variables and
//! columns. A short lesson of one holds for all: it goes to a common list,
//! from which the others take it when they have no decisions. Proofs stay
//! where they are; a lesson that was taken over names the search and the step
//! it comes from, and [`Lra::joint_refutation`] follows such names.

use crate::Lra;
use crate::theory::Atom;
use parallax_search::Lit;
use parallax_term::Relation;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Lessons over at most this many levels are told.
const LEVELS: usize = 6;
/// Lessons of at most this many literals are told.
const LENGTH: usize = 24;

/// A literal that all searches understand.
#[derive(Clone, Debug)]
enum Word {
    /// Of a variable that was there from the beginning.
    Known(Lit),
    /// Of an atom that was added since.
    Added(Atom, bool),
}

#[derive(Clone, Debug)]
struct Lesson {
    author: u32,
    step: u32,
    words: Box<[Word]>,
}

/// What others have published.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum News {
    /// Nothing.
    #[default]
    None,
    /// Something to be taken over at the next restart.
    Lessons,
    /// Something to be taken over at once.
    Answer,
}

/// The common list.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    lessons: Mutex<Vec<Lesson>>,
}

impl Exchange {
    fn lessons(&self) -> MutexGuard<'_, Vec<Lesson>> {
        // Lessons are complete before they are added.
        self.lessons.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tie of a search to the common list.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    exchange: Arc<Exchange>,
    author: u32,
    /// How many lessons were looked at.
    read: usize,
    /// How many variables and columns there were in the beginning.
    vars: usize,
    columns: usize,
    /// Lessons of this search that nobody was told yet.
    own: Vec<Lesson>,
}

impl Link {
    /// Notes a lesson if others may want it.
    pub(crate) fn tell(&mut self, lits: &[Lit], levels: usize, step: u32, atoms: &[Option<Atom>]) {
        if lits.len() > 2 && (levels > LEVELS || lits.len() > LENGTH) {
            return;
        }
        let word = |&lit: &Lit| match &atoms[lit.var()] {
            _ if lit.var() < self.vars => Some(Word::Known(lit)),
            Some(atom) if (atom.column as usize) < self.columns => {
                Some(Word::Added(atom.clone(), lit.is_positive()))
            }
            _ => None,
        };
        let Some(words) = lits.iter().map(word).collect::<Option<Box<[Word]>>>() else { return };
        self.own.push(Lesson { author: self.author, step, words });
    }

    /// Publishes what was noted; what others have published since the last
    /// call of [`Lra::listen`].
    pub(crate) fn publish(&mut self) -> News {
        let mut all = self.exchange.lessons();
        let new = all[self.read..].iter().filter(|lesson| lesson.author != self.author);
        let urgency = |lesson: &Lesson| match *lesson.words {
            // The answer to a question, perhaps the one asked here.
            [Word::Added(..)] => News::Answer,
            _ => News::Lessons,
        };
        let news = new.map(urgency).max().unwrap_or_default();
        all.append(&mut self.own);
        news
    }

    /// The lessons of others since the last call.
    fn take(&mut self) -> Vec<Lesson> {
        let mut all = self.exchange.lessons();
        all.append(&mut self.own);
        let new = all[self.read..].iter().filter(|lesson| lesson.author != self.author);
        let new = new.cloned().collect();
        self.read = all.len();
        new
    }
}

impl Lra {
    /// As many copies as wanted, this one included, that tell each other what
    /// they learn. [`Lra::joint_refutation`] takes them in this order.
    #[must_use]
    pub fn team(mut self, count: usize) -> Vec<Lra> {
        self.search.back_to(0);
        let exchange = Arc::new(Exchange::default());
        let (vars, columns) = (self.search.vars(), self.forms.len());
        self.search.theory.proof.share();
        let member = |author: usize| {
            let mut lra = self.clone();
            let (exchange, author) = (Arc::clone(&exchange), author as u32);
            let own = Vec::new();
            lra.search.theory.link = Some(Link { exchange, author, read: 0, vars, columns, own });
            lra
        };
        if count <= 1 { vec![self] } else { (0..count).map(member).collect() }
    }

    /// Takes over what others learned; only without decisions.
    pub(crate) fn listen(&mut self) {
        let Some(link) = &mut self.search.theory.link else { return };
        for lesson in link.take() {
            let literal = |word: &Word| match word {
                Word::Known(lit) => *lit,
                Word::Added(atom, is_positive) => {
                    let lit = self.known_atom(atom.clone());
                    debug_assert_ne!(atom.relation, Relation::Eq);
                    self.speak(lit, true, true);
                    if *is_positive { lit } else { !lit }
                }
            };
            let lits: Vec<Lit> = lesson.words.iter().map(literal).collect();
            let step = self.search.theory.proof.imported(lesson.author, lesson.step, &lits);
            self.search.add_lesson(&lits, step);
        }
    }
}
