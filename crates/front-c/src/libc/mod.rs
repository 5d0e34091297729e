//! The C library, as far as programs under analysis call it.
//!
//! A function that the program declares and does not define has one of these
//! meanings, by its name and the kind of its type. A definition in the program
//! wins, except over the error functions. `__builtin_f` and the checking `__f_chk` of the memory and
//! string functions mean `f`.
//!
//! | functions | meaning | where |
//! |---|---|---|
//! | `__VERIFIER_nondet_*` | an input of the declared type | operation |
//! | `__VERIFIER_assume`, `__CPROVER_assume`, `assume_abort_if_not` | the run ends in good order if the argument is zero | operation |
//! | `reach_error`, `__VERIFIER_error`, `__assert_fail`, `__assert`, `__assert_rtn`, `__assert_perror_fail` | error, even if defined | operation |
//! | `assert`, `__VERIFIER_assert`, `__CPROVER_assert` | error if the argument is zero | operation |
//! | `abort`, `exit`, `_exit`, `_Exit`, `quick_exit` | the run ends in good order | operation |
//! | `malloc`, `calloc`, `aligned_alloc`, `memalign`, `valloc`, `alloca` | a new object; null only if `malloc_may_fail`, or if the size overflows; the alignment is not modelled | operation |
//! | `free`, `cfree` | ends a heap object, checked | operation |
//! | `realloc`, `reallocarray`, `posix_memalign` | by the above; `realloc(p, 0)` frees and gives null | `stdlib.c` |
//! | `memcpy`, `memmove`, `mempcpy`, `memset`, `bzero`, `bcopy` | bytes, bounds checked; an overlap of `memcpy` is not checked | operation |
//! | `memcmp`, `bcmp`, `memchr`, `memrchr`, `strlen`, `strnlen`, `strcmp`, `strncmp`, `strcoll`, `strcasecmp`, `strncasecmp`, `strcpy`, `strncpy`, `stpcpy`, `stpncpy`, `strcat`, `strncat`, `strchr`, `strchrnul`, `strrchr`, `index`, `rindex`, `strstr`, `strspn`, `strcspn`, `strpbrk`, `strdup`, `strndup`, `strtok`, `strtok_r`, `strsep`, `strlcpy`, `strlcat`, `strerror` | exact, every byte access checked; the text of `strerror` is arbitrary | `string.c` |
//! | `isalpha` and the rest of `ctype.h`, `__ctype_b_loc`, `__ctype_tolower_loc`, `__ctype_toupper_loc` | exact for the C locale | `ctype.c` |
//! | `htons`, `htonl`, `ntohs`, `ntohl`, `ffs`, `ffsl`, `ffsll`, `swab`, `memmem`, `wcslen` | exact | `bytes.c` |
//! | `abs`, `labs`, `llabs`, `imaxabs`, `div`, `ldiv`, `lldiv`, `atoi`, `atol`, `atoll`, `strtol`, `strtoul`, `strtoll`, `strtoull`, `qsort`, `qsort_r`, `bsearch` | exact; elements that compare equal come in any order | `stdlib.c` |
//! | `rand`, `rand_r`, `random`, `getenv` | arbitrary results in range; a string of the environment has at most 255 characters | `stdlib.c` |
//! | `atof`, `strtod`, `strtof`, `strtold` | exact for decimal numbers whose digits and power of ten are exact in the format, else arbitrary, not below zero before the sign | `strtod.c` |
//! | `fabs`, `sqrt`, `floor`, `ceil`, `trunc`, `round`, `rint`, `nearbyint`, `isnan`, `isinf`, `isfinite`, `finite`, `isnormal`, `signbit` and their `__` and `f`, `l` forms | exact | operation |
//! | `fmin`, `fmax`, `fdim`, `copysign`, `fmod`, `remainder`, `modf`, `lround`, `lrint`, `__fpclassify`, `ldexp`, `scalbn`, `ilogb`, `logb` and forms | exact | `math.c`, `scale.c` |
//! | `sin`, `cos`, `tan`, `exp`, `log`, `pow`, `fma` and the like, for `double` and `float` | exact where the result can be represented and is known, such as powers of whole numbers; else arbitrary within known bounds. Runs have the result of this machine's library | `transcendental.c` |
//! | the same for `long double`, `erf`, `tgamma` and the like | arbitrary; a run that calls them is not repeated | undefined, see `declared.rs` |
//! | `printf`, `puts`, `fflush` and other output, `close`, `unlink`, `clock` and the like | strings, buffers, streams and the arguments of formats are checked to be there; `%n` stores a count; no other effect but on `errno`, arbitrary result; not modelled if the format is unknown or the arguments do not suit it | `declared.rs`, `checked.rs` |
//! | `sprintf`, `snprintf` | exact, bounds checked; the text of floats and pointers is arbitrary; not modelled if the format is unknown | operation, `print.c` |
//! | `vprintf`, `vsprintf` and the like | undefined: variable arguments are not modelled | undefined |
//! | `scanf`, `fscanf`, `sscanf` | what the format says is stored, up to where reading stops; the result says how much. From a stream values are arbitrary, from a string exact; not modelled if the format is unknown or a pointer does not suit it | operation, `scan.c` |
//! | `getchar`, `getc`, `fgetc`, `fgets`, `gets`, `getline`, `fread`, `fwrite`, `fopen`, `fdopen`, `freopen`, `popen`, `tmpfile`, `fclose`, `pclose` | input arbitrary in range; a stream is an object of the library that is not freed but by closing it | `stdio.c` |
//! | `stdin`, `stdout`, `stderr` | pointers to streams of the library | `stdio.c` |
//! | `getpid` | arbitrary, and the same again | `unistd.c` |
//! | `read`, `write`, `pipe`, `time`, `localtime`, `gmtime`, `mktime`, `asctime`, `ctime`, `strftime`, `difftime`, `gettimeofday`, `clock_gettime` | arbitrary in range | `unistd.c` |
//! | `__errno_location` | an object of the thread; functions of input, output and numbers, and unknown code, may set it, but not to zero. Those on memory, strings and characters do not | `stdlib.c` |
//! | `__VERIFIER_atomic_begin`, `__VERIFIER_atomic_end`, functions named `__VERIFIER_atomic_*` | one step; no effect in programs without `pthread_create` | operation |
//! | `pthread_create`, `pthread_join`, `pthread_exit`, `pthread_self`, `pthread_once`, keys without destructors; mutexes of all kinds, spin locks, locks for readers and writers, barriers, semaphores, condition variables; `mtx_lock` and the other locks of `threads.h`, `call_once`; `sched_yield`, `sleep`, `usleep` | POSIX, where creation never fails; details in the file. Without `pthread_create`, who waits for a lock waits for ever | `pthread.c` |
//! | attributes of the above, `pthread_detach` | no effect, result 0 | operation |
//! | `fegetround`, `feclearexcept`, `feraiseexcept` | 0: numbers are rounded to the nearest | operation |
//! | `fesetround`, `fesetenv`, `feupdateenv`; `fetestexcept` and the like | not modelled | operation |
//! | `signal` | no effect: it is assumed, and said, that no handler runs | undefined |
//! | `pthread_cancel` and the rest of `pthread.h`, `thrd_create`, `clone`; `raise`; `setjmp`, `longjmp`, `atexit`, `fork`; `asprintf`, `getcwd`, `opendir`, `mmap` and others that hand out memory; wide characters, sets of signals, search trees, `getopt` and other functions whose results follow from what they are given | not modelled | operation |
//!
//! Models are written in C (`crates/front-c/libc`), under names with a prefix,
//! and compiled together with the program if it mentions one of them. There,
//! `__parallax_any_T()` is an arbitrary value, `__parallax_havoc(p, n)`
//! overwrites bytes with arbitrary ones, `__parallax_object_size(p)` is the
//! size of the object behind a pointer, `__parallax_assume(c)` drops runs,
//! `__parallax_errno(n)` sets `errno` unless `n` is zero, `__parallax_stream(p)`
//! checks that there is a stream, `__parallax_readable(p, n)` that there are
//! bytes, `__parallax_result_of_f(x)` is the result of `f`, which runs have from
//! this machine's library and which else is arbitrary, and `__parallax_thread_*` and
//! `__parallax_atomic_*` are the primitives for threads of
//! [`parallax_cfa::Primitive`].

