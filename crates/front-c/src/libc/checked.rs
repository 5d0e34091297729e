//! Functions of the library that only look at what they are given: they are
//! checked to be given it.
//!
//! What is checked is written in the declaration of the function
//! (`declared.rs`). Strings are read up to their end by a model. After the call, `errno` may have changed.

use super::declared::{ASKED, Declaration};
use super::format::{Amount, Conversion, Piece, pieces};
use super::{Outcome, Request};
use crate::lower::Body;
use crate::typed;
use parallax_base::{Id, Span};
use parallax_cfa::{Argument, Binary, Check, Expr, ExprKind, IntKind, Type};

impl Body<'_, '_> {
    /// Lowers a call of a function without a model.
    pub(super) fn declared(&mut self, request: &Request<'_>, declaration: Declaration) -> Outcome {
        let span = request.span;
        let mut arguments = request.arguments.to_vec();
        for value in arguments.iter_mut().flatten() {
            *value = self.unshared(*value, span);
        }
        let mut counts = Vec::new();
        for (index, letter) in declaration.parameters().enumerate() {
            let Some(value) = arguments.get(index).copied().flatten() else { continue };
            match letter {
                'S' => self.check_string(value, span),
                's' => self.unless_null(value, span, |body| body.check_string(value, span)),
                'F' => self.check_stream(value, span),
                'G' => self.unless_null(value, span, |body| body.check_stream(value, span)),
                'P' => counts = self.check_format(request, index, false),
                _ => {}
            }
        }
        let target = self.cx.undefined(request.tree);
        let values: Option<Vec<Argument>> =
            arguments.iter().map(|value| value.map(Argument::Scalar)).collect();
        let Some(values) = values else {
            self.unsupported(format!("{} of a record", request.name), span);
            return Outcome::Value(None);
        };
        let result = declaration.result().filter(|letter| matches!(letter, 'z' | 'n'));
        let is_wanted = request.wanted || request.to.is_some();
        let way = match result {
            Some(_) => (None, is_wanted),
            None => (request.to, request.wanted),
        };
        let mut value = self.direct(request.tree, target, values, way, request.ty, span);
        for (pointer, kind, known) in counts {
            if let Some(count) = self.count(known, span) {
                self.store_number(pointer, kind, count, span);
            }
        }
        if !request.name.starts_with(ASKED) {
            self.touch_errno(span);
        }
        if let (Some(letter), Some(given)) = (result, value) {
            value = Some(self.in_range(given, letter));
        }
        match (request.to, result) {
            (Some(_), None) => Outcome::Stored,
            _ => Outcome::Value(value),
        }
    }

    /// How many characters were written or read, where the model does not know the
    /// text; `known` if nothing fails and all of them stand in the format.
    pub(super) fn count(&mut self, known: Option<usize>, span: Span) -> Option<Id<Expr>> {
        let int = self.cx.build.int;
        let known = self.number(known.map_or(-1, |known| known as i128));
        self.model_call("print_count", &[known], Some(int), span)
    }

    /// An arbitrary number as a result that says whether a function failed.
    fn in_range(&mut self, value: Id<Expr>, letter: char) -> Id<Expr> {
        let (int, ty) = (self.cx.build.int, self.cx.build.exprs[value].ty);
        let (zero, minus) = (self.cx.build.zero(ty), self.cx.build.int(-1, ty));
        let (op, otherwise) = match letter {
            'z' => (Binary::Ne, zero),
            _ => (Binary::Lt, value),
        };
        let fails = self.cx.build.binary(op, value, zero, int);
        self.cx.build.conditional(fails, minus, otherwise)
    }

    /// Calls a function of the models.
    pub(super) fn model_call(
        &mut self,
        name: &str,
        arguments: &[Id<Expr>],
        result: Option<Id<Type>>,
        span: Span,
    ) -> Option<Id<Expr>> {
        let Some(tree) = self.cx.meanings.model(name) else {
            self.unsupported(format!("the library: {name}"), span);
            return None;
        };
        let target = self.cx.function(tree);
        let wanted = match self.cx.build.types.get(self.typed.functions[tree].ty) {
            Type::Function(ty) => ty.parameters.clone(),
            _ => Vec::new(),
        };
        let mut values = Vec::new();
        for (number, &value) in arguments.iter().enumerate() {
            let wanted = wanted.get(number);
            let value = wanted.map_or(value, |ty| self.cx.build.convert(value, *ty));
            values.push(Argument::Scalar(value));
        }
        let ty = result.unwrap_or_else(|| self.cx.build.types.intern(Type::Void));
        self.direct(tree, target, values, (None, result.is_some()), ty, span)
    }

