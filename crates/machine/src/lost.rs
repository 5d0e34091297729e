//! Heap objects that nothing leads to any more.
//!
//! Every word that could be a pointer counts as one, as in the leak checkers of
//! compilers: what is called lost is lost, and what looks held may be lost.

use crate::machine::Machine;
use crate::memory::object_of;

impl Machine<'_> {
    /// How many heap objects are alive that neither static variables nor the
    /// given pointers lead to.
    pub fn lost(&self, roots: &[u64]) -> u32 {
        match self.not_held(roots, 8) {
            0 => 0,
            // Pointers in packed records may lie anywhere.
            _ => self.not_held(roots, 1),
        }
    }

    /// The same, with pointers at multiples of `step` bytes.
    fn not_held(&self, roots: &[u64], step: usize) -> u32 {
        let memory = &self.memory;
        let first = memory.statics as usize + 1;
        let alive = |at: usize| memory.objects.get(at).is_some_and(|object| object.is_live());
        let live = (first..memory.objects.len()).filter(|&at| alive(at)).count();
        if live == 0 {
            return 0;
        }
        let mut is_held = vec![false; memory.objects.len()];
        let mut work: Vec<usize> = (1..first).filter(|&at| alive(at)).collect();
        let mut held = 0;
        let mut note = |pointer: u64, work: &mut Vec<usize>| {
            let at = object_of(pointer).0 as usize;
            if at >= first && alive(at) && !std::mem::replace(&mut is_held[at], true) {
                held += 1;
                work.push(at);
            }
        };
        for root in roots {
            note(*root, &mut work);
        }
        while let Some(at) = work.pop() {
            let object = memory.objects[at];
            let start = object.start as usize;
            let bytes = &memory.heap.bytes[start..start + object.size as usize];
            for word in bytes.windows(8).step_by(step) {
                let mut value = [0; 8];
                value.copy_from_slice(word);
                note(u64::from_le_bytes(value), &mut work);
            }
        }
        (live - held) as u32
    }
}
