//! The program with contracts in the place of recursive calls.
//!
//! Each function `f` with a contract gets two functions beside it. `f$call`
//! stands for its calls; `f$start` enters its body, which is kept as it is but
//! for the calls in it. `main` begins with a choice: to run, or to call one of
//! the `f$start`. Inlining afterwards finds no recursion of these functions.

use super::build::{Builder, Homes};
use super::{Atom, Clause, Contract, Touched, is_integer, recursive};
use crate::origin::{EdgeOrigin, FunctionOrigin, LocationOrigin, Origin, Role, VariableOrigin};
use crate::rewrite::Arena;
use parallax_base::{Id, IdVec, Span};
use parallax_cfa::{
    Argument, Callee, Edge, Expr, Function, FunctionType, Halt, Initial, Location, Op, Program,
    Storage, Type, Variable,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How clauses are put into the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// They are relied on and checked.
    Whole,
    /// Each can be switched: a clause counts where its switch, a static
    /// variable with an arbitrary value, is not zero. One more variable says
    /// which clause is checked, by its number; others are not.
    Switched,
}

/// A program in which contracts stand for recursive calls.
#[derive(Clone, Debug)]
pub struct Contracted {
    /// The program.
    pub program: Program,
    /// Its way back. What stands for a call, and what starts a function, comes
    /// from the first edge of the function.
    pub origin: Origin,
    /// For each contract: its function, what stands for its calls, and what
    /// starts it.
    pub pairs: Vec<(Id<Function>, Id<Function>, Id<Function>)>,
    /// The switches of the clauses, in their order, those of `requires` before
    /// those of `ensures` in each contract; empty if there are none.
    pub switches: Vec<Id<Variable>>,
    /// Says which clause is checked, if not all are.
    pub checked: Option<Id<Variable>>,
}

/// Why contracts cannot be applied, as a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused(pub String);

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// Names of the variables that [`Mode::Switched`] makes: of a switch, followed
/// by its number, and of the number that is checked.
pub(super) const SWITCH: &str = "$switch";
pub(super) const CHECKED: &str = "$checked";

/// Puts contracts in the place of calls. Calls through pointers must be
/// resolved before.
pub fn apply(program: &Program, contracts: &[Contract], mode: Mode) -> Result<Contracted, Refused> {
    let main = program.main.ok_or_else(|| Refused("there is no start function".to_owned()))?;
    if program.has_threads() {
        return Err(Refused("threads".to_owned()));
    }
    let known = recursive(program);
    let mut applier = Applier {
        old: program,
        main,
        builder: Builder { arena: Arena::of(program), types: program.types.clone() },
        functions: program.functions.clone(),
        variables: program.variables.clone(),
        initials: program.initials.clone(),
        origin: Origin::identity(program),
        stands: BTreeMap::new(),
        starts: Vec::new(),
        pairs: Vec::new(),
        switches: Vec::new(),
        checked: None,
    };
    if mode == Mode::Switched {
        let number = applier.free(CHECKED);
        applier.checked = Some(number);
    }
    for contract in contracts {
        let name = &program.functions[contract.function].name;
        let found = known.iter().find(|r| r.function == contract.function);
        let found = found.ok_or_else(|| Refused(format!("`{name}` does not recur")))?;
        let touched =
            found.touched.as_ref().map_err(|why| Refused(format!("{why} in `{name}`")))?;
        if applier.stands.contains_key(&contract.function) {
            return Err(Refused(format!("`{name}` has two contracts")));
        }
        applier.contract(contract, touched)?;
    }
    Ok(applier.finish())
}

struct Applier<'p> {
    old: &'p Program,
    main: Id<Function>,
    builder: Builder,
    functions: IdVec<Function>,
    variables: IdVec<Variable>,
    initials: Vec<(Id<Variable>, Initial)>,
    origin: Origin,
    /// What stands for the calls of a function.
    stands: BTreeMap<Id<Function>, Id<Function>>,
    starts: Vec<Id<Function>>,
    pairs: Vec<(Id<Function>, Id<Function>, Id<Function>)>,
    switches: Vec<Id<Variable>>,
    checked: Option<Id<Variable>>,
}

/// A function under construction: a way of edges from its entry.
struct Way {
    function: Id<Function>,
    at: Id<Location>,
    span: Span,
    like: EdgeOrigin,
}

/// Where the atoms of a contract live in one of its two functions.
struct Places<'a> {
    variables: &'a IdVec<Variable>,
    homes: BTreeMap<Atom, Id<Variable>>,
}

impl Homes for Places<'_> {
    fn home(&self, atom: Atom) -> Option<Id<Variable>> {
        self.homes.get(&atom).copied()
    }

    fn ty(&self, variable: Id<Variable>) -> Id<Type> {
        self.variables[variable].ty
    }
}

