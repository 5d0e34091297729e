//! The syntax tree, as written.
//!
//! Names and literals borrow the source text. Operators of one precedence are
//! kept as a flat [`Chain`] and `else if` as a flat list, so the depth of a tree
//! is bounded by the depth of brackets in the text, which the parser limits:
//! every function over trees may therefore recurse, and so may dropping them.

use parallax_base::Span;

/// A name where it is written.
#[derive(Clone, Copy, Debug)]
pub struct Name<'s> {
    /// The name.
    pub text: &'s str,
    /// Where it stands.
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct Model<'s> {
    /// The name given by `model NAME;`.
    pub name: Option<Name<'s>>,
    /// The declarations in textual order.
    pub items: Vec<Item<'s>>,
}

/// A declaration at the top level.
#[derive(Clone, Debug)]
pub enum Item<'s> {
    /// `const NAME = value;`
    Const(ConstDef<'s>),
    /// `enum NAME { a, b }`
    Enum(EnumDef<'s>),
    /// `type NAME = type;`
    Type(TypeDef<'s>),
    /// `var a, b: type = value;`
    Var(VarGroup<'s>),
    /// `init predicate;`
    Init(Expr<'s>),
    /// `action NAME;`
    Action(Name<'s>),
    /// `process NAME { ... }`
    Process(Process<'s>),
    /// `invariant`, `unreachable`, `reachable` or `deadlock_free`.
    Property(Property<'s>),
}

/// One constant.
#[derive(Clone, Debug)]
pub struct ConstDef<'s> {
    /// Its name.
    pub name: Name<'s>,
    /// Its value unless the command line says otherwise.
    pub value: Expr<'s>,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct EnumDef<'s> {
    /// The name of the type.
    pub name: Name<'s>,
    /// Its values in order.
    pub values: Vec<Name<'s>>,
}

/// A named type.
#[derive(Clone, Debug)]
pub struct TypeDef<'s> {
    /// The new name.
    pub name: Name<'s>,
    /// What it stands for.
    pub ty: TypeExpr<'s>,
}

/// Variables declared with one type and one initializer.
#[derive(Clone, Debug)]
pub struct VarGroup<'s> {
    /// The variables.
    pub names: Vec<Name<'s>>,
    /// Their type.
    pub ty: TypeExpr<'s>,
    /// Their initial value; arbitrary without one.
    pub init: Option<Initializer<'s>>,
}

/// The initial value of a variable.
#[derive(Clone, Debug)]
pub enum Initializer<'s> {
    /// One value, for an array the value of every cell.
    Value(Expr<'s>),
    /// One initializer per cell of an array.
    List(Vec<Initializer<'s>>, Span),
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct TypeExpr<'s> {
    /// Which type.
    pub kind: TypeKind<'s>,
    /// Where it stands.
    pub span: Span,
}

/// The forms of types.
#[derive(Clone, Debug)]
pub enum TypeKind<'s> {
    /// `int`
    Int,
    /// `bool`
    Bool,
    /// `a..b` or `a..=b`
    Range(Box<Range<'s>>),
    /// The name of an enumeration or of a type.
    Named(Name<'s>),
    /// `[size] element`, the size of every dimension from the outside in.
    Array(Vec<Expr<'s>>, Box<TypeExpr<'s>>),
}

/// `low..high` or `low..=high`.
#[derive(Clone, Debug)]
pub struct Range<'s> {
    /// The least value.
    pub low: Expr<'s>,
    /// The bound above.
    pub high: Expr<'s>,
    /// Whether `high` itself belongs to the range.
    pub inclusive: bool,
    /// Where it stands.
    pub span: Span,
}

/// `NAME in values`.
#[derive(Clone, Debug)]
pub struct Binder<'s> {
    /// The bound name.
    pub name: Name<'s>,
    /// What it ranges over.
    pub domain: Domain<'s>,
}

/// What a bound name ranges over.
#[derive(Clone, Debug)]
pub enum Domain<'s> {
    /// A range of integers.
    Range(Range<'s>),
    /// All values of an enumeration or a named range.
    Named(Name<'s>),
}

/// A process or a family of processes.
#[derive(Clone, Debug)]
pub struct Process<'s> {
    /// Its name.
    pub name: Name<'s>,
    /// The indices of the family; none for a single process.
    pub binders: Vec<Binder<'s>>,
    /// Local variables.
    pub vars: Vec<VarGroup<'s>>,
    /// Locations in order; the first is initial.
    pub locations: Vec<LocationDef<'s>>,
    /// Names marked by a separate `final` declaration.
    pub finals: Vec<Name<'s>>,
    /// Commands in textual order.
    pub commands: Vec<Command<'s>>,
}

/// A location of a process.
#[derive(Clone, Copy, Debug)]
pub struct LocationDef<'s> {
    /// Its name.
    pub name: Name<'s>,
    /// Whether `final` stands before it.
    pub is_final: bool,
}

/// A guarded command or a family of them.
#[derive(Clone, Debug)]
pub struct Command<'s> {
    /// The label before the colon.
    pub label: Option<Name<'s>>,
    /// The indices of the family.
    pub binders: Vec<Binder<'s>>,
    /// The shared action in brackets.
    pub action: Option<Name<'s>>,
    /// `source, source -> target`.
    pub route: Option<Route<'s>>,
    /// The condition after `when`.
    pub guard: Option<Expr<'s>>,
    /// What happens after `do`.
    pub update: Update<'s>,
    /// The whole command.
    pub span: Span,
}

/// Where a command leads from and to.
#[derive(Clone, Debug)]
pub struct Route<'s> {
    /// The locations it may start from.
    pub sources: Vec<Name<'s>>,
    /// The location it leads to.
    pub target: Name<'s>,
}

/// The effect of a command.
#[derive(Clone, Debug)]
pub enum Update<'s> {
    /// No effect on variables.
    Nothing,
    /// Simultaneous assignments.
    Assigns(Vec<Assign<'s>>),
    /// Statements in sequence, taken as one step.
    Block(Vec<Stmt<'s>>),
}

/// A statement of an atomic block.
#[derive(Clone, Debug)]
pub enum Stmt<'s> {
    /// Simultaneous assignments.
    Assigns(Vec<Assign<'s>>),
    /// `if c { } else if d { } else { }`: the branches in order, then the rest.
    If {
        /// Conditions and what they lead to.
        branches: Vec<(Expr<'s>, Vec<Stmt<'s>>)>,
        /// What happens if none holds.
        otherwise: Vec<Stmt<'s>>,
    },
}

/// `target := value`.
#[derive(Clone, Debug)]
pub struct Assign<'s> {
    /// What is written.
    pub target: Path<'s>,
    /// The new value.
    pub value: Value<'s>,
}

/// The right-hand side of an assignment.
#[derive(Clone, Debug)]
pub enum Value<'s> {
    /// An expression.
    Expr(Expr<'s>),
    /// `any`, of the whole type or of a range.
    Any(Option<Range<'s>>, Span),
}

/// A property to decide.
#[derive(Clone, Debug)]
pub struct Property<'s> {
    /// What is asked.
    pub kind: PropertyKind<'s>,
    /// The name given to it.
    pub name: Option<Name<'s>>,
    /// The whole declaration.
    pub span: Span,
}

/// The forms of properties.
#[derive(Clone, Debug)]
pub enum PropertyKind<'s> {
    /// Holds in every reachable state.
    Invariant(Expr<'s>),
    /// Holds in no reachable state.
    Unreachable(Expr<'s>),
    /// Holds in some reachable state.
    Reachable(Expr<'s>),
    /// No reachable state is stuck.
    DeadlockFree,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr<'s> {
    /// Which expression.
    pub kind: ExprKind<'s>,
    /// Where it stands.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind<'s> {
    /// An integer literal as written.
    Int(&'s str),
    /// `true` or `false`.
    Bool(bool),
    /// A plain name.
    Name(&'s str),
    /// An array cell, a local variable of a process, a qualified enumeration value.
    Path(Box<Path<'s>>),
    /// `P[i]@location`.
    At(Box<At<'s>>),
    /// `-a` or `!a`.
    Unary(UnaryOp, Box<Expr<'s>>),
    /// `a < b`.
    Compare(CompareOp, Box<(Expr<'s>, Expr<'s>)>),
    /// `a + b - c`.
    Chain(Box<Chain<'s>>),
    /// `if c then a else b`.
    If(Box<IfExpr<'s>>),
    /// `forall i in r: e` and its kin.
    Fold(Box<Fold<'s>>),
    /// `min(a, b)`.
    Call(Function, Vec<Expr<'s>>),
}

/// `name[i][j].field[k]`.
#[derive(Clone, Debug)]
pub struct Path<'s> {
    /// The first name.
    pub name: Name<'s>,
    /// The indices after it.
    pub indices: Vec<Expr<'s>>,
    /// The name after the dot and its indices.
    pub field: Option<(Name<'s>, Vec<Expr<'s>>)>,
    /// The whole path.
    pub span: Span,
}

/// `process[i]@location`.
#[derive(Clone, Debug)]
pub struct At<'s> {
    /// The process or family.
    pub process: Name<'s>,
    /// Which member.
    pub indices: Vec<Expr<'s>>,
    /// The location asked for.
    pub location: Name<'s>,
}

/// Operands joined by operators of one precedence.
#[derive(Clone, Debug)]
pub struct Chain<'s> {
    /// The leftmost operand.
    pub first: Expr<'s>,
    /// Operators with their right operands.
    pub rest: Vec<(BinaryOp, Expr<'s>)>,
}

/// `if c then a else if d then b else e`.
#[derive(Clone, Debug)]
pub struct IfExpr<'s> {
    /// Conditions and values in order.
    pub branches: Vec<(Expr<'s>, Expr<'s>)>,
    /// The value if no condition holds.
    pub otherwise: Expr<'s>,
}

/// An expression repeated over constant ranges.
#[derive(Clone, Debug)]
pub struct Fold<'s> {
    /// How the instances are joined.
    pub kind: FoldKind,
    /// The bound names.
    pub binders: Vec<Binder<'s>>,
    /// What is repeated.
    pub body: Expr<'s>,
}

/// How the instances of a [`Fold`] are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldKind {
    /// All instances hold.
    Forall,
    /// Some instance holds.
    Exists,
    /// The sum of all instances.
    Sum,
    /// How many instances hold.
    Count,
}

/// Prefix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// Comparisons; they do not associate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl CompareOp {
    /// The operator as written.
    pub fn text(self) -> &'static str {
        match self {
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        }
    }
}

/// Operators that chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `<=>`
    Iff,
    /// `=>`, to the right
    Implies,
    /// `||`
    Or,
    /// `&&`
    And,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Mod,
}

impl BinaryOp {
    /// The operator as written.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Iff => "<=>",
            BinaryOp::Implies => "=>",
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "%",
        }
    }
}

/// Built-in functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Function {
    /// The least of its arguments.
    Min,
    /// The greatest of its arguments.
    Max,
    /// The absolute value.
    Abs,
}

impl Function {
    /// The function of a name.
    pub fn named(name: &str) -> Option<Function> {
        match name {
            "min" => Some(Function::Min),
            "max" => Some(Function::Max),
            "abs" => Some(Function::Abs),
            _ => None,
        }
    }

    /// Its name.
    pub fn text(self) -> &'static str {
        match self {
            Function::Min => "min",
            Function::Max => "max",
            Function::Abs => "abs",
        }
    }
}
