//! Programs built by hand: fast instructions against the general arithmetic,
//! memory with provenance, and the speed of the loop.

use super::*;
use crate::{
    Base, Binary, Check, DataModel, Edge, Expr, ExprKind, FunctionType, IntKind, Location, Op,
    Place, Primitive, Scalar, Storage, Type, Types, Unary, Variable, arith,
};
use parallax_base::{IdVec, Span};

struct Builder {
    program: Program,
    at: Id<Location>,
}

impl Builder {
    fn new(model: DataModel) -> Builder {
        let mut types = Types::new(model);
        let result = types.int(IntKind::Int);
        let ty = types.intern(Type::Function(FunctionType {
            result,
            parameters: Vec::new(),
            variadic: false,
            prototyped: true,
        }));
        let mut program = Program {
            types,
            exprs: IdVec::default(),
            places: IdVec::default(),
            variables: IdVec::default(),
            initials: Vec::new(),
            functions: IdVec::default(),
            main: None,
        };
        let mut locations = IdVec::default();
        let location = Location::at(Span::default());
        let entry = locations.push(location.clone());
        let exit = locations.push(location);
        let main = program.functions.push(Function {
            name: "main".into(),
            ty,
            parameters: Vec::new(),
            is_defined: true,
            is_library: false,
            locations,
            edges: IdVec::default(),
            entry,
            exit,
            span: Span::default(),
        });
        program.main = Some(main);
        Builder { program, at: entry }
    }

    fn location(&mut self) -> Id<Location> {
        let location = Location::at(Span::default());
        self.program.functions[Id::new(0)].locations.push(location)
    }

    fn edge(&mut self, source: Id<Location>, target: Id<Location>, op: Op) -> Id<Edge> {
        let edge = Edge { source, target, op, span: Span::default(), branch: None };
        self.program.functions[Id::new(0)].edges.push(edge)
    }

    fn then(&mut self, op: Op) -> Id<Edge> {
        let target = self.location();
        let source = std::mem::replace(&mut self.at, target);
        self.edge(source, target, op)
    }

    fn expr(&mut self, kind: ExprKind, ty: Id<Type>) -> Id<Expr> {
        self.program.exprs.push(Expr { kind, ty })
    }

    fn int(&mut self, value: i128, ty: Id<Type>) -> Id<Expr> {
        self.expr(ExprKind::Int(value), ty)
    }

    fn variable(&mut self, ty: Id<Type>, storage: Storage) -> (Id<Variable>, Id<Place>) {
        let is_static = storage == Storage::Static;
        let variable = self.program.variables.push(Variable {
            name: "v".into(),
            ty,
            storage,
            owner: (!is_static).then(|| Id::new(0)),
            address_taken: false,
            read_only: false,
            size: self.program.types.size_of(ty).unwrap_or(0),
            align: self.program.types.align_of(ty),
            span: Span::default(),
        });
        let place = self.program.places.push(Place {
            base: Base::Variable(variable),
            path: Vec::new(),
            ty,
            bits: None,
            volatile: false,
        });
        (variable, place)
    }

    fn load(&mut self, place: Id<Place>) -> Id<Expr> {
        let ty = self.program.places[place].ty;
        self.expr(ExprKind::Load(place), ty)
    }

    fn binary(&mut self, op: Binary, a: Id<Expr>, b: Id<Expr>) -> Id<Expr> {
        let ty = match op.is_comparison() {
            true => self.program.types.int(IntKind::Int),
            false => self.program.exprs[a].ty,
        };
        self.expr(ExprKind::Binary(op, a, b), ty)
    }

    fn run(&self) -> Report {
        Interpreter::new(&self.program, Options::default()).run(&mut Recorded::default())
    }
}

/// Reads variables when the last edge begins.
struct AtEnd {
    edge: Id<Edge>,
    variables: Vec<Id<Variable>>,
    values: Vec<Option<Scalar>>,
}

impl Observer for AtEnd {
    fn step(&mut self, view: &View<'_>, edge: Id<Edge>) {
        if edge == self.edge {
            self.values = self.variables.iter().map(|v| view.scalar(*v)).collect();
        }
    }
}

const KINDS: [IntKind; 6] = [
    IntKind::Int,
    IntKind::UInt,
    IntKind::LongLong,
    IntKind::ULongLong,
    IntKind::Int128,
    IntKind::UInt128,
];

fn boundary_values() -> Vec<i128> {
    let mut values = vec![0, 1, 2, 3, 7, 31, 32, 63, 64, 100, 127, 128, 1000, 65537];
    for power in [7, 15, 31, 32, 63, 64] {
        values.extend([(1i128 << power) - 1, 1 << power, (1 << power) + 1]);
    }
    values.push(i128::MAX);
    let negative: Vec<i128> = values.iter().map(|v| v.wrapping_neg()).collect();
    values.extend(negative);
    values
}

