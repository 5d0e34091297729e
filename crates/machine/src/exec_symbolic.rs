//! Instructions on symbolic values.
//!
//! A register holds a term if its tag is not zero; memory holds one if its
//! shadow says so, and the bytes are then the number of the term. Copies,
//! additions of constants and comparisons keep values symbolic. Everything else
//! first asks for a value; [`crate::Symbols`] then takes one path for each.

use crate::code::{Code, Instr, Reg, SlowOp};
use crate::exec::Turn;
use crate::machine::Machine;
use crate::memory::SYMBOLIC;
use crate::symbols::{Compare, Symbols, Word};
use crate::trap::Trap;
use parallax_cfa::{Binary, ScalarType};

impl Machine<'_> {
    pub(crate) fn tag(&self, reg: Reg) -> u32 {
        self.tags.get(self.base + reg as usize).copied().unwrap_or(0)
    }

    fn set_term(&mut self, reg: Reg, term: u32) {
        let at = self.base + reg as usize;
        self.registers[at] = u64::from(term);
        self.tags[at] = term;
    }

    fn word(&self, reg: Reg) -> Word {
        match self.tag(reg) {
            0 => Word::Known(self.get(reg)),
            term => Word::Term(term),
        }
    }

    /// Gives a register a value, if it has a term.
    fn settle<S: Symbols>(&mut self, symbols: &mut S, reg: Reg) -> Result<(), Trap> {
        let term = self.tag(reg);
        if term != 0 {
            let value = symbols.value(term)?;
            self.put::<S>(reg, value);
        }
        Ok(())
    }

    fn settle_all<S: Symbols>(&mut self, symbols: &mut S, regs: &[Reg]) -> Result<Turn, Trap> {
        for reg in regs {
            self.settle(symbols, *reg)?;
        }
        Ok(Turn::Known)
    }

    /// The symbolic side of an instruction.
    pub(crate) fn symbolic<S: Symbols>(
        &mut self,
        symbols: &mut S,
        code: &Code,
        instr: Instr,
    ) -> Result<Turn, Trap> {
        use Instr as I;
        match instr {
            I::Move { d, a } => match self.tag(a) {
                0 => Ok(Turn::Known),
                term => {
                    self.set_term(d, term);
                    Ok(Turn::Done)
                }
            },
            I::Add32S { d, a, b } | I::Add32U { d, a, b } | I::Add64 { d, a, b } => {
                self.symbolic_add(symbols, d, a, b, 1)
            }
            I::Sub32S { d, a, b } | I::Sub32U { d, a, b } | I::Sub64 { d, a, b } => {
                self.symbolic_add(symbols, d, a, b, -1)
            }
            I::SExt32 { d, a } => self.keep(symbols, d, a, false),
            I::ZExt32 { d, a } => self.keep(symbols, d, a, true),
            I::Eq { d, a, b } => self.test(symbols, Compare::Eq, d, a, b, false),
            I::Ne { d, a, b } => self.test(symbols, Compare::Eq, d, a, b, true),
            I::LtS { d, a, b } | I::LtU { d, a, b } => {
                self.test(symbols, Compare::Lt, d, a, b, false)
            }
            I::LeS { d, a, b } | I::LeU { d, a, b } => {
                self.test(symbols, Compare::Le, d, a, b, false)
            }
            I::Not { d, a } | I::ToBool { d, a } if self.tag(a) != 0 => {
                let is_zero = symbols.compare(Compare::Eq, self.word(a), Word::Known(0))?;
                let value = is_zero == matches!(instr, I::Not { .. });
                self.put::<S>(d, u64::from(value));
                Ok(Turn::Done)
            }
            I::JumpEq { a, b, to } => self.branch(symbols, Compare::Eq, a, b, to, false),
            I::JumpNe { a, b, to } => self.branch(symbols, Compare::Eq, a, b, to, true),
            I::JumpLtS { a, b, to } | I::JumpLtU { a, b, to } => {
                self.branch(symbols, Compare::Lt, a, b, to, false)
            }
            I::JumpLeS { a, b, to } | I::JumpLeU { a, b, to } => {
                self.branch(symbols, Compare::Le, a, b, to, false)
            }
            I::JumpZero { a, to } | I::JumpNonZero { a, to } if self.tag(a) != 0 => {
                let is_zero = symbols.compare(Compare::Eq, self.word(a), Word::Known(0))?;
                let taken = is_zero == matches!(instr, I::JumpZero { .. });
                Ok(if taken { Turn::To(to) } else { Turn::Done })
            }
            I::LoadS32 { d, p, k } | I::LoadU32 { d, p, k } => self.fetch::<4>(d, p, k),
            I::Load64 { d, p, k } => self.fetch::<8>(d, p, k),
            I::Store32 { p, a, k } if self.tag(a) != 0 => {
                let term = self.tag(a);
                self.memory.store(self.get(p), k, term.to_le_bytes(), SYMBOLIC)?;
                Ok(Turn::Done)
            }
            I::Store64 { p, a, k } if self.tag(a) != 0 => {
                let term = u64::from(self.tag(a));
                self.memory.store(self.get(p), k, term.to_le_bytes(), SYMBOLIC)?;
                Ok(Turn::Done)
            }
            // The range of a parameter leaves room for small constants.
            I::CheckAdd { a, b, .. } | I::CheckSub { a, b, .. } => {
                Ok(if self.tag(a) | self.tag(b) == 0 { Turn::Known } else { Turn::Done })
            }
            I::Slow { op } => {
                let op = code.slow[op as usize];
                if let SlowOp::Convert(from, to) = op.op
                    && is_wide(from)
                    && is_wide(to)
                {
                    return self.keep(symbols, op.d, op.a, to.is_signed());
                }
                if let SlowOp::Fits(Binary::Add | Binary::Sub, ..) = op.op
                    && self.tag(op.a) | self.tag(op.b) != 0
                {
                    return Ok(Turn::Done);
                }
                self.settle_all(symbols, &[op.a, op.b])
            }
            I::Call { .. } | I::ReturnOne { .. } => Ok(Turn::Known),
            other => {
                let (regs, count) = operands(other);
                self.settle_all(symbols, &regs[..count])
            }
        }
    }

    fn symbolic_add<S: Symbols>(
        &mut self,
        symbols: &mut S,
        d: Reg,
        a: Reg,
        b: Reg,
        sign: i64,
    ) -> Result<Turn, Trap> {
        match (self.tag(a), self.tag(b)) {
            (0, 0) => Ok(Turn::Known),
            (term, 0) => {
                let sum = symbols.add(term, (self.get(b) as i64).wrapping_mul(sign));
                self.set_term(d, sum);
                Ok(Turn::Done)
            }
            (0, term) if sign == 1 => {
                let sum = symbols.add(term, self.get(a) as i64);
                self.set_term(d, sum);
                Ok(Turn::Done)
            }
            _ => self.settle_all(symbols, &[a, b]),
        }
    }

    /// A conversion that changes nothing in the range of a parameter.
    fn keep<S: Symbols>(
        &mut self,
        symbols: &mut S,
        d: Reg,
        a: Reg,
        unsigned: bool,
    ) -> Result<Turn, Trap> {
        match self.tag(a) {
            0 => Ok(Turn::Known),
            term if !unsigned || symbols.is_natural(term) => {
                self.set_term(d, term);
                Ok(Turn::Done)
            }
            _ => self.settle_all(symbols, &[a]),
        }
    }

    fn test<S: Symbols>(
        &mut self,
        symbols: &mut S,
        op: Compare,
        d: Reg,
        a: Reg,
        b: Reg,
        negated: bool,
    ) -> Result<Turn, Trap> {
        if self.tag(a) | self.tag(b) == 0 {
            return Ok(Turn::Known);
        }
        let holds = symbols.compare(op, self.word(a), self.word(b))?;
        self.put::<S>(d, u64::from(holds != negated));
        Ok(Turn::Done)
    }

    fn branch<S: Symbols>(
        &mut self,
        symbols: &mut S,
        op: Compare,
        a: Reg,
        b: Reg,
        to: u32,
        negated: bool,
    ) -> Result<Turn, Trap> {
        if self.tag(a) | self.tag(b) == 0 {
            return Ok(Turn::Known);
        }
        let holds = symbols.compare(op, self.word(a), self.word(b))?;
        Ok(if holds != negated { Turn::To(to) } else { Turn::Done })
    }

    fn fetch<const N: usize>(&mut self, d: Reg, p: Reg, k: u32) -> Result<Turn, Trap> {
        let pointer = self.get(p);
        let (local, at) = self.memory.find(pointer, k, N as u64)?;
        if self.memory.region(local).shadow[at] != SYMBOLIC {
            return Ok(Turn::Known);
        }
        let bytes = self.memory.load::<N>(pointer, k)?;
        let mut term = [0; 4];
        term.copy_from_slice(&bytes[..4]);
        self.set_term(d, u32::from_le_bytes(term));
        Ok(Turn::Done)
    }
}

