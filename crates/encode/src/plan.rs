//! Where everything is kept: variables of their own, or memory.
//!
//! Objects whose address is not taken are cut into cells. The rest is memory;
//! the points-to analysis has split it into regions, and each becomes an array
//! from addresses to values. A region that is one scalar of one object is a
//! plain variable again.

use crate::arithmetic::IntType;
use crate::cell::{Cell, Key, Uses, cells, key};
use crate::encoder::{Encoder, Home, Region};
use crate::pointer::FIRST;
use crate::value::{Kind, format, kind_of};
use parallax_base::{Id, Span};
use parallax_cfa::{Base, Edge, ExprKind, Function, Graph, Op, Primitive, Storage, Type, Variable};
use parallax_ir::Domain;
use parallax_term::{Scalar, Sort};
use parallax_transform::Uses as Mentioned;
use parallax_transform::points_to::{Accessed, CellKind, Object, ObjectKind, PointsTo, Regions};
use std::collections::{BTreeMap, BTreeSet};

/// An object is cut into at most this many cells.
const CELL_LIMIT: usize = 512;

impl Encoder<'_> {
    /// Decides where everything is kept and makes the variables for it.
    pub(crate) fn lay_out(
        &mut self,
        functions: &[&Function],
        mentioned: &Mentioned,
        points_to: &PointsTo,
        regions: &Regions,
    ) {
        self.number_functions();
        let program = self.program;
        let variables: BTreeSet<Id<Variable>> = mentioned.variables(program).collect();
        self.mentioned.clone_from(&variables);
        let uses = self.uses(mentioned);
        let none = Uses::new();
        let again: BTreeSet<_> = functions.iter().flat_map(|f| repeated(f)).collect();
        // Read-only objects first, then the others that have a value before they
        // are written, so that each of these kinds is one interval.
        let mut order: Vec<Id<Variable>> = program.variables.ids().collect();
        let is_given = |v: Id<Variable>| {
            use Storage::{Parameter, Static, Thread};
            matches!(program.variables[v].storage, Static | Thread | Parameter)
        };
        order.sort_by_key(|&v| (!program.variables[v].read_only, !is_given(v)));
        self.homes = vec![Home::Cells(Vec::new()); order.len()];
        self.read_only = (self.next_object, self.next_object);
        self.first_local = self.next_object;
        for v in order {
            if !variables.contains(&v) {
                continue;
            }
            let variable = &program.variables[v];
            let cut = (!variable.address_taken && !self.needs_size(variable.ty))
                .then(|| {
                    cells(self.types(), variable.ty, uses.get(&v).unwrap_or(&none), CELL_LIMIT)
                })
                .flatten();
            if let Some(cut) = cut {
                let homes = cut.into_iter().map(|cell| {
                    let name = cell_name(self, v, &cell);
                    let index = (!cell.lengths.is_empty()).then(|| self.pointers.offset_sort());
                    let slots = self.slots(&name, cell.kind, index, variable.span);
                    (cell, slots)
                });
                let homes = homes.collect();
                self.homes[v.index()] = Home::Cells(homes);
                continue;
            }
            let number = self.next_object;
            self.next_object += 1;
            if variable.read_only {
                self.read_only.1 = self.next_object;
            }
            if is_given(v) {
                self.first_local = self.next_object;
            }
            let scalar = kind_of(self.types(), variable.ty).is_some();
            let moves = variable.storage == Storage::Local
                && again.contains(&v)
                && (!scalar || self.options.memory());
            self.homes[v.index()] = if moves {
                let name = format!("&{}", variable.name);
                let slot = self.variable(&name, self.pointers.object_domain(), variable.span);
                Home::Moving(slot)
            } else {
                Home::Object(number)
            };
            if !variable.address_taken {
                let name = format!("{} bytes", variable.name);
                let region = self.byte_region(&name, variable.span);
                self.private.insert(v, region);
                self.lies_in.entry(v).or_default().insert(region);
            }
        }
        self.make_regions(mentioned, points_to, regions);
        self.make_bookkeeping(functions, mentioned);
        self.make_shadows();
        self.make_origins(points_to, regions);
        self.first_heap = self.next_object;
    }

    fn number_functions(&mut self) {
        self.next_object = FIRST;
        for _ in self.program.functions.ids() {
            self.functions.push(self.next_object);
            self.next_object += 1;
        }
    }

    /// Arrays whose length is known only at run time have a size to check.
    fn needs_size(&self, ty: Id<Type>) -> bool {
        self.options.memory() && self.types().size_of(ty).is_none()
    }

    /// Which parts of which variables the program uses.
    fn uses(&self, mentioned: &Mentioned) -> BTreeMap<Id<Variable>, Uses> {
        let mut uses: BTreeMap<Id<Variable>, Uses> = BTreeMap::new();
        for &id in &mentioned.places {
            let place = self.place(id);
            if let Base::Variable(v) = place.base {
                uses.entry(v).or_default().insert(key(place));
            }
        }
        uses
    }

    fn byte_region(&mut self, name: &str, span: Span) -> usize {
        let byte = Kind::Int(IntType { bits: 8, signed: false });
        let slots = self.slots(name, byte, Some(self.pointers.index_sort()), span);
        self.regions.push(Region { kind: None, slots, single: false, escaped: false });
        self.regions.len() - 1
    }

    fn make_regions(&mut self, mentioned: &Mentioned, points_to: &PointsTo, regions: &Regions) {
        // The signedness of an integer region is that of its first access.
        let mut signed: BTreeMap<usize, bool> = BTreeMap::new();
        for &place in &mentioned.places {
            let kind = kind_of(self.types(), self.place(place).ty);
            if let (Some(Accessed::Region(r)), Some(Kind::Int(ty))) =
                (regions.of_place(place), kind)
            {
                signed.entry(r.index()).or_insert(ty.signed);
            }
        }
        let first = self.regions.len();
        for (id, region) in regions.regions.iter_enumerated() {
            let name = self.region_name(points_to, region, id.index());
            let clash = region.cells.windows(2).any(|pair| {
                pair[0].object == pair[1].object && pair[0].start / 8 == pair[1].start / 8
            });
            let kind = match region.kind {
                _ if clash => None,
                CellKind::Int(bits) => {
                    let signed = signed.get(&id.index()).copied().unwrap_or(true);
                    Some(Kind::Int(IntType { bits, signed }))
                }
                CellKind::Float(kind) => Some(Kind::Float(format(kind))),
                CellKind::Pointer => Some(Kind::Pointer),
                CellKind::Bytes => None,
            };
            let single = region.is_scalar() && kind.is_some();
            let is_open =
                |object| points_to.has_escaped(object) && !self.is_fixed(points_to, object);
            let escaped = region.cells.iter().any(|c| is_open(c.object));
            for cell in &region.cells {
                if let ObjectKind::Variable(v) = points_to.objects()[cell.object].kind {
                    self.lies_in.entry(v).or_default().insert(self.regions.len());
                }
            }
            let span = Span::default();
            match kind {
                None => {
                    let region = self.byte_region(&name, span);
                    self.regions[region].escaped = escaped;
                }
                Some(kind) => {
                    let index = (!single).then(|| self.pointers.index_sort());
                    let slots = self.slots(&name, kind, index, span);
                    self.regions.push(Region { kind: Some(kind), slots, single, escaped });
                }
            }
        }
        self.region_of = vec![None; self.program.places.len()];
        for &place in &mentioned.places {
            if let Base::Variable(v) = self.place(place).base
                && let Some(&region) = self.private.get(&v)
            {
                self.region_of[place.index()] = Some(region);
            } else if let Some(Accessed::Region(region)) = regions.of_place(place) {
                self.region_of[place.index()] = Some(first + region.index());
            }
            let data = self.place(place);
            // A pointer that points to no object of the program leads to memory
            // of others.
            if let (Base::Pointer(_), None) = (data.base, self.region_of[place.index()])
                && let (Some(kind), None) = (kind_of(self.types(), data.ty), data.bits)
            {
                let region = self.outside(kind);
                self.region_of[place.index()] = Some(region);
            }
            if let Base::Variable(v) = data.base
                && data.path.is_empty()
                && data.bits.is_none()
                && self.region_of[place.index()].is_some()
            {
                self.wholes.entry(v).or_insert(place);
            }
        }
    }

    /// Whether nobody can write to an object.
    fn is_fixed(&self, points_to: &PointsTo, object: Id<Object>) -> bool {
        match points_to.objects()[object].kind {
            ObjectKind::Variable(v) => self.program.variables[v].read_only,
            _ => false,
        }
    }

    /// The region of memory of others that holds scalars of a kind.
    fn outside(&mut self, kind: Kind) -> usize {
        let same = |other: Kind| match (kind, other) {
            (Kind::Int(a), Kind::Int(b)) => a.bits == b.bits,
            (a, b) => a == b,
        };
        let known = self.outside.iter().find(|(other, _)| same(*other)).map(|(_, region)| *region);
        known.unwrap_or_else(|| {
            let index = Some(self.pointers.index_sort());
            let slots = self.slots("outside", kind, index, Span::default());
            self.regions.push(Region { kind: Some(kind), slots, single: false, escaped: true });
            self.outside.push((kind, self.regions.len() - 1));
            self.regions.len() - 1
        })
    }

    /// A region of one object has the object's name.
    fn region_name(
        &self,
        points_to: &PointsTo,
        region: &parallax_transform::points_to::Region,
        number: usize,
    ) -> String {
        let objects: BTreeSet<_> = region.cells.iter().map(|c| c.object).collect();
        let mut names = objects.iter().map(|&o| match points_to.objects()[o].kind {
            ObjectKind::Variable(v) => self.program.variables[v].name.to_string(),
            ObjectKind::Heap { .. } => String::from("heap"),
            _ => String::from("memory"),
        });
        match (names.next(), objects.len()) {
            (Some(name), 1) if region.is_scalar() => name,
            (Some(name), 1) => format!("{name}[]"),
            _ => format!("memory{number}"),
        }
    }

    /// The variables that say which objects there are.
    fn make_bookkeeping(&mut self, functions: &[&Function], mentioned: &Mentioned) {
        let allocates = |op: &Op, wanted: Primitive| matches!(op, Op::Primitive { primitive, .. } if *primitive == wanted);
        let any =
            |wanted| functions.iter().any(|f| f.edges.iter().any(|e| allocates(&e.op, wanted)));
        if any(Primitive::Allocate) {
            let domain = self.pointers.object_domain();
            self.heap = Some(self.variable("next object", domain, Span::default()));
        }
        let moving = self.homes.iter().any(|h| matches!(h, Home::Moving(_)));
        if moving || any(Primitive::AllocateLocal) {
            let domain = self.pointers.object_domain();
            self.stack = Some(self.variable("next local object", domain, Span::default()));
        }
        for (id, function) in self.program.functions.iter_enumerated() {
            let component = Graph::new(function).components(function);
            let inside = |e: &Edge| {
                let (from, to) = (component[e.source.index()], component[e.target.index()]);
                from.is_some() && from == to
            };
            let local = function.edges.iter_enumerated();
            let local =
                local.filter(|(_, e)| allocates(&e.op, Primitive::AllocateLocal) && inside(e));
            self.cyclic.extend(local.map(|(edge, _)| (id, edge)));
        }
        let asks_size = |kind: &ExprKind| matches!(kind, ExprKind::ObjectSize(_));
        let sized = self.program.exprs.iter().any(|e| asks_size(&e.kind));
        let scalar = |sort: Sort| sort.scalar().unwrap_or(Scalar::Int);
        let (object, offset) =
            (scalar(self.pointers.object_sort()), scalar(self.pointers.offset_sort()));
        if self.options.memory() || sized {
            let domain = Domain::Array(object, offset);
            self.sizes = Some(self.variable("size of object", domain, Span::default()));
        }
        if self.options.memory() {
            self.live = Some(self.variable("heap objects", Domain::Int, Span::default()));
        }
        let types = self.types();
        let pointer = |ty| kind_of(types, ty) == Some(Kind::Pointer);
        let int = |ty| matches!(kind_of(types, ty), Some(Kind::Int(ty)) if ty.bits > 1);
        let (mut to_int, mut to_pointer) = (false, false);
        for expr in &self.program.exprs {
            match expr.kind {
                ExprKind::Convert(a) => {
                    let from = self.program.exprs[a].ty;
                    to_int |= pointer(from) && int(expr.ty);
                    to_pointer |= int(from) && pointer(expr.ty);
                }
                ExprKind::Int(value) => to_pointer |= value != 0 && pointer(expr.ty),
                _ => {}
            }
        }
        // Pointers among integers or bytes are read as integers are.
        let among = |place: &Id<parallax_cfa::Place>| {
            let is_pointer = pointer(self.program.places[*place].ty);
            let region = self.region_of[place.index()].map(|r| self.regions[r].kind);
            let cell = self.cell(self.place(*place)).and_then(Result::ok).map(|(c, _)| c.kind);
            let kind = region.or(cell.map(Some));
            is_pointer && kind.is_some_and(|kind| kind != Some(Kind::Pointer))
        };
        let among = mentioned.places.iter().any(among);
        self.integer_pointers = to_pointer || among;
        if to_int || among {
            let address = IntType { bits: self.pointers.bits, signed: false };
            let domain = Domain::Array(object, scalar(self.arithmetic.sort(address)));
            self.addresses = Some(self.variable("address of object", domain, Span::default()));
        }
    }

    /// Integers and bytes that pointers may be stored in say which.
    fn make_origins(&mut self, points_to: &PointsTo, regions: &Regions) {
        if !self.integer_pointers || self.addresses.is_none() {
            return;
        }
        let first = self.private.len();
        let mut slots = Vec::new();
        for (id, region) in regions.regions.iter_enumerated() {
            if let (true, Some(mine)) = (region.carries, self.regions.get(first + id.index())) {
                slots.push((mine.kind, mine.slots));
            }
        }
        for v in self.program.variables.ids() {
            if !points_to.variable(v).is_some_and(|object| points_to.carries(object)) {
                continue;
            }
            if let Some(&region) = self.private.get(&v) {
                slots.push((None, self.regions[region].slots));
            }
            if let Home::Cells(cells) = &self.homes[v.index()] {
                slots.extend(cells.iter().map(|(cell, slots)| (Some(cell.kind), *slots)));
            }
        }
        for (kind, slots) in slots {
            if matches!(kind, None | Some(Kind::Int(_))) {
                self.make_origin(slots);
            }
        }
    }
}

