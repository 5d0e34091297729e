//! Code that nobody knows: calls of functions that neither the program nor the
//! library defines.
//!
//! Such code knows the objects it was given pointers to, now or in an earlier
//! call, all that pointers in them lead to, and the variables that the program
//! declares and does not define. It may overwrite them, and call the functions
//! among them. What it does is up to the oracle.
//!
//! A call goes on until the oracle has it return: whenever a function that it
//! called returns, the instruction of the call is executed again.

use super::code::{ArgumentCode, CallCode};
use super::machine::{Machine, Value};
use super::memory::Provenance;
use super::outcome::{Arbitrary, CheckKind};
use super::trap::Trap;
use crate::{Function, ScalarType, Type};
use parallax_base::Id;
use std::collections::BTreeSet;

/// What unknown code knows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Known {
    objects: BTreeSet<Provenance>,
    functions: BTreeSet<Id<Function>>,
}

impl Known {
    /// The objects, some of which may have ended.
    pub(crate) fn objects(&self) -> impl Iterator<Item = Provenance> + '_ {
        self.objects.iter().copied()
    }
}

impl Machine<'_, '_> {
    /// Runs unknown code that was called under a name; whether a function of
    /// the program is to run before it goes on.
    pub(crate) fn unknown(&mut self, name: &str, call: &CallCode) -> Result<bool, Trap> {
        for argument in &call.arguments {
            self.give(*argument)?;
        }
        self.spread();
        self.overwrite(name);
        let known: Vec<Id<Function>> = self.known.functions.iter().copied().collect();
        match self.oracle.call_back(&known).filter(|function| known.contains(function)) {
            Some(function) => {
                self.call_back(function)?;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Unknown code knows an object from the start.
    pub(crate) fn know(&mut self, object: u32) {
        self.known.objects.insert(self.memory.provenance(object));
    }

    fn give(&mut self, argument: ArgumentCode) -> Result<(), Trap> {
        match argument {
            ArgumentCode::Scalar(reg, ty) if ty.is_pointer() => {
                let (address, provenance) = self.pointer(reg);
                self.learn(address, provenance);
            }
            ArgumentCode::Scalar(..) => {}
            ArgumentCode::Aggregate(place) => {
                let Some(frame) = self.frames.last() else { return Err(Trap::Stuck) };
                let place = frame.code.places[place as usize];
                let from = self.resolve(&place)?;
                let blob = self.take(from, place.size)?;
                blob.words.iter().for_each(|(_, provenance)| self.learn(0, *provenance));
                for word in blob.bytes.chunks_exact(self.memory.word) {
                    self.learn_function(word);
                }
            }
        }
        Ok(())
    }

    /// A pointer becomes known.
    fn learn(&mut self, address: u64, provenance: Provenance) {
        let object = match provenance {
            0 => self.memory.find(address),
            _ => self.memory.owner(provenance),
        };
        match object {
            Some(index) => drop(self.known.objects.insert(self.memory.provenance(index))),
            None => self.learn_function(&address.to_le_bytes()),
        }
    }

    fn learn_function(&mut self, word: &[u8]) {
        let mut whole = [0; 8];
        whole[..word.len()].copy_from_slice(word);
        let function = self.callee(u64::from_le_bytes(whole));
        let functions = &self.shared.program.functions;
        self.known.functions.extend(function.filter(|f| functions[*f].can_be_called_back()));
    }

    /// What the known objects lead to is known as well.
    fn spread(&mut self) {
        let mut open: Vec<Provenance> = self.known.objects().collect();
        while let Some(provenance) = open.pop() {
            let Some(index) = self.memory.owner(provenance) else {
                self.known.objects.remove(&provenance);
                continue;
            };
            let object = &self.memory.objects[index as usize];
            for inner in object.words.iter().filter(|inner| **inner != 0) {
                if self.known.objects.insert(*inner) {
                    open.push(*inner);
                }
            }
            let word = self.memory.word;
            let addresses: Vec<Vec<u8>> =
                object.bytes.chunks_exact(word).map(<[u8]>::to_vec).collect();
            addresses.iter().for_each(|address| self.learn_function(address));
        }
    }

    /// Unknown code leaves something in the objects it knows.
    fn overwrite(&mut self, name: &str) {
        let known: Vec<Provenance> = self.known.objects().collect();
        for provenance in known {
            let Some(index) = self.memory.owner(provenance) else { continue };
            let lazy = self.memory.lazy;
            let object = &mut self.memory.objects[index as usize];
            if object.read_only || object.bytes.is_empty() {
                continue;
            }
            if lazy {
                object.bytes.fill(0);
                object.written = vec![false; object.bytes.len()];
                object.words.clear();
            } else if self.oracle.overwrite(name, &mut object.bytes) {
                object.written.fill(true);
                object.words.clear();
            }
        }
    }

    /// Opens a call with arbitrary arguments. When it returns, the calling
    /// instruction is executed again.
    fn call_back(&mut self, function: Id<Function>) -> Result<(), Trap> {
        if let Some(frame) = self.frames.last_mut() {
            (frame.pc, frame.goes_on) = (frame.pc - 1, true);
        }
        let shared = self.shared;
        let program = shared.program;
        let code = shared.code(function);
        self.enter(Some(function), code)?;
        for (position, parameter) in program.functions[function].parameters.iter().enumerate() {
            let home = code.parameters.get(position).copied();
            let ty = program.variables[*parameter].ty;
            match program.types.scalar(ty) {
                Some(scalar) => self.pass_arbitrary(home, scalar)?,
                None => self.pass_record(home, ty)?,
            }
        }
        Ok(())
    }

    fn pass_arbitrary(
        &mut self,
        home: Option<super::code::Home>,
        ty: ScalarType,
    ) -> Result<(), Trap> {
        let bits = crate::arith::wrap(ty, self.oracle.arbitrary(Arbitrary::Argument, ty).bits);
        self.admit(ty, bits)?;
        let high = if ty.is_pointer() { 0 } else { (bits >> 64) as u64 };
        self.pass_scalar(home, ty, [bits as u64, high])
    }

    fn pass_record(&mut self, home: Option<super::code::Home>, ty: Id<Type>) -> Result<(), Trap> {
        let size = self.shared.program.types.size_of(ty).unwrap_or(0);
        let mut blob = super::machine::Blob { bytes: vec![0; size as usize], ..Default::default() };
        self.oracle.contents(Arbitrary::Argument, &mut blob.bytes);
        match home {
            Some(super::code::Home::Slot(slot)) => {
                self.live(slot, None)?;
                let to = self.slot_object(slot)?;
                self.put((to, 0), &blob)
            }
            Some(_) => Err(Trap::Undefined(CheckKind::Callable)),
            None => {
                self.pass_rest(Value::Record(blob));
                Ok(())
            }
        }
    }
}
