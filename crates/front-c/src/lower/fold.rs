//! Operators, conversions and truth values, with constants folded.
//!
//! Only identities that hold in every state are used; whether the program may
//! compute the operand at all is a matter of checks, which are made before.

use super::build::Builder;
use parallax_base::Id;
use parallax_cfa::{Base, Binary, Expr, ExprKind, ScalarType, Step, Type, Unary, arith};

impl Builder {
    /// The bits of a constant.
    pub(crate) fn constant(&self, id: Id<Expr>) -> Option<u128> {
        match self.exprs[id].kind {
            ExprKind::Int(value) => Some(value as u128),
            ExprKind::Float(bits) => Some(bits),
            _ => None,
        }
    }

    /// The constant with these bits.
    fn constant_of(&mut self, bits: u128, ty: Id<Type>) -> Id<Expr> {
        match self.scalar(ty) {
            ScalarType::Float(_) => self.node(ExprKind::Float(bits), ty),
            _ => self.node(ExprKind::Int(bits as i128), ty),
        }
    }

    /// An operator with one operand.
    pub(crate) fn unary(&mut self, op: Unary, a: Id<Expr>, ty: Id<Type>) -> Id<Expr> {
        if let Some(bits) = self.constant(a) {
            let from = self.scalar(self.exprs[a].ty);
            return self.constant_of(arith::unary(op, from, bits), ty);
        }
        self.node(ExprKind::Unary(op, a), ty)
    }

    /// An operator with two operands; comparisons have type `int`.
    pub(crate) fn binary(
        &mut self,
        op: Binary,
        a: Id<Expr>,
        b: Id<Expr>,
        ty: Id<Type>,
    ) -> Id<Expr> {
        let of = self.scalar(self.exprs[a].ty);
        let (x, y) = (self.constant(a), self.constant(b));
        if let (Some(x), Some(y)) = (x, y) {
            return self.constant_of(arith::binary(op, of, x, y), ty);
        }
        if op.is_comparison() {
            return self.comparison(op, a, b);
        }
        let is_float = of.is_float();
        match (op, y) {
            _ if is_float => {}
            (Binary::Add | Binary::Sub | Binary::BitOr | Binary::BitXor, Some(0))
            | (Binary::Shl | Binary::Shr, Some(0))
            | (Binary::Mul | Binary::Div, Some(1)) => return a,
            (Binary::Sub | Binary::BitXor, _) if a == b => return self.zero(ty),
            _ => {}
        }
        match (op, x) {
            _ if is_float => {}
            (Binary::Add | Binary::BitOr | Binary::BitXor, Some(0)) | (Binary::Mul, Some(1)) => {
                return b;
            }
            _ => {}
        }
        self.node(ExprKind::Binary(op, a, b), ty)
    }

    fn comparison(&mut self, op: Binary, a: Id<Expr>, b: Id<Expr>) -> Id<Expr> {
        let int = self.int;
        let is_float = self.scalar(self.exprs[a].ty).is_float();
        if a == b && !is_float {
            let holds = matches!(op, Binary::Eq | Binary::Le | Binary::Ge);
            return self.int(i128::from(holds), int);
        }
        if matches!(op, Binary::Eq | Binary::Ne) && !is_float {
            // A constant stands on the right.
            let (a, b) = if self.constant(a).is_some() { (b, a) } else { (a, b) };
            if let (Some(value @ (0 | 1)), Some(inner)) = (self.as_int(b), self.as_truth(a)) {
                let same = (value == 1) == (op == Binary::Eq);
                return if same { inner } else { self.negate(inner) };
            }
            if self.as_int(b) == Some(0) && self.is_object_address(a) {
                return self.int(i128::from(op == Binary::Ne), int);
            }
            return self.node(ExprKind::Binary(op, a, b), int);
        }
        self.node(ExprKind::Binary(op, a, b), int)
    }

    /// Whether this is the address of a variable or function: never null.
    fn is_object_address(&self, id: Id<Expr>) -> bool {
        match self.exprs[id].kind {
            ExprKind::Function(_) => true,
            ExprKind::Address(place) => {
                let place = &self.places[place];
                matches!(place.base, Base::Variable(_))
                    && place.path.iter().all(|step| match step {
                        Step::Member(..) => true,
                        Step::Index(i) => self.as_int(*i).is_some_and(|i| i >= 0),
                    })
            }
            ExprKind::Convert(a) if self.types.pointee(self.exprs[id].ty).is_some() => {
                self.types.pointee(self.exprs[a].ty).is_some() && self.is_object_address(a)
            }
            _ => false,
        }
    }

    /// The truth value behind an integer that is made of one by conversions.
    fn as_truth(&self, id: Id<Expr>) -> Option<Id<Expr>> {
        if self.is_boolean(id) {
            return Some(id);
        }
        match self.exprs[id].kind {
            ExprKind::Convert(a) if self.types.int_kind(self.exprs[id].ty).is_some() => {
                self.as_truth(a)
            }
            _ => None,
        }
    }

