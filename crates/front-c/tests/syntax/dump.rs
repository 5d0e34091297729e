//! Syntax trees as text: expressions in prefix form, declarators from the name
//! outwards, one line for each statement and declaration.

use parallax_base::Id;
use parallax_front_c::ast::*;
use std::fmt::Write;

pub(crate) struct Dump<'a> {
    unit: &'a Unit,
    out: String,
    indent: usize,
}

/// The tree of a unit.
pub(crate) fn dump(unit: &Unit) -> String {
    let mut dump = Dump { unit, out: String::new(), indent: 0 };
    for item in &unit.items {
        match item {
            Item::Declaration(declaration) => {
                let text = dump.declaration(declaration);
                dump.line(&text);
            }
            Item::Function(function) => dump.function(function),
            Item::Asm(_) => dump.line("asm"),
            Item::StaticAssert(assert) => {
                let text = dump.static_assert(assert);
                dump.line(&text);
            }
        }
    }
    dump.out
}

fn join<T>(items: &[T], separator: &str, show: impl FnMut(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(separator)
}

impl Dump<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(self.indent));
    }

    fn function(&mut self, function: &FunctionDefinition) {
        let specifiers = self.specifiers(&function.specifiers);
        let declarator = self.declarator(&function.declarator);
        self.line(&format!("function {specifiers}: {declarator}"));
        self.indent += 1;
        for declaration in &function.old_style {
            let text = self.declaration(declaration);
            self.line(&format!("parameter {text}"));
        }
        self.stmt(function.body);
        self.indent -= 1;
    }

    fn static_assert(&mut self, assert: &StaticAssert) -> String {
        format!("static_assert {} {:?}", self.expr(assert.condition), assert.message)
    }

    fn declaration(&mut self, declaration: &Declaration) -> String {
        let specifiers = self.specifiers(&declaration.specifiers);
        let declarators = join(&declaration.declarators, ", ", |d| {
            let mut text = self.declarator(&d.declarator);
            if let Some(name) = &d.asm_name {
                let _ = write!(text, " asm {name}");
            }
            if let Some(init) = &d.init {
                let _ = write!(text, " = {}", self.init(init));
            }
            text
        });
        if declarators.is_empty() { specifiers } else { format!("{specifiers}: {declarators}") }
    }

    fn specifiers(&mut self, specifiers: &DeclSpecifiers) -> String {
        let mut words = Vec::new();
        words.extend(specifiers.storage.map(|class| format!("{class:?}").to_lowercase()));
        words.extend(specifiers.thread_local.then(|| "thread".to_owned()));
        words.extend(specifiers.inline.then(|| "inline".to_owned()));
        words.extend(specifiers.noreturn.then(|| "noreturn".to_owned()));
        for align in &specifiers.align {
            words.push(match align {
                AlignAs::Type(ty) => format!("alignas({})", self.type_name(ty)),
                AlignAs::Expr(expr) => format!("alignas({})", self.expr(*expr)),
            });
        }
        words.extend(self.attributes(&specifiers.attributes));
        words.extend(qualifiers(specifiers.qualifiers));
        words.push(match &specifiers.ty {
            None => "implicit".to_owned(),
            Some(TypeSpecifier::Basic(basic)) => match basic {
                Basic::Int(kind) => format!("{kind:?}"),
                Basic::Float(kind) => format!("{kind:?}"),
                other => format!("{other:?}"),
            },
            Some(TypeSpecifier::Typedef(name)) => format!("'{}", name.text),
            Some(TypeSpecifier::Complex(id)) => self.specifier(*id),
        });
        words.join(" ")
    }

    fn specifier(&mut self, id: Id<Specifier>) -> String {
        let unit = self.unit;
        match &unit.specifiers[id] {
            Specifier::Record { is_union, name, members, attributes, .. } => {
                let mut text = if *is_union { "union" } else { "struct" }.to_owned();
                for attribute in self.attributes(attributes) {
                    let _ = write!(text, " {attribute}");
                }
                if let Some(name) = name {
                    let _ = write!(text, " {}", name.text);
                }
                if let Some(members) = members {
                    let _ = write!(text, " {{{}}}", join(members, "; ", |m| self.member(m)));
                }
                text
            }
            Specifier::Enum { name, constants, attributes, .. } => {
                let mut text = "enum".to_owned();
                for attribute in self.attributes(attributes) {
                    let _ = write!(text, " {attribute}");
                }
                if let Some(name) = name {
                    let _ = write!(text, " {}", name.text);
                }
                if let Some(constants) = constants {
                    let constants = join(constants, ", ", |(name, value)| match value {
                        Some(value) => format!("{} = {}", name.text, self.expr(*value)),
                        None => name.text.to_string(),
                    });
                    let _ = write!(text, " {{{constants}}}");
                }
                text
            }
            Specifier::TypeofExpr(expr, _) => format!("typeof({})", self.expr(*expr)),
            Specifier::TypeofType(ty, _) => format!("typeof'({})", self.type_name(ty)),
            Specifier::Atomic(ty, _) => format!("atomic({})", self.type_name(ty)),
        }
    }

    fn member(&mut self, member: &MemberDeclaration) -> String {
        let (specifiers, declarators) = match member {
            MemberDeclaration::StaticAssert(assert) => return self.static_assert(assert),
            MemberDeclaration::Members { specifiers, declarators } => (specifiers, declarators),
        };
        let specifiers = self.specifiers(specifiers);
        let declarators = join(declarators, ", ", |d| {
            let mut text = d.declarator.as_ref().map_or(String::new(), |d| self.declarator(d));
            if let Some(width) = d.width {
                let _ = write!(text, ":{}", self.expr(width));
            }
            for attribute in self.attributes(&d.attributes) {
                let _ = write!(text, " {attribute}");
            }
            text
        });
        if declarators.is_empty() { specifiers } else { format!("{specifiers}: {declarators}") }
    }

    fn declarator(&mut self, declarator: &Declarator) -> String {
        let name = declarator.name.as_ref().map_or("_", |name| &name.text);
        let mut words = vec![name.to_owned()];
        for derivation in &declarator.derivations {
            words.push(match derivation {
                Derivation::Pointer(q) => format!("*{}", qualifiers(*q).join("")),
                Derivation::Array { length, star, qualifiers: q } => {
                    let inside = qualifiers(*q);
                    let star = if *star { "*" } else { "" };
                    let length = length.map_or(String::new(), |length| self.expr(length));
                    format!("[{}{star}{length}]", inside.join(""))
                }
                Derivation::Function(parameters) => self.parameters(parameters),
            });
        }
        words.extend(self.attributes(&declarator.attributes));
        words.join(" ")
    }

    fn parameters(&mut self, parameters: &Parameters) -> String {
        match parameters {
            Parameters::Names(names) => {
                format!("(names {})", join(names, " ", |name| name.text.to_string()))
            }
            Parameters::Prototype { parameters, variadic } => {
                let list = join(parameters, ", ", |parameter| {
                    let specifiers = self.specifiers(&parameter.specifiers);
                    format!("{specifiers}: {}", self.declarator(&parameter.declarator))
                });
                format!("({list}{})", if *variadic { ", ..." } else { "" })
            }
        }
    }

    fn attributes(&mut self, attributes: &[Attribute]) -> Vec<String> {
        let show = |attribute: &Attribute| match attribute.arguments.is_empty() {
            true => format!("@{}", attribute.name),
            false => {
                let arguments = join(&attribute.arguments, " ", |&id| self.expr(id));
                format!("@{}({arguments})", attribute.name)
            }
        };
        attributes.iter().map(show).collect()
    }

    fn type_name(&mut self, ty: &TypeName) -> String {
        let specifiers = self.specifiers(&ty.specifiers);
        let declarator = self.declarator(&ty.declarator);
        match declarator.strip_prefix("_ ") {
            Some(derivations) => format!("{specifiers} {derivations}"),
            None => specifiers,
        }
    }

    fn init(&mut self, init: &Initializer) -> String {
        match init {
            Initializer::Expr(expr) => self.expr(*expr),
            Initializer::List(items, _) => self.init_list(items),
        }
    }

    fn init_list(&mut self, items: &[InitItem]) -> String {
        let items = join(items, ", ", |item| {
            let designators = self.designators(&item.designators);
            let value = self.init(&item.value);
            if designators.is_empty() { value } else { format!("{designators}={value}") }
        });
        format!("{{{items}}}")
    }

    fn designators(&mut self, designators: &[Designator]) -> String {
        join(designators, "", |designator| match designator {
            Designator::Member(name) => format!(".{}", name.text),
            Designator::Index(index) => format!("[{}]", self.expr(*index)),
            Designator::Range(a, b) => format!("[{}...{}]", self.expr(*a), self.expr(*b)),
        })
    }

    fn expr(&mut self, id: Id<Expr>) -> String {
        let unit = self.unit;
        match &unit.exprs[id].kind {
            ExprKind::Name(name) => name.to_string(),
            ExprKind::Int(int) => {
                let u = if int.unsigned { "u" } else { "" };
                let i = if int.imaginary { "i" } else { "" };
                format!("{}{u}{}{i}", int.value, "l".repeat(int.longs.into()))
            }
            ExprKind::Float { digits, kind, imaginary } => {
                format!("{digits}:{kind:?}{}", if *imaginary { "i" } else { "" })
            }
            ExprKind::Char(value, width) => format!("{width:?}'{value}'"),
            ExprKind::Str(units, width) => {
                let text: String = units
                    .iter()
                    .map(|&u| char::from_u32(u).unwrap_or('?').escape_default().to_string())
                    .collect();
                format!("{width:?}\"{text}\"")
            }
            ExprKind::Index(a, b) => format!("(index {} {})", self.expr(*a), self.expr(*b)),
            ExprKind::Call(f, arguments) => {
                let arguments = join(arguments, "", |&id| format!(" {}", self.expr(id)));
                format!("(call {}{arguments})", self.expr(*f))
            }
            ExprKind::Member(a, name) => format!("(. {} {})", self.expr(*a), name.text),
            ExprKind::Arrow(a, name) => format!("(-> {} {})", self.expr(*a), name.text),
            ExprKind::Unary(op, a) => format!("({op:?} {})", self.expr(*a)),
            ExprKind::Binary(op, a, b) => {
                format!("({op:?} {} {})", self.expr(*a), self.expr(*b))
            }
            ExprKind::Assign(a, b) => format!("(= {} {})", self.expr(*a), self.expr(*b)),
            ExprKind::AssignOp(op, a, b) => {
                format!("({op:?}= {} {})", self.expr(*a), self.expr(*b))
            }
            ExprKind::Conditional(c, a, b) => {
                let middle = a.map_or("_".to_owned(), |a| self.expr(a));
                format!("(? {} {middle} {})", self.expr(*c), self.expr(*b))
            }
            ExprKind::Comma(a, b) => format!("(, {} {})", self.expr(*a), self.expr(*b)),
            ExprKind::Cast(ty, a) => format!("(cast <{}> {})", self.type_name(ty), self.expr(*a)),
            ExprKind::CompoundLiteral(ty, items) => {
                format!("(literal <{}> {})", self.type_name(ty), self.init_list(items))
            }
            ExprKind::SizeofExpr(a) => format!("(sizeof {})", self.expr(*a)),
            ExprKind::SizeofType(ty) => format!("(sizeof <{}>)", self.type_name(ty)),
            ExprKind::AlignofType(ty) => format!("(alignof <{}>)", self.type_name(ty)),
            ExprKind::AlignofExpr(a) => format!("(alignof {})", self.expr(*a)),
            ExprKind::Generic(selector, cases) => {
                let cases = join(cases, "", |(ty, value)| {
                    let ty = ty.as_ref().map_or("default".to_owned(), |ty| self.type_name(ty));
                    format!(" <{ty}>:{}", self.expr(*value))
                });
                format!("(generic {}{cases})", self.expr(*selector))
            }
            ExprKind::StatementExpr(block) => {
                let mut inner = Dump { unit, out: String::new(), indent: 0 };
                inner.stmt(*block);
                let text: Vec<&str> = inner.out.lines().map(str::trim).collect();
                format!("(statements [{}])", text.join(" | "))
            }
            ExprKind::LabelAddress(name) => format!("(label {})", name.text),
            ExprKind::VaArg(a, ty) => {
                format!("(va_arg {} <{}>)", self.expr(*a), self.type_name(ty))
            }
            ExprKind::Offsetof(ty, path) => {
                format!("(offsetof <{}> {})", self.type_name(ty), self.designators(path))
            }
            ExprKind::TypesCompatible(a, b) => {
                format!("(compatible <{}> <{}>)", self.type_name(a), self.type_name(b))
            }
            ExprKind::ChooseExpr(c, a, b) => {
                format!("(choose {} {} {})", self.expr(*c), self.expr(*a), self.expr(*b))
            }
            ExprKind::Error => "(error)".to_owned(),
        }
    }

    fn inner(&mut self, id: Id<Stmt>) {
        self.indent += 1;
        self.stmt(id);
        self.indent -= 1;
    }

    fn stmt(&mut self, id: Id<Stmt>) {
        let unit = self.unit;
        match &unit.stmts[id].kind {
            StmtKind::Empty => self.line(";"),
            StmtKind::Expr(a) => {
                let text = self.expr(*a);
                self.line(&text);
            }
            StmtKind::Declaration(declaration) => {
                let text = self.declaration(declaration);
                self.line(&format!("declare {text}"));
            }
            StmtKind::NestedFunction(function) => self.function(function),
            StmtKind::StaticAssert(assert) => {
                let text = self.static_assert(assert);
                self.line(&text);
            }
            StmtKind::Block { labels, items } => {
                let labels = join(labels, "", |label| format!(" {}", label.text));
                self.line(&format!("block{labels}"));
                items.iter().for_each(|&item| self.inner(item));
            }
            StmtKind::If(c, a, b) => {
                let text = self.expr(*c);
                self.line(&format!("if {text}"));
                self.inner(*a);
                if let Some(b) = b {
                    self.line("else");
                    self.inner(*b);
                }
            }
            StmtKind::While(c, body) => {
                let text = self.expr(*c);
                self.line(&format!("while {text}"));
                self.inner(*body);
            }
            StmtKind::DoWhile(body, c) => {
                let text = self.expr(*c);
                self.line(&format!("do while {text}"));
                self.inner(*body);
            }
            StmtKind::For { init, condition, step, body } => {
                let condition = condition.map_or("_".to_owned(), |id| self.expr(id));
                let step = step.map_or("_".to_owned(), |id| self.expr(id));
                self.line(&format!("for {condition} {step}"));
                init.iter().for_each(|&init| self.inner(init));
                self.inner(*body);
            }
            StmtKind::Switch(value, body) => {
                let text = self.expr(*value);
                self.line(&format!("switch {text}"));
                self.inner(*body);
            }
            StmtKind::Case(low, high, stmt) => {
                let low = self.expr(*low);
                let high = high.map_or(String::new(), |high| format!(" ... {}", self.expr(high)));
                self.line(&format!("case {low}{high}"));
                self.inner(*stmt);
            }
            StmtKind::Default(stmt) => {
                self.line("default");
                self.inner(*stmt);
            }
            StmtKind::Label(name, stmt) => {
                self.line(&format!("label {}", name.text));
                self.inner(*stmt);
            }
            StmtKind::Goto(name) => self.line(&format!("goto {}", name.text)),
            StmtKind::GotoComputed(a) => {
                let text = self.expr(*a);
                self.line(&format!("goto * {text}"));
            }
            StmtKind::Break => self.line("break"),
            StmtKind::Continue => self.line("continue"),
            StmtKind::Return(a) => {
                let text = a.map_or(String::new(), |a| format!(" {}", self.expr(a)));
                self.line(&format!("return{text}"));
            }
            StmtKind::Asm(asm) => {
                let mut operands = |list: &[(std::sync::Arc<str>, Id<Expr>)]| {
                    join(list, " ", |(constraint, a)| format!("{constraint}:{}", self.expr(*a)))
                };
                let (outputs, inputs) = (operands(&asm.outputs), operands(&asm.inputs));
                let labels = join(&asm.labels, " ", |label| label.text.to_string());
                let clobbers = asm.clobbers.join(" ");
                self.line(&format!(
                    "asm {:?} [{outputs}] [{inputs}] [{clobbers}] [{labels}]",
                    asm.template
                ));
            }
            StmtKind::Error => self.line("error"),
        }
    }
}

fn qualifiers(qualifiers: Qualifiers) -> Vec<String> {
    [
        (qualifiers.is_const, "const"),
        (qualifiers.is_volatile, "volatile"),
        (qualifiers.is_restrict, "restrict"),
        (qualifiers.is_atomic, "_Atomic"),
    ]
    .iter()
    .filter(|(set, _)| *set)
    .map(|(_, word)| (*word).to_owned())
    .collect()
}
