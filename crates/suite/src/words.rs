//! Calls in the words of C.

use parallax_base::Id;
use parallax_cfa::{Printer, Program, Type};
use parallax_engine_test::{Api, Call, Maker, MakerKind, Operation, Parameter, Subject};

/// The name of the container in all that is written.
pub(crate) const CONTAINER: &str = "c";

/// The name of the model that it is compared with.
pub(crate) const MODEL: &str = "parallax_model";

/// A function called as an operation is, with the values of a call, in C.
pub(crate) fn call_in_c(
    function: &str,
    operation: &Operation,
    call: &Call,
    container: &str,
) -> String {
    let mut values = call.values.iter();
    let arguments: Vec<String> = operation
        .parameters
        .iter()
        .map(|parameter| match parameter {
            Parameter::Container => container.to_owned(),
            Parameter::Constant(value) => value.to_string(),
            _ => values.next().copied().unwrap_or(0).to_string(),
        })
        .collect();
    format!("{function}({})", arguments.join(", "))
}

/// A call for people: values only.
pub fn call_text(api: &Api, call: &Call) -> String {
    let operation = &api.operations[call.operation];
    let values: Vec<String> = call.values.iter().map(i64::to_string).collect();
    format!("{}({})", operation.name, values.join(", "))
}

/// A sequence for people.
pub fn sequence_text(api: &Api, calls: &[Call]) -> String {
    if calls.is_empty() {
        return "the constructor alone".to_owned();
    }
    let calls: Vec<String> = calls.iter().map(|call| call_text(api, call)).collect();
    calls.join("; ")
}

/// How the container comes to be, in C: statements.
pub(crate) fn making(subject: &Subject<'_>) -> Vec<String> {
    made(subject.program(), &subject.api.container, CONTAINER, "object")
}

/// How the model comes to be, in C: statements.
pub(crate) fn making_model(subject: &Subject<'_>) -> Vec<String> {
    let model = subject.api.model.as_ref();
    model.map_or_else(Vec::new, |maker| made(subject.program(), maker, MODEL, "parallax_object"))
}

fn made(program: &Program, maker: &Maker, variable: &str, storage: &str) -> Vec<String> {
    let printer = Printer::new(program);
    let further: Vec<String> = maker.arguments.iter().map(i64::to_string).collect();
    let name = |function| program.functions[function].name.to_string();
    let named = maker.pointer.is_none_or(|ty| is_named(program, ty));
    let declared = |value: &str| match maker.pointer {
        Some(ty) if named => vec![format!("{} = {value};", printer.declaration(ty, variable))],
        // A record without a tag cannot be named here; `void *` fits everywhere.
        Some(_) => vec![format!("void *{variable} = {value};")],
        None => Vec::new(),
    };
    let pointee = maker.pointer.and_then(|ty| program.types.pointee(ty));
    // What nobody ends outlives the test, and so must the object that leads to it.
    let kept = if maker.delete.is_none() { "static " } else { "" };
    let object = || match pointee {
        Some(ty) if named => format!("{kept}{};", printer.declaration(ty, storage)),
        Some(ty) => {
            let words = program.types.size_of(ty).unwrap_or(8).div_ceil(8);
            format!("{kept}unsigned long long {storage}[{words}];")
        }
        None => String::new(),
    };
    let place = if named { format!("&{storage}") } else { storage.to_owned() };
    match maker.kind {
        MakerKind::Returned(new) => declared(&format!("{}({})", name(new), further.join(", "))),
        MakerKind::Initialized(new) => {
            let mut lines = vec![object()];
            lines.extend(declared(&place));
            let mut arguments = vec![variable.to_owned()];
            arguments.extend(further);
            lines.push(format!("{}({});", name(new), arguments.join(", ")));
            lines
        }
        MakerKind::Zeroed => {
            let mut lines = vec![object()];
            lines.push(format!("memset(&{storage}, 0, sizeof {storage});"));
            lines.extend(declared(&place));
            lines
        }
        MakerKind::Null => declared("0"),
        MakerKind::Global(None) => Vec::new(),
        MakerKind::Global(Some(new)) => vec![format!("{}({});", name(new), further.join(", "))],
    }
}

/// Whether a type can be written down: every record in it has a tag.
fn is_named(program: &Program, ty: Id<Type>) -> bool {
    let mut ty = ty;
    loop {
        match program.types.get(ty) {
            Type::Pointer { to, .. } => ty = *to,
            Type::Array { of, .. } => ty = *of,
            Type::Record(record) => return program.types.records[*record].name.is_some(),
            Type::Enum(of) => return program.types.enumerations[*of].name.is_some(),
            Type::Function(_) | Type::VaList => return false,
            _ => return true,
        }
    }
}

/// How the container ends, in C.
pub(crate) fn ending(subject: &Subject<'_>) -> Option<String> {
    let delete = subject.api.container.delete?;
    let name = &subject.program().functions[delete].name;
    let argument = if subject.api.container.pointer.is_some() { CONTAINER } else { "" };
    Some(format!("{name}({argument});"))
}

/// The invariant, in C.
pub(crate) fn invariant(subject: &Subject<'_>) -> Option<String> {
    let invariant = subject.api.invariant?;
    let name = &subject.program().functions[invariant].name;
    let argument = if subject.api.container.pointer.is_some() { CONTAINER } else { "" };
    Some(format!("{name}({argument})"))
}
