//! Expressions as terms over a symbolic state.
//!
//! Evaluation never fails for what C defines; what the encoding does not
//! cover is a [`Gap`], and the caller sends the run where gaps are kept.

use crate::arithmetic::IntType;
use crate::back::of_machine_bits;
use crate::encoder::{Encoder, Gap, Source};
use crate::pointer::{FIRST, INTEGER, NULL};
use crate::state::State;
use crate::value::{Kind, Value, kind_of};
use parallax_base::Id;
use parallax_cfa::{Binary, BitFunction, Expr, ExprKind, Type, Unary};
use parallax_term::{Int, Term};

impl Encoder<'_> {
    /// The kind of a scalar type.
    pub(crate) fn kind(&self, ty: Id<Type>) -> Result<Kind, Gap> {
        kind_of(self.types(), ty).ok_or_else(|| Gap::new("a value that is no scalar"))
    }

    fn int_kind(&self, ty: Id<Type>) -> Result<IntType, Gap> {
        match self.kind(ty)? {
            Kind::Int(ty) => Ok(ty),
            _ => Err(Gap::new("a value that is no integer")),
        }
    }

    /// The value of an expression.
    pub(crate) fn eval(&mut self, state: &mut State, id: Id<Expr>) -> Result<Value, Gap> {
        let program = self.program;
        let Expr { kind, ty } = &program.exprs[id];
        match kind {
            ExprKind::Int(value) => self.constant(*ty, *value),
            ExprKind::Float(bits) => match self.kind(*ty)? {
                Kind::Float(format) => {
                    Ok(Value::Float(self.store.float(of_machine_bits(format, *bits))))
                }
                _ => Err(Gap::new("a float constant of another type")),
            },
            ExprKind::Load(place) => {
                let value = self.load(state, *place)?;
                Ok(self.narrowed(id, value))
            }
            ExprKind::Address(place) => {
                let (object, offset) = self.address(state, *place)?;
                Ok(Value::Pointer { object, offset })
            }
            ExprKind::Function(function) => {
                let object = self.functions[function.index()];
                let object = self.pointers.object(&mut self.store, object);
                let offset = self.pointers.offset(&mut self.store, 0);
                Ok(Value::Pointer { object, offset })
            }
            ExprKind::Unary(op, a) => self.unary(state, *op, *a),
            ExprKind::Binary(op, a, b) => self.binary(state, *op, *a, *b),
            ExprKind::Convert(a) => {
                let value = self.eval(state, *a)?;
                self.convert(state, program.exprs[*a].ty, *ty, value)
            }
            ExprKind::PointerAdd { pointer, index, scale } => {
                let (object, offset) = self.pointer(state, *pointer)?;
                let (index, scale) = (self.distance(state, *index)?, self.distance(state, *scale)?);
                let step = self.pointers.mul(&mut self.store, index, scale);
                let offset = self.pointers.add(&mut self.store, offset, step);
                Ok(Value::Pointer { object, offset })
            }
            ExprKind::PointerDiff { left, right, scale } => {
                self.difference(state, *ty, *left, *right, *scale)
            }
            ExprKind::Conditional(c, a, b) => {
                let condition = self.truth(state, *c)?;
                if let Some(known) = self.store.value(condition).and_then(|v| v.as_bool()) {
                    return self.eval(state, if known { *a } else { *b });
                }
                let (a, b) = (self.eval(state, *a)?, self.eval(state, *b)?);
                self.choose(*ty, condition, &a, &b)
            }
            ExprKind::ObjectSize(pointer) => self.object_size(state, *ty, *pointer),
        }
    }

    fn constant(&mut self, ty: Id<Type>, value: i128) -> Result<Value, Gap> {
        match self.kind(ty)? {
            Kind::Int(ty) => Ok(Value::Word(self.arithmetic.constant(&mut self.store, ty, value))),
            Kind::Pointer if value == 0 => Ok(self.pointers.null(&mut self.store)),
            Kind::Pointer => {
                let object = self.pointers.object(&mut self.store, INTEGER);
                let offset = self.pointers.offset(&mut self.store, value);
                Ok(Value::Pointer { object, offset })
            }
            Kind::Float(_) => Err(Gap::new("an integer constant of floating type")),
        }
    }

    /// `c ? a : b` for values of one type.
    pub(crate) fn choose(
        &mut self,
        ty: Id<Type>,
        c: Term,
        a: &Value,
        b: &Value,
    ) -> Result<Value, Gap> {
        if let (Value::Truth(a), Value::Truth(b)) = (a, b) {
            return Ok(Value::Truth(self.store.ite(c, *a, *b)));
        }
        let kind = self.kind(ty)?;
        if let Kind::Int(ty) = kind {
            let (first, second) = (self.origin(a), self.origin(b));
            let (a, b) = (self.word(ty, a), self.word(ty, b));
            let word = self.arithmetic.choose(&mut self.store, c, &a, &b);
            let origin = self.store.ite(c, first, second);
            return Ok(self.with_origin(word, Some(origin)));
        }
        let (a, b) = (self.terms(kind, a), self.terms(kind, b));
        let terms: Vec<Term> = a.iter().zip(&b).map(|(&a, &b)| self.store.ite(c, a, b)).collect();
        Ok(self.value(kind, &terms))
    }

    /// Whether an expression's value is not zero.
    pub(crate) fn truth(&mut self, state: &mut State, id: Id<Expr>) -> Result<Term, Gap> {
        let value = self.eval(state, id)?;
        self.truth_of(self.program.exprs[id].ty, &value)
    }

    pub(crate) fn truth_of(&mut self, ty: Id<Type>, value: &Value) -> Result<Term, Gap> {
        Ok(match value {
            Value::Truth(term) => *term,
            Value::Word(word) | Value::Address { word, .. } => {
                let ty = self.int_kind(ty)?;
                self.arithmetic.truth(&mut self.store, ty, word)
            }
            Value::Float(term) => self.float_truth(*term),
            Value::Pointer { object, offset } => {
                // A pointer into an object is never null, wherever it points.
                let null = self.pointers.object(&mut self.store, NULL);
                let zero = self.pointers.offset(&mut self.store, 0);
                let (a, b) = (self.store.eq(*object, null), self.store.eq(*offset, zero));
                let both = self.store.and([a, b]);
                self.store.not(both)
            }
        })
    }

    /// The value of an integer expression as a distance.
    pub(crate) fn distance(&mut self, state: &mut State, id: Id<Expr>) -> Result<Term, Gap> {
        let ty = self.int_kind(self.program.exprs[id].ty)?;
        let value = self.eval(state, id)?;
        let word = self.word(ty, &value);
        Ok(self.pointers.distance(&mut self.store, self.arithmetic, ty, &word))
    }

    /// The value of a pointer expression.
    pub(crate) fn pointer(&mut self, state: &mut State, id: Id<Expr>) -> Result<(Term, Term), Gap> {
        match self.eval(state, id)? {
            Value::Pointer { object, offset } => Ok((object, offset)),
            _ => Err(Gap::new("a pointer that is none")),
        }
    }

    fn unary(&mut self, state: &mut State, op: Unary, a: Id<Expr>) -> Result<Value, Gap> {
        let ty = self.program.exprs[a].ty;
        if op == Unary::Not {
            let truth = self.truth(state, a)?;
            return Ok(Value::Truth(self.store.not(truth)));
        }
        let value = self.eval(state, a)?;
        match self.kind(ty)? {
            Kind::Float(_) => self.float_unary(op, &value),
            Kind::Pointer => Err(Gap::new("arithmetic on a pointer")),
            Kind::Int(ty) => {
                let word = self.word(ty, &value);
                Ok(Value::Word(match op {
                    Unary::Neg => self.arithmetic.negate(&mut self.store, ty, &word),
                    Unary::BitNot => self.arithmetic.complement(&mut self.store, ty, &word),
                    Unary::Bits(function) => self.bits(ty, function, &word),
                    _ => return Err(Gap::new("a float function on an integer")),
                }))
            }
        }
    }

    /// A function on the bits of a word, bit by bit.
    fn bits(
        &mut self,
        ty: IntType,
        function: BitFunction,
        word: &crate::arithmetic::Word,
    ) -> crate::arithmetic::Word {
        let int = IntType { bits: 32, signed: true };
        let bits = self.arithmetic.to_bits(&mut self.store, ty, word);
        if function == BitFunction::ByteSwap {
            let mut result = self.store.bv_extract(bits, 7, 0);
            for byte in 1..ty.bits / 8 {
                let next = self.store.bv_extract(bits, byte * 8 + 7, byte * 8);
                result = self.store.bv_concat(result, next);
            }
            return self.arithmetic.of_bits(&mut self.store, ty, result);
        }
        let mut result = match function {
            BitFunction::PopCount => self.arithmetic.constant(&mut self.store, int, 0),
            _ => self.arithmetic.constant(&mut self.store, int, i128::from(ty.bits)),
        };
        // The bit looked at last decides: for leading zeros that is the highest.
        for step in 0..ty.bits {
            let at = match function {
                BitFunction::LeadingZeros => step,
                _ => ty.bits - 1 - step,
            };
            let bit = self.store.bv_extract(bits, at, at);
            let one = self.store.bv(1, 1);
            let set = self.store.eq(bit, one);
            let found = match function {
                BitFunction::PopCount => {
                    let one = self.arithmetic.constant(&mut self.store, int, 1);
                    let mut more =
                        self.arithmetic.binary(&mut self.store, Binary::Add, int, &result, &one);
                    more.high = Int::from(i64::from(step) + 1);
                    more
                }
                BitFunction::LeadingZeros => {
                    let count = i128::from(ty.bits - 1 - at);
                    self.arithmetic.constant(&mut self.store, int, count)
                }
                _ => self.arithmetic.constant(&mut self.store, int, i128::from(at)),
            };
            result = self.arithmetic.choose(&mut self.store, set, &found, &result);
        }
        result
    }

    fn binary(
        &mut self,
        state: &mut State,
        op: Binary,
        a: Id<Expr>,
        b: Id<Expr>,
    ) -> Result<Value, Gap> {
        let (left, right) = (self.program.exprs[a].ty, self.program.exprs[b].ty);
        let (x, y) = (self.eval(state, a)?, self.eval(state, b)?);
        match self.kind(left)? {
            Kind::Float(_) => self.float_binary(op, &x, &y),
            Kind::Pointer => self.compare_pointers(op, &x, &y),
            Kind::Int(ty) => {
                if let (Value::Truth(p), Value::Truth(q), true) = (&x, &y, ty.bits > 1)
                    && let Some(truth) = self.logical(op, *p, *q)
                {
                    return Ok(Value::Truth(truth));
                }
                let word = self.word(ty, &x);
                if matches!(op, Binary::Shl | Binary::Shr) {
                    let amount = self.int_kind(right)?;
                    let by = self.word(amount, &y);
                    let shifted =
                        self.arithmetic.shift(&mut self.store, op, ty, &word, amount, &by);
                    return Ok(Value::Word(shifted));
                }
                let other = self.word(ty, &y);
                if op.is_comparison() {
                    let truth = self.arithmetic.compare(&mut self.store, op, ty, &word, &other);
                    return Ok(Value::Truth(truth));
                }
                let origin = match ty.bits >= self.pointers.bits {
                    true => self.origin_of(op, &x, &y),
                    false => None,
                };
                let word = self.arithmetic.binary(&mut self.store, op, ty, &word, &other);
                Ok(self.with_origin(word, origin))
            }
        }
    }

    /// Operators that keep truth values truth values.
    fn logical(&mut self, op: Binary, p: Term, q: Term) -> Option<Term> {
        let store = &mut self.store;
        Some(match op {
            Binary::BitAnd | Binary::Mul => store.and([p, q]),
            Binary::BitOr => store.or([p, q]),
            Binary::Eq => store.iff(p, q),
            Binary::BitXor | Binary::Ne => {
                let same = store.iff(p, q);
                store.not(same)
            }
            _ => return None,
        })
    }

    fn compare_pointers(&mut self, op: Binary, x: &Value, y: &Value) -> Result<Value, Gap> {
        let (Value::Pointer { object: a, offset: x }, Value::Pointer { object: b, offset: y }) =
            (x, y)
        else {
            return Err(Gap::new("a comparison of a pointer with something else"));
        };
        let ordered = !matches!(op, Binary::Eq | Binary::Ne);
        let same_object = self.store.eq(*a, *b);
        let open = !self.store.is_true(same_object);
        let arbitrary =
            if ordered && open { self.any_truth("order") } else { self.store.bool(false) };
        let mut truth = self.pointers.compare(&mut self.store, op, (*a, *x), (*b, *y), arbitrary);
        if self.integer_pointers && !ordered && open {
            // An integer may be the address of any object.
            let integer = self.pointers.object(&mut self.store, INTEGER);
            let first = self.pointers.object(&mut self.store, FIRST);
            let mut mixed = Vec::new();
            for (p, q) in [(*a, *b), (*b, *a)] {
                let made = self.store.eq(p, integer);
                let real = self.pointers.object_le(&mut self.store, first, q);
                mixed.push(self.store.and([made, real]));
            }
            let mixed = self.store.or(mixed);
            if !self.store.is_false(mixed) {
                let any = self.any_truth("same address");
                truth = self.store.ite(mixed, any, truth);
            }
        }
        Ok(Value::Truth(truth))
    }

    /// `left - right` in elements; arbitrary if they point into different objects.
    fn difference(
        &mut self,
        state: &mut State,
        ty: Id<Type>,
        left: Id<Expr>,
        right: Id<Expr>,
        scale: Id<Expr>,
    ) -> Result<Value, Gap> {
        let (a, x) = self.pointer(state, left)?;
        let (b, y) = self.pointer(state, right)?;
        let ty = self.int_kind(ty)?;
        let bytes = self.pointers.sub(&mut self.store, x, y);
        let bytes = self.pointers.word(&mut self.store, self.arithmetic, ty, bytes);
        let scale_type = self.int_kind(self.program.exprs[scale].ty)?;
        let scale = self.eval(state, scale)?;
        let scale = self.word(scale_type, &scale);
        let scale = self.arithmetic.convert(&mut self.store, scale_type, ty, &scale);
        let exact = self.arithmetic.binary(&mut self.store, Binary::Div, ty, &bytes, &scale);
        let same = self.store.eq(a, b);
        if self.store.is_true(same) {
            return Ok(Value::Word(exact));
        }
        let other = self.any("distance", Kind::Int(ty), &Source::Open);
        let other = self.word(ty, &other);
        Ok(Value::Word(self.arithmetic.choose(&mut self.store, same, &exact, &other)))
    }

    fn object_size(
        &mut self,
        state: &mut State,
        ty: Id<Type>,
        pointer: Id<Expr>,
    ) -> Result<Value, Gap> {
        let Some(sizes) = self.sizes else {
            return Err(Gap::new("the size of an object"));
        };
        let (object, _) = self.pointer(state, pointer)?;
        let sizes = self.get(state, sizes);
        let size = self.store.select(sizes, object);
        let ty = self.int_kind(ty)?;
        Ok(Value::Word(self.pointers.word(&mut self.store, self.arithmetic, ty, size)))
    }
}
