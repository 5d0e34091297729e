//! A program that computes every operator and conversion of every arithmetic
//! type on values at the limits of the types, one line of checksum for each.

use parallax_cfa::DataModel;
use std::fmt::Write;

/// An arithmetic type: spelling, short name, width, signedness.
struct Int {
    spelled: &'static str,
    name: &'static str,
    bits: u32,
    signed: bool,
}

fn integers(model: DataModel) -> Vec<Int> {
    let long = if model == DataModel::Ilp32 { 32 } else { 64 };
    let mut types = vec![
        ("_Bool", "b", 1, false),
        ("char", "c", 8, true),
        ("signed char", "sc", 8, true),
        ("unsigned char", "uc", 8, false),
        ("short", "s", 16, true),
        ("unsigned short", "us", 16, false),
        ("int", "i", 32, true),
        ("unsigned", "u", 32, false),
        ("long", "l", long, true),
        ("unsigned long", "ul", long, false),
        ("long long", "ll", 64, true),
        ("unsigned long long", "ull", 64, false),
    ];
    if model == DataModel::Lp64 {
        types.extend([("__int128", "w", 128, true), ("unsigned __int128", "uw", 128, false)]);
    }
    types
        .into_iter()
        .map(|(spelled, name, bits, signed)| Int { spelled, name, bits, signed })
        .collect()
}

const FLOATS: [(&str, &str); 3] = [("float", "f"), ("double", "d"), ("long double", "ld")];

const PRELUDE: &str = r#"
int printf(const char *, ...);
void *memcpy(void *, const void *, __typeof__(sizeof 0));
static unsigned long long crc;
static void mix(unsigned long long v) { crc = (crc ^ v) * 0x100000001b3ull; crc ^= crc >> 29; }
static void mixf(long double x) {
    unsigned long long low = 0; unsigned short high = 0;
    if (x != x) { mix(7); return; }
    memcpy(&low, &x, 8); memcpy(&high, (char *)&x + 8, 2);
    mix(low); mix(high);
}
static void show(const char *what) { printf("%s %llx\n", what, crc); crc = 99; }
"#;

/// The values of an integer type that are worth trying.
fn values(ty: &Int) -> String {
    let mut list: Vec<i128> = vec![0, 1, 2, 3, 7, 10, 100];
    for power in [6, 7, 8, 14, 15, 16, 30, 31, 32, 47, 62, 63, 64, 100, 126] {
        list.extend([(1i128 << power) - 1, 1 << power, (1 << power) + 1]);
    }
    let negative: Vec<i128> = list.iter().map(|v| -v).collect();
    list.extend(negative);
    let most = if ty.bits == 1 { 1 } else { ty.bits - u32::from(ty.signed) };
    let fits = |v: &i128| {
        let magnitude = if *v < 0 { (-*v - 1) as u128 } else { *v as u128 };
        (ty.signed || *v >= 0) && (most >= 127 || magnitude >> most == 0)
    };
    list.retain(fits);
    list.sort_unstable();
    list.dedup();
    let spell = |v: i128| {
        let magnitude = v.unsigned_abs();
        let (high, low) = ((magnitude >> 64) as u64, magnitude as u64);
        let text = match high {
            0 => format!("{low}ull"),
            _ => format!("((unsigned __int128){high}ull << 64 | {low}ull)"),
        };
        if v < 0 { format!("({})-{text}", ty.spelled) } else { format!("({}){text}", ty.spelled) }
    };
    let mut spelled: Vec<String> = list.into_iter().map(spell).collect();
    if !ty.signed {
        spelled.push(format!("({})-1", ty.spelled));
        spelled.push(format!("({})-2", ty.spelled));
    } else if ty.bits == 128 {
        spelled.push("(__int128)((unsigned __int128)1 << 127)".into());
        spelled.push("(__int128)(((unsigned __int128)1 << 127) - 1)".into());
    }
    spelled.join(", ")
}

struct Tables {
    text: String,
    calls: String,
    count: usize,
}

