//! What the parser makes of a text.

use crate::value::Expr;
use parallax_base::Span;
use parallax_lts::Lts;
use std::rc::Rc;

/// A name with its place.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: Rc<str>,
    pub(crate) span: Span,
}

/// A sequence of label parts, joined by dots.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    pub(crate) parts: Vec<LabelPart>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum LabelPart {
    /// `a`
    Name(Rc<str>),
    /// `{a, b}`, `S`, `{a, b} \ {b}`
    Set(SetExpr),
    /// `[..]`
    Index(Index),
}

/// What stands in brackets.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    /// The variable that takes the values.
    pub(crate) variable: Option<Name>,
    pub(crate) range: IndexRange,
}

#[derive(Clone, Debug)]
pub(crate) enum IndexRange {
    /// One value; or, if it is a single name, perhaps a range or a set.
    Value(Expr),
    /// `lo..hi`
    Range(Expr, Expr),
    /// A set.
    Set(SetExpr),
}

#[derive(Clone, Debug)]
pub(crate) struct SetExpr {
    pub(crate) base: SetBase,
    /// What is taken away.
    pub(crate) minus: Option<Box<SetExpr>>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum SetBase {
    Name(Name),
    List(Vec<Labels>),
}

/// `new / old`, or `forall [..] {..}`.
#[derive(Clone, Debug)]
pub(crate) enum Relabel {
    Pair(Labels, Labels),
    Forall(Vec<Index>, Vec<Relabel>),
}

/// Hiding or interface.
#[derive(Clone, Debug)]
pub(crate) struct Hiding {
    pub(crate) shows: bool,
    pub(crate) set: SetExpr,
}

/// What a definition asks to be done with the result.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Modes {
    pub(crate) deterministic: bool,
    pub(crate) minimal: bool,
    pub(crate) compose: bool,
    pub(crate) property: bool,
}

/// `NAME = expression`, in a parameter list.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Name,
    pub(crate) default: Expr,
}

/// A process: its first local process has its name.
#[derive(Clone, Debug)]
pub(crate) struct ProcessDef {
    pub(crate) name: Name,
    pub(crate) modes: Modes,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) locals: Vec<Local>,
    pub(crate) extension: Option<SetExpr>,
    pub(crate) relabels: Vec<Relabel>,
    pub(crate) hiding: Option<Hiding>,
}

#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) name: Name,
    pub(crate) indices: Vec<Index>,
    pub(crate) body: Body,
}

#[derive(Clone, Debug)]
pub(crate) enum Body {
    Choice(Vec<Choice>),
    If(Expr, Box<Body>, Option<Box<Body>>),
    Stop,
    End,
    Error,
    /// A local process.
    Reference(Name, Vec<Index>),
    /// `P(e, ..); rest`
    Sequence(Name, Vec<Expr>, Box<Body>),
}

#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) guard: Option<Expr>,
    /// At least one.
    pub(crate) prefixes: Vec<Labels>,
    pub(crate) body: Body,
}

#[derive(Clone, Debug)]
pub(crate) struct CompositeDef {
    pub(crate) name: Name,
    pub(crate) modes: Modes,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: CBody,
    /// High or low, and the set.
    pub(crate) priority: Option<(bool, SetExpr)>,
    pub(crate) hiding: Option<Hiding>,
}

#[derive(Clone, Debug)]
pub(crate) enum CBody {
    If(Expr, Box<CBody>, Option<Box<CBody>>),
    Forall(Vec<Index>, Box<CBody>),
    Labelled { share: Option<Labels>, label: Option<Labels>, inner: CInner, relabels: Vec<Relabel> },
}

#[derive(Clone, Debug)]
pub(crate) enum CInner {
    Parallel(Vec<CBody>),
    Reference(Name, Vec<Expr>),
}

#[derive(Clone, Debug)]
pub(crate) struct ProgressDef {
    pub(crate) name: Name,
    pub(crate) indices: Vec<Index>,
    pub(crate) condition: Option<Labels>,
    pub(crate) actions: Labels,
}

#[derive(Clone, Debug)]
pub(crate) enum Item {
    Const(Name, Expr),
    Range(Name, Expr, Expr),
    Set(Name, SetExpr),
    Process(ProcessDef),
    Composite(CompositeDef),
    Progress(ProgressDef),
    /// A menu of the animator, which has no meaning here.
    Menu,
    /// A process from another file.
    Import(ImportDef),
    /// A fluent.
    Fluent(FluentDef),
    /// A formula that is checked: `assert` or `ltl_property`.
    Assert(Name, Formula),
    /// A formula that is read and not checked.
    Constraint(Name),
}

/// `import P = "file.aut"`
#[derive(Clone, Debug)]
pub(crate) struct ImportDef {
    pub(crate) name: Name,
    pub(crate) file: Rc<str>,
    pub(crate) span: Span,
    /// The system, once somebody has read the file.
    pub(crate) lts: Option<Rc<Lts>>,
}

/// `fluent F[i:R] = <starts, ends> initially e`
#[derive(Clone, Debug)]
pub(crate) struct FluentDef {
    pub(crate) name: Name,
    pub(crate) indices: Vec<Index>,
    pub(crate) starts: Labels,
    pub(crate) ends: Labels,
    pub(crate) initially: Option<Result<bool, Expr>>,
}

/// A formula of linear temporal logic.
#[derive(Clone, Debug)]
pub(crate) enum Formula {
    /// The first prefix is the outermost.
    Prefixed(Vec<Prefix>, Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Linked(Box<Formula>, Link, Box<Formula>),
    /// An expression without actions.
    Rigid(Expr),
    /// One of these happened last.
    Actions(Labels),
    /// A fluent, another formula, or a set.
    Named(Name, Vec<Index>),
}

#[derive(Clone, Debug)]
pub(crate) enum Prefix {
    Not,
    Next,
    Always,
    Eventually,
    Forall(Vec<Index>),
    Exists(Vec<Index>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Link {
    Until,
    WeakUntil,
    Release,
    Implies,
    Iff,
}
