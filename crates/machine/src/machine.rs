//! A run: memory, registers, open calls, and what was covered.

use crate::code::Parameter;
use crate::compile::Compiled;
use crate::cover::Coverage;
use crate::memory::{DATA, Memory, POINTER, SYMBOLIC};
use crate::symbols::{Symbols, Word};
use crate::{Snapshot, Trap, TrapPlace};
use parallax_base::Id;
use parallax_cfa::Function;

/// How many registers all open calls together have.
pub(crate) const REGISTERS: usize = 1 << 16;

/// Registers for the arguments of the outermost call.
const RESERVED: usize = 256;

/// Limits of one call.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Blocks entered.
    pub blocks: u64,
    /// Calls inside each other.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { blocks: 1_000_000, depth: 2_000 }
    }
}

/// What a call returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returned {
    /// Nothing, or a record.
    Nothing,
    /// A scalar.
    Value(Word),
}

/// An open call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) function: u32,
    pub(crate) pc: u32,
    pub(crate) base: u32,
    pub(crate) result: u16,
    pub(crate) mark: (u32, u32),
    pub(crate) outcomes: u64,
}

/// Runs calls of one program, one after the other, on one state.
pub struct Machine<'c> {
    pub(crate) compiled: &'c Compiled<'c>,
    pub(crate) memory: Memory,
    pub(crate) registers: Box<[u64; REGISTERS]>,
    /// The term in each register, or zero.
    pub(crate) tags: Vec<u32>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) base: usize,
    pub(crate) returned: u64,
    pub(crate) returned_tag: u32,
    pub(crate) has_returned: bool,
    pub(crate) record: (Vec<u8>, Vec<u8>),
    pub(crate) fuel: u64,
    pub(crate) trap_at: Option<(u32, u32)>,
    /// What was covered so far.
    pub coverage: Coverage,
    /// Limits of each call.
    pub limits: Limits,
}

