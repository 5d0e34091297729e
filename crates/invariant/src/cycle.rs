//! Cycles along which a template does not change.
//!
//! A bound that passes around a cycle unchanged justifies itself: computing it
//! once more from the steps that enter its place never lowers it. What counts
//! is what enters the cycle from outside, or changes on the way (Halbwachs,
//! Henry, SAS 2012, have the same problem in mind; here the cycles are read off
//! the steps).

use crate::fixpoint::Fixpoint;
use parallax_base::components;
use parallax_term::Term;
use std::collections::BTreeMap;

/// For each template, the places that it reaches unchanged from each other.
pub(crate) struct Cycles {
    /// By template: the component of each place, and the members of each.
    components: BTreeMap<Term, (Vec<usize>, Vec<Vec<usize>>)>,
    /// By template: whether each step leaves it alone.
    unchanged: BTreeMap<Term, Vec<bool>>,
}

impl Cycles {
    pub(crate) fn new(of: &Fixpoint<'_>) -> Cycles {
        let mut cycles = Cycles { components: BTreeMap::new(), unchanged: BTreeMap::new() };
        let count = of.control.places.len();
        // Templates over the same variables have the same cycles.
        let mut known: BTreeMap<Vec<Term>, Term> = BTreeMap::new();
        for &template in of.templates.at.iter().flatten() {
            if cycles.components.contains_key(&template) {
                continue;
            }
            let symbols = of.store.vars(template);
            if let Some(same) = known.get(&symbols) {
                let (components, unchanged) =
                    (cycles.components[same].clone(), cycles.unchanged[same].clone());
                cycles.components.insert(template, components);
                cycles.unchanged.insert(template, unchanged);
                continue;
            }
            let unchanged: Vec<bool> = of
                .written
                .iter()
                .map(|written| !symbols.iter().any(|s| written.contains(s)))
                .collect();
            let mut next = vec![Vec::new(); count];
            for (index, step) in of.control.steps.iter().enumerate() {
                if unchanged[index] {
                    next[step.source].push(step.target);
                }
            }
            let component = components(count, |place, nth| next[place].get(nth).copied());
            let groups = component.iter().max().map_or(0, |most| most + 1);
            let mut members = vec![Vec::new(); groups];
            for (place, &group) in component.iter().enumerate() {
                members[group].push(place);
            }
            known.insert(symbols, template);
            cycles.components.insert(template, (component, members));
            cycles.unchanged.insert(template, unchanged);
        }
        cycles
    }

    /// The steps that bring a bound of a template to a place, by way of places
    /// that it reaches from there unchanged; with the position of the template
    /// where the step leads.
    pub(crate) fn entering(
        &self,
        of: &Fixpoint<'_>,
        template: Term,
        place: usize,
    ) -> Vec<(usize, usize)> {
        let (component, members) = &self.components[&template];
        let unchanged = &self.unchanged[&template];
        let group = component[place];
        let mut found = Vec::new();
        for &member in &members[group] {
            let nth = of.templates.at[member].iter().position(|&t| t == template);
            for &step in &of.control.entering[member] {
                let inside = component[of.control.steps[step].source] == group;
                match nth {
                    _ if inside && unchanged[step] => {}
                    Some(nth) => found.push((step, nth)),
                    // Nobody says what comes in here.
                    None => {
                        return of.control.entering[place]
                            .iter()
                            .filter_map(|&s| {
                                let nth =
                                    of.templates.at[place].iter().position(|&t| t == template)?;
                                Some((s, nth))
                            })
                            .collect();
                    }
                }
            }
        }
        found
    }

    /// Whether a step leads from a place to one that reaches it unchanged.
    pub(crate) fn is_inside(&self, of: &Fixpoint<'_>, template: Term, step: usize) -> bool {
        let (component, _) = &self.components[&template];
        let step = of.control.steps[step];
        component[step.source] == component[step.target]
            && of.templates.at[step.source].contains(&template)
    }

    /// Whether a place reaches, and is reached from, the initial one.
    pub(crate) fn is_first(&self, template: Term, place: usize) -> bool {
        let (component, _) = &self.components[&template];
        component[place] == component[0]
    }
}
