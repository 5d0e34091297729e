//! The models of the C library, run by the interpreter: each line is a claim
//! that a real library keeps as well.

use parallax_base::SourceMap;
use parallax_cfa::run::{CheckSet, Interpreter, Options as RunOptions, Outcome, Recorded};
use parallax_cfa::{DataModel, validate};
use parallax_front_c::{Input, Options, load};

/// Declarations as a program has them after preprocessing.
const HEADER: &str = r#"
typedef __typeof__(sizeof(0)) size_t;
extern void reach_error(void);
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t); int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t);
size_t strlen(const char *); size_t strnlen(const char *, size_t);
int strcmp(const char *, const char *); int strncmp(const char *, const char *, size_t);
int strcasecmp(const char *, const char *);
char *strcpy(char *, const char *); char *strncpy(char *, const char *, size_t);
char *stpcpy(char *, const char *);
char *strcat(char *, const char *); char *strncat(char *, const char *, size_t);
char *strchr(const char *, int); char *strrchr(const char *, int);
char *strstr(const char *, const char *); char *strpbrk(const char *, const char *);
size_t strspn(const char *, const char *); size_t strcspn(const char *, const char *);
char *strdup(const char *); char *strndup(const char *, size_t); char *strtok(char *, const char *);
int abs(int); long labs(long); int atoi(const char *); long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
typedef struct { int quot, rem; } div_t; div_t div(int, int);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int isalpha(int); int isspace(int); int ispunct(int); int toupper(int);
const unsigned short **__ctype_b_loc(void); const int **__ctype_toupper_loc(void);
double fabs(double); double sqrt(double); double floor(double); double fmin(double, double);
double copysign(double, double); float ceilf(float); int __fpclassify(double); int __isinf(double);
long lround(double); int *__errno_location(void); int rand(void);
unsigned htonl(unsigned); unsigned short ntohs(unsigned short); int ffs(int); long imaxabs(long);
void swab(const void *, void *, long); size_t wcslen(const int *);
void *memmem(const void *, size_t, const void *, size_t);
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
"#;

