//! Calls in the words of C.

use parallax_base::Id;
use parallax_cfa::{Function, Printer, Program, Type};
use parallax_containers::{Api, Call, Maker, MakerKind, Operation, Parameter, Passing, Subject};

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
        .enumerate()
        .map(|(at, parameter)| match parameter {
            Parameter::Container => container.to_owned(),
            Parameter::Constant(value) => value.to_string(),
            Parameter::Chosen(_) => format!("{container}[{}]", values.next().copied().unwrap_or(0)),
            Parameter::Given(passing, _) => {
                let number = values.next().copied().unwrap_or(0).to_string();
                given_in_c(*passing, call.operation, at, &number)
            }
            _ => values.next().copied().unwrap_or(0).to_string(),
        })
        .collect();
    format!("{function}({})", arguments.join(", "))
}

/// A call for people: values only.
pub fn call_text(api: &Api, call: &Call) -> String {
    let operation = &api.operations[call.operation];
    let chosen = operation.parameters.iter().filter(|p| p.values(1).is_some());
    let text = |(parameter, value): (&Parameter, &i64)| match parameter {
        Parameter::Given(_, list) => list[*value as usize].text.clone(),
        Parameter::Chosen(_) => format!("{CONTAINER}[{value}]"),
        _ => value.to_string(),
    };
    let values: Vec<String> = chosen.zip(&call.values).map(text).collect();
    format!("{}({})", operation.name, values.join(", "))
}

/// The object of a number that is passed, in C.
pub(crate) fn given_in_c(passing: Passing, operation: usize, at: usize, number: &str) -> String {
    let name = format!("parallax_given_{operation}_{at}[{number}]");
    if matches!(passing, Passing::Pointer(_)) { format!("&{name}") } else { name }
}

/// The objects that an operation takes, in C: declarations.
pub(crate) fn given(subject: &Subject<'_>, operation: usize) -> Vec<String> {
    let printer = Printer::new(subject.program());
    let mut lines = Vec::new();
    for (at, parameter) in subject.api.operations[operation].parameters.iter().enumerate() {
        let Parameter::Given(passing, list) = parameter else { continue };
        let texts: Vec<&str> = list.iter().map(|given| given.text.as_str()).collect();
        let name = format!("parallax_given_{operation}_{at}[]");
        let declared = match passing {
            Passing::String => {
                let longest = list.iter().map(|given| given.bytes.len()).max().unwrap_or(1);
                format!("char {name}[{longest}]")
            }
            Passing::Pointer(ty) | Passing::Record(ty) => printer.declaration(*ty, &name),
        };
        lines.push(format!("{declared} = {{{}}};", texts.join(", ")));
    }
    lines
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
    // Several containers are an array.
    let array = if maker.count > 1 { format!("[{}]", maker.count) } else { String::new() };
    let pointee = maker.pointer.and_then(|ty| program.types.pointee(ty));
    // What nobody ends outlives the test, and so must the object that leads to it.
    let kept = if maker.delete.is_none() { "static " } else { "" };
    let object = match pointee {
        Some(ty) if named => {
            format!("{kept}{};", printer.declaration(ty, &format!("{storage}{array}")))
        }
        Some(ty) => {
            let words = program.types.size_of(ty).unwrap_or(8).div_ceil(8);
            format!("{kept}unsigned long long {storage}{array}[{words}];")
        }
        None => String::new(),
    };
    let declared = match maker.pointer {
        Some(ty) if named => printer.declaration(ty, &format!("{variable}{array}")),
        // A record without a tag cannot be named here; `void *` fits everywhere.
        Some(_) => format!("void *{variable}{array}"),
        None => String::new(),
    };
    let has_object = matches!(maker.kind, MakerKind::Initialized(_) | MakerKind::Zeroed);
    let mut lines: Vec<String> = has_object.then_some(object).into_iter().collect();
    if maker.count > 1 {
        lines.push(format!("{declared};"));
    }
    for at in 0..maker.count {
        let index = if maker.count > 1 { format!("[{at}]") } else { String::new() };
        let own = format!("{variable}{index}");
        let place = format!("{}{storage}{index}", if named { "&" } else { "" });
        let set = |value: &str| match (maker.pointer, maker.count) {
            (None, _) => Vec::new(),
            (_, 1) => vec![format!("{declared} = {value};")],
            _ => vec![format!("{own} = {value};")],
        };
        match maker.kind {
            MakerKind::Returned(new) => {
                lines.extend(set(&format!("{}({})", name(new), further.join(", "))));
            }
            MakerKind::Initialized(new) => {
                lines.extend(set(&place));
                let mut arguments = vec![own];
                arguments.extend(further.clone());
                lines.push(format!("{}({});", name(new), arguments.join(", ")));
            }
            MakerKind::Zeroed => {
                lines.push(format!("memset(&{storage}{index}, 0, sizeof {storage}{index});"));
                lines.extend(set(&place));
            }
            MakerKind::Null => lines.extend(set("0")),
            MakerKind::Global(None) => {}
            MakerKind::Global(Some(new)) => {
                lines.push(format!("{}({});", name(new), further.join(", ")));
            }
        }
    }
    lines
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

/// All containers, in C; none if they are in static variables.
pub(crate) fn containers(subject: &Subject<'_>) -> Vec<String> {
    match &subject.api.container {
        Maker { pointer: None, .. } => Vec::new(),
        Maker { count: 1, .. } => vec![CONTAINER.to_owned()],
        several => (0..several.count).map(|at| format!("{CONTAINER}[{at}]")).collect(),
    }
}

/// A function of each container, in C.
fn of_each(subject: &Subject<'_>, function: Option<Id<Function>>) -> Vec<String> {
    let Some(function) = function else { return Vec::new() };
    let name = &subject.program().functions[function].name;
    match containers(subject) {
        none if none.is_empty() => vec![format!("{name}()")],
        all => all.iter().map(|container| format!("{name}({container})")).collect(),
    }
}

/// How the containers end, in C: expressions.
pub(crate) fn ending(subject: &Subject<'_>) -> Vec<String> {
    of_each(subject, subject.api.container.delete)
}

/// The invariant of each container, in C.
pub(crate) fn invariant(subject: &Subject<'_>) -> Vec<String> {
    of_each(subject, subject.api.invariant)
}

/// The container that an operation is about, in C.
pub(crate) fn subject_of(operation: &Operation, call: &Call) -> String {
    let mut chosen = operation.containers(call.values.iter().copied());
    match chosen.next() {
        Some(at) => format!("{CONTAINER}[{at}]"),
        None => CONTAINER.to_owned(),
    }
}
