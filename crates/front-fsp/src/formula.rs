//! Formulas and fluents as assertions of linear temporal logic.

use crate::ast::{FluentDef, Formula, Index, Item, Labels, Link, Name, Prefix};
use crate::build::{Builder, Built, Env, Meaning};
use parallax_base::Span;
use parallax_ltl::{Assertion, Atom, Ends, Fluent, MAX_ATOMS, Store, Sub};

/// A formula under construction.
#[derive(Default)]
struct Draft {
    store: Store,
    fluents: Vec<Fluent>,
}

impl Builder<'_> {
    /// The assertion that a formula makes.
    pub(crate) fn assertion(&mut self, name: &Name, formula: &Formula) -> Built<Assertion> {
        let mut draft = Draft::default();
        let root = self.formula(&mut draft, formula, &Env::default(), name.span)?;
        let atom = |fluent: &Fluent| Atom { text: fluent.name.clone(), span: name.span };
        let atoms = draft.fluents.iter().map(atom).collect();
        let formula = parallax_ltl::Formula { store: draft.store, root, atoms };
        Ok(Assertion { name: name.text.to_string(), formula, fluents: draft.fluents })
    }

    fn formula(
        &mut self,
        draft: &mut Draft,
        formula: &Formula,
        env: &Env,
        span: Span,
    ) -> Built<Sub> {
        self.deeper(span, |builder| match formula {
            Formula::Prefixed(prefixes, inner) => {
                builder.prefixed(draft, prefixes, inner, env, span)
            }
            Formula::And(all) => {
                let parts: Built<Vec<Sub>> =
                    all.iter().map(|f| builder.formula(draft, f, env, span)).collect();
                Ok(draft.store.and(parts?))
            }
            Formula::Or(all) => {
                let parts: Built<Vec<Sub>> =
                    all.iter().map(|f| builder.formula(draft, f, env, span)).collect();
                Ok(draft.store.or(parts?))
            }
            Formula::Linked(left, link, right) => {
                let left = builder.formula(draft, left, env, span)?;
                let right = builder.formula(draft, right, env, span)?;
                Ok(match link {
                    Link::Until => draft.store.until(left, right),
                    Link::WeakUntil => draft.store.weak_until(left, right),
                    Link::Release => draft.store.release(left, right),
                    Link::Implies => draft.store.implies(left, right),
                    Link::Iff => draft.store.iff(left, right),
                })
            }
            Formula::Rigid(expr) => {
                let value = builder.truth(expr, env)?;
                Ok(draft.store.constant(value))
            }
            Formula::Actions(labels) => builder.actions(draft, labels, env),
            Formula::Named(name, indices) => builder.named(draft, name, indices, env),
        })
    }

    /// Prefixes, the innermost last. A quantifier stands for one formula for each
    /// value, so what is inside of it is built for each.
    fn prefixed(
        &mut self,
        draft: &mut Draft,
        prefixes: &[Prefix],
        inner: &Formula,
        env: &Env,
        span: Span,
    ) -> Built<Sub> {
        let quantifier =
            prefixes.iter().position(|p| matches!(p, Prefix::Forall(_) | Prefix::Exists(_)));
        let (plain, mut built) = match quantifier {
            None => (prefixes, self.formula(draft, inner, env, span)?),
            Some(place) => {
                let (Prefix::Forall(indices) | Prefix::Exists(indices)) = &prefixes[place] else {
                    return self.error("F0010", span, "a quantifier was expected");
                };
                let mut parts = Vec::new();
                for (_, env) in self.indices(indices, env, span)? {
                    let rest = &prefixes[place + 1..];
                    let part = self
                        .deeper(span, |builder| builder.prefixed(draft, rest, inner, &env, span))?;
                    parts.push(part);
                }
                let all = matches!(prefixes[place], Prefix::Forall(_));
                let joined = if all { draft.store.and(parts) } else { draft.store.or(parts) };
                (&prefixes[..place], joined)
            }
        };
        for prefix in plain.iter().rev() {
            built = match prefix {
                Prefix::Not => draft.store.not(built),
                Prefix::Next => draft.store.next(built),
                Prefix::Always => draft.store.always(built),
                Prefix::Eventually => draft.store.eventually(built),
                Prefix::Forall(_) | Prefix::Exists(_) => built,
            };
        }
        Ok(built)
    }

    /// One of these actions happened last.
    fn actions(&mut self, draft: &mut Draft, labels: &Labels, env: &Env) -> Built<Sub> {
        let starts = self.plain(labels, env)?;
        let name = match starts.as_slice() {
            [one] => one.clone(),
            all => format!("{{{}}}", all.join(", ")),
        };
        self.atom(
            draft,
            Fluent { name, initially: false, starts, ends: Ends::Otherwise },
            labels.span,
        )
    }

    fn atom(&mut self, draft: &mut Draft, fluent: Fluent, span: Span) -> Built<Sub> {
        let known = draft.fluents.iter().position(|known| *known == fluent);
        let number = known.unwrap_or(draft.fluents.len());
        if known.is_none() {
            if number >= MAX_ATOMS {
                let message = format!("more than {MAX_ATOMS} fluents and actions in one formula");
                return self.error("F0007", span, message);
            }
            draft.fluents.push(fluent);
        }
        Ok(draft.store.atom(number as u32))
    }

    /// A fluent, another formula, or a set of actions.
    fn named(
        &mut self,
        draft: &mut Draft,
        name: &Name,
        indices: &[Index],
        env: &Env,
    ) -> Built<Sub> {
        let items = self.items;
        for item in items {
            match item {
                Item::Fluent(def) if def.name.text == name.text => {
                    return self.fluent(draft, def, name, indices, env);
                }
                Item::Assert(own, formula) if own.text == name.text && indices.is_empty() => {
                    return self.formula(draft, formula, &Env::default(), name.span);
                }
                _ => {}
            }
        }
        if let (Some(Meaning::Set(set)), []) = (self.names.get(&name.text), indices) {
            let (name_text, starts) = (name.text.to_string(), set.to_vec());
            let fluent =
                Fluent { name: name_text, initially: false, starts, ends: Ends::Otherwise };
            return self.atom(draft, fluent, name.span);
        }
        let message = format!("there is no fluent, formula or set `{}`", name.text);
        self.error("F0003", name.span, message)
    }

    fn fluent(
        &mut self,
        draft: &mut Draft,
        def: &FluentDef,
        name: &Name,
        indices: &[Index],
        env: &Env,
    ) -> Built<Sub> {
        // An index with several values means one of them, as it does for actions.
        let mut parts = Vec::new();
        for (wanted, _) in self.indices(indices, env, name.span)? {
            parts.push(self.fluent_at(draft, def, name, &wanted)?);
        }
        Ok(draft.store.or(parts))
    }

    fn fluent_at(
        &mut self,
        draft: &mut Draft,
        def: &FluentDef,
        name: &Name,
        wanted: &str,
    ) -> Built<Sub> {
        let all = self.indices(&def.indices, &Env::default(), def.name.span)?;
        let Some((_, env)) = all.into_iter().find(|(text, _)| text == wanted) else {
            let message = format!("`{}` has no index `{wanted}`", name.text);
            return self.error("F0005", name.span, message);
        };
        let initially = match &def.initially {
            None => false,
            Some(Ok(value)) => *value,
            Some(Err(expr)) => self.truth(expr, &env)?,
        };
        let (starts, ends) = (self.plain(&def.starts, &env)?, self.plain(&def.ends, &env)?);
        if let Some(both) = starts.iter().find(|label| ends.contains(label)) {
            let message = format!("`{both}` both starts and ends `{}`", name.text);
            return self.error("F0005", def.name.span, message);
        }
        let dot = if wanted.is_empty() { "" } else { "." };
        let name_text = format!("{}{dot}{wanted}", name.text);
        let fluent = Fluent { name: name_text, initially, starts, ends: Ends::With(ends) };
        self.atom(draft, fluent, name.span)
    }
}