mod checked;
mod declared;
mod effect;
mod environment;
mod format;
mod meaning;
mod memory;
mod models;
mod names;
mod print;
mod scan;
mod thread;

pub(crate) use checked::errno;
pub(crate) use declared::ASKED;
pub(crate) use effect::{Does, is_operation, operation_does};
pub(crate) use meaning::{Meaning, Meanings};
pub use models::{Model, models};
pub(crate) use names::{assumption, fails, is_atomic, is_watcher, modelled_name, puts_in_order};

use crate::lower::{Body, Way};
use crate::typed::Function;
use names::Operation;
use parallax_base::{Id, Span};
use parallax_cfa::{Expr, FloatFunction, Halt, Op, Type, Unary};
pub(crate) use thread::has_threads;

/// A call of a library function, arguments evaluated.
pub(crate) struct Request<'r> {
    /// The function.
    pub(crate) tree: Id<Function>,
    /// Its name.
    pub(crate) name: &'r str,
    /// The arguments; `None` for records.
    pub(crate) arguments: &'r [Option<Id<Expr>>],
    /// The type of the result.
    pub(crate) ty: Id<Type>,
    /// Where the result goes, if that is known: a whole variable.
    pub(crate) to: Option<&'r Way>,
    /// Whether the value is used otherwise.
    pub(crate) wanted: bool,
    /// The call.
    pub(crate) span: Span,
}

