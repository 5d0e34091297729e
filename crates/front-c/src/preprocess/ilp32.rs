//! ILP32 without a compiler that knows it.
//!
//! If `cc -m32` does not work, because the compiler is for another machine or
//! the headers for 32 bits are not there, the macros that tell sizes are set by
//! hand, and the one header that glibc has only in its 32-bit package is put
//! into a folder of ours.

use std::path::Path;
use tempfile::TempDir;

/// Macros that exist only for 64 bits.
const UNDEFINED: &[&str] = &[
    "_LP64",
    "__LP64__",
    "__SIZEOF_INT128__",
    "__amd64",
    "__amd64__",
    "__x86_64",
    "__x86_64__",
    "__aarch64__",
    "__code_model_small__",
];

/// Macros and their values for i386.
const DEFINED: &[(&str, &str)] = &[
    ("_ILP32", "1"),
    ("__ILP32__", "1"),
    ("__i386", "1"),
    ("__i386__", "1"),
    ("__INT64_MAX__", "0x7fffffffffffffffLL"),
    ("__INT64_TYPE__", "long long int"),
    ("__INTMAX_MAX__", "0x7fffffffffffffffLL"),
    ("__INTMAX_TYPE__", "long long int"),
    ("__INTPTR_MAX__", "0x7fffffff"),
    ("__INTPTR_TYPE__", "int"),
    ("__INTPTR_WIDTH__", "32"),
    ("__INT_FAST16_MAX__", "0x7fffffff"),
    ("__INT_FAST16_TYPE__", "int"),
    ("__INT_FAST16_WIDTH__", "32"),
    ("__INT_FAST32_MAX__", "0x7fffffff"),
    ("__INT_FAST32_TYPE__", "int"),
    ("__INT_FAST32_WIDTH__", "32"),
    ("__INT_FAST64_MAX__", "0x7fffffffffffffffLL"),
    ("__INT_FAST64_TYPE__", "long long int"),
    ("__INT_LEAST64_MAX__", "0x7fffffffffffffffLL"),
    ("__INT_LEAST64_TYPE__", "long long int"),
    ("__LONG_MAX__", "0x7fffffffL"),
    ("__LONG_WIDTH__", "32"),
    ("__PTRDIFF_MAX__", "0x7fffffff"),
    ("__PTRDIFF_TYPE__", "int"),
    ("__PTRDIFF_WIDTH__", "32"),
    ("__SIZEOF_FLOAT80__", "12"),
    ("__SIZEOF_LONG_DOUBLE__", "12"),
    ("__SIZEOF_LONG__", "4"),
    ("__SIZEOF_POINTER__", "4"),
    ("__SIZEOF_PTRDIFF_T__", "4"),
    ("__SIZEOF_SIZE_T__", "4"),
    ("__SIZE_MAX__", "0xffffffffU"),
    ("__SIZE_TYPE__", "unsigned int"),
    ("__SIZE_WIDTH__", "32"),
    ("__UINT64_MAX__", "0xffffffffffffffffULL"),
    ("__UINT64_TYPE__", "long long unsigned int"),
    ("__UINTMAX_MAX__", "0xffffffffffffffffULL"),
    ("__UINTMAX_TYPE__", "long long unsigned int"),
    ("__UINTPTR_MAX__", "0xffffffffU"),
    ("__UINTPTR_TYPE__", "unsigned int"),
    ("__UINT_FAST16_MAX__", "0xffffffffU"),
    ("__UINT_FAST16_TYPE__", "unsigned int"),
    ("__UINT_FAST32_MAX__", "0xffffffffU"),
    ("__UINT_FAST32_TYPE__", "unsigned int"),
    ("__UINT_FAST64_MAX__", "0xffffffffffffffffULL"),
    ("__UINT_FAST64_TYPE__", "long long unsigned int"),
    ("__UINT_LEAST64_MAX__", "0xffffffffffffffffULL"),
    ("__UINT_LEAST64_TYPE__", "long long unsigned int"),
    ("__WCHAR_MAX__", "0x7fffffffL"),
    ("__WCHAR_TYPE__", "long int"),
];

/// A folder with the missing header, removed when dropped.
pub(super) struct Headers {
    folder: Option<TempDir>,
}

impl Headers {
    /// Makes the folder; without one, headers of glibc may be refused.
    pub(super) fn new() -> Headers {
        let made = || {
            let folder = tempfile::Builder::new().prefix("parallax-").tempdir()?;
            std::fs::create_dir(folder.path().join("gnu"))?;
            std::fs::write(folder.path().join("gnu/stubs-32.h"), "")?;
            Ok::<TempDir, std::io::Error>(folder)
        };
        Headers { folder: made().ok() }
    }

    /// The folder, if there is one.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.as_ref().map(TempDir::path)
    }

    /// The arguments that make a compiler for 64 bits preprocess for 32.
    pub(super) fn arguments(&self) -> Vec<String> {
        let mut out: Vec<String> = UNDEFINED.iter().map(|name| format!("-U{name}")).collect();
        for (name, value) in DEFINED {
            out.push(format!("-U{name}"));
            out.push(format!("-D{name}={value}"));
        }
        if let Some(folder) = self.folder().and_then(Path::to_str) {
            out.extend(["-idirafter".to_owned(), folder.to_owned()]);
        }
        out
    }
}
