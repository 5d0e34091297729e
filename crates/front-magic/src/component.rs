//! From a procedure to a program over terms whose edges carry actions.

use crate::automata::{Automata, SILENT};
use crate::effects::add_effects;
use crate::machine::Machines;
use crate::places::{GENERATED, Places, given, input_names, is_generated};
use crate::syntax::{Abstraction, Procedure, System, Writes};
use crate::text::{ASSUMED, DRIVER, Leaving, OTHERWISE, assumption, driver, head, meeting};
use parallax_base::{Budget, Diagnostic, Diagnostics, Id, SourceMap, Span, Stop};
use parallax_cfa::{CProperty, Callee, DataModel, ExprKind, Initial, Mark, Op, Program};
use parallax_encode::{Blocks, Chain, Encoded, Encoding, Options, Passes, encode, resolved};
use parallax_front_c as front;
use parallax_front_fsp::Failure;
use parallax_ir as ir;
use parallax_lts::Lts;
use parallax_term::{Int, Term, Value};
use parallax_transform::inline::{Limits, inline};
use parallax_transform::points_to::{self, Undefined};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a procedure is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Its own target with this number.
    Target(usize),
    /// To be part of the composition.
    Composition,
    /// What it does at all: for any arguments, with one action for its return.
    Extraction,
}

/// A procedure with its assumptions, as a program over terms.
#[derive(Clone, Debug)]
pub struct Component {
    /// The name of the procedure.
    pub name: String,
    /// The program: one process.
    pub program: ir::Program,
    /// For each edge of the process its action; silent edges have none.
    pub actions: Vec<Option<Arc<str>>>,
    /// All actions it may take part in.
    pub alphabet: BTreeSet<String>,
    /// For each location whether nothing happens there without an action.
    pub waits: Vec<bool>,
    /// For each location whether what happens there is not modelled, and what.
    pub gaps: Vec<Option<Arc<str>>>,
    /// The files its spans point into.
    pub sources: SourceMap,
    /// What the front end has to say; no errors.
    pub warnings: Diagnostics,
    /// What is taken for granted, one sentence each.
    pub assumes: Vec<String>,
    /// Where the procedure returns.
    pub returns: Vec<Span>,
    /// For each edge which of these places is passed along it, over what is
    /// known before it and its inputs; negative if none is.
    pub returning: Vec<Option<Term>>,
    /// For each edge how its inputs are called in the user's text.
    pub input_names: Vec<Vec<Option<String>>>,
    /// Static variables, whose first values matter: by position, with names.
    pub given: Vec<(usize, String)>,
}

/// Why there is no component.
#[derive(Clone, Debug)]
pub enum ComponentError {
    /// The files are wrong; the map belongs to the diagnostics.
    Invalid(Box<SourceMap>, Diagnostics),
    /// The program cannot be turned into terms.
    NotEncoded(String),
    /// The limits were reached.
    Stopped(Stop),
}

fn invalid(sources: &SourceMap, diagnostics: Diagnostics) -> ComponentError {
    ComponentError::Invalid(Box::new(sources.clone()), diagnostics)
}

impl Component {
    /// Where the procedure returns along an edge, if it does: from a state and
    /// with some inputs.
    pub fn left_at(&self, edge: usize, state: &[Value], inputs: &[Value]) -> Option<Span> {
        let term = (*self.returning.get(edge)?)?;
        let mut store = self.program.store.clone();
        let own = self.program.processes.iter().flat_map(|p| p.edges.iter()).nth(edge)?;
        let before = self.program.variables.iter().map(|v| v.term).zip(state);
        let chosen = own.inputs.iter().map(|input| input.term).zip(inputs);
        let mut known = Vec::new();
        for (symbol, value) in before.chain(chosen) {
            known.push((symbol, store.constant(value.clone())));
        }
        let number = store.substitute(term, &known);
        let number = store.int_value(number).and_then(Int::to_i64);
        self.returns.get(usize::try_from(number?).ok()?).copied()
    }

    /// Whether a place is in the user's text.
    pub fn is_users(&self, span: Span) -> bool {
        !is_generated(&self.sources, span)
    }
}

