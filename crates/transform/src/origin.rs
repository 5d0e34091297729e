//! The way back from a transformed program to the one it was made from.
//!
//! Every location, edge and variable of the result names its origin and, where
//! code was inlined, the calls that lead to it. Ways back compose
//! ([`Origin::after`]), so a chain of passes has one way back.
//!
//! Invariant: a frame is younger than its parent, so a walk along parents ends.

use parallax_base::{Id, IdVec};
use parallax_cfa::{Edge, Function, Location, Program, Variable};
use rustc_hash::FxHashMap;

/// One call on a call stack of the original program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    /// The calls around this one; `None` if it is made by the start function.
    pub parent: Option<Id<Frame>>,
    /// The function that calls.
    pub function: Id<Function>,
    /// Its edge that calls.
    pub call: Id<Edge>,
}

/// Where a location comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocationOrigin {
    /// The function.
    pub function: Id<Function>,
    /// The location; for one that a pass put in the middle of an edge, the
    /// source of that edge.
    pub location: Id<Location>,
    /// The calls that lead there.
    pub stack: Option<Id<Frame>>,
}

/// What an edge of the result does for its original.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// The same as the original edge.
    Same,
    /// Chooses among the candidates of an indirect call.
    Dispatch,
    /// Passes the parameters of a call and enters the function.
    Enter,
    /// Hands the result of a function to its caller. The original edge is the
    /// `Return` of the function that is left.
    Leave,
}

/// Where an edge comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EdgeOrigin {
    /// The function.
    pub function: Id<Function>,
    /// The edge.
    pub edge: Id<Edge>,
    /// The calls that lead there.
    pub stack: Option<Id<Frame>>,
    /// What it does.
    pub role: Role,
}

/// Where a variable comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariableOrigin {
    /// The original; `None` if a pass made it.
    pub variable: Option<Id<Variable>>,
    /// The calls that lead to the instance of its function.
    pub stack: Option<Id<Frame>>,
}

/// Where the parts of one function come from, in the order of their ids.
#[derive(Clone, Debug, Default)]
pub struct FunctionOrigin {
    /// One for each location.
    pub locations: Vec<LocationOrigin>,
    /// One for each edge.
    pub edges: Vec<EdgeOrigin>,
}

/// The way back of a program.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The call stacks, as a forest.
    pub frames: IdVec<Frame>,
    /// One for each function of the result.
    pub functions: Vec<FunctionOrigin>,
    /// One for each variable of the result.
    pub variables: Vec<VariableOrigin>,
}

impl Origin {
    /// The way back of a program that was not changed.
    pub fn identity(program: &Program) -> Origin {
        let functions = program.functions.iter_enumerated().map(|(id, function)| {
            let place = |location| LocationOrigin { function: id, location, stack: None };
            let same = |edge| EdgeOrigin { function: id, edge, stack: None, role: Role::Same };
            FunctionOrigin {
                locations: function.locations.ids().map(place).collect(),
                edges: function.edges.ids().map(same).collect(),
            }
        });
        let own = |id| VariableOrigin { variable: Some(id), stack: None };
        Origin {
            frames: IdVec::default(),
            functions: functions.collect(),
            variables: program.variables.ids().map(own).collect(),
        }
    }

    /// Where a location of the result comes from.
    pub fn location(&self, function: Id<Function>, at: Id<Location>) -> Option<&LocationOrigin> {
        self.functions.get(function.index())?.locations.get(at.index())
    }

    /// Where an edge of the result comes from.
    pub fn edge(&self, function: Id<Function>, edge: Id<Edge>) -> Option<&EdgeOrigin> {
        self.functions.get(function.index())?.edges.get(edge.index())
    }

    /// Where a variable of the result comes from.
    pub fn variable(&self, variable: Id<Variable>) -> Option<&VariableOrigin> {
        self.variables.get(variable.index())
    }

    /// The calls of a stack, outermost first.
    pub fn calls(&self, stack: Option<Id<Frame>>) -> Vec<Frame> {
        let mut calls = Vec::new();
        let mut next = stack;
        while let Some(id) = next {
            calls.push(self.frames[id]);
            next = self.frames[id].parent;
        }
        calls.reverse();
        calls
    }

