//! Accesses of threads that no order keeps apart, and what is demanded of locks.
//!
//! A thread announces what it is about to access, and others may move before it
//! does. For each thread the accesses since it last released anything are kept: it
//! unlocked, ended an atomic section, started a thread, stored atomically, or ended.
//! Nobody can have learned since then what it did, so whatever another thread does
//! now has no order with these accesses (*happens before*, C11 5.1.2.4). If the two
//! conflict and one is not atomic, that is a data race.
//!
//! Not every data race of a run is found this way, for a release that nobody has seen
//! forgets; but in every program with a data race some run has one where the two
//! accesses lie next to each other (Boehm and Adve, PLDI 2008), and there it is found.

use super::machine::Machine;
use super::memory::Provenance;
use super::outcome::CheckKind;
use super::trap::Trap;
use crate::LockRule;

/// How many accesses of a thread are kept.
const ROOM: usize = 256;

/// What an access is to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Object {
    /// An object in memory, by its index.
    Memory(u32),
    /// A static variable in registers.
    Variable(u32),
}

/// An access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Access {
    /// The provenance of pointers to the object, or the variable.
    object: (bool, Provenance),
    start: u64,
    end: u64,
    write: bool,
    /// Whether it is atomic, or in an atomic section.
    atomic: bool,
}

impl Access {
    fn races(&self, other: &Access) -> bool {
        self.object == other.object
            && self.start < other.end
            && other.start < self.end
            && (self.write || other.write)
            && !(self.atomic && other.atomic)
    }
}

/// For each thread what it accessed since it last released anything.
#[derive(Debug, Default)]
pub(crate) struct Accesses(Vec<Vec<Access>>);

impl Accesses {
    /// A thread releases what it did.
    pub(crate) fn release(&mut self, thread: usize) {
        if let Some(own) = self.0.get_mut(thread) {
            own.clear();
        }
    }

    /// A thread accesses something; whether that is no race.
    fn note(&mut self, thread: usize, access: Access) -> bool {
        let mut others = self.0.iter().enumerate().filter(|(other, _)| *other != thread);
        if others.any(|(_, known)| known.iter().any(|other| other.races(&access))) {
            return false;
        }
        if self.0.len() <= thread {
            self.0.resize_with(thread + 1, Vec::new);
        }
        let own = &mut self.0[thread];
        if access.atomic && access.write {
            own.clear();
        }
        if !own.contains(&access) {
            if own.len() == ROOM {
                own.remove(0);
            }
            own.push(access);
        }
        true
    }
}

impl Machine<'_, '_> {
    /// The running thread is about to access bytes of an object.
    pub(crate) fn announce(
        &mut self,
        object: Object,
        (start, size): (u64, u64),
        write: bool,
        atomic: bool,
    ) -> Result<(), Trap> {
        let object = match object {
            Object::Memory(index) => (true, self.memory.provenance(index)),
            Object::Variable(variable) => (false, u64::from(variable)),
        };
        let atomic = atomic || self.threads.is_atomic();
        let access = Access { object, start, end: start.saturating_add(size), write, atomic };
        let thread = self.threads.current;
        match self.threads.accesses.note(thread, access) {
            true => Ok(()),
            false => Err(Trap::Undefined(CheckKind::Alone)),
        }
    }

    /// Whether a lock may be used in this way.
    pub(crate) fn check_lock(&self, cell: (u64, Provenance), rule: LockRule) -> Result<(), Trap> {
        let (state, mark) = (self.cell(cell)?, self.mark());
        let fits = match rule {
            LockRule::Mine => state == mark,
            LockRule::NotMine => state != mark,
            LockRule::Held => state != 0,
            LockRule::Free => state == 0,
        };
        if fits { Ok(()) } else { Err(Trap::Undefined(CheckKind::Lock)) }
    }
}
