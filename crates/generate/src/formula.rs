//! Random formulas of linear arithmetic, as text in SMT-LIB, and how far terms
//! reach over their solutions in a box of integers, by trying all points.

use crate::Random;

/// A sum of multiples of the numbers `n0`, `n1`, `n2`.
pub type Sum = Vec<(i64, usize)>;

/// A formula over the numbers `n0` to `n2` and the truth values `b0` and `b1`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// A sum compared with a constant.
    Compare(&'static str, Sum, i64),
    /// `(<= (ite b n (- m)) k)`.
    Choice(usize, usize, usize, i64),
    /// A truth value.
    Truth(usize),
    /// All of them.
    And(Vec<Formula>),
    /// One of them.
    Or(Vec<Formula>),
    /// Not.
    Not(Box<Formula>),
    /// Both or none.
    Same(Box<Formula>, Box<Formula>),
    /// `(let ((s a)) (or (and s b) (not s)))`.
    Let(Box<Formula>, Box<Formula>),
}

/// The terms that are bounded.
pub const TERMS: [&[(i64, usize)]; 4] = [&[(1, 0)], &[(1, 1)], &[(1, 2)], &[(1, 0), (2, 1)]];

/// The formula of a number.
pub fn formula(seed: u64) -> Formula {
    draw(&mut Random(seed), 4)
}

fn draw(random: &mut Random, depth: u32) -> Formula {
    if depth == 0 || random.below(4) == 0 {
        return match random.below(7) {
            0 => Formula::Truth(random.index(2)),
            1 => {
                let (b, v, w) = (random.index(2), random.index(3), random.index(3));
                Formula::Choice(b, v, w, random.between(-3, 3))
            }
            _ => {
                let sign = random.pick(&["<=", "<", ">=", ">", "=", "<=", ">="]);
                let part = |_| (random.between(-2, 2), random.index(3));
                let sum = (0..2).map(part).collect();
                Formula::Compare(sign, sum, random.between(-4, 4))
            }
        };
    }
    let two = |random: &mut Random| {
        let first = Box::new(draw(random, depth - 1));
        (first, Box::new(draw(random, depth - 1)))
    };
    match random.below(7) {
        0..=2 => Formula::And((0..2 + random.below(2)).map(|_| draw(random, depth - 1)).collect()),
        3 => Formula::Or((0..2 + random.below(2)).map(|_| draw(random, depth - 1)).collect()),
        4 => Formula::Not(Box::new(draw(random, depth - 1))),
        5 => {
            let (a, b) = two(random);
            Formula::Same(a, b)
        }
        _ => {
            let (a, b) = two(random);
            Formula::Let(a, b)
        }
    }
}

fn literal(value: i64) -> String {
    if value < 0 { format!("(- {})", -value) } else { value.to_string() }
}

/// A sum as text.
pub fn sum_text(sum: &[(i64, usize)]) -> String {
    let parts: Vec<String> = sum.iter().map(|(c, v)| format!("(* {} n{v})", literal(*c))).collect();
    format!("(+ 0 {})", parts.join(" "))
}

impl Formula {
    /// The formula as text.
    pub fn text(&self) -> String {
        let list = |all: &[Formula]| all.iter().map(Formula::text).collect::<Vec<_>>().join(" ");
        match self {
            Formula::Compare(sign, sum, value) => {
                format!("({sign} {} {})", sum_text(sum), literal(*value))
            }
            Formula::Choice(b, v, w, value) => {
                format!("(<= (ite b{b} n{v} (- n{w})) {})", literal(*value))
            }
            Formula::Truth(b) => format!("b{b}"),
            Formula::And(all) => format!("(and {})", list(all)),
            Formula::Or(all) => format!("(or {})", list(all)),
            Formula::Not(inner) => format!("(not {})", inner.text()),
            Formula::Same(a, b) => format!("(= {} {})", a.text(), b.text()),
            Formula::Let(a, b) => {
                format!("(let ((s {})) (or (and s {}) (not s)))", a.text(), b.text())
            }
        }
    }

    /// Whether a point satisfies it.
    pub fn is_true(&self, numbers: [i64; 3], truths: [bool; 2]) -> bool {
        let is = |formula: &Formula| formula.is_true(numbers, truths);
        match self {
            Formula::Compare(sign, sum, value) => {
                let sum = evaluate(sum, numbers);
                match *sign {
                    "<=" => sum <= *value,
                    "<" => sum < *value,
                    ">=" => sum >= *value,
                    ">" => sum > *value,
                    _ => sum == *value,
                }
            }
            Formula::Choice(b, v, w, value) => {
                (if truths[*b] { numbers[*v] } else { -numbers[*w] }) <= *value
            }
            Formula::Truth(b) => truths[*b],
            Formula::And(all) => all.iter().all(is),
            Formula::Or(all) => all.iter().any(is),
            Formula::Not(inner) => !is(inner),
            Formula::Same(a, b) => is(a) == is(b),
            Formula::Let(a, b) => !is(a) || is(b),
        }
    }
}

fn evaluate(sum: &[(i64, usize)], numbers: [i64; 3]) -> i64 {
    sum.iter().map(|(c, v)| c * numbers[*v]).sum()
}

/// The problem to bound [`TERMS`] over the integers from `-size` to `size`.
pub fn problem(formula: &Formula, size: i64) -> String {
    let mut text = String::from("(set-option :opt.priority box)\n");
    (0..3).for_each(|v| text.push_str(&format!("(declare-const n{v} Int)\n")));
    (0..2).for_each(|b| text.push_str(&format!("(declare-const b{b} Bool)\n")));
    for v in 0..3 {
        text.push_str(&format!("(assert (and (<= n{v} {size}) (>= n{v} (- {size}))))\n"));
    }
    text.push_str(&format!("(assert {})\n", formula.text()));
    for term in TERMS {
        let term = sum_text(term);
        text.push_str(&format!("(minimize {term})\n(maximize {term})\n"));
    }
    text
}

/// The least and the largest value of each of [`TERMS`] over the box; nothing
/// if no point satisfies the formula.
pub fn extremes(formula: &Formula, size: i64) -> Option<Vec<(i64, i64)>> {
    let mut best: Option<Vec<(i64, i64)>> = None;
    let range = || -size..=size;
    for a in range() {
        for b in range() {
            for c in range() {
                let numbers = [a, b, c];
                let is = |bits: u8| formula.is_true(numbers, [bits & 1 == 1, bits & 2 == 2]);
                if !(0..4).any(is) {
                    continue;
                }
                let values = TERMS.map(|term| evaluate(term, numbers));
                match &mut best {
                    None => best = Some(values.iter().map(|v| (*v, *v)).collect()),
                    Some(best) => {
                        for (best, value) in best.iter_mut().zip(values) {
                            *best = (best.0.min(value), best.1.max(value));
                        }
                    }
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_repeat_and_most_have_solutions() {
        let found = (0..200).filter(|seed| {
            assert_eq!(formula(*seed), formula(*seed));
            extremes(&formula(*seed), 3).is_some()
        });
        let found = found.count();
        assert!(found > 100 && found < 200, "{found}");
    }

    #[test]
    fn extremes_of_a_half() {
        let half = Formula::Compare("<", vec![(1, 0), (1, 1)], 0);
        assert_eq!(extremes(&half, 2), Some(vec![(-2, 1), (-2, 1), (-2, 2), (-6, 0)]));
    }
}
