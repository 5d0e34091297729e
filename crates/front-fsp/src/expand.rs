//! What labels, sets, indices and expressions stand for.

use crate::ast::{Index, IndexRange, LabelPart, Labels, Relabel, SetBase, SetExpr};
use crate::build::{Builder, Built, Env, MAX_EXPANSION, Meaning};
use crate::value::{Expr, Step, Value, binary, unary};
use parallax_base::Span;
use parallax_lts::Relabelling;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A label and the variables that were bound on the way to it.
pub(crate) type Expansion = (String, Env);

fn join(text: &str, part: &str) -> String {
    if text.is_empty() { part.to_owned() } else { format!("{text}.{part}") }
}

impl Builder<'_> {
    pub(crate) fn eval(&mut self, expr: &Expr, env: &Env) -> Built<Value> {
        let mut stack: Vec<Result<Value, String>> = Vec::new();
        for step in &expr.steps {
            let value = match step {
                Step::Number(number) => Ok(Value::Number(*number)),
                Step::Name(name, span) => self.lookup(name, *span, env)?,
                Step::Label(labels) => {
                    let all = self.expand(labels, env)?;
                    match all.as_slice() {
                        [(label, _)] => Ok(Value::of_label(label)),
                        _ => Err(String::from("a label in an expression is a single one")),
                    }
                }
                Step::Size(set) => Ok(Value::Number(self.set(set, env)?.len() as i64)),
                Step::Element(set) => {
                    let set = self.set(set, env)?;
                    match stack.pop() {
                        Some(Ok(Value::Number(index))) => usize::try_from(index)
                            .ok()
                            .and_then(|index| set.get(index))
                            .map(|label| Value::of_label(label))
                            .ok_or_else(|| format!("the set has no element number {index}")),
                        _ => Err(String::from("the number of an element is a number")),
                    }
                }
                Step::Unary(sign) => unary(sign, stack.pop().unwrap_or_else(missing)),
                Step::Binary(sign) => {
                    let right = stack.pop().unwrap_or_else(missing);
                    binary(sign, stack.pop().unwrap_or_else(missing), right)
                }
            };
            stack.push(value);
        }
        match stack.pop().unwrap_or_else(missing) {
            Ok(value) => Ok(value),
            Err(message) => self.error("F0006", expr.span, message),
        }
    }

    /// A range or set where a value is needed is an error of the text; a name
    /// that is not known as well.
    fn lookup(&mut self, name: &Rc<str>, span: Span, env: &Env) -> Built<Result<Value, String>> {
        if let Some(value) = env.get(name) {
            return Ok(Ok(value.clone()));
        }
        match self.names.get(name) {
            Some(Meaning::Constant(value)) => Ok(Ok(value.clone())),
            Some(_) => self.error("F0005", span, format!("`{name}` is not a single value")),
            None => {
                let what = if name.starts_with(|c: char| c.is_ascii_uppercase()) {
                    "constant or parameter"
                } else {
                    "variable"
                };
                self.error("F0003", span, format!("there is no {what} `{name}`"))
            }
        }
    }

    pub(crate) fn number(&mut self, expr: &Expr, env: &Env) -> Built<i64> {
        match self.eval(expr, env)? {
            Value::Number(number) => Ok(number),
            Value::Label(label) => {
                self.error("F0005", expr.span, format!("a number is needed, not `{label}`"))
            }
        }
    }

    pub(crate) fn truth(&mut self, expr: &Expr, env: &Env) -> Built<bool> {
        match crate::value::is_true(&self.eval(expr, env)?) {
            Ok(truth) => Ok(truth),
            Err(message) => self.error("F0005", expr.span, message),
        }
    }

    /// All labels, in order, with what their indices bind.
    pub(crate) fn expand(&mut self, labels: &Labels, env: &Env) -> Built<Vec<Expansion>> {
        let mut all: Vec<Expansion> = vec![(String::new(), env.clone())];
        for part in &labels.parts {
            let mut next = Vec::new();
            for (text, env) in all {
                match part {
                    LabelPart::Name(name) => next.push((join(&text, name), env)),
                    LabelPart::Set(set) => {
                        for label in self.set(set, &env)? {
                            next.push((join(&text, &label), env.clone()));
                        }
                    }
                    LabelPart::Index(index) => {
                        for (value, env) in self.index(index, &env, labels.span)? {
                            next.push((join(&text, &value.to_string()), env));
                        }
                    }
                }
                if next.len() > MAX_EXPANSION {
                    let message = format!("more than {MAX_EXPANSION} labels");
                    return self.error("F0007", labels.span, message);
                }
            }
            self.budget.check()?;
            all = next;
        }
        Ok(all)
    }

    /// The plain labels.
    pub(crate) fn plain(&mut self, labels: &Labels, env: &Env) -> Built<Vec<String>> {
        Ok(self.expand(labels, env)?.into_iter().map(|(label, _)| label).collect())
    }

    /// The values of an index, each with the environment in which its variable
    /// has it.
    fn index(&mut self, index: &Index, env: &Env, span: Span) -> Built<Vec<(Value, Env)>> {
        let values: Vec<Value> = match &index.range {
            IndexRange::Set(set) => {
                self.set(set, env)?.iter().map(|label| Value::of_label(label)).collect()
            }
            IndexRange::Range(low, high) => {
                let (low, high) = (self.number(low, env)?, self.number(high, env)?);
                self.range(low, high, span)?
            }
            IndexRange::Value(expr) => {
                let name = expr.single_name().filter(|name| env.get(name).is_none());
                match name.and_then(|name| self.names.get(name)).cloned() {
                    Some(Meaning::Range(low, high)) => self.range(low, high, span)?,
                    Some(Meaning::Set(set)) => set.iter().map(|l| Value::of_label(l)).collect(),
                    _ => vec![self.eval(expr, env)?],
                }
            }
        };
        let bind = |value: Value| {
            let mut env = env.clone();
            if let Some(variable) = &index.variable {
                env.bind(&variable.text, value.clone());
            }
            (value, env)
        };
        Ok(values.into_iter().map(bind).collect())
    }

    fn range(&mut self, low: i64, high: i64, span: Span) -> Built<Vec<Value>> {
        let size = high.checked_sub(low).and_then(|size| usize::try_from(size).ok());
        if low <= high && size.is_none_or(|size| size >= MAX_EXPANSION) {
            let message = format!("the range {low}..{high} has too many values");
            return self.error("F0007", span, message);
        }
        Ok((low..=high).map(Value::Number).collect())
    }

    /// All values of some indices: the text after the name, and the bindings.
    pub(crate) fn indices(
        &mut self,
        indices: &[Index],
        env: &Env,
        span: Span,
    ) -> Built<Vec<Expansion>> {
        let parts = indices.iter().cloned().map(LabelPart::Index).collect();
        self.expand(&Labels { parts, span }, env)
    }

    /// The elements of a set, in order, each once.
    pub(crate) fn set(&mut self, set: &SetExpr, env: &Env) -> Built<Vec<String>> {
        self.deeper(set.span, |builder| builder.set_elements(set, env))
    }

    fn set_elements(&mut self, set: &SetExpr, env: &Env) -> Built<Vec<String>> {
        let mut elements = Vec::new();
        match &set.base {
            SetBase::Name(name) => match self.names.get(&name.text) {
                Some(Meaning::Set(set)) => elements.extend(set.iter().cloned()),
                Some(Meaning::Range(low, high)) => {
                    let (low, high) = (*low, *high);
                    let values = self.range(low, high, name.span)?;
                    elements.extend(values.iter().map(ToString::to_string));
                }
                _ => match env.get(&name.text) {
                    Some(value) => elements.push(value.to_string()),
                    None => {
                        let message = format!("there is no set `{}`", name.text);
                        return self.error("F0003", name.span, message);
                    }
                },
            },
            SetBase::List(list) => {
                for labels in list {
                    elements.extend(self.plain(labels, env)?);
                }
            }
        }
        let gone: BTreeSet<String> = match &set.minus {
            Some(minus) => self.set(minus, env)?.into_iter().collect(),
            None => BTreeSet::new(),
        };
        let mut seen = BTreeSet::new();
        elements.retain(|label| !gone.contains(label) && seen.insert(label.clone()));
        Ok(elements)
    }

    /// What is renamed to what.
    pub(crate) fn relabelling(&mut self, list: &[Relabel], env: &Env) -> Built<Relabelling> {
        let mut result = Relabelling::default();
        self.relabel_into(list, env, &mut result)?;
        Ok(result)
    }

    fn relabel_into(&mut self, list: &[Relabel], env: &Env, result: &mut Relabelling) -> Built<()> {
        for relabel in list {
            match relabel {
                Relabel::Pair(new, old) => {
                    for (new, env) in self.expand(new, env)? {
                        for old in self.plain(old, &env)? {
                            result.add(&new, &old);
                        }
                    }
                }
                Relabel::Forall(indices, inner) => {
                    for (_, env) in self.indices(indices, env, Span::default())? {
                        self.relabel_into(inner, &env, result)?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn missing() -> Result<Value, String> {
    Err(String::from("the expression is incomplete"))
}
