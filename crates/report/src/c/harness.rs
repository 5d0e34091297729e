//! Executable counterexamples: a C file that, compiled together with the
//! program, feeds it the inputs of a run and says when the failure happens.
//!
//! The input functions return the recorded values in order. Failures are
//! noticed in three ways: error functions that the program only declares are
//! defined here; those that it defines itself are noticed when they are entered
//! (`-finstrument-functions`); undefined behavior is noticed by the compiler's
//! sanitizers. All of them end the process with [`FAILED`].

use std::collections::BTreeMap;
use std::fmt::Write;

use parallax_cfa::{
    CProperty, Callee, DataModel, FloatKind, InputSource, Op, Printer, Program, RecordedInput,
    Recording, ScalarType, Type, Variable,
};

use super::value::c_literal;

/// Exit code of a run that failed as predicted.
const FAILED: u8 = 86;
/// Exit code of a run that broke an assumption (`__VERIFIER_assume`).
const ASSUMED: u8 = 87;
/// Exit code of a run that asked for more inputs than there are.
const EXHAUSTED: u8 = 88;

/// A harness and how it is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Harness {
    /// The C file.
    pub text: String,
    /// A file `driver.c` beside it, which calls the function that is asked about.
    pub driver: Option<String>,
    /// Options for the compiler.
    pub flags: Vec<&'static str>,
    /// How many arguments the program is to be given; they are empty.
    pub arguments: usize,
    /// How many values and effects of the run the file does not have.
    pub unset: usize,
}

impl Harness {
    /// Exit code of a run that failed as predicted.
    pub const FAILED: i32 = FAILED as i32;

    /// Whether a compiled program can notice that a property is broken: there is
    /// no hook for labels, and no common sanitizer for values that were never
    /// written, and to go on for ever takes too long.
    pub fn can_show(property: &CProperty) -> bool {
        use CProperty::{
            Initialized, Label, ObjectBounds, Other, Sequencing, Temporal, Termination,
        };
        !matches!(
            property,
            Initialized
                | Label(_)
                | ObjectBounds
                | Other(_)
                | Sequencing
                | Temporal(_)
                | Termination
        )
    }
}

/// Notices memory that is not freed, which leak detectors do not while a pointer
/// leads to it: counts blocks, and looks when the program ends.
const COUNTING: &str = "
#include <signal.h>

int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t),
                                              void (*)(const volatile void *));

static long blocks;

HIDDEN static void taken(const volatile void *block, size_t size) { blocks++; }

HIDDEN static void freed(const volatile void *block) { blocks -= block != 0; }

