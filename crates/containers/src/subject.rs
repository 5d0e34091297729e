//! A program with its API, compiled for the search.

use crate::api::{Api, Maker, MakerKind};
use crate::{Goal, Match};
use parallax_base::Id;
use parallax_cfa::{Callee, ExprKind, Function, Op, Program};
use parallax_machine::{CompileOptions, Compiled, LayoutId, Layouts, Trap, compile};

/// The function that reports probes.
pub(crate) const PROBE: &str = "parallax_probe";

/// Why there is nothing to search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SubjectError {
    /// The program cannot be compiled.
    Trap(Trap),
    /// `--match user` without an abstraction.
    NoAbstraction,
}

/// A program with its API.
#[derive(Debug)]
pub struct Subject<'p> {
    /// The byte code.
    pub compiled: Compiled<'p>,
    /// The API.
    pub api: Api,
    /// How its types lie in memory.
    pub layouts: Layouts,
    /// Whether the code calls `parallax_probe`.
    pub has_probes: bool,
    pub(crate) container_layout: LayoutId,
    pub(crate) model_layout: LayoutId,
    /// Static variables that count as part of the state.
    pub(crate) statics: Vec<(u64, LayoutId)>,
}

impl<'p> Subject<'p> {
    /// Compiles a program for a search.
    pub fn new(
        program: &'p Program,
        api: Api,
        goal: Goal,
        matching: Match,
    ) -> Result<Subject<'p>, SubjectError> {
        if matching == Match::User && api.abstraction.is_none() {
            return Err(SubjectError::NoAbstraction);
        }
        let functions = program.functions.iter_enumerated();
        let probe = functions.into_iter().find(|(_, f)| &*f.name == PROBE).map(|(id, _)| id);
        let counted = counted(program, &api);
        let has_probes = probe.is_some_and(|probe| is_called(program, probe));
        let options = CompileOptions {
            counted,
            combinations: goal == Goal::Predicates && !has_probes,
            probe,
        };
        let compiled = compile(program, options).map_err(SubjectError::Trap)?;
        let layouts = Layouts::new(program);
        let pointee = |maker: &Maker| {
            maker.pointer.and_then(|ty| program.types.pointee(ty)).map_or(0, |ty| layouts.of(ty))
        };
        let container_layout = pointee(&api.container);
        let model_layout = api.model.as_ref().map_or(0, pointee);
        let written = written(program);
        let statics = compiled
            .statics
            .iter()
            .filter(|(variable, _)| written[variable.index()])
            .map(|(variable, pointer)| (*pointer, layouts.of(program.variables[*variable].ty)))
            .collect();
        Ok(Subject { compiled, api, layouts, has_probes, container_layout, model_layout, statics })
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.compiled.program
    }

    /// How many blocks there are to cover.
    pub fn block_count(&self) -> usize {
        self.compiled.map.blocks.iter().filter(|block| block.has_operations).count()
    }

    /// How many outcomes of conditions there are to cover.
    pub fn branch_count(&self) -> usize {
        self.compiled.map.blocks.iter().filter(|block| block.branch.is_some()).count()
    }
}

fn is_called(program: &Program, function: Id<Function>) -> bool {
    program.functions.iter().any(|f| callees(program, f).contains(&function))
}

/// What a function calls, or could call through a pointer made in it.
fn callees(program: &Program, function: &Function) -> Vec<Id<Function>> {
    let mut found = Vec::new();
    for edge in &function.edges {
        if let Op::Call { callee: Callee::Direct(called), .. } = &edge.op {
            found.push(*called);
        }
        if let Op::Call { arguments, .. } = &edge.op {
            for argument in arguments {
                if let parallax_cfa::Argument::Scalar(value) = argument {
                    named(program, *value, &mut found);
                }
            }
        }
        if let Op::Assign(_, value) = &edge.op {
            named(program, *value, &mut found);
        }
    }
    found
}

/// The functions whose address an expression has.
fn named(program: &Program, expr: Id<parallax_cfa::Expr>, found: &mut Vec<Id<Function>>) {
    match &program.exprs[expr].kind {
        ExprKind::Function(function) => found.push(*function),
        ExprKind::Convert(inner) => {
            if let ExprKind::Function(function) = program.exprs[*inner].kind {
                found.push(function);
            }
        }
        _ => {}
    }
}

/// The functions whose code is to be covered: all that the operations reach,
/// but for models of the C library.
fn counted(program: &Program, api: &Api) -> Vec<bool> {
    let mut work: Vec<Id<Function>> = api.operations.iter().map(|o| o.function).collect();
    match api.container.kind {
        MakerKind::Returned(new) | MakerKind::Initialized(new) | MakerKind::Global(Some(new)) => {
            work.push(new);
        }
        _ => {}
    }
    let mut counted = vec![false; program.functions.len()];
    while let Some(next) = work.pop() {
        if std::mem::replace(&mut counted[next.index()], true) {
            continue;
        }
        work.extend(callees(program, &program.functions[next]));
    }
    for (id, function) in program.functions.iter_enumerated() {
        counted[id.index()] &= function.is_defined && !function.is_library;
    }
    counted
}

/// Static variables that some operation writes, or could through a pointer.
fn written(program: &Program) -> Vec<bool> {
    let mut written: Vec<bool> = program.variables.iter().map(|v| v.address_taken).collect();
    let mut note = |place: Id<parallax_cfa::Place>| {
        if let parallax_cfa::Base::Variable(variable) = program.places[place].base {
            written[variable.index()] = true;
        }
    };
    for function in &program.functions {
        for edge in &function.edges {
            match &edge.op {
                Op::Assign(to, _)
                | Op::Copy { to, .. }
                | Op::Input { to, .. }
                | Op::Havoc { to, .. }
                | Op::Call { to: Some(to), .. }
                | Op::Primitive { to: Some(to), .. } => note(*to),
                _ => {}
            }
        }
    }
    written
}
