//! The typed tree: names resolved, every conversion written out.
//!
//! Types are those of the program form. An expression is an *lvalue* if its
//! kind is one of `Variable`, `Deref`, `Member`, `CompoundLiteral`; its value is
//! then read by [`ExprKind::Load`]. Arrays and functions are turned into
//! pointers by [`ExprKind::Decay`]. Record and `void` values are allowed where
//! C allows them; a record value is a `Load`, `Assign`, `Call`, `Conditional`,
//! `Comma`, `StatementExpr` or `VaArg` of record type.
//!
//! Invariant: operands of arithmetic have the type the standard computes in;
//! children are older than parents.

use parallax_base::{Id, IdVec, Span};
use parallax_cfa::{
    Binary, BitField, BitFunction, FloatFunction, Record, Type, Types, VariableLength,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// All translation units, checked and linked by name.
#[derive(Clone, Debug)]
pub struct Program {
    /// All types.
    pub types: Types,
    /// All expressions.
    pub exprs: IdVec<Expr>,
    /// All statements.
    pub stmts: IdVec<Stmt>,
    /// All variables.
    pub variables: IdVec<Variable>,
    /// All functions, defined or declared.
    pub functions: IdVec<Function>,
    /// Labels of all functions.
    pub labels: IdVec<Label>,
    /// How many run-time array lengths there are.
    pub lengths: u32,
    /// Functions that are not what their declaration says.
    pub opaque_functions: BTreeMap<Id<Function>, Opaque>,
    /// Variables that are not what their declaration says.
    pub opaque_variables: BTreeMap<Id<Variable>, Opaque>,
    /// The names of functions in the text, where the linker knows another.
    pub declared: BTreeMap<Id<Function>, Arc<str>>,
    /// What is taken for granted of the program, one sentence each.
    pub assumed: BTreeSet<Arc<str>>,
}

/// Why a name cannot be modelled.
#[derive(Clone, Debug)]
pub struct Opaque {
    /// What it is.
    pub reason: Arc<str>,
    /// Whether the program defines it in another way; else a library may.
    pub is_alias: bool,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Defined at file level, or `static`.
    Static,
    /// Declared `extern` and defined nowhere.
    External,
    /// One per thread.
    Thread,
    /// A parameter.
    Parameter,
    /// In a block.
    Local,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name. String literals have none.
    pub name: Arc<str>,
    /// Its type, complete unless `External`.
    pub ty: Id<Type>,
    /// `volatile`.
    pub volatile: bool,
    /// `_Atomic`.
    pub atomic: bool,
    /// `const`, and not `volatile`.
    pub is_const: bool,
    /// Where it lives.
    pub storage: Storage,
    /// The function it belongs to; `None` at file level.
    pub owner: Option<Id<Function>>,
    /// Whether it is a string literal.
    pub is_literal: bool,
    /// The elements of a string literal, the final zero included; `init` is
    /// `None` then.
    pub units: Option<Arc<[u32]>>,
    /// Alignment asked for beyond its type's.
    pub align: Option<u64>,
    /// Initial value of a static variable; `None` is all zero. Locals are
    /// initialized by [`StmtKind::Declare`].
    pub init: Option<Init>,
    /// Its declaration.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Id<Type>,
    /// Its parameters, if it is defined.
    pub parameters: Vec<Id<Variable>>,
    /// Its body.
    pub body: Option<Id<Stmt>>,
    /// Whether it is declared never to return.
    pub noreturn: bool,
    /// Its declarator.
    pub span: Span,
}

/// A label of a function.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: Arc<str>,
    /// Its function.
    pub function: Id<Function>,
    /// Whether `&&label` occurs.
    pub address_taken: bool,
    /// Where it stands.
    pub span: Span,
}

/// An initializer, flattened: what is not named is zero.
#[derive(Clone, Debug, Default)]
pub struct Init {
    /// Scalars, records and strings to store, in the order of evaluation.
    pub items: Vec<InitItem>,
    /// How many bytes the object has if more than its type says (a flexible
    /// array member with values).
    pub size: Option<u64>,
    /// Whether parts that are not named exist and must be zeroed. False if
    /// the items write the whole object.
    pub zero_rest: bool,
}

/// Something stored into an object under initialization.
#[derive(Clone, Debug)]
pub struct InitItem {
    /// The way from the object to the part.
    pub path: Vec<InitStep>,
    /// What is stored: of the part's type. For an array of characters, a
    /// [`ExprKind::Load`] of the (possibly longer or shorter) string literal:
    /// then as many elements are copied as both have.
    pub value: Id<Expr>,
}

