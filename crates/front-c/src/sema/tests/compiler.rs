//! Types and values of constant expressions against the system's C compiler.
//!
//! Every operator is applied to every pair of arithmetic types at boundary
//! values; the compiler tells types by `_Generic` and values by their bytes.

use super::evaluate;
use parallax_cfa::DataModel;
use std::fmt::Write;
use std::process::Command;

const TYPES: [(&str, &[&str]); 15] = [
    ("_Bool", &["0", "1"]),
    ("char", &["-128", "127", "1"]),
    ("signed char", &["-128", "127", "3"]),
    ("unsigned char", &["0", "255", "7"]),
    ("short", &["-32768", "32767", "5"]),
    ("unsigned short", &["0", "65535", "9"]),
    ("int", &["(-2147483647 - 1)", "2147483647", "-3", "12"]),
    ("unsigned int", &["0", "4294967295u", "11"]),
    ("long", &["-2147483647", "2147483647", "-4", "6"]),
    ("unsigned long", &["0", "4294967295u", "13"]),
    ("long long", &["(-9223372036854775807ll - 1)", "9223372036854775807ll", "-5", "21"]),
    ("unsigned long long", &["0", "18446744073709551615ull", "8"]),
    ("float", &["0.5f", "-16777216.0f", "0.1f"]),
    ("double", &["0.1", "-3.75", "1e300"]),
    ("long double", &["0.1l", "-7.25l", "1e1000l"]),
];

const OPERATORS: [&str; 18] = [
    "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "&&",
    "||",
];

/// All expressions of the table that have a defined value.
fn expressions() -> Vec<String> {
    let mut all = Vec::new();
    let mut turn = 0usize;
    let is_float = |ty: &str| matches!(ty, "float" | "double" | "long double");
    for (a, left) in TYPES {
        for value in left {
            all.push(format!("(({a}){value})"));
            all.push(format!("-({a}){value}"));
            all.push(format!("!({a}){value}"));
            if !is_float(a) {
                all.push(format!("~({a}){value}"));
            }
        }
        for (b, right) in TYPES {
            turn += 1;
            let small = |value: &str| value.len() < 6 && !value.contains('e');
            for value in left.iter().filter(|v| !is_float(a) || is_float(b) || small(v)) {
                // A negative float to an unsigned type has no defined value.
                if !(is_float(a) && value.starts_with('-') && b.starts_with("unsigned")) {
                    all.push(format!("({b})({a}){value}"));
                }
            }
            for (number, op) in OPERATORS.iter().enumerate() {
                let x = left[(turn + number) % left.len()];
                let y = right[(turn / 3 + number) % right.len()];
                let floats = is_float(a) || is_float(b);
                let divides = matches!(*op, "/" | "%") && matches!(y, "0" | "-1");
                match *op {
                    "%" | "&" | "|" | "^" | "<<" | ">>" if floats => continue,
                    _ if divides => continue,
                    "<<" | ">>" => all.push(format!("({a}){x} {op} ({b})1")),
                    _ => all.push(format!("({a}){x} {op} ({b}){y}")),
                }
            }
            all.push(format!("1 ? ({a}){} : ({b})1", left[0]));
        }
    }
    all
}

const PROLOGUE: &str = r#"
#include <stdio.h>
#include <string.h>
#define NAME(x) _Generic((x), _Bool: "_Bool", char: "char", signed char: "signed char", \
    unsigned char: "unsigned char", short: "short", unsigned short: "unsigned short", int: "int", \
    unsigned int: "unsigned int", long: "long", unsigned long: "unsigned long", \
    long long: "long long", unsigned long long: "unsigned long long", float: "float", \
    double: "double", long double: "long double")
#define INTEGER(x) printf("%s: %lld\n", NAME(x), (long long)(x))
#define UNSIGNED(x) printf("%s: %llu\n", NAME(x), (unsigned long long)(x))
static void show(const char *name, const void *value, int size) {
    unsigned char bytes[16] = { 0 };
    int at = 15, started = 0;
    memcpy(bytes, value, size);
    printf("%s: 0x", name);
    for (; at >= 0; at--)
        if (started) printf("%02x", bytes[at]);
        else if (bytes[at]) { printf("%x", bytes[at]); started = 1; }
    printf(started ? "\n" : "0\n");
}
#define FLOAT(x, n) do { __typeof__(x) value = (x); show(NAME(x), &value, n); } while (0)
"#;

fn run(text: &str, flag: &str) -> Option<String> {
    let name = format!("parallax-sema-{}-{flag}-{}", std::process::id(), text.len());
    let dir = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&dir).ok()?;
    let (source, binary) = (dir.join("a.c"), dir.join("a"));
    std::fs::write(&source, text).ok()?;
    let mut compile = Command::new("cc");
    // The x87 unit must not add precision to float and double.
    compile.args([flag, "-w", "-fwrapv", "-msse2", "-mfpmath=sse", "-o"]);
    let compiled = compile.arg(&binary).arg(&source).status().ok()?.success();
    let output = compiled.then(|| Command::new(&binary).output().ok()).flatten();
    std::fs::remove_dir_all(&dir).ok()?;
    String::from_utf8(output?.stdout).ok()
}

fn check(model: DataModel, flag: &str) {
    if run("int main(void) { return 0; }", flag).is_none() {
        println!("note: cc {flag} does not work here, values not compared for {model:?}");
        return;
    }
    let expressions = expressions();
    let ours = evaluate("", &expressions, model);
    let mut text = format!("{PROLOGUE}int main(void) {{\n");
    for (expression, ours) in expressions.iter().zip(&ours) {
        let line = match ours.split(':').next().unwrap_or_default() {
            "float" => format!("FLOAT({expression}, 4);"),
            "double" => format!("FLOAT({expression}, 8);"),
            "long double" => format!("FLOAT({expression}, 10);"),
            name if name.starts_with("unsigned") => format!("UNSIGNED({expression});"),
            _ => format!("INTEGER({expression});"),
        };
        writeln!(text, "{line}").expect("a string takes it");
    }
    text.push_str("return 0; }\n");
    let theirs = run(&text, flag).expect("the program compiles");
    assert_eq!(theirs.lines().count(), ours.len());
    for ((expression, ours), theirs) in expressions.iter().zip(&ours).zip(theirs.lines()) {
        assert_eq!(ours, theirs, "ours against the compiler's for {expression}");
    }
}

#[test]
fn constants_are_as_the_compiler_has_them_on_x86_64() {
    check(DataModel::Lp64, "-m64");
}

#[test]
fn constants_are_as_the_compiler_has_them_on_i386() {
    check(DataModel::Ilp32, "-m32");
}
