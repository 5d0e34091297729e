//! Texts and what they mean: sizes, traces, alphabets.

#![expect(clippy::panic, reason = "a text that does not compile fails the test")]

use parallax_base::{Budget, FileId, SourceFile, SourceMap};
use parallax_front_fsp::{Failure, Model};
use parallax_lts::{Lts, check_progress, check_safety, minimize_weak, trace_possible};

fn compile(text: &str, name: &str) -> Lts {
    let budget = Budget::unlimited();
    let model = Model::read(FileId(0), text).unwrap_or_else(|d| panic!("{:?}", all(&d)));
    match model.compile(Some(name), &budget) {
        Ok(compiled) => compiled.lts,
        Err(Failure::Invalid(d)) => panic!("{:?}", all(&d)),
        Err(Failure::Stopped(stop)) => panic!("{stop}"),
    }
}

fn all(diagnostics: &parallax_base::Diagnostics) -> Vec<String> {
    diagnostics.iter().map(|d| format!("{} {}", d.code, d.message)).collect()
}

fn size(lts: &Lts) -> (usize, usize) {
    (lts.state_count(), lts.transition_count())
}

/// The first error, as `code line:column`.
fn error(text: &str) -> String {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("m", text));
    let found = match Model::read(file, text) {
        Err(diagnostics) => diagnostics,
        Ok(model) => {
            let names: Vec<String> = model.processes().into_iter().map(|p| p.name).collect();
            let failed = names.iter().find_map(|name| {
                match model.compile(Some(name), &Budget::unlimited()) {
                    Err(Failure::Invalid(diagnostics)) => Some(diagnostics),
                    _ => None,
                }
            });
            failed.unwrap_or_else(|| panic!("no error in {text}"))
        }
    };
    let first = found.iter().next().expect("an error");
    let place = sources.place(first.labels[0].span);
    format!("{} {}", first.code, place.trim_start_matches("m:"))
}

#[test]
fn prefix_choice_guards_and_local_processes() {
    let text = "const N = 2  range R = 0..N
        COUNTER = C[0], C[i:R] = (when (i < N) up -> C[i+1] | when (i > 0) down -> C[i-1]).
        ONCE = (go -> STOP).  DONE = (go -> END).  BAD = (go -> ERROR).
        PICK = (take[x:R] -> if x == 0 then (none -> PICK) else (some[x] -> PICK)).";
    assert_eq!(size(&compile(text, "COUNTER")), (3, 4));
    assert_eq!(check_safety(&compile(text, "ONCE")).deadlocks, 1);
    assert!(check_safety(&compile(text, "DONE")).holds());
    assert!(check_safety(&compile(text, "BAD")).error.is_some());
    let pick = compile(text, "PICK");
    assert!(trace_possible(&pick, &["take.2", "some.2", "take.0", "none"]));
    assert!(!trace_possible(&pick, &["take.1", "some.2"]));
}

