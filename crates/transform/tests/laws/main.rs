//! Transformed programs run as their originals, and pointers are predicted.
//!
//! Every program is run by the interpreter with inputs from a list; whatever
//! else is arbitrary is zero. The same inputs are given to the result of each
//! pass, and to all passes in a row.

mod cut;
mod generator;
mod pointers;
mod programs;
mod slices;

use parallax_base::SourceMap;
use parallax_cfa::run::{Interpreter, Options, Outcome, Recorded};
use parallax_cfa::{Op, Program};
use parallax_front_c as front;
use parallax_transform::inline::{Limits, inline};
use parallax_transform::points_to::{self, PointsTo};
use parallax_transform::{
    compact, drop_checks, fold_constants, fold_pointers, promote_heap, ranges, release_addresses,
    remove_dead, resolve_calls, slice, spell_blocks,
};

/// A program from C text.
#[expect(clippy::panic, reason = "a test may fail loudly")]
fn load(name: &str, text: &str) -> Program {
    let mut sources = SourceMap::default();
    // Preprocessed already: nothing outside this crate decides.
    let inputs = [front::Input::text(format!("{name}.i"), text)];
    match front::load(&mut sources, &inputs, &front::Options::default()) {
        Ok(loaded) => loaded.program,
        Err(diagnostics) => {
            let all: Vec<_> = diagnostics.iter().map(|d| d.message.clone()).collect();
            panic!("{name}: {all:?}\n{text}");
        }
    }
}

fn run(program: &Program, inputs: &[i128]) -> Outcome {
    let options = Options { max_steps: 200_000, ..Options::default() };
    let mut oracle = Recorded::new(inputs.to_vec());
    oracle.rest = Some(1);
    Interpreter::new(program, options).run(&mut oracle).outcome
}

/// Numbers around the interesting ones, by a small generator.
fn inputs(seed: u64) -> Vec<i128> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        match state % 4 {
            0 => (state >> 8) as i128 % 5,
            1 => (state >> 8) as i128 % 100 - 50,
            2 => (state >> 8) as i32 as i128,
            _ => [0, 1, -1, 127, 255, 65535, i128::from(i32::MAX), i128::from(i32::MIN)]
                [(state >> 8) as usize % 8],
        }
    };
    (0..40).map(next).collect()
}

/// Runs that end for a reason of the form, not of the program, tell nothing.
fn is_limit(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::StepLimit | Outcome::DepthLimit | Outcome::MemoryLimit)
}

/// All passes on one program, each against its input. Says how many pointers
/// were looked at.
fn check(name: &str, text: &str, seeds: u64) -> usize {
    let mut checked = 0;
    let program = load(name, text);
    let points_to = PointsTo::analyze(&program, &points_to::Options::default());
    let resolved = resolve_calls(&program, &points_to);
    let limits = Limits { recursion: 12, edges: 200_000, ..Limits::default() };
    let inlined = inline(&resolved.program, &limits).expect("a small program");
    let folded = fold_constants(&inlined.program);
    let again = fold_constants(&folded.program);
    let edges = |p: &Program| p.functions.iter().map(|f| f.edges.len()).sum::<usize>();
    assert_eq!(edges(&folded.program), edges(&again.program), "{name}: folding is done at once");
    let analyzed = PointsTo::analyze(&inlined.program, &points_to::Options::default());
    let spelled = spell_blocks(&inlined.program, &analyzed);
    let promoted = promote_heap(&inlined.program, &analyzed);
    let direct = fold_pointers(&promoted.program);
    let mut released = remove_dead(&direct.program).program;
    release_addresses(&mut released);
    let direct_again = fold_pointers(&released);
    let pruned = remove_dead(&folded.program);
    let unchecked = drop_checks(&pruned.program, ranges::Options::default());
    let small = compact(&unchecked.program);
    assert_eq!(edges(&compact(&small.program).program), edges(&small.program), "{name}: compact");
    let stages = [
        ("resolved", &resolved.program),
        ("inlined", &inlined.program),
        ("folded", &folded.program),
        ("spelled", &spelled.program),
        ("promoted", &promoted.program),
        ("direct", &direct.program),
        ("released", &released),
        ("direct again", &direct_again.program),
        ("pruned", &pruned.program),
        ("unchecked", &unchecked.program),
        ("compact", &small.program),
    ];
    for (stage, result) in stages {
        let errors = parallax_cfa::validate(result);
        assert!(errors.is_empty(), "{name} {stage}: {errors:?}");
    }
    let points_to = PointsTo::analyze(&small.program, &points_to::Options::default());
    let is_error = |op: &Op| matches!(op, Op::Error(_));
    let sliced = slice(&small.program, &points_to, &is_error).expect("a start function");
    let sliced = compact(&sliced.program).program;
    let points_to = PointsTo::analyze(&resolved.program, &points_to::Options::default());
    let across = slice(&resolved.program, &points_to, &is_error).expect("calls are resolved");
    let across = compact(&across.program).program;
    let across = slices::unchecked(across);
    let both = inline(&across, &limits).expect("a small program").program;
    let slices =
        [("slice", &sliced), ("slice across calls", &across), ("slice, then inlined", &both)];
    for (stage, part) in slices {
        let errors = parallax_cfa::validate(part);
        assert!(errors.is_empty(), "{name} {stage}: {errors:?}");
    }
    for seed in 0..seeds {
        let inputs = inputs(seed);
        let expected = run(&program, &inputs);
        if is_limit(&expected) {
            continue;
        }
        checked += pointers::check(name, &program, &inputs);
        for (stage, result) in stages {
            let found = run(result, &inputs);
            let cut = matches!(&found, Outcome::Unsupported(why) if why.contains("recursion"));
            let same = found == expected || is_limit(&found) || cut;
            assert!(same, "{name}, seed {seed}: {stage} {found}, was {expected}\n{text}");
        }
        // A slice keeps the errors of runs whose inputs it keeps.
        for (whole, (stage, part)) in
            [&small.program, &resolved.program, &inlined.program].into_iter().zip(slices)
        {
            if let (Outcome::Error(_), true) = (&expected, kept_inputs(whole, part)) {
                let found = run(part, &inputs);
                assert_eq!(found, expected, "{name}, seed {seed}: {stage}\n{text}");
            }
        }
        checked += pointers::check(name, &inlined.program, &inputs);
    }
    // With the same input again and again it does not matter which are kept.
    for input in [0, 1, 5, -3] {
        let inputs = [input; 40];
        let expected = run(&program, &inputs);
        for (stage, part) in slices {
            if let Outcome::Error(_) = expected {
                let found = run(part, &inputs);
                assert_eq!(found, expected, "{name}, all inputs {input}: {stage}\n{text}");
            }
        }
    }
    checked
}

fn kept_inputs(whole: &Program, part: &Program) -> bool {
    let count = |p: &Program| {
        let edges = p.functions.iter().flat_map(|f| &f.edges);
        edges.filter(|e| matches!(e.op, Op::Input { .. })).count()
    };
    count(whole) == count(part)
}

#[test]
fn passes_keep_what_programs_do() {
    let pointers: usize = programs::ALL.iter().map(|(name, text)| check(name, text, 40)).sum();
    assert!(pointers > 1000, "only {pointers} pointers seen");
}

#[test]
fn passes_keep_what_random_programs_do() {
    for seed in 0..150 {
        check(&format!("random-{seed}"), &generator::program(seed), 6);
    }
}
