//! The declarations of library functions.
//!
//! A name alone does not make a library function: `void log(const char *)` is
//! somebody else's. A function that the program declares and does not define is
//! taken for the library's if its type is of the same kind: as many parameters,
//! each an integer, a pointer or a float of the same format as there.
//!
//! Functions that are declared here and have neither a model nor an operation
//! change nothing that the program can see but `errno`: output, streams, clocks.
//! What they are given is checked (`checked.rs`), and their result is arbitrary.
//!
//! | letter | type | before the call |
//! |---|---|---|
//! | `v` | none, as a result | |
//! | `i` | an integer | |
//! | `z`, `n` | an integer, as a result: 0 or -1; -1 or more | |
//! | `f`, `d`, `D` | `float`, `double`, `long double` | |
//! | `p` | a pointer | |
//! | `S`, `s` | a pointer; `s` may be null | there is a string |
//! | `F`, `G` | a pointer; `G` may be null | there is an open stream |
//! | `P` | a pointer | there is a format of `printf`, and the arguments suit it |
//! | `V` | a `va_list` | |
//! | `.` | any further arguments | |

use parallax_cfa::{FloatKind, FunctionType, Type, Types};

/// Functions without a model: no effect, arbitrary result.
const HARMLESS: &[(&str, &str)] = &[
    ("__fprintf_chk", "i:FiP."),
    ("__printf_chk", "i:iP."),
    ("__vfprintf_chk", "i:FiSV"),
    ("__vprintf_chk", "i:iSV"),
    ("access", "z:Si"),
    ("alarm", "i:i"),
    ("bsd_signal", "p:ip"),
    ("chdir", "z:S"),
    ("clearerr", "v:F"),
    ("clock", "n:"),
    ("close", "z:i"),
    ("closelog", "v:"),
    ("difftime", "d:ii"),
    ("dprintf", "i:iP."),
    ("dup", "n:i"),
    ("dup2", "n:ii"),
    ("feof", "i:F"),
    ("ferror", "i:F"),
    ("fflush", "z:G"),
    ("fileno", "n:F"),
    ("fprintf", "i:FP."),
    ("fputc", "i:iF"),
    ("fputs", "n:SF"),
    ("fputs_unlocked", "n:SF"),
    ("fseek", "z:Fii"),
    ("fsync", "z:i"),
    ("ftell", "n:F"),
    ("getegid", "i:"),
    ("geteuid", "i:"),
    ("getgid", "i:"),
    ("getppid", "i:"),
    ("getuid", "i:"),
    ("isatty", "i:i"),
    ("lseek", "n:iii"),
    ("mkdir", "z:Si"),
    ("openlog", "v:sii"),
    ("perror", "v:s"),
    ("printf", "i:P."),
    ("printk", "i:P."),
    ("putc", "i:iF"),
    ("putc_unlocked", "i:iF"),
    ("putchar", "i:i"),
    ("putchar_unlocked", "i:i"),
    ("puts", "n:S"),
    ("remove", "z:S"),
    ("rename", "z:SS"),
    ("rewind", "v:F"),
    ("rmdir", "z:S"),
    ("sched_yield", "z:"),
    ("setlinebuf", "v:F"),
    ("signal", "p:ip"),
    ("sleep", "i:i"),
    ("srand", "v:i"),
    ("srandom", "v:i"),
    ("syslog", "v:iP."),
    ("system", "i:s"),
    ("sysv_signal", "p:ip"),
    ("umask", "i:i"),
    ("ungetc", "i:iF"),
    ("unlink", "z:S"),
    ("usleep", "z:i"),
    ("vdprintf", "i:iSV"),
    ("vfprintf", "i:FSV"),
    ("vprintf", "i:SV"),
    ("vsyslog", "v:iSV"),
];

