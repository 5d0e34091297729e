//! Library operations as functions, for pointers to them.
//!
//! `void (*release)(void *) = free;` needs a function `free`. Its body is the
//! operation, applied to the parameters.

use super::body::Body;
use super::build::Touch;
use super::program::Lowerer;
use crate::libc::{self, Outcome, Request};
use crate::typed;
use parallax_base::Id;
use parallax_cfa::{Argument, Function, Storage, Type, Variable};

/// Makes the body of a library operation.
pub(crate) fn lower_wrapper(cx: &mut Lowerer<'_>, id: Id<Function>, tree: Id<typed::Function>) {
    let function = &cx.typed.functions[tree];
    let Type::Function(ty) = cx.build.types.get(function.ty).clone() else { return };
    let mut parameters = Vec::new();
    for (index, ty) in ty.parameters.iter().enumerate() {
        let variable = Variable {
            name: format!("p{index}").into(),
            ty: *ty,
            storage: Storage::Parameter,
            owner: Some(id),
            address_taken: false,
            read_only: false,
            size: cx.build.types.size_of(*ty).unwrap_or(0),
            align: cx.build.types.align_of(*ty),
            span: function.span,
        };
        parameters.push(cx.add_variable(variable, Touch::LOCAL));
    }
    cx.functions[id].parameters = parameters.clone();
    let name = cx.name(tree).clone();
    let mut body = Body::new(cx, id, None);
    let mut arguments = Vec::new();
    for (parameter, ty) in parameters.iter().zip(&ty.parameters) {
        let way = body.cx.build.variable(*parameter, *ty, false);
        let value = body.is_scalar(*ty).then(|| body.load(&way));
        arguments.push(value);
    }
    let request = Request {
        tree,
        name: &name,
        arguments: &arguments,
        ty: ty.result,
        to: None,
        wanted: true,
        span: function.span,
    };
    let outcome = libc::operation(&mut body, &request);
    let value = match (body.result_type(), outcome) {
        (Some(ty), Outcome::Value(Some(value))) if body.is_scalar(ty) => {
            Some(Argument::Scalar(body.cx.build.coerce(value, ty)))
        }
        (Some(ty), _) => {
            let way = body.arbitrary(ty, "result of a library function", function.span);
            Some(body.argument(&way))
        }
        (None, _) => None,
    };
    body.leave(value, function.span);
    body.close();
}
