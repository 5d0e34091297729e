//! The text of a program.
//!
//! A program asks for at most three inputs of three bits each, so 512 runs are
//! all it has. It does nothing that C leaves undefined: signed arithmetic goes
//! through `unsigned`, divisors are never zero, shifts are short, indices are
//! masked, loops count, what is allocated is freed. What it reaches in the end
//! is therefore the same for every compiler, and for us.
//!
//! Invariant: every style draws the same numbers, so the same program comes out.

use super::Style;
use crate::Random;
use std::fmt::Write;

/// Types of variables, and the same with fixed width.
const TYPES: [[&str; 2]; 7] = [
    ["int", "int32_t"],
    ["unsigned", "uint32_t"],
    ["unsigned char", "uint8_t"],
    ["short", "int16_t"],
    ["long long", "int64_t"],
    ["signed char", "int8_t"],
    ["unsigned long", "uint64_t"],
];

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// How many inputs it asks for, each below 8.
    pub inputs: u32,
    /// How many functions it has besides `main`.
    pub functions: usize,
    /// Its files: names and texts.
    pub files: Vec<(&'static str, String)>,
}

/// A function besides `main`: a constant and an operator are all it varies in.
#[derive(Clone, Copy)]
struct Function {
    step: u64,
    op: &'static str,
}

struct Writer<'a> {
    random: Random,
    style: &'a Style,
    /// Names of scalars that can be read and written.
    scalars: Vec<String>,
    functions: Vec<Function>,
    loops: usize,
    out: String,
}

/// The program of a number, in a style.
pub fn program(seed: u64, style: &Style) -> Program {
    let prefix = style.prefix;
    let mut writer = Writer {
        random: Random(seed),
        style,
        scalars: vec![format!("{prefix}count")],
        functions: Vec::new(),
        loops: 0,
        out: String::new(),
    };
    let inputs = 1 + writer.random.below(3) as u32;
    for _ in 0..writer.random.below(3) {
        let step = 1 + writer.random.below(9);
        let op = writer.random.pick(&["+", "-", "*", "^", "|"]);
        writer.functions.push(Function { step, op });
    }
    writer.main(inputs);
    let main = std::mem::take(&mut writer.out);
    let functions = writer.functions.len();
    let linkage = if style.split { "" } else { "static " };
    let head = "#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n\n\
                extern unsigned char __VERIFIER_nondet_uchar(void);\n\
                extern void reach_error(void);\n\n";
    let globals = format!(
        "struct {prefix}pair {{ int a; unsigned char b[4]; short c; }};\n\
         static int {prefix}table[4];\n{linkage}unsigned {prefix}count;\n\n"
    );
    let prototype = |number| format!("{linkage}int {prefix}f{number}(int n, int *to)");
    let prototypes: String = (0..functions).map(|n| prototype(n) + ";\n").collect();
    let body = |number: usize| prototype(number) + &writer.body(number);
    let files = if style.split && functions > 0 {
        let all: String = (0..functions).map(body).collect();
        let other = format!("extern unsigned {prefix}count;\n\n{all}");
        vec![("program.c", format!("{head}{globals}{prototypes}\n{main}")), ("functions.c", other)]
    } else if style.reordered {
        let all: String = (0..functions).rev().map(body).collect();
        vec![("program.c", format!("{head}{globals}{prototypes}\n{main}\n{all}"))]
    } else {
        let all: String = (0..functions).map(body).collect();
        vec![("program.c", format!("{head}{globals}{all}{main}"))]
    };
    Program { inputs, functions, files }
}

