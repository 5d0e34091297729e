//! What is allowed but looks unintended.

use std::collections::BTreeSet;

use parallax_base::Diagnostic;

use super::context::Cx;
use crate::ast::Name;

impl<'m> Cx<'m> {
    /// Adds the warnings that need the whole model. Names that begin with `_`
    /// are meant to be unused.
    pub(super) fn add_warnings(&mut self) {
        let mut unused: Vec<(&'static str, &'static str, Name<'m>)> = Vec::new();
        for constant in &self.consts {
            if !constant.used {
                unused.push(("M0901", "constant", constant.def.name));
            }
        }
        for declared in self.all_declared() {
            if !declared.used {
                unused.push(("M0902", "variable", declared.name));
            }
        }
        for (code, what, name) in unused {
            if !name.text.starts_with('_') {
                let text = format!("the {what} `{}` is never used", name.text);
                self.warn(Diagnostic::warning(code, name.span, text));
            }
        }
        self.warn_locations();
        self.warn_actions();
    }

    fn warn_locations(&mut self) {
        for f in 0..self.families.len() {
            let def = self.families[f].def;
            // A self loop does not lead anywhere.
            let entered: BTreeSet<&str> = def
                .commands
                .iter()
                .filter_map(|c| c.route.as_ref())
                .filter(|r| r.sources.iter().any(|s| s.text != r.target.text))
                .map(|r| r.target.text)
                .collect();
            for location in def.locations.iter().skip(1) {
                let name = location.name;
                if !entered.contains(name.text) && !name.text.starts_with('_') {
                    let text = format!("no command leads to the location `{}`", name.text);
                    self.warn(Diagnostic::warning("M0903", name.span, text));
                }
            }
        }
    }

    fn warn_actions(&mut self) {
        let edges = self.families.iter().flat_map(|f| &f.members).flat_map(|m| &m.edges);
        let used: BTreeSet<_> = edges.filter_map(|e| e.action).collect();
        let unused: Vec<_> =
            self.actions.iter_enumerated().filter(|(id, _)| !used.contains(id)).collect();
        let warnings: Vec<Diagnostic> = unused
            .into_iter()
            .filter(|(_, action)| !action.name.starts_with('_'))
            .map(|(_, action)| {
                let text = format!("no command has the action `{}`", action.name);
                Diagnostic::warning("M0906", action.span, text)
            })
            .collect();
        warnings.into_iter().for_each(|warning| self.warn(warning));
    }
}