    /// Whether a value is the address of a string literal.
    pub(super) fn is_literal(&self, value: Id<Expr>) -> bool {
        self.string(value).is_some()
    }

    fn check_string(&mut self, value: Id<Expr>, span: Span) {
        if let ExprKind::Conditional(_, a, b) = self.cx.build.exprs[value].kind
            && self.is_literal(a)
            && self.is_literal(b)
        {
            return;
        }
        if !self.is_literal(value) {
            self.model_call("check_string", &[value], None, span);
        }
    }

    /// There is a stream.
    pub(super) fn check_stream(&mut self, value: Id<Expr>, span: Span) {
        let int = self.cx.build.int;
        let pointer = self.cx.build.types.pointer(int);
        let value = self.cx.build.convert(value, pointer);
        let way = self.cx.build.pointee_way(value, int, false);
        let place = self.place(&way);
        self.demand(Check::Access { place, write: false }, span);
    }

    fn unless_null(&mut self, value: Id<Expr>, span: Span, check: impl FnOnce(&mut Self)) {
        let (given, null) = self.split(value, span);
        self.at(given);
        if given.is_some() {
            check(self);
        }
        let after = self.graph.join(self.graph.current, null, span);
        self.at(after);
    }

    /// There are as many bytes to be read, in a model.
    pub(super) fn readable(&mut self, request: &Request<'_>) {
        let (Some(pointer), Some(size)) = (request.argument(0), request.argument(1)) else {
            return;
        };
        let (span, size) = (request.span, self.cx.build.convert(size, self.cx.build.size));
        match self.cx.build.as_int(size) {
            Some(0) => {}
            Some(_) => self.demand_bytes(pointer, size, false, span),
            None => {
                self.unless_null(size, span, |body| body.demand_bytes(pointer, size, false, span));
            }
        }
    }

    /// The conversions of a format with their arguments, if they suit each
    /// other; those of a width and a precision come first.
    pub(super) fn converted(
        &mut self,
        request: &Request<'_>,
        format: usize,
        exact: bool,
    ) -> Option<(Vec<Piece>, Vec<Id<Expr>>)> {
        let text = request.argument(format).and_then(|value| self.format_text(value));
        let Some(text) = text else {
            self.unsupported(
                format!("{} with a format that is not known", request.name),
                request.span,
            );
            return None;
        };
        let Some(pieces) = pieces(&text) else {
            self.unsupported(
                format!("{} with a conversion that is not known", request.name),
                request.span,
            );
            return None;
        };
        let mut rest = request.arguments.iter().skip(format + 1);
        let mut used = Vec::new();
        for piece in &pieces {
            let Piece::Conversion(conversion) = piece else { continue };
            let number = Conversion {
                flags: 0,
                width: Amount::None,
                precision: Amount::None,
                length: ' ',
                letter: 'd',
            };
            let amounts = [conversion.width, conversion.precision];
            let amounts = amounts.iter().filter(|amount| **amount == Amount::Argument);
            let wanted = amounts.map(|_| number).chain([*conversion]);
            for wanted in wanted {
                let value = rest.next().copied().flatten();
                let suits = value.is_some_and(|value| {
                    let ty = self.cx.build.exprs[value].ty;
                    wanted.suits(&self.cx.build.types, ty, exact)
                });
                let Some(value) = value.filter(|_| suits) else {
                    let text = "with arguments that do not suit the format";
                    self.unsupported(format!("{} {text}", request.name), request.span);
                    return None;
                };
                used.push(value);
            }
        }
        Some((pieces, used))
    }

