//! The names that an expression or a type mentions, whatever they stand for.

use crate::ast::{Domain, Expr, ExprKind, Path, Range, TypeExpr, TypeKind};

/// Adds the names in `e` to `out`.
pub(super) fn expr_names<'m>(e: &Expr<'m>, out: &mut Vec<&'m str>) {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Bool(_) => {}
        ExprKind::Name(name) => out.push(name),
        ExprKind::Path(path) => path_names(path, out),
        ExprKind::At(at) => at.indices.iter().for_each(|i| expr_names(i, out)),
        ExprKind::Unary(_, a) => expr_names(a, out),
        ExprKind::Compare(_, ab) => {
            expr_names(&ab.0, out);
            expr_names(&ab.1, out);
        }
        ExprKind::Chain(chain) => {
            expr_names(&chain.first, out);
            chain.rest.iter().for_each(|(_, e)| expr_names(e, out));
        }
        ExprKind::If(choice) => {
            for (condition, value) in &choice.branches {
                expr_names(condition, out);
                expr_names(value, out);
            }
            expr_names(&choice.otherwise, out);
        }
        ExprKind::Fold(fold) => {
            fold.binders.iter().for_each(|b| domain_names(&b.domain, out));
            expr_names(&fold.body, out);
        }
        ExprKind::Call(_, arguments) => arguments.iter().for_each(|e| expr_names(e, out)),
    }
}

fn path_names<'m>(path: &Path<'m>, out: &mut Vec<&'m str>) {
    out.push(path.name.text);
    path.indices.iter().for_each(|i| expr_names(i, out));
    if let Some((_, indices)) = &path.field {
        indices.iter().for_each(|i| expr_names(i, out));
    }
}

/// Adds the names in the range of an index to `out`.
pub(super) fn domain_names<'m>(domain: &Domain<'m>, out: &mut Vec<&'m str>) {
    match domain {
        Domain::Range(range) => range_names(range, out),
        Domain::Named(name) => out.push(name.text),
    }
}

fn range_names<'m>(range: &Range<'m>, out: &mut Vec<&'m str>) {
    expr_names(&range.low, out);
    expr_names(&range.high, out);
}

/// Adds the names in `ty` to `out`.
pub(super) fn type_names<'m>(ty: &TypeExpr<'m>, out: &mut Vec<&'m str>) {
    match &ty.kind {
        TypeKind::Int | TypeKind::Bool => {}
        TypeKind::Range(range) => range_names(range, out),
        TypeKind::Named(name) => out.push(name.text),
        TypeKind::Array(sizes, element) => {
            sizes.iter().for_each(|e| expr_names(e, out));
            type_names(element, out);
        }
    }
}
