//! The C text that is read together with the user's files.

use crate::automata::{Automata, LEFT, MACHINE};
use crate::machine::returned;
use crate::syntax::{Abstraction, Procedure, Signature, Target, Writes};
use parallax_lts::Lts;
use std::fmt::Write;
use std::path::Path;

/// The function where an analysis begins.
pub(crate) const DRIVER: &str = "__magic_driver";
/// How functions that stand for assumed routines begin.
pub(crate) const ASSUMED: &str = "__magic_assume_";
/// A place that is never reached: what leads there does not happen.
pub(crate) const NEVER: &str = "__magic_never";
/// Unknown code: it may write what it is given pointers to.
pub(crate) const WRITES: &str = "__magic_writes";
/// The action of a result that no return action of the specification allows.
pub(crate) const OTHERWISE: &str = "return{otherwise}";
/// The variable for `$0`.
pub(crate) const RESULT: &str = "__magic_result";
/// How objects begin that arguments point to; the name of the argument follows.
pub(crate) const OBJECT: &str = "__magic_object_";

/// Begins the name of what decides whether two parameters are the same.
pub(crate) const SAME: &str = "__magic_same_";

/// A condition with `$0`, `$1`, .. replaced.
pub(crate) fn condition(text: &str, signature: &Signature) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(place) = rest.find('$') {
        result.push_str(&rest[..place]);
        rest = &rest[place + 1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        match rest[..digits].parse::<usize>() {
            Ok(0) => result.push_str(RESULT),
            Ok(number) => match signature.parameters.get(number - 1) {
                Some((_, name)) => result.push_str(name),
                None => result.push_str("__magic_no_such_parameter"),
            },
            Err(_) => result.push('$'),
        }
        rest = &rest[digits..];
    }
    result.push_str(rest);
    result
}

/// The condition that a return action puts on the result.
pub(crate) fn result_condition(label: &str, signature: &Signature) -> Option<String> {
    let text = returned(label)?;
    Some(if text.is_empty() {
        String::from("1")
    } else if text.contains("$0") {
        condition(text, signature)
    } else {
        format!("{RESULT} == ({})", condition(text, signature))
    })
}

/// The beginning of the text: the user's files and the functions without a
/// body.
pub(crate) fn head(sources: &[&Path]) -> String {
    let mut text = String::new();
    for source in sources {
        let name = source.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string does not fail.
        let _ = writeln!(text, "#include \"{name}\"");
    }
    text.push_str("extern int __VERIFIER_nondet_int(void);\n");
    let _ = writeln!(text, "extern void {NEVER}(void);\nextern void {WRITES}();");
    let _ = writeln!(text, "extern void __VERIFIER_error(void);");
    text
}

fn parameters(signature: &Signature) -> String {
    if signature.parameters.is_empty() {
        return String::from("void");
    }
    let list: Vec<&str> = signature.parameters.iter().map(|(text, _)| text.as_str()).collect();
    list.join(", ")
}

/// The function that stands for an assumed routine: the machine of the case that
/// applies, and then one of the ways to leave it.
pub(crate) fn assumption(
    assumption: &Abstraction,
    writes: Writes,
    machines: &[Lts],
    automata: &mut Automata,
) -> String {
    let signature = &assumption.signature;
    let mut text =
        format!("{} {ASSUMED}{}({}) {{\n", signature.result, signature.name, parameters(signature));
    let mut ways = Vec::new();
    if let Some(action) = &assumption.action {
        let _ = writeln!(text, "  {MACHINE}{}();", automata.action(action));
        ways.push(String::from("return{}"));
    }
    for (case, machine) in assumption.cases.iter().zip(machines) {
        let machine = automata.system(machine, &mut ways);
        let _ = writeln!(text, "  if ({}) {MACHINE}{machine}(); else", guard(case, signature));
    }
    if assumption.action.is_none() {
        let _ = writeln!(text, "  {NEVER}();");
    }
    for (way, label) in ways.iter().enumerate() {
        let Some(condition) = result_condition(label, signature) else { continue };
        let leave = leave(&condition, signature, writes);
        let _ = writeln!(text, "  if (__VERIFIER_nondet_int()) {{ {LEFT}{way}(); {leave} }}");
    }
    let _ = writeln!(text, "  {NEVER}();\n}}");
    text
}

fn guard(case: &Target, signature: &Signature) -> String {
    case.guard.as_ref().map_or_else(|| String::from("1"), |guard| condition(guard, signature))
}

/// The end of an assumed routine. What it writes and its result are chosen here
/// and not before: they must not be known to whoever does an action earlier.
fn leave(condition: &str, signature: &Signature, writes: Writes) -> String {
    let given: String = match writes {
        Writes::Nothing => String::new(),
        Writes::Arguments => written(signature).map(|name| format!("{WRITES}({name}); ")).collect(),
    };
    match signature.is_void() {
        true => format!("{{ {given}return; }}"),
        false => {
            let result = &signature.result;
            let check = format!("if (!({condition})) {NEVER}();");
            format!("{{ {given}{result} {RESULT}; {check} return {RESULT}; }}")
        }
    }
}

