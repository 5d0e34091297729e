//! Intervals of expressions in a state, and what conditions say about variables.

use crate::interval::{Interval, compare, exact};
use crate::ranges::State;
use parallax_base::Id;
use parallax_cfa::{
    ArrayLength, Base, Binary, Check, Expr, ExprKind, IntKind, Op, Place, Program, Step, Type,
    Unary, Variable,
};
use rustc_hash::FxHashMap;

/// The variable that a place is all of, if no pointer to it exists and nobody
/// else changes it.
pub(crate) fn plain_variable(program: &Program, place: Id<Place>) -> Option<Id<Variable>> {
    let place = &program.places[place];
    match place.base {
        Base::Variable(v) if place.path.is_empty() && place.bits.is_none() => {
            (!place.volatile && !program.variables[v].address_taken).then_some(v)
        }
        _ => None,
    }
}

/// The variables without pointers to them that an operation may change, whole
/// or in part. A call may change all static ones.
pub(crate) fn overwritten(program: &Program, op: &Op) -> Vec<Id<Variable>> {
    let mut changed = Vec::new();
    match op {
        Op::Assign(to, _) | Op::Copy { to, .. } | Op::Input { to, .. } | Op::Havoc { to, .. } => {
            changed.extend(base(program, *to));
        }
        Op::Call { to, .. } => {
            changed.extend(to.and_then(|to| base(program, to)));
            changed.extend(program.initials.iter().map(|(v, _)| *v).filter(|v| {
                let v = &program.variables[*v];
                !v.address_taken && !v.read_only
            }));
        }
        Op::Primitive { to, .. } => changed.extend(to.and_then(|to| base(program, to))),
        Op::Live(v, _) | Op::Dead(v) => changed.push(*v),
        Op::Skip
        | Op::Assume(_)
        | Op::Check(_)
        | Op::Return(_)
        | Op::Error(_)
        | Op::Halt(_)
        | Op::Unsupported(_) => {}
    }
    changed
}

fn base(program: &Program, place: Id<Place>) -> Option<Id<Variable>> {
    match program.places[place].base {
        Base::Variable(v) => Some(v),
        Base::Pointer(_) => None,
    }
}

