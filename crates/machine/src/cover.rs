//! What can be covered, and what was.
//!
//! A *block* is a stretch of operations of one function that are executed
//! together. A *branch* is one outcome of one condition. A *probe* is a call of
//! `parallax_probe(block, facts)` in the program: the block is its number, and
//! each combination of facts counts. Without probes, a combination is a block
//! with the last outcome of each condition of the call it runs in.

use parallax_base::{Id, Span};
use parallax_cfa::{Edge, Function};
use rustc_hash::FxHashSet;

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// In which function.
    pub function: Id<Function>,
    /// Its edges, in order.
    pub edges: Vec<Id<Edge>>,
    /// Where it begins.
    pub span: Span,
    /// The condition and its outcome, if it begins with one.
    pub branch: Option<(u32, bool)>,
    /// Whether it has an operation besides the condition.
    pub has_operations: bool,
}

/// A condition of the code.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    /// In which function.
    pub function: Id<Function>,
    /// Its place.
    pub span: Span,
}

/// Everything that can be covered.
#[derive(Clone, Debug, Default)]
pub struct CoverMap {
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The conditions.
    pub conditions: Vec<Condition>,
}

/// A probe that was passed: block and facts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Probe {
    /// The number of the block.
    pub block: u32,
    /// The facts seen there.
    pub facts: u64,
}

/// What was covered.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Per block, whether it was entered.
    pub blocks: Vec<bool>,
    /// Blocks entered since [`Coverage::take_news`].
    pub(crate) new_blocks: bool,
    /// Probes, as `block << 40 | facts` folded into one word, and as they are.
    seen: FxHashSet<u64>,
    /// Probe combinations in the order they were first seen.
    pub probes: Vec<Probe>,
    /// Numbers of probe blocks, in the order they were first seen.
    pub probe_blocks: Vec<u32>,
    probe_bits: Vec<u64>,
    /// Blocks with the outcomes of conditions around them.
    combos: FxHashSet<(u32, u64)>,
    /// In the order they were first seen.
    pub combinations: Vec<(u32, u64)>,
    new_combination: bool,
    new_probe_block: bool,
    new_probe: bool,
}

/// What is new since the last question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct News {
    /// A block.
    pub block: bool,
    /// A probe block.
    pub probe_block: bool,
    /// A probe combination.
    pub probe: bool,
    /// A combination of conditions.
    pub combination: bool,
}

impl Coverage {
    /// Nothing covered yet, of a program with this many blocks.
    pub fn new(blocks: usize) -> Coverage {
        Coverage { blocks: vec![false; blocks], ..Coverage::default() }
    }

    #[inline(always)]
    pub(crate) fn enter(&mut self, block: u32) {
        if let Some(seen) = self.blocks.get_mut(block as usize)
            && !*seen
        {
            *seen = true;
            self.new_blocks = true;
        }
    }

    pub(crate) fn probe(&mut self, block: u32, facts: u64) {
        // Small numbers, as they are usual, need no hashing.
        if block < 1024 && facts < 64 {
            let block_at = block as usize;
            if self.probe_bits.len() <= block_at {
                self.probe_bits.resize(block_at + 1, 0);
            }
            let bit = 1 << facts;
            if self.probe_bits[block_at] & bit != 0 {
                return;
            }
            self.probe_bits[block_at] |= bit;
        } else if !self.seen.insert(u64::from(block).rotate_left(40) ^ facts) {
            return;
        }
        if !self.probe_blocks.contains(&block) {
            self.probe_blocks.push(block);
            self.new_probe_block = true;
        }
        self.probes.push(Probe { block, facts });
        self.new_probe = true;
    }

    pub(crate) fn combine(&mut self, block: u32, outcomes: u64) {
        if self.combos.insert((block, outcomes)) {
            self.combinations.push((block, outcomes));
            self.new_combination = true;
        }
    }

    /// What came since the last question.
    pub fn take_news(&mut self) -> News {
        News {
            block: std::mem::take(&mut self.new_blocks),
            probe_block: std::mem::take(&mut self.new_probe_block),
            probe: std::mem::take(&mut self.new_probe),
            combination: std::mem::take(&mut self.new_combination),
        }
    }

    /// Whether something came since the last question.
    pub fn has_news(&self) -> bool {
        self.new_blocks || self.new_probe || self.new_combination
    }
}
