//! Operations on blocks of memory, spelled out scalar by scalar.
//!
//! `memcpy`, `memset` and copies of whole objects become loads and stores of
//! the scalars that the program sees there, as the points-to analysis tells:
//! what is accessed as an array of `int` is copied by `int`, so that the types
//! of both sides stay apart from bytes. Where both sides are seen differently,
//! or nothing is known, bytes are copied. A block of a size that is known and
//! small is spelled out; any other becomes a loop.
//!
//! # Soundness
//!
//! Every byte of the block is copied or set, padding too, and all of a small
//! block is loaded before any of it is stored; a loop runs backward where the
//! target may lie behind the source in the same object. So the program runs as
//! before, whatever the analysis says: that only decides how it is cut. The
//! checks of the operation stand before it.

use crate::origin::{EdgeOrigin, LocationOrigin, Origin, Role, VariableOrigin};
use crate::points_to::{CellKind, PointsTo, Target};
use crate::rewrite::{Arena, Node, visit_expr, visit_place};
use parallax_base::Id;
use parallax_cfa::{
    Base, Binary, Edge, Expr, ExprKind, Function, IntKind, Location, Op, Place, Primitive, Program,
    Storage, Type, Variable,
};
use std::sync::Arc;

/// A block with more scalars becomes a loop.
const SPELLED: usize = 64;
/// An element with more scalars is copied by bytes.
const ELEMENT: u64 = 4096;

/// A program without operations on blocks in its start function.
#[derive(Clone, Debug)]
pub struct Spelled {
    /// The program.
    pub program: Program,
    /// Its way back.
    pub origin: Origin,
    /// How many blocks there were.
    pub count: usize,
}

/// A scalar of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Piece {
    offset: u64,
    kind: CellKind,
    width: u64,
}

/// What happens to a block.
#[derive(Clone, Copy, Debug)]
enum Work {
    Copy { from: Id<Expr>, overlaps: bool },
    Set { byte: Id<Expr> },
    Havoc,
}

/// A block in the program.
struct Block {
    to: Id<Expr>,
    work: Work,
    size: Id<Expr>,
    targets: Vec<Target>,
}

/// Spells out the blocks of the start function; inline before. The analysis
/// must be of this program.
pub fn spell_blocks(program: &Program, points_to: &PointsTo) -> Spelled {
    let origin = Origin::identity(program);
    let mut speller = Speller {
        points_to,
        arena: Arena::of(program),
        program: program.clone(),
        origin,
        count: 0,
        main: Id::new(0),
        edge: Id::new(0),
        at: Id::new(0),
    };
    if let Some(main) = program.main.filter(|_| !program.has_threads()) {
        speller.main = main;
        for (id, edge) in program.functions[main].edges.iter_enumerated() {
            if let Some(block) = speller.block(&edge.op) {
                speller.spell(id, edge, block);
            }
        }
    }
    let Speller { mut program, arena, origin, count, .. } = speller;
    (program.exprs, program.places) = (arena.exprs, arena.places);
    Spelled { program, origin, count }
}

struct Speller<'a> {
    points_to: &'a PointsTo,
    arena: Arena,
    program: Program,
    origin: Origin,
    count: usize,
    main: Id<Function>,
    /// The edge that is being spelled out.
    edge: Id<Edge>,
    /// Where the next operation begins.
    at: Id<Location>,
}

