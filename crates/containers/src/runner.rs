//! One container, one state after the other.

use crate::api::{Call, MOST, Maker, MakerKind, Parameter, ResultUse};
use crate::outcome::{Shape, Wrong};
use crate::subject::Subject;
use parallax_cfa::ScalarType;
use parallax_machine::{
    Concrete, LayoutId, Linear, Linearizer, Machine, Returned, Snapshot, Symbols, Trap, What, Word,
    is_object,
};

/// A state of container and model.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) snapshot: Snapshot,
    pub(crate) containers: [u64; MOST],
    pub(crate) model: u64,
    /// Objects that were handed out and that only the caller knows.
    outside: u32,
}

impl State {
    /// How many bytes it takes.
    pub(crate) fn size(&self) -> usize {
        self.snapshot.size() + 8 * MOST + 12
    }
}

/// What an operation returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observed {
    /// Nothing that can be told.
    Nothing,
    /// A number.
    Number(i64),
    /// A pointer: whether it was null.
    Pointer {
        /// Whether it was.
        null: bool,
    },
}

/// Runs operations on one container.
pub struct Runner<'s> {
    /// What is run.
    pub subject: &'s Subject<'s>,
    /// The machine that runs it.
    pub machine: Machine<'s>,
    linear: Linearizer<'s>,
    roots: Vec<(u64, LayoutId)>,
    pub(crate) containers: [u64; MOST],
    pub(crate) model: u64,
    outside: u32,
    /// Objects that are passed: operation, parameter and number, and where.
    given: Vec<((usize, usize, usize), u64)>,
}

