//! The loop that executes.

use crate::code::{CalleeCode, Code, Instr, NONE, Reg};
use crate::machine::{Machine, REGISTERS};
use crate::memory::{DATA, POINTER, function_of};
use crate::slow::slow;
use crate::symbols::Symbols;
use crate::trap::Trap;
use parallax_base::Id;
use parallax_cfa::run::CheckKind;

/// What the symbolic part says about an instruction.
pub(crate) enum Turn {
    /// Nothing symbolic is left in it.
    Known,
    /// It is done.
    Done,
    /// It is done, and jumps.
    To(u32),
}

impl<'c> Machine<'c> {
    #[inline(always)]
    pub(crate) fn get(&self, reg: Reg) -> u64 {
        self.registers[(self.base + reg as usize) & (REGISTERS - 1)]
    }

    #[inline(always)]
    pub(crate) fn put<S: Symbols>(&mut self, reg: Reg, value: u64) {
        let at = (self.base + reg as usize) & (REGISTERS - 1);
        self.registers[at] = value;
        if S::ON {
            self.tags[at] = 0;
        }
    }

    /// Runs until the outermost call returns.
    pub(crate) fn execute<S: Symbols>(&mut self, symbols: &mut S) -> Result<(), Trap> {
        let mut pc = 0;
        let result = self.run(symbols, &mut pc);
        if result.is_err()
            && let Some(frame) = self.frames.last()
        {
            self.trap_at = Some((frame.function, (pc as u32).saturating_sub(1)));
        }
        result
    }

