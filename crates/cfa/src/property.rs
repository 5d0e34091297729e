//! What can be asked of a C program, and the property files of SV-COMP.
//!
//! A property file is a list of lines `CHECK( init(main()), LTL(G ...) )`.
//! Names on the command line are those of the files, and a few plainer ones.
//! What cannot be answered (coverage, say) is kept as
//! [`CProperty::Other`], so that it becomes an answer `unknown` and not an error.

use crate::{Check, Op, Temporal};
use std::fmt;
use std::sync::Arc;

/// Something a program must never do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CProperty {
    /// Call any error function or fail an assertion: every [`Op::Error`].
    Errors,
    /// Call the function of this name.
    Call(Arc<str>),
    /// Arrive at a label of this name.
    Label(Arc<str>),
    /// Overflow in signed arithmetic.
    Overflow,
    /// Divide by zero.
    Division,
    /// Shift by a negative amount or by the width or more.
    Shift,
    /// Convert a float to an integer type that cannot hold it.
    FloatConversion,
    /// Access memory outside a live object, or call what is no function.
    Deref,
    /// Free what is not the start of a live heap object.
    Free,
    /// Lose the last pointer to a heap object.
    Track,
    /// End with a heap object that was not freed.
    Cleanup,
    /// Read a scalar that was never written.
    Initialized,
    /// Write an object and access it again with no order between the two.
    Sequencing,
    /// Leave an array by an index, also for another part of the object.
    ObjectBounds,
    /// Access an object in two threads with no order between, one of them writing
    /// and one not atomic.
    Race,
    /// Come to where no thread can move and not all have ended.
    Deadlock,
    /// Unlock what the thread does not hold, lock again what it holds, destroy what
    /// is held.
    Locks,
    /// Go on for ever.
    Termination,
    /// Break a formula of linear temporal logic.
    Temporal(Arc<Temporal>),
    /// Something else, by its name: nobody answers it.
    Other(Arc<str>),
}

use CProperty::{
    Call, Cleanup, Deadlock, Deref, Division, Errors, FloatConversion, Free, Initialized, Label,
    Locks, ObjectBounds, Other, Overflow, Race, Sequencing, Shift, Termination, Track,
};

/// The names of a property file's formulas that stand for one property each.
const FORMULAS: [(&str, CProperty); 7] = [
    ("! overflow", Overflow),
    ("! data-race", Race),
    ("! deadlock", Deadlock),
    ("valid-deref", Deref),
    ("valid-free", Free),
    ("valid-memtrack", Track),
    ("valid-memcleanup", Cleanup),
];

/// Names for the command line; the first of a property is its own name.
const NAMES: [(&str, &[CProperty]); 24] = [
    ("unreach-call", &[Errors]),
    ("overflow", &[Overflow]),
    ("no-overflow", &[Overflow]),
    ("division", &[Division]),
    ("shift", &[Shift]),
    ("float-conversion", &[FloatConversion]),
    ("valid-deref", &[Deref]),
    ("valid-free", &[Free]),
    ("valid-memtrack", &[Track]),
    ("valid-memcleanup", &[Cleanup]),
    ("memory-cleanup", &[Cleanup]),
    ("initialized", &[Initialized]),
    ("sequencing", &[Sequencing]),
    ("object-bounds", &[ObjectBounds]),
    ("no-data-race", &[Race]),
    ("no-deadlock", &[Deadlock]),
    ("lock-discipline", &[Locks]),
    ("termination", &[Termination]),
    ("valid-memsafety", &[Free, Deref, Track]),
    ("memory-safety", &[Free, Deref, Track, Initialized]),
    ("reach_error", &[Errors]),
    ("assert", &[Errors]),
    (
        "undefined",
        &[Overflow, Division, Shift, FloatConversion, Deref, Free, Initialized, Sequencing],
    ),
    (
        "all",
        &[Errors, Overflow, Division, Shift, FloatConversion, Deref, Free, Initialized, Sequencing],
    ),
];

/// The formula of a property file that says that every run ends.
const END: &str = "F end";

/// How the text of an error at a label begins; no function has such a name.
const LABEL: &str = "label ";

/// How the text of an error begins where a formula does not hold.
const FORMULA: &str = "formula ";

/// Names that are understood and not answered.
const OTHERS: [&str; 5] = [
    "def-behavior",
    "coverage-error-call",
    "coverage-branches",
    "coverage-conditions",
    "coverage-statements",
];