/// Evaluates expressions in one state.
#[derive(Debug)]
pub struct Evaluator<'a> {
    program: &'a Program,
    state: Option<&'a State>,
    known: FxHashMap<Id<Expr>, Interval>,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(program: &'a Program, state: Option<&'a State>) -> Evaluator<'a> {
        Evaluator { program, state, known: FxHashMap::default() }
    }

    fn kind(&self, expr: Id<Expr>) -> Option<IntKind> {
        self.program.types.int_kind(self.program.exprs[expr].ty)
    }

    /// The values of the type of an expression; all numbers if it is no integer.
    fn limits(&self, expr: Id<Expr>) -> Interval {
        let model = self.program.types.model;
        self.kind(expr).map_or(Interval::ALL, |kind| Interval::of_type(kind, model))
    }

    /// The values that an integer expression may have.
    pub fn range(&mut self, expr: Id<Expr>) -> Interval {
        let mut work = vec![expr];
        while let Some(e) = work.last().copied() {
            if self.known.contains_key(&e) {
                work.pop();
                continue;
            }
            let before = work.len();
            let need =
                |e: Id<Expr>, known: &FxHashMap<Id<Expr>, Interval>, work: &mut Vec<Id<Expr>>| {
                    if !known.contains_key(&e) {
                        work.push(e);
                    }
                };
            match self.program.exprs[e].kind {
                ExprKind::Unary(_, a) | ExprKind::Convert(a) => need(a, &self.known, &mut work),
                ExprKind::Binary(_, a, b) => {
                    need(a, &self.known, &mut work);
                    need(b, &self.known, &mut work);
                }
                ExprKind::Conditional(a, b, c) => {
                    need(a, &self.known, &mut work);
                    need(b, &self.known, &mut work);
                    need(c, &self.known, &mut work);
                }
                _ => {}
            }
            if work.len() == before {
                let value = self.compute(e);
                self.known.insert(e, value);
                work.pop();
            }
        }
        self.get(expr)
    }

    fn get(&self, expr: Id<Expr>) -> Interval {
        self.known.get(&expr).copied().unwrap_or_else(|| self.limits(expr))
    }

    fn is_int(&self, expr: Id<Expr>) -> bool {
        self.kind(expr).is_some_and(|k| !matches!(k, IntKind::Int128 | IntKind::UInt128))
    }

    fn width(&self, expr: Id<Expr>) -> u32 {
        self.kind(expr).map_or(128, |k| k.width(self.program.types.model))
    }

    /// The value of an expression whose operands are known.
    fn compute(&self, e: Id<Expr>) -> Interval {
        let limits = self.limits(e);
        match self.program.exprs[e].kind {
            ExprKind::Int(n) => Interval::one(n),
            ExprKind::Load(place) => self.load(place, limits),
            ExprKind::Unary(Unary::Not, a) if self.is_int(a) => {
                compare(Binary::Eq, self.get(a), Interval::one(0))
            }
            ExprKind::Unary(Unary::Not, _) => Interval::TRUTH,
            ExprKind::Unary(Unary::BitNot, a) if self.is_int(e) => {
                let Interval { lo, hi } = self.get(a);
                if limits.lo < 0 {
                    Interval { lo: !hi, hi: !lo }
                } else {
                    Interval { lo: limits.hi - hi, hi: limits.hi - lo }
                }
            }
            ExprKind::Unary(Unary::Bits(f), a) if self.is_int(a) => match f {
                parallax_cfa::BitFunction::ByteSwap => limits,
                _ => Interval { lo: 0, hi: i128::from(self.width(a)) },
            },
            ExprKind::Unary(Unary::Neg, _) | ExprKind::Binary(..) => match self.exact(e) {
                Some(range) if range.within(limits) => range,
                Some(range) => range.single().map_or(limits, |n| self.wrapped(e, n)),
                None => limits,
            },
            ExprKind::Convert(a) if self.is_int(a) && self.is_int(e) => {
                let range = self.get(a);
                if range.within(limits) {
                    return range;
                }
                if self.kind(e) == Some(IntKind::Bool) {
                    return compare(Binary::Ne, range, Interval::one(0));
                }
                range.single().map_or(limits, |n| self.wrapped(e, n))
            }
            ExprKind::Conditional(c, a, b) => match self.get(c).truth() {
                Some(true) if self.is_int(c) => self.get(a),
                Some(false) if self.is_int(c) => self.get(b),
                _ => self.get(a).join(self.get(b)),
            },
            _ => limits,
        }
    }

    fn wrapped(&self, e: Id<Expr>, n: i128) -> Interval {
        let model = self.program.types.model;
        self.kind(e).map_or(Interval::ALL, |kind| Interval::one(kind.wrap(n, model)))
    }

    fn load(&self, place: Id<Place>, limits: Interval) -> Interval {
        if let Some(bits) = self.program.places[place].bits
            && limits.lo >= 0
            && bits.width < 127
        {
            return Interval { lo: 0, hi: limits.hi.min((1 << bits.width) - 1) };
        }
        let variable = plain_variable(self.program, place);
        let known = variable.and_then(|v| self.state.and_then(|s| s.get(v.index())));
        known.and_then(|range| range.meet(limits)).unwrap_or(limits)
    }

    /// The mathematical result of the outermost operator; operands are known.
    fn exact(&self, e: Id<Expr>) -> Option<Interval> {
        match self.program.exprs[e].kind {
            ExprKind::Unary(Unary::Neg, a) if self.is_int(a) => {
                exact(Binary::Sub, self.width(a), Interval::one(0), self.get(a))
            }
            ExprKind::Binary(op, a, b) if self.is_int(a) && self.is_int(b) => {
                exact(op, self.width(a), self.get(a), self.get(b))
            }
            ExprKind::Binary(op, ..) if op.is_comparison() => Some(Interval::TRUTH),
            ExprKind::Convert(a) if self.is_int(a) => Some(self.get(a)),
            _ => None,
        }
    }

    /// Whether the outermost operator, a conversion included, has a mathematical
    /// result that fits the type.
    pub fn fits(&mut self, expr: Id<Expr>) -> bool {
        self.range(expr);
        self.is_int(expr) && self.exact(expr).is_some_and(|r| r.within(self.limits(expr)))
    }

    /// Whether the outermost operator cannot overflow, as C means it: a
    /// remainder overflows where its quotient does, and a negative number must
    /// not be shifted to the left.
    fn is_defined(&mut self, expr: Id<Expr>) -> bool {
        match self.program.exprs[expr].kind {
            ExprKind::Binary(Binary::Rem, a, b) => {
                let least = self.limits(expr).lo;
                let quotient = self.range(a).contains(least) && self.range(b).contains(-1);
                self.is_int(expr) && !quotient
            }
            ExprKind::Binary(Binary::Shl, a, _) => self.range(a).lo >= 0 && self.fits(expr),
            _ => self.fits(expr),
        }
    }

    /// Whether a check cannot fail.
    pub fn succeeds(&mut self, check: &Check) -> bool {
        match *check {
            Check::Overflow(e) => self.is_defined(e),
            Check::Division(e)
            | Check::Sequenced { apart: e, .. }
            | Check::Index { within: e, .. } => self.is_int(e) && !self.range(e).contains(0),
            Check::Shift(e) => match self.program.exprs[e].kind {
                ExprKind::Binary(_, a, amount) => {
                    let most = i128::from(self.width(a)) - 1;
                    self.is_int(amount) && self.range(amount).within(Interval { lo: 0, hi: most })
                }
                _ => false,
            },
            Check::Access { place, write } => self.is_inside(place, write),
            _ => false,
        }
    }

    /// Whether a place lies in its variable: all indices are within the arrays.
    fn is_inside(&mut self, place: Id<Place>, write: bool) -> bool {
        let program = self.program;
        let place = &program.places[place];
        let Base::Variable(v) = place.base else { return false };
        let variable = &program.variables[v];
        // A variable of static or automatic storage lives where its name is in scope.
        if write && variable.read_only || program.types.size_of(variable.ty).is_none() {
            return false;
        }
        let mut ty = variable.ty;
        for step in &place.path {
            match *step {
                Step::Member(record, member) => {
                    ty = program.types.records[record].members[member as usize].ty;
                }
                Step::Index(index) => {
                    let Type::Array { of, length: ArrayLength::Fixed(n) } = *program.types.get(ty)
                    else {
                        return false;
                    };
                    let all = Interval { lo: 0, hi: i128::from(n) - 1 };
                    if !self.is_int(index) || !self.range(index).within(all) {
                        return false;
                    }
                    ty = of;
                }
            }
        }
        true
    }

    /// The state in which a condition has a truth; `None` if it cannot have it.
    pub(crate) fn assume(&mut self, condition: Id<Expr>, truth: bool) -> Option<State> {
        let mut state = self.state?.clone();
        let mut work = vec![(condition, truth)];
        while let Some((e, truth)) = work.pop() {
            if self.is_int(e) && self.range(e).truth() == Some(!truth) {
                return None;
            }
            match self.program.exprs[e].kind {
                ExprKind::Unary(Unary::Not, a) => work.push((a, !truth)),
                ExprKind::Binary(op, a, b) if op.is_comparison() && self.is_int(a) => {
                    let op = if truth { op } else { negated(op) };
                    let (left, right) = (self.range(a), self.range(b));
                    self.refine(&mut state, a, bound(op, left, right)?)?;
                    self.refine(&mut state, b, bound(mirrored(op), right, left)?)?;
                    // `(a < b) != 0` and the like.
                    if let Some(n) = right.single()
                        && let Some(inner) = decided(op, n)
                        && self.is_truth(a)
                    {
                        work.push((a, inner));
                    }
                }
                // `a && b` and `a || b` as values.
                ExprKind::Conditional(c, a, b) => {
                    let (yes, no) = (self.range(a).truth(), self.range(b).truth());
                    if truth && no == Some(false) || !truth && no == Some(true) {
                        work.extend([(c, true), (a, truth)]);
                    } else if truth && yes == Some(false) || !truth && yes == Some(true) {
                        work.extend([(c, false), (b, truth)]);
                    }
                }
                ExprKind::Convert(a) if self.keeps_truth(e, a) => work.push((a, truth)),
                ExprKind::Load(_) if self.is_int(e) => {
                    let op = if truth { Binary::Ne } else { Binary::Eq };
                    let range = bound(op, self.range(e), Interval::one(0))?;
                    self.refine(&mut state, e, range)?;
                }
                _ => {}
            }
        }
        Some(state)
    }

    /// Whether a conversion is zero only for zero.
    fn keeps_truth(&mut self, e: Id<Expr>, operand: Id<Expr>) -> bool {
        self.is_int(operand)
            && self.is_int(e)
            && (self.kind(e) == Some(IntKind::Bool) || self.range(operand).within(self.limits(e)))
    }

    /// Whether an expression is a truth value by its form.
    fn is_truth(&self, e: Id<Expr>) -> bool {
        match self.program.exprs[e].kind {
            ExprKind::Unary(Unary::Not, _) => true,
            ExprKind::Binary(op, ..) => op.is_comparison(),
            _ => false,
        }
    }

    /// Notes that an expression is in an interval; `None` if that cannot be.
    fn refine(&mut self, state: &mut State, expr: Id<Expr>, range: Interval) -> Option<()> {
        let (mut e, mut range) = (expr, range);
        loop {
            range = range.meet(self.range(e))?;
            match self.program.exprs[e].kind {
                ExprKind::Load(place) => {
                    if let Some(v) = plain_variable(self.program, place) {
                        let old = state.get(v.index()).copied();
                        let new = old.map_or(Some(range), |old| old.meet(range))?;
                        state.set(v.index(), Some(new));
                    }
                    return Some(());
                }
                ExprKind::Convert(a) if self.is_int(a) && self.is_int(e) => {
                    if !self.range(a).within(self.limits(e)) {
                        return Some(());
                    }
                    e = a;
                }
                ExprKind::Binary(op @ (Binary::Add | Binary::Sub), a, b) if self.fits(e) => {
                    let Some(n) = self.range(b).single() else { return Some(()) };
                    let n = if op == Binary::Add { n.checked_neg() } else { Some(n) };
                    let moved = |x: i128| n.and_then(|n| x.checked_add(n));
                    let (Some(lo), Some(hi)) = (moved(range.lo), moved(range.hi)) else {
                        return Some(());
                    };
                    (e, range) = (a, Interval { lo, hi });
                }
                _ => return Some(()),
            }
        }
    }

    /// The state behind a check that succeeded.
    pub(crate) fn passed(&mut self, check: &Check, overflow_ends: bool) -> Option<State> {
        let mut state = self.state?.clone();
        match *check {
            Check::Unreachable => return None,
            Check::Division(e) if self.is_int(e) => {
                let range = bound(Binary::Ne, self.range(e), Interval::one(0))?;
                self.refine(&mut state, e, range)?;
            }
            Check::Shift(e) => {
                if let ExprKind::Binary(_, a, amount) = self.program.exprs[e].kind
                    && self.is_int(amount)
                {
                    let most = i128::from(self.width(a)) - 1;
                    self.refine(&mut state, amount, Interval { lo: 0, hi: most })?;
                }
            }
            Check::Overflow(e) if overflow_ends => {
                if let ExprKind::Binary(op @ (Binary::Add | Binary::Sub), a, b) =
                    self.program.exprs[e].kind
                    && self.is_int(e)
                {
                    // From `lo <= a + b <= hi`: `lo - b <= a <= hi - b`.
                    let (limits, b) = (self.limits(e), self.range(b));
                    let b = if op == Binary::Add { b } else { Interval { lo: -b.hi, hi: -b.lo } };
                    let range = Interval { lo: limits.lo - b.hi, hi: limits.hi - b.lo };
                    self.refine(&mut state, a, range)?;
                }
            }
            _ => {}
        }
        Some(state)
    }
}

