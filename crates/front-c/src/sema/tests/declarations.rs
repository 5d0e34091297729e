//! Declarations: linkage, K&R, scopes, statements, limits.

use super::{MODELS, program};
use crate::typed::{ExprKind, Program, StmtKind, Storage};
use parallax_cfa::{DataModel, Type};
use std::fmt::Write;

fn accept(text: &str) -> Program {
    for model in MODELS {
        program(&[text], model);
    }
    program(&[text], DataModel::Lp64)
}

#[test]
fn what_gcc_accepts_is_accepted() {
    for text in [
        "f() { return 1; }",
        "static x; int main() { extern int y; return x + y; } int y = 2;",
        "int f(a, b) char a; float b; { return a + b; } int main() { return f(1, 2.0f); }",
        "struct s; struct s *p; struct s { int a; }; int f() { return p->a; }",
        "int a[]; int a[5]; int f() { return sizeof a; }",
        "extern int a[]; int *f() { return a; } int a[3];",
        "typedef int T; typedef int T; int f(T T) { return T; }",
        "enum e; enum e { A } x = A; int f(enum e y) { return y == A; }",
        "int f(int n, int a[n][n + 1]) { int b[n][2]; return sizeof(b) + a[0][1]; }",
        "void g(int n, int a[*][n]); void f(int n, int a[static 3]) { g(1, 0); }",
        "int f(x) { goto l; l: switch (x) { case 1 ... 3: break; default: x++; } return x; }",
        "int f() { void *p = &&a; goto *p; a: return 0; }",
        "int f() { __label__ a; { __label__ a; goto a; a:; } goto a; a: return 0; }",
        "int f() { return ({ int x = 3; if (x) x = 4; x; }); }",
        "int f(int x) { __auto_type y = x + 1ll; return sizeof y; }",
        "int f(int x) { { __auto_type x = ({ a: if (0) goto a; 3; }); return x; } }",
        "int f(int x) { typeof(({ a: x; })) y = ({ a: x; }); return y; }",
        "int f(float, char); int f(x, c) float x; char c; { return x + c; }",
        "int g(void); int f(void) __attribute__((alias(\"g\")));",
        "int f(void) { int x __attribute__((cleanup(g))) = 1; return x; }",
        "inline int f() { return 1; } extern int f();",
        "extern inline int f() { return 1; } int f() { return 2; }",
        "int f() { return g(); } int g() { return 1; }",
        "int f() { return g(1); } void g(int x) { }",
        "int printf(const char *, ...); int f() { return printf(\"%d\", 1.0f, 'c'); }",
        "int f(int *p) { long x = p; p = x; return p == 3; }",
        "char *f(void) { unsigned char *p = \"x\"; return p; }",
        "void f(void) { return f(); } int g(void) { return; }",
        "_Static_assert(sizeof(int) == 4, \"int\"); struct s { _Static_assert(1, \"\"); int a; };",
        "int f(int a) { int r; asm volatile(\"x\" : \"=r\"(r) : \"r\"(a), \"m\"(a) : \"memory\"); return r; }",
        "union u { int a; float *b; } __attribute__((transparent_union)); void g(union u); \
         void f(float *p) { g(p); g(0); g(3); }",
        "struct s { int a; }; struct s f(void); int g() { return f().a; }",
        "int f(__builtin_va_list l) { __builtin_va_list m; __builtin_va_copy(m, l); \
         return __builtin_va_arg(m, int); }",
        "const char *f() { return __func__; } int g() { return sizeof __FUNCTION__; }",
        "typedef unsigned word __attribute__((mode(DI))); _Static_assert(sizeof(word) == 8, \"\");",
        "double _Complex z; int f() { z = z + 1; return 0; }",
        "int f() { int g(int x) { return x; } return g(1); }",
        "int x = 1; int *f() { static int *p = &x, y = sizeof p; return p + y; }",
        "int a[2] = { 1, 2, 3 };",
        "int main(void) { int i; for (int i = 0; i < 3; i++) { int i = 5; } while (0) ; return i; }",
        "void f(void) { struct s { int a; } x; { struct s { char b; } y; y.b = 1; } x.a = 1; }",
        "int f(int); int f(const int x) { return x; } int (f)(int);",
        "extern void v; void *f() { return &v; }",
        "int f(void *p, int c) { return *(int *)(c ? p : 0) + (c ? 1 : 2.0 > 1); }",
    ] {
        accept(text);
    }
}

#[test]
fn units_are_linked_by_name_and_statics_kept_apart() {
    let program = program(
        &[
            "int shared; static int own = 1; int g(void); static int h(void) { return own; } \
             int main(void) { return g() + h() + shared; }",
            "extern int shared; static int own = 2; static int h(void) { return own; } \
             int g(void) { return shared + h(); } extern int nowhere; int *n = &nowhere;",
        ],
        DataModel::Lp64,
    );
    let count = |name: &str| program.variables.iter().filter(|v| &*v.name == name).count();
    assert_eq!((count("shared"), count("own"), count("nowhere")), (1, 2, 1));
    let functions = |name: &str| program.functions.iter().filter(|f| &*f.name == name).count();
    assert_eq!((functions("g"), functions("h"), functions("main")), (1, 2, 1));
    assert!(program.functions.iter().all(|f| f.body.is_some()));
    let storage =
        |name: &str| program.variables.iter().find(|v| &*v.name == name).map(|v| v.storage);
    assert_eq!(storage("shared"), Some(Storage::Static));
    assert_eq!(storage("nowhere"), Some(Storage::External));
}

