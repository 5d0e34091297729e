//! The control-flow automaton of one function under construction.
//!
//! Code is emitted at the current location; there is none after a jump, and
//! what is emitted then is dropped. [`Graph::finish`] leaves out what cannot be
//! reached and contracts edges that do nothing.

use parallax_base::{Id, IdVec, Span};
use parallax_cfa::{Edge, Location, Op};
use std::sync::Arc;

/// A location.
pub(crate) type Loc = Id<Location>;

/// A state of the graph to which it can be taken back.
pub(crate) struct Mark {
    locations: usize,
    edges: usize,
    current: Option<Loc>,
}

/// The automaton.
pub(crate) struct Graph {
    locations: Vec<Location>,
    placed: Vec<bool>,
    edges: Vec<Edge>,
    /// Where code is emitted; `None` if it cannot be reached.
    pub(crate) current: Option<Loc>,
    /// Where the function starts.
    pub(crate) entry: Loc,
    /// Where returns lead.
    pub(crate) exit: Loc,
}

impl Graph {
    pub(crate) fn new(span: Span) -> Graph {
        let mut graph = Graph {
            locations: Vec::new(),
            placed: Vec::new(),
            edges: Vec::new(),
            current: None,
            entry: Id::new(0),
            exit: Id::new(1),
        };
        let entry = graph.location();
        graph.current = Some(entry);
        graph.begin(span);
        graph.location();
        graph.locations[1].span = Span { lo: span.hi.saturating_sub(1), ..span };
        graph.placed[1] = true;
        graph
    }

    /// A new location.
    pub(crate) fn location(&mut self) -> Loc {
        self.locations.push(Location::at(Span::default()));
        self.placed.push(false);
        Id::new(self.locations.len() - 1)
    }

    /// Says that a statement begins at the current location.
    pub(crate) fn begin(&mut self, span: Span) {
        if let Some(at) = self.current {
            self.span_at(at, span);
        }
    }

    fn span_at(&mut self, at: Loc, span: Span) {
        if !self.placed[at.index()] {
            self.placed[at.index()] = true;
            self.locations[at.index()].span = span;
        }
    }

    /// Names a location.
    pub(crate) fn set_label(&mut self, at: Loc, label: Arc<str>) {
        self.locations[at.index()].label = Some(label);
    }

    /// Says that a loop statement has its head here.
    pub(crate) fn set_loop_head(&mut self, at: Loc, span: Span) {
        self.locations[at.index()].loop_head = Some(span);
    }

    /// Adds an edge between two locations.
    pub(crate) fn edge(
        &mut self,
        source: Loc,
        target: Loc,
        op: Op,
        span: Span,
        branch: Option<bool>,
    ) {
        self.span_at(source, span);
        self.edges.push(Edge { source, target, op, span, branch });
    }

    /// Does something at the current location and goes on behind it.
    pub(crate) fn emit(&mut self, op: Op, span: Span) {
        let Some(source) = self.current else { return };
        let target = self.location();
        self.edge(source, target, op, span, None);
        self.current = Some(target);
    }

    /// Ends the run here: nothing follows.
    pub(crate) fn stop(&mut self, op: Op, span: Span) {
        self.emit(op, span);
        self.begin(span);
        self.current = None;
    }

    /// Goes from the current location to another, if there is one.
    pub(crate) fn go(&mut self, target: Loc, span: Span) {
        if let Some(source) = self.current.take() {
            self.edge(source, target, Op::Skip, span, None);
        }
    }