#[test]
fn labels_are_numbers_and_sets_and_mix() {
    let text = "range N = 0..1  set Items = {[N], none, pair[N][N]}
        P = (put[x:Items] -> get[x] -> P).
        Q(L='other) = (get[L] -> Q | [L].seen -> Q) + {put[Items]}.
        ||S = (P || Q('none)).
        SIZE = (count[#Items] -> pick[@(Items, 2)] -> SIZE).";
    let p = compile(text, "P");
    assert_eq!(p.alphabet().count(), 14, "put and get of two numbers, none and four pairs");
    assert!(trace_possible(&p, &["put.pair.0.1", "get.pair.0.1"]));
    let s = compile(text, "S");
    assert!(!trace_possible(&s, &["put.0"]), "put is shared and Q never does it");
    assert!(trace_possible(&s, &["none.seen"]));
    assert!(trace_possible(&compile(text, "SIZE"), &["count.7", "pick.none"]));
}

#[test]
fn relabelling_comes_before_synchronization() {
    let text = "A = (x -> done -> A).  B = (y -> stop -> B).
        ||ONE = (A || B)/{x/y}.
        ||INNER = (A || B).
        ||TWO = INNER/{x/y}.
        minimal ||HID = (A || B)\\{done, stop}.
        ||THREE = HID/{x/y}.";
    for name in ["ONE", "TWO"] {
        let lts = compile(text, name);
        assert_eq!(size(&lts), (4, 5), "{name}: x happens in both at once");
    }
    assert!(trace_possible(&compile(text, "THREE"), &["x", "x", "x"]));
}

#[test]
fn sharing_labelling_hiding_and_interface() {
    let text = "USER = (acquire -> use -> release -> USER).
        LOCK = (acquire -> release -> LOCK).
        ||SHARE = (a:USER || b:USER || {a, b}::LOCK).
        ||SHOWN = SHARE @ {a.use, b.use}.
        ||MANY = (u[i:1..3]:USER || {u[1..3]}::LOCK)\\{u[1..3].{acquire, release}}.";
    let share = compile(text, "SHARE");
    assert!(!trace_possible(&share, &["a.acquire", "b.acquire"]));
    assert_eq!(size(&share), (5, 6));
    let shown = minimize_weak(&compile(text, "SHOWN"), &Budget::unlimited()).expect("no limit");
    assert_eq!(shown.alphabet().count(), 2);
    assert_eq!(shown.state_count(), 3, "free, a has it, b has it");
    let many = compile(text, "MANY");
    assert!(trace_possible(&many, &["u.1.use", "u.3.use", "u.1.use"]));
}

#[test]
fn priority_and_progress() {
    let text = "P = (work -> P | rest -> P).
        ||HIGH = P << {work}.  ||LOW = P >> {work}.
        COINS = (pick -> FAIR | pick -> UNFAIR),
        FAIR = (toss -> {heads, tails} -> FAIR), UNFAIR = (toss -> tails -> UNFAIR).
        progress HEADS = {heads}  progress TAILS = {tails}
        progress BOTH[x:{heads, tails}] = if {toss} then {[x]}";
    assert!(!trace_possible(&compile(text, "HIGH"), &["rest"]));
    assert!(!trace_possible(&compile(text, "LOW"), &["work"]));
    let model = Model::read(FileId(0), text).expect("fine");
    let Ok(checks) = model.progress(&Budget::unlimited()) else { panic!("fine") };
    let names: Vec<&str> = checks.iter().map(|check| check.name.as_str()).collect();
    assert_eq!(names, ["HEADS", "TAILS", "BOTH.heads", "BOTH.tails"]);
    let bad = check_progress(&compile(text, "COINS"), &checks);
    let bad: Vec<&str> = bad.iter().map(|violation| violation.name.as_str()).collect();
    assert_eq!(bad, ["HEADS", "BOTH.heads"]);
}

#[test]
fn properties_and_sequences() {
    let text = "property POLITE = (knock -> enter -> POLITE).
        RUDE = (enter -> RUDE | knock -> RUDE).
        ||CHECK = (RUDE || POLITE).
        STEP(I=1) = (do[I] -> END).
        TWO = STEP(1); STEP(2); END.
        LOOP = STEP(7); LOOP.
        DOWN(K=3) = if K == 0 then END else STEP(K); DOWN(K-1); END.";
    let safety = check_safety(&compile(text, "CHECK"));
    assert_eq!(safety.error.map(|trace| trace.len()), Some(1));
    let two = compile(text, "TWO");
    assert!(trace_possible(&two, &["do.1", "do.2"]) && check_safety(&two).holds());
    assert!(trace_possible(&compile(text, "LOOP"), &["do.7", "do.7"]));
    assert!(trace_possible(&compile(text, "DOWN"), &["do.3", "do.2", "do.1"]));
    assert_eq!(size(&compile(text, "DOWN")), (4, 3));
}

#[test]
fn compositions_with_conditions_replicators_and_recursion() {
    let text = "CELL = (in -> out -> CELL).
        ||PIPE(N=1) = if N == 1 then CELL else (CELL/{mid/out} || PIPE(N-1)/{mid/in}) @ {in, out}.
        ||THREE = PIPE(3).
        ||ROW(N=4) = forall [i:1..N] if i % 2 == 0 then even[i]:CELL else odd[i]:CELL.
        ||BOUND = (cell[i:1..2]:WITH(i)).
        WITH(I=0) = (is[I] -> WITH).";
    let three = minimize_weak(&compile(text, "THREE"), &Budget::unlimited()).expect("no limit");
    assert_eq!(three.state_count(), 4, "a buffer of three places");
    assert_eq!(compile(text, "ROW").state_count(), 16);
    assert!(trace_possible(&compile(text, "BOUND"), &["cell.2.is.2"]));
    assert!(!trace_possible(&compile(text, "BOUND"), &["cell.1.is.2"]));
}

#[test]
fn formulas_and_menus_are_read() {
    let text = "P = (a[1..2] -> b -> P).  menu RUN = {a[1..2]}.b
        fluent F[i:1..2] = <a[i], b> initially 0
        assert ONE = [](F[1] -> <> b)  assert TWO = forall[i:1..2] []<>a[i]
        assert END = ((ONE && TWO) || !X F[2] U b)
        ||C = (P || x:P).";
    assert_eq!(compile(text, "C").state_count(), 9);
    let model = Model::read(FileId(0), text).expect("fine");
    assert_eq!(model.unchecked(), []);
    let assertions = model.assertions(&Budget::unlimited()).expect("fine");
    let atoms: Vec<Vec<&str>> = assertions
        .iter()
        .map(|a| a.formula.atoms.iter().map(|atom| atom.text.as_str()).collect())
        .collect();
    let all = vec!["F.1", "b", "a.1", "a.2", "F.2"];
    assert_eq!(atoms, [vec!["F.1", "b"], vec!["a.1", "a.2"], all]);
}

#[test]
fn errors_point_at_their_place() {
    assert_eq!(error("P = (a -> P)"), "F0002 1:13");
    assert_eq!(error("P = (a -> Q)."), "F0003 1:11");
    assert_eq!(error("P = (a[i] -> P)."), "F0003 1:8");
    assert_eq!(error("P = (a[1/0] -> P)."), "F0006 1:8");
    assert_eq!(error("\nproperty P = (a -> P | a -> STOP)."), "F0008 2:10");
    assert_eq!(error("P = (a -> P).\nP = (b -> P)."), "F0004 2:1");
    assert_eq!(error("P = (a -> L), L = (b -> P), L = (c -> P)."), "F0004 1:29");
    assert_eq!(error("P = (a -> P). ||C = (P || NONE)."), "F0003 1:27");
    assert_eq!(error("P(N=0) = (a[N] -> P). ||C(K=0) = C(K+1)."), "F0009 1:34");
    assert_eq!(error("P = (a -> P). Q = P(3); END."), "F0005 1:1");
    assert_eq!(error("P = (tau -> P)."), "F0005 1:6");
    assert_eq!(error("P = (a[0..99999999999] -> P)."), "F0007 1:6");
    assert_eq!(error("P = (a -> P). $"), "F0001 1:15");
    assert_eq!(error("/* no end"), "F0001 1:1");
    let deep = format!("P = {}(a -> P){}.", "(a -> ".repeat(5000), ")".repeat(5000));
    assert!(error(&deep).starts_with("F0009"));
}

#[test]
fn several_errors_are_reported_in_one_run() {
    let text = "P = (a -> ).  Q = (b -> Q).  R = (-> R).  const N = \n S = (c -> S).";
    let Err(found) = Model::read(FileId(0), text) else { panic!("broken") };
    assert_eq!(found.error_count(), 3, "{:?}", all(&found));
}
