//! Intervals of integers and the operators of C on them.
//!
//! Every function gives an interval that contains the result for all operands
//! in the given intervals. Wrapping is to the whole range of the type, unless
//! the operands are single values. Types of 128 bits are not followed.

use parallax_cfa::{Binary, DataModel, IntKind};

/// The integers from `lo` to `hi`, both included. Never empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Interval {
    /// The least.
    pub lo: i128,
    /// The greatest.
    pub hi: i128,
}

impl Interval {
    /// All integers that are held.
    pub const ALL: Interval = Interval { lo: i128::MIN, hi: i128::MAX };
    /// The truth values.
    pub const TRUTH: Interval = Interval { lo: 0, hi: 1 };

    /// The integers from `lo` to `hi`; `None` if there are none.
    pub fn new(lo: i128, hi: i128) -> Option<Interval> {
        (lo <= hi).then_some(Interval { lo, hi })
    }

    /// One integer.
    pub fn one(n: i128) -> Interval {
        Interval { lo: n, hi: n }
    }

    /// The values of an integer type.
    pub fn of_type(kind: IntKind, model: DataModel) -> Interval {
        let width = kind.width(model);
        match (width, kind.is_signed()) {
            (128, _) => Interval::ALL,
            (_, true) => Interval { lo: -(1 << (width - 1)), hi: (1 << (width - 1)) - 1 },
            (_, false) => Interval { lo: 0, hi: (1 << width) - 1 },
        }
    }

    /// The value if there is only one.
    pub fn single(self) -> Option<i128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Whether an integer is in it.
    pub fn contains(self, n: i128) -> bool {
        self.lo <= n && n <= self.hi
    }

    /// Whether all of it is in another.
    pub fn within(self, other: Interval) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    /// The smallest interval around both.
    #[must_use]
    pub fn join(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// What is in both.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        Interval::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    /// Whether the value counts as true, if that is the same for all.
    pub fn truth(self) -> Option<bool> {
        match self {
            Interval { lo: 0, hi: 0 } => Some(false),
            _ if !self.contains(0) => Some(true),
            _ => None,
        }
    }

    fn of_corners(corners: [Option<i128>; 4]) -> Option<Interval> {
        let mut all = Interval::one(corners[0]?);
        for corner in corners {
            all = all.join(Interval::one(corner?));
        }
        Some(all)
    }

    /// The truth as an interval.
    fn of_truth(truth: Option<bool>) -> Interval {
        truth.map_or(Interval::TRUTH, |t| Interval::one(i128::from(t)))
    }
}

/// The mathematical result of an operator on operands of a type with `width`
/// bits, before it is wrapped; `None` if nothing is known.
pub(crate) fn exact(op: Binary, width: u32, a: Interval, b: Interval) -> Option<Interval> {
    match op {
        Binary::Add => Some(Interval { lo: a.lo.checked_add(b.lo)?, hi: a.hi.checked_add(b.hi)? }),
        Binary::Sub => Some(Interval { lo: a.lo.checked_sub(b.hi)?, hi: a.hi.checked_sub(b.lo)? }),
        Binary::Mul => Interval::of_corners([
            a.lo.checked_mul(b.lo),
            a.lo.checked_mul(b.hi),
            a.hi.checked_mul(b.lo),
            a.hi.checked_mul(b.hi),
        ]),
        Binary::Div => divide(a, b),
        Binary::Rem => Some(remainder(a, b)),
        Binary::Shl if b.lo >= 0 && b.hi < i128::from(width) && width < 128 => {
            let (least, most) = (1i128.checked_shl(b.lo as u32)?, 1i128.checked_shl(b.hi as u32)?);
            exact(Binary::Mul, width, a, Interval::new(least, most)?)
        }
        Binary::Shr if b.lo >= 0 && b.hi < i128::from(width) => Interval::of_corners([
            Some(a.lo >> b.lo),
            Some(a.lo >> b.hi),
            Some(a.hi >> b.lo),
            Some(a.hi >> b.hi),
        ]),
        Binary::Shl | Binary::Shr => None,
        Binary::BitAnd => match (a.lo >= 0, b.lo >= 0) {
            (true, true) => Interval::new(0, a.hi.min(b.hi)),
            (true, false) => Interval::new(0, a.hi),
            (false, true) => Interval::new(0, b.hi),
            (false, false) => None,
        },
        Binary::BitOr | Binary::BitXor if a.lo >= 0 && b.lo >= 0 => {
            let bits = 128 - (a.hi | b.hi).leading_zeros();
            let hi = if bits >= 127 { i128::MAX } else { (1i128 << bits) - 1 };
            let lo = if op == Binary::BitOr { a.lo.max(b.lo) } else { 0 };
            Interval::new(lo, hi)
        }
        Binary::BitOr | Binary::BitXor => None,
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
            Some(compare(op, a, b))
        }
    }
}

