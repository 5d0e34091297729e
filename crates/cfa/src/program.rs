//! Control-flow automata: one per function, one operation per edge.
//!
//! This is the form of a C program after all of C's surface is gone: side
//! effects are operations in sequence, conditions are assumptions on branching
//! edges, undefined behavior is a [`Check`] before the operation that would
//! show it. The interpreter runs it, the encoder turns it into terms.
//!
//! # Threads
//!
//! A program with [`Primitive::Spawn`] has several threads. They share static
//! variables, heap and all objects whose address they know; each has its calls
//! with their locals, and its own [`Storage::Thread`] variables. A run is an
//! interleaving of their edges under sequential consistency: in each step some
//! thread that can move takes one edge. Two things are one step although they
//! are several edges: checks together with the edge that follows them, and what
//! lies between [`Primitive::AtomicBegin`] and [`Primitive::AtomicEnd`]. An
//! assumption belongs to its edge; the front end sees to it that conditions
//! read no shared object, and that no edge accesses two of them. Copies of
//! records and of bytes are one step each. When `main` returns, the run ends.

use crate::{Binary, Expr, ExprKind, Place, Type, Types};
use parallax_base::{Id, IdVec, Span};
use std::sync::Arc;

/// How long a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// The whole run: globals, statics, string literals.
    Static,
    /// One per thread, for the whole run of the thread.
    Thread,
    /// A parameter of its function.
    Parameter,
    /// From its [`Op::Live`] to its [`Op::Dead`], or to the return.
    Local,
    /// Made by the front end for a value in between. It has neither
    /// [`Op::Live`] nor [`Op::Dead`]: it lives as long as the call of its
    /// function, with arbitrary contents at first.
    Temporary,
}

/// A variable: a named object.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name in the source; temporaries begin with `$`.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Id<Type>,
    /// Its life time.
    pub storage: Storage,
    /// The function it belongs to; `None` for globals.
    pub owner: Option<Id<Function>>,
    /// Whether a pointer to it, or into it, is ever made; by code outside the
    /// program as well, which defines what has arbitrary contents at the start.
    pub address_taken: bool,
    /// Whether writing to it is forbidden (string literals).
    pub read_only: bool,
    /// How many bytes it has; differs from its type's size for a structure
    /// with an initialized flexible array member. For an array of variable
    /// length this is zero and [`Op::Live`] says the size.
    pub size: u64,
    /// Its alignment in bytes.
    pub align: u64,
    /// Its declaration.
    pub span: Span,
}

/// The value of a static variable before `main`.
#[derive(Clone, Debug)]
pub enum Initial {
    /// Zero but for these items, in order; a later item wins.
    Items(Vec<InitialItem>),
    /// Arbitrary: it is declared here and defined nowhere.
    Arbitrary,
}

/// A scalar written into a static object.
#[derive(Clone, Debug)]
pub struct InitialItem {
    /// Where.
    pub place: Id<Place>,
    /// A constant: no loads.
    pub value: Id<Expr>,
}

/// A control location.
#[derive(Clone, Debug)]
pub struct Location {
    /// The label, if the source has one here.
    pub label: Option<Arc<str>>,
    /// The statement that begins here.
    pub span: Span,
    /// Set where a loop statement of the source has its head: the place of the
    /// keyword.
    pub loop_head: Option<Span>,
    /// What it is wanted for besides.
    pub mark: Option<Mark>,
}

/// What whoever made a place wants to find again after passes and encoding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// The encoding says along which edges the place was passed last. Passes keep it.
    Note(u32),
    /// A block ends here.
    Cut(u32),
}

impl Location {
    /// A place without a name.
    pub fn at(span: Span) -> Location {
        Location { label: None, span, loop_head: None, mark: None }
    }

    /// A marked place.
    pub fn marked(mark: Mark, span: Span) -> Location {
        Location { mark: Some(mark), ..Location::at(span) }
    }
}

/// A step of a function.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it leaves.
    pub source: Id<Location>,
    /// Where it arrives.
    pub target: Id<Location>,
    /// What it does.
    pub op: Op,
    /// The expression or statement it comes from.
    pub span: Span,
    /// For an assumption: which branch of the condition at `span` this is.
    pub branch: Option<bool>,
}

/// Whom a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A function by name.
    Direct(Id<Function>),
    /// What a pointer points to.
    Indirect(Id<Expr>),
}

/// An argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A scalar.
    Scalar(Id<Expr>),
    /// A structure or union, read from a place.
    Aggregate(Id<Place>),
}