impl CProperty {
    /// The properties a name stands for: `overflow`, `memory-safety`,
    /// `unreach-call(f)`, `unreach-label(L)`. `None` if nobody knows it.
    pub fn named(name: &str) -> Option<Vec<CProperty>> {
        if let Some((_, found)) = NAMES.iter().find(|(n, _)| *n == name) {
            return Some(found.to_vec());
        }
        if OTHERS.contains(&name) {
            return Some(vec![Other(name.into())]);
        }
        let (kind, argument) = name.strip_suffix(')').and_then(|n| n.split_once('('))?;
        let argument = argument.trim();
        if !is_identifier(argument) {
            return None;
        }
        match kind {
            "unreach-call" => Some(vec![Call(argument.into())]),
            "unreach-label" => Some(vec![Label(argument.into())]),
            _ => None,
        }
    }

    /// All names that [`CProperty::named`] knows without an argument.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name).chain(OTHERS)
    }

    /// Its name in answers: unique for every property.
    pub fn name(&self) -> String {
        match self {
            Call(f) => format!("unreach-call({f})"),
            Label(l) => format!("unreach-label({l})"),
            Other(name) => name.to_string(),
            CProperty::Temporal(formula) => formula.name.to_string(),
            known => {
                let own = NAMES.iter().find(|(_, p)| *p == std::slice::from_ref(known));
                own.map_or("?", |(name, _)| *name).to_owned()
            }
        }
    }

    /// What a run that breaks it does, as a clause: `a signed operation overflows`.
    pub fn violation(&self) -> String {
        match self {
            Errors => "an error function is called or an assertion fails".into(),
            Call(f) => format!("`{f}` is called"),
            Label(l) => format!("label `{l}` is reached"),
            Overflow => "a signed operation overflows".into(),
            Division => "a divisor is zero".into(),
            Shift => "a shift amount is negative or too large".into(),
            FloatConversion => "a float does not fit the integer type it is converted to".into(),
            Deref => "memory outside a live object is accessed".into(),
            Free => "something is freed that is no live heap object".into(),
            Track => "the last pointer to a heap object is lost".into(),
            Cleanup => "a heap object is not freed at the end".into(),
            Initialized => "a value is read that was never written".into(),
            Sequencing => "an object is written and accessed again in no fixed order".into(),
            ObjectBounds => "an index leaves its array".into(),
            Race => "two threads access an object at once, one of them writing".into(),
            Deadlock => "no thread can move and not all have ended".into(),
            Locks => "a lock is used by a thread that may not".into(),
            Termination => "it never ends".into(),
            CProperty::Temporal(formula) => format!("`{}` is broken", formula.name),
            Other(name) => name.to_string(),
        }
    }

    /// What is taken for granted when it is not asked, as a sentence; `None`
    /// if nothing is.
    pub fn assumption(&self) -> Option<&'static str> {
        match self {
            Overflow => Some("signed arithmetic wraps"),
            Division => Some("no division by zero"),
            Shift => Some("no bad shift"),
            FloatConversion => Some("floats fit the integers they are converted to"),
            Deref => Some("no bad memory access"),
            Free => Some("no bad free"),
            Initialized => Some("reads of uninitialized objects give any value"),
            Sequencing => Some("accesses in no fixed order happen from left to right"),
            Errors
            | Call(_)
            | Label(_)
            | Track
            | Cleanup
            | ObjectBounds
            | Race
            | Deadlock
            | Locks
            | Termination
            | CProperty::Temporal(_)
            | Other(_) => None,
        }
    }

    /// All properties with an [`CProperty::assumption`], in a fixed order.
    pub fn assumed() -> [CProperty; 8] {
        [Overflow, Division, Shift, FloatConversion, Deref, Free, Initialized, Sequencing]
    }

    /// The formula of a property file, `G ! call(reach_error())` say, as
    /// witnesses quote it; `None` for what has none there.
    pub fn formula(&self) -> Option<String> {
        let known = FORMULAS.iter().find(|(_, p)| p == self);
        match self {
            Errors => Some("G ! call(reach_error())".into()),
            Call(f) => Some(format!("G ! call({f}())")),
            Label(l) => Some(format!("G ! label({l})")),
            Termination => Some(END.into()),
            CProperty::Temporal(formula) => {
                let start = parallax_ltl::name_of(&formula.text).map_or(0, |name| name.2);
                Some(formula.text[start..].trim().to_owned())
            }
            _ => known.map(|(text, _)| format!("G {text}")),
        }
    }

    /// Whether it is about runs as wholes, which no single operation breaks.
    pub fn is_about_runs(&self) -> bool {
        match self {
            Termination => true,
            CProperty::Temporal(formula) => formula.always().is_none(),
            _ => false,
        }
    }

    /// Whether a failure of this check breaks it.
    pub fn asks(&self, check: &Check) -> bool {
        match check {
            Check::Overflow(_) => *self == Overflow,
            Check::Division(_) => *self == Division,
            Check::Shift(_) => *self == Shift,
            Check::FloatConversion(_) => *self == FloatConversion,
            Check::Access { .. } | Check::AccessBytes { .. } | Check::Callable(_) => *self == Deref,
            Check::Initialized(_) => *self == Initialized,
            Check::Free(_) => *self == Free,
            Check::Sequenced { .. } => *self == Sequencing,
            Check::Index { .. } => *self == ObjectBounds,
            Check::Alone { .. } | Check::AloneBytes { .. } => *self == Race,
            Check::Lock(..) => *self == Locks,
            Check::Unreachable => false,
        }
    }

    /// What the error operation says that stands where the property forbids to
    /// arrive.
    pub fn error_text(&self) -> Arc<str> {
        match self {
            Call(f) => f.clone(),
            Label(l) => format!("{LABEL}{l}").into(),
            CProperty::Temporal(formula) => {
                format!("{FORMULA}{}: {}", formula.number, formula.name).into()
            }
            _ => self.name().into(),
        }
    }

    /// Whether an error operation stands for a label or a formula: it is none of
    /// the program's own.
    fn is_made(error: &str) -> bool {
        error.starts_with(LABEL) || error.starts_with(FORMULA)
    }

    /// The name of the formula that an error operation was made for, if it was.
    pub fn formula_of(error: &str) -> Option<&str> {
        Some(error.strip_prefix(FORMULA)?.split_once(": ")?.1)
    }

    /// The label that an error operation stands at, if it was made for one.
    pub fn label_of(error: &str) -> Option<&str> {
        error.strip_prefix(LABEL)
    }

    /// Whether arriving at this error operation breaks it.
    pub fn asks_error(&self, op: &Op) -> bool {
        match (self, op) {
            (Errors, Op::Error(text)) => !CProperty::is_made(text),
            (CProperty::Temporal(_), Op::Error(text)) => *text == self.error_text(),
            (Label(l), Op::Error(text)) => CProperty::label_of(text) == Some(l),
            // The text of an error begins with the function that was called.
            (Call(f), Op::Error(text)) => {
                let rest = text.strip_prefix(&**f);
                rest.is_some_and(|rest| {
                    !rest.starts_with(|c: char| c == '_' || c.is_alphanumeric())
                })
            }
            _ => false,
        }
    }
}

