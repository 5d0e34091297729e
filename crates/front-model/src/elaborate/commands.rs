//! Commands become edges: one for every process, every index of the command's
//! family and every source location.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use parallax_base::{Diagnostic, Id, Span};
use parallax_ir::{Action, Edge, Update};
use parallax_term::{Int, Node, Term};

use super::MAX_INSTANCES;
use super::bounds::refuted;
use super::context::{Cx, Elab, Ty};
use super::names::with_nearest;
use super::values::Hazard;
use crate::ast::{Command, Name, Route};

/// What all instances of a command share.
struct Plan<'m> {
    command: &'m Command<'m>,
    sources: Vec<usize>,
    target: usize,
    action: Option<Id<Action>>,
    /// Whether some instance can fire, as far as constants tell.
    enabled: bool,
    instances: usize,
}

impl<'m> Cx<'m> {
    /// Elaborates all commands of all processes.
    pub(super) fn commands(&mut self) {
        let limits = self.limits();
        for f in 0..self.families.len() {
            let def = self.families[f].def;
            self.check_labels(f);
            let mut plans: Vec<Option<Plan<'m>>> =
                def.commands.iter().map(|command| self.plan(f, command).ok()).collect();
            for m in 0..self.families[f].members.len() {
                let indices = self.families[f].members[m].indices.clone();
                self.here = Some((f, m));
                self.bind_family(f, &indices);
                let mut names = BTreeMap::new();
                for plan in &mut plans {
                    if let Some(known) = plan
                        && self.instances(known, &limits, &mut names).is_err()
                    {
                        // The other members would fail in the same way.
                        *plan = None;
                    }
                }
                self.bound.clear();
            }
            self.here = None;
            for plan in plans.into_iter().flatten() {
                if plan.instances > 0 && !plan.enabled {
                    let guard = plan.command.guard.as_ref();
                    let span = guard.map_or(plan.command.span, |g| g.span);
                    let text = "the guard is always false";
                    self.warn(Diagnostic::warning("M0904", span, text).label("never enabled"));
                }
            }
        }
        self.check_joint_writes();
    }

