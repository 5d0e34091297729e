//! Leaves out expressions, places and variables that nothing mentions, and says
//! which variables have their address taken.

use parallax_base::{Id, IdVec};
use parallax_cfa::{
    Argument, Base, Callee, Check, Expr, ExprKind, Initial, Op, Place, Program, Step, Variable,
};

/// The program with only what it needs, in the old order.
pub(crate) fn compact(mut program: Program) -> Program {
    let mut used = Used::new(&program);
    for id in program.functions.ids() {
        let function = &mut program.functions[id];
        for parameter in &function.parameters {
            used.variables[parameter.index()] = true;
        }
        for edge in function.edges.ids() {
            visit(&mut function.edges[edge].op, &mut used);
        }
    }
    used.close(&program);
    // The contents of an object may mention further objects.
    let mut seen = vec![false; program.initials.len()];
    loop {
        let mut more = false;
        for (index, (variable, initial)) in program.initials.iter().enumerate() {
            if seen[index] || !used.variables[variable.index()] {
                continue;
            }
            (seen[index], more) = (true, true);
            if let Initial::Items(items) = initial {
                for item in items {
                    used.open_places.push(item.place);
                    used.open.push(item.value);
                }
            }
            used.close(&program);
        }
        if !more {
            break;
        }
    }
    let mut kept_initials = seen.into_iter();
    program.initials.retain(|_| kept_initials.next().unwrap_or(false));
    let mut map = Map::new(&used);
    for (id, taken) in used.address_taken.iter().enumerate() {
        program.variables[Id::new(id)].address_taken = *taken;
    }
    // Whoever defines what the program does not define may point to it.
    for (variable, initial) in &program.initials {
        if matches!(initial, Initial::Arbitrary) {
            program.variables[*variable].address_taken = true;
        }
    }
    let exprs = std::mem::take(&mut program.exprs);
    let places = std::mem::take(&mut program.places);
    let variables = std::mem::take(&mut program.variables);
    program.exprs = kept(&exprs, &used.exprs).map(|expr| map.expr_node(expr)).collect();
    program.places = kept(&places, &used.places).map(|place| map.place_node(place)).collect();
    program.variables = kept(&variables, &used.variables).collect();
    for (variable, initial) in &mut program.initials {
        *variable = map.variables[variable.index()];
        if let Initial::Items(items) = initial {
            for item in items {
                map.place(&mut item.place);
                map.expr(&mut item.value);
            }
        }
    }
    for id in program.functions.ids() {
        let function = &mut program.functions[id];
        for parameter in &mut function.parameters {
            *parameter = map.variables[parameter.index()];
        }
        for edge in function.edges.ids() {
            visit(&mut function.edges[edge].op, &mut map);
        }
    }
    program
}

fn kept<'a, T: Clone>(all: &'a IdVec<T>, used: &'a [bool]) -> impl Iterator<Item = T> + 'a {
    all.iter().zip(used).filter(|(_, used)| **used).map(|(item, _)| item.clone())
}

/// Something done to every id of an operation.
trait Visitor {
    fn expr(&mut self, id: &mut Id<Expr>);
    fn place(&mut self, id: &mut Id<Place>);
    fn variable(&mut self, id: &mut Id<Variable>);
}

fn visit(op: &mut Op, visitor: &mut dyn Visitor) {
    let argument = |argument: &mut Argument, visitor: &mut dyn Visitor| match argument {
        Argument::Scalar(e) => visitor.expr(e),
        Argument::Aggregate(p) => visitor.place(p),
    };
    match op {
        Op::Skip | Op::Error(_) | Op::Halt(_) | Op::Unsupported(_) | Op::Return(None) => {}
        Op::Assume(e) => visitor.expr(e),
        Op::Assign(p, e) => {
            visitor.place(p);
            visitor.expr(e);
        }
        Op::Copy { to, from } => {
            visitor.place(to);
            visitor.place(from);
        }
        Op::Input { to, .. } | Op::Havoc { to, .. } => visitor.place(to),
        Op::Check(check) => visit_check(check, visitor),
        Op::Call { to, callee, arguments } => {
            to.iter_mut().for_each(|to| visitor.place(to));
            if let Callee::Indirect(e) = callee {
                visitor.expr(e);
            }
            arguments.iter_mut().for_each(|a| argument(a, visitor));
        }
        Op::Primitive { to, arguments, .. } => {
            to.iter_mut().for_each(|to| visitor.place(to));
            arguments.iter_mut().for_each(|e| visitor.expr(e));
        }
        Op::Return(Some(value)) => argument(value, visitor),
        Op::Live(variable, size) => {
            visitor.variable(variable);
            size.iter_mut().for_each(|e| visitor.expr(e));
        }
        Op::Dead(variable) => visitor.variable(variable),
    }
}

