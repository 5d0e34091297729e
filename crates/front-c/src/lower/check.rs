//! Which checks an operation needs.
//!
//! A check is left out where the shape of the operands excludes a failure; see
//! [`super::range`].

use super::body::{Announces, Body};
use super::build::Way;
use parallax_base::{Id, Span};
use parallax_cfa::{
    ArrayLength, Base, Binary, Check, Expr, ExprKind, ScalarType, Step, Storage, Type, Unary,
};

impl Body<'_, '_> {
    /// An operator with its checks. Both operands have the type computed in,
    /// but for shifts.
    pub(crate) fn combine(
        &mut self,
        op: Binary,
        a: Id<Expr>,
        b: Id<Expr>,
        ty: Id<Type>,
        span: Span,
    ) -> Id<Expr> {
        if !op.is_comparison() {
            self.check_binary(op, a, b, ty, span);
        }
        self.cx.build.binary(op, a, b, ty)
    }

    fn check_binary(&mut self, op: Binary, a: Id<Expr>, b: Id<Expr>, ty: Id<Type>, span: Span) {
        let ScalarType::Int { bits, .. } = self.cx.build.scalar(ty) else { return };
        let node = ExprKind::Binary(op, a, b);
        if matches!(op, Binary::Div | Binary::Rem) {
            let nonzero = self.cx.build.range(b).is_some_and(|(low, high)| low > 0 || high < 0);
            let constant = self.cx.build.as_int(b).is_some_and(|value| value != 0);
            if !nonzero && !constant {
                self.demand(Check::Division(b), span);
            }
        }
        if matches!(op, Binary::Shl | Binary::Shr) {
            let below = i128::from(bits);
            let fits = self.cx.build.range(b).is_some_and(|(low, high)| 0 <= low && high < below);
            if !fits {
                let whole = self.cx.build.node(node.clone(), ty);
                self.demand(Check::Shift(whole), span);
            }
        }
        let arithmetic = matches!(
            op,
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem | Binary::Shl
        );
        if arithmetic && self.cx.build.may_overflow(op, a, b, ty) {
            let whole = self.cx.build.node(node, ty);
            self.demand(Check::Overflow(whole), span);
        }
    }

    /// Arithmetic negation with its check.
    pub(crate) fn negation(&mut self, a: Id<Expr>, ty: Id<Type>, span: Span) -> Id<Expr> {
        if self.cx.build.scalar(ty).is_signed() {
            let least = self.cx.build.type_range(ty).map(|range| range.0);
            let safe = self.cx.build.range(a).is_some_and(|range| Some(range.0) > least);
            if !safe {
                let whole = self.cx.build.node(ExprKind::Unary(Unary::Neg, a), ty);
                self.demand(Check::Overflow(whole), span);
            }
        }
        self.cx.build.unary(Unary::Neg, a, ty)
    }

    /// A conversion with its check: a float must fit the integer.
    pub(crate) fn conversion(&mut self, a: Id<Expr>, ty: Id<Type>, span: Span) -> Id<Expr> {
        let (from, to) =
            (self.cx.build.scalar(self.cx.build.exprs[a].ty), self.cx.build.scalar(ty));
        if from.is_float() && matches!(to, ScalarType::Int { .. }) {
            let fits = self
                .cx
                .build
                .constant(a)
                .is_some_and(|bits| parallax_cfa::arith::float_fits(from, to, bits));
            if !fits {
                let whole = self.cx.build.node(ExprKind::Convert(a), ty);
                self.demand(Check::FloatConversion(whole), span);
            }
        }
        self.cx.build.convert(a, ty)
    }

    /// The checks before an access.
    pub(crate) fn guard(&mut self, way: &Way, write: bool, span: Span) {
        if let (true, Base::Variable(variable), None) = (write, way.base, way.bits)
            && self.cx.variables[variable].read_only
        {
            // By its address, for a constant that no pointer leads to needs no
            // memory otherwise.
            let ty = self.cx.build.types.pointer(way.ty);
            let pointer = self.cx.build.address(way, ty);
            let size = self.size_of(way.ty);
            return self.demand(Check::AccessBytes { pointer, size, write }, span);
        }
        if self.cx.options.object_bounds {
            self.check_indices(way, span);
        }
        if self.needs_access(way, write) {
            let place = self.place(way);
            self.demand(Check::Access { place, write }, span);
        }
        if !write && self.cx.build.is_scalar(way.ty) && self.needs_initialized(way) {
            let place = self.place(way);
            self.demand(Check::Initialized(place), span);
        }
        if self.cx.build.is_scalar(way.ty) {
            self.announce(way, write, span);
        }
    }

