//! One compiler from control-flow automata to code over registers, for every
//! executor: the interpreter (`crate::run`) and the machine of `parallax-machine`.
//!
//! An executor is a [`Target`]: where variables live, how a pointer looks, what
//! a load, a call or a primitive becomes. Control flow ([`Flow`]), expressions
//! ([`Values`]), operators (`arith.rs`), places (`place.rs`), and operations and
//! checks ([`Operations`]) are compiled here, once.
//!
//! Invariants: nothing recurses on the depth of an expression; the code of an
//! edge evaluates each of its expressions at most once on each path.

mod arith;
mod flow;
mod instr;
mod op;
mod place;
mod value;

pub use arith::Arithmetic;
pub use flow::Flow;
pub use instr::{CallCode, CalleeCode, Class, Instructions, Register, Shared, SlowCode, SlowOp};
pub use op::Operations;
pub use place::{Parts, Walked, constant_offset, in_memory, walk};
pub use value::Values;

use crate::{
    Argument, Binary, Callee, Check, Edge, Expr, Function, Halt, Location, Op, Place, Primitive,
    Program, ScalarType, Unary, Variable,
};
use parallax_base::Id;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Registers of expressions evaluated on the edge that is being compiled. It
/// goes from function to function, so that it is made once for a program.
#[derive(Clone, Debug, Default)]
pub struct Memo<R> {
    /// Per expression: the edge it was evaluated for, and the register.
    known: Vec<(u32, R)>,
    /// The number of the edge that is being compiled.
    stamp: u32,
}

impl<R: Register> Memo<R> {
    /// Nothing is known about the expressions of a program.
    pub fn new(program: &Program) -> Memo<R> {
        Memo { known: vec![(0, R::NONE); program.exprs.len()], stamp: 1 }
    }
}

/// A function that is being compiled, as far as all executors need the same.
#[derive(Debug)]
pub struct Work<'p, R, I, A> {
    /// The program.
    pub program: &'p Program,
    /// The function.
    pub function: Id<Function>,
    /// The instructions so far.
    pub instrs: Vec<I>,
    /// The registers of a new frame: constants in place, the rest zero.
    pub template: Vec<u64>,
    /// The calls of its instructions.
    pub calls: Vec<CallCode<R, A>>,
    /// The operators of its slow instructions.
    pub slow: Vec<SlowCode<R>>,
    /// The texts its instructions name.
    pub texts: Vec<Arc<str>>,
    /// The local variables that live in registers.
    pub registers: FxHashMap<Id<Variable>, R>,
    /// What was evaluated for the edge.
    pub memo: Memo<R>,
    /// Expressions whose memory must be undone when an arm ends.
    trail: Vec<usize>,
    constants: FxHashMap<(u64, Option<u64>), R>,
    /// Registers for values in between: free ones and those of this edge.
    free: [Vec<R>; 2],
    used: [Vec<R>; 2],
    /// The first instruction of each location.
    starts: Vec<u32>,
    /// Jumps to locations, by the place of the instruction.
    jumps: Vec<(usize, Id<Location>)>,
    /// Edges that start somewhere else, with the jump that leads there.
    pending: Vec<(usize, Id<Edge>)>,
}