fn visit_check(check: &mut Check, visitor: &mut dyn Visitor) {
    match check {
        Check::Overflow(e)
        | Check::Division(e)
        | Check::Shift(e)
        | Check::FloatConversion(e)
        | Check::Free(e)
        | Check::Callable(e) => visitor.expr(e),
        Check::Access { place, .. }
        | Check::Initialized(place)
        | Check::Alone { place, .. }
        | Check::Lock(place, _) => visitor.place(place),
        Check::AccessBytes { pointer, size, .. } | Check::AloneBytes { pointer, size, .. } => {
            visitor.expr(pointer);
            visitor.expr(size);
        }
        Check::Sequenced { place, apart } | Check::Index { array: place, within: apart } => {
            visitor.place(place);
            visitor.expr(apart);
        }
        Check::Unreachable => {}
    }
}

/// What is mentioned.
struct Used {
    exprs: Vec<bool>,
    places: Vec<bool>,
    variables: Vec<bool>,
    address_taken: Vec<bool>,
    open: Vec<Id<Expr>>,
    open_places: Vec<Id<Place>>,
}

impl Visitor for Used {
    fn expr(&mut self, id: &mut Id<Expr>) {
        self.open.push(*id);
    }
    fn place(&mut self, id: &mut Id<Place>) {
        self.open_places.push(*id);
    }
    fn variable(&mut self, id: &mut Id<Variable>) {
        self.variables[id.index()] = true;
    }
}

impl Used {
    fn new(program: &Program) -> Used {
        Used {
            exprs: vec![false; program.exprs.len()],
            places: vec![false; program.places.len()],
            variables: vec![false; program.variables.len()],
            address_taken: vec![false; program.variables.len()],
            open: Vec::new(),
            open_places: Vec::new(),
        }
    }

    /// Adds what is mentioned by what is mentioned.
    fn close(&mut self, program: &Program) {
        loop {
            if let Some(id) = self.open_places.pop() {
                if !std::mem::replace(&mut self.places[id.index()], true) {
                    self.open_place(&program.places[id]);
                }
            } else if let Some(id) = self.open.pop() {
                if !std::mem::replace(&mut self.exprs[id.index()], true) {
                    self.open_expr(program, &program.exprs[id].kind);
                }
            } else {
                break;
            }
        }
    }

    fn open_place(&mut self, place: &Place) {
        match place.base {
            Base::Variable(v) => self.variables[v.index()] = true,
            Base::Pointer(e) => self.open.push(e),
        }
        for step in &place.path {
            if let Step::Index(e) = step {
                self.open.push(*e);
            }
        }
    }

    fn open_expr(&mut self, program: &Program, kind: &ExprKind) {
        match kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
            ExprKind::Load(place) => self.open_places.push(*place),
            ExprKind::Address(place) => {
                self.open_places.push(*place);
                if let Base::Variable(v) = program.places[*place].base {
                    self.address_taken[v.index()] = true;
                }
            }
            ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::ObjectSize(a) => {
                self.open.push(*a);
            }
            ExprKind::Binary(_, a, b) => self.open.extend([*a, *b]),
            ExprKind::PointerAdd { pointer: a, index: b, scale: c }
            | ExprKind::PointerDiff { left: a, right: b, scale: c }
            | ExprKind::Conditional(a, b, c) => self.open.extend([*a, *b, *c]),
        }
    }
}

/// New ids by old.
struct Map {
    exprs: Vec<Id<Expr>>,
    places: Vec<Id<Place>>,
    variables: Vec<Id<Variable>>,
}

fn numbers<T>(used: &[bool]) -> Vec<Id<T>> {
    let mut next = 0;
    let number = |used: &bool| {
        let id = Id::new(next);
        next += usize::from(*used);
        id
    };
    used.iter().map(number).collect()
}

impl Map {
    fn new(used: &Used) -> Map {
        Map {
            exprs: numbers(&used.exprs),
            places: numbers(&used.places),
            variables: numbers(&used.variables),
        }
    }

    fn expr_node(&mut self, mut expr: Expr) -> Expr {
        match &mut expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
            ExprKind::Load(place) | ExprKind::Address(place) => self.place(place),
            ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::ObjectSize(a) => self.expr(a),
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::PointerAdd { pointer: a, index: b, scale: c }
            | ExprKind::PointerDiff { left: a, right: b, scale: c }
            | ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
        }
        expr
    }

    fn place_node(&mut self, mut place: Place) -> Place {
        match &mut place.base {
            Base::Variable(v) => self.variable(v),
            Base::Pointer(e) => self.expr(e),
        }
        for step in &mut place.path {
            if let Step::Index(e) = step {
                self.expr(e);
            }
        }
        place
    }
}

impl Visitor for Map {
    fn expr(&mut self, id: &mut Id<Expr>) {
        *id = self.exprs[id.index()];
    }
    fn place(&mut self, id: &mut Id<Place>) {
        *id = self.places[id.index()];
    }
    fn variable(&mut self, id: &mut Id<Variable>) {
        *id = self.variables[id.index()];
    }
}
