//! Types and constant values of expressions, for both data models.

use super::{MODELS, evaluate};
use parallax_cfa::DataModel;

const DECLARATIONS: &str = "
    struct bits { int s5 : 5; unsigned u5 : 5; unsigned u32 : 32; long long l40 : 40; _Bool b : 1; };
    struct bits bits; const struct bits *constant;
    enum small { ZERO, ONE, TWO = 2 }; enum negative { MINUS = -1, PLUS };
    enum large { BIG = 0x80000000u, BIGGER = 0x100000000ll };
    enum small small; enum negative negative;
    char c; signed char sc; unsigned char uc; short s; unsigned short us; int i; unsigned u;
    long l; unsigned long ul; long long ll; unsigned long long ull; _Bool b;
    float f; double d; long double ld; _Float128 q;
    int *p; const int *cp; void *v; char *text; int array[10]; int matrix[3][4];
    int function(int, char *); int (*pointer)(int, char *); void nothing(void);
    struct s { char a; int b; struct { short x, y; } in[2]; union { int m; double n; }; } s1, *ps;
    typedef int T; volatile int vi; int vla(int n) { int a[n]; return sizeof a; }
";

/// Checks an expression against what is expected with ILP32 and LP64; one
/// expectation serves both if they agree.
fn check(cases: &[(&str, &[&str])]) {
    for model in MODELS {
        let expressions: Vec<String> = cases.iter().map(|(text, _)| (*text).to_owned()).collect();
        let results = evaluate(DECLARATIONS, &expressions, model);
        for ((text, expected), actual) in cases.iter().zip(results) {
            let expected = match model {
                DataModel::Ilp32 => expected[0],
                DataModel::Lp64 => expected[expected.len() - 1],
            };
            assert_eq!(actual, expected, "{text} with {model:?}");
        }
    }
}

#[test]
fn literals_have_the_first_type_that_fits() {
    check(&[
        ("0", &["int: 0"]),
        ("2147483647", &["int: 2147483647"]),
        ("2147483648", &["long long: 2147483648", "long: 2147483648"]),
        ("0x80000000", &["unsigned int: 2147483648"]),
        ("0xffffffff", &["unsigned int: 4294967295"]),
        ("4294967296", &["long long: 4294967296", "long: 4294967296"]),
        (
            "0x8000000000000000",
            &["unsigned long long: 9223372036854775808", "unsigned long: 9223372036854775808"],
        ),
        ("5u", &["unsigned int: 5"]),
        ("5l", &["long: 5"]),
        ("5ul", &["unsigned long: 5"]),
        ("5ll", &["long long: 5"]),
        ("0xffffffffl", &["unsigned long: 4294967295", "long: 4294967295"]),
        ("5ull", &["unsigned long long: 5"]),
        ("'a'", &["int: 97"]),
        ("'\\377'", &["int: -1"]),
        ("L'a'", &["long: 97", "int: 97"]),
        ("u'a'", &["unsigned short: 97"]),
        ("U'a'", &["unsigned int: 97"]),
        ("\"abc\"", &["char *"]),
        ("sizeof \"abc\"", &["unsigned int: 4", "unsigned long: 4"]),
        ("sizeof L\"abc\"", &["unsigned int: 16", "unsigned long: 16"]),
        ("ONE", &["int: 1"]),
        ("BIG", &["enum large: 2147483648"]),
        ("sizeof(enum large)", &["unsigned int: 8", "unsigned long: 8"]),
    ]);
}

#[test]
fn floats_are_rounded_once_and_to_even() {
    check(&[
        ("1.0", &["double: 0x3ff0000000000000"]),
        ("1.", &["double: 0x3ff0000000000000"]),
        (".5", &["double: 0x3fe0000000000000"]),
        ("0.1", &["double: 0x3fb999999999999a"]),
        ("0.1f", &["float: 0x3dcccccd"]),
        ("1e400", &["double: 0x7ff0000000000000"]),
        ("4.9406564584124654e-324", &["double: 0x1"]),
        ("2.4703282292062327e-324", &["double: 0x0"]),
        ("9007199254740993.0", &["double: 0x4340000000000000"]),
        ("16777217.0f", &["float: 0x4b800000"]),
        ("0x1.8p1", &["double: 0x4008000000000000"]),
        ("0x.8p0f", &["float: 0x3f000000"]),
        ("0x1p-1074", &["double: 0x1"]),
        ("0.1l", &["long double: 0x3ffbcccccccccccccccd"]),
        ("1.0l", &["long double: 0x3fff8000000000000000"]),
        ("1e4000l", &["long double: 0x73e6d1ba8323fe558c61"]),
        ("0.1 + 0.2", &["double: 0x3fd3333333333334"]),
        ("1.0f / 3", &["float: 0x3eaaaaab"]),
        ("(float)0.1", &["float: 0x3dcccccd"]),
        ("(int)2.9", &["int: 2"]),
        ("(int)-2.9", &["int: -2"]),
        ("(unsigned char)200.5", &["unsigned char: 200"]),
        ("1.0 / 0.0", &["double: 0x7ff0000000000000"]),
        ("__builtin_inff()", &["float: 0x7f800000"]),
        ("__builtin_nan(\"\")", &["double: 0x7ff8000000000000"]),
        ("__builtin_huge_vall()", &["long double: 0x7fff8000000000000000"]),
        ("__builtin_isnan(__builtin_nanf(\"\"))", &["int: 1"]),
        ("-0.0 == 0.0", &["int: 1"]),
    ]);
}