    /// Tells the other threads of an access that comes next.
    pub(crate) fn announce(&mut self, way: &Way, write: bool, span: Span) {
        let is_known = self.announces == Announces::Everything
            || self.announces == Announces::BehindPointers && matches!(way.base, Base::Pointer(_));
        if is_known && self.is_shared(way) {
            let place = self.place(way);
            self.demand(Check::Alone { place, write, atomic: way.atomic }, span);
        }
    }

    /// The same for bytes.
    pub(crate) fn announce_bytes(
        &mut self,
        pointer: Id<Expr>,
        size: Id<Expr>,
        write: bool,
        span: Span,
    ) {
        if self.cx.threads && self.announces != Announces::Nothing {
            self.demand(Check::AloneBytes { pointer, size, write }, span);
        }
    }

    /// Each index stays within its array. The last member of a record may be an array
    /// of one element that stands for more.
    fn check_indices(&mut self, way: &Way, span: Span) {
        for (position, step) in way.path.iter().enumerate() {
            let Step::Index(index) = *step else { continue };
            let before = &way.path[..position];
            let Some(ty) = self.cx.build.type_at(way.base, before) else { return };
            let Type::Array { length: ArrayLength::Fixed(n), .. } = *self.cx.build.types.get(ty)
            else {
                continue;
            };
            let range = self.cx.build.range(index);
            let is_within = range.is_some_and(|(low, high)| 0 <= low && high < i128::from(n));
            if is_within || (n <= 1 && self.is_last(before)) {
                continue;
            }
            let size = self.cx.build.size;
            let index = self.cx.build.convert(index, size);
            let length = self.cx.build.int(i128::from(n), size);
            let int = self.cx.build.int;
            let within = self.cx.build.binary(Binary::Lt, index, length, int);
            let array = Way { path: before.to_vec(), ty, bits: None, ..way.clone() };
            let array = self.place(&array);
            self.demand(Check::Index { array, within }, span);
        }
    }

    /// Whether a path ends in the last member of a record.
    fn is_last(&self, path: &[Step]) -> bool {
        match path.last() {
            Some(Step::Member(record, member)) => {
                *member as usize + 1 == self.cx.build.types.records[*record].members.len()
            }
            _ => false,
        }
    }

    /// Whether an access may leave the object, or the object may be gone.
    fn needs_access(&self, way: &Way, write: bool) -> bool {
        let Base::Variable(variable) = way.base else { return true };
        let object = &self.cx.variables[variable];
        if write && object.read_only {
            return true;
        }
        let build = &self.cx.build;
        let mut ty = object.ty;
        for (position, step) in way.path.iter().enumerate() {
            match *step {
                Step::Member(record, member) => {
                    match build.types.records[record].members.get(member as usize) {
                        Some(member) => ty = member.ty,
                        None => return true,
                    }
                }
                Step::Index(index) => {
                    let Type::Array { of, length } = *build.types.get(ty) else { return true };
                    let within = match length {
                        ArrayLength::Fixed(n) => build
                            .range(index)
                            .is_some_and(|(low, high)| 0 <= low && high < i128::from(n)),
                        // An array defined elsewhere is as long as it is used.
                        ArrayLength::Unknown => position == 0 && object.size == 0,
                        ArrayLength::Variable(_) => false,
                    };
                    if !within {
                        return true;
                    }
                    ty = of;
                }
            }
        }
        false
    }

    /// Whether what is read may never have been written.
    fn needs_initialized(&self, way: &Way) -> bool {
        let Base::Variable(variable) = way.base else { return true };
        let object = &self.cx.variables[variable];
        match object.storage {
            Storage::Local => {
                self.doubtful.as_ref().is_none_or(|doubtful| doubtful.contains(&variable))
            }
            // A record that is passed or returned may have members without a value.
            Storage::Parameter | Storage::Temporary => !self.cx.build.is_scalar(object.ty),
            Storage::Static | Storage::Thread => false,
        }
    }

    /// The value at a way, checked. A volatile object is read once.
    pub(crate) fn read(&mut self, way: &Way, span: Span) -> Id<Expr> {
        self.guard(way, false, span);
        let place = self.place(way);
        let value = self.cx.build.load(place);
        if way.volatile { self.save(value, span) } else { self.unshared(value, span) }
    }
}