/// The parameters through which a routine may write. A type without a star may
/// be the name of a pointer type; a number among them does no harm.
fn written(signature: &Signature) -> impl Iterator<Item = &str> {
    let is_constant = |text: &str| {
        let star = text.find('*');
        star.is_some_and(|star| words(&text[..star]).any(|word| word == "const"))
    };
    let all = signature.parameters.iter().filter(move |(text, _)| !is_constant(text));
    all.map(|(_, name)| name.as_str())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// What a pointer among the parameters leads to, as text; `None` for other
/// parameters.
pub(crate) fn pointee(declaration: &str) -> Option<String> {
    let star = declaration.rfind('*')?;
    let plain = |word: &&str| !["const", "volatile"].contains(word);
    let stars = declaration[..star].matches('*').count();
    let base: Vec<&str> = words(&declaration[..star]).filter(plain).collect();
    Some(base.join(" ") + &"*".repeat(stars))
}

/// Pairs of parameters that may lead to one object: pointers to one type, none
/// of them said to be the only way there.
pub(crate) fn meeting(signature: &Signature) -> Vec<(&str, &str)> {
    let is_sole = |text: &str| words(text).any(|word| word.contains("restrict"));
    let pointers: Vec<(String, &str)> = signature
        .parameters
        .iter()
        .filter(|(text, _)| !is_sole(text))
        .filter_map(|(text, name)| Some((pointee(text)?, name.as_str())))
        .collect();
    let mut pairs = Vec::new();
    for (number, (ty, name)) in pointers.iter().enumerate() {
        let earlier = pointers[..number].iter().filter(|(other, _)| other == ty);
        pairs.extend(earlier.map(|(_, other)| (*other, *name)));
    }
    pairs
}

/// What the driver does with the result of the procedure.
pub(crate) enum Leaving<'a> {
    /// Every return action of a transition system, and one more if none fits.
    Returns(&'a [String]),
    /// One action.
    Action(&'a str),
    /// Nothing.
    Silent,
}

/// The driver: calls the procedure with arbitrary arguments that satisfy a
/// condition. A pointer points to an object with any contents, of its own or of
/// another argument of the type.
pub(crate) fn driver(
    procedure: &Procedure,
    guard: Option<&Target>,
    leaving: &Leaving<'_>,
    keep: &[String],
    automata: &mut Automata,
) -> String {
    let signature = &procedure.signature;
    let mut text = format!("void {DRIVER}(void) {{\n  void *__magic_keep;\n");
    for name in keep {
        let _ = writeln!(text, "  __magic_keep = (void *){name};");
    }
    for (declaration, name) in &signature.parameters {
        match declaration.rfind('*') {
            None => {
                let _ = writeln!(text, "  {declaration};");
            }
            Some(star) => {
                let base = declaration[..star].trim();
                let base = if base.ends_with("void") { "char" } else { base };
                let _ = writeln!(text, "  {base} {OBJECT}{name};");
                let _ = writeln!(text, "  {declaration} = &{OBJECT}{name};");
            }
        }
    }
    let meeting = meeting(signature).into_iter().filter(|_| !procedure.distinct);
    for (number, (first, second)) in meeting.enumerate() {
        // A name of its own says in a counterexample what was chosen.
        let same = format!("{SAME}{number}");
        let _ = writeln!(text, "  _Bool {same}; if ({same}) {second} = (void *){first};");
    }
    if let Some(case) = guard {
        let _ = writeln!(text, "  if (!({})) {NEVER}();", self::guard(case, signature));
    }
    let arguments: Vec<&str> = signature.parameters.iter().map(|(_, name)| name.as_str()).collect();
    let call = format!("{}({})", signature.name, arguments.join(", "));
    if signature.is_void() {
        let _ = writeln!(text, "  {call};");
    } else {
        let _ = writeln!(text, "  {} {RESULT} = {call};", signature.result);
    }
    let mut act = |action: &str| format!("{MACHINE}{}(); {LEFT}0();", automata.action(action));
    match leaving {
        Leaving::Silent => {}
        Leaving::Action(action) => {
            let _ = writeln!(text, "  {}", act(action));
        }
        Leaving::Returns(labels) => {
            for label in *labels {
                let Some(condition) = result_condition(label, signature) else { continue };
                let _ = writeln!(text, "  if ({condition}) {{ {} return; }}", act(label));
            }
            let _ = writeln!(text, "  {}", act(OTHERWISE));
        }
    }
    text.push_str("}\n");
    text
}

/// A program that fails if the conditions are not exclusive, or not complete.
pub(crate) fn conditions(signature: &Signature, conditions: &[String], complete: bool) -> String {
    let mut text = format!("void {DRIVER}(void) {{\n");
    for (declaration, _) in &signature.parameters {
        let _ = writeln!(text, "  {declaration};");
    }
    if !signature.is_void() {
        let _ = writeln!(text, "  {} {RESULT};", signature.result);
    }
    text.push_str("  int count = 0;\n");
    for condition in conditions {
        let _ = writeln!(text, "  if ({condition}) count = count + 1;");
    }
    let bad = if complete { "count != 1" } else { "count > 1" };
    let _ = writeln!(text, "  if ({bad}) __VERIFIER_error();\n}}");
    text
}
