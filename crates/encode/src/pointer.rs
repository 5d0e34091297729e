//! Pointers as pairs of terms: object and distance in bytes.
//!
//! Objects are numbered. A few numbers are reserved; variables and functions
//! come next, the heap after them. The distance is a plain number over the
//! integers and has the width of a pointer over bit-vectors.

use crate::arithmetic::{Arithmetic, IntType, Word, power};
use crate::value::Value;
use parallax_cfa::Binary;
use parallax_ir::Domain;
use parallax_term::{Int, Sort, Term, TermStore};

/// The null pointer's object: nothing lies in it.
pub(crate) const NULL: u32 = 0;
/// The object of a pointer that was made from an integer other than zero; the
/// distance is the integer.
pub(crate) const INTEGER: u32 = 1;
/// Memory that the program did not make: what undefined functions return, and
/// the arguments of `main`.
pub(crate) const OUTSIDE: u32 = 2;
/// The first object of the program itself.
pub(crate) const FIRST: u32 = 16;

/// The first number of local objects that have a new one in each life; numbers
/// of the heap stay below.
pub(crate) const LOCAL: u32 = 1 << 30;

/// How wide an object number is over bit-vectors.
const OBJECT_BITS: u32 = 32;

/// How pointers are written as terms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pointers {
    /// Whether over bit-vectors.
    pub(crate) vectors: bool,
    /// Width of a pointer.
    pub(crate) bits: u32,
}

impl Pointers {
    pub(crate) fn object_sort(self) -> Sort {
        if self.vectors { Sort::Bv(OBJECT_BITS) } else { Sort::Int }
    }

    pub(crate) fn offset_sort(self) -> Sort {
        if self.vectors { Sort::Bv(self.bits) } else { Sort::Int }
    }

    /// The sort of an index into a region.
    pub(crate) fn index_sort(self) -> Sort {
        if self.vectors { Sort::Bv(OBJECT_BITS + self.bits) } else { Sort::Int }
    }

    pub(crate) fn object_domain(self) -> Domain {
        if self.vectors { Domain::Bv(OBJECT_BITS) } else { Domain::Int }
    }

    pub(crate) fn offset_domain(self) -> Domain {
        if self.vectors { Domain::Bv(self.bits) } else { Domain::Int }
    }

    /// The integer type that distances behave as.
    pub(crate) fn offset_type(self) -> IntType {
        IntType { bits: self.bits, signed: true }
    }

    pub(crate) fn object(self, store: &mut TermStore, id: u32) -> Term {
        if self.vectors { store.bv(OBJECT_BITS, u128::from(id)) } else { store.int(i64::from(id)) }
    }

    pub(crate) fn offset(self, store: &mut TermStore, bytes: i128) -> Term {
        if self.vectors {
            store.bv(self.bits, bytes as u128)
        } else {
            store.int(Int::from_i128(bytes))
        }
    }

    pub(crate) fn null(self, store: &mut TermStore) -> Value {
        let (object, offset) = (self.object(store, NULL), self.offset(store, 0));
        Value::Pointer { object, offset }
    }

    pub(crate) fn add(self, store: &mut TermStore, a: Term, b: Term) -> Term {
        if self.vectors { store.bv_add(a, b) } else { store.add(a, b) }
    }

    pub(crate) fn sub(self, store: &mut TermStore, a: Term, b: Term) -> Term {
        if self.vectors { store.bv_sub(a, b) } else { store.sub(a, b) }
    }

    pub(crate) fn mul(self, store: &mut TermStore, a: Term, b: Term) -> Term {
        if self.vectors { store.bv_mul(a, b) } else { store.mul(a, b) }
    }

    /// The next object number.
    pub(crate) fn successor(self, store: &mut TermStore, object: Term) -> Term {
        if self.vectors {
            let one = store.bv(OBJECT_BITS, 1);
            store.bv_add(object, one)
        } else {
            let one = store.int(1);
            store.add(object, one)
        }
    }

    /// `a <= b` for distances, which may be negative.
    pub(crate) fn le(self, store: &mut TermStore, a: Term, b: Term) -> Term {
        if self.vectors { store.bv_sle(a, b) } else { store.le(a, b) }
    }

    /// `a < b` for distances.
    pub(crate) fn lt(self, store: &mut TermStore, a: Term, b: Term) -> Term {
        let not_less = self.le(store, b, a);
        store.not(not_less)
    }

    /// `a <= b` for object numbers.
    pub(crate) fn object_le(self, store: &mut TermStore, a: Term, b: Term) -> Term {
        if self.vectors { store.bv_ule(a, b) } else { store.le(a, b) }
    }

    /// The index of a byte into a region.
    pub(crate) fn index(self, store: &mut TermStore, object: Term, offset: Term) -> Term {
        if self.vectors {
            return store.bv_concat(object, offset);
        }
        // Distances inside an object are far below the step.
        let step = store.int(power(self.bits.min(48)));
        let base = store.mul(object, step);
        store.add(base, offset)
    }

    /// A machine integer as a distance.
    pub(crate) fn distance(
        self,
        store: &mut TermStore,
        arithmetic: &dyn Arithmetic,
        ty: IntType,
        word: &Word,
    ) -> Term {
        if self.vectors {
            arithmetic.convert(store, ty, self.offset_type(), word).term
        } else {
            word.term
        }
    }

    /// A distance as a machine integer, modulo its width.
    pub(crate) fn word(
        self,
        store: &mut TermStore,
        arithmetic: &dyn Arithmetic,
        ty: IntType,
        distance: Term,
    ) -> Word {
        if self.vectors {
            let word = arithmetic.whole(self.offset_type(), distance);
            return arithmetic.convert(store, self.offset_type(), ty, &word);
        }
        // The distance may be any number; converting brings it into range.
        let far = power(2 * self.bits);
        let word = Word { term: distance, low: -&far, high: far };
        arithmetic.convert(store, ty, ty, &word)
    }

    /// Compares two pointers. Pointers into different objects have no order in
    /// C; `arbitrary` decides for them.
    pub(crate) fn compare(
        self,
        store: &mut TermStore,
        op: Binary,
        (a, x): (Term, Term),
        (b, y): (Term, Term),
        arbitrary: Term,
    ) -> Term {
        let same_object = store.eq(a, b);
        let same_offset = store.eq(x, y);
        let equal = store.and([same_object, same_offset]);
        let ordered = match op {
            Binary::Eq => return equal,
            Binary::Ne => return store.not(equal),
            Binary::Lt => self.lt(store, x, y),
            Binary::Le => self.le(store, x, y),
            Binary::Gt => self.lt(store, y, x),
            _ => self.le(store, y, x),
        };
        store.ite(same_object, ordered, arbitrary)
    }
}
