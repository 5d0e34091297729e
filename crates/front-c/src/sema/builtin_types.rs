//! The types of library functions that GCC knows without a declaration.
//!
//! A type is written as its result and, in parentheses, its parameters, one
//! letter each; see [`Checker::letter`].

use super::{Checker, Value};
use crate::typed::ExprKind;
use parallax_base::{Id, Span};
use parallax_cfa::{FloatKind, FunctionType, IntKind, Qualifiers, Type};
use std::sync::Arc;

/// Functions and their types.
const FUNCTIONS: &[(&str, &str)] = &[
    ("abort", "v()"),
    ("abs", "i(i)"),
    ("aligned_alloc", "p(zz)"),
    ("bcmp", "i(qqz)"),
    ("bcopy", "v(qpz)"),
    ("bzero", "v(pz)"),
    ("calloc", "p(zz)"),
    ("exit", "v(i)"),
    ("_exit", "v(i)"),
    ("_Exit", "v(i)"),
    ("ffs", "i(i)"),
    ("ffsl", "i(l)"),
    ("ffsll", "i(x)"),
    ("fputc", "i(ip)"),
    ("fputs", "i(Sp)"),
    ("fprintf", "i(pS.)"),
    ("fscanf", "i(pS.)"),
    ("free", "v(p)"),
    ("fwrite", "z(qzzp)"),
    ("gettext", "s(S)"),
    ("imaxabs", "x(x)"),
    ("index", "s(Si)"),
    ("isalnum", "i(i)"),
    ("isalpha", "i(i)"),
    ("isblank", "i(i)"),
    ("iscntrl", "i(i)"),
    ("isdigit", "i(i)"),
    ("isgraph", "i(i)"),
    ("islower", "i(i)"),
    ("isprint", "i(i)"),
    ("ispunct", "i(i)"),
    ("isspace", "i(i)"),
    ("isupper", "i(i)"),
    ("isxdigit", "i(i)"),
    ("labs", "l(l)"),
    ("llabs", "x(x)"),
    ("malloc", "p(z)"),
    ("memchr", "p(qiz)"),
    ("memcmp", "i(qqz)"),
    ("memcpy", "p(pqz)"),
    ("memmove", "p(pqz)"),
    ("mempcpy", "p(pqz)"),
    ("memset", "p(piz)"),
    ("posix_memalign", "i(pzz)"),
    ("printf", "i(S.)"),
    ("putchar", "i(i)"),
    ("puts", "i(S)"),
    ("realloc", "p(pz)"),
    ("rindex", "s(Si)"),
    ("scanf", "i(S.)"),
    ("snprintf", "i(szS.)"),
    ("sprintf", "i(sS.)"),
    ("sscanf", "i(SS.)"),
    ("stpcpy", "s(sS)"),
    ("stpncpy", "s(sSz)"),
    ("strcasecmp", "i(SS)"),
    ("strcat", "s(sS)"),
    ("strchr", "s(Si)"),
    ("strcmp", "i(SS)"),
    ("strcpy", "s(sS)"),
    ("strcspn", "z(SS)"),
    ("strdup", "s(S)"),
    ("strlen", "z(S)"),
    ("strncasecmp", "i(SSz)"),
    ("strncat", "s(sSz)"),
    ("strncmp", "i(SSz)"),
    ("strncpy", "s(sSz)"),
    ("strndup", "s(Sz)"),
    ("strnlen", "z(Sz)"),
    ("strpbrk", "s(SS)"),
    ("strrchr", "s(Si)"),
    ("strspn", "z(SS)"),
    ("strstr", "s(SS)"),
    ("tolower", "i(i)"),
    ("toupper", "i(i)"),
    ("vfprintf", "i(pSa)"),
    ("vfscanf", "i(pSa)"),
    ("vprintf", "i(Sa)"),
    ("vscanf", "i(Sa)"),
    ("vsnprintf", "i(szSa)"),
    ("vsprintf", "i(sSa)"),
    ("vsscanf", "i(SSa)"),
];