impl System {
    /// A transition system by name.
    ///
    /// # Errors
    /// When there is none, or it is wrong.
    pub fn machine(
        &self,
        machines: &mut Machines,
        name: &str,
        span: Span,
        sources: &SourceMap,
        budget: &Budget,
    ) -> Result<Lts, ComponentError> {
        match machines.get(name, budget) {
            Some(Ok(lts)) => Ok(lts),
            Some(Err(Failure::Invalid(diagnostics))) => Err(invalid(sources, diagnostics)),
            Some(Err(Failure::Stopped(stop))) => Err(ComponentError::Stopped(stop)),
            None => {
                let mut diagnostics = Diagnostics::default();
                let message = format!("there is no process `{name}` in the FSP texts");
                diagnostics.push(Diagnostic::error("F0031", span, message));
                Err(invalid(sources, diagnostics))
            }
        }
    }

    /// The C files, seen from the folder of the system file.
    pub(crate) fn files(&self, folder: &Path) -> Vec<PathBuf> {
        let absolute = |name: &String| {
            let path = folder.join(name);
            std::path::absolute(&path).unwrap_or(path)
        };
        self.sources.iter().map(|(name, _)| absolute(name)).collect()
    }

    /// How the C files are read.
    pub(crate) fn options(&self, folder: &Path) -> front::Options {
        front::Options {
            model: DataModel::default(),
            includes: self.includes.iter().map(|name| folder.join(name)).collect(),
            defines: self.defines.clone(),
            entry: DRIVER.to_owned(),
            ..front::Options::default()
        }
    }

    /// The assumptions that hold inside a procedure: those stated, and the
    /// procedure's own targets for recursive calls.
    pub fn assumptions_of(&self, procedure: &Procedure) -> Vec<Abstraction> {
        let mut all = self.assumptions.clone();
        let stated = all.iter().any(|a| a.signature.name == procedure.signature.name);
        if !stated && !procedure.targets.is_empty() {
            all.push(Abstraction {
                signature: procedure.signature.clone(),
                cases: procedure.targets.clone(),
                action: None,
                // What its body writes is known.
                writes: Some(Writes::Nothing),
            });
        }
        all
    }

