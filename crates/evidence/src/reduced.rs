//! Reduced sets: states that are closed under the steps of some processes only.
//!
//! Where processes do not disturb each other, one order of their steps stands for
//! all. A reduced set names for each of its states (or regions) the processes that
//! move from there; the steps of the others were left out. The claim is that every
//! target that a run reaches is reached by a run inside of the set as well; so
//! there is none. That the named processes suffice is for the checker to find out,
//! which needs no more than what is written here.

use crate::ClosedSet;

/// Who moves from a state of the set.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Movers {
    /// The processes whose steps stay in the set, by number, in increasing order;
    /// `None` if no step leaves it.
    pub processes: Option<Box<[u32]>>,
    /// Some step of the processes leads to a state with a smaller rank: steps of
    /// others are put off, but not for ever.
    pub rank: u32,
}

/// A set of states with those who move from each. See the module text.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// Points and a fragment; no prefix and no quotient.
    pub set: ClosedSet,
    /// Who moves from each point.
    pub points: Vec<Movers>,
    /// Who moves from each region of the fragment.
    pub fragment: Vec<Movers>,
}

impl Reduced {
    /// From how many points and regions not all processes move.
    pub fn savings(&self) -> usize {
        let all = self.points.iter().chain(&self.fragment);
        all.filter(|movers| movers.processes.is_some()).count()
    }
}
