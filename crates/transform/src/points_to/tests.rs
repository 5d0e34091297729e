//! What the analysis predicts on small programs.

use super::*;
use crate::testing::Build;
use parallax_cfa::Callee;

/// The names of the variables, functions and heap objects a pointer may point to.
fn names(program: &Program, points_to: &PointsTo, e: Id<Expr>) -> Vec<String> {
    let mut names: Vec<String> = points_to
        .targets(e)
        .into_iter()
        .map(|t| {
            let name = match points_to.objects()[t.object].kind {
                ObjectKind::Variable(v) => program.variables[v].name.to_string(),
                ObjectKind::Function(f) => program.functions[f].name.to_string(),
                ObjectKind::Heap { edge, .. } => format!("heap{}", edge.index()),
                ObjectKind::Result(_) => String::from("result"),
                ObjectKind::Unknown => String::from("unknown"),
            };
            match t.offset {
                Offset::At(0) => name,
                Offset::At(n) => format!("{name}+{n}"),
                Offset::Out(n) => format!("{name}!{n}"),
                Offset::Any => format!("{name}+?"),
            }
        })
        .collect();
    names.sort();
    names
}

#[test]
fn members_are_told_apart_and_arrays_are_not() {
    let mut b = Build::new();
    let int = b.int();
    let pointer = b.pointer(int);
    let (pair, record) = b.record(&[pointer, pointer]);
    let many = b.array(pair, 10);
    let (x, y, i) = (b.local("x", int), b.local("y", int), b.local("i", int));
    let a = b.local("a", many);
    b.input(i);
    let index = b.get(i);
    let (two, x, y) = (b.num(2), b.whole(x), b.whole(y));
    let (x, y) = (b.address(x), b.address(y));
    let whole = b.whole(a);
    let (at_i, at_2) = (b.index(whole, index), b.index(whole, two));
    let (first, second) = (b.member(at_2, record, 0), b.member(at_2, record, 1));
    b.store(first, x);
    b.store(second, y);
    // Through a pointer that walks over the array.
    let element = b.address(at_i);
    let next = b.plus(element, index);
    let star = b.star(next);
    let (first, second) = (b.member(star, record, 0), b.member(star, record, 1));
    let (first, second) = (b.load(first), b.load(second));
    let r = b.local("r", pointer);
    b.assign(r, first);
    b.assign(r, second);
    let program = b.finish();
    let points_to = PointsTo::analyze(&program, &Options::default());
    assert_eq!(names(&program, &points_to, first), ["x"]);
    assert_eq!(names(&program, &points_to, second), ["y"]);
    assert_eq!(names(&program, &points_to, next), ["a"]);
}

