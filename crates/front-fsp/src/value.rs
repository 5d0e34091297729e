//! Values and expressions.
//!
//! A value is a number or a label. A label that looks like a number is that
//! number, so the elements of `{[0..3], none}` mix. An expression is kept in
//! postfix order: it is evaluated without recursion. `&&` and `||` do not mind
//! an error on the side that does not count.

use parallax_base::Span;
use std::rc::Rc;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Value {
    Number(i64),
    Label(Rc<str>),
}

impl Value {
    pub(crate) fn of_label(label: &str) -> Value {
        match label.parse() {
            // `007` and `+7` stay labels.
            Ok(number) if i64::to_string(&number) == label => Value::Number(number),
            _ => Value::Label(label.into()),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Label(label) => f.write_str(label),
        }
    }
}

/// One step of an expression in postfix order.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Number(i64),
    /// A variable, parameter or constant.
    Name(Rc<str>, Span),
    /// `'label`, with what it expands to at the place where it is evaluated.
    Label(Rc<crate::ast::Labels>),
    /// `#S`: how many elements a set has.
    Size(Rc<crate::ast::SetExpr>),
    /// `@(S, e)`: an element of a set.
    Element(Rc<crate::ast::SetExpr>),
    Unary(&'static str),
    Binary(&'static str),
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) steps: Vec<Step>,
    pub(crate) span: Span,
}

impl Expr {
    /// The name, if it is nothing but a name.
    pub(crate) fn single_name(&self) -> Option<&Rc<str>> {
        match self.steps.as_slice() {
            [Step::Name(name, _)] => Some(name),
            _ => None,
        }
    }
}

/// Applies a binary operator.
pub(crate) fn binary(
    sign: &str,
    left: Result<Value, String>,
    right: Result<Value, String>,
) -> Result<Value, String> {
    if sign == "&&" || sign == "||" {
        return logic(sign, left, right);
    }
    let (left, right) = (left?, right?);
    match sign {
        "==" => return Ok(truth(left == right)),
        "!=" => return Ok(truth(left != right)),
        _ => {}
    }
    let (Value::Number(a), Value::Number(b)) = (&left, &right) else {
        return Err(format!("`{sign}` takes numbers, not `{left}` and `{right}`"));
    };
    let (a, b) = (*a, *b);
    let shift = || u32::try_from(b).ok().filter(|by| *by < 64);
    let result = match sign {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" | "%" if b == 0 => return Err(String::from("division by zero")),
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        "<<" => shift().and_then(|by| a.checked_mul(1i64.checked_shl(by)?)),
        ">>" => shift().map(|by| a >> by),
        "<" => return Ok(truth(a < b)),
        "<=" => return Ok(truth(a <= b)),
        ">" => return Ok(truth(a > b)),
        ">=" => return Ok(truth(a >= b)),
        "&" => Some(a & b),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        _ => None,
    };
    result.map(Value::Number).ok_or_else(|| format!("`{a} {sign} {b}` is not a 64-bit number"))
}

fn logic(
    sign: &str,
    left: Result<Value, String>,
    right: Result<Value, String>,
) -> Result<Value, String> {
    let decides = sign == "||";
    let first = is_true(&left?)?;
    if first == decides {
        return Ok(truth(decides));
    }
    Ok(truth(is_true(&right?)?))
}

/// Applies a unary operator.
pub(crate) fn unary(sign: &str, value: Result<Value, String>) -> Result<Value, String> {
    match (sign, value?) {
        ("!", value) => Ok(truth(!is_true(&value)?)),
        ("-", Value::Number(n)) => n.checked_neg().map(Value::Number).ok_or_else(overflow),
        ("+", Value::Number(n)) => Ok(Value::Number(n)),
        (sign, value) => Err(format!("`{sign}` takes a number, not `{value}`")),
    }
}

fn overflow() -> String {
    String::from("the number does not fit into 64 bits")
}

pub(crate) fn is_true(value: &Value) -> Result<bool, String> {
    match value {
        Value::Number(number) => Ok(*number != 0),
        Value::Label(label) => Err(format!("a condition is a number, not the label `{label}`")),
    }
}

fn truth(value: bool) -> Value {
    Value::Number(i64::from(value))
}