    fn run<S: Symbols>(&mut self, symbols: &mut S, at: &mut usize) -> Result<(), Trap> {
        let compiled = self.compiled;
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let mut code: &'c Code = &compiled.codes[frame.function as usize];
        let mut pc = 0usize;
        macro_rules! tri {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(trap) => {
                        *at = pc;
                        return Err(trap);
                    }
                }
            };
        }
        macro_rules! set {
            ($d:expr, $value:expr) => {{
                let value = $value;
                self.put::<S>($d, value);
            }};
        }
        macro_rules! jump {
            ($test:expr, $to:expr) => {
                if $test {
                    pc = $to as usize;
                }
            };
        }
        macro_rules! load {
            ($d:expr, $p:expr, $k:expr, $n:literal, |$bytes:ident| $value:expr) => {{
                let $bytes = tri!(self.memory.load::<$n>(self.get($p), $k));
                set!($d, $value);
            }};
        }
        macro_rules! store {
            ($p:expr, $k:expr, $value:expr, $shadow:expr) => {{
                let value = $value;
                tri!(self.memory.store(self.get($p), $k, value.to_le_bytes(), $shadow));
            }};
        }
        loop {
            let instr = &code.instrs[pc];
            pc += 1;
            if S::ON {
                match tri!(self.symbolic(symbols, code, *instr)) {
                    Turn::Known => {}
                    Turn::Done => continue,
                    Turn::To(to) => {
                        pc = to as usize;
                        continue;
                    }
                }
            }
            match *instr {
                Instr::Enter { block } => {
                    self.coverage.enter(block);
                    if self.fuel == 0 {
                        tri!(Err(Trap::Steps));
                    }
                    self.fuel -= 1;
                }
                Instr::Combine { block } => {
                    self.coverage.enter(block);
                    let outcomes = self.frames.last().map_or(0, |frame| frame.outcomes);
                    self.coverage.combine(block, outcomes);
                    if self.fuel == 0 {
                        tri!(Err(Trap::Steps));
                    }
                    self.fuel -= 1;
                }
                Instr::Outcome { slot, outcome } => {
                    if let Some(frame) = self.frames.last_mut() {
                        let shift = u32::from(slot) * 2;
                        frame.outcomes &= !(3 << shift);
                        frame.outcomes |= (2 | u64::from(outcome)) << shift;
                    }
                }
                Instr::Move { d, a } => set!(d, self.get(a)),
                Instr::Add32S { d, a, b } => {
                    set!(d, (self.get(a) as i32).wrapping_add(self.get(b) as i32) as u64);
                }
                Instr::Add32U { d, a, b } => {
                    set!(d, u64::from((self.get(a) as u32).wrapping_add(self.get(b) as u32)));
                }
                Instr::Add64 { d, a, b } => set!(d, self.get(a).wrapping_add(self.get(b))),
                Instr::Sub32S { d, a, b } => {
                    set!(d, (self.get(a) as i32).wrapping_sub(self.get(b) as i32) as u64);
                }
                Instr::Sub32U { d, a, b } => {
                    set!(d, u64::from((self.get(a) as u32).wrapping_sub(self.get(b) as u32)));
                }
                Instr::Sub64 { d, a, b } => set!(d, self.get(a).wrapping_sub(self.get(b))),
                Instr::Mul32S { d, a, b } => {
                    set!(d, (self.get(a) as i32).wrapping_mul(self.get(b) as i32) as u64);
                }
                Instr::Mul32U { d, a, b } => {
                    set!(d, u64::from((self.get(a) as u32).wrapping_mul(self.get(b) as u32)));
                }
                Instr::Mul64 { d, a, b } => set!(d, self.get(a).wrapping_mul(self.get(b))),
                Instr::DivU { d, a, b } => {
                    set!(d, self.get(a).checked_div(self.get(b)).unwrap_or(0));
                }
                Instr::RemS { d, a, b } => {
                    let (a, b) = (self.get(a) as i64, self.get(b) as i64);
                    set!(d, if b == 0 { 0 } else { a.wrapping_rem(b) as u64 });
                }
                Instr::RemU { d, a, b } => {
                    set!(d, self.get(a).checked_rem(self.get(b)).unwrap_or(0));
                }
                Instr::Shl32S { d, a, b } => {
                    let amount = self.get(b);
                    let shifted = if amount < 32 { (self.get(a) as i32) << amount } else { 0 };
                    set!(d, shifted as u64);
                }
                Instr::Shl64 { d, a, b } => {
                    let amount = self.get(b);
                    set!(d, if amount < 64 { self.get(a) << amount } else { 0 });
                }
                Instr::And { d, a, b } => set!(d, self.get(a) & self.get(b)),
                Instr::Or { d, a, b } => set!(d, self.get(a) | self.get(b)),
                Instr::Xor { d, a, b } => set!(d, self.get(a) ^ self.get(b)),
                Instr::Eq { d, a, b } => set!(d, u64::from(self.get(a) == self.get(b))),
                Instr::Ne { d, a, b } => set!(d, u64::from(self.get(a) != self.get(b))),
                Instr::LtS { d, a, b } => {
                    set!(d, u64::from((self.get(a) as i64) < self.get(b) as i64));
                }
                Instr::LeS { d, a, b } => {
                    set!(d, u64::from(self.get(a) as i64 <= self.get(b) as i64));
                }
                Instr::LtU { d, a, b } => set!(d, u64::from(self.get(a) < self.get(b))),
                Instr::LeU { d, a, b } => set!(d, u64::from(self.get(a) <= self.get(b))),
                Instr::Not { d, a } => set!(d, u64::from(self.get(a) == 0)),
                Instr::SExt8 { d, a } => set!(d, self.get(a) as i8 as u64),
                Instr::SExt16 { d, a } => set!(d, self.get(a) as i16 as u64),
                Instr::SExt32 { d, a } => set!(d, self.get(a) as i32 as u64),
                Instr::ZExt8 { d, a } => set!(d, u64::from(self.get(a) as u8)),
                Instr::ZExt16 { d, a } => set!(d, u64::from(self.get(a) as u16)),
                Instr::ZExt32 { d, a } => set!(d, u64::from(self.get(a) as u32)),
                Instr::ToBool { d, a } => set!(d, u64::from(self.get(a) != 0)),
                Instr::Scale { d, a, k } => set!(d, self.get(a).wrapping_mul(u64::from(k))),
                Instr::Slow { op } => {
                    let op = code.slow[op as usize];
                    if let Some(value) = tri!(slow(op.op, self.get(op.a), self.get(op.b))) {
                        set!(op.d, value);
                    }
                }
                Instr::PointerAdd { d, a, b } => {
                    set!(d, offset(self.get(a), self.get(b)));
                }
                Instr::PointerOffset { d, a, k } => set!(d, offset(self.get(a), u64::from(k))),
                Instr::PointerDiff { d, a, b } => {
                    set!(d, self.get(a).wrapping_sub(self.get(b)));
                }
                Instr::ObjectSize { d, a } => set!(d, self.memory.object_size(self.get(a))),
                Instr::LoadS8 { d, p, k } => {
                    load!(d, p, k, 1, |bytes| i8::from_le_bytes(bytes) as u64);
                }
                Instr::LoadU8 { d, p, k } => load!(d, p, k, 1, |bytes| u64::from(bytes[0])),
                Instr::LoadS16 { d, p, k } => {
                    load!(d, p, k, 2, |bytes| i16::from_le_bytes(bytes) as u64);
                }
                Instr::LoadU16 { d, p, k } => {
                    load!(d, p, k, 2, |bytes| u64::from(u16::from_le_bytes(bytes)));
                }
                Instr::LoadS32 { d, p, k } => {
                    load!(d, p, k, 4, |bytes| i32::from_le_bytes(bytes) as u64);
                }
                Instr::LoadU32 { d, p, k } => {
                    load!(d, p, k, 4, |bytes| u64::from(u32::from_le_bytes(bytes)));
                }
                Instr::Load64 { d, p, k } => load!(d, p, k, 8, |bytes| u64::from_le_bytes(bytes)),
                Instr::LoadBits { d, p, k } => {
                    let value = tri!(self.load_bits(self.get(p), code, k));
                    set!(d, value);
                }
                Instr::Store8 { p, a, k } => store!(p, k, self.get(a) as u8, DATA),
                Instr::Store16 { p, a, k } => store!(p, k, self.get(a) as u16, DATA),
                Instr::Store32 { p, a, k } => store!(p, k, self.get(a) as u32, DATA),
                Instr::Store64 { p, a, k } => store!(p, k, self.get(a), DATA),
                Instr::StorePointer { p, a, k } => store!(p, k, self.get(a), POINTER),
                Instr::StoreBits { p, a, k } => {
                    tri!(self.store_bits(self.get(p), self.get(a), code, k));
                }
                Instr::Copy { to, from, size } => {
                    tri!(self.memory.copy(self.get(to), self.get(from), u64::from(size)));
                }
                Instr::Jump { to } => pc = to as usize,
                Instr::JumpZero { a, to } => jump!(self.get(a) == 0, to),
                Instr::JumpNonZero { a, to } => jump!(self.get(a) != 0, to),
                Instr::JumpEq { a, b, to } => jump!(self.get(a) == self.get(b), to),
                Instr::JumpNe { a, b, to } => jump!(self.get(a) != self.get(b), to),
                Instr::JumpLtS { a, b, to } => {
                    jump!((self.get(a) as i64) < self.get(b) as i64, to);
                }
                Instr::JumpLeS { a, b, to } => jump!(self.get(a) as i64 <= self.get(b) as i64, to),
                Instr::JumpLtU { a, b, to } => jump!(self.get(a) < self.get(b), to),
                Instr::JumpLeU { a, b, to } => jump!(self.get(a) <= self.get(b), to),
                Instr::Call { call } => {
                    let call = &code.calls[call as usize];
                    let function = match call.callee {
                        CalleeCode::Direct(function) => function,
                        CalleeCode::Indirect(reg) => {
                            let found = function_of(self.get(reg)).ok_or(Trap::Callable);
                            tri!(found)
                        }
                    };
                    if let Some(frame) = self.frames.last_mut() {
                        frame.pc = pc as u32;
                    }
                    let base = self.base;
                    let arguments = call.arguments.iter().map(|reg| base + *reg as usize);
                    tri!(self.enter::<S>(function.index() as u32, arguments, call.result));
                    code = &compiled.codes[function.index()];
                    pc = 0;
                }
                Instr::Return | Instr::ReturnOne { .. } | Instr::ReturnRecord { .. } => {
                    tri!(self.take_result::<S>(*instr));
                    let Some(frame) = self.frames.pop() else { return Ok(()) };
                    self.memory.leave(frame.mark);
                    let Some(caller) = self.frames.last() else { return Ok(()) };
                    code = &compiled.codes[caller.function as usize];
                    pc = caller.pc as usize;
                    self.base = caller.base as usize;
                    if frame.result != NONE {
                        let value = self.returned;
                        self.put::<S>(frame.result, value);
                        if S::ON {
                            self.tags[self.base + frame.result as usize] = self.returned_tag;
                        }
                    }
                }
                other => tri!(self.rare::<S>(code, other)),
            }
        }
    }

    fn take_result<S: Symbols>(&mut self, instr: Instr) -> Result<(), Trap> {
        self.returned_tag = 0;
        self.has_returned = false;
        match instr {
            Instr::ReturnOne { a } => {
                self.has_returned = true;
                self.returned = self.get(a);
                if S::ON {
                    self.returned_tag = self.tags[self.base + a as usize];
                }
            }
            Instr::ReturnRecord { p, size } => {
                let (local, at) = self.memory.find(self.get(p), 0, u64::from(size.max(1)))?;
                let region = self.memory.region(local);
                let range = at..at + size as usize;
                self.record = (region.bytes[range.clone()].into(), region.shadow[range].into());
            }
            _ => {}
        }
        Ok(())
    }

    /// Instructions that are not worth a place in the loop.
    #[inline(never)]
    fn rare<S: Symbols>(&mut self, code: &Code, instr: Instr) -> Result<(), Trap> {
        match instr {
            Instr::CheckNonZero { a, kind } if self.get(a) == 0 => Err(match kind {
                CheckKind::Sequenced => Trap::Sequencing,
                CheckKind::Index => Trap::Index,
                _ => Trap::Division,
            }),
            Instr::CheckShift { a, width } if self.get(a) >= u64::from(width) => Err(Trap::Shift),
            Instr::CheckAdd { a, b, bits } => {
                check(bits, (self.get(a) as i64).checked_add(self.get(b) as i64))
            }
            Instr::CheckSub { a, b, bits } => {
                check(bits, (self.get(a) as i64).checked_sub(self.get(b) as i64))
            }
            Instr::CheckMul { a, b, bits } => {
                check(bits, (self.get(a) as i64).checked_mul(self.get(b) as i64))
            }
            Instr::CheckAccessBytes { a, b, write } => {
                self.check_bytes(self.get(a), self.get(b), write)
            }
            Instr::CheckCallable { a, ty } => self.check_callable(self.get(a), ty),
            Instr::TakeRecord { p } => {
                let size = self.record.0.len();
                let (local, at) = self.memory.find(self.get(p), 0, size.max(1) as u64)?;
                let region = self.memory.region_mut(local);
                region.bytes[at..at + size].copy_from_slice(&self.record.0);
                region.shadow[at..at + size].copy_from_slice(&self.record.1);
                Ok(())
            }
            Instr::Live { d, k } => self.live::<S>(d, u64::from(k)),
            Instr::LiveSized { d, size } => self.live::<S>(d, self.get(size)),
            Instr::Dead { d } => {
                self.memory.end_local(self.get(d));
                Ok(())
            }
            Instr::Allocate { d, a } => {
                let pointer = self.memory.allocate(self.get(a))?;
                self.put::<S>(d, pointer);
                Ok(())
            }
            Instr::Free { a } => self.memory.free(self.get(a)),
            Instr::CopyBytes { to, from, size } => {
                self.memory.copy(self.get(to), self.get(from), self.get(size))
            }
            Instr::SetBytes { to, byte, size } => {
                self.memory.fill(self.get(to), self.get(byte) as u8, self.get(size))
            }
            Instr::Probe { block, facts } => {
                self.coverage.probe(self.get(block) as u32, self.get(facts));
                Ok(())
            }
            Instr::Error { text } => Err(Trap::Error(code.texts[text as usize].clone())),
            Instr::Unsupported { text } => {
                Err(Trap::Unsupported(code.texts[text as usize].clone()))
            }
            Instr::Unreachable => Err(Trap::Unreachable),
            Instr::Halt => Err(Trap::Halt),
            _ => Ok(()),
        }
    }

    fn live<S: Symbols>(&mut self, d: Reg, size: u64) -> Result<(), Trap> {
        self.memory.end_local(self.get(d));
        let pointer = self.memory.enter_local(size)?;
        self.put::<S>(d, pointer);
        Ok(())
    }

    fn check_bytes(&self, pointer: u64, size: u64, write: bool) -> Result<(), Trap> {
        if size == 0 {
            return Ok(());
        }
        let (local, _) = self.memory.find(pointer, 0, size)?;
        if write && !local && (pointer >> 32) as u32 <= self.memory.read_only {
            return Err(Trap::ReadOnly);
        }
        Ok(())
    }

    fn check_callable(&self, pointer: u64, ty: u32) -> Result<(), Trap> {
        use parallax_cfa::Type;
        let program = self.compiled.program;
        let function = function_of(pointer).ok_or(Trap::Callable)?;
        let found = program.types.get(program.functions[function].ty);
        match (found, program.types.get(Id::new(ty as usize))) {
            (Type::Function(found), Type::Function(asked))
                if found.parameters.len() != asked.parameters.len()
                    && found.prototyped
                    && asked.prototyped =>
            {
                Err(Trap::Callable)
            }
            _ => Ok(()),
        }
    }

    fn load_bits(&self, pointer: u64, code: &Code, k: u32) -> Result<u64, Trap> {
        let bits = code.bits[k as usize];
        let size = bits.bytes as usize;
        let (local, at) = self.memory.find(pointer, bits.offset, size as u64)?;
        let region = self.memory.region(local);
        if region.shadow[at..at + size].contains(&crate::memory::UNWRITTEN) {
            return Err(Trap::Unwritten);
        }
        let mut whole = [0; 16];
        whole[..size].copy_from_slice(&region.bytes[at..at + size]);
        let unused = 64 - u32::from(bits.width);
        let low = ((u128::from_le_bytes(whole) >> bits.shift) as u64) << unused;
        Ok(if bits.signed { ((low as i64) >> unused) as u64 } else { low >> unused })
    }

    fn store_bits(&mut self, pointer: u64, value: u64, code: &Code, k: u32) -> Result<(), Trap> {
        let bits = code.bits[k as usize];
        let size = bits.bytes as usize;
        let (local, at) = self.memory.find(pointer, bits.offset, size as u64)?;
        let region = self.memory.region_mut(local);
        let field = (u32::from(bits.shift), u32::from(bits.width));
        put_bits(&mut region.bytes[at..at + size], field, value);
        region.shadow[at..at + size].fill(DATA);
        Ok(())
    }
}

/// A pointer plus bytes; the offset wraps within the object's number.
fn offset(pointer: u64, bytes: u64) -> u64 {
    if pointer >> 32 == 0 {
        return pointer.wrapping_add(bytes);
    }
    pointer & !0xFFFF_FFFF | u64::from((pointer as u32).wrapping_add(bytes as u32))
}

fn check(bits: u32, exact: Option<i64>) -> Result<(), Trap> {
    let fits = exact.is_some_and(|value| {
        let unused = 64 - bits.min(64);
        (value << unused) >> unused == value
    });
    if fits { Ok(()) } else { Err(Trap::Overflow) }
}

/// Writes a bit-field (lowest bit, width) into its bytes.
pub(crate) fn put_bits(bytes: &mut [u8], (shift, width): (u32, u32), value: u64) {
    let mut whole = [0; 16];
    whole[..bytes.len()].copy_from_slice(bytes);
    let mask = (u128::MAX >> (128 - width)) << shift;
    let new = u128::from_le_bytes(whole) & !mask | (u128::from(value) << shift) & mask;
    bytes.copy_from_slice(&new.to_le_bytes()[..bytes.len()]);
}