impl Tables {
    /// A function that runs `body` and shows the checksum under a name.
    fn table(&mut self, title: &str, body: &str) {
        let number = self.count;
        self.count += 1;
        let _ = writeln!(self.text, "static void t{number}(void) {{ {body} show(\"{title}\"); }}");
        let _ = writeln!(self.calls, "  t{number}();");
    }
}

/// Calls `mix` for all bits of an integer expression.
fn mix(expr: &str, model: DataModel) -> String {
    match model {
        DataModel::Lp64 => format!("{{ __int128 r = {expr}; mix(r); mix(r >> 64); }}"),
        DataModel::Ilp32 => format!("{{ long long r = {expr}; mix(r); }}"),
    }
}

fn each(name: &str, variable: &str, ty: &str, body: &str) -> String {
    let index = format!("i_{variable}");
    format!(
        "for (unsigned {index} = 0; {index} < sizeof v_{name} / sizeof *v_{name}; {index}++) \
         {{ {ty} {variable} = v_{name}[{index}]; {body} }}"
    )
}

/// The program.
pub(crate) fn program(model: DataModel) -> String {
    let integers = integers(model);
    let mut tables = Tables { text: PRELUDE.to_string(), calls: String::new(), count: 0 };
    for ty in &integers {
        let list = values(ty);
        let _ =
            writeln!(tables.text, "static const {} v_{}[] = {{ {list} }};", ty.spelled, ty.name);
    }
    let floats = "0.0, -0.0, 1.0, -1.0, 0.5, -0.75, 0.1, 3.7, -3.2, 127.0, 128.0, 255.9, -128.4, \
        32767.5, 65536.0, 2147483647.0, 2147483648.0, -2147483648.0, 4294967295.0, 4294967296.0, \
        9007199254740993.0L, 9223372036854775807.0L, 18446744073709551615.0L, 1e19, -1e18, 1e30, \
        1e-30, 3e38, 1e-45, 2.5e-310, 1.7e308, 1e300 * 1e300, -1e300 * 1e300, 16777217.0";
    for (ty, name) in FLOATS {
        let _ = writeln!(tables.text, "static {ty} v_{name}[] = {{ {floats} }};");
    }
    conversions(&mut tables, &integers, model);
    operators(&mut tables, &integers, model);
    mixed(&mut tables, &integers, model);
    floating(&mut tables);
    bit_fields(&mut tables);
    format!("{}int main(void) {{\n  crc = 99;\n{}  return 0;\n}}\n", tables.text, tables.calls)
}

fn conversions(tables: &mut Tables, integers: &[Int], model: DataModel) {
    for from in integers {
        for to in integers {
            let body = mix(&format!("({})x", to.spelled), model);
            let body = each(from.name, "x", from.spelled, &body);
            tables.table(&format!("{} to {}", from.spelled, to.spelled), &body);
        }
        for (to, _) in FLOATS {
            let body = each(from.name, "x", from.spelled, &format!("mixf(({to})x);"));
            tables.table(&format!("{} to {to}", from.spelled), &body);
        }
    }
    for (from, name) in FLOATS {
        for to in integers {
            let power = to.bits - u32::from(to.signed);
            let high = format!("0x1p{power}L");
            let low = if to.signed { format!("-{high}") } else { "-1.0L".into() };
            let guard = match to.bits {
                1 => String::new(),
                _ => format!("if (x > {low} && x < {high})"),
            };
            let body = format!("{guard} {}", mix(&format!("({})x", to.spelled), model));
            tables.table(&format!("{from} to {}", to.spelled), &each(name, "x", from, &body));
        }
        for (to, _) in FLOATS {
            let body = each(name, "x", from, &format!("mixf(({to})x);"));
            tables.table(&format!("{from} to {to}"), &body);
        }
    }
}