HIDDEN static void ended(void) {
  if (blocks > 0)
    end(\"memory is not freed at the end\", 86);
}

HIDDEN static void aborted(int number) { ended(); }

__attribute__((constructor)) HIDDEN static void begun(void) {
  setvbuf(stdout, 0, _IONBF, 0);
  atexit(ended);
  signal(SIGABRT, aborted);
  __sanitizer_install_malloc_and_free_hooks(taken, freed);
}";

/// Functions that are errors by their name.
const ERRORS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// The harness for a run. `command` is the way to build it, for the reader;
/// it gets the flags.
pub fn harness(
    program: &Program,
    run: &Recording,
    property: &CProperty,
    command: impl FnOnce(&[&'static str]) -> String,
) -> Harness {
    // Tentative definitions in several files are one object.
    let mut flags = vec!["-g", "-w", "-fcommon"];
    if program.types.model == DataModel::Ilp32 {
        flags.insert(0, "-m32");
    }
    match property {
        CProperty::Errors | CProperty::Call(_) | CProperty::Label(_) => {
            flags.extend(["-fwrapv", "-finstrument-functions"]);
        }
        // Where objects lie is not checked, so it is no failure of the run either.
        _ => flags.extend([
            "-fsanitize=address,undefined",
            "-fno-sanitize=alignment",
            "-fno-sanitize-recover=all",
        ]),
    }
    if *property == CProperty::FloatConversion {
        flags.push("-fsanitize=float-cast-overflow");
    }
    // What the run does not call needs no definition.
    flags.extend(["-no-pie", "-Wl,--unresolved-symbols=ignore-all"]);
    let mut text = String::new();
    let arguments = run.arguments.saturating_sub(1);
    // Writing to a string cannot fail.
    let _ = write_harness(&mut text, program, run, property, &command(&flags));
    let outside = outside(program, run);
    let unset = run.inputs.iter().filter(|input| !is_set(program, input)).count();
    let unset = unset + outside.iter().filter(|(_, is_plain)| !**is_plain).count();
    Harness { text, driver: None, flags, arguments, unset }
}

fn write_harness(
    out: &mut String,
    program: &Program,
    run: &Recording,
    property: &CProperty,
    command: &str,
) -> std::fmt::Result {
    // A path with these characters would end the comment or the line.
    let command = command.replace("*/", "* /").replace(['\n', '\r'], " ");
    writeln!(out, "/* Inputs of a run in which {}.", property.violation())?;
    writeln!(out, " *")?;
    writeln!(out, " *   {command}")?;
    writeln!(out, " *")?;
    if run.arguments > 1 {
        writeln!(out, " * Run it with {} empty arguments.", run.arguments - 1)?;
    }
    writeln!(
        out,
        " * Exit code {FAILED}: it failed as predicted; {ASSUMED}: an assumption does not"
    )?;
    writeln!(out, " * hold; {EXHAUSTED}: it asked for more inputs than the run had. */")?;
    writeln!(
        out,
        "
#include <stdio.h>
#include <stdlib.h>

#define HIDDEN __attribute__((no_instrument_function))
#define WEAK __attribute__((weak, no_instrument_function))
#define WEAK_DATA __attribute__((weak))

HIDDEN static void end(const char *what, int code) {{
  fflush(stdout);
  fprintf(stderr, \"parallax: %s\\n\", what);
  fflush(stderr);
  _Exit(code);
}}"
    )?;
    if *property == CProperty::Cleanup {
        writeln!(out, "{COUNTING}")?;
    }
    write_inputs(out, program, &run.inputs)?;
    for (name, _) in outside(program, run) {
        let known = run.inputs.iter().any(|input| *input.name == *name);
        if !known {
            writeln!(out, "\nvoid parallax_{name}() __asm__(\"{name}\");")?;
            writeln!(out, "\nWEAK void parallax_{name}() {{}}")?;
        }
    }
    write_errors(out, program, property)?;
    writeln!(
        out,
        "
WEAK void __VERIFIER_assume(int condition) {{
  if (!condition)
    end(\"an assumption does not hold\", {ASSUMED});
}}

WEAK void __CPROVER_assume(int condition) {{ __VERIFIER_assume(condition); }}

WEAK void __VERIFIER_atomic_begin(void) {{}}

WEAK void __VERIFIER_atomic_end(void) {{}}

const char *__asan_default_options(void) {{
  return \"exitcode={FAILED}:detect_leaks={leaks}:detect_stack_use_after_return=1\";
}}

const char *__ubsan_default_options(void) {{ return \"exitcode={FAILED}:print_stacktrace=0\"; }}",
        leaks = u8::from(matches!(property, CProperty::Track | CProperty::Cleanup)),
    )
}

/// The input functions of the program, each with its values in order.
fn write_inputs(out: &mut String, program: &Program, inputs: &[RecordedInput]) -> std::fmt::Result {
    let mut values: BTreeMap<&str, Vec<&RecordedInput>> = BTreeMap::new();
    for function in &program.functions {
        for edge in &function.edges {
            if let Op::Input { name, .. } = &edge.op {
                values.entry(name).or_default();
            }
        }
    }
    let called =
        |input: &&RecordedInput| matches!(input.source, InputSource::Call | InputSource::Result);
    for input in inputs.iter().filter(called) {
        values.entry(&input.name).or_default().push(input);
    }
    let printer = Printer::new(program);
    write_other(out, program, &printer, inputs)?;
    for (name, list) in values {
        let ty = result_type(program, &printer, name, list.first().copied());
        let is_input = list.iter().all(|input| input.source == InputSource::Call);
        let parameters = if is_input { "void" } else { "" };
        // Headers may declare a function of the library otherwise.
        let is_library = program.functions.iter().any(|f| *f.name == *name && f.is_library);
        let own = if is_library { format!("parallax_{name}") } else { name.to_owned() };
        if is_library {
            writeln!(out, "\n{ty} {own}({parameters}) __asm__(\"{name}\");")?;
        }
        writeln!(out, "\nWEAK {ty} {own}({parameters}) {{")?;
        if !list.is_empty() {
            let literals: Vec<String> = list.iter().map(|input| c_literal(input.value)).collect();
            writeln!(out, "  static const {ty} values[] = {{{}}};", literals.join(", "))?;
            writeln!(out, "  static unsigned next;")?;
            writeln!(out, "  if (next < {})", list.len())?;
            writeln!(out, "    return values[next++];")?;
        }
        if is_input {
            writeln!(out, "  end(\"no further input from {name}\", {EXHAUSTED});")?;
        }
        writeln!(out, "  return 0;\n}}")?;
    }
    Ok(())
}

/// What is no result of a function: extern variables are defined; what a
/// harness cannot set is said in a comment.
fn write_other(
    out: &mut String,
    program: &Program,
    printer: &Printer<'_>,
    inputs: &[RecordedInput],
) -> std::fmt::Result {
    let mut open = Vec::new();
    for input in inputs {
        if !is_set(program, input) {
            open.push(input);
        } else if let (InputSource::Extern, Some(variable)) = (input.source, named(program, input))
        {
            let ty = printer.ty(variable.ty);
            writeln!(out, "\nWEAK_DATA {ty} {} = {};", input.name, c_literal(input.value))?;
        }
    }
    if !open.is_empty() {
        writeln!(out, "\n/* The run also had these values, which are not set here:")?;
        for input in open {
            let name = input.name.replace("*/", "* /");
            writeln!(out, " *   {name} = {}", super::value::shown_scalar(input.value))?;
        }
        writeln!(out, " */")?;
    }
    Ok(())
}

/// The functions outside the program that the run calls, and whether all they do
/// is to return a value: one that gets a pointer may write there, and one that
/// returns nothing is called for what it does.
fn outside<'p>(program: &'p Program, run: &Recording) -> BTreeMap<&'p str, bool> {
    let mut found = BTreeMap::new();
    for step in &run.steps {
        let edge = &program.functions[step.at.function].edges[step.at.edge];
        let Op::Call { callee: Callee::Direct(callee), .. } = &edge.op else { continue };
        let callee = &program.functions[*callee];
        if !callee.is_unknown() {
            continue;
        }
        let Type::Function(ty) = program.types.get(callee.ty) else { continue };
        let scalar = |ty| program.types.scalar(ty);
        let gets_pointer = ty.parameters.iter().any(|p| scalar(*p).is_none_or(|s| s.is_pointer()));
        found.insert(&*callee.name, !gets_pointer && scalar(ty.result).is_some());
    }
    found
}

/// The variable that a value is the first of.
fn named<'p>(program: &'p Program, input: &RecordedInput) -> Option<&'p Variable> {
    program.variables.iter().find(|v| *v.name == *input.name)
}

/// Whether a harness gives the program this value.
fn is_set(program: &Program, input: &RecordedInput) -> bool {
    match input.source {
        InputSource::Call | InputSource::Result => {
            !input.value.ty.is_pointer() || input.value.bits == 0
        }
        InputSource::Extern => named(program, input).is_some(),
        _ => false,
    }
}

/// The type an input function returns: as declared, else as its value has.
fn result_type(
    program: &Program,
    printer: &Printer<'_>,
    name: &str,
    input: Option<&RecordedInput>,
) -> String {
    let declared = program.functions.iter().find(|f| *f.name == *name);
    if let Some(Type::Function(ty)) = declared.map(|f| program.types.get(f.ty))
        && program.types.scalar(ty.result).is_some()
        && !matches!(program.types.get(ty.result), Type::Enum(_))
    {
        return printer.ty(ty.result);
    }
    let text = match input.map(|i| i.value.ty) {
        Some(ScalarType::Bool) => "_Bool",
        Some(ScalarType::Int { bits: 8, signed: true }) => "signed char",
        Some(ScalarType::Int { bits: 8, signed: false }) => "unsigned char",
        Some(ScalarType::Int { bits: 16, signed: true }) => "short",
        Some(ScalarType::Int { bits: 16, signed: false }) => "unsigned short",
        Some(ScalarType::Int { bits: 64, signed: true }) => "long long",
        Some(ScalarType::Int { bits: 64, signed: false }) => "unsigned long long",
        Some(ScalarType::Int { bits: 128, signed: true }) => "__int128",
        Some(ScalarType::Int { bits: 128, signed: false }) => "unsigned __int128",
        Some(ScalarType::Int { signed: false, .. }) => "unsigned int",
        Some(ScalarType::Float(FloatKind::Float)) => "float",
        Some(ScalarType::Float(FloatKind::Double)) => "double",
        Some(ScalarType::Float(_)) => "long double",
        Some(ScalarType::Pointer { .. }) => "void *",
        Some(ScalarType::Int { .. }) | None => "int",
    };
    text.to_owned()
}

/// The error functions, and the hooks that notice those of the program.
fn write_errors(out: &mut String, program: &Program, property: &CProperty) -> std::fmt::Result {
    let mut errors: Vec<&str> = ERRORS.to_vec();
    if let CProperty::Call(name) = property
        && !errors.contains(&&**name)
    {
        errors.push(name);
    }
    // Whoever asks something else sees the program end there.
    let is_error = matches!(property, CProperty::Errors | CProperty::Call(_) | CProperty::Label(_));
    let code = if is_error { FAILED } else { 0 };
    let ends = |what: &str| match property {
        CProperty::Cleanup => format!("ended(), end(\"{what}\", {code});"),
        _ => format!("end(\"{what}\", {code});"),
    };
    for name in &errors {
        let known = program.functions.iter().find(|f| &*f.name == *name);
        if known.is_none_or(|f| !f.is_defined) {
            writeln!(out, "\nWEAK void {name}() {{ {} }}", ends(&format!("{name} was called")))?;
        } else {
            writeln!(out, "\nextern void {name}();")?;
        }
    }
    writeln!(
        out,
        "
HIDDEN void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {{
  fprintf(stderr, \"%s:%u: %s: \", file, line, text);
  {failed}
}}

WEAK void __CPROVER_assert(int condition, const char *text) {{
  if (!condition)
    __assert_fail(text, \"\", 0, \"\");
}}

HIDDEN void __cyg_profile_func_exit(void *function, void *site) {{}}

HIDDEN void __cyg_profile_func_enter(void *function, void *site) {{",
        failed = ends("an assertion failed")
    )?;
    for name in &errors {
        writeln!(out, "  if (function == (void *){name})")?;
        writeln!(out, "    end(\"{name} was called\", {FAILED});")?;
    }
    writeln!(out, "}}")
}
