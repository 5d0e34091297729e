//! Which name means what.

use parallax_cfa::{FloatFunction, LockRule, Primitive};

/// A library function with a meaning in the program form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    /// No effect, arbitrary result.
    Nothing,
    /// No effect, result 0.
    Zero,
    /// Not modelled.
    Unsupported(&'static str),
    /// An input of the program.
    Input,
    /// An arbitrary value, in a model.
    Any,
    /// The run ends if the argument is zero.
    Assume,
    /// Error if the argument is zero.
    Assert,
    /// Error.
    Error,
    /// The run ends.
    Halt,
    /// A new heap object; the size is the argument of this number.
    Allocate(usize),
    /// A new heap object of zeros.
    AllocateZero,
    /// A new object of the function.
    AllocateLocal,
    /// Ends a heap object.
    Free,
    /// Copies bytes; the result is the target, or its end.
    Copy {
        /// Which argument is the target.
        to: usize,
        /// Which argument is the source.
        from: usize,
        /// Whether the result is the end.
        end: bool,
    },
    /// Sets bytes.
    Set,
    /// Sets bytes to zero.
    Clear,
    /// Overwrites bytes with arbitrary ones, in a model.
    Havoc,
    /// The size of an object, in a model.
    ObjectSize,
    /// A function on floats.
    Float(FloatFunction),
    /// `isinf`: the sign of an infinity, else 0.
    InfinitySign,
    /// Reads by a format, which is the argument of this number.
    Scan(usize),
    /// Writes text by a format to a buffer.
    Print {
        /// Which argument is the size of the buffer, if it is given.
        size: Option<usize>,
        /// Which argument is the format.
        format: usize,
    },
    /// A demand on the state of a lock, in a model.
    Demand(LockRule),
    /// There are as many bytes to be read, in a model.
    Readable,
    /// There is a stream, in a model.
    Stream,
    /// Sets `errno` unless the argument is zero, in a model.
    Errno,
    /// Something only threads have a use for.
    Thread(Primitive),
    /// Says something to a formula, in what is added to a program for it.
    Show(Primitive),
}

/// The prefix of models.
const PREFIX: &str = "__parallax_";

/// Functions on memory and strings that have a checking form with one argument
/// more at the end.
const CHECKED: &[&str] = &[
    "memcpy", "memmove", "memset", "mempcpy", "strcpy", "strncpy", "strcat", "strncat", "stpcpy",
    "stpncpy",
];

/// Functions without a model that hand out memory of the library, or take it
/// back: as unknown code they would hand out anything.
const UNMODELLED: &[&str] = &[
    "a64l",
    "asprintf",
    "basename",
    "btowc",
    "clearenv",
    "closedir",
    "crypt",
    "dirname",
    "dlopen",
    "dlsym",
    "ecvt",
    "fcvt",
    "fdopendir",
    "fmemopen",
    "fmtmsg",
    "fnmatch",
    "freeaddrinfo",
    "gcvt",
    "getaddrinfo",
    "getcwd",
    "getdelim",
    "getgrgid",
    "getgrnam",
    "gethostbyname",
    "getopt",
    "getopt_long",
    "getopt_long_only",
    "getpwnam",
    "getpwuid",
    "getsubopt",
    "glob",
    "hcreate",
    "hsearch",
    "inet_addr",
    "inet_aton",
    "inet_ntoa",
    "inet_ntop",
    "inet_pton",
    "insque",
    "iswalpha",
    "iswdigit",
    "iswspace",
    "l64a",
    "lfind",
    "localeconv",
    "lsearch",
    "mblen",
    "mbrlen",
    "mbrtowc",
    "mbstowcs",
    "mbtowc",
    "mmap",
    "munmap",
    "open_memstream",
    "opendir",
    "putenv",
    "readdir",
    "realpath",
    "regcomp",
    "regexec",
    "remque",
    "setenv",
    "sigaddset",
    "sigdelset",
    "sigemptyset",
    "sigfillset",
    "sigismember",
    "strptime",
    "strverscmp",
    "strxfrm",
    "tdelete",
    "tempnam",
    "tfind",
    "tmpnam",
    "towlower",
    "towupper",
    "tsearch",
    "ttyname",
    "twalk",
    "ungetc",
    "unsetenv",
    "vasprintf",
    "wcrtomb",
    "wcscat",
    "wcschr",
    "wcscmp",
    "wcscoll",
    "wcscpy",
    "wcscspn",
    "wcsdup",
    "wcsncat",
    "wcsncmp",
    "wcsncpy",
    "wcspbrk",
    "wcsrchr",
    "wcsspn",
    "wcsstr",
    "wcstod",
    "wcstok",
    "wcstol",
    "wcstombs",
    "wcstoul",
    "wcsxfrm",
    "wctob",
    "wctomb",
    "wmemchr",
    "wmemcmp",
    "wmemcpy",
    "wmemmove",
    "wmemset",
];