impl<'p, R: Register, I, A> Work<'p, R, I, A> {
    /// Nothing compiled yet.
    pub fn new(program: &'p Program, function: Id<Function>, memo: Memo<R>) -> Work<'p, R, I, A> {
        Work {
            program,
            function,
            instrs: Vec::new(),
            template: Vec::new(),
            calls: Vec::new(),
            slow: Vec::new(),
            texts: Vec::new(),
            registers: FxHashMap::default(),
            memo,
            trail: Vec::new(),
            constants: FxHashMap::default(),
            free: [Vec::new(), Vec::new()],
            used: [Vec::new(), Vec::new()],
            starts: Vec::new(),
            jumps: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// A register that keeps its number.
    pub fn fresh(&mut self, class: Class) -> R {
        let at = self.template.len();
        self.template.push(0);
        if class != Class::One {
            self.template.push(0);
        }
        R::new(at)
    }

    /// A register for a value in between.
    pub fn temporary(&mut self, class: Class) -> R {
        let which = usize::from(class != Class::One);
        let reg = self.free[which].pop().unwrap_or_else(|| self.fresh(class));
        self.used[which].push(reg);
        reg
    }

    /// A register with a constant.
    pub fn constant(&mut self, value: u64) -> R {
        self.kept(value, None)
    }

    /// Two registers with constants.
    pub fn constant_pair(&mut self, low: u64, high: u64) -> R {
        self.kept(low, Some(high))
    }

    fn kept(&mut self, low: u64, high: Option<u64>) -> R {
        if let Some(reg) = self.constants.get(&(low, high)) {
            return *reg;
        }
        let at = self.template.len();
        self.template.push(low);
        self.template.extend(high);
        self.constants.insert((low, high), R::new(at));
        R::new(at)
    }

    /// The number of a text.
    pub fn text(&mut self, text: &str) -> u32 {
        self.texts.push(text.into());
        self.texts.len() as u32 - 1
    }

    /// Forgets what was computed for the edge before.
    pub fn begin_edge(&mut self) {
        self.forget();
        for class in 0..2 {
            let used = std::mem::take(&mut self.used[class]);
            self.free[class].extend(used.into_iter().rev());
        }
        self.trail.clear();
    }

    /// What was loaded may have changed.
    pub fn forget(&mut self) {
        self.memo.stamp += 1;
    }

    /// The scalar type of an expression; anything else counts as `int`.
    pub fn type_of(&self, expr: Id<Expr>) -> ScalarType {
        self.program.types.scalar(self.program.exprs[expr].ty).unwrap_or(ScalarType::INT)
    }

    /// The scalar type at a place; anything else counts as `int`.
    pub fn type_at(&self, place: Id<Place>) -> ScalarType {
        self.program.types.scalar(self.program.places[place].ty).unwrap_or(ScalarType::INT)
    }
}

/// The work of a target.
pub type WorkOf<'p, T> =
    Work<'p, <T as Target<'p>>::Reg, <T as Target<'p>>::Instr, <T as Target<'p>>::Argument>;

/// What differs between executors.
pub trait Target<'p>: Sized {
    /// A register.
    type Reg: Register;
    /// An instruction.
    type Instr: Instructions<Self::Reg>;
    /// An argument of a call.
    type Argument;

    /// The function that is being compiled.
    fn work(&self) -> &WorkOf<'p, Self>;

    /// The function that is being compiled, to add to it.
    fn work_mut(&mut self) -> &mut WorkOf<'p, Self>;

    /// Appends an instruction; where it is.
    fn emit(&mut self, instr: Self::Instr) -> usize {
        let instrs = &mut self.work_mut().instrs;
        instrs.push(instr);
        instrs.len() - 1
    }

    /// How many registers a value takes.
    fn class(ty: ScalarType) -> Class;

    /// How a value goes to another register.
    fn move_instr(class: Class, d: Self::Reg, a: Self::Reg) -> Self::Instr;

    /// An instruction of its own for a unary operator.
    fn own_unary(_: Unary, _: ScalarType, _: Self::Reg, _: Self::Reg) -> Option<Self::Instr> {
        None
    }

    /// An instruction of its own for a binary operator.
    fn own_binary(_: Binary, _: ScalarType, _: [Self::Reg; 3]) -> Option<Self::Instr> {
        None
    }

    /// An instruction of its own for a conversion.
    fn own_conversion(
        _: (ScalarType, ScalarType),
        _: Self::Reg,
        _: Self::Reg,
    ) -> Option<Self::Instr> {
        None
    }

    /// A value of this type is about to be computed.
    fn admit(&mut self, _: ScalarType) {}

    /// A register with a constant of the type.
    fn literal(&mut self, ty: ScalarType, bits: u128) -> Self::Reg;

    /// A register with a pointer to a function.
    fn function_pointer(&mut self, function: Id<Function>) -> Self::Reg;

    /// An integer as a pointer of that many bits; where it is then.
    fn pointer_from(&mut self, bits: u32, a: Self::Reg, wish: Option<Self::Reg>) -> Self::Reg;

    /// A pointer plus bytes.
    fn pointer_add(&mut self, d: Self::Reg, a: Self::Reg, b: Self::Reg);

    /// The bytes between two pointers.
    fn pointer_distance(&mut self, d: Self::Reg, a: Self::Reg, b: Self::Reg);

    /// Loads a scalar that is in no register of the frame; where it is then.
    fn load(
        &mut self,
        place: Id<Place>,
        parts: Parts<Self::Reg>,
        wish: Option<Self::Reg>,
    ) -> Self::Reg;

    /// The address of a place; where it is then.
    fn address_of(
        &mut self,
        place: Id<Place>,
        parts: Parts<Self::Reg>,
        wish: Option<Self::Reg>,
    ) -> Self::Reg;

    /// Stores a scalar to a place that is in no register of the frame.
    fn store_away(&mut self, place: Id<Place>, a: Self::Reg);

    /// A location begins, with these edges behind it.
    fn arrive(&mut self, location: Id<Location>, leaving: &[Id<Edge>]);

    /// An edge begins; the condition of an assumption was tested before.
    fn start_edge(&mut self, edge: Id<Edge>);

    /// The conditions of these edges follow.
    fn start_branch(&mut self, location: Id<Location>, edges: &[Id<Edge>]);

    /// One of so many jumps, which follow, is to be chosen; whether that is
    /// possible.
    fn choose(&mut self, count: usize) -> bool;

    /// What is executed where nothing leads on.
    fn stuck() -> Self::Instr;

    /// Whether a check is asked.
    fn asks(&self, _: &Check) -> bool {
        true
    }

    /// A check of one access, of memory that was written, or of `free`.
    fn check_memory(&mut self, check: &Check);

    /// A record is assigned.
    fn copy(&mut self, to: Id<Place>, from: Id<Place>);

    /// A value from outside: what comes in, or what is not known.
    fn arbitrary(&mut self, to: Id<Place>, op: &Op);

    /// A variable begins to live, with a size if its array has a variable one.
    fn live(&mut self, variable: Id<Variable>, size: Option<Id<Expr>>);

    /// A variable ends.
    fn dead(&mut self, variable: Id<Variable>);

    /// The run ends.
    fn halt(&mut self, halt: Halt);

    /// Whether a call is done in another way, and that is done.
    fn replaces_call(&mut self, _: Option<Id<Place>>, _: Callee, _: &[Argument]) -> bool {
        false
    }

    /// An argument of a call; none if it cannot be said.
    fn argument(&mut self, argument: &Argument) -> Option<Self::Argument>;

    /// Returns two registers.
    fn return_two(a: Self::Reg) -> Self::Instr;

    /// Returns a record.
    fn return_record(&mut self, place: Id<Place>);

    /// Stores the record that the last call returned.
    fn take_record(&mut self, to: Id<Place>);

    /// A primitive that is not the same for all executors.
    fn primitive(
        &mut self,
        to: Option<Id<Place>>,
        primitive: Primitive,
        arguments: &[Id<Expr>],
        values: &[Self::Reg],
    );
}
