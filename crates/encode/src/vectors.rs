//! Machine integers as bit-vectors: one operation of C is one of the theory.

use crate::arithmetic::{Arithmetic, IntType, Word};
use parallax_cfa::Binary;
use parallax_ir::Domain;
use parallax_term::{MAX_WIDTH, Sort, Term, TermStore};

/// The encoding over bit-vectors.
pub(crate) struct Vectors;

impl Arithmetic for Vectors {
    fn sort(&self, ty: IntType) -> Sort {
        Sort::Bv(ty.bits)
    }

    fn domain(&self, ty: IntType) -> Domain {
        Domain::Bv(ty.bits)
    }

    fn constant(&self, store: &mut TermStore, ty: IntType, value: i128) -> Word {
        let term = store.bv(ty.bits, value as u128);
        self.whole(ty, term)
    }

    fn truth(&self, store: &mut TermStore, ty: IntType, a: &Word) -> Term {
        let zero = store.bv(ty.bits, 0);
        let same = store.eq(a.term, zero);
        store.not(same)
    }

    fn negate(&self, store: &mut TermStore, ty: IntType, a: &Word) -> Word {
        let term = store.bv_neg(a.term);
        self.whole(ty, term)
    }

    fn complement(&self, store: &mut TermStore, ty: IntType, a: &Word) -> Word {
        let term = store.bv_not(a.term);
        self.whole(ty, term)
    }

    fn binary(&self, store: &mut TermStore, op: Binary, ty: IntType, a: &Word, b: &Word) -> Word {
        let term = match op {
            Binary::Add => store.bv_add(a.term, b.term),
            Binary::Sub => store.bv_sub(a.term, b.term),
            Binary::Mul => store.bv_mul(a.term, b.term),
            Binary::Div if ty.signed => store.bv_sdiv(a.term, b.term),
            Binary::Div => store.bv_udiv(a.term, b.term),
            Binary::Rem if ty.signed => store.bv_srem(a.term, b.term),
            Binary::Rem => store.bv_urem(a.term, b.term),
            Binary::BitAnd => store.bv_and(a.term, b.term),
            Binary::BitOr => store.bv_or(a.term, b.term),
            _ => store.bv_xor(a.term, b.term),
        };
        self.whole(ty, term)
    }

    fn shift(
        &self,
        store: &mut TermStore,
        op: Binary,
        ty: IntType,
        a: &Word,
        amount: IntType,
        b: &Word,
    ) -> Word {
        // A check before has made sure that the amount is below the width, so
        // cutting it down to the width of the shifted value loses nothing.
        let by = store.bv_resize(b.term, ty.bits, amount.signed);
        let term = match op {
            Binary::Shl => store.bv_shl(a.term, by),
            _ if ty.signed => store.bv_ashr(a.term, by),
            _ => store.bv_lshr(a.term, by),
        };
        self.whole(ty, term)
    }

    fn compare(&self, store: &mut TermStore, op: Binary, ty: IntType, a: &Word, b: &Word) -> Term {
        let less = |store: &mut TermStore, a: Term, b: Term| {
            if ty.signed { store.bv_slt(a, b) } else { store.bv_ult(a, b) }
        };
        match op {
            Binary::Eq => store.eq(a.term, b.term),
            Binary::Ne => {
                let same = store.eq(a.term, b.term);
                store.not(same)
            }
            Binary::Lt => less(store, a.term, b.term),
            Binary::Gt => less(store, b.term, a.term),
            Binary::Le => {
                let above = less(store, b.term, a.term);
                store.not(above)
            }
            _ => {
                let below = less(store, a.term, b.term);
                store.not(below)
            }
        }
    }

    fn convert(&self, store: &mut TermStore, from: IntType, to: IntType, a: &Word) -> Word {
        let term = store.bv_resize(a.term, to.bits, from.signed);
        self.whole(to, term)
    }

    fn fits(&self, store: &mut TermStore, op: Binary, ty: IntType, a: &Word, b: &Word) -> Term {
        let wide = if op == Binary::Mul { 2 * ty.bits } else { ty.bits + 1 };
        if wide > MAX_WIDTH {
            return self.fits_narrow(store, op, ty, a, b);
        }
        let wide = IntType { bits: wide, ..ty };
        let (x, y) = (self.convert(store, ty, wide, a), self.convert(store, ty, wide, b));
        let exact = self.binary(store, op, wide, &x, &y);
        let narrow = self.convert(store, wide, ty, &exact);
        let back = self.convert(store, ty, wide, &narrow);
        store.eq(exact.term, back.term)
    }

    fn to_bits(&self, _store: &mut TermStore, _ty: IntType, a: &Word) -> Term {
        a.term
    }

    fn of_bits(&self, _store: &mut TermStore, ty: IntType, bits: Term) -> Word {
        self.whole(ty, bits)
    }
}

impl Vectors {
    /// As `fits` where no wider vector exists: by signs and by division.
    fn fits_narrow(
        &self,
        store: &mut TermStore,
        op: Binary,
        ty: IntType,
        a: &Word,
        b: &Word,
    ) -> Term {
        let result = self.binary(store, op, ty, a, b);
        let zero = self.constant(store, ty, 0);
        let negative =
            |store: &mut TermStore, w: &Word| self.compare(store, Binary::Lt, ty, w, &zero);
        let (na, nb, nr) = (negative(store, a), negative(store, b), negative(store, &result));
        match op {
            Binary::Add => {
                let (same, kept) = (store.iff(na, nb), store.iff(na, nr));
                store.implies(same, kept)
            }
            Binary::Sub => {
                let (same, kept) = (store.iff(na, nb), store.iff(na, nr));
                store.or([same, kept])
            }
            Binary::Mul => {
                let back = self.binary(store, Binary::Div, ty, &result, b);
                let undone = store.eq(back.term, a.term);
                let trivial = store.eq(b.term, zero.term);
                let minus = self.constant(store, ty, -1);
                let least = self.constant(store, ty, i128::MIN);
                let (flip, edge) = (store.eq(b.term, minus.term), store.eq(a.term, least.term));
                let worst = store.and([flip, edge]);
                let fine = store.not(worst);
                let undone = store.or([trivial, undone]);
                store.and([undone, fine])
            }
            _ => {
                let minus = self.constant(store, ty, -1);
                let least = self.constant(store, ty, i128::MIN);
                let (flip, edge) = (store.eq(b.term, minus.term), store.eq(a.term, least.term));
                let worst = store.and([flip, edge]);
                store.not(worst)
            }
        }
    }
}
