//! The models of the C library against the library of this machine: programs
//! with calls on random arguments, compiled and interpreted.
//!
//! Only what the models say exactly, or what the interpreter asks this
//! machine's library for, is printed.

use crate::generator::Random;
use std::fmt::Write;

/// Declarations, and functions that print results.
pub(crate) const PRELUDE: &str = r#"
typedef __typeof__(sizeof 0) size_t;
int printf(const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int sprintf(char *, const char *, ...);
int sscanf(const char *, const char *, ...);
int *__errno_location(void);
long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int);
long long strtoll(const char *, char **, int);
int atoi(const char *); double atof(const char *);
double strtod(const char *, char **); float strtof(const char *, char **);
void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t); size_t strlen(const char *);
char *strncpy(char *, const char *, size_t); char *strncat(char *, const char *, size_t);
char *strstr(const char *, const char *); size_t strspn(const char *, const char *);
size_t strcspn(const char *, const char *); char *strpbrk(const char *, const char *);
char *strtok(char *, const char *); int strcasecmp(const char *, const char *);
int strncmp(const char *, const char *, size_t); char *strrchr(const char *, int);
double fmod(double, double); double remainder(double, double); double pow(double, double);
double ldexp(double, int); double frexp(double, int *); double modf(double, double *);
int ilogb(double); double logb(double); double sqrt(double); double sin(double);
double cos(double); double tan(double); double exp(double); double log(double);
double log2(double); double log10(double); double exp2(double); double atan2(double, double);
double hypot(double, double); double cbrt(double); double fmin(double, double);
double fma(double, double, double); double tanh(double); double asin(double);
double nearbyint(double); double round(double); double copysign(double, double);
float fmodf(float, float); float powf(float, float); float expf(float); float sinf(float);

static void show(const char *s) {
  for (; *s; s++)
    if (*s >= ' ' && *s <= '~') printf("%c", *s); else printf("\\%d", *s);
}
static void bits(double x) {
  unsigned long long b;
  if (x != x) { printf("nan\n"); return; }
  memcpy(&b, &x, 8);
  printf("%llx\n", b);
}
static int sign(int x) { return x < 0 ? -1 : x > 0; }
"#;

/// Numbers at which functions have something special to do.
const DOUBLES: &[&str] = &[
    "0.0",
    "-0.0",
    "1.0",
    "-1.0",
    "0.5",
    "2.0",
    "-2.0",
    "3.0",
    "10.0",
    "-7.5",
    "0.1",
    "1e10",
    "1e300",
    "-1e-300",
    "4e-320",
    "0x1p-1074",
    "0x1p53",
    "123456.789",
    "1.0 / 0.0",
    "-1.0 / 0.0",
    "0.0 / 0.0",
    "1e-5",
    "64.0",
    "1000.0",
    "0.75",
    "1.5",
    "-3.25",
    "9007199254740993.0",
];

fn double(random: &mut Random) -> String {
    if random.chance(70) {
        return (*random.pick(DOUBLES)).to_string();
    }
    let (whole, part) = (random.below(2000) as i64 - 1000, random.below(1000));
    format!("({whole}.{part:03})")
}

/// A string literal of characters from an alphabet.
fn text(random: &mut Random, alphabet: &str, most: usize) -> String {
    let all: Vec<char> = alphabet.chars().collect();
    let mut out = String::from("\"");
    for _ in 0..random.below(most + 1) {
        let c = *random.pick(&all);
        let _ = write!(out, "\\{:03o}", u32::from(c));
    }
    out.push('"');
    out
}

/// A format for one argument, and the argument.
fn printed(random: &mut Random) -> (String, String) {
    let letter = *random.pick(&['d', 'd', 'd', 'i', 'u', 'x', 'X', 'o', 'c', 's', 's']);
    let flags = match letter {
        'd' | 'i' => "-+ 0",
        'x' | 'X' | 'o' => "-#0",
        'u' => "-0",
        _ => "-",
    };
    let mut format = String::from("%");
    format.extend(flags.chars().filter(|_| random.chance(20)));
    if random.chance(40) {
        let _ = write!(format, "{}", random.below(12) + 1);
    }
    if letter != 'c' && random.chance(30) {
        let _ = write!(format, ".{}", random.below(9));
    }
    let argument = match letter {
        'c' => format!("{}", 33 + random.below(90)),
        's' => text(random, "abc xyz", 9),
        _ => {
            let number = random.next() as i32 >> random.below(31);
            let (length, ty) = *random.pick(&[
                ("", "int"),
                ("hh", "char"),
                ("h", "short"),
                ("l", "long"),
                ("ll", "long long"),
            ]);
            format.push_str(length);
            let sign = if matches!(letter, 'd' | 'i') { "signed" } else { "unsigned" };
            format!("({sign} {ty}){number}")
        }
    };
    format.push(letter);
    (format, argument)
}

