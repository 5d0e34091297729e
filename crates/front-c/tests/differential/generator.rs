//! A generator of C programs that have one meaning: no undefined and no
//! unspecified behavior, given that signed arithmetic wraps.
//!
//! Effects stand only where their order is fixed; divisors, shift amounts,
//! indices and conversions from floats are guarded; every loop and call takes
//! from a common supply (`fuel`), so all programs end. A program is a set of
//! functions with a prefix of its own, so that many fit into one file.

use parallax_base::Chance;
use std::fmt::Write;

/// What a generator asks of chance.
pub(crate) struct Random(Chance);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(Chance::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.any()
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The arithmetic types by what the generator needs: spelling, a short name,
/// width in an expression for shifts (0: as `long`).
pub(crate) const INTS: [(&str, &str); 11] = [
    ("signed char", "sc"),
    ("unsigned char", "uc"),
    ("char", "c"),
    ("short", "s"),
    ("unsigned short", "us"),
    ("int", "i"),
    ("unsigned", "u"),
    ("long", "l"),
    ("unsigned long", "ul"),
    ("long long", "ll"),
    ("unsigned long long", "ull"),
];

/// What every file begins with.
pub(crate) const PRELUDE: &str = r#"
int printf(const char *, ...);
typedef __typeof__(sizeof 0) size_t;
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *);
int strcmp(const char *, const char *);
char *strcpy(char *, const char *);
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
static unsigned long long crc;
static int fuel;
static void mix(unsigned long long v) {
    crc = (crc ^ v) * 0x100000001b3ull;
    crc ^= crc >> 29;
}
static void mixd(double x) {
    unsigned long long bits;
    if (x != x) { mix(7); return; }
    memcpy(&bits, &x, sizeof bits);
    mix(bits);
}
static int toint(double x) { return x > -1e9 && x < 1e9 ? (int)x : 0; }
static int sign(int x) { return (x > 0) - (x < 0); }
static int total(int n, ...) {
    __builtin_va_list ap;
    int sum = 0;
    __builtin_va_start(ap, n);
    while (n-- > 0) sum = sum * 31 + __builtin_va_arg(ap, int);
    __builtin_va_end(ap);
    return sum;
}
"#;

/// Guarded division of every type, one pair of functions each.
pub(crate) fn guards() -> String {
    let mut text = String::new();
    for (ty, name) in INTS {
        for (op, word) in [("/", "div"), ("%", "rem")] {
            let _ = writeln!(
                text,
                "static {ty} {word}_{name}({ty} a, {ty} b) \
                 {{ return b == 0 || b == ({ty})-1 ? a : ({ty})(a {op} b); }}"
            );
        }
    }
    text
}

/// A variable the generator may use: an expression for it, its type's number.
#[derive(Clone)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) ty: usize,
    pub(crate) writable: bool,
}

/// A function that may be called.
#[derive(Clone)]
pub(crate) struct Callable {
    pub(crate) name: String,
    pub(crate) parameters: Vec<usize>,
}

/// The program under construction.
pub(crate) struct Generator {
    pub(crate) random: Random,
    pub(crate) prefix: String,
    pub(crate) out: String,
    pub(crate) indent: usize,
    /// Integer lvalues in scope.
    pub(crate) names: Vec<Name>,
    /// Doubles in scope.
    pub(crate) doubles: Vec<String>,
    pub(crate) functions: Vec<Callable>,
    pub(crate) fresh: usize,
    pub(crate) depth: usize,
    pub(crate) loops: usize,
    /// Statements that may still be written in this function.
    pub(crate) budget: usize,
    /// Number of record types.
    pub(crate) records: usize,
    /// Record lvalues in scope: expression and type number.
    pub(crate) values: Vec<(String, usize)>,
    /// Members of each record type that are integers: path and type, or `None`
    /// for a bit-field.
    pub(crate) members: Vec<Vec<String>>,
    pub(crate) has_wide: bool,
}

impl Generator {
    /// A generator; equal seeds give equal programs.
    pub(crate) fn new(seed: u64, prefix: &str, has_wide: bool) -> Generator {
        Generator {
            random: Random::new(seed),
            prefix: prefix.to_string(),
            out: String::new(),
            indent: 0,
            names: Vec::new(),
            doubles: Vec::new(),
            functions: Vec::new(),
            fresh: 0,
            depth: 0,
            loops: 0,
            budget: 0,
            records: 0,
            values: Vec::new(),
            members: Vec::new(),
            has_wide,
        }
    }

    pub(crate) fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    pub(crate) fn new_name(&mut self, letter: &str) -> String {
        self.fresh += 1;
        format!("{}{letter}{}", self.prefix, self.fresh)
    }

    pub(crate) fn some_type(&mut self) -> usize {
        self.random.below(INTS.len())
    }