/// Mathematics on `double`; each also with the suffixes `f` and `l` for the
/// other formats.
const MATH: &[(&str, &str)] = &[
    ("acos", "d:d"),
    ("acosh", "d:d"),
    ("asin", "d:d"),
    ("asinh", "d:d"),
    ("atan", "d:d"),
    ("atan2", "d:dd"),
    ("atanh", "d:d"),
    ("cbrt", "d:d"),
    ("cos", "d:d"),
    ("cosh", "d:d"),
    ("erf", "d:d"),
    ("erfc", "d:d"),
    ("exp", "d:d"),
    ("exp10", "d:d"),
    ("exp2", "d:d"),
    ("expm1", "d:d"),
    ("fma", "d:ddd"),
    ("hypot", "d:dd"),
    ("ilogb", "i:d"),
    ("ldexp", "d:di"),
    ("lgamma", "d:d"),
    ("log", "d:d"),
    ("log10", "d:d"),
    ("log1p", "d:d"),
    ("log2", "d:d"),
    ("logb", "d:d"),
    ("nan", "d:S"),
    ("nextafter", "d:dd"),
    ("nexttoward", "d:dD"),
    ("pow", "d:dd"),
    ("scalbln", "d:di"),
    ("scalbn", "d:di"),
    ("sin", "d:d"),
    ("sinh", "d:d"),
    ("tan", "d:d"),
    ("tanh", "d:d"),
    ("tgamma", "d:d"),
];

/// Functions that are operations of the program form. Names that only a
/// verifier or an implementation of the library uses are not here.
const OPERATIONS: &[(&str, &str)] = &[
    ("_Exit", "v:i"),
    ("__snprintf_chk", "i:piiip."),
    ("__sprintf_chk", "i:piip."),
    ("_exit", "v:i"),
    ("abort", "v:"),
    ("aligned_alloc", "p:ii"),
    ("alloca", "p:i"),
    ("at_quick_exit", "i:p"),
    ("atexit", "i:p"),
    ("bcopy", "v:ppi"),
    ("bzero", "v:pi"),
    ("calloc", "p:ii"),
    ("cfree", "v:p"),
    ("exit", "v:i"),
    ("explicit_bzero", "v:pi"),
    ("fork", "i:"),
    ("free", "v:p"),
    ("fscanf", "i:pp."),
    ("malloc", "p:i"),
    ("memalign", "p:ii"),
    ("memcpy", "p:ppi"),
    ("memmove", "p:ppi"),
    ("mempcpy", "p:ppi"),
    ("memset", "p:pii"),
    ("on_exit", "i:pp"),
    ("pvalloc", "p:i"),
    ("quick_exit", "v:i"),
    ("scanf", "i:p."),
    ("snprintf", "i:pip."),
    ("sprintf", "i:pp."),
    ("sscanf", "i:pp."),
    ("valloc", "p:i"),
    ("vfork", "i:"),
];

/// Functions on floats that are operations, without their suffixes.
const EXACT: &[(&str, &str)] = &[
    ("ceil", "d:d"),
    ("fabs", "d:d"),
    ("finite", "i:d"),
    ("floor", "d:d"),
    ("isinf", "i:d"),
    ("isnan", "i:d"),
    ("nearbyint", "d:d"),
    ("rint", "d:d"),
    ("round", "d:d"),
    ("sqrt", "d:d"),
    ("trunc", "d:d"),
];

/// The prefix of functions whose results models ask for.
pub(crate) const ASKED: &str = "__parallax_result_of_";

fn find(list: &[(&'static str, &'static str)], name: &str) -> Option<&'static str> {
    let at = list.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    Some(list[at].1)
}

/// A declaration for one format of floats: `double` in the text stands for it.
fn suffixed(list: &[(&'static str, &'static str)], name: &str) -> Option<Declaration> {
    let of = |name: &str, float| find(list, name).map(|text| Declaration { text, float });
    of(name, 'd')
        .or_else(|| of(name.strip_suffix('f')?, 'f'))
        .or_else(|| of(name.strip_suffix('l')?, 'D'))
}

/// The declaration of a library function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Declaration {
    text: &'static str,
    /// What the letter `d` stands for.
    float: char,
}

impl Declaration {
    /// The declaration of a function that changes nothing the program can see.
    pub(crate) fn harmless(name: &str) -> Option<Declaration> {
        let plain = find(HARMLESS, name).map(|text| Declaration { text, float: 'd' });
        plain.or_else(|| suffixed(MATH, name))
    }

    /// The declaration of a function that a model asks for a result which is
    /// not known to it.
    pub(crate) fn asked(name: &str) -> Option<Declaration> {
        match name.strip_prefix(ASKED)? {
            // Nobody knows: a run that asks is not repeated.
            "text" => Some(Declaration { text: "d:", float: 'd' }),
            "strtod" => Some(Declaration { text: "d:pi", float: 'd' }),
            "strtof" => Some(Declaration { text: "d:pi", float: 'f' }),
            name => suffixed(MATH, name),
        }
    }

    /// The declaration of an operation, if its type matters.
    pub(crate) fn operation(name: &str) -> Option<Declaration> {
        let plain = find(OPERATIONS, name).map(|text| Declaration { text, float: 'd' });
        plain.or_else(|| suffixed(EXACT, name))
    }