/// What `a op b` says about `a`.
fn bound(op: Binary, a: Interval, b: Interval) -> Option<Interval> {
    let range = match op {
        Binary::Eq => b,
        Binary::Lt => Interval::new(i128::MIN, b.hi.checked_sub(1)?)?,
        Binary::Le => Interval::new(i128::MIN, b.hi)?,
        Binary::Gt => Interval::new(b.lo.checked_add(1)?, i128::MAX)?,
        Binary::Ge => Interval::new(b.lo, i128::MAX)?,
        _ => match b.single() {
            Some(n) if n == a.lo => return Interval::new(a.lo.checked_add(1)?, a.hi),
            Some(n) if n == a.hi => return Interval::new(a.lo, a.hi - 1),
            _ => a,
        },
    };
    a.meet(range)
}

/// The truth that a truth value has if it compares so with a number.
fn decided(op: Binary, n: i128) -> Option<bool> {
    match (op, n) {
        (Binary::Ne, 0) | (Binary::Eq, 1) => Some(true),
        (Binary::Eq, 0) | (Binary::Ne, 1) => Some(false),
        _ => None,
    }
}

/// The comparison that holds when this one does not.
pub(crate) fn negated(op: Binary) -> Binary {
    match op {
        Binary::Eq => Binary::Ne,
        Binary::Ne => Binary::Eq,
        Binary::Lt => Binary::Ge,
        Binary::Ge => Binary::Lt,
        Binary::Gt => Binary::Le,
        Binary::Le => Binary::Gt,
        other => other,
    }
}

fn mirrored(op: Binary) -> Binary {
    match op {
        Binary::Lt => Binary::Gt,
        Binary::Gt => Binary::Lt,
        Binary::Le => Binary::Ge,
        Binary::Ge => Binary::Le,
        other => other,
    }
}