fn is_wide(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::Int { bits: 32 | 64, .. })
}

/// The registers that an instruction reads.
fn operands(instr: Instr) -> ([Reg; 3], usize) {
    use Instr as I;
    match instr {
        I::Mul32S { a, b, .. }
        | I::Mul32U { a, b, .. }
        | I::Mul64 { a, b, .. }
        | I::DivU { a, b, .. }
        | I::RemS { a, b, .. }
        | I::RemU { a, b, .. }
        | I::Shl32S { a, b, .. }
        | I::Shl64 { a, b, .. }
        | I::And { a, b, .. }
        | I::Or { a, b, .. }
        | I::Xor { a, b, .. }
        | I::PointerAdd { a, b, .. }
        | I::PointerDiff { a, b, .. }
        | I::CheckMul { a, b, .. }
        | I::CheckAccessBytes { a, b, .. } => ([a, b, 0], 2),
        I::SExt8 { a, .. }
        | I::SExt16 { a, .. }
        | I::ZExt8 { a, .. }
        | I::ZExt16 { a, .. }
        | I::Scale { a, .. }
        | I::Store8 { a, .. }
        | I::Store16 { a, .. }
        | I::StoreBits { a, .. }
        | I::StorePointer { a, .. }
        | I::CheckNonZero { a, .. }
        | I::CheckShift { a, .. }
        | I::Allocate { a, .. }
        | I::LiveSized { size: a, .. } => ([a, 0, 0], 1),
        I::CopyBytes { to, from, size } => ([to, from, size], 3),
        I::SetBytes { to, byte, size } => ([to, byte, size], 3),
        I::Probe { block, facts } => ([block, facts, 0], 2),
        _ => ([0; 3], 0),
    }
}
