//! Syntax trees as S-expressions without places, for comparison.

use parallax_front_model::ast::*;

fn list(head: &str, parts: impl IntoIterator<Item = String>) -> String {
    let mut out = format!("({head}");
    for part in parts {
        out.push(' ');
        out.push_str(&part);
    }
    out.push(')');
    out
}

fn some<T>(value: &Option<T>, show: impl FnOnce(&T) -> String) -> String {
    value.as_ref().map_or_else(|| "_".to_owned(), show)
}

fn name(name: &Name<'_>) -> String {
    name.text.to_owned()
}

/// One declaration per line.
pub(crate) fn model(model: &Model<'_>) -> String {
    let mut out = model.name.map_or_else(String::new, |n| format!("(model {})\n", n.text));
    for item in &model.items {
        out.push_str(&self::item(item));
        out.push('\n');
    }
    out
}

fn item(item: &Item<'_>) -> String {
    match item {
        Item::Const(def) => list("const", [name(&def.name), expr(&def.value)]),
        Item::Enum(def) => list("enum", std::iter::once(&def.name).chain(&def.values).map(name)),
        Item::Type(def) => list("type", [name(&def.name), ty(&def.ty)]),
        Item::Var(group) => var(group),
        Item::Init(e) => list("init", [expr(e)]),
        Item::Action(n) => list("action", [name(n)]),
        Item::Process(p) => process(p),
        Item::Property(p) => {
            let (head, body) = match &p.kind {
                PropertyKind::Invariant(e) => ("invariant", expr(e)),
                PropertyKind::Unreachable(e) => ("unreachable", expr(e)),
                PropertyKind::Reachable(e) => ("reachable", expr(e)),
                PropertyKind::DeadlockFree => ("deadlock_free", "_".to_owned()),
            };
            list(head, [some(&p.name, name), body])
        }
    }
}

fn var(group: &VarGroup<'_>) -> String {
    let names = list("", group.names.iter().map(name));
    list("var", [names, ty(&group.ty), some(&group.init, initializer)])
}

fn initializer(init: &Initializer<'_>) -> String {
    match init {
        Initializer::Value(e) => expr(e),
        Initializer::List(cells, _) => list("list", cells.iter().map(initializer)),
    }
}

fn ty(t: &TypeExpr<'_>) -> String {
    match &t.kind {
        TypeKind::Int => "int".to_owned(),
        TypeKind::Bool => "bool".to_owned(),
        TypeKind::Range(r) => range(r),
        TypeKind::Named(n) => name(n),
        TypeKind::Array(sizes, element) => {
            list("array", sizes.iter().map(expr).chain([ty(element)]))
        }
    }
}

fn range(r: &Range<'_>) -> String {
    list(if r.inclusive { "..=" } else { ".." }, [expr(&r.low), expr(&r.high)])
}

fn binders(all: &[Binder<'_>]) -> String {
    let one = |b: &Binder<'_>| {
        let domain = match &b.domain {
            Domain::Range(r) => range(r),
            Domain::Named(n) => name(n),
        };
        list(b.name.text, [domain])
    };
    list("", all.iter().map(one))
}

fn process(p: &Process<'_>) -> String {
    let mut parts = vec![name(&p.name), binders(&p.binders)];
    parts.extend(p.vars.iter().map(var));
    let location = |l: &LocationDef<'_>| {
        let mark = if l.is_final { "!" } else { "" };
        format!("{}{mark}", l.name.text)
    };
    parts.push(list("locations", p.locations.iter().map(location)));
    parts.push(list("finals", p.finals.iter().map(name)));
    parts.extend(p.commands.iter().map(|c| format!("\n  {}", command(c))));
    list("process", parts)
}

fn command(c: &Command<'_>) -> String {
    let route = some(&c.route, |r| list("->", r.sources.iter().chain([&r.target]).map(name)));
    let update = match &c.update {
        Update::Nothing => "_".to_owned(),
        Update::Assigns(all) => assigns(all),
        Update::Block(stmts) => block(stmts),
    };
    let head = [some(&c.label, name), binders(&c.binders), some(&c.action, name)];
    list("command", head.into_iter().chain([route, some(&c.guard, expr), update]))
}

fn block(stmts: &[Stmt<'_>]) -> String {
    list("block", stmts.iter().map(stmt))
}

fn stmt(s: &Stmt<'_>) -> String {
    match s {
        Stmt::Assigns(all) => assigns(all),
        Stmt::If { branches, otherwise } => {
            let branch = |(c, b): &(Expr<'_>, Vec<Stmt<'_>>)| format!("{} {}", expr(c), block(b));
            list("if", branches.iter().map(branch).chain([block(otherwise)]))
        }
    }
}

fn assigns(all: &[Assign<'_>]) -> String {
    let one = |a: &Assign<'_>| {
        let value = match &a.value {
            Value::Expr(e) => expr(e),
            Value::Any(r, _) => list("any", r.as_ref().map(range)),
        };
        list(":=", [path(&a.target), value])
    };
    list("do", all.iter().map(one))
}

fn path(p: &Path<'_>) -> String {
    let mut parts = vec![name(&p.name)];
    parts.extend(p.indices.iter().map(expr));
    if let Some((field, indices)) = &p.field {
        parts.push(format!(".{}", field.text));
        parts.extend(indices.iter().map(expr));
    }
    if parts.len() == 1 { name(&p.name) } else { list("path", parts) }
}

/// One expression.
pub(crate) fn expr(e: &Expr<'_>) -> String {
    match &e.kind {
        ExprKind::Int(text) => (*text).to_owned(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Name(text) => (*text).to_owned(),
        ExprKind::Path(p) => path(p),
        ExprKind::At(at) => {
            let parts = [name(&at.process)].into_iter().chain(at.indices.iter().map(expr));
            list("@", parts.chain([name(&at.location)]))
        }
        ExprKind::Unary(op, a) => list(&format!("{op:?}"), [expr(a)]),
        ExprKind::Compare(op, ab) => list(op.text(), [expr(&ab.0), expr(&ab.1)]),
        ExprKind::Chain(chain) => {
            let rest = |(op, e): &(BinaryOp, Expr<'_>)| format!("{} {}", op.text(), expr(e));
            list("chain", [expr(&chain.first)].into_iter().chain(chain.rest.iter().map(rest)))
        }
        ExprKind::If(i) => {
            let branch = |(c, v): &(Expr<'_>, Expr<'_>)| format!("{} {}", expr(c), expr(v));
            list("if", i.branches.iter().map(branch).chain([expr(&i.otherwise)]))
        }
        ExprKind::Fold(f) => list(&format!("{:?}", f.kind), [binders(&f.binders), expr(&f.body)]),
        ExprKind::Call(f, args) => list(f.text(), args.iter().map(expr)),
    }
}