/// What became of a call.
pub(crate) enum Outcome {
    /// The result is where it should go.
    Stored,
    /// The result; `None` is an arbitrary one.
    Value(Option<Id<Expr>>),
}

impl Request<'_> {
    fn argument(&self, index: usize) -> Option<Id<Expr>> {
        self.arguments.get(index).copied().flatten()
    }
}

/// Lowers a call of a library function; it must be an operation, or one that
/// is declared and only looks at what it is given.
pub(crate) fn operation(body: &mut Body<'_, '_>, request: &Request<'_>) -> Outcome {
    let span = request.span;
    if let Meaning::Library(declaration) = body.cx.meanings.get(request.tree) {
        return body.declared(request, declaration);
    }
    match names::operation_of(request.name) {
        Some(Operation::Nothing) | None => Outcome::Value(None),
        Some(Operation::Zero) => Outcome::Value(Some(body.number(0))),
        Some(Operation::Unsupported(text)) => {
            body.unsupported(text, span);
            Outcome::Value(None)
        }
        Some(Operation::Input) => body.input(request),
        Some(Operation::Any) => body.any(request),
        Some(Operation::Assume) => {
            body.assume(request);
            Outcome::Value(None)
        }
        Some(Operation::Assert) => {
            body.assert(request);
            Outcome::Value(None)
        }
        Some(Operation::Error) => {
            let text = body.error_text(request);
            body.stop(Op::Error(text.into()), span);
            Outcome::Value(None)
        }
        Some(Operation::Halt) => {
            body.stop(Op::Halt(Halt::End), span);
            Outcome::Value(None)
        }
        Some(Operation::Allocate(index)) => body.allocate(request, index),
        Some(Operation::AllocateZero) => body.allocate_zero(request),
        Some(Operation::AllocateLocal) => body.allocate_local(request),
        Some(Operation::Free) => {
            body.free(request);
            Outcome::Value(None)
        }
        Some(Operation::Copy { to, from, end }) => body.copy_bytes(request, to, from, end),
        Some(Operation::Set) => body.set_bytes(request, request.argument(1), 2),
        Some(Operation::Clear) => {
            let zero = body.number(0);
            body.set_bytes(request, Some(zero), 1)
        }
        Some(Operation::Havoc) => body.havoc_bytes(request),
        Some(Operation::ObjectSize) => body.object_size(request),
        Some(Operation::Float(function)) => match request.argument(0) {
            Some(value) => {
                if function == FloatFunction::Sqrt {
                    body.square_root_error(value, span);
                }
                let value = body.float_function(Unary::Float(function), value, request.ty);
                Outcome::Value(Some(value))
            }
            None => Outcome::Value(None),
        },
        Some(Operation::InfinitySign) => body.infinity_sign(request),
        Some(Operation::Scan(format)) => body.scan(request, format),
        Some(Operation::Print { size, format }) => body.print(request, size, format),
        Some(Operation::Demand(rule)) => {
            body.demand_lock(request, rule);
            Outcome::Value(None)
        }
        Some(Operation::Readable) => {
            body.readable(request);
            Outcome::Value(None)
        }
        Some(Operation::Stream) => {
            if let Some(stream) = request.argument(0) {
                body.check_stream(stream, span);
            }
            Outcome::Value(None)
        }
        Some(Operation::Errno) => {
            if let Some(number) = request.argument(0) {
                body.set_errno(number, span);
            }
            Outcome::Value(None)
        }
        Some(Operation::Thread(primitive)) => body.thread(request, primitive),
        Some(Operation::Show(primitive)) => {
            let arguments = request.arguments.iter().copied().flatten().collect();
            body.primitive(None, primitive, arguments, span);
            Outcome::Value(None)
        }
    }
}
