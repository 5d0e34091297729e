//! A function that shall have a contract, and the values that it can be about.

use parallax_base::Id;
use parallax_cfa::run::View;
use parallax_cfa::{Function, Program, Scalar, Type};
use parallax_encode::resolved;
use parallax_transform::contracts::{Atom, Touched, is_integer, recursive, speakable};

/// Most static variables that a contract speaks of.
const GLOBALS: usize = 6;

/// A recursive function whose calls a contract can stand for.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The function.
    pub function: Id<Function>,
    /// What is known when it is called: parameters, static variables.
    pub early: Vec<Atom>,
    /// What is known when it returns: the result, static variables it may write.
    pub late: Vec<Atom>,
    /// Whether these are all that a call depends on and changes.
    pub(crate) is_told: bool,
}

/// The recursive functions that contracts suit; and whether there are others.
pub fn subjects(program: &Program) -> (Vec<Subject>, bool) {
    let mut found = Vec::new();
    let mut others = false;
    for recursive in recursive(&resolved(program).program) {
        match &recursive.touched {
            Ok(touched) => found.push(Subject::new(program, recursive.function, touched)),
            Err(_) => others = true,
        }
    }
    (found, others)
}

impl Subject {
    fn new(program: &Program, id: Id<Function>, touched: &Touched) -> Subject {
        let function = &program.functions[id];
        let names = speakable(program, id);
        let speaks =
            |v: &&Id<_>| names.contains(*v) && is_integer(program, program.variables[**v].ty);
        let mut early: Vec<Atom> = (0..function.parameters.len())
            .filter(|&at| is_integer(program, program.variables[function.parameters[at]].ty))
            .map(Atom::Parameter)
            .collect();
        early.extend(touched.all.iter().filter(speaks).take(GLOBALS).map(|v| Atom::Before(*v)));
        let mut late = Vec::new();
        if let Type::Function(ty) = program.types.get(function.ty)
            && is_integer(program, ty.result)
        {
            late.push(Atom::Result);
        }
        let told = |atom: Atom| early.contains(&atom);
        let written = touched.written.iter().filter(|v| told(Atom::Before(**v)));
        late.extend(written.map(|v| Atom::After(*v)));
        let is_void = |ty: Id<Type>| *program.types.get(ty) == Type::Void;
        let is_told = early.len() == function.parameters.len() + touched.all.len()
            && late.len() >= touched.written.len()
            && matches!(program.types.get(function.ty), Type::Function(ty)
                if is_void(ty.result) || late.first() == Some(&Atom::Result));
        Subject { function: id, early, late, is_told }
    }

    /// The early values at the first step of a call; `None` if one is not known.
    pub(crate) fn early_values(&self, program: &Program, view: &View<'_>) -> Option<Vec<i128>> {
        let parameters = &program.functions[self.function].parameters;
        let value = |atom: &Atom| match *atom {
            Atom::Parameter(at) => view.scalar(parameters[at]).map(Scalar::as_int),
            Atom::Before(v) => view.scalar(v).map(Scalar::as_int),
            Atom::Result | Atom::After(_) => None,
        };
        self.early.iter().map(value).collect()
    }

    /// The late values after a call.
    pub(crate) fn late_values(&self, view: &View<'_>, result: Option<Scalar>) -> Option<Vec<i128>> {
        let value = |atom: &Atom| match *atom {
            Atom::Result => result.map(Scalar::as_int),
            Atom::After(v) => view.scalar(v).map(Scalar::as_int),
            Atom::Parameter(_) | Atom::Before(_) => None,
        };
        self.late.iter().map(value).collect()
    }

    /// All atoms, in the order of a row.
    pub(crate) fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        self.early.iter().chain(&self.late).copied()
    }

    /// The value of an atom in a row of values.
    pub(crate) fn value(&self, row: &[i128], atom: Atom) -> Option<i128> {
        row.get(self.atoms().position(|a| a == atom)?).copied()
    }
}
