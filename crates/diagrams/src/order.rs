//! Which component is on which level of a diagram.
//!
//! A diagram is small where components that depend on each other are close.
//! The order is found by the FORCE heuristic (Aloul, Markov, Sakallah 2003):
//! every event pulls its owners to their centre, again and again, and the order
//! with the least total length of events is taken.

use parallax_lts::Parallel;

/// Rounds without a better order, after which the best is taken.
const PATIENCE: usize = 10;

/// An order of the components, the topmost first.
pub(crate) fn order(parallel: &Parallel<'_>) -> Vec<usize> {
    let groups: Vec<Vec<usize>> =
        parallel.events().into_iter().map(|e| e.owners).filter(|o| o.len() > 1).collect();
    let length = |places: &[usize]| -> usize {
        let spread = |group: &Vec<usize>| {
            let places = group.iter().map(|&component| places[component]);
            places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)
        };
        groups.iter().map(spread).sum()
    };
    let mut order: Vec<usize> = (0..parallel.width()).collect();
    let (mut best, mut shortest, mut rounds) = (order.clone(), length(&order), 0);
    while rounds < PATIENCE {
        rounds += 1;
        let places = inverse(&order);
        let centres = groups.iter().map(|group| {
            let sum: usize = group.iter().map(|&component| places[component]).sum();
            sum as f64 / group.len() as f64
        });
        let mut pulls: Vec<(f64, usize)> = vec![(0.0, 0); order.len()];
        for (group, centre) in groups.iter().zip(centres) {
            for &component in group {
                pulls[component].0 += centre;
                pulls[component].1 += 1;
            }
        }
        let target = |component: usize| match pulls[component] {
            (_, 0) => places[component] as f64,
            (sum, count) => sum / count as f64,
        };
        order.sort_by(|&one, &two| target(one).total_cmp(&target(two)).then(one.cmp(&two)));
        let long = length(&inverse(&order));
        if long < shortest {
            (best, shortest, rounds) = (order.clone(), long, 0);
        }
    }
    best
}

/// The place of each component.
fn inverse(order: &[usize]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    for (place, &component) in order.iter().enumerate() {
        places[component] = place;
    }
    places
}
