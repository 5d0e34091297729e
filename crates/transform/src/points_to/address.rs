//! Places as addresses, and the scalars that accesses consist of.

use super::generate::{Generator, Scalar};
use super::memory::CellKind;
use super::shape::{Move, Offset};
use super::solve::{Rule, Solver, Target};
use parallax_base::Id;
use parallax_cfa::{ArrayLength, Base, Place, Step, Type, Types};

/// Where a place is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Address {
    /// In a variable.
    Known(Target),
    /// So many bytes from where the pointers of a node point.
    At(u32, i64),
    /// Nowhere: the pointer points to no object.
    Nowhere,
}

impl Address {
    /// The address as a set of pointers.
    pub(super) fn node(self, solver: &mut Solver) -> Option<u32> {
        match self {
            Address::Known(target) => {
                let node = solver.node();
                solver.add(node, target);
                Some(node)
            }
            Address::At(node, 0) => Some(node),
            Address::At(from, distance) => {
                let to = solver.node();
                solver.rule(from, Rule::Shift(Move::Bytes(distance), to));
                Some(to)
            }
            Address::Nowhere => None,
        }
    }

    /// Everything it may point to, once solved.
    pub(super) fn targets(self, solver: &Solver) -> Vec<Target> {
        match self {
            Address::Known(target) => vec![target],
            Address::At(node, distance) => {
                solver.set(node).flat_map(|t| solver.moved(t, Move::Bytes(distance))).collect()
            }
            Address::Nowhere => Vec::new(),
        }
    }
}

