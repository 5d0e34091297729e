//! Initializers, flattened.

use super::{init_text, program};
use parallax_cfa::DataModel;

/// Checks the initializer of the last variable named `x`: its type's size and
/// its items.
fn check(text: &str, expected: &str) {
    let program = program(&[text], DataModel::Lp64);
    let variable = program.variables.iter().rfind(|v| &*v.name == "x").expect("a variable x");
    let size = program.types.size_of(variable.ty).expect("complete");
    let init = variable.init.as_ref().map_or("none".to_owned(), |i| init_text(&program, i));
    assert_eq!(format!("{size}: {init}"), expected, "{text}");
}

#[test]
fn lists_with_and_without_braces() {
    check("int x = 5;", "4: =5");
    check("int x = { 5 };", "4: =5");
    check("int x;", "4: none");
    check("char x = 300;", "1: =44");
    check("int x[3] = { 1, 2 };", "12: [0]=1 [1]=2 rest");
    check("int x[] = { 1, 2, 3 };", "12: [0]=1 [1]=2 [2]=3");
    check("int x[2][2] = { 1, 2, 3 };", "16: [0][0]=1 [0][1]=2 [1][0]=3 rest");
    check("int x[][2] = { { 1 }, { 2, 3 } };", "16: [0][0]=1 [1][0]=2 [1][1]=3 rest");
    check("int x[][2] = { 1, 2, 3 };", "16: [0][0]=1 [0][1]=2 [1][0]=3 rest");
    check("struct { int a, b; } x = { 1, 2 };", "8: .a=1 .b=2");
    check(
        "struct { int a; struct { int b, c; } d; int e; } x = { 1, 2, 3, 4 };",
        "16: .a=1 .d.b=2 .d.c=3 .e=4",
    );
    check(
        "struct { struct { int a[2]; } s[2]; int z; } x = { { { { 1, 2 } }, 3 }, 4 };",
        "20: .s[0].a[0]=1 .s[0].a[1]=2 .s[1].a[0]=3 .z=4 rest",
    );
    check("union { int a; char b; } x = { 7 };", "4: .a=7");
    check("struct { int a : 3; int : 5; int b : 4; } x = { 1, 2 };", "4: .a=1 .b=2 rest");
    check("struct { int a; struct { int b; }; int c; } x = { 1, 2, 3 };", "12: .a=1 .?.b=2 .c=3");
    check("struct { int a; } x = { };", "4: rest");
}

#[test]
fn designators_and_ranges() {
    check("int x[5] = { [2] = 3, 4 };", "20: [2]=3 [3]=4 rest");
    check("int x[] = { [4] = 1, [1] = 2, 3 };", "20: [4]=1 [1]=2 [2]=3 rest");
    check("int x[6] = { [1 ... 3] = 7, 8 };", "24: [1..3]=7 [4]=8 rest");
    check("struct { int a, b, c; } x = { .b = 2, 3 };", "12: .b=2 .c=3 rest");
    check("struct { int a, b; } x = { .b = 1, .a = 2 };", "8: .b=1 .a=2 rest");
    check("struct { int a, b; } x = { .a = 1, .a = 2 };", "8: .a=2 rest");
    check("struct { int a[3]; int b; } x = { .a[1] = 5, 6, 7 };", "16: .a[1]=5 .a[2]=6 .b=7 rest");
    check("struct { struct { int a, b; }; int c; } x = { .b = 1, 2 };", "12: .?.b=1 .c=2 rest");
    check(
        "union { int a; struct { char b, c; } d; } x = { .d = { 1, 2 } };",
        "4: .d.b=1 .d.c=2 rest",
    );
    check("struct { int a, b; } x[] = { [1].b = 2, { 3 } };", "24: [1].b=2 [2].a=3 rest");
    check("struct { int a; } x = { a: 4 };", "4: .a=4 rest");
}

#[test]
fn strings_addresses_and_constants() {
    check("char x[] = \"abc\";", "4: =load");
    check("char x[] = { \"abc\" };", "4: =load");
    check("char x[3] = \"abc\";", "3: =load");
    check("char x[10] = \"abc\";", "10: =load rest");
    check("char x[][4] = { \"a\", \"b\" };", "8: [0]=load [1]=load rest");
    check("char *x = \"abc\";", "8: =Decay");
    check("struct { char a[4]; int b; } x = { \"ab\", 1 };", "8: .a=load .b=1 rest");
    check("int y; int *x = &y;", "8: =AddressOf");
    check("int y[3]; int *x = y + 1;", "8: =PointerAdd");
    check("int *x = (int *)4;", "8: =4");
    check("int f(void); void *x = (void *)f;", "8: =Convert");
    check("double x = 1;", "8: =0x3ff0000000000000");
    check("float x = 0.1;", "4: =0x3dcccccd");
    check("int x = sizeof(int) * 2;", "4: =8");
    check("static const int y = 3; int x = y;", "4: =3");
    check("struct s { int a, b; }; struct s x = (struct s){ 1, 2 };", "8: .a=1 .b=2");
    check("int *x = (int[]){ 1, 2 };", "8: =Decay");
    check(
        "struct { int n; int a[]; } x = { 2, { 5, 6 } };",
        "4: .n=2 .a[0]=5 .a[1]=6 rest size 12",
    );
    check("struct { int n; char a[]; } x = { 2, \"hello\" };", "4: .n=2 .a=load rest size 10");
    check("void f(void) { static int x = 3; }", "4: =3");
}
