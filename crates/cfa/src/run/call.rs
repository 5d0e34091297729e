//! Calls and returns, lives of local objects, arguments of variable number.

use super::code::{ArgumentCode, CallCode, CalleeCode, Class, Code, Home, NONE, PlaceCode, Reg};
use super::machine::{Frame, List, Machine, Value, join, read};
use super::memory::Kind;
use super::outcome::{Arbitrary, CheckKind};
use super::trap::Trap;
use crate::{Function, ScalarType, arith};
use parallax_base::Id;

const ACCESS: Trap = Trap::Undefined(CheckKind::Access);

impl<'m> Machine<'m, '_> {
    /// The function at an address.
    pub(crate) fn callee(&self, address: u64) -> Option<Id<Function>> {
        let number = address.checked_sub(super::FUNCTIONS)?;
        let index = (number / super::FUNCTION_ROOM) as usize;
        let known = index < self.shared.program.functions.len();
        (known && number.is_multiple_of(super::FUNCTION_ROOM)).then(|| Id::new(index))
    }

    /// Begins a call; whether there is code to run.
    pub(crate) fn call(&mut self, call: &CallCode) -> Result<bool, Trap> {
        let function = match call.callee {
            CalleeCode::Direct(function) => function,
            CalleeCode::Indirect(reg) => {
                let address = self.get(reg);
                self.callee(address).ok_or(Trap::Undefined(CheckKind::Callable))?
            }
        };
        if !self.shared.program.functions[function].is_defined {
            return self.external(function, call);
        }
        let shared = self.shared;
        let code = shared.code(function);
        let (base, slots) = (self.base, self.slots);
        self.enter(Some(function), code)?;
        for (position, argument) in call.arguments.iter().enumerate() {
            let home = code.parameters.get(position).copied();
            self.pass(home, *argument, base, slots)?;
        }
        Ok(true)
    }

    /// Opens a frame for a function.
    pub(crate) fn enter(
        &mut self,
        function: Option<Id<Function>>,
        code: &'m Code,
    ) -> Result<(), Trap> {
        if self.frames.len() >= self.shared.options.max_depth {
            return Err(Trap::DepthLimit);
        }
        let base = match self.frames.last() {
            Some(frame) => frame.base + frame.code.template.len(),
            None => 0,
        };
        let top = self.frames.last().map_or(self.memory.stack_top, |frame| frame.low);
        let low = top.wrapping_sub(code.frame_bytes + 32) & !15;
        if low < self.memory.stack_end || low > top {
            return Err(Trap::DepthLimit);
        }
        let end = base + code.template.len();
        if self.registers.len() < end {
            self.registers.resize(end.max(1024) * 2, 0);
        }
        self.registers[base..end].copy_from_slice(&code.template);
        self.base = base;
        self.slots = self.memory.slots.len();
        self.memory.slots.resize(self.slots + code.slots.len(), 0);
        self.frames.push(Frame {
            function,
            code,
            pc: 0,
            base,
            slots: self.slots,
            extra: self.memory.extra.len(),
            lists: self.lists.len(),
            top,
            low,
            rest: Vec::new(),
            edge: 0,
            goes_on: false,
        });
        if code.has_entry_slots {
            for (slot, variable) in code.slots.iter().enumerate() {
                if variable.from_entry {
                    self.live(slot as u32, None)?;
                }
            }
        }
        Ok(())
    }

    /// Passes an argument of a caller to the innermost call.
    fn pass(
        &mut self,
        home: Option<Home>,
        argument: ArgumentCode,
        base: usize,
        slots: usize,
    ) -> Result<(), Trap> {
        match argument {
            ArgumentCode::Scalar(reg, ty) => {
                let at = base + reg as usize;
                let high = if super::code::class_of(ty) == Class::One {
                    0
                } else {
                    self.registers[at + 1]
                };
                self.pass_scalar(home, ty, [self.registers[at], high])
            }
            ArgumentCode::Aggregate(place) => {
                let caller = self.frames.len() - 2;
                let place = self.frames[caller].code.places[place as usize];
                let inner = (self.base, self.slots);
                (self.base, self.slots) = (base, slots);
                let from = self.resolve(&place);
                (self.base, self.slots) = inner;
                let from = from?;
                match home {
                    Some(Home::Slot(slot)) => {
                        self.live(slot, None)?;
                        let to = self.slot_object(slot)?;
                        self.copy((to, 0), from, place.size)
                    }
                    Some(Home::Register(..)) => Err(Trap::Undefined(CheckKind::Callable)),
                    None => {
                        let blob = self.take(from, place.size)?;
                        self.pass_rest(Value::Record(blob));
                        Ok(())
                    }
                }
            }
        }
    }

    pub(crate) fn pass_rest(&mut self, value: Value) {
        if let Some(frame) = self.frames.last_mut() {
            frame.rest.push(value);
        }
    }

    /// Passes a scalar to the innermost call.
    pub(crate) fn pass_scalar(
        &mut self,
        home: Option<Home>,
        ty: ScalarType,
        value: [u64; 2],
    ) -> Result<(), Trap> {
        match home {
            Some(Home::Register(reg, class)) => {
                self.set(reg, value[0]);
                if class != Class::One {
                    self.set(reg + 1, value[1]);
                }
                Ok(())
            }
            Some(Home::Slot(slot)) => {
                self.live(slot, None)?;
                let object = self.slot_object(slot)?;
                let word = self.memory.word;
                let object = &mut self.memory.objects[object];
                let bits = join(ty, value).to_le_bytes();
                let size = (ty.bits().div_ceil(8) as usize).min(object.bytes.len());
                object.bytes[..size].copy_from_slice(&bits[..size]);
                object.note_write(0, size, word);
                if ty.is_pointer() {
                    object.note_pointer(0, value[1], word);
                }
                Ok(())
            }
            None => {
                self.pass_rest(Value::Scalar(ty, value));
                Ok(())
            }
        }
    }

    pub(crate) fn slot_object(&self, slot: u32) -> Result<usize, Trap> {
        let provenance = self.memory.slots[self.slots + slot as usize];
        self.memory.owner(provenance).map(|index| index as usize).ok_or(ACCESS)
    }

    /// Closes the innermost frame.
    pub(crate) fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        for slot in frame.slots..self.memory.slots.len() {
            if let Some(object) = self.memory.owner(self.memory.slots[slot]) {
                self.memory.destroy(object);
            }
        }
        self.memory.slots.truncate(frame.slots);
        while self.memory.extra.len() > frame.extra {
            if let Some(object) = self.memory.extra.pop() {
                self.memory.destroy(object);
            }
        }
        self.lists.truncate(frame.lists);
        if let Some(frame) = self.frames.last() {
            self.base = frame.base;
            self.slots = frame.slots;
            self.edge = frame.edge;
        }
    }

    /// Puts the value of the last return where the call wants it.
    pub(crate) fn take_result(&mut self, call: &CallCode) {
        if call.result != NONE
            && let Some(ty) = call.ty
        {
            self.set(call.result, self.returned[0]);
            if super::code::class_of(ty) != Class::One {
                self.set(call.result + 1, self.returned[1]);
            }
        }
    }

    /// A local object begins to live; one that lives already begins anew.
    pub(crate) fn live(&mut self, slot: u32, size: Option<u64>) -> Result<(), Trap> {
        self.dead(slot);
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let variable = frame.code.slots[slot as usize];
        let (address, size) = match size {
            None => (frame.top - variable.depth, variable.size),
            Some(size) => {
                // Its room is taken below everything else and given back when
                // it ends as the last.
                if size > self.shared.options.max_memory {
                    return Err(Trap::MemoryLimit);
                }
                let address = frame.low.wrapping_sub(size + 16) & !15;
                if address < self.memory.stack_end || address > frame.low {
                    return Err(Trap::DepthLimit);
                }
                frame.low = address;
                (address, size)
            }
        };
        let index = self.memory.create(address, size, Kind::Stack)?;
        self.memory.slots[self.slots + slot as usize] = self.memory.provenance(index);
        let object = &mut self.memory.objects[index as usize];
        object.variable = Some(variable.variable);
        if !self.memory.lazy {
            self.oracle.contents(Arbitrary::Variable(variable.variable), &mut object.bytes);
        }
        Ok(())
    }

    /// A local object ends.
    pub(crate) fn dead(&mut self, slot: u32) {
        let at = self.slots + slot as usize;
        let provenance = std::mem::take(&mut self.memory.slots[at]);
        if provenance == 0 {
            return;
        }
        if let Some(index) = self.memory.owner(provenance) {
            let object = &self.memory.objects[index as usize];
            let (address, size) = (object.address, object.bytes.len() as u64);
            self.memory.destroy(index);
            if let Some(frame) = self.frames.last_mut()
                && frame.low == address
                && frame.code.slots[slot as usize].size == 0
            {
                frame.low = (address + size + 16).next_multiple_of(16).min(frame.top);
            }
        }
    }

    /// `malloc` or `alloca`.
    pub(crate) fn allocate(&mut self, size: u64, local: bool) -> Result<[u64; 2], Trap> {
        let origin = self.position();
        let index = if local {
            let Some(frame) = self.frames.last_mut() else { return Err(Trap::Stuck) };
            let address = frame.low.wrapping_sub(size.wrapping_add(16)) & !15;
            if address < self.memory.stack_end || address > frame.low {
                return Err(Trap::DepthLimit);
            }
            frame.low = address;
            let index = self.memory.create(address, size, Kind::Stack)?;
            self.memory.extra.push(index);
            index
        } else {
            self.memory.allocate(size, origin)?
        };
        let object = &mut self.memory.objects[index as usize];
        if !self.memory.lazy {
            self.oracle.contents(Arbitrary::Allocated, &mut object.bytes);
        }
        let address = object.address;
        Ok([address, self.memory.provenance(index)])
    }

    /// Whether all bytes of a place were written.
    pub(crate) fn check_written(&self, place: &PlaceCode) -> Result<(), Trap> {
        let (object, offset) = self.resolve(place)?;
        let object = &self.memory.objects[object];
        let size = if place.size == 16 || place.size == 12 { 10 } else { place.size as usize };
        match object.written.get(offset..offset.saturating_add(size)) {
            Some(written) if written.iter().all(|w| *w) => Ok(()),
            None if object.written.is_empty() => Ok(()),
            _ => Err(Trap::Undefined(CheckKind::Initialized)),
        }
    }

    /// `va_start`: the list names the arguments of this call.
    pub(crate) fn start_list(&mut self, a: Reg) -> Result<(), Trap> {
        self.lists.push(List { frame: self.frames.len() - 1, next: 0 });
        self.write_list(a, self.lists.len() as u32)
    }

    fn write_list(&mut self, a: Reg, number: u32) -> Result<(), Trap> {
        let (address, provenance) = self.pointer(a);
        let (index, offset) = self.memory.locate(address, provenance)?;
        let word = self.memory.word;
        let object = &mut self.memory.objects[index];
        let end = offset.checked_add(4).ok_or(ACCESS)?;
        let bytes = object.bytes.get_mut(offset..end).ok_or(ACCESS)?;
        bytes.copy_from_slice(&number.to_le_bytes());
        object.note_write(offset, 4, word);
        Ok(())
    }

    /// The list a pointer points to.
    fn list(&mut self, pointer: (u64, u64)) -> Result<&mut List, Trap> {
        let (index, offset) = self.memory.locate(pointer.0, pointer.1)?;
        let number = u32::from_le_bytes(read(&self.memory.objects[index].bytes, offset)?);
        self.lists.get_mut((number as usize).wrapping_sub(1)).ok_or(ACCESS)
    }

    /// `va_copy`.
    pub(crate) fn copy_list(&mut self, to: Reg, from: Reg) -> Result<(), Trap> {
        let copy = *self.list(self.pointer(from))?;
        self.lists.push(copy);
        self.write_list(to, self.lists.len() as u32)
    }

    /// The next argument of a list.
    pub(crate) fn next_value(&mut self, pointer: (u64, u64)) -> Result<Value, Trap> {
        let list = self.list(pointer)?;
        let at = *list;
        list.next += 1;
        self.frames.get(at.frame).and_then(|f| f.rest.get(at.next)).cloned().ok_or(ACCESS)
    }

    /// `va_arg` of a scalar type.
    pub(crate) fn next_scalar(&mut self, d: Reg, a: Reg, ty: ScalarType) -> Result<(), Trap> {
        let Value::Scalar(given, value) = self.next_value(self.pointer(a))? else {
            return Err(ACCESS);
        };
        if given.is_pointer() && ty.is_pointer() {
            self.set_pair(d, value);
        } else {
            // The same bits, read as the other type.
            self.set_bits(d, ty, arith::wrap(ty, join(given, value)));
        }
        Ok(())
    }

    /// `va_arg` of a record type.
    pub(crate) fn next_record(&mut self, place: &PlaceCode, a: Reg) -> Result<(), Trap> {
        let Value::Record(blob) = self.next_value(self.pointer(a))? else { return Err(ACCESS) };
        let to = self.resolve(place)?;
        self.put(to, &blob)
    }
}
