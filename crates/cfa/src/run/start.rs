//! The state before `main`: static objects with their first contents, and the
//! arguments of `main`.

use super::code::Code;
use super::machine::Machine;
use super::memory::Memory;
use super::outcome::{Arbitrary, CheckKind};
use super::shared::{Shared, StaticHome};
use super::trap::Trap;
use crate::{Function, Initial, ScalarType, Variable, arith};
use parallax_base::Id;

/// What the pointers `stdin`, `stdout` and `stderr` of the C library are.
const STANDARD_INPUT: u64 = 0x1000;
const STANDARD_OUTPUT: u64 = 0x1010;
pub(crate) const STANDARD_ERROR: u64 = 0x1020;

/// Static memory and registers before `main`, the same for all runs.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(crate) memory: Memory,
    pub(crate) globals: Vec<u64>,
}

impl Image {
    /// Static objects, all zero.
    pub(crate) fn empty(shared: &Shared<'_>) -> Result<Image, Trap> {
        let options = &shared.options;
        let track = options.checks.contains(CheckKind::Initialized);
        let lazy = options.lazy && !track;
        let mut memory = Memory::new(shared.program.types.model, options.max_memory, track || lazy);
        memory.lazy = lazy;
        for (size, align, _) in &shared.objects {
            let index = memory.create_static(*size, *align)?;
            memory.objects[index as usize].written.fill(true);
        }
        for (variable, home) in shared.statics.iter().enumerate() {
            if let StaticHome::Object(index) = home {
                memory.objects[*index as usize].variable = Some(Id::new(variable));
            }
        }
        Ok(Image { memory, globals: vec![0; shared.globals as usize] })
    }
}

impl<'m> Machine<'m, '_> {
    /// Runs the constant initializers.
    pub(crate) fn initialize(&mut self, code: &'m Code) -> Result<(), Trap> {
        self.enter(None, code)?;
        self.execute(1, &mut ())?;
        self.steps = 0;
        for (index, (_, _, read_only)) in self.shared.objects.iter().enumerate() {
            self.memory.objects[index].read_only = *read_only;
        }
        Ok(())
    }

    /// Gives variables that are defined nowhere their arbitrary contents.
    pub(crate) fn choose_externals(&mut self) -> Result<(), Trap> {
        let program = self.shared.program;
        for (variable, initial) in &program.initials {
            if matches!(initial, Initial::Arbitrary) {
                self.choose_external(*variable)?;
            }
        }
        Ok(())
    }

    fn choose_external(&mut self, variable: Id<Variable>) -> Result<(), Trap> {
        let stream = match &*self.shared.program.variables[variable].name {
            "stdin" => Some(STANDARD_INPUT),
            "stdout" => Some(STANDARD_OUTPUT),
            "stderr" => Some(STANDARD_ERROR),
            _ => None,
        };
        let what = Arbitrary::Variable(variable);
        match self.shared.statics[variable.index()] {
            StaticHome::Register(at, _) => {
                let ty = self.shared.scalar(variable).unwrap_or(ScalarType::INT);
                let bits = match stream {
                    Some(address) => u128::from(address),
                    None => arith::wrap(ty, self.oracle.arbitrary(what, ty).bits),
                };
                self.admit(ty, bits)?;
                self.globals[at as usize] = bits as u64;
                if ty.bits() > 64 {
                    self.globals[at as usize + 1] = (bits >> 64) as u64;
                }
            }
            StaticHome::Object(_) | StaticHome::Thread(_) => {
                let index = match self.shared.statics[variable.index()] {
                    StaticHome::Thread(number) => self.threads.objects[number as usize],
                    StaticHome::Object(index) => index,
                    _ => return Ok(()),
                };
                let word = self.memory.word;
                self.know(index);
                let object = &mut self.memory.objects[index as usize];
                object.variable = Some(variable);
                match stream {
                    Some(address) if object.bytes.len() == word => {
                        object.bytes.copy_from_slice(&address.to_le_bytes()[..word]);
                    }
                    _ if self.memory.lazy => object.written.fill(false),
                    _ => self.oracle.contents(what, &mut object.bytes),
                }
            }
            StaticHome::None => {}
        }
        Ok(())
    }

    /// Opens the call of `main` with the arguments of the options.
    pub(crate) fn enter_main(&mut self, main: Id<Function>) -> Result<(), Trap> {
        let shared = self.shared;
        let code = shared.code(main);
        let arguments = &shared.options.arguments;
        let word = self.memory.word;
        let mut pointers = Vec::new();
        if code.parameters.len() > 1 {
            for argument in arguments {
                let index = self.memory.create_static(argument.len() as u64 + 1, 1)?;
                let object = &mut self.memory.objects[index as usize];
                object.bytes[..argument.len()].copy_from_slice(argument);
                object.written.fill(true);
                pointers.push((object.address, self.memory.provenance(index)));
            }
        }
        let vector = self.memory.create_static(((pointers.len() + 1) * word) as u64, 16)?;
        let object = &mut self.memory.objects[vector as usize];
        for (position, (address, provenance)) in pointers.iter().enumerate() {
            let at = position * word;
            object.bytes[at..at + word].copy_from_slice(&address.to_le_bytes()[..word]);
            object.note_pointer(at, *provenance, word);
        }
        object.written.fill(true);
        let start = object.address;
        let end = start + (pointers.len() * word) as u64;
        let provenance = self.memory.provenance(vector);
        self.enter(Some(main), code)?;
        let pointer = ScalarType::Pointer { bits: word as u32 * 8 };
        let values = [
            (ScalarType::INT, [arguments.len() as u64, 0]),
            (pointer, [start, provenance]),
            // The environment is empty: it starts at the null that ends the arguments.
            (pointer, [end, provenance]),
        ];
        for (home, (ty, value)) in code.parameters.iter().zip(values) {
            self.pass_scalar(Some(*home), ty, value)?;
        }
        Ok(())
    }
}
