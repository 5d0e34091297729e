//! Several threads: who runs, who waits, and what each has of its own.
//!
//! The state of the thread that runs is in the machine itself; those of the
//! others are parked. In programs with threads every location has an
//! instruction `Turn`, where the oracle may let another thread go on; it is
//! asked only if more than one can. The first of its ways is to stay with the
//! thread that runs, so an oracle that always takes the first runs a thread
//! until it waits or ends; then come the others in the order of their numbers,
//! from the next one on. Programs without threads have no such instruction.
//!
//! A thread that waits does not ask the processor again and again: it is no
//! candidate until what it waits for has come. If nobody can move, the run ends
//! with [`super::Outcome::Deadlock`]; waiting inside of an atomic section is a
//! deadlock at once.

use super::alone::Accesses;
use super::machine::{Frame, List, Machine, read};
use super::memory::{Object, Provenance};
use super::outcome::CheckKind;
use super::trap::Trap;
use crate::{ScalarType, arith};

const ACCESS: Trap = Trap::Undefined(CheckKind::Access);

/// What a thread waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wait {
    /// Nothing: it can move.
    Nothing,
    /// That the `int` at this pointer is zero.
    Cell((u64, Provenance)),
    /// That the thread of this number has ended.
    Thread(u64),
}

/// A thread. While it runs, all but its number is in the machine.
#[derive(Debug)]
struct Thread<'m> {
    registers: Vec<u64>,
    frames: Vec<Frame<'m>>,
    base: usize,
    slots: usize,
    lists: Vec<List>,
    edge: u32,
    objects: Vec<u32>,
    wait: Wait,
    /// The condition it sleeps on.
    asleep: Option<(u64, Provenance)>,
    /// Its result, when it has ended.
    result: Option<[u64; 2]>,
}

impl Thread<'_> {
    fn new() -> Self {
        Thread {
            registers: Vec::new(),
            frames: Vec::new(),
            base: 0,
            slots: 0,
            lists: Vec::new(),
            edge: 0,
            objects: Vec::new(),
            wait: Wait::Nothing,
            asleep: None,
            result: None,
        }
    }
}

/// All threads of a run.
#[derive(Debug)]
pub(crate) struct Threads<'m> {
    /// The thread that runs.
    pub(crate) current: usize,
    /// The objects of its own static variables.
    pub(crate) objects: Vec<u32>,
    all: Vec<Thread<'m>>,
    /// How many have not ended.
    alive: usize,
    /// How many atomic sections are open.
    atomic: u32,
    /// Whether the running thread would rather have others move.
    yields: bool,
    /// The static variables of a thread before it begins.
    first: Vec<Object>,
    /// Room for the threads that can move.
    ways: Vec<usize>,
    /// What threads accessed, where somebody asks.
    pub(crate) accesses: Accesses,
}

impl Threads<'_> {
    /// The one thread of `main`.
    pub(crate) fn new(objects: Vec<u32>) -> Self {
        Threads {
            current: 0,
            objects,
            all: vec![Thread::new()],
            alive: 1,
            atomic: 0,
            yields: false,
            first: Vec::new(),
            ways: Vec::new(),
            accesses: Accesses::default(),
        }
    }

    /// Whether another thread may go on.
    #[inline]
    pub(crate) fn may_switch(&self) -> bool {
        self.alive > 1 && self.atomic == 0
    }

    /// Begins an atomic section.
    pub(crate) fn begin_atomic(&mut self) {
        self.atomic += 1;
    }

    /// Ends the innermost atomic section.
    pub(crate) fn end_atomic(&mut self) {
        self.atomic = self.atomic.saturating_sub(1);
        self.release();
    }

    /// Whether the running thread is in an atomic section.
    pub(crate) fn is_atomic(&self) -> bool {
        self.atomic > 0
    }

    /// What others do after they have seen what the running thread does now is
    /// ordered after all it did.
    pub(crate) fn release(&mut self) {
        self.accesses.release(self.current);
    }

    /// The running thread gives way at its next location.
    pub(crate) fn give_way(&mut self) {
        self.yields = true;
    }

    /// Whether a thread has yet to end.
    pub(crate) fn is_running(&self, number: u64) -> bool {
        let thread = usize::try_from(number).ok().and_then(|number| self.all.get(number));
        thread.is_some_and(|thread| thread.result.is_none())
    }

    /// The result of a thread that has ended, or null.
    pub(crate) fn result(&self, number: u64) -> [u64; 2] {
        let thread = usize::try_from(number).ok().and_then(|number| self.all.get(number));
        thread.and_then(|thread| thread.result).unwrap_or([0; 2])
    }

    /// The registers of the threads that do not run.
    pub(crate) fn parked_registers(&self) -> impl Iterator<Item = &[u64]> {
        self.all.iter().map(|thread| {
            let open = thread.frames.last().map_or(0, |f| f.base + f.code.template.len());
            &thread.registers[..open.min(thread.registers.len())]
        })
    }
}

