//! From files to a program.

use crate::driver::{self, Driver};
use crate::options::{Input, Options};
use crate::preprocess::{Preprocessed, preprocess};
use crate::splice::splice;
use crate::{ast, lex::Encoding, libc, lower, on_large_stack, parse, sema, typed};
use parallax_base::{Diagnostics, FileId, Severity, SourceFile, SourceMap, Span};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Places in one sentence; the rest are counted.
const PLACES: usize = 5;

/// A program and what the front end has to say about it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The program.
    pub program: parallax_cfa::Program,
    /// Messages that are no errors.
    pub warnings: Diagnostics,
    /// Constructs that are not modelled, with their places.
    pub unsupported: Vec<(Span, Arc<str>)>,
    /// The labels of the program's own functions, reached or not.
    pub labels: BTreeSet<Arc<str>>,
    /// What is taken for granted of the library, one sentence each.
    pub assumed: Vec<Arc<str>>,
    /// Whether it asserts something or mentions an error function, though
    /// nothing may be left of it in the program: `assert(sizeof(int) == 4)`.
    pub asserts: bool,
    /// What calls the function that is asked about, if one is.
    pub driver: Option<Driver>,
    /// The numbers of the pieces of text that have their place.
    pub placed: Vec<usize>,
}

/// Loads the files of a program: preprocesses, parses, checks and lowers them.
pub fn load(
    sources: &mut SourceMap,
    inputs: &[Input],
    options: &Options,
) -> Result<Loaded, Diagnostics> {
    on_large_stack(|| {
        let mut warnings = Diagnostics::default();
        let mut placed = Vec::new();
        let (mut units, driver) = read(sources, inputs, options, &mut warnings, &mut placed)?;
        for model in libc::models(&units) {
            let file = sources.add(SourceFile::new(model.name, model.text));
            let (unit, found) = parse_unit(sources, file);
            if found.has_errors() {
                return Err(found);
            }
            units.push(unit);
        }
        let typed = sema::check(&units, options.model, &mut warnings)?;
        drop(units);
        let lower::Lowered { program, unsupported, mut assumed, ordered } =
            lower::lower(&typed, options);
        assumed.extend(order_assumed(sources, &ordered));
        assumed.splice(0..0, driver.iter().flat_map(|driver| driver.assumed.iter().cloned()));
        let own = |label: &&typed::Label| {
            libc::modelled_name(&typed.functions[label.function].name).is_none()
        };
        let labels = typed.labels.iter().filter(own).map(|label| label.name.clone()).collect();
        let asserts = typed.exprs.iter().any(|expr| match expr.kind {
            typed::ExprKind::Function(function) => {
                let function = &typed.functions[function];
                libc::fails(&function.name, function.body.is_some())
            }
            _ => false,
        });
        Ok(Loaded { program, warnings, unsupported, assumed, labels, asserts, driver, placed })
    })
}

