//! The tables of expressions and places under construction.
//!
//! Equal expressions share one id, and so do equal places. What an expression
//! reads is kept next to it, so that lowering knows which values must be saved
//! before an effect.
//!
//! Invariant: children are older than parents; every node is in the tables once.

use parallax_base::{Id, IdVec};
use parallax_cfa::{
    Base, Expr, ExprKind, Function, IntKind, Place, ScalarType, Step, Type, Types, Unary, Variable,
};
use std::collections::HashMap;

/// What a value depends on, or what an effect may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Touch(u8);

impl Touch {
    /// Nothing.
    pub(crate) const NONE: Touch = Touch(0);
    /// Locals no pointer leads to.
    pub(crate) const LOCAL: Touch = Touch(1);
    /// Everything a pointer or a call may reach.
    pub(crate) const MEMORY: Touch = Touch(2);
    /// Any object at all, temporaries included: not a constant.
    pub(crate) const OBJECT: Touch = Touch(4);

    /// Both.
    #[must_use]
    pub(crate) fn and(self, other: Touch) -> Touch {
        Touch(self.0 | other.0)
    }

    /// Whether an effect on `other` may change a value that depends on `self`.
    pub(crate) fn meets(self, other: Touch) -> bool {
        self.0 & other.0 & 3 != 0
    }

    /// Whether the value is the same in every state.
    pub(crate) fn is_constant(self) -> bool {
        self.0 == 0
    }
}

/// A place that is still being walked to.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// Where it starts.
    pub(crate) base: Base,
    /// The steps so far.
    pub(crate) path: Vec<Step>,
    /// The type of what is there.
    pub(crate) ty: Id<Type>,
    /// Set for a bit-field.
    pub(crate) bits: Option<parallax_cfa::BitField>,
    /// Whether an access may give anything.
    pub(crate) volatile: bool,
    /// Whether an access is atomic.
    pub(crate) atomic: bool,
}

/// The tables.
pub(crate) struct Builder {
    /// All types.
    pub(crate) types: Types,
    /// All expressions.
    pub(crate) exprs: IdVec<Expr>,
    /// All places.
    pub(crate) places: IdVec<Place>,
    known_exprs: HashMap<Expr, Id<Expr>>,
    known_places: HashMap<Place, Id<Place>>,
    expr_reads: Vec<Touch>,
    expr_boolean: Vec<bool>,
    place_reads: Vec<Touch>,
    variable_reads: Vec<Touch>,
    variable_types: Vec<Id<Type>>,
    /// `int`.
    pub(crate) int: Id<Type>,
    /// The type of `sizeof`.
    pub(crate) size: Id<Type>,
    /// The type of pointer differences.
    pub(crate) difference: Id<Type>,
}

impl Builder {
    pub(crate) fn new(mut types: Types) -> Builder {
        let model = types.model;
        let int = types.int(IntKind::Int);
        let size = types.int(model.size_type());
        let difference = types.int(model.difference_type());
        Builder {
            types,
            exprs: IdVec::default(),
            places: IdVec::default(),
            known_exprs: HashMap::default(),
            known_places: HashMap::default(),
            expr_reads: Vec::new(),
            expr_boolean: Vec::new(),
            place_reads: Vec::new(),
            variable_reads: Vec::new(),
            variable_types: Vec::new(),
            int,
            size,
            difference,
        }
    }

    /// Says what a load of the next variable touches; called once per variable.
    pub(crate) fn note_variable(&mut self, ty: Id<Type>, touch: Touch) {
        self.variable_reads.push(touch.and(Touch::OBJECT));
        self.variable_types.push(ty);
    }

    /// The type of a variable.
    pub(crate) fn variable_type(&self, variable: Id<Variable>) -> Id<Type> {
        self.variable_types[variable.index()]
    }

    /// The node as it is, without folding.
    pub(crate) fn node(&mut self, kind: ExprKind, ty: Id<Type>) -> Id<Expr> {
        let expr = Expr { kind, ty };
        if let Some(id) = self.known_exprs.get(&expr) {
            return *id;
        }
        let reads = self.compute_reads(&expr.kind);
        let boolean = self.compute_boolean(&expr.kind);
        self.expr_reads.push(reads);
        self.expr_boolean.push(boolean);
        let id = self.exprs.push(expr.clone());
        self.known_exprs.insert(expr, id);
        id
    }