impl<'m> Machine<'m, '_> {
    /// Notes what the static variables of a thread hold before it begins.
    pub(crate) fn note_first(&mut self) {
        let objects = self.threads.objects.iter();
        self.threads.first =
            objects.map(|index| self.memory.objects[*index as usize].clone()).collect();
    }

    /// Lets another thread run.
    fn switch(&mut self, to: usize) {
        let from = self.threads.current;
        if from == to {
            return;
        }
        self.exchange(from);
        self.exchange(to);
        self.memory.switch_stack(from, to);
        self.threads.current = to;
    }

    /// Exchanges the state in the machine with the parked one.
    fn exchange(&mut self, number: usize) {
        let thread = &mut self.threads.all[number];
        std::mem::swap(&mut self.registers, &mut thread.registers);
        std::mem::swap(&mut self.frames, &mut thread.frames);
        std::mem::swap(&mut self.base, &mut thread.base);
        std::mem::swap(&mut self.slots, &mut thread.slots);
        std::mem::swap(&mut self.lists, &mut thread.lists);
        std::mem::swap(&mut self.edge, &mut thread.edge);
        std::mem::swap(&mut self.threads.objects, &mut thread.objects);
    }

    /// Where the running thread goes on when it runs again.
    fn park(&mut self, pc: usize) {
        let edge = self.edge;
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = pc;
            frame.edge = edge;
        }
    }

    /// A location: another thread may go on. Whether one does.
    pub(crate) fn turn(&mut self, pc: usize) -> Result<bool, Trap> {
        let from = self.threads.current;
        self.park(pc);
        let yields = std::mem::take(&mut self.threads.yields);
        self.pick(yields)?;
        Ok(self.threads.current != from)
    }

    /// The running thread cannot go on; it tries again from `pc` on.
    pub(crate) fn block(&mut self, pc: usize, wait: Wait) -> Result<(), Trap> {
        if self.threads.atomic > 0 {
            return Err(Trap::Deadlock);
        }
        self.park(pc);
        let current = self.threads.current;
        self.threads.all[current].wait = wait;
        self.pick(false)
    }

    /// Asks who goes on.
    fn pick(&mut self, yields: bool) -> Result<(), Trap> {
        let (current, count) = (self.threads.current, self.threads.all.len());
        let order = usize::from(yields)..count + usize::from(yields);
        let mut ways = std::mem::take(&mut self.threads.ways);
        ways.clear();
        ways.extend(order.map(|at| (current + at) % count).filter(|t| self.can_move(*t)));
        let chosen = match ways.len() {
            0 => return Err(Trap::Deadlock),
            1 => 0,
            count => self.oracle.turn(&ways).min(count - 1),
        };
        let next = ways[chosen];
        self.threads.ways = ways;
        self.threads.all[next].wait = Wait::Nothing;
        self.switch(next);
        Ok(())
    }

    /// The running thread falls asleep; nobody has to wait for that.
    pub(crate) fn sleep(&mut self, condition: (u64, Provenance)) {
        let current = self.threads.current;
        self.threads.all[current].asleep = Some(condition);
    }

    /// The running thread wakes up. If nobody has woken it, and nobody else can move
    /// who does not sleep, that was a deadlock.
    pub(crate) fn rise(&mut self) -> Result<(), Trap> {
        let current = self.threads.current;
        let slept = self.threads.all[current].asleep.take().is_some();
        let mut others = (0..self.threads.all.len()).filter(|other| *other != current);
        let is_alone =
            !others.any(|other| self.threads.all[other].asleep.is_none() && self.can_move(other));
        if self.shared.options.deadlocks && slept && is_alone {
            return Err(Trap::Deadlock);
        }
        Ok(())
    }

    /// Wakes a thread that sleeps on a condition, or all of them.
    pub(crate) fn wake(&mut self, condition: (u64, Provenance), thread: Option<u64>) {
        let sleeps = |thread: &Thread<'_>| thread.asleep.is_some_and(|c| c.0 == condition.0);
        let one = thread.and_then(|number| usize::try_from(number).ok());
        let one = one.and_then(|number| self.threads.all.get_mut(number)).filter(|t| sleeps(t));
        match one {
            Some(thread) => thread.asleep = None,
            None => {
                let all = self.threads.all.iter_mut().filter(|t| sleeps(t));
                all.for_each(|thread| thread.asleep = None);
            }
        }
    }

    /// What a lock holds that the running thread has taken.
    pub(crate) fn mark(&self) -> i32 {
        match self.shared.options.checks.contains(CheckKind::Lock) {
            true => self.threads.current as i32 + 1,
            false => 1,
        }
    }

    fn can_move(&self, number: usize) -> bool {
        let thread = &self.threads.all[number];
        thread.result.is_none()
            && match thread.wait {
                Wait::Nothing => true,
                // A cell that is gone is for the thread itself to find out.
                Wait::Cell(pointer) => !matches!(self.cell(pointer), Ok(value) if value != 0),
                Wait::Thread(number) => !self.threads.is_running(number),
            }
    }

    /// The `int` at a pointer.
    pub(crate) fn cell(&self, pointer: (u64, Provenance)) -> Result<i32, Trap> {
        let (object, offset) = self.memory.locate(pointer.0, pointer.1)?;
        Ok(i32::from_le_bytes(read(&self.memory.objects[object].bytes, offset)?))
    }

    /// Sets the `int` at a pointer.
    pub(crate) fn set_cell(&mut self, pointer: (u64, Provenance), value: i32) -> Result<(), Trap> {
        let (index, offset) = self.memory.locate(pointer.0, pointer.1)?;
        let word = self.memory.word;
        let object = &mut self.memory.objects[index];
        let end = offset.checked_add(4).ok_or(ACCESS)?;
        let bytes = object.bytes.get_mut(offset..end).ok_or(ACCESS)?;
        if object.read_only {
            return Err(ACCESS);
        }
        bytes.copy_from_slice(&value.to_le_bytes());
        object.note_write(offset, 4, word);
        Ok(())
    }

    /// Makes a thread that calls a function; its number.
    pub(crate) fn spawn(&mut self, start: u64, argument: [u64; 2]) -> Result<u64, Trap> {
        let function = self.callee(start).ok_or(Trap::Undefined(CheckKind::Callable))?;
        let shared = self.shared;
        if !shared.program.functions[function].is_defined {
            return Err(Trap::Foreign("a thread that starts in an undefined function"));
        }
        let mut objects = Vec::with_capacity(self.threads.first.len());
        for (position, first) in self.threads.first.iter().enumerate() {
            let (size, align, _) = shared.objects[shared.thread_objects[position] as usize];
            let index = self.memory.create_static(size, align)?;
            let object = &mut self.memory.objects[index as usize];
            object.bytes.clone_from(&first.bytes);
            object.written.clone_from(&first.written);
            object.words.clone_from(&first.words);
            objects.push(index);
        }
        self.threads.release();
        let number = self.threads.all.len();
        self.threads.all.push(Thread { objects, ..Thread::new() });
        self.threads.alive += 1;
        self.memory.add_stack()?;
        let code = shared.code(function);
        let parent = self.threads.current;
        self.switch(number);
        self.enter(Some(function), code)?;
        let pointer = ScalarType::Pointer { bits: self.memory.word as u32 * 8 };
        let parameter = shared.program.functions[function].parameters.first();
        let ty = parameter.and_then(|parameter| shared.scalar(*parameter)).unwrap_or(pointer);
        let value = match ty {
            ScalarType::Pointer { .. } => argument,
            _ => [arith::wrap(ty, u128::from(argument[0])) as u64, 0],
        };
        self.pass_scalar(code.parameters.first().copied(), ty, value)?;
        self.switch(parent);
        Ok(number as u64)
    }

    /// Ends all calls of the running thread.
    pub(crate) fn exit_thread(&mut self, result: [u64; 2]) -> Result<(), Trap> {
        while !self.frames.is_empty() {
            self.leave();
        }
        self.end_thread(result)
    }

    /// The running thread has no calls any more; another one goes on.
    pub(crate) fn end_thread(&mut self, result: [u64; 2]) -> Result<(), Trap> {
        let current = self.threads.current;
        for object in std::mem::take(&mut self.threads.objects) {
            // Those of `main` live as long as the run.
            if current != 0 {
                self.memory.destroy(object);
            }
        }
        self.memory.free_stack();
        self.threads.release();
        self.threads.all[current].result = Some(result);
        self.threads.alive -= 1;
        self.threads.atomic = 0;
        self.threads.yields = false;
        if self.threads.alive == 0 {
            // `main` went before: the value of the run is zero.
            (self.has_returned, self.returned) = (true, [0; 2]);
            return Err(Trap::Exit);
        }
        self.pick(false)
    }
}
