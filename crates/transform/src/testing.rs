//! Small programs by hand, for tests.

use crate::rewrite::Arena;
use parallax_base::{Id, IdVec, Span};
use parallax_cfa::{
    Argument, ArrayLength, Base, Binary, Callee, DataModel, Edge, Expr, ExprKind, Function,
    FunctionType, IntKind, Location, Member, Op, Place, Primitive, Program, Qualifiers, Record,
    Step, Storage, Type, Types, Variable,
};

/// A program in the making. Operations go to the end of the current function.
pub(crate) struct Build {
    pub(crate) program: Program,
    arena: Arena,
    pub(crate) current: Id<Function>,
    /// Where the next operation starts.
    pub(crate) at: Id<Location>,
}

impl Build {
    /// An empty `main` that returns `int`.
    pub(crate) fn new() -> Build {
        let program = Program {
            types: Types::new(DataModel::Lp64),
            exprs: IdVec::default(),
            places: IdVec::default(),
            variables: IdVec::default(),
            initials: Vec::new(),
            functions: IdVec::default(),
            main: None,
        };
        let (current, at) = (Id::new(0), Id::new(0));
        let mut build = Build { program, arena: Arena::default(), current, at };
        let main = build.function("main", &[]);
        build.program.main = Some(main);
        build.enter(main);
        build
    }

    /// The finished program.
    pub(crate) fn finish(mut self) -> Program {
        (self.program.exprs, self.program.places) = (self.arena.exprs, self.arena.places);
        self.program
    }

    pub(crate) fn int(&mut self) -> Id<Type> {
        self.program.types.int(IntKind::Int)
    }

    pub(crate) fn long(&mut self) -> Id<Type> {
        self.program.types.int(IntKind::Long)
    }

    pub(crate) fn pointer(&mut self, to: Id<Type>) -> Id<Type> {
        self.program.types.pointer(to)
    }

    pub(crate) fn array(&mut self, of: Id<Type>, n: u64) -> Id<Type> {
        self.program.types.intern(Type::Array { of, length: ArrayLength::Fixed(n) })
    }

    /// A structure with members of these types.
    pub(crate) fn record(&mut self, members: &[Id<Type>]) -> (Id<Type>, Id<Record>) {
        let types = &mut self.program.types;
        let (mut offset, mut placed, mut most) = (0u64, Vec::new(), 1);
        for ty in members {
            let align = types.align_of(*ty);
            most = most.max(align);
            offset = offset.next_multiple_of(align);
            placed.push(Member {
                name: None,
                ty: *ty,
                qualifiers: Qualifiers::default(),
                offset,
                bits: None,
            });
            offset += types.size_of(*ty).unwrap();
        }
        let record = types.records.push(Record {
            name: None,
            is_union: false,
            is_complete: true,
            members: placed,
            size: offset.next_multiple_of(most),
            align: most,
            span: Span::default(),
        });
        (types.intern(Type::Record(record)), record)
    }

    /// A function that takes values of these types and returns `int`.
    pub(crate) fn function(&mut self, name: &str, parameters: &[Id<Type>]) -> Id<Function> {
        let result = self.int();
        self.function_returning(name, parameters, result)
    }