/// The function that a name of the implementation stands for.
pub(super) fn plain_name(name: &str) -> (&str, bool) {
    let short = name.strip_prefix("__builtin_").unwrap_or(name);
    let checked = short.strip_prefix("__").and_then(|rest| rest.strip_suffix("_chk"));
    match checked {
        Some(inner) if CHECKED.contains(&inner) => (inner, true),
        _ => {
            let short = short.strip_prefix("__isoc99_").unwrap_or(short);
            (short.strip_prefix("__isoc23_").unwrap_or(short), false)
        }
    }
}

/// The function that a model is the model of.
pub(crate) fn modelled_name(name: &str) -> Option<&str> {
    name.strip_prefix(PREFIX)
}

/// Whether a model is for programs with several threads alone.
pub(super) fn is_thread_model(name: &str) -> bool {
    matches!(name, "sched_yield" | "sleep" | "usleep" | "nanosleep")
}

/// What a call of a library function takes for granted.
pub(crate) fn assumption(name: &str) -> Option<&'static str> {
    match name {
        "signal" | "bsd_signal" | "sysv_signal" | "sigaction" | "sigset" => {
            Some("signals do not arrive: no handler runs")
        }
        _ => None,
    }
}

/// Whether a call of the function is, or may be, an error.
pub(crate) fn fails(name: &str, is_defined: bool) -> bool {
    match operation_of(name) {
        Some(Operation::Error) => true,
        Some(Operation::Assert) => !is_defined,
        _ => false,
    }
}

/// Whether a function is lowered though nobody may call it: passes do.
pub(crate) fn is_watcher(name: &str) -> bool {
    modelled_name(name).is_some_and(|rest| rest.starts_with("watch_"))
}

/// Whether the body of a function of the program is one step.
pub(crate) fn is_atomic(name: &str) -> bool {
    name.starts_with("__VERIFIER_atomic_")
}

/// Whether the accesses of a function of the library put threads in order. Functions
/// that give something back store it as others do.
pub(crate) fn puts_in_order(name: &str) -> bool {
    name == "call_once" || is_thread(name) && !matches!(name, "pthread_create" | "pthread_join")
}

/// The meaning of a name.
pub(super) fn operation_of(name: &str) -> Option<Operation> {
    use Operation::{
        Allocate, AllocateLocal, AllocateZero, Any, Assert, Assume, Clear, Copy, Demand, Errno,
        Error, Free, Halt, Havoc, Input, Nothing, ObjectSize, Print, Readable, Scan, Set, Show,
        Stream, Thread, Unsupported,
    };
    if let Some(rest) = name.strip_prefix(PREFIX) {
        return match rest {
            "havoc" => Some(Havoc),
            "object_size" => Some(ObjectSize),
            "assume" => Some(Assume),
            "errno" => Some(Errno),
            "readable" => Some(Readable),
            "stream" => Some(Stream),
            "thread_spawn" => Some(Thread(Primitive::Spawn)),
            "thread_join" => Some(Thread(Primitive::Join)),
            "thread_exit" => Some(Thread(Primitive::ThreadExit)),
            "thread_self" => Some(Thread(Primitive::ThreadSelf)),
            "thread_mark" => Some(Thread(Primitive::ThreadMark)),
            "thread_sleep" => Some(Thread(Primitive::Sleep)),
            "thread_rise" => Some(Thread(Primitive::Rise)),
            "thread_wake" => Some(Thread(Primitive::Wake)),
            "thread_wake_all" => Some(Thread(Primitive::WakeAll)),
            "lock_mine" => Some(Demand(LockRule::Mine)),
            "lock_not_mine" => Some(Demand(LockRule::NotMine)),
            "lock_held" => Some(Demand(LockRule::Held)),
            "lock_free" => Some(Demand(LockRule::Free)),
            "thread_yield" => Some(Thread(Primitive::Yield)),
            "thread_lock" => Some(Thread(Primitive::Lock)),
            "thread_unlock" => Some(Thread(Primitive::Unlock)),
            "thread_destructor" => Some(Unsupported("threads: destructor of a key")),
            "atomic_begin" => Some(Thread(Primitive::AtomicBegin)),
            "atomic_when" => Some(Thread(Primitive::AtomicWhen)),
            "atomic_end" => Some(Thread(Primitive::AtomicEnd)),
            "atom" => Some(Show(Primitive::Atom)),
            "letter" => Some(Show(Primitive::Letter)),
            _ => rest.starts_with("any_").then_some(Any),
        };
    }
    let (name, _) = plain_name(name);
    Some(match name {
        "__VERIFIER_nondet_memory" => Havoc,
        _ if name.starts_with("__VERIFIER_nondet_") => Input,
        "__VERIFIER_assume" | "__CPROVER_assume" | "assume_abort_if_not" => Assume,
        "__VERIFIER_assert" | "__CPROVER_assert" | "assert" => Assert,
        "reach_error"
        | "__VERIFIER_error"
        | "__assert_fail"
        | "__assert"
        | "__assert_rtn"
        | "__assert_perror_fail" => Error,
        "abort" | "exit" | "_exit" | "_Exit" | "quick_exit" => Halt,
        "malloc" | "valloc" | "pvalloc" => Allocate(0),
        "aligned_alloc" | "memalign" => Allocate(1),
        "calloc" => AllocateZero,
        "alloca" => AllocateLocal,
        "free" | "cfree" => Free,
        "memcpy" | "memmove" => Copy { to: 0, from: 1, end: false },
        "mempcpy" => Copy { to: 0, from: 1, end: true },
        "bcopy" => Copy { to: 1, from: 0, end: false },
        "memset" => Set,
        "bzero" | "explicit_bzero" => Clear,
        "scanf" => Scan(0),
        "fscanf" | "sscanf" => Scan(1),
        "sprintf" => Print { size: None, format: 1 },
        "snprintf" => Print { size: Some(1), format: 2 },
        "__sprintf_chk" => Print { size: None, format: 3 },
        "__snprintf_chk" => Print { size: Some(1), format: 4 },
        "__VERIFIER_atomic_begin" => Thread(Primitive::AtomicBegin),
        "__VERIFIER_atomic_end" => Thread(Primitive::AtomicEnd),
        "prefetch" => Nothing,
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" => Unsupported("setjmp"),
        "longjmp" | "_longjmp" | "siglongjmp" => Unsupported("longjmp"),
        "atexit" | "at_quick_exit" | "on_exit" => Unsupported("atexit"),
        "fork" | "vfork" => Unsupported("fork"),
        "clone" | "__clone" | "clone3" => Unsupported("clone"),
        "fesetround" | "__fesetround" | "fesetenv" | "feupdateenv" | "fesetmode" | "fpsetround"
        | "_controlfp" => Unsupported("a rounding mode of the program's own"),
        "fegetround" | "__fegetround" | "feclearexcept" | "feraiseexcept" => Operation::Zero,
        "fetestexcept" | "fegetexceptflag" | "fesetexceptflag" => {
            Unsupported("flags of floating-point exceptions")
        }
        "raise" | "pthread_kill" => Unsupported("a signal that the program sends itself"),
        _ if UNMODELLED.contains(&name) => Unsupported("a function of the library without a model"),
        _ if is_thread(name) => return thread(name),
        "isinf" | "__isinf" | "isinff" | "__isinff" | "isinfl" | "__isinfl" | "isinf_sign" => {
            Operation::InfinitySign
        }
        _ => return math(name),
    })
}

