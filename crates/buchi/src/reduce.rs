//! Making automata smaller without changing their words.
//!
//! States that simulate each other become one, edges that another edge of the
//! same state is as good as are dropped, what is then useless is trimmed, and
//! all that again until nothing changes. Simulation is used forwards and
//! backwards.
//!
//! An edge between two components and a state on no cycle are met only finitely
//! often, so whether they are accepting is a matter of taste. Either choice may
//! make states alike that are not under the other, so both are tried in turn.

use crate::automaton::{Automaton, Edge, State};
use crate::general::{Arc, General};
use crate::simulation::{Move, Relation, is_dominated, simulation};
use parallax_base::{Budget, Stop};

/// Larger automata are only trimmed: comparing all pairs takes too long.
const MAX_COMPARED: usize = 600;

impl General {
    /// Makes the automaton smaller.
    pub(crate) fn reduce(&mut self, budget: &Budget) -> Result<(), Stop> {
        self.trim();
        loop {
            let before = self.size();
            for accepting in [false, true] {
                if self.arcs.len() > MAX_COMPARED {
                    return Ok(());
                }
                self.mark_transient(accepting);
                let forward = self.forward(budget)?;
                self.quotient(&forward.representatives());
                self.trim();
                self.mark_transient(accepting);
                self.drop_dominated(budget)?;
                self.trim();
                self.mark_transient(accepting);
                let backward = self.backward(budget)?;
                self.quotient(&backward.representatives());
                self.trim();
            }
            if self.size() >= before {
                return Ok(());
            }
        }
    }

    fn size(&self) -> (usize, usize, u32) {
        (self.arcs.len(), self.arcs.iter().map(Vec::len).sum(), self.sets)
    }

    /// Puts edges between components into all acceptance sets, or into none.
    fn mark_transient(&mut self, accepting: bool) {
        let components = self.components();
        let marks = if accepting { self.all_marks() } else { 0 };
        for (source, arcs) in self.arcs.iter_mut().enumerate() {
            let leaves = |arc: &&mut Arc| components.of[arc.target] != components.of[source];
            arcs.iter_mut().filter(leaves).for_each(|arc| arc.marks = marks);
        }
    }

    fn moves(&self) -> Vec<Vec<Move>> {
        let one = |arc: &Arc| Move { target: arc.target, label: arc.label, marks: arc.marks };
        self.arcs.iter().map(|arcs| arcs.iter().map(one).collect()).collect()
    }

    fn forward(&self, budget: &Budget) -> Result<Relation, Stop> {
        simulation(&self.moves(), |_, _| true, budget)
    }

    /// Simulation against the direction of edges; only the initial state
    /// answers for the initial state.
    fn backward(&self, budget: &Budget) -> Result<Relation, Stop> {
        let mut moves: Vec<Vec<Move>> = vec![Vec::new(); self.arcs.len()];
        for (source, arcs) in self.arcs.iter().enumerate() {
            for arc in arcs {
                let back = Move { target: source, label: arc.label, marks: arc.marks };
                moves[arc.target].push(back);
            }
        }
        simulation(&moves, |q, r| q != self.initial || r == self.initial, budget)
    }

    fn quotient(&mut self, representatives: &[usize]) {
        for state in 0..self.arcs.len() {
            let class = representatives[state];
            let arcs = std::mem::take(&mut self.arcs[state]);
            let renamed = arcs.into_iter().map(|a| Arc { target: representatives[a.target], ..a });
            self.arcs[class].extend(renamed.collect::<Vec<_>>());
        }
        self.initial = representatives[self.initial];
    }

    fn drop_dominated(&mut self, budget: &Budget) -> Result<(), Stop> {
        let moves = self.moves();
        let relation = simulation(&moves, |_, _| true, budget)?;
        for (arcs, moves) in self.arcs.iter_mut().zip(&moves) {
            let mut index = 0..moves.len();
            arcs.retain(|_| index.next().is_some_and(|i| !is_dominated(moves, i, &relation)));
        }
        Ok(())
    }
}

