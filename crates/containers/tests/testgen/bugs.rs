//! Seeded bugs are found by every exhaustive technique, with sequences that
//! replay; nothing is found in the correct containers.

use crate::load::{Container, container};
use parallax_base::Budget;
use parallax_containers::{Config, Match, Runner, Wrong, minimize};
use parallax_machine::Trap;

/// Container, the length its bug needs, and a longer one for the correct one.
const CONTAINERS: &[(&str, u32, u32)] = &[
    ("bintree", 6, 6),
    ("binheap", 6, 6),
    ("fibheap", 6, 6),
    ("treemap", 6, 6),
    ("dlist", 3, 4),
    ("skiplist", 5, 5),
    ("avl", 6, 6),
    ("hashtable", 4, 4),
];

fn config(matching: Match, length: u32) -> Config {
    Config { length, values: length.max(4), matching, ..Config::default() }
}

/// Searches for the bug; the length of the failing sequence.
fn bug(of: &Container, matching: Match, length: u32, name: &str) -> usize {
    let config = config(matching, length);
    let found = of.search(&config);
    assert!(found.failure.is_some(), "{name}, {matching:?}: nothing found");
    let failure = found.failure.expect("just checked");
    let subject = of.subject(&config);
    let small = minimize(&subject, &failure, &Budget::unlimited());
    assert_eq!(small.calls.len(), failure.calls.len(), "{name}: {matching:?} is not shortest");
    let mut runner = Runner::new(&subject);
    let (_, wrong) = runner.replay(&small.calls);
    assert!(wrong.expect("a failure").is_like(&failure.wrong), "{name}");
    failure.calls.len()
}

#[test]
fn every_exhaustive_technique_finds_every_bug() {
    for (name, length, _) in CONTAINERS {
        let buggy = container(name, &["SEEDED_BUG"]);
        let complete = bug(&buggy, Match::Complete, *length, name);
        let symbolic = bug(&buggy, Match::Subsumption, *length, name);
        assert_eq!(complete, symbolic, "{name}");
        assert_eq!(complete, bug(&buggy, Match::Concrete, complete as u32, name), "{name}");
    }
}

#[test]
fn the_correct_containers_raise_no_alarm() {
    for (name, _, length) in CONTAINERS {
        let good = container(name, &[]);
        for matching in Match::ALL {
            if matching == Match::User && good.api.abstraction.is_none() {
                continue;
            }
            let length = if matching == Match::Concrete { length - 2 } else { *length };
            let config = Config { operations: 3000, ..config(matching, length) };
            assert_eq!(good.search(&config).failure, None, "{name}, {matching:?}");
        }
    }
}

/// What is reported is what is wrong.
#[test]
fn failures_say_what_is_wrong() {
    let failure = |name: &str, length| {
        let found = container(name, &["SEEDED_BUG"]).search(&config(Match::Complete, length));
        found.failure.expect("a failure").wrong
    };
    assert!(matches!(failure("dlist", 3), Wrong::Trap(Trap::Dead, Some(_))));
    assert!(matches!(failure("treemap", 6), Wrong::Invariant));
}

/// A difference from a model is found even where the invariant holds.
#[test]
fn a_difference_from_the_model_is_found() {
    let program = "
        struct set { int items[4]; int count; };
        void set_init(struct set *s) { s->count = 0; }
        int set_add(struct set *s, int x) {
            for (int i = 0; i < s->count; i++) if (s->items[i] == x) return 0;
            if (s->count == 4) return 0;
            s->items[s->count++] = x;
            return 1;
        }
        int set_remove(struct set *s, int x) {
            for (int i = 0; i < s->count; i++)
                if (s->items[i] == x) { s->items[i] = s->items[s->count - 1]; return 1; }
            return 0;
        }
        struct model { unsigned bits; };
        void model_init(struct model *m) { m->bits = 0; }
        int model_add(struct model *m, int x) {
            int is_new = !(m->bits >> x & 1); m->bits |= 1u << x; return is_new;
        }
        int model_remove(struct model *m, int x) {
            int was = m->bits >> x & 1; m->bits &= ~(1u << x); return was;
        }";
    let api = "
        [container]
        new = 'set_init'
        [model]
        new = 'model_init'
        [[operation]]
        call = 'set_add'
        model = 'model_add'
        [[operation]]
        call = 'set_remove'
        model = 'model_remove'";
    let set = crate::load::text(program, api);
    for matching in [Match::Complete, Match::Concrete] {
        let found = set.search(&Config { values: 3, ..config(matching, 4) });
        let failure = found.failure.expect("a failure");
        // The last item stays: add, remove, and it is there still.
        assert_eq!(failure.calls.len(), 3, "{failure:?}");
        assert!(matches!(failure.wrong, Wrong::Difference { .. }), "{failure:?}");
    }
}
