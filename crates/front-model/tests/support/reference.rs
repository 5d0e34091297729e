//! A second meaning of models: a naive interpreter of the syntax tree.
//!
//! It knows nothing of terms, intervals or projection. States map cell names to
//! numbers (truth values are 0 and 1). Only what the random models use is
//! implemented: one family `P[i in 0..2]`, constant ranges.

use parallax_front_model::ast::*;
use std::collections::BTreeMap;

pub(crate) type State = BTreeMap<String, i128>;

/// Evaluation went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wrong;

/// What a command does in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// Not at its source, guard false, or nothing to choose from.
    Disabled,
    /// A value error.
    Wrong,
    /// The states after it, sorted, without repetition.
    Next(Vec<State>),
}

/// Least and greatest value of every cell with a range.
pub(crate) type Ranges = BTreeMap<String, (i128, i128)>;

/// Why a run of an update ended early.
enum End {
    Wrong,
    Empty,
}

/// Answers `any` by a list of choices, extended on demand.
struct Choices {
    picked: Vec<(i128, i128, i128)>,
    used: usize,
}

impl Choices {
    fn choose(&mut self, low: i128, high: i128) -> i128 {
        if self.used == self.picked.len() {
            self.picked.push((low, low, high));
        }
        self.used += 1;
        self.picked[self.used - 1].0
    }

    /// Moves to the next list of choices, the last one first.
    fn advance(&mut self) -> bool {
        while let Some((value, low, high)) = self.picked.pop() {
            if value < high {
                self.picked.push((value + 1, low, high));
                return true;
            }
        }
        false
    }
}

pub(crate) struct Machine<'m> {
    pub(crate) ranges: &'m Ranges,
    /// How many cells an array has.
    pub(crate) arrays: &'m BTreeMap<&'static str, i128>,
    pub(crate) enums: &'m [&'static str],
    pub(crate) locations: &'m [&'static str],
    /// The values `any` takes for an unbounded integer.
    pub(crate) any_int: (i128, i128),
}

struct Scope<'m> {
    state: State,
    process: String,
    bound: Vec<(&'m str, i128)>,
}

