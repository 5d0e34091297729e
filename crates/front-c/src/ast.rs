//! The syntax tree: what was written, before names and types mean anything.
//!
//! Nodes live in one arena per translation unit and refer to each other by id,
//! so a tree of any depth is dropped without recursion. The parser resolves
//! only what the grammar needs: whether an identifier is a typedef name.

use parallax_base::{Id, IdVec, Span};
use std::sync::Arc;

/// An identifier and where it stands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Name {
    /// The text.
    pub text: Arc<str>,
    /// The place.
    pub span: Span,
}

/// A translation unit.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// All expressions.
    pub exprs: IdVec<Expr>,
    /// All statements.
    pub stmts: IdVec<Stmt>,
    /// All type specifiers with a body or an operand; see [`Specifier`].
    pub specifiers: IdVec<Specifier>,
    /// The declarations and definitions, in order.
    pub items: Vec<Item>,
    /// Symbols that `#pragma weak` names.
    pub weak: Vec<Arc<str>>,
}

/// Something at file level.
#[derive(Clone, Debug)]
pub enum Item {
    /// A declaration.
    Declaration(Declaration),
    /// A function with a body.
    Function(FunctionDefinition),
    /// `asm("...");` at file level.
    Asm(Span),
    /// `_Static_assert(cond, "text");`
    StaticAssert(StaticAssert),
}

/// `_Static_assert(cond, "text")`.
#[derive(Clone, Debug)]
pub struct StaticAssert {
    /// The condition.
    pub condition: Id<Expr>,
    /// The message.
    pub message: Option<Arc<str>>,
    /// The whole.
    pub span: Span,
}

/// `specifiers declarator = init, ...;`
#[derive(Clone, Debug)]
pub struct Declaration {
    /// What is said once for all declarators.
    pub specifiers: DeclSpecifiers,
    /// The declarators; none for `struct s {...};`.
    pub declarators: Vec<InitDeclarator>,
    /// The whole.
    pub span: Span,
}

/// A function definition.
#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    /// Type and storage.
    pub specifiers: DeclSpecifiers,
    /// Name and parameters.
    pub declarator: Declarator,
    /// Declarations of the parameters between declarator and body (K&R).
    pub old_style: Vec<Declaration>,
    /// The body: a [`StmtKind::Block`].
    pub body: Id<Stmt>,
    /// The whole.
    pub span: Span,
}

/// A declarator with its initializer.
#[derive(Clone, Debug)]
pub struct InitDeclarator {
    /// What is declared.
    pub declarator: Declarator,
    /// Its initial value.
    pub init: Option<Initializer>,
    /// `asm("name")` after the declarator.
    pub asm_name: Option<Arc<str>>,
}

/// Storage classes, as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each is the C keyword of that name")]
pub enum StorageClass {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

/// Qualifiers, as written.
pub use parallax_cfa::Qualifiers;

/// What stands before the declarators.
#[derive(Clone, Debug)]
pub struct DeclSpecifiers {
    /// At most one storage class.
    pub storage: Option<StorageClass>,
    /// `_Thread_local`, `__thread`.
    pub thread_local: bool,
    /// `inline`.
    pub inline: bool,
    /// `_Noreturn` or the attribute.
    pub noreturn: bool,
    /// Qualifiers of the type.
    pub qualifiers: Qualifiers,
    /// The type; `None` where it is implicitly `int`.
    pub ty: Option<TypeSpecifier>,
    /// `_Alignas`.
    pub align: Vec<AlignAs>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The whole.
    pub span: Span,
}

/// `_Alignas(...)`.
#[derive(Clone, Debug)]
pub enum AlignAs {
    /// As a type.
    Type(Box<TypeName>),
    /// A number of bytes.
    Expr(Id<Expr>),
}

/// The type named by the specifiers.
#[derive(Clone, Debug)]
pub enum TypeSpecifier {
    /// `void`, `int` and so on: all keywords of an arithmetic type in one.
    Basic(Basic),
    /// The name of a typedef.
    Typedef(Name),
    /// A structure, union or enumeration, `typeof`, `_Atomic(...)`.
    Complex(Id<Specifier>),
}

/// An arithmetic type or `void`, by its keywords.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Basic {
    /// `void`.
    Void,
    /// An integer type. `int_t` named without a sign and plain `char` included.
    Int(parallax_cfa::IntKind),
    /// A floating type.
    Float(parallax_cfa::FloatKind),
    /// `_Complex` of a floating type.
    Complex(parallax_cfa::FloatKind),
    /// `__builtin_va_list`.
    VaList,
    /// `__auto_type`, and `auto` of C23: from the initializer.
    Auto,
}