    /// Whether a scalar is not zero, as 0 or 1.
    pub(crate) fn truth(&mut self, id: Id<Expr>) -> Id<Expr> {
        let int = self.int;
        if let Some(bits) = self.constant(id) {
            let holds = arith::is_true(self.scalar(self.exprs[id].ty), bits);
            return self.int(i128::from(holds), int);
        }
        if let Some(truth) = self.as_truth(id) {
            return truth;
        }
        let Expr { kind, ty } = self.exprs[id].clone();
        match (kind, self.scalar(ty)) {
            (ExprKind::Convert(a), ScalarType::Bool) => self.truth(a),
            (_, of) if of == ScalarType::Bool || of.bits() < 32 => {
                let wide = self.convert(id, int);
                let zero = self.zero(int);
                self.comparison(Binary::Ne, wide, zero)
            }
            _ => {
                let zero = self.zero(ty);
                self.comparison(Binary::Ne, id, zero)
            }
        }
    }

    /// Whether a scalar is zero, as 0 or 1.
    pub(crate) fn negate(&mut self, id: Id<Expr>) -> Id<Expr> {
        let id = self.truth(id);
        let int = self.int;
        if let Some(value) = self.as_int(id) {
            return self.int(i128::from(value == 0), int);
        }
        match self.exprs[id].kind {
            ExprKind::Unary(Unary::Not, a) => self.truth(a),
            ExprKind::Binary(op, a, b) => {
                let ordered = !self.scalar(self.exprs[a].ty).is_float();
                let flipped = match op {
                    Binary::Eq => Binary::Ne,
                    Binary::Ne => Binary::Eq,
                    Binary::Lt if ordered => Binary::Ge,
                    Binary::Le if ordered => Binary::Gt,
                    Binary::Gt if ordered => Binary::Le,
                    Binary::Ge if ordered => Binary::Lt,
                    _ => return self.node(ExprKind::Unary(Unary::Not, id), int),
                };
                self.comparison(flipped, a, b)
            }
            _ => self.node(ExprKind::Unary(Unary::Not, id), int),
        }
    }

    /// The second if the first is true, else the third.
    pub(crate) fn conditional(&mut self, c: Id<Expr>, a: Id<Expr>, b: Id<Expr>) -> Id<Expr> {
        let c = self.truth(c);
        if let Some(value) = self.as_int(c) {
            return if value != 0 { a } else { b };
        }
        if a == b {
            return a;
        }
        let ty = self.exprs[a].ty;
        if ty == self.int {
            match (self.as_int(a), self.as_int(b)) {
                (Some(1), Some(0)) => return c,
                (Some(0), Some(1)) => return self.negate(c),
                _ => {}
            }
        }
        self.node(ExprKind::Conditional(c, a, b), ty)
    }

    /// A conversion that C's rules ask for: nothing if both types compute alike.
    pub(crate) fn coerce(&mut self, id: Id<Expr>, ty: Id<Type>) -> Id<Expr> {
        let same = self.scalar(self.exprs[id].ty) == self.scalar(ty);
        if same { id } else { self.convert(id, ty) }
    }

    /// A conversion. Between pointers it says what is pointed to from now on.
    pub(crate) fn convert(&mut self, id: Id<Expr>, ty: Id<Type>) -> Id<Expr> {
        let Expr { kind, ty: from } = self.exprs[id].clone();
        let (source, target) = (self.scalar(from), self.scalar(ty));
        if from == ty || (source == target && !target.is_pointer()) {
            return id;
        }
        if let (Some(a), Some(b)) = (self.types.pointee(from), self.types.pointee(ty)) {
            // Qualifiers matter when the tree is read, not any more.
            if a == b {
                return id;
            }
        }
        match kind {
            ExprKind::Int(value) => {
                let bits = arith::convert(source, target, value as u128);
                return self.constant_of(bits, ty);
            }
            ExprKind::Float(bits) => {
                return self.constant_of(arith::convert(source, target, bits), ty);
            }
            ExprKind::Function(f) if target.is_pointer() => return self.function(f, ty),
            ExprKind::Convert(inner) => {
                let origin = self.scalar(self.exprs[inner].ty);
                if is_redundant(origin, source, target) {
                    return self.convert(inner, ty);
                }
            }
            _ => {}
        }
        self.node(ExprKind::Convert(id), ty)
    }
}

/// Whether `origin -> middle -> target` is `origin -> target`.
fn is_redundant(origin: ScalarType, middle: ScalarType, target: ScalarType) -> bool {
    use ScalarType::{Bool, Int, Pointer};
    match (origin, middle, target) {
        (Pointer { .. }, Pointer { .. }, Pointer { .. }) => true,
        (Pointer { bits: a }, Int { bits: b, .. }, Pointer { .. }) => a <= b,
        (Bool, Int { .. }, Int { .. } | Bool) => true,
        (Int { bits: a, signed }, Int { bits: b, signed: s }, Int { bits: c, .. }) => {
            // The middle keeps every value, or only drops what the end drops.
            (a < b && (!signed || s)) || (a == b && signed == s) || c <= b
        }
        (Int { bits: a, signed }, Int { bits: b, signed: s }, Bool) => {
            (a < b && (!signed || s)) || a == b
        }
        _ => false,
    }
}