    /// The program of a procedure. `sources` holds the system file and the FSP
    /// files; the C files are added to a copy of it.
    ///
    /// # Errors
    /// When something is wrong with the files or they cannot be encoded.
    pub fn component(
        &self,
        procedure: &Procedure,
        question: Question,
        folder: &Path,
        machines: &mut Machines,
        sources: &SourceMap,
        budget: &Budget,
    ) -> Result<Component, ComponentError> {
        let mut automata = Automata::default();
        let mut body = String::new();
        let mut alphabet = BTreeSet::new();
        let mut keep = Vec::new();
        let assumptions = self.assumptions_of(procedure);
        // The actions of each assumption: they count if the routine is called.
        let mut offered: Vec<BTreeSet<String>> = Vec::new();
        for assumed in &assumptions {
            let mut cases = Vec::new();
            let mut labels: BTreeSet<String> = assumed.action.clone().into_iter().collect();
            for case in &assumed.cases {
                let lts = self.machine(machines, &case.machine, case.span, sources, budget)?;
                let visible = lts.alphabet().filter(|l| crate::machine::returned(l).is_none());
                labels.extend(visible.map(ToString::to_string));
                cases.push(lts);
            }
            body.push_str(&assumption(assumed, self.writes_of(assumed), &cases, &mut automata));
            offered.push(labels);
            keep.push(format!("{ASSUMED}{}", assumed.signature.name));
        }
        let (target, returns) = match question {
            Question::Target(index) => {
                let target = procedure.targets.get(index);
                let mut returns = Vec::new();
                if let Some(target) = target {
                    let lts =
                        self.machine(machines, &target.machine, target.span, sources, budget)?;
                    let all = lts.alphabet().filter(|l| crate::machine::returned(l).is_some());
                    returns = all.map(ToString::to_string).collect();
                    alphabet.extend(lts.alphabet().map(ToString::to_string));
                }
                (target, returns)
            }
            Question::Composition => (None, Vec::new()),
            Question::Extraction => {
                let returns = format!("{}}}", crate::machine::RETURN);
                alphabet.insert(returns.clone());
                (None, vec![returns])
            }
        };
        let leaving = match (&question, &procedure.returns) {
            (Question::Target(_) | Question::Extraction, _) if !returns.is_empty() => {
                alphabet.insert(OTHERWISE.to_owned());
                Leaving::Returns(&returns)
            }
            (Question::Composition, Some(action)) => {
                alphabet.insert(action.clone());
                Leaving::Action(action)
            }
            _ => Leaving::Silent,
        };
        let signature = &procedure.signature;
        body.push_str(&driver(procedure, target, &leaving, &keep, &mut automata));
        let files = self.files(folder);
        let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        let text = format!("{}{}{body}", head(&paths), automata.declarations());
        let mut sources = sources.clone();
        let input = front::Input::text(format!("{}{GENERATED}", signature.name), text);
        let input = input.within(folder);
        let loaded = match front::load(&mut sources, &[input], &self.options(folder)) {
            Ok(loaded) => loaded,
            Err(diagnostics) => return Err(invalid(&sources, diagnostics)),
        };
        let initial = procedure.statics.unwrap_or(question == Question::Composition);
        let mut program = loaded.program;
        if !initial {
            for (variable, value) in &mut program.initials {
                if !program.variables[*variable].read_only {
                    *value = Initial::Arbitrary;
                }
            }
        }
        redirect(&mut program, &assumptions);
        add_effects(&mut program, &assumptions);
        let called = called(&program, &signature.name);
        let mut used = Vec::new();
        for ((name, labels), assumed) in keep.iter().zip(offered).zip(&assumptions) {
            if called.contains(name) {
                alphabet.extend(labels);
                used.push(assumed);
            }
        }
        let mut assumes = self.assumes(procedure, &used, &program);
        assumes.extend(loaded.assumed.iter().map(ToString::to_string));
        let places = Places { sources: &sources, procedure: &signature.name };
        let (encoded, returns) =
            encoded(&program, &places, &automata).map_err(ComponentError::NotEncoded)?;
        let returning = encoded.noted.clone();
        let input_names = input_names(&encoded, &sources, &meeting(signature));
        let given = given(&encoded);
        let name = signature.name.clone();
        let who = self.instance(procedure);
        let warnings = loaded.warnings;
        let component = finish(name, &who, encoded, &automata, alphabet, sources, warnings);
        Ok(Component { assumes, returns, returning, input_names, given, ..component })
    }

    /// What an assumed routine writes.
    pub(crate) fn writes_of(&self, assumed: &Abstraction) -> Writes {
        assumed.writes.or(self.writes).unwrap_or(Writes::Arguments)
    }

    /// A name that no other procedure of the system has.
    fn instance(&self, procedure: &Procedure) -> String {
        let name = &procedure.signature.name;
        let before = self.procedures.iter().take_while(|p| !std::ptr::eq(*p, procedure));
        match before.filter(|p| p.signature.name == *name).count() {
            0 => name.clone(),
            earlier => format!("{name} #{}", earlier + 1),
        }
    }
}

/// The names of all functions that are called from a function, directly or not.
fn called(program: &Program, name: &str) -> BTreeSet<String> {
    let program = resolved(program).program;
    let mut found = BTreeSet::from([name.to_owned()]);
    let mut open = vec![name.to_owned()];
    while let Some(name) = open.pop() {
        for function in program.functions.iter().filter(|f| *f.name == *name) {
            for edge in &function.edges {
                if let Op::Call { callee: Callee::Direct(callee), .. } = &edge.op {
                    let callee = program.functions[*callee].name.to_string();
                    if found.insert(callee.clone()) {
                        open.push(callee);
                    }
                }
            }
        }
    }
    found
}

