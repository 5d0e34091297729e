//! Conjunctions of difference constraints `x - y <= c`, kept closed.
//!
//! Closed bounds make all questions easy: a conjunction is satisfiable if no
//! bound of a variable to itself is negative, existential variables are
//! eliminated by leaving out their rows, and one conjunction implies another
//! if each of its bounds is at most the other's (Miné, "A new numerical abstract
//! domain based on difference-bound matrices", 2001). Over the integers all this
//! is exact.
//!
//! In the *order* theory only `<`, `<=` and `=` between variables occur. There
//! the distance does not matter: bounds below -1 count as -1, so `x < y < z`
//! says no more about `x` and `z` than `x < z`. For code that does nothing but
//! compare values with each other, this loses nothing: values can always be
//! chosen far enough apart.

/// No bound.
pub(crate) const NONE: i64 = i64::MAX / 4;

/// What is known of the variables of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Differences {
    /// Variable 0 is the constant zero.
    count: usize,
    bounds: Vec<i64>,
    order: bool,
}

/// `left - right <= bound`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The minuend.
    pub left: usize,
    /// The subtrahend.
    pub right: usize,
    /// The bound.
    pub bound: i64,
}

impl Differences {
    /// Nothing known; `order` chooses the theory.
    pub fn new(order: bool) -> Differences {
        Differences { count: 1, bounds: vec![0], order }
    }

    /// How many variables there are, the constant zero included.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The tightest bound of `left - right`, if there is one.
    pub fn bound(&self, left: usize, right: usize) -> Option<i64> {
        let bound = self.get(left, right);
        (bound < NONE).then_some(bound)
    }

    pub(crate) fn get(&self, left: usize, right: usize) -> i64 {
        self.bounds[left * self.count + right]
    }

    /// A new variable, with bounds in the theory of integers.
    pub fn add_variable(&mut self, low: i64, high: i64) -> usize {
        let old = self.count;
        let mut bounds = Vec::with_capacity((old + 1) * (old + 1));
        for left in 0..old {
            bounds.extend_from_slice(&self.bounds[left * old..(left + 1) * old]);
            bounds.push(NONE);
        }
        bounds.resize((old + 1) * (old + 1), NONE);
        self.count += 1;
        self.bounds = bounds;
        let at = old * self.count + old;
        self.bounds[at] = 0;
        if !self.order {
            self.require(Difference { left: old, right: 0, bound: high });
            self.require(Difference { left: 0, right: old, bound: -low });
        }
        old
    }

    /// Whether a constraint can hold as well.
    pub fn allows(&self, constraint: Difference) -> bool {
        let back = self.get(constraint.right, constraint.left);
        back >= NONE || back + constraint.bound >= 0
    }

    /// Whether a constraint holds already.
    pub fn implies(&self, constraint: Difference) -> bool {
        self.get(constraint.left, constraint.right) <= constraint.bound
    }

    /// Adds a constraint; whether the conjunction is still satisfiable.
    pub fn require(&mut self, constraint: Difference) -> bool {
        let Difference { left, right, bound } = constraint;
        if !self.allows(constraint) {
            return false;
        }
        if self.implies(constraint) {
            return true;
        }
        let clamp = |bound: i64| if self.order { bound.max(-1) } else { bound };
        let n = self.count;
        let before: Vec<i64> = (0..n).map(|i| self.get(i, left)).collect();
        let after: Vec<i64> = (0..n).map(|j| self.get(right, j)).collect();
        let mut tightened = Vec::new();
        for (i, to_left) in before.iter().enumerate() {
            for (j, from_right) in after.iter().enumerate() {
                if *to_left >= NONE || *from_right >= NONE {
                    continue;
                }
                let through = clamp(to_left + bound + from_right);
                if through < self.get(i, j) {
                    tightened.push((i * n + j, through));
                }
            }
        }
        for (at, bound) in tightened {
            self.bounds[at] = bound;
        }
        true
    }

    /// Integers that satisfy the conjunction, for the variables from 1 on; in
    /// the order theory, from `first` on.
    pub fn solve(&self, first: i64) -> Vec<i64> {
        if !self.order {
            return (1..self.count).map(|v| -self.get(0, v)).collect();
        }
        // The length of the longest strict chain below each.
        let mut ranks = vec![0i64; self.count];
        for _ in 0..self.count {
            for x in 1..self.count {
                for y in 1..self.count {
                    let bound = self.get(y, x);
                    if x != y && bound <= 0 {
                        ranks[x] = ranks[x].max(ranks[y] - bound);
                    }
                }
            }
        }
        ranks[1..].iter().map(|rank| first + rank).collect()
    }
}