/// The variables that begin to live more than once in a run: those whose
/// beginning lies on a cycle.
fn repeated(function: &Function) -> BTreeSet<Id<Variable>> {
    let component = Graph::new(function).components(function);
    let mut found = BTreeSet::new();
    let mut lives: BTreeMap<Id<Variable>, u32> = BTreeMap::new();
    for edge in &function.edges {
        let Op::Live(variable, _) = edge.op else { continue };
        *lives.entry(variable).or_default() += 1;
        let (from, to) = (component[edge.source.index()], component[edge.target.index()]);
        if from.is_some() && from == to {
            found.insert(variable);
        }
    }
    found.extend(lives.into_iter().filter(|(_, count)| *count > 1).map(|(v, _)| v));
    found
}

/// A readable name for a cell: `s.next`, `a[].x`.
fn cell_name(encoder: &Encoder<'_>, variable: Id<Variable>, cell: &Cell) -> String {
    let variable = &encoder.program.variables[variable];
    let mut name = variable.name.to_string();
    let mut ty = variable.ty;
    for step in &cell.key {
        match (step, encoder.types().get(ty)) {
            (Key::Member(m), Type::Record(record)) => {
                let member = &encoder.types().records[*record].members[*m as usize];
                if let Some(text) = &member.name {
                    name.push('.');
                    name.push_str(text);
                }
                ty = member.ty;
            }
            (Key::Element, Type::Array { of, .. }) => {
                name.push_str("[]");
                ty = *of;
            }
            _ => {}
        }
    }
    name
}
