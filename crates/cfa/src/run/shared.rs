//! What all functions of a program share when they are compiled: where the
//! static variables live, which variables need an object, and the options.

use super::code::{Class, Code, Reg, class_of};
use super::outcome::{CheckKind, Options};
use crate::registers::{Memo, in_memory};
use crate::{Function, Op, Program, ScalarType, Storage, Variable};
use parallax_base::Id;
use std::cell::{OnceCell, RefCell};

/// Where a static variable lives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StaticHome {
    /// Not static.
    None,
    /// In the registers of static variables.
    Register(u32, Class),
    /// In the object with this index.
    Object(u32),
    /// In the running thread's object of this number.
    Thread(u32),
}

/// A program with the code of its functions, compiled when first called.
#[derive(Debug)]
pub(crate) struct Shared<'p> {
    /// The program.
    pub(crate) program: &'p Program,
    /// The options.
    pub(crate) options: Options,
    /// Per variable: whether it needs an object.
    pub(crate) in_memory: Vec<bool>,
    /// Per variable.
    pub(crate) statics: Vec<StaticHome>,
    /// Size, alignment and whether it is read-only, per static object.
    pub(crate) objects: Vec<(u64, u64, bool)>,
    /// Whether there may be several threads.
    pub(crate) has_threads: bool,
    /// The objects of `main` for the variables that each thread has; none in
    /// programs with one thread.
    pub(crate) thread_objects: Vec<u32>,
    /// How many registers the static variables take.
    pub(crate) globals: u32,
    /// Variables of each function that begin to live by an operation.
    pub(crate) lived: Vec<bool>,
    pub(crate) codes: Vec<OnceCell<Code>>,
    pub(crate) memo: RefCell<Memo<Reg>>,
    /// Locals of each function.
    pub(crate) locals: Vec<Vec<Id<Variable>>>,
}

impl<'p> Shared<'p> {
    pub(crate) fn new(program: &'p Program, options: Options) -> Shared<'p> {
        let has_threads = program.has_threads();
        let mut in_memory = in_memory(program, options.checks.contains(CheckKind::Initialized));
        for (id, variable) in program.variables.iter_enumerated() {
            in_memory[id.index()] |= has_threads && variable.storage == Storage::Thread;
        }
        let mut thread_objects = Vec::new();
        let mut statics = Vec::with_capacity(program.variables.len());
        let mut objects = Vec::new();
        let mut globals = 0;
        let mut locals = vec![Vec::new(); program.functions.len()];
        for (id, variable) in program.variables.iter_enumerated() {
            let is_static = matches!(variable.storage, Storage::Static | Storage::Thread);
            if !is_static && let Some(owner) = variable.owner {
                locals[owner.index()].push(id);
            }
            statics.push(if !is_static {
                StaticHome::None
            } else if in_memory[id.index()] {
                objects.push((variable.size, variable.align, variable.read_only));
                let object = objects.len() as u32 - 1;
                if has_threads && variable.storage == Storage::Thread {
                    thread_objects.push(object);
                    StaticHome::Thread(thread_objects.len() as u32 - 1)
                } else {
                    StaticHome::Object(object)
                }
            } else {
                let class = program.types.scalar(variable.ty).map_or(Class::One, class_of);
                let at = globals;
                globals += if class == Class::One { 1 } else { 2 };
                StaticHome::Register(at, class)
            });
        }
        let mut lived = vec![false; program.variables.len()];
        for function in &program.functions {
            for edge in &function.edges {
                if let Op::Live(variable, _) = &edge.op {
                    lived[variable.index()] = true;
                }
            }
        }
        Shared {
            program,
            options,
            in_memory,
            statics,
            objects,
            has_threads,
            thread_objects,
            globals,
            lived,
            codes: (0..program.functions.len()).map(|_| OnceCell::new()).collect(),
            memo: RefCell::new(Memo::new(program)),
            locals,
        }
    }

    /// The code of a function.
    pub(crate) fn code(&self, function: Id<Function>) -> &Code {
        self.codes[function.index()].get_or_init(|| super::compile::compile(self, function))
    }

    /// The scalar type of a variable.
    pub(crate) fn scalar(&self, variable: Id<Variable>) -> Option<ScalarType> {
        self.program.types.scalar(self.program.variables[variable].ty)
    }
}
