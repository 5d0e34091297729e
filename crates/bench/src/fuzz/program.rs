//! Random C programs whose truth can be found by running them on all inputs.
//!
//! A program asks for at most three inputs of three bits each, so 512 runs are
//! all it has. It does nothing that C leaves undefined: signed arithmetic goes
//! through `unsigned`, divisors are never zero, shifts are short, indices are
//! masked, loops count. What it reaches in the end is therefore the same for
//! every compiler, and for us.

use std::fmt::Write;

/// A small generator of numbers (splitmix64), so that programs repeat.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// A number below a bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound.max(1)
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

const TYPES: [&str; 7] =
    ["int", "unsigned", "unsigned char", "short", "long long", "signed char", "unsigned long"];

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// How many inputs it asks for, each below 8.
    pub inputs: u32,
    /// Its text.
    pub text: String,
}

struct Writer {
    random: Random,
    /// Names of scalars that can be read and written.
    scalars: Vec<String>,
    functions: usize,
    loops: usize,
    out: String,
}

/// The program of a number. `prefix` stands before every name that is ours, and
/// `dead` adds code that no run reaches: neither changes what the program does.
pub fn program(seed: u64, prefix: &str, dead: bool) -> Program {
    let mut writer = Writer {
        random: Random(seed),
        scalars: Vec::new(),
        functions: 0,
        loops: 0,
        out: String::new(),
    };
    let inputs = 1 + writer.random.below(3) as u32;
    writer.out.push_str(
        "extern unsigned char __VERIFIER_nondet_uchar(void);\nextern void reach_error(void);\n\
         #include <string.h>\n#include <stdlib.h>\n\n",
    );
    let _ = writeln!(
        writer.out,
        "struct {prefix}pair {{ int a; unsigned char b[4]; short c; }};\n\
         static int {prefix}table[4];\nstatic unsigned {prefix}count;\n"
    );
    writer.scalars = vec![format!("{prefix}count")];
    for _ in 0..writer.random.below(3) {
        writer.function(prefix);
    }
    let _ = writeln!(writer.out, "int main(void)\n{{");
    for number in 0..inputs {
        let name = format!("{prefix}x{number}");
        let _ = writeln!(writer.out, "    unsigned char {name} = __VERIFIER_nondet_uchar() & 7;");
        writer.scalars.push(name);
    }
    for number in 0..2 + writer.random.below(3) {
        let ty = writer.random.pick(&TYPES);
        let value = writer.random.below(20);
        let name = format!("{prefix}v{number}");
        let _ = writeln!(writer.out, "    {ty} {name} = {value};");
        writer.scalars.push(name);
    }
    let _ = writeln!(
        writer.out,
        "    struct {prefix}pair {prefix}one = {{1, {{2, 3}}, 4}}, {prefix}two;\n    \
         {prefix}two = {prefix}one;\n    int {prefix}local[4] = {{3, 1, 2}};\n    \
         int *{prefix}p = &{prefix}local[1];"
    );
    let lines = 2 + writer.random.below(6);
    for _ in 0..lines {
        writer.statement(prefix, 1, 0);
    }
    if dead {
        let x = format!("{prefix}x0");
        let _ = writeln!(
            writer.out,
            "    if (((unsigned){x} & 7u) > 7u) {{ {prefix}count = 99; reach_error(); }}"
        );
    }
    let sum = writer.expression(prefix, 2);
    let (modulus, rest) = (2 + writer.random.below(40), writer.random.below(7));
    let _ = writeln!(
        writer.out,
        "    if ((unsigned)({sum}) % {modulus} == {rest}) reach_error();\n    return 0;\n}}"
    );
    Program { inputs, text: writer.out }
}

impl Writer {
    fn function(&mut self, prefix: &str) {
        let name = format!("{prefix}f{}", self.functions);
        let step = 1 + self.random.below(9);
        let op = self.random.pick(&["+", "-", "*", "^", "|"]);
        let _ = writeln!(
            self.out,
            "static int {name}(int n, int *to)\n{{\n    if (n < {step}) return n;\n    \
             *to = (int)((unsigned)*to {op} {step}u);\n    {prefix}count++;\n    \
             return (int)((unsigned)n - {step}u);\n}}\n"
        );
        self.functions += 1;
    }

    fn scalar(&mut self) -> String {
        self.scalars[self.random.below(self.scalars.len() as u64) as usize].clone()
    }

    /// A value of type `int` or wider, defined whatever the variables are.
    fn expression(&mut self, prefix: &str, depth: u32) -> String {
        if depth == 0 || self.random.below(4) == 0 {
            return match self.random.below(7) {
                0 | 1 => self.random.below(30).to_string(),
                2 => format!("{prefix}table[{}]", self.random.below(4)),
                3 => format!("{prefix}one.b[{} & 3]", self.scalar()),
                4 => format!("(int){prefix}two.c"),
                5 => format!("*{prefix}p"),
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

    fn statement(&mut self, prefix: &str, depth: u32, nesting: usize) {
        let indent = "    ".repeat(nesting + 1);
        let value = self.expression(prefix, 2);
        let line = match self.random.below(14) {
            0..=2 => format!("{} = {value};", self.scalar()),
            3 => format!("{prefix}table[({value}) & 3] = {};", self.scalar()),
            4 => format!("*{prefix}p = (int)({value});"),
            5 => format!("{prefix}p = &{prefix}local[({value}) & 3];"),
            6 => format!("{prefix}one.b[({value}) & 3] = (unsigned char)({value});"),
            7 => format!("{prefix}two = {prefix}one; {prefix}one.c = (short)({value});"),
            8 if self.functions > 0 => {
                let function = self.random.below(self.functions as u64);
                let to = format!("&{prefix}local[{}]", self.random.below(4));
                format!("{} = {prefix}f{function}((int)({value}), {to});", self.scalar())
            }
            9 => format!("memcpy({prefix}table, {prefix}local, sizeof {prefix}table);"),
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
            _ => format!("{} += {};", self.scalar(), self.random.below(9)),
        };
        let _ = writeln!(self.out, "{indent}{line}");
    }
}

/// A program that runs another one, whose `main` is called `parallax_main`, on
/// all inputs; it exits with 1 if one of the runs comes to the error.
pub fn driver(inputs: u32) -> String {
    format!(
        "#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
         int parallax_main(void);\nstatic unsigned given, next;\n\
         unsigned char __VERIFIER_nondet_uchar(void)\n{{\n    \
         return (unsigned char)(given >> (3 * next++) & 7);\n}}\n\
         void reach_error(void)\n{{\n    _exit(42);\n}}\n\
         int main(void)\n{{\n    int reached = 0;\n    \
         for (given = 0; given < {}u; given++) {{\n        int status;\n        \
         pid_t child = fork();\n        \
         if (child == 0) {{ alarm(5); parallax_main(); _exit(0); }}\n        \
         if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 3;\n        \
         if (WEXITSTATUS(status) == 42) reached = 1;\n        \
         else if (WEXITSTATUS(status) != 0) return 3;\n    }}\n    return reached;\n}}\n",
        1u32 << (3 * inputs)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_repeat_and_variants_differ_in_names_only() {
        for seed in 0..50 {
            let plain = program(seed, "", false);
            assert_eq!(plain.text, program(seed, "", false).text);
            let renamed = program(seed, "zz_", false);
            assert_eq!(plain.text, renamed.text.replace("zz_", ""), "{seed}");
            assert!(program(seed, "", true).text.len() > plain.text.len());
        }
    }
}
