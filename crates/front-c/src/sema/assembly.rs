//! What inline assembly does, as far as its text says so.
//!
//! A clobber of `memory` is often no more than an order to the compiler. Where
//! all instructions are known to write their operands and nothing else, that is
//! all they do. Only the common instructions of x86 are known, in the syntax of
//! AT&T: the last operand is written, or all of them. What is addressed through a
//! register, what is jumped to, and what is given as bytes is not.
//!
//! Sections on the side hold data for others; instructions there count as if
//! they were executed, since code may be put in the place of other code.

/// What a text of inline assembly does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// It writes operands: these, by their numbers, outputs first.
    Operands(Vec<usize>),
    /// It ends the run.
    Ends,
    /// Anything.
    Unknown,
}

/// Instructions that write no operand.
const READING: [&str; 20] = [
    "nop",
    "pause",
    "rep",
    "rep nop",
    "mfence",
    "lfence",
    "sfence",
    "cli",
    "sti",
    "test",
    "cmp",
    "bt",
    "out",
    "wrmsr",
    "clflush",
    "prefetch",
    "prefetcht0",
    "prefetchnta",
    "cld",
    "clc",
];

/// Instructions that write their last operand.
const WRITING: [&str; 26] = [
    "mov", "inc", "dec", "neg", "not", "add", "sub", "and", "or", "xor", "adc", "sbb", "lea", "in",
    "shl", "shr", "sar", "rol", "ror", "bsf", "bsr", "bswap", "sete", "setne", "setc", "sets",
];

/// Instructions that write all of their operands.
const SWAPPING: [&str; 6] = ["xchg", "xadd", "cmpxchg", "rdtsc", "rdmsr", "cpuid"];

/// Directives that make data or say where it lies.
const DATA: [&str; 9] =
    [".long", ".word", ".quad", ".byte", ".org", ".balign", ".align", ".skip", ".ascii"];

/// Reads the text of inline assembly.
pub(super) fn effect(template: &str) -> Effect {
    let mut written = Vec::new();
    let (mut depth, mut is_first) = (0, true);
    for statement in template.split([';', '\n']) {
        let statement = without_labels(statement.trim());
        let (name, operands) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
        let operands: Vec<&str> =
            operands.split(',').map(str::trim).filter(|operand| !operand.is_empty()).collect();
        match name {
            "" | "lock" => {}
            ".pushsection" | ".section" => depth += 1,
            ".popsection" | ".previous" if depth > 0 => depth -= 1,
            name if DATA.contains(&name) && depth > 0 => {}
            "ud2" if depth == 0 && is_first => return ending(template),
            _ => {
                is_first &= depth > 0;
                match writes(statement, name, &operands) {
                    Some(numbers) => written.extend(numbers),
                    None => return Effect::Unknown,
                }
            }
        }
    }
    Effect::Operands(written)
}

/// What begins with an instruction that ends the run; what else there is must
/// not be executed either.
fn ending(template: &str) -> Effect {
    let mut statements = template.split([';', '\n']).map(|s| without_labels(s.trim()));
    match statements.all(|s| s.is_empty() || s == "ud2" || s.starts_with('.')) {
        true => Effect::Ends,
        false => Effect::Unknown,
    }
}

/// A statement without the labels before it.
fn without_labels(statement: &str) -> &str {
    let mut rest = statement;
    while let Some((label, after)) = rest.split_once(':') {
        if label.is_empty() || !label.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            break;
        }
        rest = after.trim();
    }
    rest
}

/// The numbers of the operands that an instruction writes; `None` if that is not
/// all it may write.
fn writes(statement: &str, name: &str, operands: &[&str]) -> Option<Vec<usize>> {
    if READING.contains(&statement) {
        return Some(Vec::new());
    }
    let is = |list: &[&str]| {
        let sized = name.strip_suffix(['b', 'w', 'l', 'q']);
        list.contains(&name) || sized.is_some_and(|name| list.contains(&name))
    };
    let numbers = operands.iter().map(|operand| operand_number(operand));
    let mut numbers = numbers.collect::<Option<Vec<Option<usize>>>>()?;
    if is(&READING) {
        numbers.clear();
    } else if is(&WRITING) {
        numbers.drain(..numbers.len().saturating_sub(1));
    } else if !is(&SWAPPING) {
        return None;
    }
    Some(numbers.into_iter().flatten().collect())
}

/// The number of an operand; nothing for constants and common registers, `None`
/// for all else.
fn operand_number(operand: &str) -> Option<Option<usize>> {
    if let Some(register) = operand.strip_prefix("%%") {
        const REGISTERS: [&str; 8] = ["ax", "bx", "cx", "dx", "si", "di", "al", "dl"];
        let register = register.strip_prefix(['e', 'r']).unwrap_or(register);
        return REGISTERS.contains(&register).then_some(None);
    }
    if let Some(constant) = operand.strip_prefix('$') {
        return constant.chars().all(|c| c.is_ascii_alphanumeric() || c == '-').then_some(None);
    }
    let operand = operand.strip_prefix('%')?;
    let operand = operand.strip_prefix(|c: char| c.is_ascii_lowercase()).unwrap_or(operand);
    operand.parse().ok().map(Some)
}

#[cfg(test)]
mod tests {
    use super::{Effect, effect};

    #[test]
    fn what_assembly_writes_is_read_off_its_text() {
        let check = |text: &str, expected: Effect| assert_eq!(effect(text), expected, "{text}");
        for text in ["", "nop", "rep; nop", "mfence", "lock; \n\t", "bt %1,%0", "outb %b0, %w1"] {
            check(text, Effect::Operands(vec![]));
        }
        check("movl %0,%1", Effect::Operands(vec![1]));
        check("movl $5, %0; incq %2", Effect::Operands(vec![0, 2]));
        check("xchgl %0, %1\n", Effect::Operands(vec![0, 1]));
        check(
            ".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\t\
             lock; decl %0; sete %1",
            Effect::Operands(vec![0, 1]),
        );
        let bug = "1:\tud2\n.pushsection __bug_table,\"a\"\n2:\t.long 1b - 2b, %c0 - 2b\n\
                   \t.word %c1, 0\n\t.org 2b+%c2\n.popsection";
        check(bug, Effect::Ends);
        for text in [
            "bts %1,%0",
            "movl %0,(%1)",
            "movl %%gs:%1,%0",
            "mov %0,%%cr3",
            "rep movsb",
            "call *%c2",
            "jc %l0",
            ".byte 0x90",
            "nop; ud2",
            "ud2; movl %0,%1",
            "movl %[from],%[to]",
            ".pushsection .x\n push %0\n.popsection\n nop",
        ] {
            check(text, Effect::Unknown);
        }
    }
}