#[test]
fn bytes_of_a_pointer_carry_it_and_container_of_goes_back() {
    let mut b = Build::new();
    let (int, long) = (b.int(), b.long());
    let pointer = b.pointer(int);
    let (node, record) = b.record(&[long, pointer, long]);
    let character = b.program.types.int(parallax_cfa::IntKind::Char);
    let bytes = b.pointer(character);
    let to_node = b.pointer(node);
    let (x, n, i) = (b.local("x", int), b.local("n", node), b.local("i", long));
    let whole = b.whole(n);
    let (link, x) = (b.member(whole, record, 1), b.whole(x));
    let x = b.address(x);
    b.store(link, x);
    // An integer made from the pointer in the structure, read byte-wise.
    let inside = b.address(link);
    let text = b.convert(inside, bytes);
    let letter = b.star(text);
    let letter = b.load(letter);
    let c = b.local("c", character);
    b.assign(c, letter);
    // The structure from a pointer to its member, through an integer.
    let number = b.convert(inside, long);
    let eight = b.constant(8, long);
    let moved = b.binary(parallax_cfa::Binary::Sub, number, eight);
    b.assign(i, moved);
    let again = b.get(i);
    let again = b.convert(again, to_node);
    let p = b.local("p", to_node);
    b.assign(p, again);
    let last = b.star(again);
    let last = b.member(last, record, 2);
    b.store(last, eight);
    let program = b.finish();
    let points_to = PointsTo::analyze(&program, &Options::default());
    assert_eq!(names(&program, &points_to, letter), ["x"]);
    assert_eq!(names(&program, &points_to, again), ["n"]);
    let regions = points_to.regions(&program);
    let region = |p| match regions.of_place(p) {
        Some(Accessed::Region(r)) => regions.regions[r].clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(region(link).kind, CellKind::Bytes);
    assert!(region(last).is_scalar());
    assert!(!points_to.may_alias(link, last));
}

#[test]
fn calls_through_tables_are_found() {
    let mut b = Build::new();
    let int = b.int();
    let main = b.current;
    let (f, g, h) = (b.function("f", &[int]), b.function("g", &[int]), b.function("h", &[int]));
    for function in [f, g, h] {
        b.enter(function);
        let n = b.num(1);
        b.ret(n);
    }
    b.enter(main);
    let (f, g) = (b.function_address(f), b.function_address(g));
    let pointer = b.program.types.pointer(b.program.functions[h].ty);
    let table = b.array(pointer, 4);
    let (t, i) = (b.global("table", table), b.local("i", int));
    b.input(i);
    let whole = b.whole(t);
    let (one, two) = (b.num(1), b.num(2));
    let (one, two) = (b.index(whole, one), b.index(whole, two));
    b.store(one, f);
    b.store(two, g);
    let index = b.get(i);
    let any = b.index(whole, index);
    let any = b.load(any);
    b.call(None, Callee::Indirect(any), &[index]);
    let program = b.finish();
    let points_to = PointsTo::analyze(&program, &Options::default());
    assert_eq!(names(&program, &points_to, any), ["f", "g"]);
    assert_eq!(points_to.callees(any).0.len(), 2);
    assert_eq!(points_to.reached().len(), 3);
}

#[test]
fn undefined_functions_leak_what_they_are_given() {
    let check = |undefined, expected: &[&str]| {
        let mut b = Build::new();
        let int = b.int();
        let main = b.current;
        let pointer = b.pointer(int);
        let pointers = b.pointer(pointer);
        let f = b.function_returning("f", &[pointers], pointer);
        b.undefine(f);
        b.enter(main);
        let (x, y, p) = (b.local("x", int), b.local("y", int), b.local("p", pointer));
        let (g, r) = (b.global("g", int), b.local("r", pointer));
        let (x, y, whole) = (b.whole(x), b.whole(y), b.whole(p));
        let (x, _) = (b.address(x), (b.address(y), g));
        b.assign(p, x);
        let n = b.num(1);
        let inside = b.star(x);
        b.store(inside, n);
        let p = b.address(whole);
        b.call(Some(r), Callee::Direct(f), &[p]);
        let r = b.get(r);
        let star = b.star(r);
        b.store(star, n);
        let program = b.finish();
        let points_to = PointsTo::analyze(&program, &Options { undefined, ..Options::default() });
        assert_eq!(names(&program, &points_to, r), ["unknown"]);
        let mut found: Vec<_> = points_to
            .pointees(r)
            .into_iter()
            .filter_map(|o| match points_to.objects()[o].kind {
                ObjectKind::Variable(v) => Some(&*program.variables[v].name),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        assert_eq!(found, expected);
        // A store through the result touches exactly what it may point to.
        let regions = points_to.regions(&program);
        let touched = |place| match regions.of_place(place) {
            Some(Accessed::Region(r)) => regions.regions[r].cells.len(),
            other => panic!("{other:?}"),
        };
        let others = expected.iter().filter(|n| **n == "x").count();
        assert_eq!(touched(star), 1 + others);
    };
    check(Undefined::Everything, &["g", "p", "x"]);
    check(Undefined::Arguments, &["p", "x"]);
    check(Undefined::Nothing, &[]);
}

#[test]
fn a_coarse_result_contains_the_precise_one() {
    let mut b = Build::new();
    let int = b.int();
    let pointer = b.pointer(int);
    let mut loads = Vec::new();
    let variables: Vec<_> = (0..40).map(|i| b.local(&format!("x{i}"), int)).collect();
    let pointers: Vec<_> = (0..40).map(|i| b.local(&format!("p{i}"), pointer)).collect();
    for i in 0..40 {
        let x = b.whole(variables[i]);
        let x = b.address(x);
        b.assign(pointers[i], x);
        let other = b.get(pointers[(i * 7 + 1) % 40]);
        b.assign(pointers[i / 2], other);
        loads.push(other);
    }
    let program = b.finish();
    let precise = PointsTo::analyze(&program, &Options::default());
    let coarse = PointsTo::analyze(&program, &Options { limit: 10, ..Options::default() });
    assert!(coarse.is_coarse() && !precise.is_coarse());
    for load in loads {
        let (all, some) = (coarse.pointees(load), precise.pointees(load));
        assert!(some.is_subset(&all) && !some.is_empty());
    }
}

#[test]
fn heap_objects_take_the_type_they_are_used_as() {
    let mut b = Build::new();
    let int = b.int();
    let pointer = b.pointer(int);
    let (cell, record) = b.record(&[pointer, int, int]);
    let (to_cell, void) = (b.pointer(cell), b.program.types.intern(parallax_cfa::Type::Void));
    let raw = b.pointer(void);
    let (t, p, x, i) =
        (b.local("$t", raw), b.local("p", to_cell), b.local("x", int), b.local("i", int));
    b.allocate(t, 160);
    let made = b.get(t);
    let made = b.convert(made, to_cell);
    b.assign(p, made);
    b.input(i);
    let (p, i, x) = (b.get(p), b.get(i), b.whole(x));
    let at = b.plus(p, i);
    let (at, x) = (b.star(at), b.address(x));
    let (first, second, third) =
        (b.member(at, record, 0), b.member(at, record, 1), b.member(at, record, 2));
    let n = b.num(4);
    b.store(first, x);
    b.store(second, n);
    b.store(third, n);
    let program = b.finish();
    let points_to = PointsTo::analyze(&program, &Options::default());
    let regions = points_to.regions(&program);
    let kinds: Vec<CellKind> = [first, second, third]
        .map(|place| match regions.of_place(place) {
            Some(Accessed::Region(r)) => regions.regions[r].kind,
            other => panic!("{other:?}"),
        })
        .to_vec();
    assert_eq!(kinds, [CellKind::Pointer, CellKind::Int(32), CellKind::Int(32)]);
    assert!(!points_to.may_alias(second, third));
}
