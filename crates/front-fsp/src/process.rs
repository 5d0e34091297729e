//! A process becomes a system.
//!
//! Every local process with every value of its indices is a node, and so is
//! every place between two actions. A local process that is just a name for
//! another one is an alias, which is resolved in the end; a name that leads
//! back to itself without any action does nothing, which is `STOP`.

use crate::ast::{Body, Choice, Hiding, Labels, Name, ProcessDef};
use crate::build::{Builder, Built, Env, Quit};
use crate::value::Value;
use parallax_base::Span;
use parallax_lts::{
    Lts, StateId, TAU, complete_property, determinize, minimize_weak, nondeterminism,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

const STOP: usize = 0;
const END: usize = 1;
const ERROR: usize = 2;

/// A process under construction.
struct Nodes {
    lts: Lts,
    /// For every node its edges, or the node it is another name for.
    nodes: Vec<Result<Vec<(u32, usize)>, usize>>,
    /// Local processes with their indices.
    places: FxHashMap<String, usize>,
    /// The names of local processes.
    locals: BTreeSet<Rc<str>>,
    /// The state that is compiled into a node which is there already.
    warned: BTreeSet<String>,
}

impl Nodes {
    fn add(&mut self) -> usize {
        self.nodes.push(Ok(Vec::new()));
        self.nodes.len() - 1
    }

    /// The node behind a chain of names.
    fn resolve(&self, mut node: usize) -> usize {
        let mut steps = 0;
        while let Err(next) = self.nodes[node] {
            node = next;
            steps += 1;
            if steps > self.nodes.len() {
                return STOP;
            }
        }
        node
    }

    /// All names replaced by what they stand for, unreachable states left out.
    fn finish(mut self, start: usize) -> Lts {
        for _ in 0..self.nodes.len() {
            self.lts.add_state();
        }
        for node in 0..self.nodes.len() {
            let Ok(edges) = &self.nodes[node] else { continue };
            let edges = edges.iter().map(|&(action, target)| parallax_lts::Edge {
                action,
                target: self.resolve(target) as StateId,
            });
            let edges = edges.collect();
            self.lts.set_edges(node as StateId, edges);
        }
        self.lts.set_initial(self.resolve(start) as StateId);
        self.lts.set_end(Some(END as StateId));
        self.lts.set_error(Some(ERROR as StateId));
        self.lts.reachable()
    }
}

impl Builder<'_> {
    /// The system of an instance of a process.
    pub(crate) fn process(
        &mut self,
        definition: &ProcessDef,
        name: &str,
        given: &[Value],
    ) -> Built<Lts> {
        let env = self.bind(&definition.name, &definition.parameters, given)?;
        let mut nodes = Nodes {
            lts: Lts::new(name),
            nodes: vec![Ok(Vec::new()), Ok(Vec::new()), Ok(Vec::new())],
            places: FxHashMap::default(),
            locals: BTreeSet::new(),
            warned: BTreeSet::new(),
        };
        let mut bodies = Vec::new();
        for local in &definition.locals {
            nodes.locals.insert(Rc::clone(&local.name.text));
            for (index, env) in self.indices(&local.indices, &env, local.name.span)? {
                let node = nodes.add();
                let place = place_name(&local.name.text, &index);
                if nodes.places.insert(place, node).is_some() {
                    let message =
                        format!("the local process `{}` is defined twice", local.name.text);
                    return self.error("F0004", local.name.span, message);
                }
                bodies.push((node, &local.body, env));
            }
        }
        let start = bodies.first().map_or(STOP, |(node, _, _)| *node);
        for (node, body, env) in bodies {
            self.budget.check()?;
            let target = self.body(&mut nodes, body, &env, Some(node), definition.name.span)?;
            if target != node {
                nodes.nodes[node] = Err(target);
            }
        }
        if nodes.resolve(start) == STOP && !matches!(definition.locals[0].body, Body::Stop) {
            let message = format!("`{name}` never comes to an action: it is `STOP`");
            self.warn("F0011", definition.name.span, message);
        }
        let lts = nodes.finish(start);
        self.finish_process(definition, lts, &env)
    }

    /// Alphabet extension, relabelling, hiding, and what the modes ask for.
    fn finish_process(&mut self, definition: &ProcessDef, mut lts: Lts, env: &Env) -> Built<Lts> {
        if let Some(extension) = &definition.extension {
            for label in self.set(extension, env)? {
                lts.action(&label);
            }
        }
        let relabelling = self.relabelling(&definition.relabels, env)?;
        if !relabelling.is_empty() {
            lts = lts.relabelled(&relabelling);
        }
        lts = self.hide(lts, definition.hiding.as_ref(), env)?;
        let modes = definition.modes;
        if modes.property {
            if let Some((state, action)) = nondeterminism(&lts) {
                let message = format!(
                    "the property `{}` is not deterministic: state {state} has {}",
                    definition.name.text,
                    if action == TAU {
                        String::from("a silent step")
                    } else {
                        format!("two steps `{}`", lts.label(action))
                    }
                );
                return self.error("F0008", definition.name.span, message);
            }
            lts = complete_property(&lts);
        }
        self.apply_modes(lts, modes)
    }

    pub(crate) fn apply_modes(&mut self, mut lts: Lts, modes: crate::ast::Modes) -> Built<Lts> {
        if modes.deterministic {
            lts = determinize(&lts, &self.budget)?;
        }
        if modes.minimal {
            lts = minimize_weak(&lts, &self.budget)?;
        }
        Ok(lts)
    }

    pub(crate) fn hide(&mut self, lts: Lts, hiding: Option<&Hiding>, env: &Env) -> Built<Lts> {
        let Some(hiding) = hiding else { return Ok(lts) };
        let set = self.set(&hiding.set, env)?;
        Ok(if hiding.shows { lts.showing(&set) } else { lts.hiding(&set) })
    }

    /// The node at which a body begins. A choice is built in `place` if there
    /// is one.
    fn body(
        &mut self,
        nodes: &mut Nodes,
        body: &Body,
        env: &Env,
        place: Option<usize>,
        span: Span,
    ) -> Built<usize> {
        self.deeper(span, |builder| match body {
            Body::Stop => Ok(STOP),
            Body::End => Ok(END),
            Body::Error => Ok(ERROR),
            Body::If(condition, yes, no) => {
                if builder.truth(condition, env)? {
                    builder.body(nodes, yes, env, place, span)
                } else {
                    no.as_ref().map_or(Ok(STOP), |no| builder.body(nodes, no, env, place, span))
                }
            }
            Body::Reference(name, indices) => {
                let mut all = builder.indices(indices, env, name.span)?;
                let one = all.pop().filter(|_| all.is_empty());
                let Some((index, _)) = one else {
                    let message = format!("`{}` needs one value for every index", name.text);
                    return builder.error("F0005", name.span, message);
                };
                builder.reference(nodes, name, &index)
            }
            Body::Sequence(name, arguments, rest) => {
                let after = builder.body(nodes, rest, env, None, span)?;
                let values = builder.eval_all(arguments, env)?;
                let lts = builder.sequential(name, values)?;
                Ok(embed(nodes, &lts, after))
            }
            Body::Choice(choices) => {
                let node = place.unwrap_or_else(|| nodes.add());
                for choice in choices {
                    builder.choice(nodes, choice, env, node, span)?;
                }
                Ok(node)
            }
        })
    }

    fn reference(&mut self, nodes: &mut Nodes, name: &Name, index: &str) -> Built<usize> {
        let place = place_name(&name.text, index);
        if let Some(&node) = nodes.places.get(&place) {
            return Ok(node);
        }
        if !nodes.locals.contains(&name.text) {
            let message = if self.processes.contains_key(&name.text) {
                format!("`{0}` is not a local process; to go on as it, write `{0};END`", name.text)
            } else {
                format!("there is no local process `{}`", name.text)
            };
            return self.error("F0003", name.span, message);
        }
        if nodes.warned.insert(place.clone()) {
            let message = format!("there is no local process `{place}`: it is `ERROR`");
            self.warn("F0010", name.span, message);
        }
        Ok(ERROR)
    }

    /// The process in front of a semicolon.
    fn sequential(&mut self, name: &Name, values: Vec<Value>) -> Built<Lts> {
        let machines = self.instance(name, values)?;
        match machines.as_slice() {
            [one] => Ok(one.clone()),
            _ => {
                let message = format!("`{}` is a composition, not a process", name.text);
                self.error("F0005", name.span, message)
            }
        }
    }

    fn choice(
        &mut self,
        nodes: &mut Nodes,
        choice: &Choice,
        env: &Env,
        node: usize,
        span: Span,
    ) -> Built<()> {
        if let Some(guard) = &choice.guard
            && !self.truth(guard, env)?
        {
            return Ok(());
        }
        // The prefixes that are left, at a node, with an environment.
        let mut work: Vec<(usize, &[Labels], Env)> = vec![(node, &choice.prefixes, env.clone())];
        while let Some((node, prefixes, env)) = work.pop() {
            let Some((first, rest)) = prefixes.split_first() else { continue };
            self.budget.check()?;
            for (label, env) in self.expand(first, &env)? {
                if label == "tau" {
                    return self.error("F0005", first.span, "`tau` cannot be written");
                }
                let action = nodes.lts.action(&label);
                let target = if rest.is_empty() {
                    self.body(nodes, &choice.body, &env, None, span)?
                } else {
                    let target = nodes.add();
                    work.push((target, rest, env));
                    target
                };
                if let Ok(edges) = &mut nodes.nodes[node] {
                    edges.push((action, target));
                }
            }
        }
        Ok(())
    }

    /// The machines of a process or composition with some values.
    pub(crate) fn instance(&mut self, name: &Name, values: Vec<Value>) -> Built<Rc<Vec<Lts>>> {
        let Some(&index) = self.processes.get(&name.text) else {
            let message = format!("there is no process `{}`", name.text);
            return self.error("F0003", name.span, message);
        };
        let key = (index, values);
        if let Some(known) = self.instances.get(&key) {
            return Ok(Rc::clone(known));
        }
        if self.under_way.contains(&key) {
            let message = format!("`{}` needs itself, with the same values", name.text);
            return self.error("F0009", name.span, message);
        }
        self.under_way.push(key.clone());
        let items = self.items;
        let built = self.deeper(name.span, |builder| match &items[index] {
            crate::ast::Item::Process(definition) => {
                let shown = shown_name(&name.text, &key.1);
                builder.process(definition, &shown, &key.1).map(|lts| vec![lts])
            }
            crate::ast::Item::Composite(definition) => builder.composite(definition, &key.1),
            crate::ast::Item::Import(import) => match &import.lts {
                Some(lts) => {
                    let mut lts = Lts::clone(lts);
                    lts.set_name(shown_name(&name.text, &key.1));
                    Ok(vec![lts])
                }
                None => {
                    let message = format!("`{}` cannot be read from here", import.file);
                    builder.error("F0013", import.span, message)
                }
            },
            _ => Err(Quit::Reported),
        });
        self.under_way.pop();
        let machines = Rc::new(built?);
        self.instances.insert(key, Rc::clone(&machines));
        Ok(machines)
    }
}

fn place_name(name: &str, index: &str) -> String {
    if index.is_empty() { name.to_owned() } else { format!("{name}.{index}") }
}

/// `NAME(1,2)`
pub(crate) fn shown_name(name: &str, values: &[Value]) -> String {
    if values.is_empty() {
        return name.to_owned();
    }
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("{name}({})", values.join(","))
}

/// Copies a system; where it ends, `after` begins. Returns where it starts.
fn embed(nodes: &mut Nodes, lts: &Lts, after: usize) -> usize {
    let actions: Vec<u32> = lts.labels().iter().map(|label| nodes.lts.action(label)).collect();
    let places: Vec<usize> = lts
        .states()
        .map(|state| {
            if lts.end() == Some(state) {
                after
            } else if lts.error() == Some(state) {
                ERROR
            } else {
                nodes.add()
            }
        })
        .collect();
    for state in lts.states() {
        let edges = lts.edges(state).iter();
        let edges: Vec<(u32, usize)> = edges
            .map(|edge| (actions[edge.action as usize], places[edge.target as usize]))
            .collect();
        if !edges.is_empty() {
            nodes.nodes[places[state as usize]] = Ok(edges);
        }
    }
    places[lts.initial() as usize]
}