impl<'s> Runner<'s> {
    /// A runner before the constructor.
    pub fn new(subject: &'s Subject<'s>) -> Runner<'s> {
        Runner {
            subject,
            machine: Machine::new(&subject.compiled),
            linear: Linearizer::new(&subject.layouts),
            roots: Vec::new(),
            containers: [0; MOST],
            model: 0,
            outside: 0,
            given: Vec::new(),
        }
    }

    /// Begins anew: makes the container, and the model.
    pub fn begin(&mut self) -> Result<(), Wrong> {
        self.machine.restore(&self.subject.compiled.start);
        let subject = self.subject;
        self.give().map_err(|trap| self.trap(trap))?;
        self.containers = [0; MOST];
        for at in 0..subject.api.container.count {
            let made = self.make(&subject.api.container);
            self.containers[at] = made.map_err(|trap| self.trap(trap))?;
        }
        self.model = 0;
        if let Some(model) = &subject.api.model {
            let made = self.make(model);
            self.model = made.map_err(|trap| Wrong::ModelTrap(trap, self.machine.trap_place()))?;
        }
        self.outside = 0;
        self.find_leak(0)
    }

    /// Makes the objects that are passed to operations, before all others.
    fn give(&mut self) -> Result<(), Trap> {
        let subject = self.subject;
        self.given.clear();
        for (at, operation) in subject.api.operations.iter().enumerate() {
            for (place, parameter) in operation.parameters.iter().enumerate() {
                let Parameter::Given(_, list) = parameter else { continue };
                for (number, given) in list.iter().enumerate() {
                    let pointer = self.machine.make_static(&given.bytes)?;
                    self.given.push(((at, place, number), pointer));
                }
            }
        }
        Ok(())
    }

    /// The object that a number stands for.
    fn given(&self, operation: usize, place: usize, number: Option<&Word>) -> Word {
        let Some(Word::Known(number)) = number else { return Word::Known(0) };
        let wanted = (operation, place, *number as usize);
        let found = self.given.iter().find(|(key, _)| *key == wanted);
        Word::Known(found.map_or(0, |(_, pointer)| *pointer))
    }

    /// Whether memory is lost that was not before. What an operation returned
    /// is held by its caller.
    fn find_leak(&mut self, returned: u64) -> Result<(), Wrong> {
        let mut roots = [0; MOST + 2];
        roots[..MOST].copy_from_slice(&self.containers);
        roots[MOST..].copy_from_slice(&[self.model, returned]);
        let lost = self.machine.lost(&roots);
        if lost > self.outside {
            return Err(Wrong::Leak { objects: lost - self.outside, ended: false });
        }
        self.outside = match returned {
            0 => lost,
            _ => self.machine.lost(&roots[..=MOST]),
        };
        Ok(())
    }

    /// Ends the container as tests do; then nothing of it may be left.
    pub fn end(&mut self) -> Result<(), Wrong> {
        let maker = &self.subject.api.container;
        let Some(delete) = maker.delete else { return Ok(()) };
        let count = usize::from(maker.pointer.is_some());
        for container in &self.containers[..maker.count] {
            let arguments = [Word::Known(*container)];
            let ended = self.machine.call(delete, &arguments[..count], &mut Concrete);
            ended.map_err(|trap| Wrong::Trap(trap, self.machine.trap_place()))?;
        }
        // An object that tests make themselves is not on the heap there.
        let own = matches!(maker.kind, MakerKind::Initialized(_) | MakerKind::Zeroed);
        let allowed = self.outside + if own { maker.count as u32 } else { 0 };
        match self.machine.lost(&[self.model]) {
            lost if lost > allowed => Err(Wrong::Leak { objects: lost - allowed, ended: true }),
            _ => Ok(()),
        }
    }

    fn trap(&self, trap: Trap) -> Wrong {
        Wrong::Trap(trap, self.machine.trap_place())
    }

    fn make(&mut self, maker: &Maker) -> Result<u64, Trap> {
        let further = maker.arguments.iter().map(|value| Word::Known(*value as u64));
        match maker.kind {
            MakerKind::Returned(function) => {
                let arguments: Vec<Word> = further.collect();
                match self.machine.call(function, &arguments, &mut Concrete)? {
                    Returned::Value(Word::Known(pointer)) => Ok(pointer),
                    _ => Ok(0),
                }
            }
            MakerKind::Initialized(function) => {
                let pointer = self.object(maker, false)?;
                let mut arguments = vec![Word::Known(pointer)];
                arguments.extend(further);
                self.machine.call(function, &arguments, &mut Concrete)?;
                Ok(pointer)
            }
            MakerKind::Zeroed => self.object(maker, true),
            MakerKind::Null | MakerKind::Global(None) => Ok(0),
            MakerKind::Global(Some(function)) => {
                let arguments: Vec<Word> = further.collect();
                self.machine.call(function, &arguments, &mut Concrete)?;
                Ok(0)
            }
        }
    }

    fn object(&mut self, maker: &Maker, zeroed: bool) -> Result<u64, Trap> {
        let types = &self.subject.program().types;
        let pointee = maker.pointer.and_then(|ty| types.pointee(ty));
        let size = pointee.and_then(|ty| types.size_of(ty)).unwrap_or(8);
        self.machine.allocate(size, zeroed)
    }

    /// A copy of the state.
    pub(crate) fn save(&self) -> State {
        State {
            snapshot: self.machine.save(),
            containers: self.containers,
            model: self.model,
            outside: self.outside,
        }
    }

    /// Goes back to a state.
    pub(crate) fn restore(&mut self, state: &State) {
        self.machine.restore(&state.snapshot);
        self.containers = state.containers;
        self.model = state.model;
        self.outside = state.outside;
    }

    /// Runs an operation, and the same on the model.
    pub fn apply(&mut self, call: &Call) -> Result<Observed, Wrong> {
        let mut values = [Word::Known(0); 16];
        for (word, value) in values.iter_mut().zip(&call.values) {
            *word = Word::Known(*value as u64);
        }
        let count = call.values.len().min(values.len());
        self.apply_words(call.operation, &values[..count], &mut Concrete)
    }

    pub(crate) fn apply_words<S: Symbols>(
        &mut self,
        operation: usize,
        values: &[Word],
        symbols: &mut S,
    ) -> Result<Observed, Wrong> {
        let subject = self.subject;
        let number = operation;
        let operation = &subject.api.operations[number];
        let mut words = [Word::Known(0); 16];
        let mut next = values.iter();
        let count = operation.parameters.len().min(words.len());
        let mut containers = 0u32;
        // Which container the operation is about.
        let mut first = None;
        for (at, parameter) in operation.parameters.iter().take(count).enumerate() {
            words[at] = match parameter {
                Parameter::Container => {
                    containers |= 1 << at;
                    Word::Known(self.containers[0])
                }
                Parameter::Constant(value) => Word::Known(*value as u64),
                Parameter::Given(..) => self.given(number, at, next.next()),
                Parameter::Chosen(_) => {
                    let chosen = match next.next() {
                        Some(Word::Known(at)) => *at as usize % MOST,
                        _ => 0,
                    };
                    first.get_or_insert(chosen);
                    Word::Known(self.containers[chosen])
                }
                _ => next.next().copied().unwrap_or(Word::Known(0)),
            };
        }
        let result = self.machine.call(operation.function, &words[..count], symbols);
        let returned = result.map_err(|trap| self.trap(trap))?;
        let observed = match (operation.result, returned) {
            (ResultUse::Container, Returned::Value(Word::Known(pointer))) => {
                self.containers[first.unwrap_or(0)] = pointer;
                Observed::Nothing
            }
            (ResultUse::Scalar(ty), Returned::Value(Word::Known(value))) => {
                Observed::Number(canonical(ty, value))
            }
            (ResultUse::Pointer, Returned::Value(Word::Known(pointer))) => {
                Observed::Pointer { null: pointer == 0 }
            }
            _ => Observed::Nothing,
        };
        if let Some(model) = operation.model {
            for (at, word) in words.iter_mut().enumerate().take(count) {
                if containers & 1 << at != 0 {
                    *word = Word::Known(self.model);
                }
            }
            self.compare(model, &words[..count], operation.result, returned, symbols)?;
        }
        if self.machine.is_changed() {
            let returned = match returned {
                Returned::Value(Word::Known(value)) if is_object(value) => value,
                _ => 0,
            };
            self.find_leak(returned)?;
        }
        Ok(observed)
    }

    /// Runs the operation of the model; both must return the same.
    fn compare<S: Symbols>(
        &mut self,
        model: parallax_base::Id<parallax_cfa::Function>,
        words: &[Word],
        result: ResultUse,
        found: Returned,
        symbols: &mut S,
    ) -> Result<(), Wrong> {
        let expected = match self.machine.call(model, words, symbols) {
            Ok(expected) => expected,
            Err(trap @ (Trap::Infeasible | Trap::TooManyValues | Trap::Unsupported(_))) => {
                return Err(self.trap(trap));
            }
            Err(trap) => return Err(Wrong::ModelTrap(trap, self.machine.trap_place())),
        };
        let (Returned::Value(expected), Returned::Value(found)) = (expected, found) else {
            return Ok(());
        };
        let known = |word: Word, symbols: &mut S| match word {
            Word::Known(value) => Ok(value),
            Word::Term(term) => symbols.value(term),
        };
        let equal = match result {
            ResultUse::Nothing => true,
            ResultUse::Container => {
                if let Word::Known(pointer) = expected {
                    self.model = pointer;
                }
                true
            }
            ResultUse::Pointer => {
                let is_null = |word| matches!(word, Word::Known(0));
                is_null(expected) == is_null(found)
            }
            ResultUse::Scalar(_) if expected == found => true,
            ResultUse::Scalar(_) if S::ON => {
                let same = symbols.compare(parallax_machine::Compare::Eq, expected, found);
                same.map_err(|trap| self.trap(trap))?
            }
            ResultUse::Scalar(_) => false,
        };
        if equal {
            return Ok(());
        }
        let model = known(expected, symbols).map_err(|trap| self.trap(trap))?;
        let found = known(found, symbols).map_err(|trap| self.trap(trap))?;
        Err(Wrong::Difference { model: model as i64, found: found as i64 })
    }

    /// Asks the invariant, if there is one.
    pub fn check<S: Symbols>(&mut self, symbols: &mut S) -> Result<(), Wrong> {
        let Some(invariant) = self.subject.api.invariant else { return Ok(()) };
        let maker = &self.subject.api.container;
        let count = usize::from(maker.pointer.is_some());
        for at in 0..maker.count {
            let arguments = [Word::Known(self.containers[at])];
            match self.machine.call(invariant, &arguments[..count], symbols) {
                Ok(Returned::Value(Word::Known(0))) => return Err(Wrong::Invariant),
                Ok(_) => {}
                Err(trap) if trap.is_failure() => {
                    return Err(Wrong::InvariantTrap(trap, self.machine.trap_place()));
                }
                Err(trap) => return Err(self.trap(trap)),
            }
        }
        Ok(())
    }

    /// Writes the state as a sequence.
    pub fn linearize(&mut self, what: What) -> &Linear {
        self.set_roots(what != What::Shape);
        self.linear.linearize(&self.machine, &self.roots, what);
        &self.linear.out
    }

    fn set_roots(&mut self, with_model: bool) {
        let subject = self.subject;
        self.roots.clear();
        for container in &self.containers[..subject.api.container.count] {
            self.roots.push((*container, subject.container_layout));
        }
        self.roots.extend_from_slice(&subject.statics);
        if with_model && subject.api.model.is_some() {
            self.roots.push((self.model, subject.model_layout));
        }
    }

    /// What the abstraction of the user says.
    pub(crate) fn abstraction(&mut self, out: &mut Vec<u8>) -> Result<(), Wrong> {
        out.clear();
        let Some(function) = self.subject.api.abstraction else { return Ok(()) };
        let maker = &self.subject.api.container;
        let count = usize::from(maker.pointer.is_some());
        for at in 0..maker.count {
            let arguments = [Word::Known(self.containers[at])];
            let returned = self.machine.call(function, &arguments[..count], &mut Concrete);
            let returned = returned.map_err(|trap| self.trap(trap))?;
            let Returned::Value(Word::Known(value)) = returned else { continue };
            if is_object(value) {
                out.extend(self.machine.string(value).map_err(|trap| self.trap(trap))?);
                out.push(0);
            } else {
                out.extend_from_slice(&value.to_le_bytes());
            }
        }
        Ok(())
    }

    /// The number of objects of the shape that was linearized last.
    pub(crate) fn objects(&self) -> usize {
        self.linear.object_count()
    }

    /// The state as a picture.
    pub(crate) fn shape(&mut self, calls: Vec<Call>) -> Shape {
        self.set_roots(false);
        let (nodes, roots) = self.linear.nodes(&self.machine, &self.roots);
        Shape { calls, nodes, roots }
    }

    /// Runs a sequence from the beginning, and ends the container; what each
    /// operation returned, and what went wrong at the end.
    pub fn replay(&mut self, calls: &[Call]) -> (Vec<Observed>, Option<Wrong>) {
        let (observed, wrong) = self.perform(calls);
        let wrong = wrong.or_else(|| self.end().err());
        (observed, wrong)
    }

    /// The same without the end of the container, which is no operation: it does
    /// not count for what operations cover.
    pub(crate) fn perform(&mut self, calls: &[Call]) -> (Vec<Observed>, Option<Wrong>) {
        let mut observed = Vec::new();
        if let Err(wrong) = self.begin().and_then(|()| self.check(&mut Concrete)) {
            return (observed, Some(wrong));
        }
        for call in calls {
            match self.apply(call) {
                Ok(seen) => observed.push(seen),
                Err(wrong) => return (observed, Some(wrong)),
            }
            if let Err(wrong) = self.check(&mut Concrete) {
                return (observed, Some(wrong));
            }
        }
        (observed, None)
    }
}

fn canonical(ty: ScalarType, value: u64) -> i64 {
    match ty {
        ScalarType::Int { bits: 32, signed: true } => i64::from(value as i32),
        _ => value as i64,
    }
}
