//! Concrete runs of C programs, recorded so that they can be explained.

use super::CProgram;
use parallax_base::Id;
use parallax_cfa::run::{Arbitrary, Options, Oracle, Outcome, Seeded};
use parallax_cfa::{FloatKind, Function, Recording, Scalar, ScalarType, arith, record};
use parallax_report as report;

/// Runs with more steps are not recorded step by step.
const RECORDED: usize = 2_000_000;

/// The inputs of a run and its limit.
#[derive(Clone, Debug)]
pub struct CInputs {
    /// The first inputs, as the user writes them: `-3`, `0x1f`, `'a'`, `2.5`.
    pub given: Vec<String>,
    /// Where further inputs come from; without a seed the run ends when there
    /// are none left.
    pub seed: Option<u64>,
    /// How many steps may be taken.
    pub max_steps: u64,
}

/// How a run ended, as far as exit codes tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CRunEnd {
    /// In good order.
    Fine,
    /// With an error or undefined behavior; or never, where that is asked.
    Wrong,
    /// By a limit, for want of inputs, or at something that is not modelled.
    Open,
}

impl CRunEnd {
    /// The end of a run.
    pub fn of(recording: &Recording) -> CRunEnd {
        match recording.report.outcome {
            Outcome::Exit(_) | Outcome::Halt => CRunEnd::Fine,
            Outcome::Error(_) | Outcome::Undefined(_) | Outcome::Endless => CRunEnd::Wrong,
            _ => CRunEnd::Open,
        }
    }
}

impl CProgram {
    /// A run as the renderers of [`parallax_report`] take it.
    pub fn view<'a>(&'a self, recording: &'a Recording) -> report::CRun<'a> {
        report::CRun {
            program: &self.program,
            sources: &self.sources,
            inputs: &recording.inputs,
            steps: &recording.steps,
            report: &recording.report,
        }
    }
}

/// Runs a program. Fails with a sentence if an input makes no sense.
pub fn run_c(c: &CProgram, inputs: &CInputs, is_recorded: bool) -> Result<Recording, String> {
    let mut oracle = Given::new(inputs);
    let options = Options { max_steps: inputs.max_steps, ..Options::about(&c.properties) };
    let steps = if is_recorded { RECORDED } else { 0 };
    let recording = record(&c.program, &mut oracle, options, steps);
    match oracle.problem {
        Some(problem) => Err(problem),
        None => Ok(recording),
    }
}

/// Inputs as the user wrote them, then random ones.
struct Given {
    given: std::vec::IntoIter<String>,
    number: usize,
    rest: Option<Seeded>,
    problem: Option<String>,
}

impl Given {
    fn new(inputs: &CInputs) -> Given {
        Given {
            given: inputs.given.clone().into_iter(),
            number: 0,
            rest: inputs.seed.map(Seeded::new),
            problem: None,
        }
    }
}

impl Oracle for Given {
    fn input(&mut self, name: &str, ty: ScalarType) -> Option<Scalar> {
        let Some(text) = self.given.next() else {
            return self.rest.as_mut().and_then(|rest| rest.input(name, ty));
        };
        self.number += 1;
        let value = parse_scalar(&text, ty);
        if value.is_none() {
            let number = self.number;
            self.problem = Some(format!("input {number}, `{text}`, is no value for `{name}`"));
        }
        value
    }

    fn arbitrary(&mut self, what: Arbitrary<'_>, ty: ScalarType) -> Scalar {
        match &mut self.rest {
            Some(rest) => rest.arbitrary(what, ty),
            None => Scalar { ty, bits: 0 },
        }
    }

    fn contents(&mut self, what: Arbitrary<'_>, bytes: &mut [u8]) {
        if let Some(rest) = &mut self.rest {
            rest.contents(what, bytes);
        }
    }

    fn overwrite(&mut self, by: &str, bytes: &mut [u8]) -> bool {
        self.rest.as_mut().is_some_and(|rest| rest.overwrite(by, bytes))
    }

    fn call_back(&mut self, known: &[Id<Function>]) -> Option<Id<Function>> {
        self.rest.as_mut().and_then(|rest| rest.call_back(known))
    }

    fn choose(&mut self, count: usize) -> usize {
        self.rest.as_mut().map_or(0, |rest| rest.choose(count))
    }
}

/// Reads `-3`, `0x1f`, `'a'` or `2.5` as a value of a type; `None` if it is
/// not one.
fn parse_scalar(text: &str, ty: ScalarType) -> Option<Scalar> {
    if let ScalarType::Float(kind) = ty {
        let bits = match kind {
            FloatKind::Float => u128::from(text.parse::<f32>().ok()?.to_bits()),
            FloatKind::Double => u128::from(text.parse::<f64>().ok()?.to_bits()),
            FloatKind::LongDouble | FloatKind::Float128 => {
                let double = u128::from(text.parse::<f64>().ok()?.to_bits());
                arith::convert(ScalarType::Float(FloatKind::Double), ty, double)
            }
        };
        return Some(Scalar { ty, bits });
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let quoted = digits.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    let magnitude = match (quoted, digits.strip_prefix("0x")) {
        (Some(character), _) => {
            let mut characters = character.chars();
            let first = characters.next()?;
            if characters.next().is_some() {
                return None;
            }
            u128::from(u32::from(first))
        }
        (None, Some(hexadecimal)) => u128::from_str_radix(hexadecimal, 16).ok()?,
        (None, None) => digits.parse::<u128>().ok()?,
    };
    let value = match negative {
        true => 0i128.checked_sub_unsigned(magnitude)?,
        false => magnitude as i128,
    };
    let scalar = Scalar::int(ty, value);
    (scalar.as_int() == value).then_some(scalar)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_as_users_write_them() {
        let check = |text: &str, ty: ScalarType, expected: Option<i128>| {
            assert_eq!(parse_scalar(text, ty).map(Scalar::as_int), expected, "{text}");
        };
        let (int, byte) = (ScalarType::INT, ScalarType::Int { bits: 8, signed: false });
        check("-3", int, Some(-3));
        check("0x1f", int, Some(31));
        check("'a'", byte, Some(97));
        check("255", byte, Some(255));
        check("256", byte, None);
        check("-1", byte, None);
        check("2147483648", int, None);
        check("x", int, None);
        check("", int, None);
        check("2", ScalarType::Bool, None);
        let double = ScalarType::Float(FloatKind::Double);
        let half = parse_scalar("0.5", double).map(|s| f64::from_bits(s.bits as u64));
        assert_eq!(half, Some(0.5));
    }
}
