//! The loop that executes instructions.

use super::alone::Object;
use super::code::{Code, Instr, NONE, SlowOp};
use super::compile_op::failed_kind;
use super::machine::Machine;
use super::memory::Kind;
use super::outcome::{Arbitrary, CheckKind};
use super::threads::Wait;
use super::trap::Trap;
use super::view::{Observer, View};
use crate::{Edge, arith};
use parallax_base::Id;

fn undefined(kind: CheckKind) -> Trap {
    Trap::Undefined(kind)
}

/// Whether a sum, difference or product fits a signed type of this width.
fn narrow_fits(value: Option<i64>, bits: u32) -> Result<(), Trap> {
    let unused = 64 - bits;
    match value {
        Some(value) if (value << unused) >> unused == value => Ok(()),
        _ => Err(undefined(CheckKind::Overflow)),
    }
}

impl<'m> Machine<'m, '_> {
    /// Runs the innermost call until all calls from `depth` on have returned,
    /// or something ends the run.
    pub(crate) fn execute<O: Observer + ?Sized>(
        &mut self,
        depth: usize,
        observer: &mut O,
    ) -> Result<(), Trap> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let mut code: &'m Code = frame.code;
        let mut pc = frame.pc;
        let mut base = self.base;
        let limit = self.shared.options.max_steps;
        macro_rules! r {
            ($reg:expr) => {
                self.registers[base + $reg as usize]
            };
        }
        macro_rules! set {
            ($d:expr, $value:expr) => {{
                let value: u64 = $value;
                r!($d) = value;
            }};
        }
        macro_rules! f {
            ($reg:expr) => {
                f64::from_bits(r!($reg))
            };
        }
        macro_rules! jump {
            ($to:expr, $when:expr) => {
                if $when {
                    pc = $to as usize;
                }
            };
        }
        macro_rules! resume {
            () => {
                if let Some(frame) = self.frames.last() {
                    code = frame.code;
                    pc = frame.pc;
                    base = self.base;
                }
            };
        }
        loop {
            let instr = code.instrs[pc];
            pc += 1;
            match instr {
                Instr::Step { edge } => {
                    if self.steps >= limit {
                        return Err(Trap::StepLimit);
                    }
                    self.steps += 1;
                    self.edge = edge;
                    if self.shared.options.repeats() && self.is_repeated(pc) {
                        return Err(Trap::Endless);
                    }
                    if O::ACTIVE {
                        observer.step(&View::new(self), Id::<Edge>::new(edge as usize));
                    }
                }
                Instr::Decide { edge } => self.deciding = (self.steps, edge),
                Instr::Move { d, a } => set!(d, r!(a)),
                Instr::Move2 { d, a } => {
                    let high = r!(a + 1);
                    set!(d, r!(a));
                    set!(d + 1, high);
                }
                Instr::GlobalGet { d, a } => set!(d, self.globals[a as usize]),
                Instr::GlobalGet2 { d, a } => {
                    set!(d, self.globals[a as usize]);
                    set!(d + 1, self.globals[a as usize + 1]);
                }
                Instr::GlobalSet { d, a } => self.globals[d as usize] = r!(a),
                Instr::GlobalSet2 { d, a } => {
                    self.globals[d as usize] = r!(a);
                    self.globals[d as usize + 1] = r!(a + 1);
                }
                Instr::Add32S { d, a, b } => set!(d, r!(a).wrapping_add(r!(b)) as i32 as u64),
                Instr::Add32U { d, a, b } => {
                    set!(d, u64::from(r!(a).wrapping_add(r!(b)) as u32));
                }
                Instr::Add64 { d, a, b } => set!(d, r!(a).wrapping_add(r!(b))),
                Instr::Sub32S { d, a, b } => set!(d, r!(a).wrapping_sub(r!(b)) as i32 as u64),
                Instr::Sub32U { d, a, b } => {
                    set!(d, u64::from(r!(a).wrapping_sub(r!(b)) as u32));
                }
                Instr::Sub64 { d, a, b } => set!(d, r!(a).wrapping_sub(r!(b))),
                Instr::Mul32S { d, a, b } => set!(d, r!(a).wrapping_mul(r!(b)) as i32 as u64),
                Instr::Mul32U { d, a, b } => {
                    set!(d, u64::from(r!(a).wrapping_mul(r!(b)) as u32));
                }
                Instr::Mul64 { d, a, b } => set!(d, r!(a).wrapping_mul(r!(b))),
                Instr::DivS32 { d, a, b } => {
                    let (x, y) = (r!(a) as i64, r!(b) as i64);
                    set!(d, if y == 0 { 0 } else { (x / y) as i32 as u64 });
                }
                Instr::DivS64 { d, a, b } => {
                    let (x, y) = (r!(a) as i64, r!(b) as i64);
                    set!(d, if y == 0 { 0 } else { x.wrapping_div(y) as u64 });
                }
                Instr::DivU { d, a, b } => set!(d, r!(a).checked_div(r!(b)).unwrap_or(0)),
                Instr::RemS { d, a, b } => {
                    let (x, y) = (r!(a) as i64, r!(b) as i64);
                    set!(d, if y == 0 { 0 } else { x.wrapping_rem(y) as u64 });
                }
                Instr::RemU { d, a, b } => set!(d, r!(a).checked_rem(r!(b)).unwrap_or(0)),
                Instr::Shl32S { d, a, b } => {
                    let amount = r!(b);
                    set!(d, if amount < 32 { (r!(a) << amount) as i32 as u64 } else { 0 });
                }
                Instr::Shl32U { d, a, b } => {
                    let amount = r!(b);
                    set!(d, if amount < 32 { u64::from((r!(a) << amount) as u32) } else { 0 });
                }
                Instr::Shl64 { d, a, b } => {
                    let amount = r!(b);
                    set!(d, if amount < 64 { r!(a) << amount } else { 0 });
                }
                Instr::ShrS { d, a, b } => set!(d, ((r!(a) as i64) >> r!(b).min(63)) as u64),
                Instr::ShrU { d, a, b } => {
                    let amount = r!(b);
                    set!(d, if amount < 64 { r!(a) >> amount } else { 0 });
                }
                Instr::And { d, a, b } => set!(d, r!(a) & r!(b)),
                Instr::Or { d, a, b } => set!(d, r!(a) | r!(b)),
                Instr::Xor { d, a, b } => set!(d, r!(a) ^ r!(b)),
                Instr::Eq { d, a, b } => set!(d, u64::from(r!(a) == r!(b))),
                Instr::Ne { d, a, b } => set!(d, u64::from(r!(a) != r!(b))),
                Instr::LtS { d, a, b } => set!(d, u64::from((r!(a) as i64) < (r!(b) as i64))),
                Instr::LeS { d, a, b } => set!(d, u64::from((r!(a) as i64) <= (r!(b) as i64))),
                Instr::LtU { d, a, b } => set!(d, u64::from(r!(a) < r!(b))),
                Instr::LeU { d, a, b } => set!(d, u64::from(r!(a) <= r!(b))),
                Instr::Not { d, a } => set!(d, u64::from(r!(a) == 0)),
                Instr::BitNot { d, a } => set!(d, !r!(a)),
                Instr::SExt8 { d, a } => set!(d, r!(a) as i8 as u64),
                Instr::SExt16 { d, a } => set!(d, r!(a) as i16 as u64),
                Instr::SExt32 { d, a } => set!(d, r!(a) as i32 as u64),
                Instr::ZExt8 { d, a } => set!(d, u64::from(r!(a) as u8)),
                Instr::ZExt16 { d, a } => set!(d, u64::from(r!(a) as u16)),
                Instr::ZExt32 { d, a } => set!(d, u64::from(r!(a) as u32)),
                Instr::ToBool { d, a } => set!(d, u64::from(r!(a) != 0)),
                Instr::Scale { d, a, k } => set!(d, r!(a).wrapping_mul(u64::from(k))),
                Instr::FAdd { d, a, b } => set!(d, (f!(a) + f!(b)).to_bits()),
                Instr::FSub { d, a, b } => set!(d, (f!(a) - f!(b)).to_bits()),
                Instr::FMul { d, a, b } => set!(d, (f!(a) * f!(b)).to_bits()),
                Instr::FDiv { d, a, b } => set!(d, (f!(a) / f!(b)).to_bits()),
                Instr::FLt { d, a, b } => set!(d, u64::from(f!(a) < f!(b))),
                Instr::FLe { d, a, b } => set!(d, u64::from(f!(a) <= f!(b))),
                Instr::FEq { d, a, b } => set!(d, u64::from(f!(a) == f!(b))),
                Instr::FFromS { d, a } => set!(d, (r!(a) as i64 as f64).to_bits()),
                Instr::Slow { op } => self.slow(code, op)?,
                Instr::PointerAdd { d, a, b } => {
                    let provenance = r!(a + 1);
                    set!(d, r!(a).wrapping_add(r!(b)));
                    set!(d + 1, provenance);
                }
                Instr::PointerAdd32 { d, a, b } => {
                    let provenance = r!(a + 1);
                    set!(d, u64::from(r!(a).wrapping_add(r!(b)) as u32));
                    set!(d + 1, provenance);
                }
                Instr::Wild { d, a } => {
                    set!(d, r!(a));
                    set!(d + 1, 0);
                }
                Instr::Address { d, p } => {
                    let value = self.address(&code.places[p as usize])?;
                    self.set_pair(d, value);
                }
                Instr::ObjectSize { d, a } => {
                    let (address, provenance) = self.pointer(a);
                    let size = match self.memory.locate(address, provenance) {
                        Ok((object, _)) => self.memory.objects[object].bytes.len() as u64,
                        Err(_) => self.memory.mask,
                    };
                    set!(d, size);
                }
                Instr::Load { d, p, shape } => self.load(d, &code.places[p as usize], shape)?,
                Instr::Store { p, a, shape } => self.store(&code.places[p as usize], a, shape)?,
                Instr::Copy { to, from } => {
                    let (target, source) = (&code.places[to as usize], &code.places[from as usize]);
                    let to = self.resolve(target)?;
                    let from = self.resolve(source)?;
                    self.copy(to, from, target.size)?;
                }
                Instr::Jump { to } => pc = to as usize,
                Instr::JumpZero { a, to } => jump!(to, r!(a) == 0),
                Instr::JumpNonZero { a, to } => jump!(to, r!(a) != 0),
                Instr::JumpEq { a, b, to } => jump!(to, r!(a) == r!(b)),
                Instr::JumpNe { a, b, to } => jump!(to, r!(a) != r!(b)),
                Instr::JumpLtS { a, b, to } => jump!(to, (r!(a) as i64) < (r!(b) as i64)),
                Instr::JumpLeS { a, b, to } => jump!(to, (r!(a) as i64) <= (r!(b) as i64)),
                Instr::JumpLtU { a, b, to } => jump!(to, r!(a) < r!(b)),
                Instr::JumpLeU { a, b, to } => jump!(to, r!(a) <= r!(b)),
                Instr::Choose { count } => {
                    pc += self.oracle.choose(count as usize).min(count as usize - 1);
                }
                Instr::CheckNonZero { a, kind } => {
                    if r!(a) == 0 {
                        return Err(undefined(kind));
                    }
                }
                Instr::CheckShift { a, width } => {
                    if r!(a) >= u64::from(width) {
                        return Err(undefined(CheckKind::Shift));
                    }
                }
                Instr::CheckAdd { a, b, bits } => {
                    let (a, b) = (r!(a) as i64, r!(b) as i64);
                    if let Err(trap) = narrow_fits(a.checked_add(b), bits) {
                        self.memories.operands = Some([a, b]);
                        return Err(trap);
                    }
                }
                Instr::CheckSub { a, b, bits } => {
                    let (a, b) = (r!(a) as i64, r!(b) as i64);
                    if let Err(trap) = narrow_fits(a.checked_sub(b), bits) {
                        self.memories.operands = Some([a, b]);
                        return Err(trap);
                    }
                }
                Instr::CheckMul { a, b, bits } => {
                    let (a, b) = (r!(a) as i64, r!(b) as i64);
                    if let Err(trap) = narrow_fits(a.checked_mul(b), bits) {
                        self.memories.operands = Some([a, b]);
                        return Err(trap);
                    }
                }
                Instr::CheckAccess { p, write } => {
                    let place = &code.places[p as usize];
                    let is_fine = self.resolve(place).is_ok_and(|(object, offset)| {
                        let object = &self.memory.objects[object];
                        let end = (offset as u64).checked_add(place.size);
                        end.is_some_and(|end| end <= object.bytes.len() as u64)
                            && !(write && object.read_only)
                    });
                    if !is_fine {
                        self.note_place(place, write);
                        return Err(undefined(CheckKind::Access));
                    }
                }
                Instr::CheckAccessBytes { a, b, write } => {
                    if let Err(trap) = self.check_range(self.pointer(a), r!(b), write) {
                        self.note_access(self.pointer(a), r!(b), write);
                        return Err(trap);
                    }
                }
                Instr::CheckWritten { p } => self.check_written(&code.places[p as usize])?,
                Instr::CheckFree { a } => {
                    if let Err(trap) = self.check_free(self.pointer(a)) {
                        self.note_access(self.pointer(a), 0, false);
                        return Err(trap);
                    }
                }
                Instr::Announce { p, write, atomic } => {
                    let place = &code.places[p as usize];
                    let (object, offset) = self.resolve(place)?;
                    let size = place.size;
                    self.announce(
                        Object::Memory(object as u32),
                        (offset as u64, size),
                        write,
                        atomic,
                    )?;
                }
                Instr::AnnounceBytes { a, size, write } => {
                    let (pointer, size) = (self.pointer(a), r!(size));
                    if size > 0 {
                        let (object, offset) = self.memory.locate(pointer.0, pointer.1)?;
                        let object = Object::Memory(object as u32);
                        self.announce(object, (offset as u64, size), write, false)?;
                    }
                }
                Instr::AnnounceVariable { variable, write, atomic } => {
                    self.announce(Object::Variable(variable), (0, 1), write, atomic)?;
                }
                Instr::CheckLock { p, rule } => {
                    let [address, provenance] = self.address(&code.places[p as usize])?;
                    self.check_lock((address, provenance), rule)?;
                }
                Instr::CheckCallable { a, ty } => {
                    let program = self.shared.program;
                    let fits = |function| program.fits_call(function, Id::new(ty as usize));
                    if !self.callee(r!(a)).is_some_and(fits) {
                        return Err(undefined(CheckKind::Callable));
                    }
                }
                Instr::Input { d, name, ty } => {
                    let ty = code.types[ty as usize];
                    let name = &code.texts[name as usize];
                    let value = self.oracle.input(name, ty).ok_or(Trap::OutOfInputs)?;
                    self.set_chosen(d, ty, value.bits)?;
                }
                Instr::Havoc { d, why, ty } => {
                    let why = &code.texts[why as usize];
                    self.arbitrary(d, code.types[ty as usize], Arbitrary::Havoc(why))?;
                }
                Instr::HavocPlace { p, why } => {
                    let place = &code.places[p as usize];
                    let why = &code.texts[why as usize];
                    let at = self.resolve(place)?;
                    self.havoc(at, place.size, Arbitrary::Havoc(why))?;
                }
                Instr::Call { call } => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.pc = pc;
                        frame.edge = self.edge;
                    }
                    if self.call(&code.calls[call as usize])? {
                        if let Some(frame) = self.frames.last() {
                            code = frame.code;
                        }
                        pc = 0;
                        base = self.base;
                    }
                }
                Instr::TakeRecord { p } => {
                    let to = self.resolve(&code.places[p as usize])?;
                    let blob = std::mem::take(&mut self.returned_record);
                    self.put(to, &blob)?;
                }
                Instr::Return
                | Instr::ReturnOne { .. }
                | Instr::ReturnTwo { .. }
                | Instr::ReturnRecord { .. } => {
                    self.has_returned = !matches!(instr, Instr::Return);
                    match instr {
                        Instr::ReturnOne { a } => self.returned = [r!(a), 0],
                        Instr::ReturnTwo { a } => self.returned = [r!(a), r!(a + 1)],
                        Instr::ReturnRecord { p } => {
                            let place = &code.places[p as usize];
                            let from = self.resolve(place)?;
                            self.returned_record = self.take(from, place.size)?;
                        }
                        _ => self.returned = [0; 2],
                    }
                    self.leave();
                    if self.frames.len() < depth {
                        if self.threads.current == 0 {
                            return Ok(());
                        }
                        self.end_thread(self.returned)?;
                        resume!();
                        continue;
                    }
                    let Some(frame) = self.frames.last_mut() else { return Ok(()) };
                    code = frame.code;
                    pc = frame.pc;
                    base = self.base;
                    if std::mem::take(&mut frame.goes_on) {
                        self.edge = frame.edge;
                        if O::ACTIVE {
                            let edge = Id::<Edge>::new(self.edge as usize);
                            observer.resumed(&View::new(self), edge);
                        }
                    } else if let Some(Instr::Call { call }) = code.instrs.get(pc - 1) {
                        let call = &code.calls[*call as usize];
                        self.take_result(call);
                    }
                }
                Instr::Live { slot, size } => {
                    let size = (size != NONE).then(|| r!(size));
                    self.live(slot, size)?;
                }
                Instr::Dead { slot } => self.dead(slot),
                Instr::LiveRegister { d, ty, variable } => {
                    let what = Arbitrary::Variable(Id::new(variable as usize));
                    self.arbitrary(d, code.types[ty as usize], what)?;
                }
                Instr::Allocate { d, a, local } => {
                    let value = self.allocate(r!(a), local)?;
                    self.set_pair(d, value);
                }
                Instr::Free { a } => {
                    let pointer = self.pointer(a);
                    if pointer.0 != 0 {
                        self.check_free(pointer)?;
                        let (object, _) = self.memory.locate(pointer.0, pointer.1)?;
                        self.bury(object as u32);
                        self.memory.destroy(object as u32);
                    }
                }
                Instr::CopyBytes { to, from, size } => {
                    self.copy_bytes(self.pointer(to), self.pointer(from), r!(size))?;
                }
                Instr::SetBytes { to, byte, size } => {
                    self.set_bytes(self.pointer(to), r!(byte) as u8, r!(size))?;
                }
                Instr::HavocBytes { a, size } => {
                    let (size, pointer) = (r!(size), self.pointer(a));
                    if size > 0 {
                        let at = self.memory.locate(pointer.0, pointer.1)?;
                        self.havoc(at, size, Arbitrary::Havoc("bytes"))?;
                    }
                }
                Instr::VaStart { a } => self.start_list(a)?,
                Instr::VaCopy { to, from } => self.copy_list(to, from)?,
                Instr::VaEnd { a } => {
                    let _ = a;
                }
                Instr::VaArg { d, a, ty } => self.next_scalar(d, a, code.types[ty as usize])?,
                Instr::VaArgRecord { p, a } => self.next_record(&code.places[p as usize], a)?,
                Instr::Turn => {
                    if self.threads.may_switch() && self.turn(pc)? {
                        resume!();
                    }
                }
                Instr::AwaitCell { a, back } => {
                    let pointer = self.pointer(a);
                    if self.cell(pointer)? != 0 {
                        self.block(back as usize, Wait::Cell(pointer))?;
                        resume!();
                    }
                }
                Instr::AwaitThread { a, back } => {
                    let number = r!(a);
                    if self.threads.is_running(number) {
                        self.block(back as usize, Wait::Thread(number))?;
                        resume!();
                    }
                }
                Instr::Spawn { d, a, b } => {
                    let number = self.spawn(r!(a), [r!(b), r!(b + 1)])?;
                    set!(d, number);
                    set!(d + 1, 0);
                }
                Instr::Join { d, a } => self.set_pair(d, self.threads.result(r!(a))),
                Instr::ThreadExit { a } => {
                    self.exit_thread([r!(a), r!(a + 1)])?;
                    resume!();
                }
                Instr::ThreadSelf { d } => self.set_pair(d, [self.threads.current as u64, 0]),
                Instr::GiveWay => self.threads.give_way(),
                Instr::SetCell { a, value } => {
                    let state = if value { self.mark() } else { 0 };
                    self.set_cell(self.pointer(a), state)?;
                    if !value {
                        self.threads.release();
                    }
                }
                Instr::ThreadMark { d } => {
                    let mark = self.mark();
                    self.set_pair(d, [mark as u64, 0]);
                }
                Instr::Sleep { a } => self.sleep(self.pointer(a)),
                Instr::Rise => self.rise()?,
                Instr::Wake { a, thread } => {
                    let thread = (thread != NONE).then(|| r!(thread));
                    self.wake(self.pointer(a), thread);
                }
                Instr::AtomicBegin => self.threads.begin_atomic(),
                Instr::AtomicEnd => self.threads.end_atomic(),
                Instr::Atom { formula, atom, a } => {
                    self.word.atom(r!(formula), r!(atom), r!(a) != 0);
                }
                Instr::Letter { formula } => self.word.show(r!(formula)),
                Instr::Error { text } => return Err(Trap::Error(text)),
                Instr::Unsupported { text } => return Err(Trap::Unsupported(text)),
                Instr::Unreachable => return Err(undefined(CheckKind::Unreachable)),
                Instr::Halt => return Err(Trap::Halt),
                Instr::Wait if self.shared.options.deadlocks => return Err(Trap::Deadlock),
                Instr::Wait => return Err(Trap::Endless),
                Instr::Stuck => return Err(Trap::Stuck),
            }
        }
    }

    /// An operator without an instruction of its own.
    #[inline(never)]
    fn slow(&mut self, code: &Code, number: u32) -> Result<(), Trap> {
        let slow = &code.slow[number as usize];
        let fits = match slow.op {
            SlowOp::Unary(op, ty) => {
                let value = arith::unary(op, ty, self.bits(slow.a, ty));
                self.set_bits(slow.d, arith::unary_result(op, ty), value);
                true
            }
            SlowOp::Binary(op, ty, amount) => {
                let right = self.bits(slow.b, if is_shift(op) { amount } else { ty });
                let value = arith::binary(op, ty, self.bits(slow.a, ty), right);
                let result = if op.is_comparison() { crate::ScalarType::INT } else { ty };
                self.set_bits(slow.d, result, value);
                true
            }
            SlowOp::Convert(from, to) => {
                let value = arith::convert(from, to, self.bits(slow.a, from));
                self.set_bits(slow.d, to, value);
                true
            }
            SlowOp::Saturate(ty) => {
                let value = u64::try_from(self.bits(slow.a, ty)).unwrap_or(u64::MAX);
                self.set(slow.d, value);
                true
            }
            SlowOp::Fits(op, ty, amount) => {
                let right = self.bits(slow.b, if is_shift(op) { amount } else { ty });
                arith::fits(op, ty, self.bits(slow.a, ty), right)
            }
            SlowOp::FloatFits(from, to) => arith::float_fits(from, to, self.bits(slow.a, from)),
        };
        if fits { Ok(()) } else { Err(undefined(failed_kind(slow.op))) }
    }

    fn arbitrary(
        &mut self,
        d: u32,
        ty: crate::ScalarType,
        what: Arbitrary<'_>,
    ) -> Result<(), Trap> {
        let value = self.oracle.arbitrary(what, ty);
        self.set_chosen(d, ty, value.bits)
    }

    fn check_free(&self, pointer: (u64, u64)) -> Result<(), Trap> {
        let failed = Err(undefined(CheckKind::Free));
        if pointer.0 == 0 {
            return Ok(());
        }
        let Ok((object, offset)) = self.memory.locate(pointer.0, pointer.1) else { return failed };
        let is_start = self.memory.objects[object].kind == Kind::Heap && offset == 0;
        if is_start { Ok(()) } else { failed }
    }
}

fn is_shift(op: crate::Binary) -> bool {
    matches!(op, crate::Binary::Shl | crate::Binary::Shr)
}