impl fmt::Display for CProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// What a property file says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    /// The function the program starts with.
    pub entry: String,
    /// What must never happen, without repetitions.
    pub properties: Vec<CProperty>,
}

/// A line of a property file that makes no sense.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadSpecification {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for BadSpecification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for BadSpecification {}

impl Specification {
    /// Reads a property file.
    pub fn parse(text: &str) -> Result<Specification, BadSpecification> {
        let mut entry: Option<String> = None;
        let mut properties = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with("//") || line.starts_with('#') {
                continue;
            }
            let bad = |message: String| BadSpecification { line: index + 1, message };
            let (start, property) = check_line(line).map_err(bad)?;
            if entry.as_ref().is_some_and(|known| *known != start) {
                return Err(bad("the lines start with different functions".into()));
            }
            entry = Some(start);
            if !properties.contains(&property) {
                properties.push(property);
            }
        }
        match entry {
            Some(entry) => Ok(Specification { entry, properties }),
            None => Err(BadSpecification { line: 1, message: "there is no property".into() }),
        }
    }
}

/// Reads `CHECK( init(main()), LTL(G ...) )`: the entry and the property.
fn check_line(line: &str) -> Result<(String, CProperty), String> {
    let form = "expected `CHECK( init(main()), LTL(...) )`";
    let (word, body) = line.split_once('(').ok_or(form)?;
    let body = body.trim_end().strip_suffix(')').ok_or(form)?.trim();
    let (first, second) = body.split_once(',').ok_or(form)?;
    let (first, second) = (first.trim(), second.trim());
    let entry = enclosed(first, "init").and_then(called).map(str::to_owned);
    match word.trim() {
        "CHECK" | "COVER" if entry.is_none() => {
            // SV-LIB: `CHECK(annotations, all)`.
            let name = if first == "annotations" {
                "correct-annotations"
            } else {
                return Err(form.into());
            };
            Ok(("main".into(), Other(name.into())))
        }
        "CHECK" => {
            let formula = enclosed(second, "LTL").ok_or(form)?;
            Ok((entry.ok_or(form)?, property_of(formula)))
        }
        "COVER" => Ok((entry.ok_or(form)?, Other(format!("COVER {second}").into()))),
        _ => Err(form.into()),
    }
}