/// What is assumed of the order of operands, as a sentence with its places.
fn order_assumed(sources: &SourceMap, ordered: &[Span]) -> Option<Arc<str>> {
    let mut places: Vec<String> = Vec::new();
    for span in ordered {
        let Some(file) = sources.get(span.file) else { continue };
        let place = format!("{}:{}", file.name(), file.line_column(span.lo).line);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let more = places.len().saturating_sub(PLACES);
    places.truncate(PLACES);
    let mut text = format!("operands are evaluated from left to right at {}", places.join(", "));
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    (!places.is_empty()).then(|| text.into())
}

/// Where the tokens of a text with something behind it come from.
struct Appended {
    origin: Box<dyn parse::Origin>,
    /// The first byte of what is behind it, and its file.
    at: u32,
    file: FileId,
}

impl parse::Origin for Appended {
    fn span(&self, lo: u32, hi: u32) -> Span {
        match lo.checked_sub(self.at) {
            Some(lo) => Span { file: self.file, lo, hi: hi.saturating_sub(self.at) },
            None => self.origin.span(lo, hi.min(self.at)),
        }
    }
}

/// Adds a text under a name, as if it stood at the end.
fn append(sources: &mut SourceMap, to: Preprocessed, name: &str, more: &str) -> Preprocessed {
    let file = sources.add(SourceFile::new(name, more));
    let at = to.text.len() as u32;
    let origin = Box::new(Appended { origin: to.origin, at, file });
    Preprocessed { text: [&*to.text, more].concat().into(), origin, ..to }
}

/// Parses one file of preprocessed text. The unit holds what could be parsed,
/// even if there are errors.
///
/// Call it inside [`on_large_stack`].
pub fn parse_unit(sources: &SourceMap, file: FileId) -> (ast::Unit, Diagnostics) {
    let text = sources.get(file).map_or("", |source| source.text());
    parse::parse(text, Encoding::Utf8, &file)
}

/// Preprocesses and parses files. Warnings are added to `warnings` whether or
/// not there are errors.
///
/// Call it inside [`on_large_stack`].
pub fn parse_inputs(
    sources: &mut SourceMap,
    inputs: &[Input],
    options: &Options,
    warnings: &mut Diagnostics,
) -> Result<Vec<ast::Unit>, Diagnostics> {
    read(sources, inputs, options, warnings, &mut Vec::new()).map(|(units, _)| units)
}

/// The functions that files define, in their order, with their places. Those of
/// headers are left out.
pub fn functions(
    sources: &mut SourceMap,
    inputs: &[Input],
    options: &Options,
) -> Result<Vec<(Arc<str>, Span)>, Diagnostics> {
    on_large_stack(|| {
        let mut all = Vec::new();
        let units = parse_inputs(sources, inputs, options, &mut Diagnostics::default())?;
        for unit in &units {
            for (name, span) in driver::functions(unit) {
                let file = sources.get(span.file).map_or("", SourceFile::name);
                if inputs.iter().any(|input| input.path.as_os_str() == file) {
                    all.push((name.clone(), span));
                }
            }
        }
        Ok(all)
    })
}

/// The units, and what was written to call the function that is asked about. The numbers
/// of the pieces of text that have their place are added to `placed`.
fn read(
    sources: &mut SourceMap,
    inputs: &[Input],
    options: &Options,
    warnings: &mut Diagnostics,
    placed: &mut Vec<usize>,
) -> Result<(Vec<ast::Unit>, Option<Driver>), Diagnostics> {
    let mut errors = Diagnostics::default();
    let mut sort = |found: Diagnostics| {
        for diagnostic in found.iter() {
            match diagnostic.severity {
                Severity::Error => errors.push(diagnostic.clone()),
                Severity::Warning => warnings.push(diagnostic.clone()),
            }
        }
    };
    let mut texts = Vec::new();
    let mut units = Vec::new();
    let mut appendix = options.appendix.as_ref();
    for input in inputs {
        let mut found = Diagnostics::default();
        let text = preprocess(sources, input, options, &mut found);
        sort(found);
        if let Some(mut text) = text {
            if !options.splices.pieces.is_empty() {
                let put = splice(sources, &text.text, text.origin, &options.splices, placed);
                (text.text, text.origin) = (put.text, put.origin);
            }
            if let Some((name, more)) = appendix.take() {
                text = append(sources, text, name, more);
            }
            let (unit, found) = parse::parse(&text.text, text.encoding, &*text.origin);
            sort(found);
            units.push(unit);
            texts.push((&input.path, text));
        }
    }
    let mut written = None;
    if let Some(request) = options.driver.as_ref().filter(|_| !errors.has_errors()) {
        let Some(at) = driver::unit_of(&units, &request.function) else {
            let first = units.iter().flat_map(driver::functions).map(|(_, span)| span).next();
            return Err(driver::undefined(&units, request, first.unwrap_or_default()));
        };
        let (path, text) = texts.swap_remove(at);
        let driver = driver::driver(&units[at], path, options.model, request)?;
        let name = format!("<driver of {}>", request.function);
        let text = append(sources, text, &name, &driver.text);
        let (unit, found) = parse::parse(&text.text, text.encoding, &*text.origin);
        for diagnostic in found.iter().filter(|d| d.severity == Severity::Error) {
            errors.push(diagnostic.clone());
        }
        units[at] = unit;
        written = Some(driver);
    }
    if errors.has_errors() { Err(errors) } else { Ok((units, written)) }
}
