//! Undefined functions that change nothing the program can see.
//!
//! A call of an undefined function may in general write whatever its arguments
//! and the global variables lead to. The functions of the C library named here
//! do not: output, clocks, and mathematics that is not modelled exactly. Their
//! result is arbitrary. The interpreter prints what the output functions print.

/// Output, streams and the system.
const SYSTEM: &[&str] = &[
    "__fprintf_chk",
    "__printf_chk",
    "__vfprintf_chk",
    "__vprintf_chk",
    "alarm",
    "clearerr",
    "clock",
    "close",
    "closelog",
    "difftime",
    "dprintf",
    "feof",
    "ferror",
    "fflush",
    "fileno",
    "fprintf",
    "fputc",
    "fputs",
    "fputs_unlocked",
    "fseek",
    "ftell",
    "fwrite",
    "getegid",
    "geteuid",
    "getgid",
    "getpid",
    "getppid",
    "getuid",
    "isatty",
    "openlog",
    "perror",
    "printf",
    "printk",
    "putc",
    "putc_unlocked",
    "putchar",
    "putchar_unlocked",
    "puts",
    "remove",
    "rename",
    "rewind",
    "sched_yield",
    "setbuf",
    "setlinebuf",
    "setvbuf",
    "sleep",
    "srand",
    "srandom",
    "syslog",
    "ungetc",
    "unlink",
    "usleep",
    "vdprintf",
    "vfprintf",
    "vprintf",
    "write",
];

/// Mathematics; each also with the suffixes `f` and `l`.
const MATH: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fma",
    "hypot",
    "ilogb",
    "ldexp",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "nan",
    "nextafter",
    "nexttoward",
    "pow",
    "scalbln",
    "scalbn",
    "sin",
    "sinh",
    "tan",
    "tanh",
    "tgamma",
];

/// Whether an undefined function of this name changes nothing and only has an
/// arbitrary result.
pub fn is_harmless(name: &str) -> bool {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let has = |list: &[&str], name: &str| list.binary_search(&name).is_ok();
    has(SYSTEM, name)
        || has(MATH, name)
        || name.strip_suffix(['f', 'l']).is_some_and(|base| has(MATH, base))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(SYSTEM.is_sorted() && MATH.is_sorted());
    }

    #[test]
    fn suffixes_and_prefixes() {
        for name in ["printf", "__builtin_puts", "sinf", "powl", "exp2"] {
            assert!(is_harmless(name), "{name}");
        }
        for name in ["sprintf", "memcpy", "sinx", "f", "unknown"] {
            assert!(!is_harmless(name), "{name}");
        }
    }
}