impl<'c> Machine<'c> {
    /// A machine in the state before the first call.
    pub fn new(compiled: &'c Compiled<'c>) -> Machine<'c> {
        let registers: Box<[u64]> = vec![0; REGISTERS].into_boxed_slice();
        #[expect(clippy::expect_used, reason = "the slice was made with this length")]
        let registers = registers.try_into().expect("as many registers as asked for");
        Machine {
            compiled,
            memory: compiled.image.clone(),
            registers,
            tags: vec![0; REGISTERS],
            frames: Vec::new(),
            base: 0,
            returned: 0,
            returned_tag: 0,
            has_returned: false,
            record: (Vec::new(), Vec::new()),
            fuel: 0,
            trap_at: None,
            coverage: Coverage::new(compiled.map.blocks.len()),
            limits: Limits::default(),
        }
    }

    /// A copy of the state.
    pub fn save(&self) -> Snapshot {
        self.memory.save()
    }

    /// Goes back to a state.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.memory.restore(snapshot);
    }

    /// Whether the heap or a static variable was written since [`Machine::restore`].
    pub fn is_changed(&self) -> bool {
        self.memory.changed
    }

    /// Makes a heap object of this size: zeros, or bytes never written.
    pub fn allocate(&mut self, size: u64, zeroed: bool) -> Result<u64, Trap> {
        let pointer = self.memory.allocate(size)?;
        if zeroed {
            self.memory.fill(pointer, 0, size)?;
        }
        Ok(pointer)
    }

    /// Makes a static object of these bytes, before there are any on the heap.
    pub fn make_static(&mut self, bytes: &[u8]) -> Result<u64, Trap> {
        let size = bytes.len() as u64;
        let pointer = self.memory.create_static(size)?;
        let (_, at) = self.memory.find(pointer, 0, size)?;
        self.memory.region_mut(false).bytes[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(pointer)
    }

    /// The bytes of the string that a pointer leads to, without the zero.
    pub fn string(&self, pointer: u64) -> Result<Vec<u8>, Trap> {
        let mut bytes = Vec::new();
        loop {
            let [byte] = self.memory.load::<1>(pointer.wrapping_add(bytes.len() as u64), 0)?;
            if byte == 0 {
                return Ok(bytes);
            }
            bytes.push(byte);
        }
    }

    /// Where the last call ended before it returned.
    pub fn trap_place(&self) -> Option<TrapPlace> {
        let (function, pc) = self.trap_at?;
        let span = *self.compiled.codes[function as usize].spans.get(pc as usize)?;
        Some(TrapPlace { function: Id::new(function as usize), span })
    }

    /// Calls a function.
    pub fn call<S: Symbols>(
        &mut self,
        function: Id<Function>,
        arguments: &[Word],
        symbols: &mut S,
    ) -> Result<Returned, Trap> {
        self.frames.clear();
        self.base = 0;
        self.fuel = self.limits.blocks;
        self.trap_at = None;
        self.has_returned = false;
        let result = self.start::<S>(function, arguments).and_then(|()| self.execute(symbols));
        self.memory.end_call();
        result?;
        if !self.has_returned {
            return Ok(Returned::Nothing);
        }
        Ok(Returned::Value(match self.returned_tag {
            0 => Word::Known(self.returned),
            term => Word::Term(term),
        }))
    }

    fn start<S: Symbols>(
        &mut self,
        function: Id<Function>,
        arguments: &[Word],
    ) -> Result<(), Trap> {
        // The arguments wait in registers above all frames.
        let first = REGISTERS - RESERVED;
        let count = arguments.len().min(RESERVED);
        for (at, argument) in arguments.iter().take(count).enumerate() {
            let (value, tag) = match *argument {
                Word::Known(value) => (value, 0),
                Word::Term(term) => (u64::from(term), term),
            };
            self.registers[first + at] = value;
            self.tags[first + at] = tag;
        }
        self.enter::<S>(function.index() as u32, first..first + count, crate::code::NONE)
    }

    /// Opens a call; the arguments are in these registers, counted from zero.
    #[inline]
    pub(crate) fn enter<S: Symbols>(
        &mut self,
        function: u32,
        arguments: impl Iterator<Item = usize>,
        result: u16,
    ) -> Result<(), Trap> {
        let compiled = self.compiled;
        let code = &compiled.codes[function as usize];
        if !code.is_defined {
            let name = &compiled.program.functions[Id::new(function as usize)].name;
            return Err(Trap::Unsupported(format!("`{name}` is called but not defined").into()));
        }
        let caller_size = match self.frames.last() {
            Some(frame) => compiled.codes[frame.function as usize].template.len(),
            None => 0,
        };
        let base = self.base + caller_size;
        let end = base + code.template.len();
        if end > REGISTERS - RESERVED || self.frames.len() >= self.limits.depth {
            return Err(Trap::Depth);
        }
        self.registers[base..end].copy_from_slice(&code.template);
        if S::ON {
            self.tags[base..end].fill(0);
        }
        let mark = self.memory.mark();
        for (parameter, from) in code.parameters.iter().zip(arguments) {
            match *parameter {
                Parameter::Register(reg) => {
                    self.registers[base + reg as usize] = self.registers[from];
                    if S::ON {
                        self.tags[base + reg as usize] = self.tags[from];
                    }
                }
                Parameter::Object { reg, size, record } => {
                    let tag = if S::ON { self.tags[from] } else { 0 };
                    self.pass_object(base + reg as usize, size, record, from, tag)?;
                }
            }
        }
        self.frames.push(Frame { function, pc: 0, base: base as u32, result, mark, outcomes: 0 });
        self.base = base;
        Ok(())
    }

    /// A parameter that has an object.
    fn pass_object(
        &mut self,
        home: usize,
        size: u32,
        record: bool,
        from: usize,
        tag: u32,
    ) -> Result<(), Trap> {
        let pointer = self.memory.enter_local(u64::from(size))?;
        self.registers[home] = pointer;
        let value = self.registers[from];
        if record {
            return self.memory.copy(pointer, value, u64::from(size));
        }
        let shadow = match tag {
            0 if size == 8 && value >> 32 != 0 => POINTER,
            0 => DATA,
            _ => SYMBOLIC,
        };
        match size {
            1 => self.memory.store(pointer, 0, (value as u8).to_le_bytes(), shadow),
            2 => self.memory.store(pointer, 0, (value as u16).to_le_bytes(), shadow),
            4 => self.memory.store(pointer, 0, (value as u32).to_le_bytes(), shadow),
            _ => self.memory.store(pointer, 0, value.to_le_bytes(), shadow),
        }
    }
}