    /// The whole program; its entry is `PREFIXmain`.
    pub(crate) fn program(mut self) -> String {
        for _ in 0..1 + self.random.below(2) {
            self.record_type();
        }
        for _ in 0..3 + self.random.below(5) {
            self.global();
        }
        for record in 0..self.records {
            self.global_record(record);
        }
        let scalars = self.names.clone();
        let records = self.values.clone();
        for number in 0..2 + self.random.below(3) {
            self.names.clone_from(&scalars);
            self.values.clone_from(&records);
            self.function(number);
        }
        self.names = scalars;
        self.values = records;
        self.entry();
        self.out
    }

    fn record_type(&mut self) {
        let number = self.records;
        let keyword = if self.random.chance(20) { "union" } else { "struct" };
        let prefix = self.prefix.clone();
        let mut members = Vec::new();
        let mut body = String::new();
        for m in 0..1 + self.random.below(6) {
            match self.random.below(10) {
                0..=3 => {
                    let ty = self.some_type();
                    let _ = write!(body, " {} m{m};", INTS[ty].0);
                    members.push(format!("m{m}"));
                }
                4..=7 => {
                    let (ty, most) = *self.random.pick(&[
                        ("int", 31),
                        ("unsigned", 32),
                        // Wider ones have a type of their own in GCC.
                        ("long long", 32),
                        ("unsigned long long", 32),
                        ("signed char", 8),
                        ("unsigned short", 13),
                        ("_Bool", 1),
                    ]);
                    let width = 1 + self.random.below(most);
                    let _ = write!(body, " {ty} m{m} : {width};");
                    members.push(format!("m{m}"));
                    if self.random.chance(15) {
                        body.push_str(" int : 0;");
                    }
                }
                8 => {
                    let ty = self.some_type();
                    let _ = write!(body, " {} m{m}[3];", INTS[ty].0);
                    members.extend((0..3).map(|i| format!("m{m}[{i}]")));
                }
                _ => {
                    let ty = self.some_type();
                    let _ = write!(body, " struct {{ {} a; char b; }} m{m};", INTS[ty].0);
                    members.extend([format!("m{m}.a"), format!("m{m}.b")]);
                }
            }
        }
        if keyword == "union" {
            // Reading another member than the last one written must not see
            // bytes that were never written.
            body.push_str(" unsigned char all[64];");
        }
        self.line(&format!("typedef {keyword} {{{body} }} {prefix}R{number};"));
        self.members.push(members);
        self.records += 1;
    }

    fn global(&mut self) {
        let ty = self.some_type();
        let spelled = INTS[ty].0;
        let name = self.new_name("g");
        let qualifier = *self.random.pick(&["", "", "static ", "volatile "]);
        match self.random.below(4) {
            0 => {
                let size = 2 + self.random.below(6);
                let values: Vec<String> =
                    (0..self.random.below(size + 1)).map(|_| self.constant()).collect();
                let values = if values.is_empty() { "0".into() } else { values.join(", ") };
                self.line(&format!("{qualifier}{spelled} {name}[{size}] = {{ {values} }};"));
                for _ in 0..2 {
                    let index = self.random.below(size);
                    self.names.push(Name { text: format!("{name}[{index}]"), ty, writable: true });
                }
            }
            1 => {
                let other = self.new_name("g");
                self.line(&format!("{qualifier}{spelled} {other};"));
                self.line(&format!("{qualifier}{spelled} *{name} = &{other};"));
                self.names.push(Name { text: format!("(*{name})"), ty, writable: true });
            }
            _ => {
                let value = self.constant();
                self.line(&format!("{qualifier}{spelled} {name} = {value};"));
                self.names.push(Name { text: name, ty, writable: true });
            }
        }
    }

    fn global_record(&mut self, record: usize) {
        let name = self.new_name("r");
        let first = self.members[record][0].clone();
        let value = self.constant();
        let prefix = self.prefix.clone();
        self.line(&format!("{prefix}R{record} {name} = {{ .{first} = {value} }};"));
        self.values.push((name, record));
    }

    fn entry(&mut self) {
        let prefix = self.prefix.clone();
        self.line(&format!("static void {prefix}main(void) {{"));
        self.indent += 1;
        self.line("crc = 14695981039346656037ull; fuel = 3000;");
        for function in self.functions.clone() {
            let arguments: Vec<String> =
                function.parameters.iter().map(|_| self.constant()).collect();
            self.line(&format!("mix({}({}));", function.name, arguments.join(", ")));
        }
        for name in self.names.clone() {
            self.line(&format!("mix({});", name.text));
        }
        for (value, record) in self.values.clone() {
            for member in self.members[record].clone() {
                self.line(&format!("mix({value}.{member});"));
            }
        }
        self.line(&format!("printf(\"{prefix} %llx %d\\n\", crc, fuel);"));
        self.indent -= 1;
        self.line("}");
    }
}
