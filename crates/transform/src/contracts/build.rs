//! Clauses as expressions of the program form.

use super::{Atom, Clause, Condition, Relation, Sum};
use crate::rewrite::Arena;
use parallax_base::Id;
use parallax_cfa::{Binary, Expr, ExprKind, IntKind, Type, Types, Unary, Variable};

/// Makes expressions.
pub(super) struct Builder {
    pub(super) arena: Arena,
    pub(super) types: Types,
}

/// Where the values of atoms are found.
pub(super) trait Homes {
    /// The variable that holds an atom.
    fn home(&self, atom: Atom) -> Option<Id<Variable>>;
    /// The type of a variable.
    fn ty(&self, variable: Id<Variable>) -> Id<Type>;
}

impl Builder {
    /// The type `int`.
    pub(super) fn int(&mut self) -> Id<Type> {
        self.types.int(IntKind::Int)
    }

    /// The value of a variable.
    pub(super) fn load(&mut self, variable: Id<Variable>, ty: Id<Type>) -> Id<Expr> {
        let place = self.arena.whole(variable, ty);
        self.arena.expr(ExprKind::Load(place), ty)
    }

    /// A comparison.
    pub(super) fn compare(&mut self, op: Binary, a: Id<Expr>, b: Id<Expr>) -> Id<Expr> {
        let int = self.int();
        self.arena.expr(ExprKind::Binary(op, a, b), int)
    }

    /// A variable compared with a number.
    pub(super) fn is_number(
        &mut self,
        variable: Id<Variable>,
        ty: Id<Type>,
        number: i128,
    ) -> Id<Expr> {
        let (value, number) = (self.load(variable, ty), self.arena.int(number, ty));
        self.compare(Binary::Eq, value, number)
    }

    /// `1` if the value is zero.
    pub(super) fn not(&mut self, e: Id<Expr>) -> Id<Expr> {
        let int = self.int();
        self.arena.expr(ExprKind::Unary(Unary::Not, e), int)
    }

    /// Whether one of two truths holds.
    pub(super) fn or(&mut self, a: Id<Expr>, b: Id<Expr>) -> Id<Expr> {
        let int = self.int();
        let one = self.arena.int(1, int);
        self.arena.expr(ExprKind::Conditional(a, one, b), int)
    }

    /// A clause as a truth; `None` if it speaks of what is not there, or if its
    /// numbers are too large to compute with.
    pub(super) fn clause(&mut self, clause: &Clause, homes: &dyn Homes) -> Option<Id<Expr>> {
        let mut truth: Option<Id<Expr>> = None;
        for condition in clause.0.iter().rev() {
            let next = self.condition(condition, homes)?;
            truth = Some(match truth {
                Some(rest) => self.or(next, rest),
                None => next,
            });
        }
        truth
    }

    fn condition(&mut self, condition: &Condition, homes: &dyn Homes) -> Option<Id<Expr>> {
        let wide = self.width(&condition.sum, condition.relation, homes)?;
        // What is subtracted goes to the other side.
        let left = self.side(&condition.sum, 1, wide, homes)?;
        let right = self.side(&condition.sum, -1, wide, homes)?;
        Some(match condition.relation {
            Relation::AtMost => self.compare(Binary::Le, left, right),
            Relation::Zero => self.compare(Binary::Eq, left, right),
            Relation::NotZero => self.compare(Binary::Ne, left, right),
            Relation::Divisible(by) => {
                let sum = self.arena.expr(ExprKind::Binary(Binary::Sub, left, right), wide);
                self.divisible(sum, by, wide)
            }
        })
    }

    /// Whether a number divides a sum. For the range of a machine word it is a
    /// conversion, which solvers like better than a remainder.
    fn divisible(&mut self, sum: Id<Expr>, by: i128, wide: Id<Type>) -> Id<Expr> {
        let word = match by {
            0x100 => Some(IntKind::UChar),
            0x1_0000 => Some(IntKind::UShort),
            0x1_0000_0000 => Some(IntKind::UInt),
            0x1_0000_0000_0000_0000 => Some(IntKind::ULongLong),
            _ => None,
        };
        let (rest, ty) = match word {
            Some(word) => {
                let ty = self.types.int(word);
                (self.arena.expr(ExprKind::Convert(sum), ty), ty)
            }
            None => {
                let by = self.arena.int(by, wide);
                (self.arena.expr(ExprKind::Binary(Binary::Rem, sum, by), wide), wide)
            }
        };
        let zero = self.arena.int(0, ty);
        self.compare(Binary::Eq, rest, zero)
    }

    /// The monomials of a sum whose coefficients have this sign, and the
    /// constant if it has it.
    fn side(
        &mut self,
        sum: &Sum,
        sign: i128,
        wide: Id<Type>,
        homes: &dyn Homes,
    ) -> Option<Id<Expr>> {
        let mut total: Option<Id<Expr>> = None;
        let mut parts = Vec::new();
        for m in sum.monomials.iter().filter(|m| m.coefficient.signum() == sign) {
            let mut product: Option<Id<Expr>> = None;
            for factor in &m.factors {
                let variable = homes.home(*factor)?;
                let value = self.load(variable, homes.ty(variable));
                let value = self.arena.expr(ExprKind::Convert(value), wide);
                product = Some(self.operate(Binary::Mul, product, value, wide));
            }
            let magnitude = m.coefficient.checked_abs()?;
            let product = product?;
            parts.push(match magnitude {
                1 => product,
                _ => {
                    let magnitude = self.arena.int(magnitude, wide);
                    self.operate(Binary::Mul, Some(magnitude), product, wide)
                }
            });
        }
        if sum.constant.signum() == sign || parts.is_empty() {
            let constant = if sum.constant.signum() == sign { sum.constant } else { 0 };
            parts.push(self.arena.int(constant.checked_abs()?, wide));
        }
        for part in parts {
            total = Some(self.operate(Binary::Add, total, part, wide));
        }
        total
    }

    fn operate(
        &mut self,
        op: Binary,
        left: Option<Id<Expr>>,
        right: Id<Expr>,
        ty: Id<Type>,
    ) -> Id<Expr> {
        match left {
            Some(left) => self.arena.expr(ExprKind::Binary(op, left, right), ty),
            None => right,
        }
    }

    /// A type in which neither the sum nor a part of it can overflow.
    fn width(&mut self, sum: &Sum, relation: Relation, homes: &dyn Homes) -> Option<Id<Type>> {
        let mut bound = sum.constant.unsigned_abs();
        for m in &sum.monomials {
            let mut product = m.coefficient.unsigned_abs();
            for factor in &m.factors {
                let ty = homes.ty(homes.home(*factor)?);
                let bits = u32::try_from(self.types.size_of(ty)?).ok()?.checked_mul(8)?;
                self.types.int_kind(ty)?;
                product = product.checked_mul(1u128.checked_shl(bits)?)?;
            }
            bound = bound.checked_add(product)?;
        }
        if let Relation::Divisible(by) = relation {
            bound = bound.max(by.unsigned_abs());
        }
        let kind = match bound {
            bound if bound < 1 << 62 => IntKind::LongLong,
            bound if bound < 1 << 126 => IntKind::Int128,
            _ => return None,
        };
        Some(self.types.int(kind))
    }
}