/// What an edge does.
#[derive(Clone, Debug)]
pub enum Op {
    /// Nothing.
    Skip,
    /// Goes on only if the value is not zero. The edges that leave one location
    /// with assumptions cover all cases and exclude each other.
    Assume(Id<Expr>),
    /// Stores a scalar, converted by the store to a bit-field's width if need be.
    Assign(Id<Place>, Id<Expr>),
    /// Copies a structure, union or array of the same type; the two may be one
    /// object but do not overlap in part.
    Copy {
        /// To.
        to: Id<Place>,
        /// From.
        from: Id<Place>,
    },
    /// An input of the program: any value of the place's type.
    Input {
        /// Where it goes.
        to: Id<Place>,
        /// The function that was called for it, such as `__VERIFIER_nondet_int`.
        name: Arc<str>,
    },
    /// An unknown effect: any value of the place's type, scalar or not. Covers
    /// more than the real program may do.
    Havoc {
        /// What is overwritten.
        to: Id<Place>,
        /// Why it is not known, for the list of assumptions.
        why: Arc<str>,
    },
    /// The program must not go on if this fails; see [`Check`].
    Check(Check),
    /// Calls a function.
    Call {
        /// Where the result goes.
        to: Option<Id<Place>>,
        /// Whom.
        callee: Callee,
        /// With what: converted to the parameter types, or promoted.
        arguments: Vec<Argument>,
    },
    /// A primitive that is not C; see [`Primitive`].
    Primitive {
        /// Where the result goes.
        to: Option<Id<Place>>,
        /// Which.
        primitive: Primitive,
        /// With what.
        arguments: Vec<Id<Expr>>,
    },
    /// Leaves the function with a value; the edge leads to the exit.
    Return(Option<Argument>),
    /// A local variable begins to live, with arbitrary contents; if it lives
    /// already, it ends first. For an array of variable length: its size in
    /// bytes.
    Live(Id<Variable>, Option<Id<Expr>>),
    /// A local variable ends to live; pointers to it dangle. Nothing happens
    /// if it does not live (a compound literal that was not reached).
    Dead(Id<Variable>),
    /// The program does what must never happen: a call of the error function
    /// or a failed assertion. The text says which. Nothing follows: the edge
    /// leads to a location without edges.
    Error(Arc<str>),
    /// The run ends here without an error. Nothing follows, as for
    /// [`Op::Error`].
    Halt(Halt),
    /// A construct that is not modelled. A run that arrives here is neither
    /// good nor bad; what follows covers nothing.
    Unsupported(Arc<str>),
}

/// Why a run ends without an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Halt {
    /// The program ends: `exit`, `abort`.
    End,
    /// An assumption does not hold. The program does not end here; nobody asks
    /// how it goes on.
    Assumption,
    /// The program waits for ever.
    Wait,
}

/// Operations on memory, arguments and threads that C code cannot express.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Primitive {
    /// `(size) -> pointer`: a new heap object with arbitrary contents; never null.
    Allocate,
    /// `(size) -> pointer`: as `Allocate`, on the stack of the function.
    AllocateLocal,
    /// `(pointer)`: ends a heap object; null is allowed.
    Free,
    /// `(to, from, size)`: copies bytes as `memmove` does.
    CopyBytes,
    /// `(to, byte, size)`: as `memset`.
    SetBytes,
    /// `(pointer, size)`: overwrites with arbitrary bytes.
    HavocBytes,
    /// `(list)`: `va_start`; the argument points to the list.
    VaStart,
    /// `(list) -> value`: `va_arg` for the type of the target place.
    VaArg,
    /// `(to, from)`: `va_copy`.
    VaCopy,
    /// `(list)`: `va_end`.
    VaEnd,
    /// `(start, argument) -> thread`: a new thread that calls the function
    /// behind the pointer. Threads are numbered from 1 in the order they begin;
    /// `main` is 0.
    Spawn,
    /// `(thread) -> pointer`: waits until the thread has ended; its result, or
    /// null if there is no such thread.
    Join,
    /// `(result)`: ends the calling thread; what follows is not reached. `main`
    /// leaves the others running, and the run ends with the last of them.
    ThreadExit,
    /// `() -> thread`: the number of the calling thread.
    ThreadSelf,
    /// `()`: nothing. Where the choice is free, others should move first: the
    /// thread has nothing to do until they have done something.
    Yield,
    /// `() -> int`: what a lock holds that the calling thread has taken: one, or
    /// where lock discipline is asked one plus the number of the thread.
    ThreadMark,
    /// `(cell)`: waits until the `int` behind the pointer is zero, and sets it
    /// to the [`Primitive::ThreadMark`] in the same step.
    Lock,
    /// `(cell)`: sets the `int` behind the pointer to zero.
    Unlock,
    /// `()`: no other thread moves until the matching [`Primitive::AtomicEnd`].
    /// Sections nest.
    AtomicBegin,
    /// `(condition)`: the calling thread falls asleep on what the pointer leads to.
    /// It may wake up at any time, so this is of no effect but that the thread does
    /// not count as one that can move, until somebody wakes it.
    Sleep,
    /// `()`: the calling thread wakes up, if it sleeps.
    Rise,
    /// `(condition, thread)`: if that thread sleeps there it is woken, else all who do.
    Wake,
    /// `(condition)`: all who sleep there are woken.
    WakeAll,
    /// `(cell)`: waits until the `int` behind the pointer is zero, and begins
    /// an atomic section in the same step.
    AtomicWhen,
    /// `()`: ends the innermost atomic section; nothing outside of one.
    AtomicEnd,
    /// `(formula, atom, truth)`: whether an atom of a formula of linear temporal
    /// logic holds from the next letter on. The first two are constants.
    Atom,
    /// `(formula)`: the atoms that were given are what the formula sees now.
    Letter,
}

