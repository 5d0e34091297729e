//! Constants and named types, in the order in which they depend on each other.
//!
//! The order is found by a depth-first search with its own stack: a chain of a
//! hundred thousand constants must not be a chain of calls.

use parallax_base::Diagnostic;

use super::context::{Cx, Elab, Entry, Ty, Typed};
use super::mentions::{expr_names, type_names};
use super::names::with_nearest;
use crate::ast::{ConstDef, Expr, Name};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Unseen,
    Open,
    Done,
}

/// A constant or a named type.
#[derive(Clone, Copy)]
enum Item {
    Const(usize),
    Type(usize),
}

impl<'m> Cx<'m> {
    /// Evaluates all constants and named types.
    pub(super) fn constants(&mut self, defines: &'m [ConstDef<'m>]) {
        for define in defines {
            self.define(define);
        }
        let count = self.consts.len() + self.types.len();
        let mut marks = vec![Mark::Unseen; count];
        for root in 0..count {
            self.visit(root, &mut marks);
        }
    }

    fn define(&mut self, define: &'m ConstDef<'m>) {
        let name = define.name;
        if let Some(&(Entry::Const(c), _)) = self.names.get(name.text) {
            self.consts[c].define = Some(define);
            return;
        }
        let text = format!("there is no constant `{}` to override", name.text);
        let error = Diagnostic::error("M0104", name.span, text);
        let known: Vec<&str> = self.consts.iter().map(|c| c.def.name.text).collect();
        let error = match known.is_empty() {
            true => error.help("the model has no constants"),
            false => with_nearest(error, name.text, known),
        };
        self.fail(error);
    }

    fn item(&self, node: usize) -> Item {
        match node.checked_sub(self.consts.len()) {
            None => Item::Const(node),
            Some(t) => Item::Type(t),
        }
    }

    fn node_name(&self, node: usize) -> Name<'m> {
        match self.item(node) {
            Item::Const(c) => self.consts[c].def.name,
            Item::Type(t) => self.types[t].def.name,
        }
    }

    /// The constants and types that a definition mentions.
    fn needs(&self, node: usize) -> Vec<usize> {
        let mut mentioned = Vec::new();
        match self.item(node) {
            Item::Const(c) => {
                expr_names(&self.consts[c].def.value, &mut mentioned);
                if let Some(define) = self.consts[c].define {
                    expr_names(&define.value, &mut mentioned);
                }
            }
            Item::Type(t) => type_names(&self.types[t].def.ty, &mut mentioned),
        }
        let node_of = |name: &&str| match self.names.get(*name) {
            Some(&(Entry::Const(c), _)) => Some(c),
            Some(&(Entry::Type(t), _)) => Some(self.consts.len() + t),
            _ => None,
        };
        mentioned.iter().filter_map(node_of).collect()
    }

    fn visit(&mut self, root: usize, marks: &mut [Mark]) {
        if marks[root] != Mark::Unseen {
            return;
        }
        marks[root] = Mark::Open;
        let mut stack = vec![(root, self.needs(root))];
        while let Some((node, needs)) = stack.last_mut() {
            let node = *node;
            let Some(next) = needs.pop() else {
                self.evaluate(node);
                marks[node] = Mark::Done;
                stack.pop();
                continue;
            };
            match marks[next] {
                Mark::Done => {}
                Mark::Unseen => {
                    marks[next] = Mark::Open;
                    stack.push((next, self.needs(next)));
                }
                Mark::Open => {
                    let path: Vec<usize> = stack.iter().map(|(n, _)| *n).collect();
                    let start = path.iter().position(|&n| n == next).unwrap_or(0);
                    self.cycle(&path[start..]);
                }
            }
        }
    }

    fn cycle(&mut self, path: &[usize]) {
        let names: Vec<Name<'m>> = path.iter().map(|&n| self.node_name(n)).collect();
        let first = names[0];
        let text = format!("the value of `{}` depends on itself", first.text);
        let mut error = Diagnostic::error("M0301", first.span, text);
        const SHOWN: usize = 8;
        for pair in names.windows(2).take(SHOWN) {
            error = error.also(pair[1].span, format!("needed for `{}`", pair[0].text));
        }
        let mut chain: Vec<&str> = names.iter().take(SHOWN).map(|n| n.text).collect();
        if names.len() > SHOWN {
            chain.push("...");
        }
        chain.push(first.text);
        self.fail(error.help(format!("the cycle is {}", chain.join(" -> "))));
    }

    fn evaluate(&mut self, node: usize) {
        match self.item(node) {
            Item::Const(c) => self.consts[c].value = self.constant(c).ok(),
            Item::Type(t) => {
                let ty = &self.types[t].def.ty;
                self.types[t].shape = self.shape(ty).ok();
            }
        }
    }

    fn constant(&mut self, c: usize) -> Elab<Typed> {
        let def = self.consts[c].def;
        let declared = self.constant_value("the value of a constant", &def.value);
        let Some(define) = self.consts[c].define else { return declared };
        let given = self.constant_value("the value of a constant", &define.value)?;
        let declared = declared?;
        if (given.ty, declared.ty) == (Ty::Int, Ty::Real) {
            return Ok(Typed { term: self.store.to_real(given.term), ty: Ty::Real });
        }
        if given.ty != declared.ty {
            let (want, have) = (self.type_name(declared.ty), self.type_name(given.ty));
            let text = format!("expected `{want}`, found `{have}`");
            let error = Diagnostic::error("M0201", define.value.span, text)
                .label(format!("this is `{have}`"))
                .also(def.name.span, format!("the constant is `{want}`"));
            return Err(self.fail(error));
        }
        Ok(given)
    }

    /// Evaluates an expression that must be constant and well defined.
    pub(super) fn constant_value(&mut self, what: &'static str, e: &'m Expr<'m>) -> Elab<Typed> {
        let outer = self.constant_for.replace(what);
        let mark = self.defects.len();
        let result = self.expr(e);
        self.constant_for = outer;
        let defects = self.defects.split_off(mark);
        let typed = result?;
        if let Some(defect) = defects.into_iter().find(|d| !self.store.is_false(d.when)) {
            return Err(self.certain(&defect));
        }
        if self.store.value(typed.term).is_none() {
            let error = Diagnostic::error("M0303", e.span, format!("{what} must be constant"));
            return Err(self.fail(error));
        }
        Ok(typed)
    }
}
