//! Compatible and composite types.
//!
//! Walks follow the structure of types and stop at a fixed depth: nobody writes
//! a thousand stars by hand, and what is deeper counts as compatible.

use super::Checker;
use parallax_base::Id;
use parallax_cfa::{ArrayLength, FunctionType, Qualifiers, Record, Type};

const DEPTH: u32 = 200;

impl Checker<'_> {
    /// Whether two types are compatible in the sense of the standard.
    pub(super) fn compatible(&self, a: Id<Type>, b: Id<Type>) -> bool {
        self.compatible_to(a, b, DEPTH)
    }

    fn compatible_to(&self, a: Id<Type>, b: Id<Type>, depth: u32) -> bool {
        if a == b || depth == 0 {
            return true;
        }
        let go = |a, b| self.compatible_to(a, b, depth - 1);
        match (self.ty(a), self.ty(b)) {
            (Type::Enum(e), Type::Int(kind)) | (Type::Int(kind), Type::Enum(e)) => {
                self.types().enumerations[*e].underlying == *kind
            }
            (Type::Enum(a), Type::Enum(b)) => {
                let (a, b) = (&self.types().enumerations[*a], &self.types().enumerations[*b]);
                a.name == b.name && a.constants == b.constants
            }
            (Type::Pointer { to: a, qualifiers: p }, Type::Pointer { to: b, qualifiers: q }) => {
                p == q && go(*a, *b)
            }
            (Type::Array { of: a, length: n }, Type::Array { of: b, length: m }) => {
                let lengths = match (n, m) {
                    (ArrayLength::Fixed(n), ArrayLength::Fixed(m)) => n == m,
                    _ => true,
                };
                lengths && go(*a, *b)
            }
            (Type::Function(f), Type::Function(g)) => {
                let parameters = !f.prototyped
                    || !g.prototyped
                    || (f.variadic == g.variadic
                        && f.parameters.len() == g.parameters.len()
                        && f.parameters.iter().zip(&g.parameters).all(|(a, b)| go(*a, *b)));
                parameters && go(f.result, g.result)
            }
            (Type::Record(r), Type::Record(s)) => self.same_shape(*r, *s, depth),
            _ => false,
        }
    }

    /// Whether two records of different translation units are one to the
    /// linker: same tag, same members.
    fn same_shape(&self, a: Id<Record>, b: Id<Record>, depth: u32) -> bool {
        if self.record_units.get(a.index()) == self.record_units.get(b.index()) {
            return false;
        }
        let (a, b) = (&self.types().records[a], &self.types().records[b]);
        if a.is_union != b.is_union || a.name != b.name {
            return false;
        }
        if !a.is_complete || !b.is_complete {
            return true;
        }
        a.members.len() == b.members.len()
            && a.members.iter().zip(&b.members).all(|(m, n)| {
                let places = m.offset == n.offset && m.bits == n.bits && m.name == n.name;
                // Pointers lead back to records sooner or later; their targets
                // do not change the shape.
                let pointers = [m.ty, n.ty].iter().all(|t| self.is_pointer(*t));
                places && (pointers || self.compatible_to(m.ty, n.ty, depth.min(50) - 1))
            })
    }

    /// As [`Checker::compatible`], but qualifiers and signs below do not count:
    /// what pointers are converted between without a word.
    pub(super) fn similar(&self, a: Id<Type>, b: Id<Type>) -> bool {
        let (mut a, mut b) = (a, b);
        loop {
            match (self.ty(a), self.ty(b)) {
                (Type::Pointer { to: x, .. }, Type::Pointer { to: y, .. }) => (a, b) = (*x, *y),
                (Type::Int(x), Type::Int(y)) => {
                    return x.size(self.model()) == y.size(self.model());
                }
                _ => return self.compatible(a, b),
            }
        }
    }

    /// What two compatible types say together.
    pub(super) fn composite(&mut self, a: Id<Type>, b: Id<Type>) -> Id<Type> {
        self.composite_to(a, b, DEPTH)
    }

    fn composite_to(&mut self, a: Id<Type>, b: Id<Type>, depth: u32) -> Id<Type> {
        if a == b || depth == 0 {
            return a;
        }
        match (self.ty(a).clone(), self.ty(b).clone()) {
            (Type::Array { of: x, length: n }, Type::Array { of: y, length: m }) => {
                let of = self.composite_to(x, y, depth - 1);
                let length = match (n, m) {
                    (ArrayLength::Fixed(_), _) => n,
                    (_, ArrayLength::Fixed(_)) | (ArrayLength::Unknown, _) => m,
                    _ => n,
                };
                self.out.types.intern(Type::Array { of, length })
            }
            (Type::Pointer { to: x, qualifiers }, Type::Pointer { to: y, .. }) => {
                let to = self.composite_to(x, y, depth - 1);
                self.out.types.intern(Type::Pointer { to, qualifiers })
            }
            (Type::Function(f), Type::Function(g)) => {
                let result = self.composite_to(f.result, g.result, depth - 1);
                let both = f.prototyped && g.prototyped;
                let (first, second) = if f.prototyped { (f, g) } else { (g, f) };
                let parameters = match both {
                    true => std::iter::zip(&first.parameters, &second.parameters)
                        .map(|(x, y)| self.composite_to(*x, *y, depth - 1))
                        .collect(),
                    false => first.parameters.clone(),
                };
                self.out.types.intern(Type::Function(FunctionType { result, parameters, ..first }))
            }
            _ => a,
        }
    }

    /// The type of `c ? p : q` for pointers: both sets of qualifiers.
    pub(super) fn joined_pointer(
        &mut self,
        to: Id<Type>,
        p: Qualifiers,
        q: Qualifiers,
    ) -> Id<Type> {
        let qualifiers = Qualifiers {
            is_const: p.is_const || q.is_const,
            is_volatile: p.is_volatile || q.is_volatile,
            is_restrict: p.is_restrict || q.is_restrict,
            is_atomic: p.is_atomic || q.is_atomic,
        };
        self.out.types.intern(Type::Pointer { to, qualifiers })
    }
}