impl Automaton {
    /// Makes the automaton smaller.
    pub(crate) fn reduce(&mut self, budget: &Budget) -> Result<(), Stop> {
        self.trim();
        loop {
            let before = self.size();
            for accepting in [false, true] {
                if self.states.len() > MAX_COMPARED {
                    return Ok(());
                }
                self.mark_transient(accepting);
                let forward = self.simulated(budget)?.1;
                self.quotient(&forward.representatives());
                self.trim();
                self.mark_transient(accepting);
                self.drop_dominated(budget)?;
                self.trim();
                self.mark_transient(accepting);
                let backward = self.backward(budget)?;
                self.quotient(&backward.representatives());
                self.trim();
            }
            if self.size() >= before {
                return Ok(());
            }
        }
    }

    /// Makes states on no cycle accepting, or not.
    fn mark_transient(&mut self, accepting: bool) {
        let components = self.as_general().components();
        for (source, state) in self.states.iter_mut().enumerate() {
            let inside = |e: &Edge| components.of[e.target] == components.of[source];
            if !state.edges.iter().any(inside) {
                state.accepting = accepting;
            }
        }
    }

    /// As an automaton with acceptance on edges: those that leave accepting
    /// states.
    fn as_general(&self) -> General {
        let arcs = |state: &State| {
            let marks = u64::from(state.accepting);
            let arc = |e: &Edge| Arc { target: e.target, marks, label: e.label };
            state.edges.iter().map(arc).collect()
        };
        let arcs = self.states.iter().map(arcs).collect();
        General { arcs, initial: self.initial, sets: 1 }
    }

    /// Drops useless states, and the acceptance of states on no accepting
    /// cycle.
    fn trim(&mut self) {
        let general = self.as_general();
        let components = general.components();
        for (state, arcs) in general.arcs.iter().enumerate() {
            let component = components.of[state];
            let cyclic = arcs.iter().any(|a| components.of[a.target] == component);
            self.states[state].accepting &= cyclic && components.accepting[component];
        }
        let mut general = self.as_general();
        // Sets are not dropped here: the acceptance is one of states.
        general.trim_states();
        let states = general.arcs.iter().map(|arcs| State {
            accepting: arcs.iter().any(|a| a.marks != 0),
            edges: arcs.iter().map(|a| Edge { target: a.target, label: a.label }).collect(),
        });
        self.states = states.collect();
        self.initial = general.initial;
        self.states.iter_mut().for_each(State::join_edges);
    }

    /// The moves, and the simulation between states.
    fn simulated(&self, budget: &Budget) -> Result<(Vec<Vec<Move>>, Relation), Stop> {
        let moves = self.as_general().moves();
        let may = |q: usize, r: usize| !self.states[q].accepting || self.states[r].accepting;
        let relation = simulation(&moves, may, budget)?;
        Ok((moves, relation))
    }

    fn backward(&self, budget: &Budget) -> Result<Relation, Stop> {
        let mut moves: Vec<Vec<Move>> = vec![Vec::new(); self.states.len()];
        for (source, state) in self.states.iter().enumerate() {
            for edge in &state.edges {
                let back = Move { target: source, label: edge.label, marks: 0 };
                moves[edge.target].push(back);
            }
        }
        let may = |q: usize, r: usize| {
            (q != self.initial || r == self.initial)
                && (!self.states[q].accepting || self.states[r].accepting)
        };
        simulation(&moves, may, budget)
    }

    fn quotient(&mut self, representatives: &[usize]) {
        for index in 0..self.states.len() {
            let class = representatives[index];
            let state = std::mem::take(&mut self.states[index]);
            let renamed = |e: Edge| Edge { target: representatives[e.target], ..e };
            self.states[class].edges.extend(state.edges.into_iter().map(renamed));
            self.states[class].accepting |= state.accepting;
        }
        self.initial = representatives[self.initial];
    }

    fn drop_dominated(&mut self, budget: &Budget) -> Result<(), Stop> {
        let (moves, relation) = self.simulated(budget)?;
        for (state, moves) in self.states.iter_mut().zip(&moves) {
            let mut index = 0..moves.len();
            state
                .edges
                .retain(|_| index.next().is_some_and(|i| !is_dominated(moves, i, &relation)));
        }
        Ok(())
    }

    fn size(&self) -> (usize, usize) {
        (self.states.len(), self.states.iter().map(|s| s.edges.len()).sum())
    }
}
