//! The machine against the interpreter of the program form: random sequences
//! of calls, printed by an ordinary program and run by both.

use crate::load::{container, examples};
use parallax_base::SourceMap;
use parallax_cfa::run::{CheckSet, Interpreter, Options, Outcome, Recorded};
use parallax_containers::{Call, Config, Match, Observed, Runner};
use parallax_front_c as front;
use std::fmt::Write;

/// Splitmix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// What the interpreter prints for sequences of calls.
fn interpreted(name: &str, making: &str, invariant: &str, calls: &str) -> (Outcome, String) {
    let file = examples().join(format!("{name}.c"));
    let text = std::fs::read_to_string(file).expect("the container");
    let program = format!(
        "{text}\n#include <stdio.h>\nint main(void) {{ {making}\n{calls}\nprintf(\"%d\", {invariant}); return 0; }}"
    );
    let mut sources = SourceMap::default();
    let input = front::Input::text("program.c", program);
    let loaded =
        front::load(&mut sources, &[input], &front::Options::default()).expect("a program");
    let options = Options { checks: CheckSet::all(), ..Options::default() };
    let report = Interpreter::new(&loaded.program, options).run(&mut Recorded::new(Vec::new()));
    (report.outcome, String::from_utf8_lossy(&report.output).into_owned())
}

#[test]
fn machine_and_interpreter_agree() {
    let subjects = [
        ("treemap", "struct treemap *c = treemap_new();", "treemap_ok(c)"),
        ("bintree", "struct bintree *c = bintree_new();", "bintree_ok(c)"),
        ("binheap", "struct binheap *c = binheap_new();", "binheap_ok(c)"),
        ("fibheap", "struct fibheap *c = fibheap_new();", "fibheap_ok(c)"),
        ("skiplist", "struct skiplist *c = skiplist_new();", "skiplist_ok(c)"),
        ("hashtable", "table_clear();", "table_ok()"),
        ("dlist", "struct dlist o, *c = &o; dlist_init(c);", "dlist_ok(c)"),
    ];
    let mut state = 11;
    for (name, making, invariant) in subjects {
        let of = container(name, &[]);
        let config = Config { matching: Match::Complete, ..Config::default() };
        let subject = of.subject(&config);
        let mut runner = Runner::new(&subject);
        for _ in 0..3 {
            let all = of.api.calls(7);
            let calls: Vec<Call> = (0..60)
                .map(|_| all[(next(&mut state) % all.len() as u64) as usize].clone())
                .collect();
            let mut text = String::new();
            for call in &calls {
                let operation = &of.api.operations[call.operation];
                let mut arguments: Vec<String> = call.values.iter().map(i64::to_string).collect();
                if name != "hashtable" {
                    arguments.insert(0, "c".to_owned());
                }
                let call = format!("{}({})", operation.name, arguments.join(", "));
                let _ = match operation.result {
                    parallax_containers::ResultUse::Scalar(_) => {
                        writeln!(text, "printf(\"%d \", {call});")
                    }
                    _ => writeln!(text, "{call};"),
                };
            }
            let (outcome, printed) = interpreted(name, making, invariant, &text);
            assert_eq!(outcome, Outcome::Exit(Some(0)), "{name}");
            let (observed, wrong) = runner.replay(&calls);
            assert_eq!(wrong, None, "{name}");
            let mut expected = String::new();
            for seen in observed {
                if let Observed::Number(value) = seen {
                    let _ = write!(expected, "{value} ");
                }
            }
            expected.push('1');
            assert_eq!(printed, expected, "{name}");
        }
    }
}
