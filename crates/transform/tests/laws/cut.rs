//! What is cut before inlining, and what the calls that are left may do.

use crate::load;
use parallax_base::Id;
use parallax_cfa::{Function, Op, Program};
use parallax_transform::points_to::{Options, PointsTo};
use parallax_transform::{Cut, at_once, cut_calls, may_come_to, resolve_calls};

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
                    extern void other(int *p); extern void start(void (*f)(void));\n\
                    extern void abort(void);\n";

fn is_error(op: &Op) -> bool {
    matches!(op, Op::Error(_))
}

/// The program with functions cut until it has at most so many edges.
fn cut(body: &str, room: u64) -> (Program, Option<Cut>) {
    let program = load("cut", &format!("{HEAD}{body}"));
    let points_to = PointsTo::analyze(&program, &Options::default());
    let resolved = resolve_calls(&program, &points_to);
    let cut = cut_calls(&resolved.program, &is_error, &resolved.called_back, room);
    if let Some(cut) = &cut {
        let errors = parallax_cfa::validate(&cut.program);
        assert!(errors.is_empty(), "{errors:?}");
    }
    (program, cut)
}

fn names(program: &Program, functions: impl IntoIterator<Item = Id<Function>>) -> Vec<String> {
    functions.into_iter().map(|f| program.functions[f].name.to_string()).collect()
}

/// The names of the functions that are cut.
fn check(body: &str, expected: &[&str]) {
    let (program, cut) = cut(body, 10);
    let found = cut.map(|cut| names(&program, cut.functions)).unwrap_or_default();
    assert_eq!(found, expected, "{body}");
}

#[test]
fn what_leads_to_the_error_stays() {
    let big = "static int n; static void big(void) { n++; n++; n++; n++; n++; n++; n++; }\n";
    check(&format!("{big}int main(void) {{ big(); reach_error(); return 0; }}"), &["big"]);
    let far = "static void near(void) { if (n) reach_error(); n--; n--; n--; n--; }\n";
    check(&format!("{big}{far}int main(void) {{ big(); near(); return 0; }}"), &["big"]);
    // What is called by a function that is cut goes with it; no more than needed.
    let outer = "static void outer(void) { big(); big(); }\n";
    check(
        &format!("{big}{outer}int main(void) {{ outer(); reach_error(); return 0; }}"),
        &["outer"],
    );
    // A pointer may lead to the error.
    let table = "static void bad(void) { reach_error(); } static void (*f)(void) = bad;\n\
                 static void through(void) { f(); n++; n++; n++; n++; n++; n++; n++; }\n";
    check(&format!("{big}{table}int main(void) {{ through(); big(); return 0; }}"), &["big"]);
    // So may unknown code that was given one.
    let given = "static void bad(void) { reach_error(); }\n\
                 static void gives(void) { start(bad); n++; n++; n++; n++; n++; n++; }\n";
    check(&format!("{big}{given}int main(void) {{ gives(); big(); return 0; }}"), &["big"]);
}

#[test]
fn a_cut_call_may_change_what_its_function_may() {
    let body = "static int written, read, other_one; static int *p;\n\
                static void big(int *q) { written = read; *q = 1; p = q; read + 1; read + 2;\n\
                    written++; written++; written++; written++; written++; }\n\
                int main(void) { int x = 0; big(&x); other_one = x;\n\
                    if (written) reach_error(); return 0; }";
    let (program, cut) = cut(body, 10);
    let cut = cut.expect("something to cut");
    let main = program.main.expect("a start function");
    let edges = &cut.program.functions[main].edges;
    let changed: Vec<String> = edges
        .iter()
        .filter_map(|edge| match &edge.op {
            Op::Havoc { to, .. } => Some(cut.program.places[*to].base),
            _ => None,
        })
        .filter_map(|base| match base {
            parallax_cfa::Base::Variable(v) => Some(cut.program.variables[v].name.to_string()),
            parallax_cfa::Base::Pointer(_) => None,
        })
        .collect();
    assert_eq!(changed, ["written", "p"]);
    // What it was given a pointer to, it may change as unknown code does.
    let points_to = PointsTo::analyze(&cut.program, &Options::default());
    let escaped = |name: &str| {
        let mut variables = cut.program.variables.iter_enumerated();
        let (v, _) = variables.find(|(_, v)| &*v.name == name).expect("a variable");
        points_to.variable(v).is_some_and(|object| points_to.has_escaped(object))
    };
    assert!(escaped("x"));
}

#[test]
fn what_nobody_calls_is_not_come_to() {
    let come_to = |body: &str| {
        let program = load("reach", &format!("{HEAD}{body}"));
        let found = may_come_to(&program, &is_error);
        let (short, origin) = at_once(&program).expect("a start function");
        let errors = parallax_cfa::validate(&short);
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(origin.functions.len(), short.functions.len());
        assert!(!may_come_to(&short, &is_error));
        found
    };
    let never = "static void never(void) { reach_error(); }\n";
    assert!(!come_to(&format!("{never}int main(void) {{ return 0; }}")));
    assert!(come_to(&format!(
        "{never}int main(void) {{ if (__VERIFIER_nondet_int()) never(); return 0; }}"
    )));
    let table = "struct t { void (*f)(void); }; static struct t t = { never };\n";
    assert!(!come_to(&format!("{never}{table}int main(void) {{ return 0; }}")));
    assert!(come_to(&format!("{never}{table}int main(void) {{ return t.f == 0; }}")));
    let taken = "int main(void) { start(never); return 0; }";
    assert!(come_to(&format!("{never}{taken}")));
}