/// A type specifier with parts.
#[derive(Clone, Debug)]
pub enum Specifier {
    /// `struct` or `union`.
    Record {
        /// Which.
        is_union: bool,
        /// Its tag.
        name: Option<Name>,
        /// Its members, if it is defined here.
        members: Option<Vec<MemberDeclaration>>,
        /// Attributes.
        attributes: Vec<Attribute>,
        /// The place of the keyword to the end.
        span: Span,
    },
    /// `enum`.
    Enum {
        /// Its tag.
        name: Option<Name>,
        /// Its constants, if it is defined here.
        constants: Option<Vec<(Name, Option<Id<Expr>>)>>,
        /// Attributes.
        attributes: Vec<Attribute>,
        /// The place of the keyword to the end.
        span: Span,
    },
    /// `typeof(expr)`.
    TypeofExpr(Id<Expr>, Span),
    /// `typeof(type)`.
    TypeofType(TypeName, Span),
    /// `_Atomic(type)`.
    Atomic(TypeName, Span),
}

/// Members declared together.
#[derive(Clone, Debug)]
pub enum MemberDeclaration {
    /// `specifiers declarator : width, ...;` Without declarators: an anonymous
    /// record.
    Members {
        /// Type.
        specifiers: DeclSpecifiers,
        /// Names with bit-field widths.
        declarators: Vec<MemberDeclarator>,
    },
    /// `_Static_assert(...)`.
    StaticAssert(StaticAssert),
}

/// A member's declarator.
#[derive(Clone, Debug)]
pub struct MemberDeclarator {
    /// Its name and type; `None` for an unnamed bit-field.
    pub declarator: Option<Declarator>,
    /// The width of a bit-field.
    pub width: Option<Id<Expr>>,
    /// Attributes after it.
    pub attributes: Vec<Attribute>,
}

/// `*p[3]`: a name wrapped in derivations. Empty name in abstract declarators.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The name.
    pub name: Option<Name>,
    /// Derivations from the name outwards: `*p[3]` is array of 3, then pointer.
    pub derivations: Vec<Derivation>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The whole.
    pub span: Span,
}

/// One step of a declarator.
#[derive(Clone, Debug)]
pub enum Derivation {
    /// Pointer, with its own qualifiers.
    Pointer(Qualifiers),
    /// Array.
    Array {
        /// The length; `None` for `[]`.
        length: Option<Id<Expr>>,
        /// `[*]`.
        star: bool,
        /// Qualifiers inside the brackets of a parameter.
        qualifiers: Qualifiers,
    },
    /// Function.
    Function(Parameters),
}

/// The parameters of a function declarator.
#[derive(Clone, Debug)]
pub enum Parameters {
    /// With types. `(void)` is the empty list.
    Prototype {
        /// The parameters.
        parameters: Vec<Parameter>,
        /// Whether `...` follows.
        variadic: bool,
    },
    /// Only names, or nothing at all: K&R.
    Names(Vec<Name>),
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Type.
    pub specifiers: DeclSpecifiers,
    /// Name; may be abstract.
    pub declarator: Declarator,
}

/// A type without a name, as in casts.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// Type.
    pub specifiers: DeclSpecifiers,
    /// An abstract declarator.
    pub declarator: Declarator,
    /// The whole.
    pub span: Span,
}

/// `__attribute__((name(args)))`; only those that change meaning are looked at.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The name without leading and trailing underscores.
    pub name: Arc<str>,
    /// Arguments that parse as expressions.
    pub arguments: Vec<Id<Expr>>,
    /// The whole.
    pub span: Span,
}

/// An initial value.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// `= expr`.
    Expr(Id<Expr>),
    /// `= { ... }`.
    List(Vec<InitItem>, Span),
}

/// An item of an initializer list.
#[derive(Clone, Debug)]
pub struct InitItem {
    /// `.x[3] =`; empty for the next in order.
    pub designators: Vec<Designator>,
    /// The value.
    pub value: Initializer,
}