/// Statements with a call of the library, by number.
fn call(random: &mut Random) -> String {
    const NUMBERS: &str = "  +-0123456789xXaf8z";
    const FLOATS: &str = "  +-0123456789..eE5infatyn";
    const WORDS: &str = "abcab ,;";
    let (x, y) = (double(random), double(random));
    match random.below(22) {
        0 | 1 => {
            let (s, base) = (text(random, NUMBERS, 14), random.pick(&[0, 8, 10, 16, 36]));
            let f = random.pick(&["strtol", "strtoul", "strtoll"]);
            format!(
                "const char *s = {s}; char *e; *__errno_location() = 0; long long v = {f}(s, &e, {base}); \
                 printf(\"%lld %d %d\\n\", v, (int)(e - s), *__errno_location() == 34);"
            )
        }
        2 => format!("printf(\"%d\\n\", atoi({}));", text(random, NUMBERS, 8)),
        3 | 4 => {
            let s = text(random, FLOATS, 12);
            let f = random.pick(&["strtod", "strtof"]);
            format!(
                "const char *s = {s}; char *e; double v = {f}(s, &e); printf(\"%d \", (int)(e - s)); bits(v);"
            )
        }
        5 => format!("bits(atof({}));", text(random, "0123456789.e-", 9)),
        6 | 7 => {
            let f = random.pick(&["fmod", "remainder", "fmin", "copysign"]);
            format!("bits({f}({x}, {y}));")
        }
        8 => format!("bits(pow({x}, {y}));"),
        9 => {
            let n = random.below(12) as i64 - 4;
            format!("bits(pow({}.{}, {n}));", random.below(30), *random.pick(&[0, 5, 25]))
        }
        10 | 11 => {
            let f = *random.pick(&[
                "sin",
                "cos",
                "tan",
                "exp",
                "log",
                "log2",
                "log10",
                "exp2",
                "tanh",
                "asin",
                "sqrt",
                "nearbyint",
                "round",
                "logb",
            ]);
            format!("bits({f}({x}));")
        }
        12 => format!("bits({}({x}, {y}));", random.pick(&["atan2", "hypot"])),
        13 => format!("bits(fma({x}, {y}, {}));", double(random)),
        14 => {
            let n = random.below(2300) as i64 - 1150;
            format!("bits(ldexp({x}, {n})); printf(\"%d\\n\", ilogb({y}));")
        }
        15 => format!(
            "int n = 0; double w; double v = {x}; if (v - v == 0) {{ bits(frexp(v, &n)); printf(\"%d\\n\", n); }} bits(modf(v, &w)); bits(w);"
        ),
        16 => {
            let f = random.pick(&["fmodf", "powf"]);
            format!("bits({f}((float)({x}), (float)({y}))); bits(sinf((float)({x})));")
        }
        17 | 18 => {
            let (first, a) = printed(random);
            let (second, b) = printed(random);
            let size = random.below(40);
            format!(
                "char b[40]; b[0] = 0; int c = -1; int n = snprintf(b, {size}, \"{first}|{second}%n!%%\", {a}, {b}, &c); printf(\"%d %d \", n, c); show(b); printf(\"\\n\");"
            )
        }
        19 => scanned(random),
        20 => {
            let (s, t) = (text(random, WORDS, 8), text(random, WORDS, 3));
            let n = random.below(9);
            format!(
                "const char *s = {s}, *t = {t}; const char *f = strstr(s, t), *p = strpbrk(s, t), *r = strrchr(s, 'a'); \
                 printf(\"%d %d %d %d %d %d %d\\n\", f ? (int)(f - s) : -1, p ? (int)(p - s) : -1, r ? (int)(r - s) : -1, \
                 (int)strspn(s, t), (int)strcspn(s, t), sign(strcasecmp(s, t)), sign(strncmp(s, t, {n})));"
            )
        }
        _ => {
            let (s, t) = (text(random, WORDS, 8), text(random, ",; ", 2));
            let n = random.below(9);
            format!(
                "char b[40]; memset(b, '#', 39); b[39] = 0; strncpy(b, {s}, {n}); show(b); b[9] = 0; \
                 strncat(b, {s}, {n}); show(b); for (char *w = strtok(b, {t}); w; w = strtok(0, {t})) {{ printf(\"/\"); show(w); }} \
                 printf(\" %d\\n\", sign(memcmp(b, {s}, {n} % (strlen({s}) + 1))));"
            )
        }
    }
}

fn scanned(random: &mut Random) -> String {
    let source = text(random, "12 3,+-ab0 7", 10);
    let mut format = String::new();
    for _ in 0..random.below(3) + 1 {
        let width = *random.pick(&["", "", "1", "2", "5"]);
        let (piece, suffix) =
            *random.pick(&[("d", ""), ("d", " "), ("d", ","), ("i", " "), ("u", "")]);
        let _ = write!(format, "%{width}{piece}{suffix}");
    }
    let last = *random.pick(&["%3s", "%c", "%4[0-9a]", "%2[^ ,]", "%*d%1s", "%*c%3s"]);
    format!(
        "int v[3] = {{-7, -8, -9}}, c = -1; char w[8] = \"?\"; int n = sscanf({source}, \"%n{format}{last}%n\", {}, &c); \
         printf(\"%d %d %d %d %d \", n, v[0], v[1], v[2], c); w[7] = 0; show(w); printf(\"\\n\");",
        arguments(&format)
    )
}

/// The pointers for a format that begins with `%n` and ends with a word.
fn arguments(format: &str) -> String {
    let count = format.matches('%').count();
    let numbers: Vec<String> = (0..count).map(|i| format!("&v[{i}]")).collect();
    format!("&c, {}, w", numbers.join(", "))
}

/// A program with calls on random arguments.
pub(crate) fn program(seed: u64, calls: usize) -> String {
    let mut random = Random::new(seed);
    let mut out = String::from(PRELUDE);
    for index in 0..calls {
        let _ = writeln!(out, "static void call{index}(void) {{ {} }}", call(&mut random));
    }
    out.push_str("int main(void) {\n");
    for index in 0..calls {
        let _ = writeln!(out, "  printf(\"{index}: \"); call{index}();");
    }
    out.push_str("  return 0;\n}\n");
    out
}