/// The property of a formula of linear-time logic.
fn property_of(formula: &str) -> CProperty {
    let words: Vec<&str> = formula.split_whitespace().collect();
    let plain = words.join(" ");
    let other = || match plain.as_str() {
        END => Termination,
        "G def-behavior" => Other("def-behavior".into()),
        text => Other(text.into()),
    };
    let Some(always) = plain.strip_prefix("G ") else { return other() };
    if let Some((_, property)) = FORMULAS.iter().find(|(text, _)| *text == always) {
        return property.clone();
    }
    let Some(never) = always.strip_prefix('!').map(str::trim) else { return other() };
    if let Some(function) = enclosed(never, "call").and_then(called) {
        return Call(function.into());
    }
    match enclosed(never, "label") {
        Some(label) if is_identifier(label) => Label(label.into()),
        _ => other(),
    }
}

/// `x` of `word(x)`.
fn enclosed<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let inside = text.trim().strip_prefix(word)?.trim_start().strip_prefix('(')?;
    Some(inside.trim_end().strip_suffix(')')?.trim())
}

/// `f` of `f()` or `f`.
fn called(text: &str) -> Option<&str> {
    let name = text.split_once('(').map_or(text, |(name, _)| name).trim();
    is_identifier(name).then_some(name)
}

fn is_identifier(text: &str) -> bool {
    let inside = |c: char| c == '_' || c == '$' || c.is_alphanumeric();
    !text.is_empty() && !text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files() {
        let check = |text: &str, expected: &str| {
            let names = match Specification::parse(text) {
                Ok(found) => {
                    let names: Vec<_> = found.properties.iter().map(CProperty::name).collect();
                    format!("{}: {}", found.entry, names.join(", "))
                }
                Err(error) => error.to_string(),
            };
            assert_eq!(names, expected, "{text}");
        };
        let line = |f: &str| format!("CHECK( init(main()), LTL({f}) )\n");
        check(&line("G ! call(reach_error())"), "main: unreach-call(reach_error)");
        check(&line("G ! call( __VERIFIER_error() )"), "main: unreach-call(__VERIFIER_error)");
        check(&line("G ! label(ERROR)"), "main: unreach-label(ERROR)");
        check(
            &(line("G valid-free") + "\n" + &line("G valid-deref") + &line("G valid-memtrack")),
            "main: valid-free, valid-deref, valid-memtrack",
        );
        check(&line("G valid-memcleanup"), "main: valid-memcleanup");
        check("CHECK( init(start()), LTL(G ! overflow) )", "start: overflow");
        check(&line("F end"), "main: termination");
        check(&line("G ! data-race"), "main: no-data-race");
        check("CHECK(annotations, all)", "main: correct-annotations");
        check(
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
            "main: COVER FQL(COVER EDGES(@DECISIONEDGE))",
        );
        check("", "line 1: there is no property");
        check("\nhello", "line 2: expected `CHECK( init(main()), LTL(...) )`");
        check(
            &(line("F end") + "CHECK( init(f()), LTL(F end) )"),
            "line 2: the lines start with different functions",
        );
    }

    #[test]
    fn names_and_formulas_go_both_ways() {
        for name in CProperty::names() {
            let found = CProperty::named(name).expect("a known name");
            for property in found {
                assert_eq!(CProperty::named(&property.name()), Some(vec![property.clone()]));
                if let Some(formula) = property.formula().filter(|_| property != Errors) {
                    let file = format!("CHECK( init(main()), LTL({formula}) )");
                    let read = Specification::parse(&file).expect("a file of ours");
                    assert_eq!(read.properties, [property]);
                }
            }
        }
        assert_eq!(CProperty::named("unreach-call(f)"), Some(vec![Call("f".into())]));
        for bad in ["", "overflows", "unreach-call()", "unreach-call(1)", "f(x)", "unreach-label"] {
            assert_eq!(CProperty::named(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_error_is_that_of_its_function_alone() {
        let error = |text: &str| Op::Error(text.into());
        assert!(Call("reach_error".into()).asks_error(&error("reach_error()")));
        assert!(Call("reach_error".into()).asks_error(&error("reach_error")));
        assert!(!Call("reach".into()).asks_error(&error("reach_error")));
        assert!(Errors.asks_error(&error("assertion failed")));
        assert!(!Overflow.asks_error(&error("reach_error")));
    }
}