fn operators(tables: &mut Tables, integers: &[Int], model: DataModel) {
    for ty in integers {
        for op in ["-", "~", "!", "+"] {
            let body = each(ty.name, "x", ty.spelled, &mix(&format!("{op}x"), model));
            tables.table(&format!("{op} {}", ty.spelled), &body);
        }
        for op in ["x++", "x--", "++x", "--x"] {
            let body = format!("{} {}", mix(op, model), mix("x", model));
            tables.table(&format!("{op} {}", ty.spelled), &each(ty.name, "x", ty.spelled, &body));
        }
        for op in ["+", "-", "*", "/", "%", "&", "|", "^", "<", "<=", ">", ">=", "==", "!="] {
            // At this level the least value divided by -1 traps on the machine.
            let guard = match (op, ty.signed) {
                ("/" | "%", true) => "if (y != 0 && y != -1)",
                ("/" | "%", false) => "if (y != 0)",
                _ => "",
            };
            let body = format!("{guard} {}", mix(&format!("x {op} y"), model));
            let body = each(ty.name, "y", ty.spelled, &body);
            let body = each(ty.name, "x", ty.spelled, &body);
            tables.table(&format!("{} {op}", ty.spelled), &body);
        }
        for op in ["<<", ">>"] {
            let body = mix(&format!("x {op} n"), model);
            let body = format!("for (int n = 0; n < {}; n++) {body}", ty.bits.max(32));
            let body = each(ty.name, "x", ty.spelled, &body);
            tables.table(&format!("{} {op}", ty.spelled), &body);
        }
    }
}

fn mixed(tables: &mut Tables, integers: &[Int], model: DataModel) {
    for left in integers {
        for right in integers {
            let sum = mix("x + y", model);
            let less = mix("x < y", model);
            let quotient = mix("x / y", model);
            let body = format!(
                "{sum} {less} if (y != 0 && y + 1 != 0) {quotient} \
                 {{ {0} z = x; z -= y; {1} z = x; z *= y; {1} z = x; z ^= y; {1} \
                 z = x; z >>= y & 15; {1} }}",
                left.spelled,
                mix("z", model)
            );
            let body = each(right.name, "y", right.spelled, &body);
            let body = each(left.name, "x", left.spelled, &body);
            tables.table(&format!("{} with {}", left.spelled, right.spelled), &body);
        }
    }
}

fn floating(tables: &mut Tables) {
    for (left, a) in FLOATS {
        for (right, b) in FLOATS {
            for op in ["+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!="] {
                let body = each(b, "y", right, &format!("mixf(x {op} y);"));
                tables.table(&format!("{left} {op} {right}"), &each(a, "x", left, &body));
            }
        }
        let body = format!(
            "mixf(-x); mix(!x); mix(x ? 1 : 2); mix(x && 1); {{ {left} z = x; z += 1; mixf(z); \
             z++; mixf(z); z *= 3; mixf(z); mixf(z--); }} int i = 5; i += x > -1e6 && x < 1e6 ? x : 0; mix(i);"
        );
        tables.table(&format!("{left} alone"), &each(a, "x", left, &body));
    }
}

fn bit_fields(tables: &mut Tables) {
    for (ty, most) in [
        ("int", 32),
        ("unsigned", 32),
        ("long long", 64),
        ("unsigned long long", 64),
        ("signed char", 8),
        ("unsigned short", 16),
    ] {
        for width in [1, 3, 7, 8, 9, 15, 16, 31, 32, 33, 47, 63, 64] {
            if width > most {
                continue;
            }
            // GCC computes with a type of just this width where it is more than
            // that of `int`; Clang and we use the declared type.
            let x = if width > 32 { format!("(({ty})s.x)") } else { "s.x".to_string() };
            let body = format!(
                "struct {{ {ty} p : 3; {ty} x : {width}; {ty} q : {}; }} s = {{ 1, 0, 1 }}; \
                 s.x = v; mix({x}); mix({x} - 1 < 0); mix({x} < -1); mix(-{x}); \
                 mix(s.x++); mix(s.x); s.x += v; mix(s.x); s.x *= 5; mix(s.x); \
                 s.x >>= 1; mix(s.x); mix(s.x = 13); mix(s.p); mix(s.q); mix(sizeof s); \
                 mix(~{x}); mix({x} << 1);",
                most.min(5)
            );
            let body = each("ll", "v", "long long", &body);
            tables.table(&format!("{ty} : {width}"), &body);
        }
    }
}
