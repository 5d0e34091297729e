//! Random C programs with pointers, records, tables of functions and loops.
//!
//! All indices are reduced to their arrays and all loops are short, so that
//! most runs end in good order; divisors and shift amounts may be bad.

use std::fmt::Write as _;

struct Generator {
    state: u64,
    text: String,
    depth: usize,
}

impl Generator {
    fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.state >> 33) % n
    }

    fn pick(&mut self, from: &[&str]) -> String {
        from[self.below(from.len() as u64) as usize].to_owned()
    }

    fn place(&mut self) -> String {
        let index = self.below(3);
        match self.below(8) {
            0..=2 => self.pick(&["x", "y", "g", "h"]),
            3 => format!("a[(unsigned){} % 4]", self.pick(&["x", "y", "g"])),
            4 => format!("s[{index}].v"),
            5 => "*p".to_owned(),
            6 => "q->v".to_owned(),
            _ => "*q->to".to_owned(),
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(4) == 0 {
            return match self.below(3) {
                0 => format!("{}", self.below(12) as i64 - 4),
                _ => self.place(),
            };
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.below(9) {
            0 => format!("({a} ? {b} : 3)"),
            1 => format!("({a} && {b})"),
            2 => format!("(int)((unsigned char){a} * 3u)"),
            3 => format!("({a} / ({b} & 7))"),
            _ => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^", "<", ">=", "==", "%7 +"]);
                format!("({a} {op} {b})")
            }
        }
    }

    fn statement(&mut self, level: u32) {
        let pad = "    ".repeat(level as usize);
        let e = self.expression(2);
        let _ = match self.below(if level > 3 { 9 } else { 13 }) {
            0..=2 => {
                let place = self.place();
                writeln!(self.text, "{pad}{place} = {e};")
            }
            3 => {
                let target = self.pick(&["&x", "&y", "&g", "a + 1", "&s[1].v", "s[2].to", "q->to"]);
                writeln!(self.text, "{pad}p = {target};")
            }
            4 => {
                let target = self.pick(&["&s[0]", "&s[2]", "q", "&other", "next(q)", "made"]);
                writeln!(self.text, "{pad}q = {target};")
            }
            5 => {
                let target = self.pick(&["&x", "p", "&h", "&a[2]"]);
                writeln!(self.text, "{pad}q->to = {target};")
            }
            6 => writeln!(self.text, "{pad}x += table[(unsigned)y % 3](p, q, {e});"),
            7 => writeln!(self.text, "{pad}s[(unsigned)x % 3] = *q;"),
            8 => {
                let place = self.place();
                writeln!(self.text, "{pad}{place} = __VERIFIER_nondet_int();")
            }
            9 => writeln!(self.text, "{pad}if ({e} == 5) reach_error();"),
            10 => {
                let _ = writeln!(self.text, "{pad}if ({e}) {{");
                self.block(level + 1);
                let _ = writeln!(self.text, "{pad}}} else {{");
                self.block(level + 1);
                writeln!(self.text, "{pad}}}")
            }
            _ => {
                self.depth += 1;
                let (i, n) = (format!("i{}", self.depth), 1 + self.below(4));
                let _ = writeln!(self.text, "{pad}for (int {i} = 0; {i} < {n}; {i}++) {{");
                self.block(level + 1);
                writeln!(self.text, "{pad}}}")
            }
        };
    }

    fn block(&mut self, level: u32) {
        for _ in 0..1 + self.below(3) {
            self.statement(level);
        }
    }
}

/// The program of a seed.
pub(crate) fn program(seed: u64) -> String {
    let mut g = Generator { state: seed.wrapping_mul(77) + 1, text: String::new(), depth: 0 };
    g.text.push_str(
        "extern int __VERIFIER_nondet_int(void);\n\
         extern void *malloc(unsigned long n);\n\
         void reach_error(void) { }\n\
         struct s { int v; int *to; struct s *link; };\n\
         static int g = 3, h;\n\
         static struct s other = { 1, &g, &other };\n\
         static struct s *next(struct s *q) { return q->link ? q->link : &other; }\n",
    );
    for name in ["f0", "f1", "f2"] {
        let _ = writeln!(
            g.text,
            "static int {name}(int *p, struct s *q, int x) {{\n    int y = x, a[4] = {{ 1, 2, 3, 4 }};\n    \
             struct s s[3] = {{ {{ 1, &g, q }}, {{ 2, p, q }}, {{ 3, &h, &other }} }}, *made = &other;\n    \
             (void)made;"
        );
        let before = g.text.len();
        g.block(2);
        // Only the start function calls through the table, and nothing may
        // outlive its function.
        let body = g.text.split_off(before);
        let keep = |line: &&str| {
            !line.contains("table[") && !line.contains("q->to = &") && !line.contains("q->to = p")
        };
        body.lines().filter(keep).for_each(|line| {
            let _ = writeln!(g.text, "{line}");
        });
        g.text.push_str("    return x + y;\n}\n");
    }
    g.text.push_str(
        "static int (*const table[3])(int *, struct s *, int) = { f0, f1, f2 };\n\
         int main(void) {\n    int x = 1, y = __VERIFIER_nondet_int(), a[4] = { 4, 3, 2, 1 };\n    \
         struct s *made = malloc(24);\n    made->v = 5; made->to = &y; made->link = &other;\n    \
         struct s s[3] = { { 1, &x, made }, { 2, &y, &other }, { 3, a + 2, made } };\n    \
         int *p = &y;\n    struct s *q = &s[1];\n",
    );
    for _ in 0..6 {
        g.block(1);
    }
    g.text.push_str("    return (x ^ y ^ g ^ h ^ a[1] ^ s[1].v ^ other.v) & 127;\n}\n");
    g.text
}