fn is_thread(name: &str) -> bool {
    ["pthread_", "sem_", "thrd_", "mtx_", "cnd_"].iter().any(|prefix| name.starts_with(prefix))
}

/// Functions on threads without a model: attributes and the like do nothing.
fn thread(name: &str) -> Option<Operation> {
    const ATTRIBUTES: &[&str] = &[
        "pthread_mutexattr_",
        "pthread_attr_",
        "pthread_rwlockattr_",
        "pthread_condattr_",
        "pthread_barrierattr_",
    ];
    Some(match name {
        "pthread_cond_init"
        | "pthread_cond_destroy"
        | "pthread_detach"
        | "pthread_setcancelstate"
        | "pthread_setcanceltype"
        | "pthread_setconcurrency"
        | "pthread_setname_np"
        | "pthread_setschedparam"
        | "pthread_setaffinity_np"
        | "pthread_barrier_destroy"
        | "cnd_init" => Operation::Zero,
        "cnd_destroy" => Operation::Nothing,
        _ if ATTRIBUTES.iter().any(|lock| name.starts_with(lock)) => Operation::Zero,
        _ if name.starts_with("pthread_") => Operation::Unsupported("threads: pthread"),
        "thrd_create" | "thrd_join" | "thrd_exit" | "thrd_detach" => {
            Operation::Unsupported("threads of C11")
        }
        "sem_open" | "sem_close" | "sem_unlink" => Operation::Unsupported("threads: semaphore"),
        _ => return None,
    })
}

fn math(name: &str) -> Option<Operation> {
    use FloatFunction::{
        Ceil, Fabs, Floor, IsFinite, IsNan, IsNormal, Rint, Round, SignBit, Sqrt, Trunc,
    };
    let exact = |base: &str| {
        Some(match base {
            "fabs" => Fabs,
            "sqrt" => Sqrt,
            "floor" => Floor,
            "ceil" => Ceil,
            "trunc" => Trunc,
            "round" => Round,
            "rint" | "nearbyint" => Rint,
            "isnan" | "__isnan" => IsNan,
            "isfinite" | "finite" | "__finite" => IsFinite,
            "isnormal" => IsNormal,
            "signbit" | "__signbit" => SignBit,
            _ => return None,
        })
    };
    let base = name.strip_suffix(['f', 'l']).unwrap_or(name);
    exact(name).or(exact(base)).map(Operation::Float)
}