/// What must hold, with the statements before it.
const CLAIMS: &[(&str, &str)] = &[
    ("", r#"strlen("") == 0 && strlen("abc") == 3 && __builtin_strlen("ab\0c") == 2"#),
    ("", r#"strnlen("abc", 2) == 2 && strnlen("abc", 9) == 3"#),
    ("", r#"strcmp("a", "b") < 0 && strcmp("ab", "a") > 0 && strcmp("\377", "a") > 0"#),
    ("", r#"strncmp("abc", "abd", 2) == 0 && strncmp("abc", "abd", 3) < 0"#),
    ("", r#"strcasecmp("HeLLo", "hEllO") == 0 && strcasecmp("a", "B") < 0"#),
    ("char b[8]; char *r = strcpy(b, \"xyz\");", "r == b && b[2] == 'z' && b[3] == 0"),
    ("char b[8]; strncpy(b, \"ab\", 5);", "b[1] == 'b' && b[2] == 0 && b[4] == 0"),
    ("char b[8]; char *e = stpcpy(b, \"ab\");", "e == b + 2 && *e == 0"),
    (
        "char b[9] = \"ab\"; strcat(b, \"cd\"); strncat(b, \"efg\", 2);",
        "strcmp(b, \"abcdef\") == 0",
    ),
    ("char *s = \"hello\";", "strchr(s, 'l') == s + 2 && strrchr(s, 'l') == s + 3"),
    ("char *s = \"hello\";", "strchr(s, 'x') == 0 && strchr(s, 0) == s + 5"),
    (
        "char *s = \"hello\";",
        "strstr(s, \"lo\") == s + 3 && !strstr(s, \"lx\") && strstr(s, \"\") == s",
    ),
    ("char *s = \"hello\";", "strspn(s, \"leh\") == 4 && strcspn(s, \"ol\") == 2"),
    ("char *s = \"hello\";", "strpbrk(s, \"ol\") == s + 2 && memchr(s, 'o', 5) == s + 4"),
    (
        "char *s = strdup(\"hi\"), *t = strndup(\"hello\", 2);",
        "!strcmp(s, \"hi\") && !strcmp(t, \"he\")",
    ),
    (
        "char b[] = \"a,b;;c\"; int n = 0; for (char *t = strtok(b, \",;\"); t; t = strtok(0, \",;\")) n++;",
        "n == 3",
    ),
    ("", r#"memcmp("abc", "abd", 3) < 0 && memcmp("abc", "abd", 2) == 0"#),
    ("int a[4] = {1, 2, 3, 4}; memmove(a + 1, a, 12);", "a[0] == 1 && a[1] == 1 && a[3] == 3"),
    ("int a[2]; memset(a, 255, sizeof a);", "a[0] == -1 && a[1] == -1"),
    (
        "struct { int x, y; } a = {1, 2}, b; memcpy(&b, &a, sizeof a); memset(&a, 0, sizeof a);",
        "b.y == 2 && a.y == 0",
    ),
    ("int *p = calloc(3, sizeof *p); p[1] = 7; p = realloc(p, 40);", "p[0] == 0 && p[1] == 7"),
    ("", "calloc((size_t)-1, 16) == 0"),
    (
        "void (*f)(void *) = free; void *(*m)(size_t) = malloc; int *p = m(4); *p = 3; int v = *p; f(p);",
        "v == 3",
    ),
    ("", r#"abs(-4) == 4 && labs(-5L) == 5 && atoi("  -17x") == -17"#),
    ("char *e; long v = strtol(\"0x1fz\", &e, 0);", "v == 31 && *e == 'z'"),
    ("char *e; long v = strtol(\"zz\", &e, 10);", "v == 0 && *e == 'z'"),
    ("", r#"strtoul("777", 0, 8) == 511 && strtol("-9999999999999999999", 0, 10) < -2147483647"#),
    ("div_t d = div(-7, 2);", "d.quot == -3 && d.rem == -1"),
    (
        "int a[5] = {5, 2, 9, 1, 7}; qsort(a, 5, sizeof(int), order);",
        "a[0] == 1 && a[2] == 5 && a[4] == 9",
    ),
    (
        "int a[3] = {1, 4, 9}, k = 4, m = 5;",
        "bsearch(&k, a, 3, 4, order) == a + 1 && !bsearch(&m, a, 3, 4, order)",
    ),
    ("", "isalpha('q') && !isalpha('4') && isspace('\\t') && ispunct('!') && toupper('a') == 'A'"),
    (
        "",
        "((*__ctype_b_loc())['7'] & 2048) && !((*__ctype_b_loc())['x'] & 2048) && (*__ctype_toupper_loc())['b'] == 'B'",
    ),
    ("", "fabs(-2.5) == 2.5 && sqrt(9.0) == 3.0 && floor(-0.5) == -1.0 && ceilf(0.5f) == 1.0f"),
    ("", "fmin(1.0, 2.0) == 1.0 && fmin(0.0 / 0.0, 2.0) == 2.0 && copysign(3.0, -0.0) == -3.0"),
    (
        "",
        "__fpclassify(0.0) == 2 && __fpclassify(1e-310) == 3 && __fpclassify(1.0) == 4 && __fpclassify(1.0 / 0.0) == 1",
    ),
    ("", "__isinf(-1.0 / 0.0) == -1 && __isinf(1.0) == 0 && lround(2.5) == 3"),
    ("", "htonl(0x01020304) == 0x04030201 && ntohs(0x1234) == 0x3412 && imaxabs(-3) == 3"),
    ("", "ffs(0) == 0 && ffs(8) == 4 && ffs(-1) == 1"),
    ("char a[4] = {1, 2, 3, 4}, b[4] = {0}; swab(a, b, 3);", "b[0] == 2 && b[1] == 1 && !b[2]"),
    (
        "char a[4] = {1, 2, 2, 3}; int w[3] = {7, 8, 0};",
        "memmem(a, 4, a + 2, 2) == a + 2 && wcslen(w) == 2",
    ),
    ("*__errno_location() = 4;", "*__errno_location() == 4 && rand() >= 0"),
];

fn outcome(body: &str, model: DataModel) -> (Outcome, String) {
    let text = format!("{HEADER}\nint main(void) {{\n{body}\nreturn 0;\n}}\n");
    let options = Options { model, ..Options::default() };
    let mut sources = SourceMap::default();
    let loaded = load(&mut sources, &[Input::text("t.i", text)], &options).expect(body);
    assert!(loaded.unsupported.is_empty(), "{body}: {:?}", loaded.unsupported);
    assert_eq!(validate(&loaded.program), Vec::<String>::new(), "{body}");
    let options = RunOptions { checks: CheckSet::all(), ..RunOptions::default() };
    let report = Interpreter::new(&loaded.program, options).run(&mut Recorded::new(Vec::new()));
    let place = report.position.map_or(String::new(), |at| sources.place(at.span));
    (report.outcome, place)
}

#[test]
fn models_do_what_the_library_does() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        for (before, claim) in CLAIMS {
            let body = format!("{before}\nif (!({claim})) reach_error();");
            let (outcome, place) = outcome(&body, model);
            assert_eq!(outcome, Outcome::Exit(Some(0)), "{model:?} {body}\nat {place}");
        }
    }
}

#[test]
fn models_check_their_accesses() {
    for body in [
        "char b[2]; strcpy(b, \"ab\");",
        "char b[2] = {'a', 'b'}; strlen(b);",
        "int a[2]; memset(a, 0, 9);",
        "int *p = malloc(4); free(p); free(p);",
        "int x; free(&x);",
        "char *s = \"ro\"; s[0] = 'x';",
        "memcpy(malloc(4), \"abc\", 5);",
        "realloc((char *)malloc(4) + 1, 8);",
    ] {
        let (outcome, _) = outcome(body, DataModel::Lp64);
        assert!(matches!(outcome, Outcome::Undefined(_)), "{body}: {outcome}");
    }
}

#[test]
fn what_has_no_model_says_so() {
    for (declarations, body) in [
        (
            "int thrd_create(unsigned long *, int (*)(void *), void *);",
            "unsigned long t; thrd_create(&t, 0, 0);",
        ),
        ("int clone(int (*)(void *), void *, int, void *, ...);", "clone(0, 0, 0, 0);"),
        ("int raise(int);", "raise(6);"),
        ("int atexit(void (*)(void));", "atexit(0);"),
        ("int fork(void);", "fork();"),
    ] {
        let text = format!("{HEADER}\n{declarations}\nint main(void) {{ {body} return 0; }}\n");
        let mut sources = SourceMap::default();
        let input = Input::text("t.i", text);
        let loaded = load(&mut sources, &[input], &Options::default()).expect(body);
        assert_eq!(loaded.unsupported.len(), 1, "{body}: {:?}", loaded.unsupported);
    }
}

#[test]
fn what_is_assumed_of_the_library_is_said() {
    let text = "void (*signal(int, void (*)(int)))(int); void f(int n) {} \
        int main(void) { signal(2, f); return 0; }";
    let mut sources = SourceMap::default();
    let input = Input::text("t.i", text.to_owned());
    let loaded = load(&mut sources, &[input], &Options::default()).expect("the program is correct");
    assert_eq!(loaded.assumed, ["signals do not arrive: no handler runs".into()]);
}
