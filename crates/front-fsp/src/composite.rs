//! A composition becomes a list of machines.
//!
//! As in the tool of the book, a composition that neither hides nor prefers
//! anything is only a list: labels and relabellings of an outer composition
//! are applied to its machines, and all of them synchronize together. One that
//! does is composed first.

use crate::ast::{CBody, CInner, CompositeDef};
use crate::build::{Builder, Built, Env};
use crate::process::shown_name;
use crate::value::Value;
use parallax_base::Span;
use parallax_lts::{Lts, Priority, compose, minimize_weak};
use std::rc::Rc;

/// What a composition hides: whether only these labels are shown, and which.
pub(crate) type Hidden = Option<(bool, Vec<String>)>;

impl Builder<'_> {
    /// The machines of a composition that is asked about as a whole, side by
    /// side if it does no more than to hide labels, and what it hides.
    pub(crate) fn side_by_side(&mut self, definition: &CompositeDef) -> Built<(Vec<Lts>, Hidden)> {
        let modes = definition.modes;
        let plain = !modes.deterministic && !modes.minimal && !modes.compose && !modes.property;
        match (&definition.priority, &definition.hiding) {
            (None, Some(hiding)) if plain => {
                let env = self.bind(&definition.name, &definition.parameters, &[])?;
                let machines = self.composite_body(&definition.body, &env, definition.name.span)?;
                let set = self.set(&hiding.set, &env)?;
                Ok((machines, Some((hiding.shows, set))))
            }
            _ => Ok((self.instance(&definition.name, Vec::new())?.to_vec(), None)),
        }
    }

    /// The machines of a composition.
    pub(crate) fn composite(
        &mut self,
        definition: &CompositeDef,
        given: &[Value],
    ) -> Built<Vec<Lts>> {
        let env = self.bind(&definition.name, &definition.parameters, given)?;
        let machines = self.composite_body(&definition.body, &env, definition.name.span)?;
        let modes = definition.modes;
        let plain = definition.priority.is_none() && definition.hiding.is_none();
        if plain && !modes.deterministic && !modes.minimal && !modes.compose && !modes.property {
            return Ok(machines);
        }
        let name = shown_name(&definition.name.text, given);
        let priority = match &definition.priority {
            Some((true, set)) => Some(Priority::High(self.set(set, &env)?)),
            Some((false, set)) => Some(Priority::Low(self.set(set, &env)?)),
            None => None,
        };
        let lts = self.compose(&name, &machines, priority.as_ref())?;
        let lts = self.hide(lts, definition.hiding.as_ref(), &env)?;
        if modes.property {
            let message = "a composition cannot be a property";
            return self.error("F0005", definition.name.span, message);
        }
        let mut lts = self.apply_modes(lts, modes)?;
        if self.minimize {
            lts = minimize_weak(&lts, &self.budget)?;
        }
        lts.set_name(name);
        Ok(vec![lts])
    }

    /// All machines as one.
    pub(crate) fn compose(
        &mut self,
        name: &str,
        machines: &[Lts],
        priority: Option<&Priority>,
    ) -> Built<Lts> {
        if let ([one], None) = (machines, priority) {
            let mut one = one.clone();
            one.set_name(name);
            return Ok(one);
        }
        if machines.is_empty() {
            let mut nothing = Lts::new(name);
            nothing.add_state();
            return Ok(nothing);
        }
        let parts: Vec<&Lts> = machines.iter().collect();
        Ok(compose(name, &parts, priority, &self.budget)?.lts)
    }

    fn composite_body(&mut self, body: &CBody, env: &Env, span: Span) -> Built<Vec<Lts>> {
        self.deeper(span, |builder| match body {
            CBody::If(condition, yes, no) => {
                if builder.truth(condition, env)? {
                    builder.composite_body(yes, env, span)
                } else {
                    match no {
                        Some(no) => builder.composite_body(no, env, span),
                        None => Ok(Vec::new()),
                    }
                }
            }
            CBody::Forall(indices, body) => {
                let mut all = Vec::new();
                for (_, env) in builder.indices(indices, env, span)? {
                    all.extend(builder.composite_body(body, &env, span)?);
                }
                Ok(all)
            }
            CBody::Labelled { share, label, inner, relabels } => {
                let mut machines = Vec::new();
                match label {
                    None => machines = builder.inner(inner, env, span)?,
                    // What the label binds is known in the process.
                    Some(label) => {
                        for (label, env) in builder.expand(label, env)? {
                            for lts in builder.inner(inner, &env, span)? {
                                let name = format!("{label}:{}", lts.name());
                                let mut lts = lts.prefixed(&label);
                                lts.set_name(name);
                                machines.push(lts);
                            }
                        }
                    }
                }
                if let Some(share) = share {
                    let prefixes = builder.plain(share, env)?;
                    machines = machines.iter().map(|lts| lts.shared(&prefixes)).collect();
                }
                let relabelling = builder.relabelling(relabels, env)?;
                if !relabelling.is_empty() {
                    machines = machines.iter().map(|lts| lts.relabelled(&relabelling)).collect();
                }
                Ok(machines)
            }
        })
    }

    fn inner(&mut self, inner: &CInner, env: &Env, span: Span) -> Built<Vec<Lts>> {
        match inner {
            CInner::Parallel(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.composite_body(part, env, span)?);
                }
                Ok(all)
            }
            CInner::Reference(name, arguments) => {
                let values = self.eval_all(arguments, env)?;
                let machines = self.instance(name, values)?;
                Ok(Rc::unwrap_or_clone(machines))
            }
        }
    }
}