impl Speller<'_> {
    /// The block that an operation works on.
    fn block(&mut self, op: &Op) -> Option<Block> {
        match *op {
            Op::Copy { to, from } => {
                let ty = self.arena.places[to].ty;
                let size = self.program.types.size_of(ty)?;
                let size_type = self.size_type();
                let size = self.arena.int(i128::from(size), size_type);
                let mut targets = self.points_to.places(to);
                targets.extend(self.points_to.places(from));
                let (to, from) = (self.address(to), self.address(from));
                Some(Block { to, work: Work::Copy { from, overlaps: false }, size, targets })
            }
            Op::Primitive { primitive, ref arguments, .. } => {
                let mut targets = self.points_to.targets(*arguments.first()?);
                let (work, size) = match (primitive, &arguments[..]) {
                    (Primitive::CopyBytes, &[to, from, size]) => {
                        targets.extend(self.points_to.targets(from));
                        let (a, b) = (self.points_to.pointees(to), self.points_to.pointees(from));
                        let overlaps = a.intersection(&b).next().is_some();
                        (Work::Copy { from, overlaps }, size)
                    }
                    (Primitive::SetBytes, &[_, byte, size]) => (Work::Set { byte }, size),
                    (Primitive::HavocBytes, &[_, size]) => (Work::Havoc, size),
                    _ => return None,
                };
                Some(Block { to: arguments[0], work, size, targets })
            }
            _ => None,
        }
    }

    /// The address of a place; its variable then has one.
    fn address(&mut self, place: Id<Place>) -> Id<Expr> {
        let Place { base, ty, .. } = self.arena.places[place];
        if let Base::Variable(v) = base {
            self.program.variables[v].address_taken = true;
        }
        let pointer = self.program.types.pointer(ty);
        self.arena.expr(ExprKind::Address(place), pointer)
    }

    fn spell(&mut self, id: Id<Edge>, edge: &Edge, block: Block) {
        self.count += 1;
        (self.edge, self.at) = (id, edge.source);
        // The edge becomes the first step; others follow.
        self.program.functions[self.main].edges[id].op = Op::Skip;
        let first = self.location();
        self.program.functions[self.main].edges[id].target = first;
        self.at = first;
        let block = self.kept(block);
        let size = self.known(block.size).and_then(|n| u64::try_from(n).ok());
        let pieces = size.and_then(|size| self.pieces(&block.targets, size, SPELLED));
        match pieces {
            Some(pieces) => self.element(&block, None, &pieces),
            None => self.looped(&block, size),
        }
        self.step(Op::Skip, edge.target);
    }

    /// A block with its operands in variables of their own: what is stored may
    /// be what they are loaded from.
    fn kept(&mut self, block: Block) -> Block {
        let work = match block.work {
            Work::Copy { from, overlaps } => Work::Copy { from: self.keep(from), overlaps },
            Work::Set { byte } => Work::Set { byte: self.keep(byte) },
            Work::Havoc => Work::Havoc,
        };
        Block { to: self.keep(block.to), work, ..block }
    }

    fn keep(&mut self, value: Id<Expr>) -> Id<Expr> {
        let mut open = vec![Node::Expr(value)];
        let mut loads = false;
        while let Some(node) = open.pop() {
            match node {
                Node::Expr(e) => {
                    loads |= matches!(self.arena.exprs[e].kind, ExprKind::Load(_));
                    visit_expr(&self.arena.exprs[e].kind, &mut |node| open.push(node));
                }
                Node::Place(p) => {
                    visit_place(&self.arena.places[p], &mut |node| open.push(node));
                }
            }
        }
        if !loads {
            return value;
        }
        let ty = self.arena.exprs[value].ty;
        let keeper = self.keeper(ty);
        self.go(Op::Assign(keeper, value));
        self.arena.expr(ExprKind::Load(keeper), ty)
    }

    /// All pieces of a block, or of an element of it, one after the other.
    fn element(&mut self, block: &Block, at: Option<(Id<Expr>, u64)>, pieces: &[Piece]) {
        match block.work {
            Work::Copy { from, .. } => {
                let mut loaded = Vec::new();
                for piece in pieces {
                    let source = self.piece(from, at, piece);
                    let ty = self.arena.places[source].ty;
                    let keeper = self.keeper(ty);
                    let value = self.arena.expr(ExprKind::Load(source), ty);
                    self.go(Op::Assign(keeper, value));
                    loaded.push((keeper, ty));
                }
                for (piece, (keeper, ty)) in pieces.iter().zip(loaded) {
                    let target = self.piece(block.to, at, piece);
                    let value = self.arena.expr(ExprKind::Load(keeper), ty);
                    self.go(Op::Assign(target, value));
                }
            }
            Work::Set { byte } => {
                for piece in pieces {
                    let op = self.set(block.to, at, piece, byte);
                    self.go(op);
                }
            }
            Work::Havoc => {
                for piece in pieces {
                    let to = self.piece(block.to, at, piece);
                    self.go(havoc(to));
                }
            }
        }
    }

    /// A loop over elements.
    fn looped(&mut self, block: &Block, known: Option<u64>) {
        let period = self.period(&block.targets);
        let pieces = self.pieces(&block.targets, period, SPELLED);
        let byte = Piece { offset: 0, kind: CellKind::Int(8), width: 8 };
        let (period, pieces) = match pieces {
            Some(pieces) if known.is_none_or(|size| size % period == 0) => (period, pieces),
            _ => (1, vec![byte]),
        };
        let size_type = self.size_type();
        let mut count = self.arena.expr(ExprKind::Convert(block.size), size_type);
        if self.arena.exprs[block.size].ty == size_type {
            count = block.size;
        }
        if period > 1 {
            let one = self.arena.int(i128::from(period), size_type);
            if known.is_none() && !self.is_multiple(block.size, period) {
                let rest = self.arena.expr(ExprKind::Binary(Binary::Rem, count, one), size_type);
                let zero = self.arena.int(0, size_type);
                let (whole, part) = self.fork(Binary::Eq, rest, zero);
                self.at = part;
                self.step(Op::Unsupported("a block that ends inside an element".into()), whole);
                self.at = whole;
            }
            count = self.arena.expr(ExprKind::Binary(Binary::Div, count, one), size_type);
        }
        // What is copied must not change its own size on the way.
        let limit = self.keeper(size_type);
        self.go(Op::Assign(limit, count));
        let limit = self.arena.expr(ExprKind::Load(limit), size_type);
        match block.work {
            Work::Copy { from, overlaps: true } => {
                let (to, from) = (self.bytes(block.to), self.bytes(from));
                let (forward, backward) = self.fork(Binary::Le, to, from);
                let end = self.location();
                for (start, back) in [(forward, false), (backward, true)] {
                    self.at = start;
                    self.rounds(block, &pieces, period, limit, back);
                    self.step(Op::Skip, end);
                }
                self.at = end;
            }
            _ => self.rounds(block, &pieces, period, limit, false),
        }
    }

    /// The rounds of a loop, upward or downward.
    fn rounds(
        &mut self,
        block: &Block,
        pieces: &[Piece],
        period: u64,
        limit: Id<Expr>,
        back: bool,
    ) {
        let size_type = self.size_type();
        let counter = self.keeper(size_type);
        let (zero, one) = (self.arena.int(0, size_type), self.arena.int(1, size_type));
        self.go(Op::Assign(counter, if back { limit } else { zero }));
        let head = self.at;
        let now = self.arena.expr(ExprKind::Load(counter), size_type);
        let (round, done) = match back {
            false => self.fork(Binary::Lt, now, limit),
            true => self.fork(Binary::Gt, now, zero),
        };
        self.at = round;
        let index = match back {
            false => now,
            true => self.arena.expr(ExprKind::Binary(Binary::Sub, now, one), size_type),
        };
        let at = Some((index, period));
        self.element(block, at, pieces);
        let op = if back { Binary::Sub } else { Binary::Add };
        let next = self.arena.expr(ExprKind::Binary(op, now, one), size_type);
        self.step(Op::Assign(counter, next), head);
        self.at = done;
    }

    /// What sets a piece to a byte repeated.
    fn set(
        &mut self,
        to: Id<Expr>,
        at: Option<(Id<Expr>, u64)>,
        piece: &Piece,
        byte: Id<Expr>,
    ) -> Op {
        let known = self.known(byte).map(|value| value as u8);
        if known == Some(0) {
            let place = self.piece(to, at, piece);
            let ty = self.arena.places[place].ty;
            let zero = match self.program.types.get(ty) {
                Type::Float(_) => ExprKind::Float(0),
                _ => ExprKind::Int(0),
            };
            let zero = self.arena.expr(zero, ty);
            return Op::Assign(place, zero);
        }
        let kind = CellKind::Int(piece.width as u32);
        let place = self.piece(to, at, &Piece { kind, ..*piece });
        let ty = self.arena.places[place].ty;
        let ones = (0..piece.width / 8).fold(0i128, |all, i| all | 1 << (8 * i));
        let value = match known {
            Some(known) => self.arena.int(ones * i128::from(known), ty),
            None => {
                let uchar = self.program.types.int(IntKind::UChar);
                let one = self.arena.expr(ExprKind::Convert(byte), uchar);
                match piece.width {
                    8 => one,
                    _ => {
                        let one = self.arena.expr(ExprKind::Convert(one), ty);
                        let ones = self.arena.int(ones, ty);
                        self.arena.expr(ExprKind::Binary(Binary::Mul, one, ones), ty)
                    }
                }
            }
        };
        Op::Assign(place, value)
    }

    /// The scalars of a block of this size as all that it may be see it; `None`
    /// if there are too many.
    fn pieces(&self, targets: &[Target], size: u64, limit: usize) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        let mut offset = 0;
        while offset < size {
            if pieces.len() == limit {
                return None;
            }
            let byte = (CellKind::Int(8), 8);
            let mut found: Option<(CellKind, u64)> = None;
            for target in targets {
                let Some((kind, width)) = self.points_to.scalar_at(*target, offset) else {
                    continue;
                };
                found = Some(match found {
                    None => (kind, width),
                    Some((other, same)) if same == width => (other.join(kind, width), width),
                    Some(_) => byte,
                });
            }
            let fits = |(_, width): &(CellKind, u64)| {
                matches!(width, 8 | 16 | 32 | 64) && offset * 8 + width <= size * 8
            };
            let (kind, width) = found.filter(fits).unwrap_or(byte);
            let kind = if kind == CellKind::Bytes { byte } else { (kind, width) };
            pieces.push(Piece { offset, kind: kind.0, width: kind.1 });
            offset += kind.1 / 8;
        }
        Some(pieces)
    }

    /// The size of the elements of all that a block may be.
    fn period(&self, targets: &[Target]) -> u64 {
        let periods = targets.iter().filter_map(|t| self.points_to.array_step(*t));
        let found = periods.max().unwrap_or(1);
        if (1..=ELEMENT).contains(&found) { found } else { 1 }
    }

    /// The place of a piece, in an element if one is given.
    fn piece(&mut self, base: Id<Expr>, at: Option<(Id<Expr>, u64)>, piece: &Piece) -> Id<Place> {
        let size_type = self.size_type();
        let mut pointer = self.bytes(base);
        let bytes = self.arena.exprs[pointer].ty;
        if let Some((index, scale)) = at {
            let scale = self.arena.int(i128::from(scale), size_type);
            let kind = ExprKind::PointerAdd { pointer, index, scale };
            pointer = self.arena.expr(kind, bytes);
        }
        if piece.offset > 0 {
            let index = self.arena.int(i128::from(piece.offset), size_type);
            let scale = self.arena.int(1, size_type);
            let kind = ExprKind::PointerAdd { pointer, index, scale };
            pointer = self.arena.expr(kind, bytes);
        }
        let ty = self.scalar_type(piece);
        let wanted = self.program.types.pointer(ty);
        if wanted != bytes {
            pointer = self.arena.expr(ExprKind::Convert(pointer), wanted);
        }
        let base = Base::Pointer(pointer);
        self.arena.place(Place { base, path: Vec::new(), ty, bits: None, volatile: false })
    }

    /// A pointer as one to bytes.
    fn bytes(&mut self, pointer: Id<Expr>) -> Id<Expr> {
        let uchar = self.program.types.int(IntKind::UChar);
        let ty = self.program.types.pointer(uchar);
        match self.arena.exprs[pointer].ty == ty {
            true => pointer,
            false => self.arena.expr(ExprKind::Convert(pointer), ty),
        }
    }

    fn scalar_type(&mut self, piece: &Piece) -> Id<Type> {
        let types = &mut self.program.types;
        match (piece.kind, piece.width) {
            (CellKind::Float(kind), _) => types.intern(Type::Float(kind)),
            (CellKind::Pointer, _) => {
                let void = types.intern(Type::Void);
                types.pointer(void)
            }
            (_, 16) => types.int(IntKind::UShort),
            (_, 32) => types.int(IntKind::UInt),
            (_, 64) => types.int(IntKind::ULongLong),
            _ => types.int(IntKind::UChar),
        }
    }

    fn size_type(&mut self) -> Id<Type> {
        let kind = self.program.types.model.size_type();
        self.program.types.int(kind)
    }

    /// A variable for a value on its way.
    fn keeper(&mut self, ty: Id<Type>) -> Id<Place> {
        let types = &self.program.types;
        let size = types.size_of(ty).unwrap_or(1);
        let name: Arc<str> = "$block".into();
        let variable = self.program.variables.push(Variable {
            name,
            ty,
            storage: Storage::Temporary,
            owner: Some(self.main),
            address_taken: false,
            read_only: false,
            size,
            align: types.align_of(ty),
            span: self.program.functions[self.main].edges[self.edge].span,
        });
        self.origin.variables.push(VariableOrigin { variable: None, stack: None });
        self.arena.whole(variable, ty)
    }

    fn location(&mut self) -> Id<Location> {
        let body = &mut self.program.functions[self.main];
        let span = body.edges[self.edge].span;
        let source = body.edges[self.edge].source;
        let way = &mut self.origin.functions[self.main.index()];
        way.locations.push(LocationOrigin { function: self.main, location: source, stack: None });
        body.locations.push(Location::at(span))
    }

    /// An operation from here to a location.
    fn step(&mut self, op: Op, target: Id<Location>) {
        let body = &mut self.program.functions[self.main];
        let span = body.edges[self.edge].span;
        body.edges.push(Edge { source: self.at, target, op, span, branch: None });
        let origin =
            EdgeOrigin { function: self.main, edge: self.edge, stack: None, role: Role::Same };
        self.origin.functions[self.main.index()].edges.push(origin);
    }

    /// An operation, and on from behind it.
    fn go(&mut self, op: Op) {
        let next = self.location();
        self.step(op, next);
        self.at = next;
    }

    /// Two ways: where a comparison holds, and where it does not.
    fn fork(&mut self, op: Binary, a: Id<Expr>, b: Id<Expr>) -> (Id<Location>, Id<Location>) {
        let int = self.program.types.int(IntKind::Int);
        let holds = self.arena.expr(ExprKind::Binary(op, a, b), int);
        let fails = self.arena.expr(ExprKind::Unary(parallax_cfa::Unary::Not, holds), int);
        let (yes, no) = (self.location(), self.location());
        self.step(Op::Assume(holds), yes);
        self.step(Op::Assume(fails), no);
        (yes, no)
    }

    /// The value of a constant, below conversions.
    fn known(&self, e: Id<Expr>) -> Option<i128> {
        match self.arena.exprs[e].kind {
            ExprKind::Int(value) => Some(value),
            ExprKind::Convert(inner) => self.known_once(inner),
            _ => None,
        }
    }

    fn known_once(&self, e: Id<Expr>) -> Option<i128> {
        match self.arena.exprs[e].kind {
            ExprKind::Int(value) if value >= 0 => Some(value),
            _ => None,
        }
    }

    /// Whether an expression is something times a multiple of a number.
    fn is_multiple(&self, e: Id<Expr>, period: u64) -> bool {
        let multiple =
            |e: &Id<Expr>| self.known(*e).is_some_and(|n| n > 0 && n % i128::from(period) == 0);
        // Modulo a power of two a product stays a multiple of a smaller one.
        let Expr { kind, .. } = &self.arena.exprs[e];
        match kind {
            ExprKind::Binary(Binary::Mul, a, b) => {
                period.is_power_of_two() && (multiple(a) || multiple(b))
            }
            _ => false,
        }
    }
}

fn havoc(to: Id<Place>) -> Op {
    Op::Havoc { to, why: "contents".into() }
}
