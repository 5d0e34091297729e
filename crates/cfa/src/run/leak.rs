//! Heap objects that are still alive when a run ends.

use super::machine::Machine;
use super::outcome::Leak;

impl Machine<'_, '_> {
    /// All live heap objects in order of allocation, and whether pointers in
    /// static variables or open calls still lead to them.
    pub(crate) fn leaks(&self) -> Vec<Leak> {
        let memory = &self.memory;
        if memory.heap.is_empty() {
            return Vec::new();
        }
        let mut reached = vec![false; memory.objects.len()];
        let mut work: Vec<usize> = Vec::new();
        for (index, object) in memory.objects.iter().enumerate() {
            if object.live && object.kind != super::memory::Kind::Heap {
                reached[index] = true;
                work.push(index);
            }
        }
        // Registers hold pointers as pairs: address, then provenance.
        let open = self.frames.last().map_or(0, |f| f.base + f.code.template.len());
        let registers = [&self.globals[..], &self.registers[..open.min(self.registers.len())]];
        for cells in registers.into_iter().chain(self.threads.parked_registers()) {
            for pair in cells.windows(2) {
                if let Some(index) = memory.owner(pair[1])
                    && memory.objects[index as usize].holds(pair[0])
                {
                    mark(index as usize, &mut reached, &mut work);
                }
            }
        }
        // What was given away may still be known where it went.
        for provenance in self.known.objects() {
            if let Some(index) = memory.owner(provenance) {
                mark(index as usize, &mut reached, &mut work);
            }
        }
        while let Some(index) = work.pop() {
            let object = &memory.objects[index];
            for provenance in &object.words {
                if let Some(target) = memory.owner(*provenance) {
                    mark(target as usize, &mut reached, &mut work);
                }
            }
        }
        let mut live: Vec<usize> = memory.heap.values().map(|index| *index as usize).collect();
        live.sort_by_key(|index| memory.objects[*index].serial);
        live.into_iter()
            .map(|index| Leak {
                origin: memory.objects[index].origin,
                size: memory.objects[index].bytes.len() as u64,
                reachable: reached[index],
            })
            .collect()
    }
}

fn mark(index: usize, reached: &mut [bool], work: &mut Vec<usize>) {
    if !std::mem::replace(&mut reached[index], true) {
        work.push(index);
    }
}