impl Primitive {
    /// Whether only programs with several threads have a use for it.
    pub fn is_thread(self) -> bool {
        match self {
            Primitive::Spawn
            | Primitive::Join
            | Primitive::ThreadExit
            | Primitive::ThreadSelf
            | Primitive::ThreadMark
            | Primitive::Sleep
            | Primitive::Rise
            | Primitive::Wake
            | Primitive::WakeAll
            | Primitive::Yield
            | Primitive::Lock
            | Primitive::Unlock
            | Primitive::AtomicBegin
            | Primitive::AtomicWhen
            | Primitive::AtomicEnd => true,
            Primitive::Allocate
            | Primitive::AllocateLocal
            | Primitive::Free
            | Primitive::CopyBytes
            | Primitive::SetBytes
            | Primitive::HavocBytes
            | Primitive::VaStart
            | Primitive::VaArg
            | Primitive::VaCopy
            | Primitive::VaEnd
            | Primitive::Atom
            | Primitive::Letter => false,
        }
    }
}

/// Behavior that the standard leaves undefined. The check succeeds if the
/// program stays within what is defined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Check {
    /// The outermost operator of this signed expression (`+ - * /`, negation,
    /// `<<`) has a mathematical result that fits the type.
    Overflow(Id<Expr>),
    /// This divisor is not zero.
    Division(Id<Expr>),
    /// The outermost shift has an amount from zero to below the width.
    Shift(Id<Expr>),
    /// This float-to-integer conversion has a result that fits.
    FloatConversion(Id<Expr>),
    /// All bytes of the place lie in one live object, and, for a write, it may
    /// be written.
    Access {
        /// The place.
        place: Id<Place>,
        /// Whether it is about to be written.
        write: bool,
    },
    /// `size` bytes from `pointer` on lie in one live object.
    AccessBytes {
        /// The address of the first.
        pointer: Id<Expr>,
        /// How many.
        size: Id<Expr>,
        /// Whether they are about to be written.
        write: bool,
    },
    /// The scalar at the place was written before.
    Initialized(Id<Place>),
    /// No other thread is about to access the place as well, one of the two
    /// writing and one of them not atomic. What follows is the access, and others
    /// may move before it.
    Alone {
        /// The place.
        place: Id<Place>,
        /// Whether it is about to be written.
        write: bool,
        /// Whether the access is atomic, as accesses in atomic sections are in any
        /// case.
        atomic: bool,
    },
    /// The same for `size` bytes from `pointer` on.
    AloneBytes {
        /// The address of the first.
        pointer: Id<Expr>,
        /// How many.
        size: Id<Expr>,
        /// Whether they are about to be written.
        write: bool,
    },
    /// The `int` at the place, the state of a lock, is what the rule says.
    Lock(Id<Place>, LockRule),
    /// This pointer is null or the start of a live heap object.
    Free(Id<Expr>),
    /// This pointer points to a function whose type fits the call.
    Callable(Id<Expr>),
    /// This condition is not zero: it says that two accesses, of which no rule of
    /// C says which comes first and one is a write, touch different memory, or
    /// that one of them does not happen.
    Sequenced {
        /// What one of them writes, for the message.
        place: Id<Place>,
        /// The condition.
        apart: Id<Expr>,
    },
    /// This condition is not zero: it says that an index stays within its array. The
    /// access is checked beside it; this is about arrays inside larger objects.
    Index {
        /// The array, for the message.
        array: Id<Place>,
        /// The condition.
        within: Id<Expr>,
    },
    /// Control does not arrive here (`__builtin_unreachable`): never succeeds.
    Unreachable,
}