#[test]
fn instructions_agree_with_the_general_arithmetic() {
    use Binary::{
        Add, BitAnd, BitOr, BitXor, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Rem, Shl, Shr, Sub,
    };
    let operators =
        [Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor, Eq, Ne, Lt, Le, Gt, Ge];
    for kind in KINDS {
        let mut b = Builder::new(DataModel::Lp64);
        let ty = b.program.types.int(kind);
        let scalar = b.program.types.int_scalar(kind);
        let mut expected = Vec::new();
        let values = boundary_values();
        for (position, x) in values.iter().enumerate() {
            for y in [values[(position * 7 + 3) % values.len()], values[position], 1, 5, 0] {
                for op in operators {
                    let (x, y) = (arith::wrap(scalar, *x as u128), arith::wrap(scalar, y as u128));
                    let (left, right) = (b.int(x as i128, ty), b.int(y as i128, ty));
                    let value = b.binary(op, left, right);
                    let target = b.program.exprs[value].ty;
                    let (variable, place) = b.variable(target, Storage::Static);
                    b.then(Op::Assign(place, value));
                    expected.push((variable, op, x, y, arith::binary(op, scalar, x, y)));
                }
            }
            for op in [Unary::Neg, Unary::BitNot, Unary::Not] {
                let x = arith::wrap(scalar, *x as u128);
                let operand = b.int(x as i128, ty);
                let target = match op {
                    Unary::Not => b.program.types.int(IntKind::Int),
                    _ => ty,
                };
                let value = b.expr(ExprKind::Unary(op, operand), target);
                let (variable, place) = b.variable(target, Storage::Static);
                b.then(Op::Assign(place, value));
                expected.push((variable, Add, x, 0, arith::unary(op, scalar, x)));
            }
        }
        let edge = b.then(Op::Skip);
        let variables = expected.iter().map(|(v, ..)| *v).collect();
        let mut end = AtEnd { edge, variables, values: Vec::new() };
        let interpreter = Interpreter::new(&b.program, Options::default());
        interpreter.observe(&mut Recorded::default(), &mut end);
        assert_eq!(end.values.len(), expected.len());
        for (value, (_, op, x, y, expected)) in end.values.iter().zip(&expected) {
            assert_eq!(value.map(|v| v.bits), Some(*expected), "{kind:?} {op:?} {x:#x} {y:#x}");
        }
    }
}

#[test]
fn pointers_keep_their_object() {
    // p = malloc(8); q = malloc(8); p[5] is not q, wherever it points; after
    // free(p) nothing is at p.
    let check = |index: i128, free: bool, expected: Outcome| {
        let mut b = Builder::new(DataModel::Ilp32);
        let int = b.program.types.int(IntKind::Int);
        let pointer = b.program.types.pointer(int);
        let (_, p) = b.variable(pointer, Storage::Temporary);
        let (_, q) = b.variable(pointer, Storage::Temporary);
        let size = b.int(8, int);
        for to in [p, q] {
            b.then(Op::Primitive {
                to: Some(to),
                primitive: Primitive::Allocate,
                arguments: vec![size],
            });
        }
        let base = b.load(p);
        if free {
            b.then(Op::Primitive { to: None, primitive: Primitive::Free, arguments: vec![base] });
        }
        let (index, scale) = (b.int(index, int), b.int(4, int));
        let moved = b.expr(ExprKind::PointerAdd { pointer: base, index, scale }, pointer);
        let place = b.program.places.push(Place {
            base: Base::Pointer(moved),
            path: Vec::new(),
            ty: int,
            bits: None,
            volatile: false,
        });
        let access = Check::Access { place, write: true };
        b.then(Op::Check(access));
        b.then(Op::Assign(place, size));
        let value = b.load(place);
        b.then(Op::Return(Some(crate::Argument::Scalar(value))));
        assert_eq!(b.run().outcome, expected, "{index:?} {free}");
    };
    check(0, false, Outcome::Exit(Some(8)));
    check(1, false, Outcome::Exit(Some(8)));
    check(2, false, Outcome::Undefined(CheckKind::Access));
    check(8, false, Outcome::Undefined(CheckKind::Access));
    check(-1, false, Outcome::Undefined(CheckKind::Access));
    check(0, true, Outcome::Undefined(CheckKind::Access));
}

#[test]
fn a_loop_runs_fast_and_stops_at_the_limit() {
    // for (i = 0; i < n; i++) sum = sum * 3 + i;
    let mut b = Builder::new(DataModel::Lp64);
    let int = b.program.types.int(IntKind::Int);
    let (_, i) = b.variable(int, Storage::Local);
    let (_, sum) = b.variable(int, Storage::Local);
    let zero = b.int(0, int);
    b.then(Op::Assign(i, zero));
    b.then(Op::Assign(sum, zero));
    let head = b.at;
    let (body, out, next) = (b.location(), b.location(), b.location());
    let (count, n) = (b.load(i), b.int(2_000_000, int));
    let below = b.binary(Binary::Lt, count, n);
    let not = b.expr(ExprKind::Unary(Unary::Not, below), int);
    b.edge(head, body, Op::Assume(below));
    b.edge(head, out, Op::Assume(not));
    let (old, three) = (b.load(sum), b.int(3, int));
    let product = b.binary(Binary::Mul, old, three);
    let new = b.binary(Binary::Add, product, count);
    b.edge(body, next, Op::Assign(sum, new));
    let one = b.int(1, int);
    let increment = b.binary(Binary::Add, count, one);
    b.edge(next, head, Op::Assign(i, increment));
    b.at = out;
    let value = b.load(sum);
    b.then(Op::Return(Some(crate::Argument::Scalar(value))));

    let report = b.run();
    let expected = (0..2_000_000i32).fold(0i32, |s, i| s.wrapping_mul(3).wrapping_add(i));
    assert_eq!(report.outcome, Outcome::Exit(Some(expected)));
    assert_eq!(report.steps, 2 + 3 * 2_000_000 + 2);

    let options = Options { max_steps: 1000, ..Options::default() };
    let report = Interpreter::new(&b.program, options).run(&mut Recorded::default());
    assert_eq!((report.outcome, report.steps), (Outcome::StepLimit, 1000));
}
