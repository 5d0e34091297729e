//! Which type a heap object is used as.
//!
//! An allocation has no type. The type is taken from what its pointer becomes:
//! the types it is converted to and those of the variables it is assigned or
//! passed to. An object that is used as more than one type, not counting
//! characters, gets none and is treated as bytes.

use parallax_base::Id;
use parallax_cfa::{
    Argument, Base, Callee, Edge, Expr, ExprKind, Function, IntKind, Op, Place, Primitive, Program,
    Type, Variable,
};
use std::collections::{BTreeMap, BTreeSet};

/// The types of allocations.
pub(crate) struct Hints {
    edges: BTreeMap<(Id<Function>, Id<Edge>), Id<Type>>,
}

impl Hints {
    pub(crate) fn of_edge(&self, function: Id<Function>, edge: Id<Edge>) -> Option<Id<Type>> {
        self.edges.get(&(function, edge)).copied()
    }

    pub(crate) fn of(program: &Program) -> Hints {
        let mut flow = Flow {
            program,
            types: vec![BTreeSet::new(); program.variables.len()],
            sources: vec![Vec::new(); program.variables.len()],
            results: vec![Vec::new(); program.functions.len()],
        };
        flow.collect();
        flow.spread();
        let mut edges = BTreeMap::new();
        for (id, function) in program.functions.iter_enumerated() {
            for (edge, data) in function.edges.iter_enumerated() {
                if let Op::Primitive {
                    to: Some(to),
                    primitive: Primitive::Allocate | Primitive::AllocateLocal,
                    arguments,
                } = &data.op
                    && let Some(ty) = flow.of_allocation(*to, arguments.first().copied())
                {
                    edges.insert((id, edge), ty);
                }
            }
        }
        Hints { edges }
    }
}

struct Flow<'a> {
    program: &'a Program,
    /// The types that what a variable points to is used as.
    types: Vec<BTreeSet<Id<Type>>>,
    /// For each variable, those whose pointers it receives.
    sources: Vec<Vec<Id<Variable>>>,
    /// For each function, the variables it returns.
    results: Vec<Vec<Id<Variable>>>,
}

impl Flow<'_> {
    fn pointee(&self, ty: Id<Type>) -> Option<Id<Type>> {
        let to = self.program.types.pointee(ty)?;
        self.program.types.size_of(to).filter(|s| *s > 0).map(|_| to)
    }

    /// The variable that an expression loads, under any conversions.
    fn loaded(&self, expr: Id<Expr>) -> Option<Id<Variable>> {
        let mut expr = expr;
        loop {
            match self.program.exprs[expr].kind {
                ExprKind::Convert(inner) => expr = inner,
                ExprKind::Load(place) => return self.whole(place),
                _ => return None,
            }
        }
    }

    fn whole(&self, place: Id<Place>) -> Option<Id<Variable>> {
        let place = &self.program.places[place];
        match place.base {
            Base::Variable(v) if place.path.is_empty() => Some(v),
            _ => None,
        }
    }

    fn collect(&mut self) {
        let program = self.program;
        for (id, variable) in program.variables.iter_enumerated() {
            let hint = self.pointee(variable.ty);
            self.types[id.index()].extend(hint);
        }
        for (id, expr) in program.exprs.iter_enumerated() {
            if let (ExprKind::Convert(_), Some(v)) = (&expr.kind, self.loaded(id)) {
                let hint = self.pointee(expr.ty);
                self.types[v.index()].extend(hint);
            }
        }
        for (id, function) in program.functions.iter_enumerated() {
            for edge in &function.edges {
                if let Op::Return(Some(Argument::Scalar(e))) = edge.op {
                    let variable = self.loaded(e);
                    self.results[id.index()].extend(variable);
                }
            }
        }
        for function in &program.functions {
            for edge in &function.edges {
                self.edge(&edge.op);
            }
        }
    }

    fn edge(&mut self, op: &Op) {
        match op {
            Op::Assign(to, e) => {
                let Some(from) = self.loaded(*e) else { return };
                match self.whole(*to) {
                    Some(to) => self.sources[to.index()].push(from),
                    None => {
                        let hint = self.pointee(self.program.places[*to].ty);
                        self.types[from.index()].extend(hint);
                    }
                }
            }
            Op::Call { to, callee: Callee::Direct(callee), arguments } => {
                let parameters = &self.program.functions[*callee].parameters;
                for (argument, parameter) in arguments.iter().zip(parameters) {
                    if let Argument::Scalar(e) = argument {
                        let from = self.loaded(*e);
                        self.sources[parameter.index()].extend(from);
                    }
                }
                if let Some(to) = to {
                    let from = self.results[callee.index()].clone();
                    match self.whole(*to) {
                        Some(to) => self.sources[to.index()].extend(from),
                        None => {
                            let hint = self.pointee(self.program.places[*to].ty);
                            from.iter().for_each(|v| self.types[v.index()].extend(hint));
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Types flow from a variable to those it receives pointers from.
    fn spread(&mut self) {
        let mut work: Vec<usize> = (0..self.types.len()).collect();
        while let Some(v) = work.pop() {
            let types = self.types[v].clone();
            for from in self.sources[v].clone() {
                let mine = &mut self.types[from.index()];
                let before = mine.len();
                mine.extend(&types);
                if mine.len() > before {
                    work.push(from.index());
                }
            }
        }
    }

    fn of_allocation(&self, to: Id<Place>, size: Option<Id<Expr>>) -> Option<Id<Type>> {
        let mut types: BTreeSet<Id<Type>> =
            self.pointee(self.program.places[to].ty).into_iter().collect();
        if let Some(v) = self.whole(to) {
            types.extend(&self.types[v.index()]);
        }
        let table = &self.program.types;
        let is_char = |ty: &Id<Type>| {
            matches!(table.int_kind(*ty), Some(IntKind::Char | IntKind::SChar | IntKind::UChar))
        };
        if types.iter().any(|t| !is_char(t)) {
            types.retain(|t| !is_char(t));
        }
        let one = types.first().copied().filter(|_| types.len() == 1)?;
        match size.map(|e| &self.program.exprs[e].kind) {
            Some(ExprKind::Int(n)) if table.size_of(one).is_some_and(|s| i128::from(s) > *n) => {
                None
            }
            _ => Some(one),
        }
    }
}