#[test]
fn units_must_agree_on_the_types_of_objects() {
    let check = |first: &str, second: &str, expected: Option<&str>| {
        let (_, units) = super::parse(&[first, second]);
        let mut warnings = parallax_base::Diagnostics::default();
        let found = super::super::check(&units, DataModel::Lp64, &mut warnings).err();
        let found = found.and_then(|errors| errors.iter().next().map(|e| e.message.clone()));
        assert_eq!(found.as_deref(), expected, "{first} | {second}");
    };
    let conflict = Some("conflicting types for `x`");
    check("extern int x;", "int x = 1;", None);
    check("extern int x[];", "int x[4];", None);
    check("extern enum e { A } x;", "unsigned x;", None);
    check("extern const char *x;", "char *x;", None);
    check("struct s { int a; }; extern struct s x;", "struct s { int a; }; struct s x;", None);
    check("static int x;", "long x;", None);
    check("extern int x;", "long x = 1;", conflict);
    check("extern int x;", "unsigned x;", conflict);
    check("extern int x[];", "short x[4];", conflict);
    check("extern int x[3];", "int x[4];", conflict);
    check("extern char *x;", "char x[4];", conflict);
    check("struct s { int a; }; extern struct s x;", "struct s { long a; }; struct s x;", conflict);
    check("int x;", "int x __attribute__((weak)) = 3;", None);
    check("int x = 2;", "int x __attribute__((weak)) = 3;", None);
    check("int x = 2;", "int x = 3;", Some("`x` is defined twice"));
}

#[test]
fn records_of_several_units_become_one() {
    let header = "struct list { struct list *next; struct opaque *o; enum { A, B } e; int x; };";
    let first = format!("{header} struct odd {{ int a; }}; struct odd o; struct list *head;");
    let second = format!(
        "struct list; struct opaque {{ int y; }}; {header} struct odd {{ char a; }}; struct odd p; \
         extern struct list *head; int f(void) {{ return head->next->x + head->o->y; }}"
    );
    let program = program(&[&first, &second], DataModel::Lp64);
    let used = |name: &str| {
        let mut all: Vec<_> = (0..program.types.len())
            .filter_map(|at| match program.types.get(parallax_base::Id::new(at)) {
                Type::Record(r) => Some(*r),
                _ => None,
            })
            .filter(|r| program.types.records[*r].name.as_deref() == Some(name))
            .collect();
        all.dedup();
        all
    };
    let members = program.exprs.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Member { of, .. } => Some(*of),
        _ => None,
    });
    let head = program.variables.iter().find(|v| &*v.name == "head").expect("declared").ty;
    let of_head = program.types.pointee(head).map(|to| program.types.get(to).clone());
    for of in members {
        let is_list = program.types.records[of].name.as_deref() == Some("list");
        assert!(!is_list || of_head == Some(Type::Record(of)));
    }
    // The two `struct odd` have nothing but the name in common.
    assert_eq!(used("odd").len(), 2);
}

#[test]
fn an_old_parameter_arrives_promoted() {
    let program = accept("int f(c, x, p) char c; float x; int p[]; { return c; }");
    let function = &program.functions.iter().next().expect("f");
    let types: Vec<_> =
        function.parameters.iter().map(|p| program.types.get(program.variables[*p].ty)).collect();
    assert!(matches!(types[..], [Type::Int(_), Type::Float(_), Type::Pointer { .. }]));
    let StmtKind::Block(items) = &program.stmts[function.body.expect("defined")].kind else {
        panic!("no block");
    };
    let declared =
        items.iter().filter(|s| matches!(program.stmts[**s].kind, StmtKind::Declare(..)));
    assert_eq!(declared.count(), 2);
}

#[test]
fn children_are_older_than_parents() {
    let program = accept("int f(int a, int *p) { return a * (p[a + 1] ? a++ : -a) && (*p += 2); }");
    for (id, expr) in program.exprs.iter_enumerated() {
        let children = match &expr.kind {
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::PointerAdd(a, b) => {
                vec![*a, *b]
            }
            ExprKind::Load(a) | ExprKind::Deref(a) | ExprKind::Unary(_, a) => vec![*a],
            ExprKind::Conditional(a, b, c) => vec![*a, *b, *c],
            ExprKind::AssignOp { left, right, .. } => vec![*left, *right],
            _ => vec![],
        };
        assert!(children.iter().all(|child| *child < id));
    }
}

#[test]
fn chains_of_any_length_are_no_recursion() {
    // The parser lets trees through that are a little higher than this.
    const LENGTH: usize = 40_000;
    let mut text = "int f(int x) { return x".to_owned();
    (0..LENGTH).for_each(|_| text.push_str(" + x"));
    text.push_str("; }\nint g(int x) { ");
    for i in 0..LENGTH {
        write!(text, "if (x == {i}) x = 2; else ").expect("a string takes it");
    }
    text.push_str("x = 3; switch (x) { ");
    for i in 0..LENGTH {
        write!(text, "case {i}: ").expect("a string takes it");
    }
    text.push_str("x++; } return x; }\nint a[] = { ");
    (0..LENGTH).for_each(|_| text.push_str("1, "));
    text.push_str("};");
    crate::on_large_stack(|| accept(&text));
}
