//! Small programs by hand, and how they read.

use super::*;
use crate::{ArrayLength, Binary, DataModel, FunctionType, Qualifiers, Storage, Types};
use parallax_base::{IdVec, Span};

/// A program with nothing in it.
fn empty() -> Program {
    Program {
        types: Types::new(DataModel::Lp64),
        exprs: IdVec::default(),
        places: IdVec::default(),
        variables: IdVec::default(),
        initials: Vec::new(),
        functions: IdVec::default(),
        main: None,
    }
}

fn variable(program: &mut Program, name: &str, ty: Id<Type>) -> Id<Place> {
    let id = program.variables.push(Variable {
        name: name.into(),
        ty,
        storage: Storage::Local,
        owner: None,
        address_taken: false,
        read_only: false,
        size: 4,
        align: 4,
        span: Span::default(),
    });
    let base = Base::Variable(id);
    program.places.push(Place { base, path: Vec::new(), ty, bits: None, volatile: false })
}

#[test]
fn expressions_have_the_parentheses_they_need() {
    let mut p = empty();
    let int = p.types.int(IntKind::Int);
    let pointer = p.types.pointer(int);
    let (x, q) = (variable(&mut p, "x", int), variable(&mut p, "q", pointer));
    let twin = variable(&mut p, "x", int);
    let mut add = |kind, ty| p.exprs.push(Expr { kind, ty });
    let x = add(ExprKind::Load(x), int);
    let one = add(ExprKind::Int(1), int);
    let sum = add(ExprKind::Binary(Binary::Add, x, one), int);
    let product = add(ExprKind::Binary(Binary::Mul, sum, sum), int);
    let minus = add(ExprKind::Unary(Unary::Neg, product), int);
    let nested = add(ExprKind::Unary(Unary::Neg, minus), int);
    let left = add(ExprKind::Binary(Binary::Sub, x, sum), int);
    let q = add(ExprKind::Load(q), pointer);
    let next = add(ExprKind::PointerAdd { pointer: q, index: x, scale: one }, pointer);
    let null = add(ExprKind::Int(0), pointer);
    let test = add(ExprKind::Binary(Binary::Eq, q, null), int);
    let either = add(ExprKind::Conditional(test, sum, one), int);
    let cell =
        Place { base: Base::Pointer(next), path: vec![], ty: int, bits: None, volatile: false };
    let cell = p.places.push(cell);
    let star = Place { base: Base::Pointer(q), path: vec![], ty: int, bits: None, volatile: false };
    let star = p.places.push(star);
    let printer = Printer::new(&p);
    assert_eq!(printer.expr(nested), "-(-((x + 1) * (x + 1)))");
    assert_eq!(printer.expr(left), "x - (x + 1)");
    assert_eq!(printer.expr(either), "q == NULL ? x + 1 : 1");
    assert_eq!(printer.op(&Op::Assign(cell, either)), "q[x] = q == NULL ? x + 1 : 1");
    assert_eq!(printer.op(&Op::Assign(star, one)), "*q = 1");
    assert_eq!(printer.op(&Op::Assign(twin, one)), "x#2 = 1");
    assert_eq!(printer.check(&Check::Overflow(sum)), "check: x + 1 does not overflow");
}

#[test]
fn types_read_as_declarations() {
    let mut p = empty();
    let char = p.types.int(IntKind::Char);
    let string = p.types.pointer(char);
    let function = FunctionType {
        result: string,
        parameters: vec![char, string],
        variadic: true,
        prototyped: true,
    };
    let function = p.types.intern(Type::Function(function));
    let pointer = p.types.pointer(function);
    let table = p.types.intern(Type::Array { of: pointer, length: ArrayLength::Fixed(3) });
    let rows = p.types.intern(Type::Array { of: char, length: ArrayLength::Fixed(8) });
    let row = p.types.intern(Type::Pointer { to: rows, qualifiers: Qualifiers::default() });
    let printer = Printer::new(&p);
    assert_eq!(printer.ty(string), "char *");
    assert_eq!(printer.declaration(table, "f"), "char *(*f[3])(char, char *, ...)");
    assert_eq!(printer.declaration(row, "r"), "char (*r)[8]");
}

#[test]
fn shared_and_deep_expressions_are_cut() {
    let mut p = empty();
    let int = p.types.int(IntKind::Int);
    let mut e = p.exprs.push(Expr { kind: ExprKind::Int(1), ty: int });
    for _ in 0..100_000 {
        e = p.exprs.push(Expr { kind: ExprKind::Binary(Binary::BitXor, e, e), ty: int });
    }
    let text = Printer::new(&p).expr(e);
    assert!(text.ends_with('…') && text.len() < 5000, "{}", text.len());
}