/// A designator.
#[derive(Clone, Debug)]
pub enum Designator {
    /// `.name`, also the old `name:`.
    Member(Name),
    /// `[index]`.
    Index(Id<Expr>),
    /// `[first ... last]`.
    Range(Id<Expr>, Id<Expr>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// Suffixes and value of an integer literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntLiteral {
    /// The value.
    pub value: u128,
    /// Whether it is written in base ten: then it never becomes unsigned by itself.
    pub decimal: bool,
    /// `u`.
    pub unsigned: bool,
    /// Number of `l`: 0, 1 or 2.
    pub longs: u8,
    /// GNU `i` or `j`: imaginary.
    pub imaginary: bool,
}

/// The width of the characters of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CharWidth {
    /// `"..."`, `u8"..."`.
    Char,
    /// `L"..."`: 32 bits.
    Wide,
    /// `u"..."`.
    Utf16,
    /// `U"..."`.
    Utf32,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each is the C operator of that name")]
pub enum UnaryOp {
    Plus,
    Minus,
    BitNot,
    Not,
    Deref,
    AddressOf,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
    /// `__real__`.
    Real,
    /// `__imag__`.
    Imag,
}

/// Operators with two operands; assignments and comma are apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each is the C operator of that name")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    LogAnd,
    LogOr,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A name that is not a typedef.
    Name(Arc<str>),
    /// An integer.
    Int(IntLiteral),
    /// A float: its digits as written without suffix, and its type.
    Float {
        /// Decimal or hexadecimal digits.
        digits: Arc<str>,
        /// From the suffix.
        kind: parallax_cfa::FloatKind,
        /// GNU `i` or `j`.
        imaginary: bool,
    },
    /// A character constant: its value and width.
    Char(i64, CharWidth),
    /// Adjacent string literals joined: code units without the final zero.
    Str(Arc<[u32]>, CharWidth),
    /// `a[b]`.
    Index(Id<Expr>, Id<Expr>),
    /// `f(args)`.
    Call(Id<Expr>, Vec<Id<Expr>>),
    /// `a.b`.
    Member(Id<Expr>, Name),
    /// `a->b`.
    Arrow(Id<Expr>, Name),
    /// An operator applied.
    Unary(UnaryOp, Id<Expr>),
    /// An operator applied.
    Binary(BinaryOp, Id<Expr>, Id<Expr>),
    /// `a = b`.
    Assign(Id<Expr>, Id<Expr>),
    /// `a op= b`.
    AssignOp(BinaryOp, Id<Expr>, Id<Expr>),
    /// `c ? a : b`; GNU `c ?: b` has no middle.
    Conditional(Id<Expr>, Option<Id<Expr>>, Id<Expr>),
    /// `a, b`.
    Comma(Id<Expr>, Id<Expr>),
    /// `(type) a`.
    Cast(Box<TypeName>, Id<Expr>),
    /// `(type) { ... }`.
    CompoundLiteral(Box<TypeName>, Vec<InitItem>),
    /// `sizeof a`.
    SizeofExpr(Id<Expr>),
    /// `sizeof(type)`.
    SizeofType(Box<TypeName>),
    /// `_Alignof(type)`.
    AlignofType(Box<TypeName>),
    /// GNU `__alignof__ a`.
    AlignofExpr(Id<Expr>),
    /// `_Generic(a, type: b, default: c)`.
    Generic(Id<Expr>, Vec<(Option<TypeName>, Id<Expr>)>),
    /// GNU `({ ... })`: a block.
    StatementExpr(Id<Stmt>),
    /// GNU `&&label`.
    LabelAddress(Name),
    /// `__builtin_va_arg(a, type)`.
    VaArg(Id<Expr>, Box<TypeName>),
    /// `__builtin_offsetof(type, a.b[3])`.
    Offsetof(Box<TypeName>, Vec<Designator>),
    /// `__builtin_types_compatible_p(type, type)`.
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_choose_expr(c, a, b)`.
    ChooseExpr(Id<Expr>, Id<Expr>, Id<Expr>),
    /// What could not be parsed; an error was reported.
    Error,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// An expression.
    Expr(Id<Expr>),
    /// A declaration.
    Declaration(Declaration),
    /// A GNU nested function.
    NestedFunction(Box<FunctionDefinition>),
    /// `_Static_assert(...)`.
    StaticAssert(StaticAssert),
    /// `{ ... }`; `__label__` names are in front.
    Block {
        /// Names declared by `__label__`.
        labels: Vec<Name>,
        /// The statements.
        items: Vec<Id<Stmt>>,
    },
    /// `if`.
    If(Id<Expr>, Id<Stmt>, Option<Id<Stmt>>),
    /// `while`.
    While(Id<Expr>, Id<Stmt>),
    /// `do ... while`.
    DoWhile(Id<Stmt>, Id<Expr>),
    /// `for`; the first part is a declaration, an expression statement or absent.
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
    /// `switch`.
    Switch(Id<Expr>, Id<Stmt>),
    /// `case low:` or GNU `case low ... high:`.
    Case(Id<Expr>, Option<Id<Expr>>, Id<Stmt>),
    /// `default:`.
    Default(Id<Stmt>),
    /// `name:`.
    Label(Name, Id<Stmt>),
    /// `goto name;`
    Goto(Name),
    /// GNU `goto *p;`
    GotoComputed(Id<Expr>),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return a;`
    Return(Option<Id<Expr>>),
    /// `asm(...)`.
    Asm(Box<Asm>),
    /// What could not be parsed; an error was reported.
    Error,
}

/// Inline assembly.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The text.
    pub template: Arc<str>,
    /// Constraint and lvalue.
    pub outputs: Vec<(Arc<str>, Id<Expr>)>,
    /// Constraint and value.
    pub inputs: Vec<(Arc<str>, Id<Expr>)>,
    /// Clobbers.
    pub clobbers: Vec<Arc<str>>,
    /// Labels it may jump to.
    pub labels: Vec<Name>,
}