impl Applier<'_> {
    /// A static variable of type `int` with an arbitrary value.
    fn free(&mut self, name: &str) -> Id<Variable> {
        let ty = self.builder.int();
        let id = self.variable(name.into(), ty, Storage::Static, None, Span::default());
        self.initials.push((id, Initial::Arbitrary));
        id
    }

    fn variable(
        &mut self,
        name: Arc<str>,
        ty: Id<Type>,
        storage: Storage,
        owner: Option<Id<Function>>,
        span: Span,
    ) -> Id<Variable> {
        let size = self.builder.types.size_of(ty).unwrap_or(0);
        let align = self.builder.types.align_of(ty);
        self.origin.variables.push(VariableOrigin { variable: None, stack: None });
        self.variables.push(Variable {
            name,
            ty,
            storage,
            owner,
            address_taken: false,
            read_only: false,
            size,
            align,
            span,
        })
    }

    /// A new function without edges, made for `like`.
    fn function(&mut self, suffix: &str, ty: Id<Type>, like: Id<Function>) -> Way {
        let (span, name) = {
            let like = &self.old.functions[like];
            (like.span, format!("{}${suffix}", like.name))
        };
        let place = Location::at(span);
        let mut locations = IdVec::default();
        let (entry, exit) = (locations.push(place.clone()), locations.push(place));
        let id = self.functions.push(Function {
            name: name.into(),
            ty,
            parameters: Vec::new(),
            is_defined: true,
            is_library: false,
            locations,
            edges: IdVec::default(),
            entry,
            exit,
            span,
        });
        let from = LocationOrigin {
            function: like,
            location: self.old.functions[like].entry,
            stack: None,
        };
        let locations = vec![from, from];
        self.origin.functions.push(FunctionOrigin { locations, edges: Vec::new() });
        let like =
            EdgeOrigin { function: like, edge: Id::new(0), stack: None, role: Role::Dispatch };
        Way { function: id, at: entry, span, like }
    }

    fn location(&mut self, way: &Way) -> Id<Location> {
        let place = Location::at(way.span);
        let like = &self.old.functions[way.like.function];
        let origin =
            LocationOrigin { function: way.like.function, location: like.entry, stack: None };
        self.origin.functions[way.function.index()].locations.push(origin);
        self.functions[way.function].locations.push(place)
    }

    fn edge(&mut self, way: &Way, source: Id<Location>, target: Id<Location>, op: Op) {
        self.origin.functions[way.function.index()].edges.push(way.like);
        let edge = Edge { source, target, op, span: way.span, branch: None };
        self.functions[way.function].edges.push(edge);
    }

    /// Goes on with an operation.
    fn step(&mut self, way: &mut Way, op: Op) {
        let target = self.location(way);
        self.edge(way, way.at, target, op);
        way.at = target;
    }

    /// Goes on if a condition holds; if not, ends with the operation.
    fn only_if(&mut self, way: &mut Way, condition: Id<Expr>, otherwise: Op) {
        let not = self.builder.not(condition);
        let (yes, no, end) = (self.location(way), self.location(way), self.location(way));
        self.edge(way, way.at, yes, Op::Assume(condition));
        self.edge(way, way.at, no, Op::Assume(not));
        if let Op::Unsupported(_) = otherwise {
            let after = self.location(way);
            self.edge(way, no, after, otherwise);
            self.edge(way, after, end, Op::Halt(Halt::End));
        } else {
            self.edge(way, no, end, otherwise);
        }
        way.at = yes;
    }

    fn havoc(&mut self, way: &mut Way, variable: Id<Variable>, why: &str) {
        let to = self.builder.arena.whole(variable, self.variables[variable].ty);
        self.step(way, Op::Havoc { to, why: why.into() });
    }

    fn store(&mut self, way: &mut Way, to: Id<Variable>, from: Id<Variable>) {
        let value = self.builder.load(from, self.variables[from].ty);
        let to = self.builder.arena.whole(to, self.variables[to].ty);
        self.step(way, Op::Assign(to, value));
    }

    /// Goes on where a clause holds.
    fn rely(&mut self, way: &mut Way, truth: Id<Expr>, number: usize) {
        let condition = match self.switches.get(number).copied() {
            Some(switch) => {
                let off = self.builder.is_number(switch, self.variables[switch].ty, 0);
                self.builder.or(off, truth)
            }
            None => truth,
        };
        self.only_if(way, condition, Op::Halt(Halt::End));
    }

    /// Goes on if a clause holds, and to what is not covered if it does not.
    fn check(&mut self, way: &mut Way, truth: Id<Expr>, number: usize, what: &Arc<str>) {
        let mut condition = truth;
        if let (Some(switch), Some(checked)) = (self.switches.get(number).copied(), self.checked) {
            let int = self.variables[switch].ty;
            let off = self.builder.is_number(switch, int, 0);
            let here = self.builder.is_number(checked, int, number as i128);
            let elsewhere = self.builder.not(here);
            condition = self.builder.or(off, condition);
            condition = self.builder.or(elsewhere, condition);
        }
        self.only_if(way, condition, Op::Unsupported(what.clone()));
    }

    fn truths(
        &mut self,
        clauses: &[Clause],
        homes: &BTreeMap<Atom, Id<Variable>>,
        name: &str,
    ) -> Result<Vec<Id<Expr>>, Refused> {
        let places = Places { variables: &self.variables, homes: homes.clone() };
        let refused = || Refused(format!("a clause of the contract of `{name}` has no meaning"));
        let truth = |clause| self.builder.clause(clause, &places).ok_or_else(refused);
        clauses.iter().map(truth).collect()
    }

    fn contract(&mut self, contract: &Contract, touched: &Touched) -> Result<(), Refused> {
        let id = contract.function;
        let old = self.old;
        let function = &old.functions[id];
        let name = function.name.clone();
        if function.edges.is_empty() {
            return Err(Refused(format!("`{name}` does nothing")));
        }
        let Type::Function(ty) = old.types.get(function.ty).clone() else {
            return Err(Refused(format!("`{name}` is no function")));
        };
        let late = contract.requires.iter().flat_map(Clause::atoms).find(|a| !a.is_early());
        if late.is_some() {
            return Err(Refused(format!("the contract of `{name}` requires what comes later")));
        }
        let first = self.switches.len();
        if self.checked.is_some() {
            for number in first..first + contract.requires.len() + contract.ensures.len() {
                let switch = self.free(&format!("{SWITCH}{number}"));
                self.switches.push(switch);
            }
        }
        let result = (*old.types.get(ty.result) != Type::Void).then_some(ty.result);
        self.stand(contract, touched, function, result, first)?;
        self.start(contract, touched, function, result, first)
    }

    /// The function that stands for calls.
    fn stand(
        &mut self,
        contract: &Contract,
        touched: &Touched,
        function: &Function,
        result: Option<Id<Type>>,
        first: usize,
    ) -> Result<(), Refused> {
        let (id, name) = (contract.function, function.name.clone());
        let mut way = self.function("call", function.ty, id);
        let owner = Some(way.function);
        let mut homes = BTreeMap::new();
        for (at, parameter) in function.parameters.iter().enumerate() {
            let like = &self.old.variables[*parameter];
            let (called, ty) = (like.name.clone(), like.ty);
            let own = self.variable(called, ty, Storage::Parameter, owner, way.span);
            self.functions[way.function].parameters.push(own);
            homes.insert(Atom::Parameter(at), own);
        }
        for &global in &touched.all {
            homes.insert(Atom::Before(global), global);
        }
        self.retain_integers(&mut homes);
        let what: Arc<str> = format!("a call of `{name}` that its contract does not allow").into();
        for (at, truth) in self.truths(&contract.requires, &homes, &name)?.into_iter().enumerate() {
            self.check(&mut way, truth, first + at, &what);
        }
        for &global in &touched.written {
            let copy = format!("$old_{}", self.variables[global].name);
            let ty = self.variables[global].ty;
            let copy = self.variable(copy.into(), ty, Storage::Temporary, owner, way.span);
            self.store(&mut way, copy, global);
            homes.insert(Atom::Before(global), copy);
            self.havoc(&mut way, global, "a call by contract");
        }
        for &global in &touched.all {
            homes.insert(Atom::After(global), global);
        }
        let value = match result {
            Some(ty) => {
                let own = self.variable("$result".into(), ty, Storage::Temporary, owner, way.span);
                self.havoc(&mut way, own, "a call by contract");
                homes.insert(Atom::Result, own);
                Some(Argument::Scalar(self.builder.load(own, ty)))
            }
            None => None,
        };
        self.retain_integers(&mut homes);
        let first = first + contract.requires.len();
        for (at, truth) in self.truths(&contract.ensures, &homes, &name)?.into_iter().enumerate() {
            self.rely(&mut way, truth, first + at);
        }
        let exit = self.functions[way.function].exit;
        self.edge(&way, way.at, exit, Op::Return(value));
        self.stands.insert(id, way.function);
        Ok(())
    }

    /// The function that enters the body.
    fn start(
        &mut self,
        contract: &Contract,
        touched: &Touched,
        function: &Function,
        result: Option<Id<Type>>,
        first: usize,
    ) -> Result<(), Refused> {
        let name = function.name.clone();
        let void = self.builder.types.intern(Type::Void);
        let ty = FunctionType {
            result: void,
            parameters: Vec::new(),
            variadic: false,
            prototyped: true,
        };
        let ty = self.builder.types.intern(Type::Function(ty));
        let mut way = self.function("start", ty, contract.function);
        let owner = Some(way.function);
        let mut homes = BTreeMap::new();
        let mut arguments = Vec::new();
        for (at, parameter) in function.parameters.iter().enumerate() {
            let like = &self.old.variables[*parameter];
            let (called, ty) = (like.name.clone(), like.ty);
            let own = self.variable(called, ty, Storage::Temporary, owner, way.span);
            self.havoc(&mut way, own, "a call by contract");
            homes.insert(Atom::Parameter(at), own);
            arguments.push(Argument::Scalar(self.builder.load(own, ty)));
        }
        for &global in &touched.all {
            self.havoc(&mut way, global, "a call by contract");
            homes.insert(Atom::Before(global), global);
        }
        self.retain_integers(&mut homes);
        for (at, truth) in self.truths(&contract.requires, &homes, &name)?.into_iter().enumerate() {
            self.rely(&mut way, truth, first + at);
        }
        for &global in &touched.all {
            let copy = format!("$old_{}", self.variables[global].name);
            let ty = self.variables[global].ty;
            let copy = self.variable(copy.into(), ty, Storage::Temporary, owner, way.span);
            self.store(&mut way, copy, global);
            homes.insert(Atom::Before(global), copy);
            homes.insert(Atom::After(global), global);
        }
        let to = result.map(|ty| {
            let own = self.variable("$result".into(), ty, Storage::Temporary, owner, way.span);
            homes.insert(Atom::Result, own);
            self.builder.arena.whole(own, ty)
        });
        self.retain_integers(&mut homes);
        // The body itself: this call is the one that stays as it is.
        self.step(&mut way, Op::Call { to, callee: Callee::Direct(contract.function), arguments });
        let what: Arc<str> =
            format!("a return of `{name}` that its contract does not allow").into();
        let first = first + contract.requires.len();
        for (at, truth) in self.truths(&contract.ensures, &homes, &name)?.into_iter().enumerate() {
            self.check(&mut way, truth, first + at, &what);
        }
        let exit = self.functions[way.function].exit;
        self.edge(&way, way.at, exit, Op::Return(None));
        self.starts.push(way.function);
        if let Some(stand) = self.stands.get(&contract.function) {
            self.pairs.push((contract.function, *stand, way.function));
        }
        Ok(())
    }

    /// Contracts speak of integers only.
    fn retain_integers(&self, homes: &mut BTreeMap<Atom, Id<Variable>>) {
        homes.retain(|_, v| is_integer(self.old, self.variables[*v].ty));
    }

    /// Redirects the calls and puts the choice before `main`.
    fn finish(mut self) -> Contracted {
        let starts = std::mem::take(&mut self.starts);
        let pairs = self.pairs.clone();
        for id in self.functions.ids().filter(|id| !starts.contains(id)) {
            for edge in self.functions[id].edges.ids() {
                if let Op::Call { callee: Callee::Direct(f), .. } =
                    &mut self.functions[id].edges[edge].op
                    && let Some(stand) = self.stands.get(f)
                {
                    *f = *stand;
                }
            }
        }
        let main = self.main;
        let like =
            EdgeOrigin { function: main, edge: Id::new(0), stack: None, role: Role::Dispatch };
        let span = self.old.functions[main].span;
        let mut way = Way { function: main, at: self.old.functions[main].entry, span, like };
        let begin = way.at;
        let entry = self.location(&way);
        way.at = entry;
        let int = self.builder.int();
        for start in starts {
            let choice = self.variable("$choice".into(), int, Storage::Temporary, Some(main), span);
            self.havoc(&mut way, choice, "a start of a function");
            let here = self.builder.is_number(choice, int, 0);
            let elsewhere = self.builder.not(here);
            let (enter, left, end) =
                (self.location(&way), self.location(&way), self.location(&way));
            let next = self.location(&way);
            self.edge(&way, way.at, enter, Op::Assume(here));
            self.edge(&way, way.at, next, Op::Assume(elsewhere));
            let call = Op::Call { to: None, callee: Callee::Direct(start), arguments: Vec::new() };
            self.edge(&way, enter, left, call);
            self.edge(&way, left, end, Op::Halt(Halt::End));
            way.at = next;
        }
        self.edge(&way, way.at, begin, Op::Skip);
        self.functions[main].entry = entry;
        let Builder { arena, types } = self.builder;
        let program = Program {
            types,
            exprs: arena.exprs,
            places: arena.places,
            variables: self.variables,
            initials: self.initials,
            functions: self.functions,
            main: Some(main),
        };
        let (origin, switches, checked) = (self.origin, self.switches, self.checked);
        Contracted { program, origin, pairs, switches, checked }
    }
}