impl Machine<'_> {
    /// Runs one command of process `P[member]`, from the given source.
    pub(crate) fn run<'m>(
        &self,
        state: &State,
        member: i128,
        command: &Command<'m>,
        binders: &[(&'m str, i128)],
        source: &str,
    ) -> Outcome {
        let process = format!("P[{member}]");
        let at = |name: &str| self.locations.iter().position(|l| *l == name).map(|l| l as i128);
        let control = format!("{process}@");
        if state.get(&control).copied() != at(source) {
            return Outcome::Disabled;
        }
        let mut bound = vec![("N", 2), ("i", member)];
        bound.extend_from_slice(binders);
        let scope = Scope { state: state.clone(), process, bound };
        match command.guard.as_ref().map_or(Ok(1), |g| self.eval(g, &scope)) {
            Err(Wrong) => return Outcome::Wrong,
            Ok(0) => return Outcome::Disabled,
            Ok(_) => {}
        }
        let mut choices = Choices { picked: Vec::new(), used: 0 };
        let mut next = Vec::new();
        let (mut wrong, mut empty) = (false, false);
        loop {
            choices.used = 0;
            let mut after = Scope {
                state: state.clone(),
                process: scope.process.clone(),
                bound: scope.bound.clone(),
            };
            let done = match &command.update {
                Update::Nothing => Ok(()),
                Update::Assigns(list) => self.assigns(list, &mut after, &mut choices),
                Update::Block(stmts) => self.block(stmts, &mut after, &mut choices),
            };
            match done {
                Err(End::Empty) => empty = true,
                Err(End::Wrong) => wrong = true,
                Ok(()) => {
                    let target = command.route.as_ref().and_then(|r| at(r.target.text));
                    after.state.insert(control.clone(), target.unwrap_or(0));
                    next.push(after.state);
                }
            }
            if !choices.advance() {
                break;
            }
        }
        next.sort();
        next.dedup();
        match (wrong, empty) {
            (true, _) => Outcome::Wrong,
            (false, true) => Outcome::Disabled,
            (false, false) => Outcome::Next(next),
        }
    }

    fn block(&self, stmts: &[Stmt<'_>], scope: &mut Scope<'_>, c: &mut Choices) -> Result<(), End> {
        for stmt in stmts {
            match stmt {
                Stmt::Assigns(list) => self.assigns(list, scope, c)?,
                Stmt::If { branches, otherwise } => {
                    let mut taken = otherwise;
                    for (condition, body) in branches {
                        if self.eval(condition, scope).map_err(|Wrong| End::Wrong)? != 0 {
                            taken = body;
                            break;
                        }
                    }
                    self.block(taken, scope, c)?;
                }
            }
        }
        Ok(())
    }

    fn assigns(
        &self,
        list: &[Assign<'_>],
        scope: &mut Scope<'_>,
        choices: &mut Choices,
    ) -> Result<(), End> {
        let mut writes = Vec::new();
        for assign in list {
            let cell = self.cell(&assign.target.name, &assign.target.indices, scope);
            let cell = cell.map_err(|Wrong| End::Wrong)?;
            let value = match &assign.value {
                Value::Expr(e) => self.eval(e, scope),
                Value::Any(None, _) => {
                    let (low, high) = self.range_of(assign.target.name.text, scope);
                    Ok(choices.choose(low, high))
                }
                Value::Any(Some(range), _) => {
                    let (low, high) = self.range(range, scope).map_err(|Wrong| End::Wrong)?;
                    if low > high {
                        return Err(End::Empty);
                    }
                    Ok(choices.choose(low, high))
                }
            };
            let value = value.map_err(|Wrong| End::Wrong)?;
            let range = self.ranges.get(&cell);
            if range.is_some_and(|(low, high)| value < *low || value > *high) {
                return Err(End::Wrong);
            }
            writes.push((cell, value));
        }
        scope.state.extend(writes);
        Ok(())
    }

    fn range_of(&self, name: &str, scope: &Scope<'_>) -> (i128, i128) {
        let candidates =
            [name.to_owned(), format!("{name}[0]"), format!("{}.{name}", scope.process)];
        let known = candidates.iter().find_map(|n| self.ranges.get(n));
        known.copied().unwrap_or(if name.starts_with('b') { (0, 1) } else { self.any_int })
    }

    fn range(&self, range: &Range<'_>, scope: &Scope<'_>) -> Result<(i128, i128), Wrong> {
        let (low, high) = (self.eval(&range.low, scope)?, self.eval(&range.high, scope)?);
        Ok((low, if range.inclusive { high } else { high - 1 }))
    }

    fn cell(
        &self,
        name: &Name<'_>,
        indices: &[Expr<'_>],
        scope: &Scope<'_>,
    ) -> Result<String, Wrong> {
        let local = format!("{}.{}", scope.process, name.text);
        match indices {
            [] if scope.state.contains_key(&local) => Ok(local),
            [] => Ok(name.text.to_owned()),
            [index] => {
                let index = self.eval(index, scope)?;
                if index < 0 || index >= self.arrays[name.text] {
                    return Err(Wrong);
                }
                Ok(format!("{}[{index}]", name.text))
            }
            _ => unreachable!("no matrices here"),
        }
    }

    fn eval(&self, e: &Expr<'_>, scope: &Scope<'_>) -> Result<i128, Wrong> {
        let value = |e: &Expr<'_>| self.eval(e, scope);
        Ok(match &e.kind {
            ExprKind::Int(text) => text.parse().expect("a small number"),
            ExprKind::Bool(b) => i128::from(*b),
            ExprKind::Name(name) => {
                let bound = scope.bound.iter().rev().find(|(n, _)| n == name);
                let local = scope.state.get(&format!("{}.{name}", scope.process));
                let value = bound.map(|(_, v)| v).or(local).or(scope.state.get(*name));
                match value {
                    Some(value) => *value,
                    None => {
                        self.enums.iter().position(|n| n == name).expect("a known name") as i128
                    }
                }
            }
            ExprKind::Path(path) => scope.state[&self.cell(&path.name, &path.indices, scope)?],
            ExprKind::At(at) => {
                let member = value(&at.indices[0])?;
                let location = self.locations.iter().position(|l| *l == at.location.text);
                let control = scope.state.get(&format!("P[{member}]@")).ok_or(Wrong)?;
                i128::from(Some(*control) == location.map(|l| l as i128))
            }
            ExprKind::Unary(UnaryOp::Neg, a) => -value(a)?,
            ExprKind::Unary(UnaryOp::Not, a) => 1 - value(a)?,
            ExprKind::Compare(op, ab) => {
                let (a, b) = (value(&ab.0)?, value(&ab.1)?);
                i128::from(match op {
                    CompareOp::Eq => a == b,
                    CompareOp::Ne => a != b,
                    CompareOp::Lt => a < b,
                    CompareOp::Le => a <= b,
                    CompareOp::Gt => a > b,
                    CompareOp::Ge => a >= b,
                })
            }
            ExprKind::Chain(chain) => self.chain(chain, scope)?,
            ExprKind::If(choice) => {
                for (condition, branch) in &choice.branches {
                    if value(condition)? != 0 {
                        return value(branch);
                    }
                }
                value(&choice.otherwise)?
            }
            ExprKind::Fold(fold) => self.fold(fold, scope)?,
            ExprKind::Call(function, arguments) => {
                let all: Result<Vec<i128>, Wrong> = arguments.iter().map(value).collect();
                let all = all?;
                match function {
                    Function::Min => *all.iter().min().expect("two arguments"),
                    Function::Max => *all.iter().max().expect("two arguments"),
                    Function::Abs => all[0].abs(),
                }
            }
        })
    }

    fn chain(&self, chain: &Chain<'_>, scope: &Scope<'_>) -> Result<i128, Wrong> {
        let op = chain.rest[0].0;
        if op == BinaryOp::Implies {
            let operands: Vec<&Expr<'_>> =
                [&chain.first].into_iter().chain(chain.rest.iter().map(|(_, e)| e)).collect();
            let (last, premises) = operands.split_last().expect("two operands");
            for premise in premises {
                if self.eval(premise, scope)? == 0 {
                    return Ok(1);
                }
            }
            return self.eval(last, scope);
        }
        let mut left = self.eval(&chain.first, scope)?;
        for (op, e) in &chain.rest {
            match op {
                BinaryOp::And if left == 0 => continue,
                BinaryOp::Or if left != 0 => continue,
                _ => {}
            }
            let right = self.eval(e, scope)?;
            left = match op {
                BinaryOp::Iff => i128::from(left == right),
                BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => right,
                BinaryOp::Add => left + right,
                BinaryOp::Sub => left - right,
                BinaryOp::Mul => left * right,
                BinaryOp::Div => left.checked_div_euclid(right).ok_or(Wrong)?,
                BinaryOp::Mod => left.checked_rem_euclid(right).ok_or(Wrong)?,
            };
        }
        Ok(left)
    }

    fn fold(&self, fold: &Fold<'_>, scope: &Scope<'_>) -> Result<i128, Wrong> {
        let binder = &fold.binders[0];
        let Domain::Range(range) = &binder.domain else { unreachable!("only ranges here") };
        let (low, high) = self.range(range, scope)?;
        let mut values = Vec::new();
        for value in low..=high {
            let mut bound = scope.bound.clone();
            bound.push((binder.name.text, value));
            let inner = Scope { state: scope.state.clone(), process: scope.process.clone(), bound };
            values.push(self.eval(&fold.body, &inner));
        }
        let values: Vec<i128> = values.into_iter().collect::<Result<_, _>>()?;
        Ok(match fold.kind {
            FoldKind::Forall => i128::from(values.iter().all(|v| *v != 0)),
            FoldKind::Exists => i128::from(values.iter().any(|v| *v != 0)),
            FoldKind::Sum | FoldKind::Count => values.iter().sum(),
        })
    }
}