#[test]
fn promotions_and_common_types() {
    check(&[
        ("+c", &["int"]),
        ("+us", &["int"]),
        ("+b", &["int"]),
        ("-small", &["unsigned int"]),
        ("-negative", &["int"]),
        ("~uc", &["int"]),
        ("!d", &["int"]),
        ("+bits.s5", &["int"]),
        ("+bits.u5", &["int"]),
        ("+bits.u32", &["unsigned int"]),
        ("+bits.l40", &["long long"]),
        ("+bits.b", &["int"]),
        ("(bits.u5 = 3) + 0", &["int"]),
        ("bits.u5++ + 0", &["int"]),
        ("i + u", &["unsigned int"]),
        ("l + u", &["unsigned long", "long"]),
        ("ll + ul", &["long long", "unsigned long long"]),
        ("ll + l", &["long long"]),
        ("ul + ll", &["long long", "unsigned long long"]),
        ("i + f", &["float"]),
        ("f + d", &["double"]),
        ("ld + d", &["long double"]),
        ("q * ld", &["_Float128"]),
        ("c << ll", &["int"]),
        ("us >> 1", &["int"]),
        ("i < ull", &["int"]),
        ("i ? c : us", &["int"]),
        ("i ? i : d", &["double"]),
        ("i ? p : 0", &["int *"]),
        ("i ? p : v", &["void *"]),
        ("i ? p : (void *)0", &["int *"]),
        ("i ? p : cp", &["const int *"]),
        ("i ?: ll", &["long long"]),
        ("i ? nothing() : nothing()", &["void"]),
        ("-1 < 0u", &["int: 0"]),
        ("-1 < (unsigned short)0", &["int: 1"]),
        ("-1l < 0u", &["int: 0", "int: 1"]),
        ("(unsigned char)-1", &["unsigned char: 255"]),
        ("(char)200", &["char: -56"]),
        ("(_Bool)0.5", &["_Bool: 1"]),
        ("(_Bool)256", &["_Bool: 1"]),
        ("1 << 31", &["int: -2147483648"]),
        ("-7 / 2", &["int: -3"]),
        ("-7 % 2", &["int: -1"]),
        ("-1 >> 1", &["int: -1"]),
        ("~0u >> 31", &["unsigned int: 1"]),
        ("2147483647 + 1", &["int: -2147483648"]),
        ("0 && i", &["int: 0"]),
        ("1 || i", &["int: 1"]),
        ("1 ? 2 : i", &["int: 2"]),
        ("(__int128)1 << 100", &["__int128: 1267650600228229401496703205376"]),
    ]);
}

#[test]
fn pointers_arrays_and_functions() {
    check(&[
        ("array", &["int *"]),
        ("&array", &["int (*)[10]"]),
        ("matrix", &["int (*)[4]"]),
        ("*matrix", &["int *"]),
        ("matrix[1][2]", &["int"]),
        ("2[array]", &["int"]),
        ("p + 1", &["int *"]),
        ("p - 1", &["int *"]),
        ("p - p", &["int", "long"]),
        ("p == 0", &["int"]),
        ("v + 1", &["void *"]),
        ("&i", &["int *"]),
        ("&vi", &["volatile int *"]),
        ("function", &["int (*)(int, char *)"]),
        ("&function", &["int (*)(int, char *)"]),
        ("**function", &["int (*)(int, char *)"]),
        ("pointer(1, text)", &["int"]),
        ("(*pointer)(1, text)", &["int"]),
        ("ps->in[1].y", &["short"]),
        ("s1.n", &["double"]),
        ("(char)p", &["char"]),
        ("(T *)0", &["int *: 0"]),
        ("&((struct s *)0)->in[1].y", &["short *: 14"]),
        ("(long)&((struct s *)0)->n", &["long: 16"]),
        ("__builtin_offsetof(struct s, in[1].y)", &["unsigned int: 14", "unsigned long: 14"]),
        ("(int *)8 - (int *)4", &["int: 1", "long: 1"]),
        ("({ int x = 1; x + 1; })", &["int"]),
        ("({ if (i) i = 1; })", &["void"]),
        ("(struct s){ 1 }.b", &["int"]),
        ("&(int){ 3 }", &["int *"]),
        ("i = c", &["int"]),
        ("c += d", &["char"]),
        ("p++", &["int *"]),
        ("i, c", &["char"]),
    ]);
}

