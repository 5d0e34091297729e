//! What is read of witnesses, and what is put into programs for them.

use super::*;

const HEAD: &str = "- metadata:\n    format_version: '2.0'\n    producer: {name: t, version: 1}\n    \
    task: {data_model: LP64, input_file_hashes: {a.c: '00'}}\n";

fn read(rest: &str) -> Result<Witness, BadWitness> {
    Witness::read(&format!("{HEAD}{rest}"))
}

#[test]
fn invariants_and_what_is_not_read() {
    let text = "  entry_type: invariant_set\n  content:
  - invariant: {type: loop_invariant, location: {file_name: a.c, line: 3, column: 5}, value: 'x <= 3', format: c_expression}
  - invariant: {type: location_invariant, location: {file_name: a.c, line: 4}, value: 1, format: c_expression}
  - invariant: {type: loop_invariant, location: {file_name: a.c, line: 3}, value: 'f(x)', format: c_expression}
  - invariant: {type: loop_invariant, location: {file_name: a.c, line: 3}, value: 'x', format: acsl}
  - invariant: {type: loop_transition_invariant, location: {file_name: a.c, line: 3}, value: 'x', format: c_expression}
";
    let witness = read(text).expect("a witness");
    assert_eq!(witness.producer, "t 1");
    let Claim::Correct(found) = &witness.claim else { panic!("{witness:?}") };
    let plan = plan_invariants(found);
    assert_eq!(plan.pieces, [0, 1]);
    let why: Vec<_> = plan.left_out.iter().map(|(n, why)| (*n, why.as_str())).collect();
    assert_eq!(
        why,
        [
            (2, "it is no expression of C without effect"),
            (3, "its format is `acsl`"),
            (4, "it is a `loop_transition_invariant`"),
        ]
    );
    let text = |splices: &parallax_front_c::Splices| format!("{:?}", splices.pieces[0].1);
    assert_eq!(text(&plan.failing), "Head(\"((x <= 3) ? (void)0 : __witness_broken(0))\")");
    assert_eq!(text(&plan.assuming), "Head(\"__parallax_assume((x <= 3) ? 1 : 0)\")");
}

#[test]
fn one_visit_is_one_step() {
    let step = |kind: &str, line: u32, more: &str| {
        format!(
            "  - segment: [{{waypoint: {{type: {kind}, action: follow, location: {{file_name: a.c, line: {line}}}{more}}}}}]\n"
        )
    };
    let text = [
        "  entry_type: violation_sequence\n  content:\n".to_owned(),
        step("branching", 2, ", constraint: {value: true}"),
        step("branching", 2, ", constraint: {value: 'false'}"),
        step(
            "function_return",
            3,
            ", constraint: {value: '\\result == 3', format: acsl_expression}",
        ),
        step("target", 4, ""),
    ];
    let witness = read(&text.concat()).expect("a witness");
    let Claim::Violated(steps) = &witness.claim else { panic!("{witness:?}") };
    let plan = plan_path(steps, true);
    assert_eq!((plan.pieces.clone(), plan.left_out.len()), (vec![vec![0, 1], vec![2], vec![3]], 0));
    let text = format!("{:?}", plan.splices.pieces.iter().map(|p| &p.1).collect::<Vec<_>>());
    let chain = "if (__parallax_segment == 0 && (__parallax_value)) __parallax_segment = 1; \
                 else if (__parallax_segment == 1 && (!__parallax_value)) __parallax_segment = 2;";
    for wanted in
        [chain, "({ __auto_type __parallax_value = ", "__parallax_assume(__parallax_segment == 3);"]
    {
        assert!(text.contains(wanted), "{wanted} in {text}");
    }
}

#[test]
fn damaged_witnesses() {
    let check = |text: &str, expected: &str| {
        let error = Witness::read(text).expect_err("damaged").to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("", "");
    check("{", "");
    check("[]", "no entries");
    check(&HEAD.replace("2.0", "1.0").replace("  task", "  x: 1\n    task"), "entry_type");
    check(&format!("{}  entry_type: invariant_set\n", HEAD.replace("2.0", "1.0")), "version `1.0`");
    check(&format!("{HEAD}  entry_type: ghost\n"), "`ghost`");
    check(&format!("{HEAD}  entry_type: violation_sequence\n"), "no target");
    let two =
        format!("{HEAD}  entry_type: invariant_set\n{HEAD}  entry_type: violation_sequence\n");
    check(&two, "");
}