    /// A format: a literal, or either of two with the same conversions.
    fn format_text(&self, value: Id<Expr>) -> Option<String> {
        let ExprKind::Conditional(_, a, b) = self.cx.build.exprs[value].kind else {
            return self.string(value);
        };
        let conversions = |text: &str| -> Option<Vec<Piece>> {
            let mut all = pieces(text)?;
            all.retain(|piece| matches!(piece, Piece::Conversion(_)));
            Some(all)
        };
        let (a, b) = (self.string(a)?, self.string(b)?);
        (conversions(&a)? == conversions(&b)?).then_some(a)
    }

    /// Checks the arguments of a format; gives what `%n` stores to, and how many
    /// characters come before it if none of them is converted.
    fn check_format(
        &mut self,
        request: &Request<'_>,
        format: usize,
        exact: bool,
    ) -> Vec<(Id<Expr>, IntKind, Option<usize>)> {
        let Some((pieces, used)) = self.converted(request, format, exact) else {
            return Vec::new();
        };
        let (span, mut used, mut counts) = (request.span, used.into_iter(), Vec::new());
        let mut written = Some(0);
        for piece in pieces {
            let conversion = match piece {
                Piece::Text(_, count) => {
                    written = written.map(|written| written + count);
                    continue;
                }
                Piece::Conversion(conversion) => conversion,
            };
            let mut next = |amount: Amount| match amount {
                Amount::Argument => used.next(),
                _ => None,
            };
            next(conversion.width);
            let limit = match conversion.precision {
                Amount::Number(n) => Some(self.number(i128::from(n))),
                other => next(other),
            };
            let Some(value) = used.next() else { break };
            match conversion.letter {
                's' if limit.is_none() => self.check_string(value, span),
                's' if !self.is_literal(value) => {
                    let limit = limit.unwrap_or(value);
                    self.model_call("check_text", &[value, limit], None, span);
                }
                'n' => counts.push((value, conversion.int_kind(&self.cx.build.types), written)),
                _ => {}
            }
            if conversion.letter != 'n' {
                written = None;
            }
        }
        counts
    }

    /// Stores a number through a pointer, as an integer of this kind.
    pub(super) fn store_number(
        &mut self,
        pointer: Id<Expr>,
        kind: IntKind,
        value: Id<Expr>,
        span: Span,
    ) {
        let ty = self.int_type(kind);
        let to = self.cx.build.types.pointer(ty);
        let pointer = self.cx.build.convert(pointer, to);
        let way = self.cx.build.pointee_way(pointer, ty, false);
        let value = self.cx.build.convert(value, ty);
        self.store(&way, value, false, span);
    }

    /// `errno` may have changed; it is not set to zero.
    pub(crate) fn touch_errno(&mut self, span: Span) {
        if !self.cx.errno.is_empty() && self.graph.current.is_some() {
            let int = self.cx.build.int;
            let way = self.arbitrary(int, "`errno` after a call of the library", span);
            let number = self.load(&way);
            self.set_errno(number, span);
        }
    }

    /// Sets `errno` unless the number is zero.
    pub(super) fn set_errno(&mut self, number: Id<Expr>, span: Span) {
        let int = self.cx.build.int;
        for tree in self.cx.errno.clone() {
            let variable = self.cx.variable(tree);
            let ty = self.cx.variables[variable].ty;
            let way = self.cx.build.variable(variable, ty, false);
            let (zero, old) = (self.number(0), self.load(&way));
            let number = self.cx.build.convert(number, int);
            let changes = self.cx.build.binary(Binary::Ne, number, zero, int);
            let new = self.cx.build.conditional(changes, number, old);
            self.set(&way, new, span);
        }
    }
}

/// The objects that hold `errno`, if the program looks at it: that of the
/// models, and one that it declares itself.
pub(crate) fn errno(program: &typed::Program) -> Vec<Id<typed::Variable>> {
    let asks = |name: &str| {
        program.exprs.iter().any(|expr| match &expr.kind {
            typed::ExprKind::Function(function) => *program.functions[*function].name == *name,
            _ => false,
        })
    };
    let mut all = Vec::new();
    for (id, variable) in program.variables.iter_enumerated() {
        let is_int = matches!(program.types.get(variable.ty), Type::Int(IntKind::Int));
        let is_own = *variable.name == *"errno" && variable.storage == typed::Storage::External;
        let is_model = *variable.name == *"__parallax_errno_number";
        if is_int && (is_own || (is_model && asks("__errno_location"))) {
            all.push(id);
        }
    }
    all
}
