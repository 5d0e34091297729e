//! Types as written become shapes; ranges become numbers.

use parallax_base::{Diagnostic, Span};
use parallax_ir::Domain;
use parallax_term::Int;

use super::MAX_INSTANCES;
use super::context::{Cx, Dim, Elab, Entry, Shape, Ty};
use crate::ast::{self, Expr, Range, TypeExpr, TypeKind};

/// The type of all reals.
const REAL: &str = "real";

/// The largest array dimension, and the longest range that is expanded.
const MAX_SIZE: i64 = 1_000_000;

/// How many dimensions an array may have; bounds the recursion over them.
const MAX_DIMS: usize = 16;

impl<'m> Cx<'m> {
    /// The shape a type stands for.
    pub(super) fn shape(&mut self, ty: &'m TypeExpr<'m>) -> Elab<Shape> {
        let scalar = |ty, domain| Shape { ty, domain, dims: Vec::new() };
        match &ty.kind {
            TypeKind::Int => Ok(scalar(Ty::Int, Domain::Int)),
            TypeKind::Bool => Ok(scalar(Ty::Bool, Domain::Bool)),
            TypeKind::Range(range) => {
                let (low, high) = self.constant_range(range)?;
                if low > high {
                    let text = format!("the type `{low}..={high}` has no values");
                    let error = Diagnostic::error("M0304", ty.span, text);
                    return Err(self.fail(error));
                }
                Ok(scalar(Ty::Int, Domain::Range(low, high)))
            }
            TypeKind::Named(name) => self.named_type(*name),
            TypeKind::Array(sizes, element) => {
                let mut dims = Vec::new();
                for size in sizes {
                    let size = self.array_size(size)?;
                    dims.push(Dim { low: Int::ZERO, size, ty: Ty::Int });
                }
                let mut shape = self.shape(element)?;
                dims.append(&mut shape.dims);
                if dims.len() > MAX_DIMS {
                    let text = format!("an array of more than {MAX_DIMS} dimensions");
                    return Err(self.fail(Diagnostic::error("M0304", ty.span, text)));
                }
                let cells = dims.iter().try_fold(1usize, |n, d| n.checked_mul(d.size));
                if cells.is_none_or(|n| n > MAX_INSTANCES) {
                    let text = format!("an array of more than {MAX_INSTANCES} cells");
                    return Err(self.fail(Diagnostic::error("M0305", ty.span, text)));
                }
                Ok(Shape { dims, ..shape })
            }
        }
    }

    /// The shape of a named type or an enumeration.
    fn named_type(&mut self, name: ast::Name<'m>) -> Elab<Shape> {
        match self.names.get(name.text) {
            Some(&(Entry::Enum(e), _)) => {
                let domain = Domain::Enum(self.enums[e].values.clone());
                Ok(Shape { ty: Ty::Enum(e), domain, dims: Vec::new() })
            }
            Some(&(Entry::Type(t), _)) => {
                self.types[t].shape.clone().ok_or(crate::parser::Reported)
            }
            Some(&(entry, span)) => {
                let what = match entry {
                    Entry::Const(_) => "a constant",
                    Entry::Var(_) => "a variable",
                    _ => "a process",
                };
                let text = format!("`{}` is {what}, not a type", name.text);
                let error = Diagnostic::error("M0202", name.span, text).also(span, "declared here");
                Err(self.fail(match entry {
                    Entry::Const(_) => error.help(format!("a range is written `0..{}`", name.text)),
                    _ => error,
                }))
            }
            // A word only here, so that a variable may have the name.
            None if name.text == REAL => {
                Ok(Shape { ty: Ty::Real, domain: Domain::Real, dims: Vec::new() })
            }
            None => Err(self.unknown("type", name.text, name.span)),
        }
    }

    fn array_size(&mut self, size: &'m Expr<'m>) -> Elab<usize> {
        let value = self.constant_int("the size of an array", size)?;
        match value.to_i64() {
            Some(n @ 1..=MAX_SIZE) => Ok(n as usize),
            _ => {
                let text = format!("an array cannot have {value} cells");
                let error = Diagnostic::error("M0304", size.span, text)
                    .help(format!("the size must lie between 1 and {MAX_SIZE}"));
                Err(self.fail(error))
            }
        }
    }

    /// The integer value of a constant expression.
    pub(super) fn constant_int(&mut self, what: &'static str, e: &'m Expr<'m>) -> Elab<Int> {
        let typed = self.constant_value(what, e)?;
        self.expect(typed, Ty::Int, e)?;
        Ok(self.store.int_value(typed.term).cloned().unwrap_or(Int::ZERO))
    }

    /// Least and greatest value of a constant range; it may be empty.
    fn constant_range(&mut self, range: &'m Range<'m>) -> Elab<(Int, Int)> {
        let low = self.constant_int("the bound of a range", &range.low);
        let high = self.constant_int("the bound of a range", &range.high)?;
        let high = if range.inclusive { high } else { &high - &Int::ONE };
        Ok((low?, high))
    }

    /// The values a bound name ranges over; `size` may be zero.
    pub(super) fn values_of(&mut self, domain: &'m ast::Domain<'m>) -> Elab<Dim> {
        let (low, high, ty, span) = match domain {
            ast::Domain::Range(range) => {
                let (low, high) = self.constant_range(range)?;
                (low, high, Ty::Int, range.span)
            }
            ast::Domain::Named(name) => {
                let shape = self.named_type(*name)?;
                match (shape.domain.bounds(), shape.dims.is_empty()) {
                    (Some((low, high)), true) => (low, high, shape.ty, name.span),
                    _ => {
                        let text = format!("`{}` has no finite list of values", name.text);
                        let error = Diagnostic::error("M0202", name.span, text)
                            .help("use a range, an enumeration or a type that names a range");
                        return Err(self.fail(error));
                    }
                }
            }
        };
        self.dim(low, high, ty, span)
    }

    fn dim(&mut self, low: Int, high: Int, ty: Ty, span: Span) -> Elab<Dim> {
        if high < low {
            return Ok(Dim { low, size: 0, ty });
        }
        match (&(&high - &low) + &Int::ONE).to_i64() {
            Some(n) if n <= MAX_SIZE => Ok(Dim { low, size: n as usize, ty }),
            _ => {
                let text = format!("a range of more than {MAX_SIZE} values cannot be expanded");
                Err(self.fail(Diagnostic::error("M0304", span, text)))
            }
        }
    }
}
