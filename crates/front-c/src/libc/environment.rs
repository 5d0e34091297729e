//! Inputs, assumptions, errors.

use super::{Outcome, Request};
use crate::lower::Body;
use parallax_base::{Id, Span};
use parallax_cfa::{Base, Binary, Expr, ExprKind, FloatFunction, Halt, Op, Step, Type, Unary};

/// The number of an argument outside the domain of a function.
const EDOM: i128 = 33;

impl Body<'_, '_> {
    /// An `int` constant.
    pub(super) fn number(&mut self, value: i128) -> Id<Expr> {
        let int = self.cx.build.int;
        self.cx.build.int(value, int)
    }

    /// An input of the program.
    pub(super) fn input(&mut self, request: &Request<'_>) -> Outcome {
        if matches!(self.cx.build.types.get(request.ty), Type::Void) {
            return Outcome::Value(None);
        }
        if !self.is_scalar(request.ty) {
            return self.overwrite(request, request.name);
        }
        let way = match request.to {
            Some(way) => way.clone(),
            None => self.temporary(request.ty),
        };
        let to = self.place(&way);
        self.emit(Op::Input { to, name: request.name.into() }, request.span);
        self.stored(request, &way)
    }

    /// An arbitrary value, for a model of the library.
    pub(super) fn any(&mut self, request: &Request<'_>) -> Outcome {
        let why = format!("result of `{}`", self.cx.functions[self.function].name);
        self.overwrite(request, &why)
    }

    fn overwrite(&mut self, request: &Request<'_>, why: &str) -> Outcome {
        let way = match request.to {
            Some(way) => way.clone(),
            None => self.temporary(request.ty),
        };
        let to = self.place(&way);
        self.emit(Op::Havoc { to, why: why.into() }, request.span);
        self.stored(request, &way)
    }

    fn stored(&mut self, request: &Request<'_>, way: &crate::lower::Way) -> Outcome {
        if request.to.is_some() || !self.is_scalar(request.ty) {
            return Outcome::Stored;
        }
        Outcome::Value(Some(self.load(way)))
    }

    /// The run ends in good order unless the argument holds.
    pub(super) fn assume(&mut self, request: &Request<'_>) {
        let Some(condition) = request.argument(0) else { return };
        let (yes, no) = self.split(condition, request.span);
        self.at(no);
        let halt = match request.name {
            "assume_abort_if_not" => Halt::End,
            _ => Halt::Assumption,
        };
        self.stop(Op::Halt(halt), request.span);
        self.at(yes);
    }

    /// An error unless the argument holds.
    pub(super) fn assert(&mut self, request: &Request<'_>) {
        let Some(condition) = request.argument(0) else { return };
        let (yes, no) = self.split(condition, request.span);
        self.at(no);
        // What it says, if it says something.
        let said = request.argument(1).and_then(|text| self.string(text));
        let text = match said {
            Some(said) => format!("{}: {said}", request.name),
            None => request.name.to_owned(),
        };
        self.stop(Op::Error(text.into()), request.span);
        self.at(yes);
    }

    /// What an error says: the function, and the assertion if it is known.
    pub(super) fn error_text(&mut self, request: &Request<'_>) -> String {
        let text = request.argument(0).and_then(|value| self.string(value));
        match text {
            Some(text) if request.name.starts_with("__assert") => {
                format!("{}: {text}", request.name)
            }
            _ => request.name.to_owned(),
        }
    }

    /// The text of a string literal, if that is what the pointer points to.
    pub(super) fn string(&self, mut value: Id<Expr>) -> Option<String> {
        while let ExprKind::Convert(inner) = self.cx.build.exprs[value].kind {
            value = inner;
        }
        let ExprKind::Address(place) = self.cx.build.exprs[value].kind else { return None };
        let place = &self.cx.build.places[place];
        let (Base::Variable(variable), [Step::Index(start)]) = (place.base, &place.path[..]) else {
            return None;
        };
        let start = usize::try_from(self.cx.build.as_int(*start)?).ok()?;
        let units = self.cx.strings.get(&variable)?.get(start..)?;
        units.iter().take_while(|unit| **unit != 0).map(|unit| char::from_u32(*unit)).collect()
    }

    /// A function on floats; the operand has the function's own type.
    pub(super) fn float_function(
        &mut self,
        function: Unary,
        value: Id<Expr>,
        ty: Id<Type>,
    ) -> Id<Expr> {
        let is_float = |body: &Self, ty| body.cx.build.scalar(ty).is_float();
        if is_float(self, ty) {
            let value = self.cx.build.convert(value, ty);
            return self.cx.build.unary(function, value, ty);
        }
        let int = self.cx.build.int;
        if is_float(self, self.cx.build.exprs[value].ty) {
            return self.cx.build.unary(function, value, int);
        }
        self.number(0)
    }

    /// The root of a number below zero is an error of its domain.
    pub(super) fn square_root_error(&mut self, value: Id<Expr>, span: Span) {
        let ty = self.cx.build.exprs[value].ty;
        if self.cx.errno.is_empty() || !self.cx.build.scalar(ty).is_float() {
            return;
        }
        let int = self.cx.build.int;
        let (zero, none, domain) = (self.cx.build.zero(ty), self.number(0), self.number(EDOM));
        let fails = self.cx.build.binary(Binary::Lt, value, zero, int);
        let number = self.cx.build.conditional(fails, domain, none);
        self.set_errno(number, span);
    }

    /// `isinf`: 1, -1 or 0.
    pub(super) fn infinity_sign(&mut self, request: &Request<'_>) -> Outcome {
        let Some(value) = request.argument(0) else { return Outcome::Value(None) };
        let int = self.cx.build.int;
        let infinite = self.float_function(Unary::Float(FloatFunction::IsInf), value, int);
        let negative = self.float_function(Unary::Float(FloatFunction::SignBit), value, int);
        let (zero, one, minus) = (self.number(0), self.number(1), self.number(-1));
        let negative = self.cx.build.binary(Binary::Ne, negative, zero, int);
        let sign = self.cx.build.conditional(negative, minus, one);
        Outcome::Value(Some(self.cx.build.conditional(infinite, sign, zero)))
    }
}