    pub(crate) fn function_returning(
        &mut self,
        name: &str,
        parameters: &[Id<Type>],
        result: Id<Type>,
    ) -> Id<Function> {
        let ty = self.program.types.intern(Type::Function(FunctionType {
            result,
            parameters: parameters.to_vec(),
            variadic: false,
            prototyped: true,
        }));
        let mut locations = IdVec::default();
        let entry = locations.push(location());
        let exit = locations.push(location());
        let id = self.program.functions.push(Function {
            name: name.into(),
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
        for (i, ty) in parameters.iter().enumerate() {
            let v = self.variable_of(&format!("p{i}"), *ty, Storage::Parameter, Some(id));
            self.program.functions[id].parameters.push(v);
        }
        id
    }

    /// Makes a function one without a body.
    pub(crate) fn undefine(&mut self, id: Id<Function>) {
        let f = &mut self.program.functions[id];
        (f.is_defined, f.locations) = (false, IdVec::default());
    }

    /// Operations now go to the start of this function.
    pub(crate) fn enter(&mut self, function: Id<Function>) {
        self.current = function;
        self.at = self.program.functions[function].entry;
    }

    fn variable_of(
        &mut self,
        name: &str,
        ty: Id<Type>,
        storage: Storage,
        owner: Option<Id<Function>>,
    ) -> Id<Variable> {
        let size = self.program.types.size_of(ty).unwrap();
        let align = self.program.types.align_of(ty);
        self.program.variables.push(Variable {
            name: name.into(),
            ty,
            storage,
            owner,
            address_taken: false,
            read_only: false,
            size,
            align,
            span: Span::default(),
        })
    }

    pub(crate) fn local(&mut self, name: &str, ty: Id<Type>) -> Id<Variable> {
        let v = self.variable_of(name, ty, Storage::Local, Some(self.current));
        self.op(Op::Live(v, None));
        v
    }

    pub(crate) fn global(&mut self, name: &str, ty: Id<Type>) -> Id<Variable> {
        let v = self.variable_of(name, ty, Storage::Static, None);
        self.program.initials.push((v, parallax_cfa::Initial::Items(Vec::new())));
        v
    }

    pub(crate) fn whole(&mut self, v: Id<Variable>) -> Id<Place> {
        let ty = self.program.variables[v].ty;
        self.arena.whole(v, ty)
    }

    /// The place behind a pointer.
    pub(crate) fn star(&mut self, pointer: Id<Expr>) -> Id<Place> {
        let ty = self.program.types.pointee(self.arena.exprs[pointer].ty).unwrap();
        let base = Base::Pointer(pointer);
        self.arena.place(Place { base, path: vec![], ty, bits: None, volatile: false })
    }

    pub(crate) fn member(
        &mut self,
        place: Id<Place>,
        record: Id<Record>,
        member: u32,
    ) -> Id<Place> {
        let mut place = self.arena.places[place].clone();
        place.path.push(Step::Member(record, member));
        place.ty = self.program.types.records[record].members[member as usize].ty;
        self.arena.place(place)
    }

    pub(crate) fn index(&mut self, place: Id<Place>, index: Id<Expr>) -> Id<Place> {
        let mut place = self.arena.places[place].clone();
        let Type::Array { of, .. } = *self.program.types.get(place.ty) else { panic!("no array") };
        place.path.push(Step::Index(index));
        place.ty = of;
        self.arena.place(place)
    }

    pub(crate) fn load(&mut self, place: Id<Place>) -> Id<Expr> {
        let ty = self.arena.places[place].ty;
        self.arena.expr(ExprKind::Load(place), ty)
    }

    pub(crate) fn get(&mut self, v: Id<Variable>) -> Id<Expr> {
        let place = self.whole(v);
        self.load(place)
    }

    pub(crate) fn address(&mut self, place: Id<Place>) -> Id<Expr> {
        if let Base::Variable(v) = self.arena.places[place].base {
            self.program.variables[v].address_taken = true;
        }
        let ty = self.arena.places[place].ty;
        let ty = self.program.types.pointer(ty);
        self.arena.expr(ExprKind::Address(place), ty)
    }

    pub(crate) fn function_address(&mut self, f: Id<Function>) -> Id<Expr> {
        let ty = self.program.functions[f].ty;
        let ty = self.program.types.pointer(ty);
        self.arena.expr(ExprKind::Function(f), ty)
    }

    pub(crate) fn constant(&mut self, n: i128, ty: Id<Type>) -> Id<Expr> {
        self.arena.int(n, ty)
    }

    pub(crate) fn num(&mut self, n: i128) -> Id<Expr> {
        let int = self.int();
        self.arena.int(n, int)
    }

    pub(crate) fn binary(&mut self, op: Binary, a: Id<Expr>, b: Id<Expr>) -> Id<Expr> {
        let int = self.int();
        let ty = if op.is_comparison() { int } else { self.arena.exprs[a].ty };
        self.arena.expr(ExprKind::Binary(op, a, b), ty)
    }

    pub(crate) fn convert(&mut self, e: Id<Expr>, ty: Id<Type>) -> Id<Expr> {
        self.arena.expr(ExprKind::Convert(e), ty)
    }

    /// Pointer plus a number of elements.
    pub(crate) fn plus(&mut self, pointer: Id<Expr>, index: Id<Expr>) -> Id<Expr> {
        let ty = self.arena.exprs[pointer].ty;
        let to = self.program.types.pointee(ty).unwrap();
        let size = self.program.types.size_of(to).unwrap();
        let long = self.long();
        let index = self.convert(index, long);
        let scale = self.constant(i128::from(size), long);
        self.arena.expr(ExprKind::PointerAdd { pointer, index, scale }, ty)
    }

    /// A new location.
    pub(crate) fn place_here(&mut self) -> Id<Location> {
        self.program.functions[self.current].locations.push(location())
    }

    pub(crate) fn exit(&self) -> Id<Location> {
        self.program.functions[self.current].exit
    }

    pub(crate) fn edge(&mut self, source: Id<Location>, op: Op, target: Id<Location>) -> Id<Edge> {
        let edge = Edge { source, target, op, span: Span::default(), branch: None };
        self.program.functions[self.current].edges.push(edge)
    }

    /// An operation here; the next one follows it.
    pub(crate) fn op(&mut self, op: Op) -> Id<Edge> {
        let target = self.place_here();
        let edge = self.edge(self.at, op, target);
        self.at = target;
        edge
    }

    /// Branches here: the first location is for true.
    pub(crate) fn branch(&mut self, condition: Id<Expr>) -> (Id<Location>, Id<Location>) {
        let (yes, no) = (self.place_here(), self.place_here());
        let int = self.int();
        let not = self.arena.expr(ExprKind::Unary(parallax_cfa::Unary::Not, condition), int);
        self.edge(self.at, Op::Assume(condition), yes);
        self.edge(self.at, Op::Assume(not), no);
        (yes, no)
    }

    pub(crate) fn assign(&mut self, v: Id<Variable>, e: Id<Expr>) {
        let place = self.whole(v);
        self.op(Op::Assign(place, e));
    }

    pub(crate) fn store(&mut self, place: Id<Place>, e: Id<Expr>) {
        self.op(Op::Assign(place, e));
    }

    pub(crate) fn input(&mut self, v: Id<Variable>) {
        let to = self.whole(v);
        self.op(Op::Input { to, name: "__VERIFIER_nondet_int".into() });
    }

    pub(crate) fn allocate(&mut self, v: Id<Variable>, size: i128) {
        let ty = self.program.types.int(IntKind::ULong);
        let size = self.constant(size, ty);
        let to = Some(self.whole(v));
        self.op(Op::Primitive { to, primitive: Primitive::Allocate, arguments: vec![size] });
    }

    pub(crate) fn call(
        &mut self,
        to: Option<Id<Variable>>,
        callee: Callee,
        arguments: &[Id<Expr>],
    ) {
        let to = to.map(|v| self.whole(v));
        let arguments = arguments.iter().map(|e| Argument::Scalar(*e)).collect();
        self.op(Op::Call { to, callee, arguments });
    }

    /// Returns a value; the function ends here.
    pub(crate) fn ret(&mut self, e: Id<Expr>) {
        let (at, exit) = (self.at, self.exit());
        self.edge(at, Op::Return(Some(Argument::Scalar(e))), exit);
    }
}

fn location() -> Location {
    Location::at(Span::default())
}
