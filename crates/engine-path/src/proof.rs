//! What a finished search hands out: a certificate and a picture.

use crate::node::Node;
use crate::work::Work;
use parallax_base::{Id, Stop};
use parallax_domain::Cube;
use parallax_evidence::{
    AbstractEdge, AbstractState, AbstractSystem, Certificate, ClosedSet, Finding, QuotientEdge, Why,
};
use std::collections::{BTreeMap, BTreeSet};

/// A step between abstract states: source, transition, target.
pub(crate) type Edge = (u32, u32, u32);

/// The claim that runs pass through `prefix` and are then trapped in
/// `fragment`; an open question if a symbolic state cannot be written down.
pub(crate) fn safe_fragment(
    work: &mut Work,
    prefix: impl Iterator<Item = Node>,
    fragment: impl Iterator<Item = Cube>,
) -> Result<Finding, Stop> {
    let (mut points, mut symbolic) = (Vec::new(), Vec::new());
    for node in prefix {
        match node {
            Node::Point(state) => points.push(state),
            Node::Symbolic(set) => match set.region(work)? {
                Some(region) => symbolic.push(region),
                None => {
                    let why = "a symbolic state has no formula without quantifiers";
                    return Ok(Finding::Unknown(Why::NoProgress(why.into())));
                }
            },
        }
    }
    let mut regions: Vec<_> = fragment.map(|cube| work.region(&cube)).collect();
    if regions.is_empty() && points.is_empty() {
        // Nothing else is reached: the symbolic states are closed on their own.
        std::mem::swap(&mut regions, &mut symbolic);
    }
    let store = work.store.fork();
    Ok(closed(ClosedSet { store, points, prefix: symbolic, fragment: regions, quotient: None }))
}

/// The claim that the abstract states and steps are a bisimilar structure. Where
/// steps have a constraint on their inputs, states that are taken together may
/// have different inputs to choose from; then it is the claim that the abstract
/// states are closed under steps.
pub(crate) fn bisimulation(work: &mut Work, cubes: &[Cube], edges: &BTreeSet<Edge>) -> Finding {
    let edge = |&(source, transition, target): &Edge| QuotientEdge { source, transition, target };
    let fragment = cubes.iter().map(|cube| work.region(cube)).collect();
    let constrained = work.transitions.iter().any(|t| !work.store.is_true(t.constraint));
    let quotient = (!constrained).then(|| edges.iter().map(edge).collect());
    closed(ClosedSet {
        store: work.store.fork(),
        points: Vec::new(),
        prefix: Vec::new(),
        fragment,
        quotient,
    })
}

fn closed(set: ClosedSet) -> Finding {
    Finding::Proved(Box::new(Certificate::Closed(set)))
}

/// The abstract transition system for people to look at. Each edge says
/// whether it is exact, if that is known.
pub(crate) fn picture(
    work: &mut Work,
    cubes: &[Cube],
    initial: &BTreeSet<u32>,
    fragment: &BTreeSet<u32>,
    mut edges: BTreeMap<Edge, Option<bool>>,
) -> Result<Box<AbstractSystem>, Stop> {
    if work.picture {
        for (&(source, transition, target), exact) in &mut edges {
            if exact.is_none() {
                let (from, to) = (&cubes[source as usize], &cubes[target as usize]);
                *exact = Some(is_exact(work, from, transition as usize, to)?);
            }
        }
    }
    let slots: Vec<_> = work.partition().explicit.iter().map(|&slot| Id::new(slot)).collect();
    let state = |(i, cube): (usize, &Cube)| AbstractState {
        explicit: slots.iter().copied().zip(cube.explicit.iter().cloned()).collect(),
        bits: cube.bits.iter().collect(),
        initial: initial.contains(&(i as u32)),
        in_fragment: fragment.contains(&(i as u32)),
    };
    let edge =
        |((source, transition, target), exact)| AbstractEdge { source, transition, target, exact };
    Ok(Box::new(AbstractSystem {
        predicates: work.predicates.atoms().to_vec(),
        states: cubes.iter().enumerate().map(state).collect(),
        edges: edges.into_iter().map(edge).collect(),
        store: work.store.fork(),
    }))
}

/// Whether every concrete state of one abstract state can step into another.
fn is_exact(work: &mut Work, from: &Cube, transition: usize, to: &Cube) -> Result<bool, Stop> {
    let mut residual = work.residual(from);
    for rule in work.rules_of[transition].clone() {
        let (post, mut cx) = work.post();
        if post.must(&mut cx, from, &mut residual, rule, to)?.is_some_and(|open| open.is_empty()) {
            return Ok(true);
        }
    }
    Ok(false)
}