    /// The way back of this pass followed by that of the `earlier` one, whose
    /// result this pass was given.
    #[must_use]
    pub fn after(&self, earlier: &Origin) -> Origin {
        let mut joined = Joined {
            earlier,
            frames: IdVec::default(),
            known: FxHashMap::default(),
            inside: FxHashMap::default(),
            stacks: Vec::with_capacity(self.frames.len()),
        };
        for frame in &self.frames {
            let outer = frame.parent.and_then(|p| joined.stacks[p.index()]);
            let inner = match earlier.edge(frame.function, frame.call) {
                Some(at) => {
                    let around = joined.stack(outer, at.stack);
                    Some(joined.frame(around, at.function, at.edge))
                }
                None => outer,
            };
            joined.stacks.push(inner);
        }
        let functions = self.functions.iter().map(|f| joined.function(f)).collect();
        let variables = self.variables.iter().map(|v| joined.variable(v)).collect();
        Origin { frames: joined.frames, functions, variables }
    }
}

/// A stack of the earlier way inside a joined one, if there is one.
type Nested = (Option<Id<Frame>>, Id<Frame>);

/// The frames of two ways back, put together.
struct Joined<'a> {
    earlier: &'a Origin,
    frames: IdVec<Frame>,
    known: FxHashMap<Frame, Id<Frame>>,
    /// Stacks of the earlier way inside joined ones, as far as asked.
    inside: FxHashMap<Nested, Id<Frame>>,
    /// For each frame of the later way, the frame it became.
    stacks: Vec<Option<Id<Frame>>>,
}

impl Joined<'_> {
    fn frame(
        &mut self,
        parent: Option<Id<Frame>>,
        function: Id<Function>,
        call: Id<Edge>,
    ) -> Id<Frame> {
        let frame = Frame { parent, function, call };
        *self.known.entry(frame).or_insert_with(|| self.frames.push(frame))
    }

    /// The stack `inner` of the earlier way, inside the joined stack `outer`.
    fn stack(&mut self, outer: Option<Id<Frame>>, inner: Option<Id<Frame>>) -> Option<Id<Frame>> {
        let Some(inner) = inner else { return outer };
        if let Some(known) = self.inside.get(&(outer, inner)) {
            return Some(*known);
        }
        let calls = self.earlier.calls(Some(inner));
        let around = calls.iter().fold(outer, |around, c| {
            let frame = self.frame(around, c.function, c.call);
            Some(frame)
        });
        if let Some(joined) = around {
            self.inside.insert((outer, inner), joined);
        }
        around
    }

    fn outer(&self, stack: Option<Id<Frame>>) -> Option<Id<Frame>> {
        stack.and_then(|s| self.stacks[s.index()])
    }

    fn function(&mut self, later: &FunctionOrigin) -> FunctionOrigin {
        let mut result = FunctionOrigin::default();
        for at in &later.locations {
            let mut joined = *at;
            if let Some(first) = self.earlier.location(at.function, at.location) {
                let stack = self.stack(self.outer(at.stack), first.stack);
                joined = LocationOrigin { stack, ..*first };
            }
            result.locations.push(joined);
        }
        for edge in &later.edges {
            let mut joined = *edge;
            if let Some(first) = self.earlier.edge(edge.function, edge.edge) {
                let stack = self.stack(self.outer(edge.stack), first.stack);
                let role = if edge.role == Role::Same { first.role } else { edge.role };
                joined = EdgeOrigin { stack, role, ..*first };
            }
            result.edges.push(joined);
        }
        result
    }

    fn variable(&mut self, later: &VariableOrigin) -> VariableOrigin {
        let outer = self.outer(later.stack);
        match later.variable.and_then(|v| self.earlier.variable(v)) {
            Some(first) => {
                VariableOrigin { variable: first.variable, stack: self.stack(outer, first.stack) }
            }
            None => VariableOrigin { variable: None, stack: outer },
        }
    }
}