impl Writer<'_> {
    /// What follows the prototype of a function.
    fn body(&self, number: usize) -> String {
        let (prefix, Function { step, op }) = (self.style.prefix, self.functions[number]);
        format!(
            "\n{{\n    if (n < {step}) return n;\n    \
             *to = (int)((unsigned)*to {op} {step}u);\n    {prefix}count++;\n    \
             return (int)((unsigned)n - {step}u);\n}}\n\n"
        )
    }

    /// A call, or what it does.
    fn call(&self, number: usize, result: &str, value: &str, to: &str) -> String {
        let (prefix, Function { step, op }) = (self.style.prefix, self.functions[number]);
        if !self.style.inlined {
            return format!("{result} = {prefix}f{number}((int)({value}), {to});");
        }
        format!(
            "{{ int n = (int)({value}), *to = {to}, result = n; if (n >= {step}) {{ \
             *to = (int)((unsigned)*to {op} {step}u); {prefix}count++; \
             result = (int)((unsigned)n - {step}u); }} {result} = result; }}"
        )
    }

    fn main(&mut self, inputs: u32) {
        let prefix = self.style.prefix;
        let _ = writeln!(self.out, "int main(void)\n{{");
        for number in 0..inputs {
            let name = format!("{prefix}x{number}");
            let _ = writeln!(self.out, "    unsigned char {name} = __VERIFIER_nondet_uchar() & 7;");
            self.scalars.push(name);
        }
        if self.style.narrow {
            let _ = writeln!(self.out, "    if ({prefix}x0 > 3) return 0;");
        }
        for number in 0..2 + self.random.below(3) {
            let ty = self.random.pick(&TYPES.each_ref())[usize::from(self.style.fixed)];
            let value = self.random.below(20);
            let name = format!("{prefix}v{number}");
            let _ = writeln!(self.out, "    {ty} {name} = {value};");
            self.scalars.push(name);
        }
        let _ = writeln!(
            self.out,
            "    struct {prefix}pair {prefix}one = {{1, {{2, 3}}, 4}}, {prefix}two;\n    \
             {prefix}two = {prefix}one;\n    int {prefix}local[4] = {{3, 1, 2}};\n    \
             int *{prefix}p = &{prefix}local[1];\n    char {prefix}text[5] = \"ab\";"
        );
        for _ in 0..2 + self.random.below(6) {
            self.statement(prefix, 1, 0);
        }
        if self.style.dead {
            let x = format!("{prefix}x0");
            let _ = writeln!(
                self.out,
                "    if (((unsigned){x} & 7u) > 7u) {{ {prefix}count = 99; reach_error(); }}"
            );
        }
        let sum = self.expression(prefix, 2);
        let modulus = 2 + self.random.below(12);
        let rest = self.random.below(modulus);
        let _ = writeln!(
            self.out,
            "    if ((unsigned)({sum}) % {modulus} == {rest}) reach_error();\n    return 0;\n}}"
        );
    }

    fn scalar(&mut self) -> String {
        self.scalars[self.random.below(self.scalars.len() as u64) as usize].clone()
    }

    /// A value of type `int` or wider, defined whatever the variables are.
    fn expression(&mut self, prefix: &str, depth: u32) -> String {
        if depth == 0 || self.random.below(4) == 0 {
            return match self.random.below(13) {
                0 | 1 => self.random.below(30).to_string(),
                2 => format!("{prefix}table[{}]", self.random.below(4)),
                3 => format!("{prefix}one.b[{} & 3]", self.scalar()),
                4 => format!("(int){prefix}two.c"),
                5 => format!("*{prefix}p"),
                6 => format!("(int)strlen({prefix}text)"),
                7 => format!("(strcmp({prefix}text, \"ac\") < 0)"),
                8 => format!("(memcmp({prefix}one.b, {prefix}two.b, 4) != 0)"),
                _ => self.scalar(),
            };
        }
        let (a, b) = (self.expression(prefix, depth - 1), self.expression(prefix, depth - 1));
        match self.random.below(9) {
            0 => format!("((int)((unsigned)({a}) + (unsigned)({b})))"),
            1 => format!("((int)((unsigned)({a}) - (unsigned)({b})))"),
            2 => format!("((int)((unsigned)({a}) * (unsigned)({b})))"),
            3 => format!("((unsigned)({a}) / (1u + (unsigned)(({b}) & 7)))"),
            4 => format!("((unsigned)({a}) % (1u + (unsigned)(({b}) & 15)))"),
            5 => {
                format!("(({a}) {} ({b}))", self.random.pick(&["<", "<=", "==", "!=", "&&", "||"]))
            }
            6 => format!("(({a}) {} ({b}))", self.random.pick(&["&", "|", "^"])),
            7 => format!("((unsigned)({a}) {} (({b}) & 7))", self.random.pick(&["<<", ">>"])),
            _ => format!("(({a}) ? ({b}) : {})", self.scalar()),
        }
    }

    /// A statement that sees memory under more than one type, or as a block whose
    /// size is not known before it runs.
    fn view(&mut self, prefix: &str, which: u64, value: &str) -> String {
        let (a, b) = (self.scalar(), self.scalar());
        match which {
            0 => format!(
                "{{ union {{ float f; unsigned w; }} u; u.f = (float)(int)(({value}) & 1023); \
                 u.w ^= ((unsigned){a} & 7u) << 20; {b} = (u.f < 2.5f) + (u.w >> 24); }}"
            ),
            1 => format!(
                "{{ union {{ double d; unsigned w[2]; unsigned char b[8]; }} u; \
                 u.d = (double)(int)(({value}) & 255) / 4; u.w[1] ^= (unsigned){a} & 15u; \
                 u.b[7] ^= 128; {b} = u.b[6] + (u.d < -3.0); }}"
            ),
            2 => format!(
                "{{ unsigned w; memcpy(&w, {prefix}one.b, 4); w += (unsigned)({value}); \
                 memcpy({prefix}one.b, &w, 4); {b} = w >> 28; }}"
            ),
            3 => {
                format!("((unsigned char *){prefix}local)[({value}) & 15] ^= (unsigned char)({a});")
            }
            4 => format!(
                "{{ uintptr_t w = (uintptr_t){prefix}p; w += 3; w -= 3; {prefix}p = (int *)w; \
                 *{prefix}p = (int)({value}); }}"
            ),
            5 => format!(
                "{{ unsigned char b[sizeof {prefix}p]; memcpy(b, &{prefix}p, sizeof b); int *q; \
                 memcpy(&q, b, sizeof q); *q = (int)({value}); {b} = *{prefix}p & 31; }}"
            ),
            6 => format!(
                "{{ int *heap = malloc((1 + ({a} & 1)) * sizeof *heap); if (!heap) return 0; \
                 heap[{a} & 1] = (int)({value}); int *more = realloc(heap, 3 * sizeof *heap); \
                 if (!more) {{ free(heap); return 0; }} more[2] = 7; \
                 {b} = more[{a} & 1] + more[2]; free(more); }}"
            ),
            _ => format!(
                "memmove({prefix}text + (({value}) & 1), {prefix}text, (unsigned)({a} & 3));"
            ),
        }
    }

    fn statement(&mut self, prefix: &str, depth: u32, nesting: usize) {
        let indent = "    ".repeat(nesting + 1);
        let value = self.expression(prefix, 2);
        let line = match self.random.below(26) {
            0..=2 => format!("{} = {value};", self.scalar()),
            3 => format!("{prefix}table[({value}) & 3] = {};", self.scalar()),
            4 => format!("*{prefix}p = (int)({value});"),
            5 => format!("{prefix}p = &{prefix}local[({value}) & 3];"),
            6 => format!("{prefix}one.b[({value}) & 3] = (unsigned char)({value});"),
            7 => format!("{prefix}two = {prefix}one; {prefix}one.c = (short)({value});"),
            8 if !self.functions.is_empty() => {
                let function = self.random.index(self.functions.len());
                let to = format!("&{prefix}local[{}]", self.random.below(4));
                let result = self.scalar();
                self.call(function, &result, &value, &to)
            }
            9 if self.random.below(4) == 0 => {
                format!("memcpy({prefix}table, {prefix}local, sizeof {prefix}table);")
            }
            10 => format!("{} = abs((int)(({value}) & 255) - 100);", self.scalar()),
            11 if depth > 0 => {
                let _ = writeln!(self.out, "{indent}if ({value}) {{");
                self.statement(prefix, depth - 1, nesting + 1);
                let _ = writeln!(self.out, "{indent}}} else {{");
                self.statement(prefix, depth - 1, nesting + 1);
                "}".to_owned()
            }
            12 if depth > 0 => {
                self.loops += 1;
                let (counter, rounds) = (self.loops, 1 + self.random.below(5));
                let _ = writeln!(
                    self.out,
                    "{indent}for (int {prefix}i{counter} = 0; {prefix}i{counter} < {rounds}; \
                     {prefix}i{counter}++) {{"
                );
                self.statement(prefix, depth - 1, nesting + 1);
                if self.random.below(3) == 0 {
                    let scalar = self.scalar();
                    let _ = writeln!(self.out, "{indent}    if ({scalar}) break;");
                }
                "}".to_owned()
            }
            13 if depth > 0 => {
                let scalar = self.scalar();
                let _ = writeln!(self.out, "{indent}switch ({scalar} & 3) {{\n{indent}case 1:");
                self.statement(prefix, depth - 1, nesting + 1);
                let _ = writeln!(self.out, "{indent}case 2:");
                self.statement(prefix, depth - 1, nesting + 1);
                let _ = writeln!(self.out, "{indent}    break;\n{indent}default:");
                self.statement(prefix, depth - 1, nesting + 1);
                "}".to_owned()
            }
            14 if self.random.below(4) == 0 => {
                format!("memset({prefix}two.b, (int)(({value}) & 3), 4);")
            }
            15 => format!("{prefix}text[({value}) & 3] = (char)('a' + ({} & 3));", self.scalar()),
            16 => {
                let (from, to) = (self.scalar(), self.scalar());
                format!(
                    "{{ int *heap = malloc(2 * sizeof *heap); if (!heap) return 0; \
                     heap[0] = (int)({value}); heap[1] = (int){from}; {to} = heap[{from} & 1]; \
                     free(heap); }}"
                )
            }
            17..=24 => {
                let which = self.random.below(8);
                self.view(prefix, which, &value)
            }
            _ => {
                let scalar = self.scalar();
                format!("{scalar} = (unsigned){scalar} + {}u;", self.random.below(9))
            }
        };
        let _ = writeln!(self.out, "{indent}{line}");
    }
}