    fn compute_reads(&self, kind: &ExprKind) -> Touch {
        let of = |id: &Id<Expr>| self.expr_reads[id.index()];
        match kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => Touch::NONE,
            ExprKind::Load(place) => self.place_reads[place.index()].and(self.contents(*place)),
            ExprKind::Address(place) => self.place_reads[place.index()],
            ExprKind::Unary(_, a) | ExprKind::Convert(a) => of(a),
            ExprKind::Binary(_, a, b) => of(a).and(of(b)),
            ExprKind::PointerAdd { pointer: a, index: b, scale: c }
            | ExprKind::PointerDiff { left: a, right: b, scale: c }
            | ExprKind::Conditional(a, b, c) => of(a).and(of(b)).and(of(c)),
            ExprKind::ObjectSize(a) => of(a).and(Touch::MEMORY),
        }
    }

    fn compute_boolean(&self, kind: &ExprKind) -> bool {
        let simple = |e: Id<Expr>| self.is_boolean(e) || matches!(self.as_int(e), Some(0 | 1));
        match kind {
            ExprKind::Binary(op, ..) => op.is_comparison(),
            ExprKind::Unary(Unary::Not, _) => true,
            ExprKind::Conditional(_, a, b) => {
                self.exprs[*a].ty == self.int && simple(*a) && simple(*b)
            }
            _ => false,
        }
    }

    /// Whether the value is an `int` made by logic: always 0 or 1.
    pub(crate) fn is_boolean(&self, id: Id<Expr>) -> bool {
        self.expr_boolean[id.index()]
    }

    /// What an access to a place touches, beside what leads there.
    pub(crate) fn contents(&self, place: Id<Place>) -> Touch {
        match self.places[place].base {
            Base::Variable(v) => self.variable_reads[v.index()],
            Base::Pointer(_) => Touch::MEMORY.and(Touch::OBJECT),
        }
    }

    /// What an expression reads.
    pub(crate) fn reads(&self, id: Id<Expr>) -> Touch {
        self.expr_reads[id.index()]
    }

    /// The id of a place.
    pub(crate) fn place(&mut self, way: &Way) -> Id<Place> {
        let place = Place {
            base: way.base,
            path: way.path.clone(),
            ty: way.ty,
            bits: way.bits,
            volatile: way.volatile,
        };
        if let Some(id) = self.known_places.get(&place) {
            return *id;
        }
        let mut reads = match place.base {
            Base::Variable(_) => Touch::NONE,
            Base::Pointer(p) => self.reads(p),
        };
        for step in &place.path {
            if let Step::Index(i) = step {
                reads = reads.and(self.reads(*i));
            }
        }
        self.place_reads.push(reads);
        let id = self.places.push(place.clone());
        self.known_places.insert(place, id);
        id
    }

    /// The way to a whole variable.
    pub(crate) fn variable(&self, variable: Id<Variable>, ty: Id<Type>, volatile: bool) -> Way {
        let base = Base::Variable(variable);
        Way { base, path: Vec::new(), ty, bits: None, volatile, atomic: false }
    }

    /// The way that leads to a place.
    pub(crate) fn way(&self, place: Id<Place>) -> Way {
        let Place { base, path, ty, bits, volatile } = self.places[place].clone();
        Way { base, path, ty, bits, volatile, atomic: false }
    }

    /// A type as arithmetic sees it; aggregates count as `int` here, which no
    /// caller relies on.
    pub(crate) fn scalar(&self, ty: Id<Type>) -> ScalarType {
        self.types.scalar(ty).unwrap_or(ScalarType::INT)
    }

    /// Whether values of the type are expressions.
    pub(crate) fn is_scalar(&self, ty: Id<Type>) -> bool {
        self.types.scalar(ty).is_some()
    }

    /// The value of a constant integer or pointer.
    pub(crate) fn as_int(&self, id: Id<Expr>) -> Option<i128> {
        match self.exprs[id].kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    /// An integer constant, modulo the width of its type.
    pub(crate) fn int(&mut self, value: i128, ty: Id<Type>) -> Id<Expr> {
        let value = parallax_cfa::arith::wrap(self.scalar(ty), value as u128) as i128;
        self.node(ExprKind::Int(value), ty)
    }

    /// The constant zero of any scalar type.
    pub(crate) fn zero(&mut self, ty: Id<Type>) -> Id<Expr> {
        let kind = match self.scalar(ty) {
            ScalarType::Float(_) => ExprKind::Float(0),
            _ => ExprKind::Int(0),
        };
        self.node(kind, ty)
    }

    /// The value at a place.
    pub(crate) fn load(&mut self, place: Id<Place>) -> Id<Expr> {
        let ty = self.places[place].ty;
        self.node(ExprKind::Load(place), ty)
    }

    /// The address of a place, as a pointer of type `ty`.
    pub(crate) fn address(&mut self, way: &Way, ty: Id<Type>) -> Id<Expr> {
        if let (Base::Pointer(pointer), true) = (way.base, way.path.is_empty()) {
            return self.convert(pointer, ty);
        }
        let place = self.place(way);
        self.node(ExprKind::Address(place), ty)
    }

    /// The address of a function.
    pub(crate) fn function(&mut self, function: Id<Function>, ty: Id<Type>) -> Id<Expr> {
        self.node(ExprKind::Function(function), ty)
    }

    /// The element type of an array.
    pub(crate) fn element(&self, ty: Id<Type>) -> Option<Id<Type>> {
        match self.types.get(ty) {
            Type::Array { of, .. } => Some(*of),
            _ => None,
        }
    }
}