/// The scalars a value of a type consists of, arrays by their first element.
pub(super) fn scalars(types: &Types, ty: Id<Type>) -> Vec<Scalar> {
    let mut found = Vec::new();
    let mut work = vec![(ty, 0u64, 0u32)];
    while let Some((ty, distance, depth)) = work.pop() {
        match types.get(ty) {
            // Such a type is folded to bytes by its shape.
            _ if depth > 64 => {
                found.push(Scalar { distance, shift: 0, width: 8, kind: CellKind::Bytes });
            }
            Type::Array { of, .. } => work.push((*of, distance, depth + 1)),
            Type::Record(record) => {
                for member in types.records[*record].members.iter().rev() {
                    let at = distance + member.offset;
                    match member.bits {
                        Some(bits) => found.push(Scalar {
                            distance: at,
                            shift: bits.shift,
                            width: u64::from(bits.width),
                            kind: CellKind::Int(bits.width),
                        }),
                        None => work.push((member.ty, at, depth + 1)),
                    }
                }
            }
            _ => found.extend(scalar(types, ty).map(|s| Scalar { distance, ..s })),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The one scalar of a scalar type.
fn scalar(types: &Types, ty: Id<Type>) -> Option<Scalar> {
    let width = types.size_of(ty)?.checked_mul(8)?;
    let kind = match types.get(ty) {
        Type::Int(_) | Type::Enum(_) => CellKind::Int(width as u32),
        Type::Float(kind) => CellKind::Float(*kind),
        Type::Pointer { .. } => CellKind::Pointer,
        Type::VaList | Type::Complex(_) => CellKind::Bytes,
        Type::Void | Type::Array { .. } | Type::Record(_) | Type::Function(_) => return None,
    };
    Some(Scalar { distance: 0, shift: 0, width, kind })
}

/// The scalars at a place.
pub(super) fn scalars_at(types: &Types, place: &Place) -> Vec<Scalar> {
    match place.bits {
        Some(bits) => vec![Scalar {
            distance: 0,
            shift: bits.shift,
            width: u64::from(bits.width),
            kind: CellKind::Int(bits.width),
        }],
        None => scalars(types, place.ty),
    }
}

impl Generator<'_> {
    /// The address of a place whose expressions have nodes.
    pub(super) fn address(&mut self, id: Id<Place>) -> Address {
        if let Some(known) = self.addresses.get(&id) {
            return *known;
        }
        let program = self.program;
        let place = &program.places[id];
        let (mut address, mut ty) = match place.base {
            Base::Variable(v) => {
                let object = self.variable(v);
                let offset = Offset::At(0);
                (Address::Known(Target { object, offset }), program.variables[v].ty)
            }
            Base::Pointer(e) => {
                let pointee = program.types.pointee(program.exprs[e].ty).unwrap_or(place.ty);
                (self.value(e).map_or(Address::Nowhere, |n| Address::At(n, 0)), pointee)
            }
        };
        for step in &place.path {
            match *step {
                Step::Member(record, member) => {
                    let member = &program.types.records[record].members[member as usize];
                    address = self.advance(address, Move::Bytes(member.offset as i64));
                    ty = member.ty;
                }
                Step::Index(index) => {
                    let (of, length) = match program.types.get(ty) {
                        Type::Array { of, length } => (*of, *length),
                        _ => (place.ty, ArrayLength::Unknown),
                    };
                    let mut element = of;
                    while let (None, Type::Array { of, .. }) =
                        (program.types.size_of(element), program.types.get(element))
                    {
                        element = *of;
                    }
                    let fixed = program.types.size_of(of);
                    let size = program.types.size_of(element).unwrap_or(1);
                    let index = self.constant(index).and_then(|n| i64::try_from(n).ok());
                    let inside = match (index, length) {
                        (Some(n), ArrayLength::Fixed(most)) => n >= 0 && (n as u64) < most.max(1),
                        (Some(n), _) => n >= 0,
                        (None, _) => false,
                    };
                    let distance =
                        index.filter(|_| fixed.is_some()).and_then(|n| n.checked_mul(size as i64));
                    let by = match distance {
                        Some(d) if inside => Move::Bytes(d),
                        distance => Move::Elements { size, distance },
                    };
                    address = self.advance(address, by);
                    ty = of;
                }
            }
        }
        let address = self.folded(address);
        self.addresses.insert(id, address);
        address
    }

    fn advance(&mut self, address: Address, by: Move) -> Address {
        match (address, by) {
            // Offsets in a variable stay exact until the end of the path.
            (Address::Known(Target { object, offset: Offset::At(at) }), Move::Bytes(d)) => {
                let offset = at.checked_add_signed(d).map_or(Offset::Any, Offset::At);
                Address::Known(Target { object, offset })
            }
            (Address::Known(target), by) => {
                let Address::Known(target) = self.folded(Address::Known(target)) else {
                    return address;
                };
                match self.solver.moved(target, by)[..] {
                    [one] => Address::Known(one),
                    ref many => {
                        let node = self.solver.node();
                        many.iter().for_each(|t| self.solver.add(node, *t));
                        Address::At(node, 0)
                    }
                }
            }
            (Address::At(node, distance), Move::Bytes(d)) => Address::At(node, distance + d),
            (address @ Address::At(..), by) => {
                let node = address.node(&mut self.solver);
                self.moved(node, by).map_or(Address::Nowhere, |n| Address::At(n, 0))
            }
            (Address::Nowhere, _) => Address::Nowhere,
        }
    }

    /// An exact offset as its class.
    fn folded(&self, address: Address) -> Address {
        match address {
            Address::Known(Target { object, offset: Offset::At(at) }) => {
                Address::Known(Target { object, offset: self.solver.memory.class(object, at) })
            }
            other => other,
        }
    }

    /// Notes that all scalars of a place are accessed.
    pub(super) fn mark(&mut self, id: Id<Place>) {
        if !self.accessed.contains_key(&id) {
            let found = scalars_at(&self.program.types, &self.program.places[id]);
            self.accessed.insert(id, found.into_iter().collect());
        }
    }

    /// The node of the value at a place.
    pub(super) fn read(&mut self, id: Id<Place>) -> Option<u32> {
        self.mark(id);
        let scalar = scalars_at(&self.program.types, &self.program.places[id]).first().copied()?;
        let address = self.address(id);
        self.load(address, scalar)
    }

    fn load(&mut self, address: Address, scalar: Scalar) -> Option<u32> {
        let access = scalar.access();
        match address {
            Address::Known(target) => {
                let to = self.solver.moved(target, Move::Bytes(access.distance));
                if let [one] = to[..] {
                    return self.solver.touch(one, &access);
                }
                let node = self.solver.node();
                for at in to {
                    if let Some(cell) = self.solver.touch(at, &access) {
                        self.solver.copy(cell, node);
                    }
                }
                Some(node)
            }
            Address::At(node, distance) => {
                let to = self.solver.node();
                let access =
                    super::solve::Access { distance: access.distance + distance, ..access };
                self.solver.rule(node, Rule::Load(access, to));
                Some(to)
            }
            Address::Nowhere => None,
        }
    }

    fn store(&mut self, address: Address, scalar: Scalar, value: Option<u32>) {
        let access = scalar.access();
        match address {
            Address::Known(target) => {
                for at in self.solver.moved(target, Move::Bytes(access.distance)) {
                    if let (Some(cell), Some(value)) = (self.solver.touch(at, &access), value) {
                        self.solver.copy(value, cell);
                    }
                }
            }
            Address::At(node, distance) => {
                let access =
                    super::solve::Access { distance: access.distance + distance, ..access };
                self.solver.rule(node, Rule::Store(access, value));
            }
            Address::Nowhere => {}
        }
    }

    /// Stores a scalar.
    pub(super) fn write(&mut self, id: Id<Place>, value: Option<u32>) {
        self.mark(id);
        let address = self.address(id);
        for scalar in scalars_at(&self.program.types, &self.program.places[id]) {
            self.store(address, scalar, value);
        }
    }

    /// Stores a scalar of this type.
    pub(super) fn write_at(&mut self, address: Address, ty: Id<Type>, value: Option<u32>) {
        for scalar in scalars(&self.program.types, ty) {
            self.store(address, scalar, value);
        }
    }

    /// Overwrites with anything: pointers may then come from outside.
    pub(super) fn forget(&mut self, address: Address, ty: Id<Type>) {
        for scalar in scalars(&self.program.types, ty) {
            match address {
                _ if scalar.kind != CellKind::Pointer => self.store(address, scalar, None),
                Address::Known(target) => {
                    let access = scalar.access();
                    for at in self.solver.moved(target, Move::Bytes(access.distance)) {
                        if let Some(cell) = self.solver.touch(at, &access) {
                            self.solver.receive(cell);
                        }
                    }
                }
                Address::At(node, distance) => {
                    let access = scalar.access();
                    let distance = access.distance + distance;
                    self.solver
                        .rule(node, Rule::Receive(super::solve::Access { distance, ..access }));
                }
                Address::Nowhere => {}
            }
        }
    }

    /// Copies a value scalar by scalar.
    pub(super) fn copy_scalars(&mut self, to: Address, from: Address, ty: Id<Type>) {
        for scalar in scalars(&self.program.types, ty) {
            let value = self.load(from, scalar);
            self.store(to, scalar, value);
        }
    }

    /// Copies a record or array from place to place.
    pub(super) fn copy_record(&mut self, to: Id<Place>, from: Id<Place>, ty: Id<Type>) {
        self.mark(to);
        self.mark(from);
        let (to, from) = (self.address(to), self.address(from));
        self.copy_scalars(to, from, ty);
    }

    /// All pointers in a record flow to a node.
    pub(super) fn collect(&mut self, place: Id<Place>, to: u32) {
        let address = self.address(place);
        for scalar in scalars(&self.program.types, self.program.places[place].ty) {
            if let Some(value) = self.load(address, scalar) {
                self.solver.copy(value, to);
            }
        }
    }
}
