//! An access that went wrong, said as sanitizers say it: which object, its size, the
//! offset, who made it and who freed it.

use crate::c::CRun;
use parallax_base::Diagnostic;
use parallax_cfa::run::{Accident, Met, Outcome};
use parallax_cfa::{Check, Printer, Program};

/// Addresses below this are null with an offset.
const NULL_PAGE: u64 = 4096;

/// What was found at the end of a run that broke off there.
fn accident<'r>(run: &'r CRun<'_>) -> Option<&'r Accident> {
    let is_broken = matches!(run.report.outcome, Outcome::Undefined(_));
    run.report.accident.as_ref().filter(|_| is_broken)
}

/// The failure of a check as a sentence, if more is known than that it failed.
pub(super) fn message(run: &CRun<'_>, check: &Check) -> Option<String> {
    if let (Check::Overflow(_), Some([a, b])) = (check, run.report.operands) {
        let text = Printer::plain(run.program).failure(check);
        return Some(format!("{text}: the operands are {a} and {b}"));
    }
    let accident = accident(run)?;
    let printer = Printer::plain(run.program);
    let verb = if accident.write { "written" } else { "read" };
    let what = match check {
        Check::Access { place, .. } => format!("`{}` is {verb}", printer.place(*place)),
        Check::AccessBytes { pointer, .. } => {
            let noun = if accident.bytes == 1 { "byte is" } else { "bytes are" };
            format!("{} {noun} {verb} at `{}`", accident.bytes, printer.expr(*pointer))
        }
        Check::Free(pointer) => {
            let what = format!("`{}` is freed", printer.expr(*pointer));
            let object = accident.object?;
            return Some(match object {
                Met { is_over: true, is_heap: true, .. } => format!("{what} twice"),
                Met { is_heap: true, offset, .. } => {
                    format!("{what}, which is at offset {offset} of its object")
                }
                Met { .. } => format!("{what}, which leads to {}", name(run.program, object)?),
            });
        }
        _ => return None,
    };
    Some(match accident.object {
        None if accident.address < NULL_PAGE => format!("{what} through a null pointer"),
        None => return None,
        Some(object) if object.is_over => match object.variable {
            Some(_) => format!("{what} after {} has ended", name(run.program, object)?),
            None => format!("{what} after it was freed"),
        },
        Some(object) if accident.write && object.is_constant && is_inside(accident, object) => {
            format!("{what}, which is constant")
        }
        Some(_) => format!("{what} outside of its object"),
    })
}

/// Whether all bytes lie in the object.
fn is_inside(accident: &Accident, object: Met) -> bool {
    let end = object.offset.checked_add_unsigned(accident.bytes);
    object.offset >= 0 && end.is_some_and(|end| end as u64 <= object.size)
}

/// The variable that an object is.
fn name(program: &Program, object: Met) -> Option<String> {
    let name = &program.variables[object.variable?].name;
    Some(match name.is_empty() {
        true => String::from("a string"),
        false => format!("`{name}`"),
    })
}

/// The message with the object: sizes at the access, and the places of its life.
pub(super) fn explained(run: &CRun<'_>, mut diagnostic: Diagnostic) -> Diagnostic {
    let Some(accident) = accident(run) else { return diagnostic };
    let Some(object) = accident.object else { return diagnostic };
    let of = format!("offset {} of {}", object.offset, bytes(object.size));
    let is_known = object.made.is_some() || object.variable.is_some();
    if let (Some(label), true) = (diagnostic.labels.first_mut(), is_known) {
        label.text = match accident.bytes {
            0 => of,
            size => format!("{} at {of}", bytes(size)),
        };
    }
    if let Some(made) = object.made {
        diagnostic = diagnostic.also(made.span, format!("{} allocated here", bytes(object.size)));
    }
    if let Some(freed) = object.freed {
        diagnostic = diagnostic.also(freed.span, "freed here");
    }
    if let (Some(variable), Some(name)) = (object.variable, name(run.program, object)) {
        let span = run.program.variables[variable].span;
        diagnostic = diagnostic.also(span, format!("{name} has {}", bytes(object.size)));
    }
    diagnostic
}

fn bytes(count: u64) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}