/// Calls of assumed routines go to the functions that stand for them.
fn redirect(program: &mut Program, assumptions: &[Abstraction]) {
    for assumed in assumptions {
        let find = |name: &str| {
            let all = program.functions.iter_enumerated();
            all.filter(|(_, f)| *f.name == *name).map(|(id, _)| id).next()
        };
        let name = &assumed.signature.name;
        let (Some(from), Some(to)) = (find(name), find(&format!("{ASSUMED}{name}"))) else {
            continue;
        };
        let driver = program.main;
        let functions: Vec<_> = program.functions.iter_enumerated().map(|(id, _)| id).collect();
        // The driver calls the procedure itself.
        for id in functions.into_iter().filter(|id| Some(*id) != driver) {
            let function = &mut program.functions[id];
            let edges = function.edges.iter().cloned().map(|mut edge| {
                if let Op::Call { callee, .. } = &mut edge.op
                    && *callee == Callee::Direct(from)
                {
                    *callee = Callee::Direct(to);
                }
                edge
            });
            function.edges = edges.collect();
        }
        let exprs: Vec<_> = program.exprs.iter_enumerated().map(|(id, _)| id).collect();
        for id in exprs {
            let expr = &mut program.exprs[id];
            if expr.kind == ExprKind::Function(from) {
                expr.kind = ExprKind::Function(to);
            }
        }
    }
}

/// Everything inlined, simplified, machines put in, and encoded.
pub(crate) fn encoded(
    program: &Program,
    places: &Places<'_>,
    automata: &Automata,
) -> Result<(Encoded, Vec<Span>), String> {
    let choice = points_to::Options { undefined: Undefined::Arguments, ..Default::default() };
    let whole = resolved(program).program;
    let mut inlined = inline(&whole, &Limits::default()).map_err(|failure| failure.to_string())?;
    let returns = places.settle(&whole, &mut inlined);
    let options = Options {
        encoding: Encoding::Suited,
        blocks: Blocks::LoopFree,
        properties: vec![CProperty::Errors],
        passes: Passes::All,
    };
    let mut chain = Chain::new(inlined.program, inlined.origin, BTreeSet::new());
    chain.name_objects(&options, &choice);
    chain.drop_checks(&options);
    chain.prune(&options);
    let mut program = chain.program;
    automata.splice(&mut program);
    let encoded = encode(&program, &options).map_err(|error| error.to_string())?;
    Ok((encoded, returns))
}

fn finish(
    name: String,
    who: &str,
    encoded: Encoded,
    automata: &Automata,
    mut alphabet: BTreeSet<String>,
    sources: SourceMap,
    warnings: Diagnostics,
) -> Component {
    let process = &encoded.program.processes[Id::new(0)];
    let mark = |location: Id<ir::Location>| -> Option<u32> {
        let cut = encoded.cuts[location.index()]?;
        let main = encoded.form.main?;
        match encoded.form.functions[main].locations[cut].mark? {
            Mark::Cut(number) => Some(number),
            Mark::Note(_) => None,
        }
    };
    let mut gaps = vec![None; process.locations.len()];
    for gap in &encoded.gaps {
        gaps[gap.location.index()] = Some(Arc::clone(&gap.what));
    }
    // There is one process, and its locations are all there are.
    let bad: BTreeSet<_> = encoded.violations.iter().map(|(_, location)| *location).collect();
    // What must never happen, such as to fail an assertion, and what is not
    // modelled are actions of this procedure alone. Had two procedures the same
    // one, neither could do it without the other, and both would hold in vain.
    let error: Arc<str> = format!("*error* in {who}").into();
    let uncovered: Arc<str> = format!("*not modelled* in {who}").into();
    let mut actions = Vec::new();
    for edge in &process.edges {
        let action: Option<Arc<str>> = if gaps[edge.target.index()].is_some() {
            Some(uncovered.clone())
        } else if bad.contains(&edge.target) {
            Some(error.clone())
        } else {
            mark(edge.target).and_then(|number| automata.name(number)).map(Into::into)
        };
        actions.push(action);
    }
    let waits = process.locations.iter_enumerated().map(|(id, _)| {
        let mut edges = process.edges.iter().zip(&actions).filter(|(edge, _)| edge.source == id);
        mark(id) == Some(SILENT) && edges.all(|(_, action)| action.is_some())
            || process.edges.iter().all(|edge| edge.source != id)
    });
    let waits = waits.collect();
    alphabet.extend([error.to_string(), uncovered.to_string()]);
    alphabet.remove("tau");
    let (program, assumes) = (encoded.program, Vec::new());
    Component {
        name,
        program,
        actions,
        alphabet,
        waits,
        gaps,
        sources,
        warnings,
        assumes,
        returns: Vec::new(),
        returning: Vec::new(),
        input_names: Vec::new(),
        given: Vec::new(),
    }
}
