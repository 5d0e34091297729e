//! Tests of the checker: tables of inputs and what is expected of them.

mod compiler;
mod declarations;
mod errors;
mod expressions;
mod initializers;

use super::{Checker, Ty, Value, constant::Constant};
use crate::typed::{ExprKind, Init, InitStep, Program, StmtKind};
use crate::{ast, load::parse_unit};
use parallax_base::{Diagnostics, SourceFile, SourceMap};
use parallax_cfa::{DataModel, Type};

/// Both data models.
const MODELS: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

/// Parses one text per unit.
fn parse(texts: &[&str]) -> (SourceMap, Vec<ast::Unit>) {
    let mut sources = SourceMap::default();
    let mut units = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let file = sources.add(SourceFile::new(format!("{number}.c"), *text));
        let (unit, errors) = parse_unit(&sources, file);
        assert!(!errors.has_errors(), "does not parse: {text:.200}\n{errors:?}");
        units.push(unit);
    }
    (sources, units)
}

/// Checks texts that must be right.
fn program(texts: &[&str], model: DataModel) -> Program {
    let (_, units) = parse(texts);
    let mut warnings = Diagnostics::default();
    match super::check(&units, model, &mut warnings) {
        Ok(program) => program,
        Err(errors) => panic!("errors in {texts:?}: {errors:#?}"),
    }
}

/// The types and values of expressions in the context of some declarations, as
/// `type: value`, or only the type if there is no constant value.
fn evaluate(declarations: &str, expressions: &[String], model: DataModel) -> Vec<String> {
    let mut text = format!("{declarations}\nvoid probe(void) {{\n");
    for expression in expressions {
        text.push_str(expression);
        text.push_str(";\n");
    }
    text.push('}');
    let (_, units) = parse(&[&text]);
    let mut checker = Checker::new(&units[0], model);
    checker.unit(&units[0]);
    assert!(!checker.errors.has_errors(), "{:#?}", checker.errors);
    let probe = checker.out.functions.iter().find(|f| &*f.name == "probe").expect("defined");
    let body = probe.body.expect("a body");
    let StmtKind::Block(items) = &checker.out.stmts[body].kind else { panic!("no block") };
    assert_eq!(items.len(), expressions.len());
    let show = |item: &parallax_base::Id<crate::typed::Stmt>| {
        let StmtKind::Expr(id) = checker.out.stmts[*item].kind else { panic!("no expression") };
        let ty = checker.out.exprs[id].ty;
        let value = Value { id, ty: Ty::plain(ty) };
        let name = checker.display_id(ty);
        match (checker.scalar_constant(value), checker.ty(ty)) {
            (Some(bits), Type::Float(_)) => format!("{name}: {bits:#x}"),
            (Some(bits), _) => format!("{name}: {}", bits as i128),
            (None, _) => name,
        }
    };
    items.iter().map(show).collect()
}

/// An initializer as text: the way to each part and its value.
fn init_text(program: &Program, init: &Init) -> String {
    let mut text = String::new();
    for item in &init.items {
        for step in &item.path {
            text.push_str(&match step {
                InitStep::Member(record, member) => {
                    let name = &program.types.records[*record].members[*member as usize].name;
                    format!(".{}", name.as_deref().unwrap_or("?"))
                }
                InitStep::Element(n) => format!("[{n}]"),
                InitStep::Elements(a, b) => format!("[{a}..{b}]"),
            });
        }
        let value = match &program.exprs[item.value].kind {
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Float(bits) => format!("{bits:#x}"),
            ExprKind::Load(_) => "load".to_owned(),
            other => format!("{other:?}").split(['(', ' ']).next().unwrap_or_default().to_owned(),
        };
        text.push_str(&format!("={value} "));
    }
    if init.zero_rest {
        text.push_str("rest ");
    }
    if let Some(size) = init.size {
        text.push_str(&format!("size {size} "));
    }
    text.trim_end().to_owned()
}

#[test]
fn a_constant_is_small() {
    // One is kept per expression.
    assert!(size_of::<Constant>() <= 32);
}