/// Functions of `double`; with suffix `f` and `l` of the other types. The
/// letters mean: `d` the type itself, `e` a pointer to it.
const MATH: &[(&str, &str)] = &[
    ("acos", "d(d)"),
    ("acosh", "d(d)"),
    ("asin", "d(d)"),
    ("asinh", "d(d)"),
    ("atan", "d(d)"),
    ("atan2", "d(dd)"),
    ("atanh", "d(d)"),
    ("cbrt", "d(d)"),
    ("ceil", "d(d)"),
    ("copysign", "d(dd)"),
    ("cos", "d(d)"),
    ("cosh", "d(d)"),
    ("drem", "d(dd)"),
    ("erf", "d(d)"),
    ("erfc", "d(d)"),
    ("exp", "d(d)"),
    ("exp10", "d(d)"),
    ("exp2", "d(d)"),
    ("expm1", "d(d)"),
    ("fabs", "d(d)"),
    ("fdim", "d(dd)"),
    ("floor", "d(d)"),
    ("fma", "d(ddd)"),
    ("fmax", "d(dd)"),
    ("fmin", "d(dd)"),
    ("fmod", "d(dd)"),
    ("frexp", "d(dj)"),
    ("gamma", "d(d)"),
    ("hypot", "d(dd)"),
    ("ilogb", "i(d)"),
    ("ldexp", "d(di)"),
    ("lgamma", "d(d)"),
    ("llrint", "x(d)"),
    ("llround", "x(d)"),
    ("log", "d(d)"),
    ("log10", "d(d)"),
    ("log1p", "d(d)"),
    ("log2", "d(d)"),
    ("logb", "d(d)"),
    ("lrint", "l(d)"),
    ("lround", "l(d)"),
    ("modf", "d(de)"),
    ("nearbyint", "d(d)"),
    ("nextafter", "d(dd)"),
    ("pow", "d(dd)"),
    ("remainder", "d(dd)"),
    ("rint", "d(d)"),
    ("round", "d(d)"),
    ("scalbln", "d(dl)"),
    ("scalbn", "d(di)"),
    ("sin", "d(d)"),
    ("sinh", "d(d)"),
    ("sqrt", "d(d)"),
    ("tan", "d(d)"),
    ("tanh", "d(d)"),
    ("tgamma", "d(d)"),
    ("trunc", "d(d)"),
];

/// The type of a known function, and what `d` stands for in it.
fn signature(name: &str) -> Option<(&'static str, FloatKind)> {
    let find = |table: &'static [(&str, &'static str)], name: &str| {
        table.iter().find(|(known, _)| *known == name).map(|(_, ty)| *ty)
    };
    if let Some(ty) = find(FUNCTIONS, name).or_else(|| find(MATH, name)) {
        return Some((ty, FloatKind::Double));
    }
    let (base, kind) = match name.as_bytes().last()? {
        b'f' => (&name[..name.len() - 1], FloatKind::Float),
        b'l' => (&name[..name.len() - 1], FloatKind::LongDouble),
        _ => return None,
    };
    find(MATH, base).map(|ty| (ty, kind))
}

impl Checker<'_> {
    fn letter(&mut self, letter: char, float: FloatKind) -> Id<Type> {
        let constant = Qualifiers { is_const: true, ..Qualifiers::default() };
        let char = self.out.types.int(IntKind::Char);
        let ty = match letter {
            'v' => Type::Void,
            'i' => Type::Int(IntKind::Int),
            'l' => Type::Int(IntKind::Long),
            'x' => Type::Int(IntKind::LongLong),
            'z' => Type::Int(self.model().size_type()),
            'd' => Type::Float(float),
            'e' => {
                let to = self.out.types.intern(Type::Float(float));
                Type::Pointer { to, qualifiers: Qualifiers::default() }
            }
            'j' => Type::Pointer { to: self.basic.int, qualifiers: Qualifiers::default() },
            'q' => Type::Pointer { to: self.basic.void, qualifiers: constant },
            's' => Type::Pointer { to: char, qualifiers: Qualifiers::default() },
            'S' => Type::Pointer { to: char, qualifiers: constant },
            'a' => Type::VaList,
            // `p`.
            _ => Type::Pointer { to: self.basic.void, qualifiers: Qualifiers::default() },
        };
        self.out.types.intern(ty)
    }

    /// The designator of a function that is known without a declaration. With
    /// the prefix `__builtin_` it is the library's function of that name.
    pub(super) fn builtin_function(&mut self, name: &Arc<str>, span: Span) -> Option<Value> {
        let bare = name.strip_prefix("__builtin_").unwrap_or(name);
        let (text, float) = signature(bare)?;
        let (result, parameters) = text.strip_suffix(')')?.split_once('(')?;
        let result = self.letter(result.chars().next()?, float);
        let letters = parameters.trim_end_matches('.');
        let parameters: Vec<_> = letters.chars().map(|c| self.letter(c, float)).collect();
        let variadic = text.ends_with(".)");
        let function = FunctionType { result, parameters, variadic, prototyped: true };
        let ty = self.out.types.intern(Type::Function(function));
        let bare: Arc<str> = bare.into();
        // A declaration of the program is the better one.
        let declared = match self.scopes.symbols.get_outermost(&bare) {
            Some(super::scope::Symbol::Function(function, ty)) => Some((*function, *ty)),
            _ => None,
        };
        let (function, ty) = match declared {
            Some(known) => known,
            None => {
                let function = self.declare_implicitly(&bare, ty, span);
                let visible = match self.scopes.symbols.get_outermost(&bare) {
                    Some(super::scope::Symbol::Function(_, ty)) => *ty,
                    _ => ty,
                };
                (function, visible)
            }
        };
        if matches!(&*bare, "abort" | "exit" | "_exit" | "_Exit") {
            self.out.functions[function].noreturn = true;
        }
        Some(self.make(ExprKind::Function(function), ty, span))
    }
}