/// What is demanded of a lock, whose state is zero while nobody holds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LockRule {
    /// The calling thread holds it: its state is the thread's mark.
    Mine,
    /// The calling thread does not hold it.
    NotMine,
    /// Somebody holds it.
    Held,
    /// Nobody holds it.
    Free,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// Its type: a [`Type::Function`].
    pub ty: Id<Type>,
    /// Its parameters.
    pub parameters: Vec<Id<Variable>>,
    /// Whether it has a body. If not, it has no locations.
    pub is_defined: bool,
    /// Whether it is a function of the C library: a model if it has a body.
    pub is_library: bool,
    /// Its locations.
    pub locations: IdVec<Location>,
    /// Its edges.
    pub edges: IdVec<Edge>,
    /// Where it starts.
    pub entry: Id<Location>,
    /// Where returns lead.
    pub exit: Id<Location>,
    /// Its declarator.
    pub span: Span,
}

impl Function {
    /// Whether a call runs code that nobody knows. It may do everything with
    /// what it has pointers to; a function of the library without a body has
    /// no effect but its result.
    pub fn is_unknown(&self) -> bool {
        !self.is_defined && !self.is_library
    }

    /// Whether it shows the program to a formula, and is no part of it.
    pub fn is_watcher(&self) -> bool {
        let shows = |edge: &Edge| match &edge.op {
            Op::Primitive { primitive, .. } => *primitive == Primitive::Letter,
            Op::Error(text) => crate::CProperty::formula_of(text).is_some(),
            _ => false,
        };
        self.is_library && self.edges.iter().any(shows)
    }

    /// Whether a call of unknown code may call this function, if its address is
    /// known there. The library can be called without being given.
    pub fn can_be_called_back(&self) -> bool {
        self.is_defined && !self.is_library
    }
}

/// What an [`Op::Unsupported`] says that stands for inline assembly. Everything
/// else in the statement is lowered.
pub const ASSEMBLY: &str = "inline assembly that may write memory";

/// Why a variable is arbitrary that says whom unknown code calls: one plus the
/// number of a function, or no function.
pub const CALLBACK: &str = "whom unknown code calls";

/// A C program as control-flow automata.
#[derive(Clone, Debug)]
pub struct Program {
    /// All types.
    pub types: Types,
    /// All expressions.
    pub exprs: IdVec<Expr>,
    /// All places.
    pub places: IdVec<Place>,
    /// All variables.
    pub variables: IdVec<Variable>,
    /// The contents of the static variables before `main`.
    pub initials: Vec<(Id<Variable>, Initial)>,
    /// All functions.
    pub functions: IdVec<Function>,
    /// Where the program starts.
    pub main: Option<Id<Function>>,
}

impl Program {
    /// Whether the machine ends a run that fails a check, asked or not: the
    /// least integer divided by -1, though every other overflow wraps.
    pub fn is_trap(&self, check: &Check) -> bool {
        let Check::Overflow(e) = *check else { return false };
        matches!(self.exprs[e].kind, ExprKind::Binary(Binary::Div | Binary::Rem, ..))
    }

    /// Whether a function may be called as one of another type, as far as a machine
    /// can tell: pointers to different types are passed in the same way.
    pub fn fits_call(&self, function: Id<Function>, ty: Id<Type>) -> bool {
        let types = &self.types;
        let own = self.functions[function].ty;
        let (Type::Function(a), Type::Function(b)) = (types.get(own), types.get(ty)) else {
            return own == ty;
        };
        let similar = |x: Id<Type>, y: Id<Type>| {
            let (kind, other) = (types.scalar(x), types.scalar(y));
            x == y || kind == other && (kind.is_some() || types.size_of(x) == types.size_of(y))
        };
        let parameters = !a.prototyped
            || !b.prototyped
            || a.variadic == b.variadic
                && a.parameters.len() == b.parameters.len()
                && a.parameters.iter().zip(&b.parameters).all(|(x, y)| similar(*x, *y));
        own == ty || parameters && similar(a.result, b.result)
    }

    /// Whether it may have more than one thread: what is shared may change at
    /// any step then.
    pub fn has_threads(&self) -> bool {
        let spawns =
            |edge: &Edge| matches!(edge.op, Op::Primitive { primitive: Primitive::Spawn, .. });
        self.functions.iter().any(|function| function.edges.iter().any(spawns))
    }
}
