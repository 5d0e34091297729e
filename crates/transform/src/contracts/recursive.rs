//! Which functions recur, and whether a contract can stand for their calls.
//!
//! A contract says nothing of memory. It can stand for a call only if all that
//! the call touches are its own variables and static scalars: then what a call
//! may change is a list of variables, known from the text. Everything reached
//! through a pointer, on the heap, in an address-taken local variable or in a
//! static object of another kind is a reason to refuse. Static objects that
//! nobody ever writes are no such reason: they are what they were at the start.

use crate::rewrite::Uses;
use parallax_base::Id;
use parallax_cfa::{Base, Callee, ExprKind, Function, Op, Program, Storage, Type, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// A function that recurs.
#[derive(Clone, Debug)]
pub struct Recursive {
    /// The function.
    pub function: Id<Function>,
    /// What a call of it may touch; or why no contract can stand for its calls.
    pub touched: Result<Touched, String>,
}

/// The static variables that a call may touch; all of them are scalars.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Touched {
    /// Read or written.
    pub all: BTreeSet<Id<Variable>>,
    /// Written.
    pub written: BTreeSet<Id<Variable>>,
}

/// Widest integers that contracts speak of.
const MAX_BITS: u32 = 64;

/// The functions that `main` may call and that may come to be called again
/// before they return. Calls through pointers must be resolved before.
pub fn recursive(program: &Program) -> Vec<Recursive> {
    let Some(main) = program.main else { return Vec::new() };
    let calls: Vec<BTreeSet<Id<Function>>> = program.functions.iter().map(callees).collect();
    let reached = reach(&calls, &calls[main.index()]);
    let written = written(program, reached.iter().copied().chain([main]));
    let mut found = Vec::new();
    for &function in &reached {
        let below = reach(&calls, &calls[function.index()]);
        if !program.functions[function].is_defined || !below.contains(&function) {
            continue;
        }
        let touched = match below.contains(&main) {
            true => Err("a call of `main`".to_owned()),
            false => touched(program, function, &below, &written),
        };
        found.push(Recursive { function, touched });
    }
    found
}

fn callees(function: &Function) -> BTreeSet<Id<Function>> {
    let called = function.edges.iter().filter_map(|edge| match edge.op {
        Op::Call { callee: Callee::Direct(f), .. } => Some(f),
        _ => None,
    });
    called.collect()
}

/// All functions that are called from these on.
fn reach(
    calls: &[BTreeSet<Id<Function>>],
    from: &BTreeSet<Id<Function>>,
) -> BTreeSet<Id<Function>> {
    let mut found = from.clone();
    let mut open: Vec<Id<Function>> = from.iter().copied().collect();
    while let Some(function) = open.pop() {
        for &callee in &calls[function.index()] {
            if found.insert(callee) {
                open.push(callee);
            }
        }
    }
    found
}

/// The variable that an operation stores to, if it names one.
fn target(program: &Program, op: &Op) -> Option<Id<Variable>> {
    let place = match op {
        Op::Assign(to, _) | Op::Copy { to, .. } | Op::Input { to, .. } | Op::Havoc { to, .. } => {
            *to
        }
        Op::Call { to, .. } | Op::Primitive { to, .. } => (*to)?,
        _ => return None,
    };
    match program.places[place].base {
        Base::Variable(v) => Some(v),
        Base::Pointer(_) => None,
    }
}

/// The variables that these functions name as targets.
fn written(
    program: &Program,
    functions: impl Iterator<Item = Id<Function>>,
) -> BTreeSet<Id<Variable>> {
    let edges = functions.flat_map(|f| &program.functions[f].edges);
    edges.filter_map(|edge| target(program, &edge.op)).collect()
}

/// What contracts can pass and return: numbers.
fn is_number(program: &Program, ty: Id<Type>) -> bool {
    match program.types.get(ty) {
        Type::Float(_) => true,
        _ => program.types.int_kind(ty).is_some(),
    }
}

/// Whether contracts can speak of values of a type.
pub fn is_integer(program: &Program, ty: Id<Type>) -> bool {
    let bits = program.types.size_of(ty).map(|bytes| bytes * 8);
    program.types.int_kind(ty).is_some() && bits.is_some_and(|b| b <= u64::from(MAX_BITS))
}

fn touched(
    program: &Program,
    function: Id<Function>,
    below: &BTreeSet<Id<Function>>,
    written_anywhere: &BTreeSet<Id<Variable>>,
) -> Result<Touched, String> {
    let data = &program.functions[function];
    let Type::Function(ty) = program.types.get(data.ty) else {
        return Err("a function without a type".to_owned());
    };
    if ty.variadic || ty.parameters.len() != data.parameters.len() {
        return Err("a variable number of arguments".to_owned());
    }
    let is_void = *program.types.get(ty.result) == Type::Void;
    let number = |v: &Id<Variable>| is_number(program, program.variables[*v].ty);
    if !data.parameters.iter().all(number) || !is_void && !is_number(program, ty.result) {
        return Err("arguments or results that are not numbers".to_owned());
    }
    let mut found = Touched::default();
    let mut seen = BTreeMap::new();
    for &inner in below {
        let body = &program.functions[inner];
        for edge in &body.edges {
            operation(program, &edge.op)?;
            if let Some(v) = target(program, &edge.op) {
                seen.insert(v, true);
            }
        }
        let uses = Uses::of_function(program, body);
        for place in &uses.places {
            match program.places[*place].base {
                Base::Variable(v) => drop(seen.entry(v).or_insert(false)),
                Base::Pointer(_) => return Err("an access through a pointer".to_owned()),
            }
        }
        let wrong = uses.exprs.iter().find_map(|e| address(program, &program.exprs[*e].kind));
        if let Some(why) = wrong {
            return Err(why);
        }
    }
    for (v, is_written) in seen {
        let variable = &program.variables[v];
        let name = &variable.name;
        match variable.storage {
            Storage::Parameter | Storage::Local | Storage::Temporary => {
                if variable.address_taken {
                    return Err(format!("the address of `{name}`"));
                }
            }
            Storage::Thread => return Err(format!("thread-local storage of `{name}`")),
            Storage::Static => {
                let is_fixed = !variable.address_taken && !written_anywhere.contains(&v);
                if is_fixed || variable.read_only {
                    continue;
                }
                if !is_number(program, variable.ty) {
                    return Err(format!("the contents of `{name}`"));
                }
                found.all.insert(v);
                if is_written {
                    found.written.insert(v);
                }
            }
        }
    }
    Ok(found)
}

/// Why an operation is more than a contract can stand for.
fn operation(program: &Program, op: &Op) -> Result<(), String> {
    match op {
        Op::Primitive { .. } => Err("memory that is allocated, freed or copied".to_owned()),
        Op::Live(_, Some(_)) => Err("an array of variable length".to_owned()),
        Op::Call { callee: Callee::Indirect(_), .. } => Err("a call through a pointer".to_owned()),
        // It may write what pointers lead to that others were given before.
        Op::Call { callee: Callee::Direct(f), .. } if program.functions[*f].is_unknown() => {
            Err(format!("a call of `{}`, which is not defined", program.functions[*f].name))
        }
        _ => Ok(()),
    }
}

/// Why an expression makes a pointer that matters.
fn address(program: &Program, kind: &ExprKind) -> Option<String> {
    let ExprKind::Address(place) = kind else { return None };
    match program.places[*place].base {
        Base::Variable(v) if program.variables[v].read_only => None,
        Base::Variable(v) => Some(format!("the address of `{}`", program.variables[v].name)),
        Base::Pointer(_) => Some("an address".to_owned()),
    }
}