#[test]
fn sizes_and_questions_about_types() {
    check(&[
        ("sizeof(long)", &["unsigned int: 4", "unsigned long: 8"]),
        ("sizeof(void *)", &["unsigned int: 4", "unsigned long: 8"]),
        ("sizeof(long double)", &["unsigned int: 12", "unsigned long: 16"]),
        ("sizeof array", &["unsigned int: 40", "unsigned long: 40"]),
        ("sizeof matrix[0]", &["unsigned int: 16", "unsigned long: 16"]),
        ("sizeof(struct s)", &["unsigned int: 24", "unsigned long: 24"]),
        ("sizeof(void)", &["unsigned int: 1", "unsigned long: 1"]),
        ("sizeof function", &["unsigned int: 1", "unsigned long: 1"]),
        ("sizeof(i++)", &["unsigned int: 4", "unsigned long: 4"]),
        ("sizeof(int[i])", &["unsigned int", "unsigned long"]),
        ("_Alignof(double)", &["unsigned int: 4", "unsigned long: 8"]),
        ("_Alignof(long double)", &["unsigned int: 4", "unsigned long: 16"]),
        ("_Generic(i, int: 1, default: 2)", &["int: 1"]),
        ("_Generic(c, int: 1, default: 2)", &["int: 2"]),
        ("_Generic(cp, int *: 1, const int *: 2)", &["int: 2"]),
        ("_Generic(ul, unsigned: 1, unsigned long: 2)", &["int: 2"]),
        ("_Generic(\"x\", char *: 1, default: 2)", &["int: 1"]),
        ("__builtin_types_compatible_p(T, int)", &["int: 1"]),
        ("__builtin_types_compatible_p(char, signed char)", &["int: 0"]),
        ("__builtin_types_compatible_p(int[], int[5])", &["int: 1"]),
        ("__builtin_choose_expr(1, c, d)", &["char"]),
        ("__builtin_constant_p(3 + 4)", &["int: 1"]),
        ("__builtin_constant_p(i)", &["int: 0"]),
        ("__builtin_constant_p(\"a\")", &["int: 1"]),
        ("(typeof(d))1", &["double: 0x3ff0000000000000"]),
        ("__builtin_classify_type(d)", &["int: 8"]),
    ]);
}

#[test]
fn builtins_have_their_types() {
    check(&[
        ("__builtin_expect(i, 1)", &["long"]),
        ("__builtin_clz(1)", &["int: 31"]),
        ("__builtin_clzl(1)", &["int: 31", "int: 63"]),
        ("__builtin_ctzll(8)", &["int: 3"]),
        ("__builtin_popcount(255)", &["int: 8"]),
        ("__builtin_parity(7)", &["int: 1"]),
        ("__builtin_bswap16(0x1234)", &["unsigned short: 13330"]),
        ("__builtin_bswap32(1)", &["unsigned int: 16777216"]),
        ("__builtin_strlen(text)", &["unsigned int", "unsigned long"]),
        ("__builtin_memcpy(v, p, 4)", &["void *"]),
        ("malloc(4)", &["void *"]),
        ("printf(\"%d\", 1)", &["int"]),
        ("__builtin_sqrtf(f)", &["float"]),
        ("__builtin_fabsl(ld)", &["long double"]),
        ("__builtin_add_overflow(i, l, &ll)", &["_Bool"]),
        ("__builtin_smul_overflow(i, i, &i)", &["_Bool"]),
        ("__builtin_sub_overflow_p(i, i, (char)0)", &["_Bool"]),
        ("__sync_fetch_and_add(&l, 1)", &["long"]),
        ("__sync_bool_compare_and_swap(&i, 1, 2)", &["_Bool"]),
        ("__sync_val_compare_and_swap_4(&i, 1, 2)", &["int"]),
        ("__atomic_load_n(&uc, 5)", &["unsigned char"]),
        ("__atomic_compare_exchange_n(&i, &i, 2, 0, 5, 5)", &["_Bool"]),
        ("__atomic_exchange(&i, &i, &i, 5)", &["void"]),
        (
            "__builtin_object_size(v, 0)",
            &["unsigned int: 4294967295", "unsigned long: 18446744073709551615"],
        ),
        ("__builtin_return_address(0)", &["void *"]),
        ("__builtin_unreachable()", &["void"]),
        ("undeclared(1, 2.0)", &["int"]),
    ]);
}