    fn check_labels(&mut self, f: usize) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for command in &self.families[f].def.commands {
            let Some(label) = command.label else { continue };
            match seen.get(label.text) {
                Some(&first) => {
                    self.twice(label, first);
                }
                None => {
                    seen.insert(label.text, label.span);
                }
            }
        }
    }

    /// Resolves locations and action of a command.
    fn plan(&mut self, f: usize, command: &'m Command<'m>) -> Elab<Plan<'m>> {
        let action = match command.action {
            None => Ok(None),
            Some(name) => match self.action_ids.get(name.text) {
                Some(&id) => Ok(Some(id)),
                None => Err(self.unknown_action(name)),
            },
        };
        let (sources, target) = self.route(f, command)?;
        let action = action?;
        Ok(Plan { command, sources, target, action, enabled: false, instances: 0 })
    }

    fn unknown_action(&mut self, name: Name<'m>) -> crate::parser::Reported {
        let text = format!("there is no action `{}`", name.text);
        let error = Diagnostic::error("M0102", name.span, text);
        let known: Vec<&str> = self.action_ids.keys().copied().collect();
        let error = match known.is_empty() {
            true => error.help(format!("declare it: `action {};`", name.text)),
            false => with_nearest(error, name.text, known),
        };
        self.fail(error)
    }

    fn route(&mut self, f: usize, command: &'m Command<'m>) -> Elab<(Vec<usize>, usize)> {
        let has_locations = !self.families[f].locations.is_empty();
        let Some(Route { sources, target }) = &command.route else {
            if !has_locations {
                return Ok((vec![0], 0));
            }
            let first = self.families[f].def.locations[0].name.text;
            let error = Diagnostic::error("M0401", command.span, "the command has no locations")
                .help(format!("say where it leads, as in `{first} -> {first}`"));
            return Err(self.fail(error));
        };
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        let mut result = Ok(());
        for source in sources {
            match self.location(f, *source) {
                Ok(location) if seen.insert(location) => found.push(location),
                Ok(_) => {
                    let text = format!("`{}` is listed twice", source.text);
                    result = Err(self.fail(Diagnostic::error("M0101", source.span, text)));
                }
                Err(reported) => result = Err(reported),
            }
        }
        let target = self.location(f, *target)?;
        result?;
        Ok((found, target))
    }

    fn location(&mut self, f: usize, name: Name<'m>) -> Elab<usize> {
        match self.families[f].locations.get(name.text) {
            Some(&location) => Ok(location),
            None => {
                let (def, known) = (self.families[f].def, self.families[f].locations.clone());
                Err(self.unknown_location(name, def, &known))
            }
        }
    }

    /// All instances of a command in the process at hand.
    fn instances(
        &mut self,
        plan: &mut Plan<'m>,
        limits: &HashMap<Term, (Int, Int)>,
        names: &mut BTreeMap<String, usize>,
    ) -> Elab<()> {
        let command = plan.command;
        let outer = self.bound.len();
        self.for_each(&command.binders, command.span, &mut |cx| {
            let result = cx.instance(plan, limits, names, outer);
            cx.overlay.clear();
            cx.log.clear();
            cx.path.clear();
            cx.inputs.clear();
            cx.input_marks.clear();
            cx.nonempty.clear();
            cx.defects.clear();
            result
        })
    }

    fn instance(
        &mut self,
        plan: &mut Plan<'m>,
        limits: &HashMap<Term, (Int, Int)>,
        names: &mut BTreeMap<String, usize>,
        outer: usize,
    ) -> Elab<()> {
        let command = plan.command;
        let guard = match &command.guard {
            Some(e) => self.expr_of(e, Ty::Bool),
            None => Ok(self.store.bool(true)),
        };
        let guard_defects = std::mem::take(&mut self.defects);
        // Where the guard is known to be false the update is only checked.
        let never = guard.as_ref().is_ok_and(|&g| self.store.is_false(g));
        self.dry += u32::from(never);
        let updated = self.update(&command.update);
        self.dry -= u32::from(never);
        let guard = guard?;
        updated?;
        if self.dry > 0 {
            return Ok(());
        }
        plan.instances += 1;
        let guard_defects = self.discharge(guard_defects, &[], limits)?;
        let guard_fails = self.store.or(guard_defects.iter().map(|d| d.when));
        let fine = self.store.not(guard_fails);

        let mut facts = self.conjuncts(guard);
        facts.push(fine);
        let mut nonempty = Vec::new();
        for condition in std::mem::take(&mut self.nonempty) {
            let empty = self.store.not(condition);
            let never = refuted(&self.store, limits, &facts, empty);
            nonempty.push(if never { self.store.bool(true) } else { condition });
        }
        // Errors and empty ranges are met in the order of the text, and the
        // first one decides: an error after k ranges needs those k only.
        let inputs = std::mem::take(&mut self.inputs);
        let marks = std::mem::take(&mut self.input_marks);
        let defects = std::mem::take(&mut self.defects);
        let (mut fails, mut fails_first, mut first_span) = (Vec::new(), Vec::new(), None);
        for k in 0..=nonempty.len() {
            let mut known = facts.clone();
            known.extend_from_slice(&nonempty[..k]);
            for (input, _) in inputs.iter().zip(&marks).filter(|(_, mark)| **mark <= k) {
                if let (Some(low), Some(high)) = (input.low, input.high) {
                    known.push(self.store.le(low, input.term));
                    known.push(self.store.le(input.term, high));
                }
            }
            let mine = defects.iter().filter(|d| d.after == k).cloned().collect();
            let mine = self.discharge(mine, &known, limits)?;
            first_span = first_span.or(mine.first().map(|d| d.span));
            let failing = self.projected(&mine, &inputs)?;
            fails.push(failing);
            fails_first
                .push(self.store.and([failing].into_iter().chain(nonempty[..k].iter().copied())));
        }
        let update_fails = self.store.or(fails);
        let update_wrong = self.store.or(fails_first);

        let possible = self.store.and([guard].into_iter().chain(nonempty));
        let wrong = self.store.and([fine, guard, update_wrong]);
        let wrong = self.store.or([guard_fails, wrong]);
        let right = self.store.not(update_fails);
        let safe_guard = self.store.and([possible, fine, right]);
        // Goes its way or goes wrong: what partners in an action have to expect.
        let attempted = self.store.or([safe_guard, wrong]);
        self.built(safe_guard, command.span)?;
        let hazard = guard_defects.first().map(|d| d.span).or(first_span);
        if self.store.is_false(safe_guard) && hazard.is_none() && plan.action.is_none() {
            return Ok(());
        }
        plan.enabled |= hazard.is_some() || !refuted(&self.store, limits, &[], safe_guard);

        let mut updates = Vec::new();
        for (&cell, &value) in &self.overlay {
            let variable = Id::new(cell);
            // A command that is never taken does nothing; its choices were not kept.
            if !never && self.cells[variable].term != value {
                updates.push(Update { variable, value });
            }
        }
        let (f, m) = self.here.unwrap_or_default();
        for &source in &plan.sources {
            self.edge_count += 1;
            if self.edge_count > MAX_INSTANCES {
                let text = format!("more than {MAX_INSTANCES} commands after expansion");
                let error = Diagnostic::error("M0305", command.span, text);
                return Err(self.fail(error));
            }
            if let Some(span) = hazard {
                let at = Some((f, m, source));
                self.hazards.push(Hazard { at, action: plan.action, when: wrong, span });
            }
            let name = self.edge_name(plan, source, outer, names);
            self.families[f].members[m].attempts.push(attempted);
            self.families[f].members[m].edges.push(Edge {
                name: name.into(),
                source: Id::new(source),
                target: Id::new(plan.target),
                action: plan.action,
                guard: safe_guard,
                inputs: inputs.clone(),
                constraint: self.store.bool(true),
                updates: updates.clone(),
                span: command.span,
            });
        }
        Ok(())
    }

    fn conjuncts(&self, formula: Term) -> Vec<Term> {
        match self.store.node(formula) {
            Node::And(items) => items.to_vec(),
            _ => vec![formula],
        }
    }

    /// Label with indices, else the route, else the action; with the source if
    /// there are several; made unique in the process by a number.
    fn edge_name(
        &self,
        plan: &Plan<'m>,
        source: usize,
        outer: usize,
        names: &mut BTreeMap<String, usize>,
    ) -> String {
        let command = plan.command;
        let family = self.here.map(|(f, _)| &self.families[f]);
        let source = family.and_then(|f| f.def.locations.get(source)).map_or("_", |l| l.name.text);
        let mut name = match (command.label, &command.route, command.action) {
            (Some(label), _, _) => label.text.to_owned(),
            (None, Some(route), _) => format!("{source}->{}", route.target.text),
            (None, None, Some(action)) => action.text.to_owned(),
            (None, None, None) => "step".to_owned(),
        };
        let indices: Vec<_> = self.bound[outer..].iter().map(|(_, typed)| *typed).collect();
        if !indices.is_empty() {
            name.push_str(&format!("[{}]", self.show_indices(&indices)));
        }
        if plan.sources.len() > 1 && command.label.is_some() {
            name.push_str(&format!("@{source}"));
        }
        let count = names.entry(name.clone()).or_insert(0);
        *count += 1;
        match *count {
            1 => name,
            n => format!("{name}#{n}"),
        }
    }

    /// Commands that fire together must not write the same cell.
    fn check_joint_writes(&mut self) {
        let mut writers: BTreeMap<(Id<Action>, Id<parallax_ir::Variable>), (usize, Span)> =
            BTreeMap::new();
        let mut clashes = Vec::new();
        let members = self.families.iter().flat_map(|f| &f.members);
        for (process, member) in members.enumerate() {
            for edge in &member.edges {
                let Some(action) = edge.action else { continue };
                for update in &edge.updates {
                    let key = (action, update.variable);
                    match writers.get(&key) {
                        Some(&(other, first)) if other != process => {
                            clashes.push((action, update.variable, edge.span, first));
                        }
                        _ => {
                            writers.insert(key, (process, edge.span));
                        }
                    }
                }
            }
        }
        for (action, variable, span, first) in clashes {
            let text = format!(
                "two processes write `{}` in the shared action `{}`",
                self.cells[variable].name, self.actions[action].name
            );
            let error = Diagnostic::error("M0406", span, text)
                .also(first, "also written here")
                .help("let one process write it, or use two actions");
            self.fail(error);
        }
    }
}
