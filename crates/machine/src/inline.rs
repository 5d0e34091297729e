//! Small functions in the place of their calls.
//!
//! A callee without calls, local objects and tables of its own becomes part of
//! the caller: its registers follow the caller's, its constants are copied into
//! the template. Blocks keep their numbers, so nothing changes for coverage.

use crate::code::{CalleeCode, Code, Instr, NONE, Parameter, Reg};
use parallax_cfa::registers::Instructions;

/// The most instructions of a function that is put in place.
const SMALL: usize = 24;
/// The most registers of a function with others in place.
const REGISTERS: usize = 4000;

/// Puts small functions in the place of their calls.
pub(crate) fn inline(codes: &mut [Code]) {
    let small: Vec<Option<Code>> =
        codes.iter().map(|code| is_small(code).then(|| code.clone())).collect();
    for code in codes {
        expand(code, &small);
    }
}

fn is_small(code: &Code) -> bool {
    let fits = code.is_defined
        && code.instrs.len() <= SMALL
        && code.parameters.iter().all(|p| matches!(p, Parameter::Register(reg) if *reg != NONE));
    fits && code.instrs.iter().all(|instr| {
        let moved = moved(*instr, 0);
        moved.is_some() || matches!(instr, Instr::Return | Instr::ReturnOne { .. })
    })
}

fn expand(code: &mut Code, small: &[Option<Code>]) {
    let callee = |instr: &Instr| match instr {
        Instr::Call { call } => {
            let call = &code.calls[*call as usize];
            match call.callee {
                CalleeCode::Direct(function) => {
                    let callee = small[function.index()].as_ref();
                    let fits = |callee: &&Code| callee.parameters.len() == call.arguments.len();
                    callee.filter(fits).map(|callee| (callee, call))
                }
                CalleeCode::Indirect(_) => None,
            }
        }
        _ => None,
    };
    if !code.instrs.iter().any(|instr| callee(instr).is_some()) {
        return;
    }
    let mut instrs = Vec::new();
    let mut spans = Vec::new();
    let mut template = code.template.clone();
    // Where each old instruction is, and which new ones jump to old ones.
    let mut places = Vec::with_capacity(code.instrs.len());
    let mut outer = Vec::new();
    for (at, instr) in code.instrs.iter().enumerate() {
        places.push(instrs.len() as u32);
        let span = code.spans[at];
        let found = callee(instr).filter(|_| template.len() < REGISTERS);
        let Some((callee, call)) = found else {
            let mut instr = *instr;
            if instr.target().is_some() {
                outer.push(instrs.len());
            }
            instrs.push(instr);
            spans.push(span);
            continue;
        };
        let shift = template.len() as Reg;
        template.extend_from_slice(&callee.template);
        for (parameter, argument) in callee.parameters.iter().zip(&call.arguments) {
            if let Parameter::Register(reg) = parameter {
                instrs.push(Instr::Move { d: reg + shift, a: *argument });
                spans.push(span);
            }
        }
        // A return is a move and a jump behind the last instruction.
        let mut inner = Vec::with_capacity(callee.instrs.len());
        let mut next = instrs.len() as u32;
        for instr in &callee.instrs {
            inner.push(next);
            let moves = matches!(instr, Instr::ReturnOne { .. }) && call.result != NONE;
            next += if moves { 2 } else { 1 };
        }
        let end = next;
        for (at, instr) in callee.instrs.iter().enumerate() {
            let span = callee.spans[at];
            if let Instr::ReturnOne { a } = instr
                && call.result != NONE
            {
                instrs.push(Instr::Move { d: call.result, a: a + shift });
                spans.push(span);
            }
            let placed = moved(*instr, shift).map(|mut placed| {
                if let Some(to) = placed.target() {
                    *to = inner[*to as usize];
                }
                placed
            });
            instrs.push(placed.unwrap_or(Instr::Jump { to: end }));
            spans.push(span);
        }
    }
    for at in outer {
        if let Some(to) = instrs[at].target() {
            *to = places[*to as usize];
        }
    }
    code.instrs = instrs;
    code.spans = spans;
    code.template = template;
}

/// The instruction with its registers moved; `None` for those that are not
/// put in place.
fn moved(instr: Instr, by: Reg) -> Option<Instr> {
    use Instr as I;
    macro_rules! shift {
        ($($name:ident { $($reg:ident),* ; $($other:ident),* })*) => {
            match instr {
                $(I::$name { $($reg,)* $($other),* } => {
                    Some(I::$name { $($reg: $reg + by,)* $($other),* })
                })*
                _ => None,
            }
        };
    }
    shift! {
        Enter { ; block }
        Move { d, a ; }
        Add32S { d, a, b ; } Add32U { d, a, b ; } Add64 { d, a, b ; }
        Sub32S { d, a, b ; } Sub32U { d, a, b ; } Sub64 { d, a, b ; }
        Mul32S { d, a, b ; } Mul32U { d, a, b ; } Mul64 { d, a, b ; }
        And { d, a, b ; } Or { d, a, b ; } Xor { d, a, b ; }
        Eq { d, a, b ; } Ne { d, a, b ; }
        LtS { d, a, b ; } LeS { d, a, b ; } LtU { d, a, b ; } LeU { d, a, b ; }
        Shl32S { d, a, b ; } Shl64 { d, a, b ; }
        Not { d, a ; } ToBool { d, a ; } SExt32 { d, a ; } ZExt32 { d, a ; }
        Scale { d, a; k } PointerAdd { d, a, b ; } PointerOffset { d, a; k }
        LoadS8 { d, p; k } LoadU8 { d, p; k } LoadS16 { d, p; k } LoadU16 { d, p; k }
        LoadS32 { d, p; k } LoadU32 { d, p; k } Load64 { d, p; k }
        Store8 { p, a; k } Store16 { p, a; k } Store32 { p, a; k } Store64 { p, a; k }
        StorePointer { p, a; k }
        Jump { ; to } JumpZero { a; to } JumpNonZero { a; to }
        JumpEq { a, b; to } JumpNe { a, b; to }
        JumpLtS { a, b; to } JumpLeS { a, b; to } JumpLtU { a, b; to } JumpLeU { a, b; to }
        CheckAdd { a, b; bits } CheckSub { a, b; bits }
        Probe { block, facts ; }
    }
}