/// One step into an object under initialization.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InitStep {
    /// Member by position.
    Member(Id<Record>, u32),
    /// Element by number.
    Element(u64),
    /// Elements from the first to the second: `[a ... b] =`. The value is
    /// evaluated once.
    Elements(u64, u64),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Id<Type>,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant; see the program form for `u128`. Also null pointers.
    Int(i128),
    /// A float by its bits.
    Float(u128),
    /// Lvalue: a variable.
    Variable(Id<Variable>),
    /// A function designator; becomes a pointer by `Decay`.
    Function(Id<Function>),
    /// Lvalue: what a pointer points to.
    Deref(Id<Expr>),
    /// Lvalue if the operand is; else a member of a record value.
    Member {
        /// The record.
        record: Id<Expr>,
        /// Its type.
        of: Id<Record>,
        /// The member by position.
        member: u32,
        /// Set for a bit-field.
        bits: Option<BitField>,
        /// Whether access is volatile.
        volatile: bool,
        /// Whether access is atomic.
        atomic: bool,
    },
    /// Lvalue: an unnamed object, initialized when reached.
    CompoundLiteral(Id<Variable>, Box<Init>),
    /// The value of an lvalue.
    Load(Id<Expr>),
    /// The address of an lvalue or function.
    AddressOf(Id<Expr>),
    /// The pointer to the first element of an array lvalue, or to a function.
    Decay(Id<Expr>),
    /// Arithmetic negation, complement, functions on floats or bits.
    Unary(UnaryOp, Id<Expr>),
    /// Arithmetic, shifts, comparisons (pointers too).
    Binary(Binary, Id<Expr>, Id<Expr>),
    /// `!`: of any scalar, type `int`.
    Not(Id<Expr>),
    /// `&&`: operands are scalars, type `int`.
    And(Id<Expr>, Id<Expr>),
    /// `||`.
    Or(Id<Expr>, Id<Expr>),
    /// Pointer plus integer; the scale is the size of what is pointed to.
    PointerAdd(Id<Expr>, Id<Expr>),
    /// Pointer minus integer.
    PointerSub(Id<Expr>, Id<Expr>),
    /// Distance of pointers.
    PointerDiff(Id<Expr>, Id<Expr>),
    /// Conversion to the type of this expression; to `void` drops the value.
    Convert(Id<Expr>),
    /// `a = b`, converted already. Value: the left side after the store.
    Assign(Id<Expr>, Id<Expr>),
    /// `a op= b`: the left side is read, converted to `computed`, combined,
    /// converted back and stored. The right side has the type it is used in.
    AssignOp {
        /// The operator; not a comparison.
        op: Binary,
        /// The lvalue.
        left: Id<Expr>,
        /// The right side.
        right: Id<Expr>,
        /// The type of the computation; for pointers, that of the pointer.
        computed: Id<Type>,
        /// Whether the object is `_Atomic`: no other thread moves in between.
        is_atomic: bool,
    },
    /// `++`, `--`: adds `by` (1 or -1), in pointer steps for pointers.
    Increment {
        /// The lvalue.
        target: Id<Expr>,
        /// 1 or -1.
        by: i8,
        /// Whether the value is the old one.
        postfix: bool,
        /// Whether the object is `_Atomic`: no other thread moves in between.
        is_atomic: bool,
    },
    /// `a, b`.
    Comma(Id<Expr>, Id<Expr>),
    /// `c ? a : b`.
    Conditional(Id<Expr>, Id<Expr>, Id<Expr>),
    /// GNU `c ?: b`: the first operand once evaluated, tested, converted.
    Elvis(Id<Expr>, Id<Expr>),
    /// A call. The callee is a pointer to a function or a designator.
    Call(Id<Expr>, Vec<Id<Expr>>),
    /// A builtin with a meaning of its own.
    Builtin(Builtin, Vec<Id<Expr>>),
    /// `va_arg`; the operand is an lvalue of type `va_list` or a pointer to one.
    VaArg(Id<Expr>),
    /// GNU `({ ... })`: the value is that of the last expression statement.
    StatementExpr(Id<Stmt>),
    /// GNU `&&label`.
    LabelAddress(Id<Label>),
    /// The size in bytes of a type with a run-time length.
    SizeOf(Id<Type>),
    /// A construct that was parsed and cannot be modelled; the text says what.
    /// Its operands are dropped: whoever evaluates it has left the model.
    Unsupported(Arc<str>),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`.
    Neg,
    /// `~`.
    BitNot,
    /// A function on floats.
    Float(FloatFunction),
    /// A function on bits.
    Bits(BitFunction),
}

/// Builtins with a meaning of their own. Library functions are not here: they
/// are declared functions, resolved by name when the program is lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// `__builtin_unreachable()`.
    Unreachable,
    /// `__builtin_trap()`.
    Trap,
    /// `__builtin_alloca(n)`.
    Alloca,
    /// `__builtin_va_start(list, last)`.
    VaStart,
    /// `__builtin_va_end(list)`.
    VaEnd,
    /// `__builtin_va_copy(to, from)`.
    VaCopy,
    /// `__builtin_object_size(p, kind)`: not known, so -1 or 0 by kind.
    ObjectSize,
    /// `__builtin_add_overflow(a, b, p)`: computes exactly, stores, returns whether it did not fit.
    AddOverflow,
    /// `__builtin_sub_overflow`.
    SubOverflow,
    /// `__builtin_mul_overflow`.
    MulOverflow,
    /// `__builtin_frame_address`, `__builtin_return_address`: an unknown address.
    Address,
    /// `__sync_synchronize`, `__atomic_thread_fence`: nothing.
    Fence,
    /// `__sync_fetch_and_OP(p, v)` and `__atomic_fetch_OP`: returns the old value. `Sub`
    /// and the bit operators as in [`Binary`].
    FetchAnd(Binary),
    /// `__sync_OP_and_fetch`: returns the new value.
    AndFetch(Binary),
    /// `__sync_lock_test_and_set(p, v)`, `__atomic_exchange_n`: returns the old value.
    Exchange,
    /// `__sync_bool_compare_and_swap(p, old, new)`.
    CompareAndSwapBool,
    /// `__sync_val_compare_and_swap(p, old, new)`.
    CompareAndSwapValue,
    /// `__atomic_compare_exchange_n(p, expected, new)`: `expected` points to the
    /// value compared with, which is overwritten by the one found if they
    /// differ. Returns whether they were equal.
    CompareExchange,
    /// `__atomic_load_n(p, order)`: the operand is `p` alone.
    AtomicLoad,
    /// `__atomic_store_n(p, v, order)`, `__sync_lock_release(p)`: the operands
    /// are `p` and `v`.
    AtomicStore,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands; loops and branches begin with their keyword.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Nothing.
    Empty,
    /// An expression for its effects.
    Expr(Id<Expr>),
    /// A local variable begins here, with or without a value.
    Declare(Id<Variable>, Option<Init>),
    /// A run-time array length is evaluated, as `size_t`.
    Length(Id<VariableLength>, Id<Expr>),
    /// A block: its variables end with it.
    Block(Vec<Id<Stmt>>),
    /// Several statements without a scope of their own (declarators of one
    /// declaration).
    Group(Vec<Id<Stmt>>),
    /// `if`.
    If(Id<Expr>, Id<Stmt>, Option<Id<Stmt>>),
    /// `while`.
    While(Id<Expr>, Id<Stmt>),
    /// `do ... while`.
    DoWhile(Id<Stmt>, Id<Expr>),
    /// `for`, a scope of its own.
    For {
        /// First part.
        init: Option<Id<Stmt>>,
        /// Second part.
        condition: Option<Id<Expr>>,
        /// Third part.
        step: Option<Id<Expr>>,
        /// Body.
        body: Id<Stmt>,
    },
    /// `switch` on a promoted integer.
    Switch(Id<Expr>, Id<Stmt>),
    /// `case low ... high:` with values converted to the switch's type.
    Case(i128, i128, Id<Stmt>),
    /// `default:`.
    Default(Id<Stmt>),
    /// A label.
    Label(Id<Label>, Id<Stmt>),
    /// `goto`.
    Goto(Id<Label>),
    /// GNU `goto *p`.
    GotoComputed(Id<Expr>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`, the value converted.
    Return(Option<Id<Expr>>),
    /// Inline assembly: outputs are lvalues.
    Asm {
        /// Lvalues written.
        outputs: Vec<Id<Expr>>,
        /// Values read.
        inputs: Vec<Id<Expr>>,
        /// What it does besides.
        effect: AsmEffect,
        /// Labels it may jump to.
        labels: Vec<Id<Label>>,
    },
    /// A construct that was parsed and cannot be modelled; the text says what.
    Unsupported(Arc<str>),
}

/// What inline assembly does besides reading its inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AsmEffect {
    /// It writes its outputs.
    Outputs,
    /// It may write memory at large.
    Memory,
    /// It ends the run.
    Ends,
}