    /// The letter of the result.
    pub(crate) fn result(self) -> Option<char> {
        self.text.chars().next()
    }

    /// The letters of the parameters.
    pub(crate) fn parameters(self) -> impl Iterator<Item = char> {
        self.text.chars().skip(2).map(move |c| if c == 'd' { self.float } else { c })
    }

    /// Whether there is a `va_list` among the parameters.
    pub(crate) fn takes_list(self) -> bool {
        self.text.contains('V')
    }

    /// Whether a declaration in a program means this function.
    pub(crate) fn fits(self, types: &Types, ty: &FunctionType) -> bool {
        let result = self.text.chars().next().map(|c| if c == 'd' { self.float } else { c });
        let declared = kind(types.get(ty.result));
        if !ty.prototyped {
            return result.is_some_and(|r| class(r) == declared) || declared == 'i';
        }
        let fixed: Vec<char> = self.parameters().filter(|c| *c != '.').map(class).collect();
        let open = self.text.ends_with('.');
        let many = match open {
            true => ty.parameters.len() >= fixed.len(),
            false => ty.parameters.len() == fixed.len() && !ty.variadic,
        };
        let same = |(given, wanted): (&_, &char)| kind(types.get(*given)) == *wanted;
        many && ty.parameters.iter().zip(&fixed).all(same)
            && (declared == 'v' || result.is_some_and(|r| class(r) == declared))
    }
}

/// The letter of the kind of a type.
fn kind(ty: &Type) -> char {
    match ty {
        Type::Void => 'v',
        Type::Int(_) | Type::Enum(_) => 'i',
        Type::Float(FloatKind::Float) => 'f',
        Type::Float(FloatKind::Double) => 'd',
        Type::Float(FloatKind::LongDouble) => 'D',
        Type::Pointer { .. } | Type::VaList | Type::Array { .. } => 'p',
        _ => '?',
    }
}

/// Whether two functions have types of one kind: a declaration in the program,
/// and the model of a function of that name.
pub(crate) fn is_same(types: &Types, declared: &FunctionType, model: &FunctionType) -> bool {
    let is_code = |ty| {
        let to = types.pointee(ty);
        to.is_some_and(|to| matches!(types.get(to), Type::Function(_)))
    };
    let same = |a, b| kind(types.get(a)) == kind(types.get(b)) && is_code(a) == is_code(b);
    let result = same(declared.result, model.result) || *types.get(declared.result) == Type::Void;
    if !declared.prototyped {
        return result || kind(types.get(declared.result)) == 'i';
    }
    result
        && declared.variadic == model.variadic
        && declared.parameters.len() == model.parameters.len()
        && declared.parameters.iter().zip(&model.parameters).all(|(a, b)| same(*a, *b))
}

/// The letter of the kind of what a letter stands for.
fn class(letter: char) -> char {
    match letter {
        'z' | 'n' => 'i',
        'S' | 's' | 'F' | 'G' | 'P' | 'V' => 'p',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_cfa::{DataModel, IntKind};

    #[test]
    fn names_are_in_order() {
        for list in [HARMLESS, MATH, OPERATIONS, EXACT] {
            assert!(list.is_sorted());
        }
    }

    #[test]
    fn types_tell_functions_apart() {
        let mut types = Types::new(DataModel::Lp64);
        let (int, void) = (types.int(IntKind::Int), types.intern(Type::Void));
        let double = types.intern(Type::Float(FloatKind::Double));
        let float = types.intern(Type::Float(FloatKind::Float));
        let pointer = types.pointer(void);
        let check = |name: &str, result, parameters: &[_], variadic, expected: bool| {
            let ty = FunctionType {
                result,
                parameters: parameters.to_vec(),
                variadic,
                prototyped: true,
            };
            let known = Declaration::harmless(name).is_some_and(|d| d.fits(&types, &ty));
            assert_eq!(known, expected, "{name}");
        };
        check("log", double, &[double], false, true);
        check("logf", float, &[float], false, true);
        check("logf", double, &[double], false, false);
        check("log", void, &[pointer], false, false);
        check("close", int, &[int], false, true);
        check("close", void, &[pointer], false, false);
        check("printf", int, &[pointer], true, true);
        check("printf", void, &[pointer, int], false, true);
        check("sprintf", int, &[pointer, pointer], true, false);
        check("unknown", int, &[], false, false);
    }
}