fn divide(a: Interval, b: Interval) -> Option<Interval> {
    let mut result = b.contains(0).then(|| Interval::one(0));
    for part in
        [b.meet(Interval { lo: i128::MIN, hi: -1 }), b.meet(Interval { lo: 1, hi: i128::MAX })]
    {
        let Some(part) = part else { continue };
        let quotient = Interval::of_corners([
            a.lo.checked_div(part.lo),
            a.lo.checked_div(part.hi),
            a.hi.checked_div(part.lo),
            a.hi.checked_div(part.hi),
        ])?;
        result = Some(result.map_or(quotient, |r| r.join(quotient)));
    }
    result
}

/// The remainder has the sign of the dividend, and a quotient by zero is zero.
fn remainder(a: Interval, b: Interval) -> Interval {
    if a.lo >= 0 && b.lo > a.hi {
        return a;
    }
    let most = b.lo.saturating_abs().max(b.hi.saturating_abs()).saturating_sub(1).max(0);
    let lo = if a.lo >= 0 { 0 } else { a.lo.max(-most) };
    let hi = if a.hi <= 0 { 0 } else { a.hi.min(most) };
    Interval { lo: lo.min(0), hi: hi.max(0) }
}

/// A comparison of two values.
pub(crate) fn compare(op: Binary, a: Interval, b: Interval) -> Interval {
    let less = if a.hi < b.lo {
        Some(true)
    } else if a.lo >= b.hi {
        Some(false)
    } else {
        None
    };
    let less_equal = if a.hi <= b.lo {
        Some(true)
    } else if a.lo > b.hi {
        Some(false)
    } else {
        None
    };
    let equal = match (a.single(), b.single()) {
        (Some(x), Some(y)) if x == y => Some(true),
        _ if a.meet(b).is_none() => Some(false),
        _ => None,
    };
    Interval::of_truth(match op {
        Binary::Lt => less,
        Binary::Le => less_equal,
        Binary::Gt => less_equal.map(|t| !t),
        Binary::Ge => less.map(|t| !t),
        Binary::Eq => equal,
        _ => equal.map(|t| !t),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operator on all small intervals against all their values.
    #[test]
    fn intervals_contain_all_results() {
        use Binary::{
            Add, BitAnd, BitOr, BitXor, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Rem, Shl, Shr, Sub,
        };
        let ops =
            [Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor, Eq, Ne, Lt, Le, Gt, Ge];
        let value = |op: Binary, x: i128, y: i128| match op {
            Add => x + y,
            Sub => x - y,
            Mul => x * y,
            Div => x.checked_div(y).unwrap_or(0),
            Rem => x.checked_rem(y).unwrap_or(0),
            Shl => x << y,
            Shr => x >> y,
            BitAnd => x & y,
            BitOr => x | y,
            BitXor => x ^ y,
            Eq => i128::from(x == y),
            Ne => i128::from(x != y),
            Lt => i128::from(x < y),
            Le => i128::from(x <= y),
            Gt => i128::from(x > y),
            Ge => i128::from(x >= y),
        };
        let all = || (-5..=5i128).flat_map(|lo| (lo..=5).map(move |hi| Interval { lo, hi }));
        for op in ops {
            for a in all() {
                for b in all() {
                    let Some(result) = exact(op, 32, a, b) else { continue };
                    for x in a.lo..=a.hi {
                        for y in b.lo..=b.hi {
                            let n = value(op, x, y);
                            assert!(result.contains(n), "{x} {op:?} {y} = {n} not in {result:?}");
                        }
                    }
                }
            }
        }
    }
}
