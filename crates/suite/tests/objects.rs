//! Containers with strings and records as arguments, several containers in one
//! sequence, and memory that is not freed: what is written says the same.

mod support;

use parallax_containers::{Config, Failure, Goal, Match, Wrong};
use parallax_suite::{Sanitize, c_failure, c_suite, run_native, sequence_text};
use support::{folder, needs, with_file};

/// Strings and records are passed, by pointer and by value; what is kept of them
/// is the container's.
#[test]
fn strings_and_records_are_arguments() {
    needs("cc");
    let folder = folder("given");
    let program = "
        #include <stdlib.h>
        #include <string.h>
        struct point { short x; int y; };
        struct book { char *names[3]; int count; long sum; };
        void book_init(struct book *b) { b->count = 0; b->sum = 0; }
        int book_add(struct book *b, const char *name) {
            for (int i = 0; i < b->count; i++)
                if (strcmp(b->names[i], name) == 0) return 0;
            if (b->count == 3) return -1;
            char *copy = malloc(strlen(name) + 1);
            if (!copy) abort();
            strcpy(copy, name);
            b->names[b->count++] = copy;
            return 1;
        }
        long book_move(struct book *b, const struct point *p) { return b->sum = p->x - p->y; }
        long book_jump(struct book *b, struct point p) { p.x++; return b->sum = p.x * p.y; }
        int book_ok(struct book *b) { return b->sum != LIMIT; }
        void book_end(struct book *b) { while (b->count > 0) free(b->names[--b->count]); }";
    let api = r#"
        [container]
        new = "book_init"
        delete = "book_end"
        invariant = "book_ok"
        [[operation]]
        call = "book_add"
        arguments = ["container", { strings = ["", "a\"b", "long"] }]
        [[operation]]
        call = "book_move"
        arguments = ["container", { records = [{ x = -1, y = 5 }, { y = 7 }] }]
        [[operation]]
        call = "book_jump"
        arguments = ["container", { records = [{ x = 2, y = 3 }] }]"#;
    let file = folder.join("book.c");
    std::fs::write(&file, program).expect("a file");
    std::fs::write(file.with_extension("toml"), api).expect("a file");
    for (limit, fails) in [("LIMIT=8", None), ("LIMIT=9", Some("book_jump({.x = 2, .y = 3})"))] {
        for matching in [Match::Complete, Match::Subsumption] {
            let goal = Goal::Branches;
            let config = Config { length: 4, values: 2, matching, goal, ..Config::default() };
            with_file(&file, &[limit], &config, |suite| {
                let failure = suite.found.failure.as_ref();
                let text = |f: &Failure| sequence_text(&suite.subject.api, &f.calls);
                assert_eq!(failure.map(text).as_deref(), fails, "{matching:?}");
                let text = match failure {
                    Some(failure) => c_failure(suite, failure, "suite.c"),
                    None => c_suite(suite, "suite.c"),
                };
                let file = folder.join("suite.c");
                std::fs::write(&file, text).expect("a file");
                let ran = run_native(&file, Sanitize::Yes).expect("a run");
                assert_eq!(ran.good == ran.count, fails.is_none(), "{ran:?}");
                assert!(ran.count > 3 || fails.is_some(), "{ran:?}");
            });
        }
    }
}

/// Two lists, made in each way, that pass items to each other.
#[test]
fn sequences_have_several_containers() {
    needs("cc");
    let folder = folder("several");
    let program = "
        #include <stdlib.h>
        struct item { struct item *next; int value; };
        struct list { struct item *first; int count; };
        void list_init(struct list *l) { l->first = 0; l->count = 0; }
        struct list *list_new(void) {
            struct list *l = malloc(sizeof *l);
            if (!l) abort();
            list_init(l);
            return l;
        }
        void list_add(struct list *l, int x) {
            struct item *new = malloc(sizeof *new);
            if (!new) abort();
            new->value = x; new->next = l->first; l->first = new; l->count++;
        }
        int list_move(struct list *to, struct list *from) {
            struct item *item = from->first;
            if (!item) return 0;
            from->first = item->next;
            item->next = to->first;
            to->first = item;
            to->count++;
        #ifndef FORGETS
            from->count--;
        #endif
            return 1;
        }
        struct list *list_same(struct list *l) { return l; }
        int list_ok(struct list *l) {
            int n = 0;
            for (struct item *i = l->first; i; i = i->next) n++;
            return n == l->count;
        }
        void list_clear(struct list *l) {
            while (l->first) {
                struct item *old = l->first;
                l->first = old->next;
                free(old);
            }
        }
        void list_delete(struct list *l) { list_clear(l); free(l); }";
    let file = folder.join("list.c");
    std::fs::write(&file, program).expect("a file");
    for making in [
        "new = \"list_init\"\ndelete = \"list_clear\"",
        "new = \"list_new\"\ndelete = \"list_delete\"",
        "",
    ] {
        let api = format!(
            "[container]\ncount = 2\n{making}\ninvariant = \"list_ok\"\n\
             [[operation]]\ncall = \"list_add\"\n[[operation]]\ncall = \"list_move\"\n{}",
            if making.contains("new") {
                "[[operation]]\ncall = \"list_same\"\nresult = \"container\"\n"
            } else {
                ""
            }
        );
        std::fs::write(file.with_extension("toml"), api).expect("a file");
        for (defines, fails) in
            [(&[][..], None), (&["FORGETS"][..], Some("list_add(c[0], 0); list_move(c[1], c[0])"))]
        {
            for matching in [Match::Complete, Match::Subsumption, Match::Shape] {
                let goal = Goal::Branches;
                let config = Config { length: 3, values: 2, matching, goal, ..Config::default() };
                with_file(&file, defines, &config, |suite| {
                    let failure = suite.found.failure.as_ref();
                    let text = |f: &Failure| sequence_text(&suite.subject.api, &f.calls);
                    let found = failure.map(text);
                    match matching {
                        // It tries values in another order.
                        Match::Shape => assert_eq!(found.is_some(), fails.is_some(), "{making}"),
                        _ => assert_eq!(found.as_deref(), fails, "{making} {matching:?}"),
                    }
                    let text = match failure {
                        Some(failure) => c_failure(suite, failure, "suite.c"),
                        None => c_suite(suite, "suite.c"),
                    };
                    let file = folder.join("suite.c");
                    std::fs::write(&file, text).expect("a file");
                    let ran = run_native(&file, Sanitize::Yes).expect("a run");
                    assert_eq!(ran.good == ran.count, fails.is_none(), "{ran:?}");
                });
            }
        }
    }
}

