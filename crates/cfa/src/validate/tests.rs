//! Programs that are not well formed are refused, each for its reason.

use super::validate;
use crate::{
    Base, Binary, DataModel, Edge, Expr, ExprKind, Function, FunctionType, Halt, IntKind, Location,
    Op, Place, Program, Storage, Type, Types, Variable,
};
use parallax_base::{Id, IdVec, Span};

/// `int f(int x) { x = x + 1; return x; }`, by hand.
fn sound() -> Program {
    let mut types = Types::new(DataModel::Lp64);
    let int = types.int(IntKind::Int);
    let ty = types.intern(Type::Function(FunctionType {
        result: int,
        parameters: vec![int],
        variadic: false,
        prototyped: true,
    }));
    let span = Span::default();
    let x = Id::new(0);
    let place =
        Place { base: Base::Variable(x), path: Vec::new(), ty: int, bits: None, volatile: false };
    let exprs = [
        ExprKind::Load(Id::new(0)),
        ExprKind::Int(1),
        ExprKind::Binary(Binary::Add, Id::new(0), Id::new(1)),
    ];
    let location = || Location::at(span);
    let edge = |source, target, op| Edge {
        source: Id::new(source),
        target: Id::new(target),
        op,
        span,
        branch: None,
    };
    let value = crate::Argument::Scalar(Id::new(0));
    let function = Function {
        name: "f".into(),
        ty,
        parameters: vec![x],
        is_defined: true,
        is_library: false,
        locations: (0..3).map(|_| location()).collect(),
        edges: [
            edge(0, 2, Op::Assign(Id::new(0), Id::new(2))),
            edge(2, 1, Op::Return(Some(value))),
        ]
        .into_iter()
        .collect(),
        entry: Id::new(0),
        exit: Id::new(1),
        span,
    };
    let variable = Variable {
        name: "x".into(),
        ty: int,
        storage: Storage::Parameter,
        owner: Some(Id::new(0)),
        address_taken: false,
        read_only: false,
        size: 4,
        align: 4,
        span,
    };
    Program {
        types,
        exprs: exprs.into_iter().map(|kind| Expr { kind, ty: int }).collect(),
        places: [place].into_iter().collect(),
        variables: [variable].into_iter().collect(),
        initials: Vec::new(),
        functions: [function].into_iter().collect(),
        main: None,
    }
}

#[track_caller]
fn refused(damage: impl FnOnce(&mut Program), reason: &str) {
    let mut program = sound();
    damage(&mut program);
    let flaws = validate(&program);
    assert!(flaws.iter().any(|flaw| flaw.contains(reason)), "{reason}: {flaws:?}");
}

#[test]
fn sound_programs_have_no_flaws() {
    assert_eq!(validate(&sound()), Vec::<String>::new());
}

#[test]
fn damaged_programs_are_refused() {
    let f = Id::new(0);
    refused(|p| p.exprs[Id::new(1)].kind = ExprKind::Int(1 << 40), "out of range");
    refused(
        |p| p.exprs[Id::new(0)].kind = ExprKind::Binary(Binary::Add, Id::new(1), Id::new(2)),
        "not older",
    );
    refused(|p| p.exprs[Id::new(1)].ty = p.types.int(IntKind::Long), "different types");
    refused(|p| p.places[Id::new(0)].ty = p.types.int(IntKind::Char), "its path");
    refused(|p| p.places[Id::new(0)].base = Base::Variable(Id::new(7)), "variable out of range");
    refused(|p| p.variables[Id::new(0)].owner = None, "owner and storage");
    refused(|p| p.functions[f].edges[Id::new(1)].target = Id::new(0), "only returns");
    refused(|p| p.functions[f].edges[Id::new(1)].op = Op::Return(None), "without a value");
    refused(|p| p.functions[f].edges[Id::new(0)].op = Op::Assume(Id::new(2)), "alone");
    refused(|p| p.functions[f].edges[Id::new(0)].op = Op::Halt(Halt::End), "after the end");
    refused(|p| p.functions[f].edges[Id::new(0)].source = Id::new(2), "no edge leaves");
    refused(|p| p.functions[f].edges[Id::new(0)].op = Op::Dead(Id::new(0)), "no local");
    refused(|p| p.functions[f].is_defined = false, "with locations");
    refused(|p| p.functions[f].locations = IdVec::default(), "entry or exit");
}
