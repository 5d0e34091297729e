//! Random containers in C with an API, and a native program that tries all
//! sequences of calls: the length of the shortest one that breaks the invariant
//! is the truth.
//!
//! A container holds up to four numbers in an array, or in a list on the heap;
//! its operations do nothing undefined. The invariant says what numbers never
//! come together; whether that is so is left to chance.

use crate::Random;
use std::fmt::Write;

/// The longest sequences that are tried.
pub const LENGTH: u32 = 4;
/// How many values a parameter has, from 0 on.
pub const VALUES: u32 = 3;

/// A container.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Container {
    /// The text of the C file.
    pub program: String,
    /// The text of the API file.
    pub api: String,
    /// What follows the C file in a program that prints the length of the
    /// shortest sequence that breaks the invariant, or 0.
    pub driver: String,
}

/// The operations: a name, whether it takes a value, and what it does to the
/// numbers `at(0)` to `at(n - 1)`.
fn operations(random: &mut Random) -> Vec<(&'static str, bool, String)> {
    let step = 1 + random.below(3);
    let all = [
        ("push", true, "if (count(s) == 4) return 0; insert(s, count(s), x); return 1;".into()),
        ("add", true, "if (count(s) == 4) return 0; insert(s, 0, x); return 1;".into()),
        ("pop", false, "if (count(s) == 0) return -1; return take(s, count(s) - 1);".into()),
        ("shift", false, "if (count(s) == 0) return -1; return take(s, 0);".into()),
        (
            "remove",
            true,
            "for (int i = 0; i < count(s); i++) if (*at(s, i) == x) { \
                          take(s, i); return 1; } return 0;"
                .into(),
        ),
        (
            "grow",
            false,
            format!(
                "if (count(s) == 0) return 0; \
                          *at(s, 0) = (*at(s, 0) + {step}) & 7; return *at(s, 0);"
            ),
        ),
        (
            "swap",
            false,
            "if (count(s) < 2) return 0; int t = *at(s, 0); \
                          *at(s, 0) = *at(s, 1); *at(s, 1) = t; return t;"
                .into(),
        ),
        (
            "double",
            true,
            format!(
                "for (int i = 0; i < count(s); i++) if (*at(s, i) == x) \
                          *at(s, i) = (2 * x + {step}) & 7; return count(s);"
            ),
        ),
    ];
    let mut chosen = vec![all[random.index(2)].clone()];
    let mut rest: Vec<_> = all.into_iter().skip(2).collect();
    for _ in 0..1 + random.below(3) {
        chosen.push(rest.swap_remove(random.index(rest.len())));
    }
    chosen
}

/// Numbers in an array.
const ARRAY: &str = "\
struct box { int items[4]; int n; };
void box_new(struct box *s) { s->n = 0; }
void box_free(struct box *s) { s->n = 0; }
static int count(struct box *s) { return s->n; }
static int *at(struct box *s, int i) { return &s->items[i]; }
static void insert(struct box *s, int place, int x) {
    for (int i = s->n; i > place; i--) s->items[i] = s->items[i - 1];
    s->items[place] = x;
    s->n++;
}
static int take(struct box *s, int place) {
    int x = s->items[place];
    s->n--;
    for (int i = place; i < s->n; i++) s->items[i] = s->items[i + 1];
    return x;
}
";

/// Numbers in a list.
const LIST: &str = "\
#include <stdlib.h>
struct item { struct item *next; int value; };
struct box { struct item *first; };
void box_new(struct box *s) { s->first = 0; }
static int count(struct box *s) {
    int n = 0;
    for (struct item *i = s->first; i; i = i->next) n++;
    return n;
}
static struct item **link(struct box *s, int place) {
    struct item **l = &s->first;
    while (place-- > 0) l = &(*l)->next;
    return l;
}
static int *at(struct box *s, int i) { return &(*link(s, i))->value; }
static void insert(struct box *s, int place, int x) {
    struct item **l = link(s, place), *new = malloc(sizeof *new);
    if (!new) abort();
    new->value = x;
    new->next = *l;
    *l = new;
}
static int take(struct box *s, int place) {
    struct item **l = link(s, place), *old = *l;
    int x = old->value;
    *l = old->next;
    free(old);
    return x;
}
void box_free(struct box *s) { while (s->first) take(s, 0); }
";

/// The container of a number.
pub fn container(seed: u64) -> Container {
    let mut random = Random(seed);
    let operations = operations(&mut random);
    let mut program = String::from(if random.chance(50) { ARRAY } else { LIST });
    let mut api =
        String::from("[container]\nnew = 'box_new'\ndelete = 'box_free'\ninvariant = 'box_ok'\n");
    let mut cases = String::new();
    for (name, takes, body) in &operations {
        let parameter = if *takes { ", int x" } else { "" };
        let _ = writeln!(program, "int box_{name}(struct box *s{parameter}) {{ {body} }}");
        let _ = writeln!(api, "\n[[operation]]\ncall = 'box_{name}'");
        let values = if *takes { VALUES } else { 1 };
        for value in 0..values {
            let argument = if *takes { format!(", {value}") } else { String::new() };
            let number = cases.matches("case").count();
            let _ = writeln!(cases, "        case {number}: box_{name}(&s{argument}); break;");
        }
    }
    // Sums that never are, unless they are.
    let (modulus, rest) = (11 + random.below(30), random.below(30));
    let (least, order) = (1 + random.below(3), random.below(3));
    let order = ["", " || *at(s, 0) < *at(s, 1)", " || *at(s, 0) + *at(s, 1) != 3"]
        [if least >= 2 { order as usize } else { 0 }];
    let _ = writeln!(
        program,
        "int box_ok(struct box *s) {{\n    unsigned sum = {};\n    \
         for (int i = 0; i < count(s); i++) sum = 2 * sum + (unsigned)*at(s, i);\n    \
         return count(s) < {least} || sum % {modulus} != {rest}{order};\n}}",
        random.below(3)
    );
    let choices = cases.matches("case").count();
    let driver = format!(
        "#include <stdio.h>\nstatic int broken(const int *calls, int length) {{\n    \
         struct box s;\n    int bad = 0;\n    box_new(&s);\n    bad = !box_ok(&s);\n    \
         for (int i = 0; i < length && !bad; i++) {{\n        switch (calls[i]) {{\n{cases}        \
         }}\n        bad = !box_ok(&s);\n    }}\n    box_free(&s);\n    return bad;\n}}\n\
         int main(void) {{\n    for (int length = 1; length <= {LENGTH}; length++) {{\n        \
         int calls[{LENGTH}] = {{0}}, at;\n        do {{\n            \
         if (broken(calls, length)) {{ printf(\"%d\", length); return 0; }}\n            \
         for (at = length - 1; at >= 0 && ++calls[at] == {choices}; at--) calls[at] = 0;\n        \
         }} while (at >= 0);\n    }}\n    printf(\"0\");\n    return 0;\n}}\n"
    );
    Container { program, api, driver }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_repeat() {
        for seed in 0..20 {
            assert_eq!(container(seed), container(seed));
        }
    }
}