/// A stack of boxes that forgets to free: a box that is popped, all boxes at the
/// end, nothing. What `peek` returns belongs to its caller.
const STACK: &str = "
    #include <stdlib.h>
    struct item { struct item *next; int value; };
    struct stack { struct item *top; };
    void stack_init(struct stack *s) { s->top = 0; }
    void stack_push(struct stack *s, int x) {
        struct item *new = malloc(sizeof *new);
        if (!new) abort();
        new->value = x; new->next = s->top; s->top = new;
    }
    int stack_pop(struct stack *s) {
        struct item *old = s->top;
        if (!old) return -1;
        int x = old->value;
        s->top = old->next;
    #ifndef LOSES
        free(old);
    #endif
        return x;
    }
    int *stack_peek(struct stack *s) {
        int *copy = s->top ? malloc(sizeof *copy) : 0;
        if (copy) *copy = s->top->value;
        return copy;
    }
    void stack_end(struct stack *s) {
    #ifndef FORGETS
        while (s->top) stack_pop(s);
    #endif
    }";

#[test]
fn leaks_are_failures_here_and_natively() {
    needs("cc");
    let folder = folder("leaks");
    let operations =
        ["push", "pop", "peek"].map(|name| format!("[[operation]]\ncall = \"stack_{name}\"\n"));
    for (define, delete, leaks) in [
        ("", "delete = \"stack_end\"", None),
        ("", "", None),
        ("FORGETS", "", None),
        ("LOSES", "", Some((2, false))),
        ("LOSES", "delete = \"stack_end\"", Some((1, true))),
        ("FORGETS", "delete = \"stack_end\"", Some((1, true))),
    ] {
        let file = folder.join("stack.c");
        std::fs::write(&file, STACK).expect("a file");
        let api = format!("[container]\nnew = \"stack_init\"\n{delete}\n{}", operations.concat());
        std::fs::write(file.with_extension("toml"), api).expect("a file");
        let defines: &[&str] = if define.is_empty() { &[] } else { &[define] };
        for matching in Match::ALL.into_iter().filter(|m| *m != Match::User) {
            let config =
                Config { length: 3, values: 3, matching, operations: 500, ..Config::default() };
            with_file(&file, defines, &config, |suite| {
                let shown = format!("{define} {delete} {matching:?}");
                let found = suite.found.failure.as_ref().map(|failure| match failure.wrong {
                    Wrong::Leak { ended, .. } => (failure.calls.len(), ended),
                    _ => (0, false),
                });
                match matching {
                    Match::Random => assert_eq!(found.is_some(), leaks.is_some(), "{shown}"),
                    _ => assert_eq!(found, leaks, "{shown}"),
                }
                let suite_file = folder.join("suite.c");
                let text = match &suite.found.failure {
                    Some(failure) => c_failure(suite, failure, "suite.c"),
                    None => c_suite(suite, "suite.c"),
                };
                std::fs::write(&suite_file, text).expect("a file");
                // Every way to search writes the same tests or the same failure.
                if matches!(matching, Match::Complete | Match::Subsumption) {
                    let ran = run_native(&suite_file, Sanitize::Yes).expect("a run");
                    assert_eq!(ran.good == ran.count, leaks.is_none(), "{shown}: {ran:?}");
                    let says = ran.messages.contains("LeakSanitizer");
                    assert_eq!(says, leaks.is_some(), "{shown}: {ran:?}");
                }
            });
        }
    }
}