    /// One location for two ways that meet.
    pub(crate) fn join(&mut self, a: Option<Loc>, b: Option<Loc>, span: Span) -> Option<Loc> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => {
                let target = self.location();
                self.edge(a, target, Op::Skip, span, None);
                self.edge(b, target, Op::Skip, span, None);
                Some(target)
            }
            (a, b) => a.or(b),
        }
    }

    /// The present state.
    pub(crate) fn mark(&self) -> Mark {
        Mark { locations: self.locations.len(), edges: self.edges.len(), current: self.current }
    }

    /// Takes back everything since a mark.
    pub(crate) fn roll_back(&mut self, mark: &Mark) {
        self.locations.truncate(mark.locations);
        self.placed.truncate(mark.locations);
        self.edges.truncate(mark.edges);
        self.current = mark.current;
    }

    /// The edges so far.
    pub(crate) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// How many locations there are.
    pub(crate) fn len(&self) -> usize {
        self.locations.len()
    }

    /// Makes an edge do nothing.
    pub(crate) fn erase(&mut self, edge: usize) {
        self.edges[edge].op = Op::Skip;
    }

    /// Follows edges that do nothing from locations nobody names.
    fn contracted(&self) -> Vec<Loc> {
        let mut out = vec![(0u32, 0usize); self.locations.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            let slot = &mut out[edge.source.index()];
            *slot = (slot.0 + 1, index);
        }
        let next = |at: Loc| {
            let (count, edge) = out[at.index()];
            let location = &self.locations[at.index()];
            let plain = location.label.is_none() && location.loop_head.is_none();
            let idle = count == 1 && plain && matches!(self.edges[edge].op, Op::Skip);
            idle.then(|| self.edges[edge].target)
        };
        let mut target: Vec<Option<Loc>> = vec![None; self.locations.len()];
        let mut trail_of = vec![usize::MAX; self.locations.len()];
        for start in 0..self.locations.len() {
            let mut trail = Vec::new();
            let mut at = Loc::new(start);
            let end = loop {
                if let Some(known) = target[at.index()] {
                    break known;
                }
                // A cycle of nothing keeps one location.
                if std::mem::replace(&mut trail_of[at.index()], start) == start {
                    break at;
                }
                trail.push(at);
                match next(at) {
                    Some(following) => at = following,
                    None => break at,
                }
            };
            for at in trail {
                target[at.index()] = Some(end);
            }
        }
        target.into_iter().enumerate().map(|(i, t)| t.unwrap_or(Loc::new(i))).collect()
    }

    /// Leaves out edges that contraction has bypassed.
    fn drop_unreached(&mut self) {
        let mut out: Vec<Vec<usize>> = vec![Vec::new(); self.locations.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            out[edge.source.index()].push(index);
        }
        let mut reached = vec![false; self.locations.len()];
        let mut open = vec![self.entry];
        reached[self.entry.index()] = true;
        while let Some(at) = open.pop() {
            for edge in &out[at.index()] {
                let target = self.edges[*edge].target;
                if !std::mem::replace(&mut reached[target.index()], true) {
                    open.push(target);
                }
            }
        }
        self.edges.retain(|edge| reached[edge.source.index()]);
    }

    /// Lets a named location with nothing but an idle edge take the place of
    /// the location behind it, if no other edge leads there.
    fn absorb(&mut self) {
        let mut leaving = vec![0u32; self.locations.len()];
        let mut arriving = vec![0u32; self.locations.len()];
        for edge in &self.edges {
            leaving[edge.source.index()] += 1;
            arriving[edge.target.index()] += 1;
        }
        let mut stands_for: Vec<Loc> = (0..self.locations.len()).map(Loc::new).collect();
        for edge in &self.edges {
            let behind = &self.locations[edge.target.index()];
            let plain = behind.label.is_none() && behind.loop_head.is_none();
            let alone = leaving[edge.source.index()] == 1 && arriving[edge.target.index()] == 1;
            let inner = edge.target != self.entry && edge.target != self.exit;
            if matches!(edge.op, Op::Skip) && plain && alone && inner {
                stands_for[edge.target.index()] = edge.source;
            }
        }
        let find = |mut at: Loc| {
            while stands_for[at.index()] != at {
                at = stands_for[at.index()];
            }
            at
        };
        self.edges.retain(|edge| {
            !matches!(edge.op, Op::Skip) || stands_for[edge.target.index()] == edge.target
        });
        for edge in &mut self.edges {
            edge.source = find(edge.source);
        }
    }

    /// The locations and edges that can be reached, renumbered in the order of
    /// their making; entry and exit come back as well.
    pub(crate) fn finish(mut self) -> (IdVec<Location>, IdVec<Edge>, Loc, Loc) {
        let contracted = self.contracted();
        let entry = contracted[self.entry.index()];
        for edge in &mut self.edges {
            edge.target = contracted[edge.target.index()];
        }
        self.entry = entry;
        self.drop_unreached();
        self.absorb();
        let mut reached = vec![false; self.locations.len()];
        reached[entry.index()] = true;
        reached[self.exit.index()] = true;
        for edge in &self.edges {
            reached[edge.source.index()] = true;
            reached[edge.target.index()] = true;
        }
        let mut number = vec![Loc::new(0); self.locations.len()];
        let mut locations = IdVec::default();
        for (index, location) in self.locations.into_iter().enumerate() {
            if reached[index] {
                number[index] = locations.push(location);
            }
        }
        let edges = self
            .edges
            .into_iter()
            .map(|e| Edge {
                source: number[e.source.index()],
                target: number[e.target.index()],
                ..e
            })
            .collect();
        (locations, edges, number[entry.index()], number[self.exit.index()])
    }
}
