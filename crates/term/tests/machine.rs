//! Machine data: constructors, evaluator and text agree.

#[path = "machine/mod.rs"]
mod machine;
#[allow(dead_code, reason = "only the generator of numbers is needed here")]
mod random;

use machine::{EXACT, FLOATS, Machine};
use parallax_term::{Bv, Code, FloatFormat, Op, Scratch, Sort, Term, TermStore, Value};

fn eval(machine: &Machine, term: Term) -> Value {
    let slot = |t: Term| machine.state.iter().position(|(s, _)| *s == t);
    let code = Code::compile(&machine.store, &[term], slot);
    let state: Vec<Value> = machine.state.iter().map(|(_, v)| v.clone()).collect();
    code.eval(&state, &mut Scratch::default())
}

#[test]
fn normal_forms_mean_what_was_built() {
    for seed in 0..30_000 {
        let sorts = if seed % 3 == 0 { FLOATS } else { EXACT };
        let machine = &mut Machine::new(seed, sorts);
        let sort = sorts[seed as usize % sorts.len()];
        let size = machine.random.below(24);
        let sample = machine.term(sort, size);
        assert_eq!(machine.store.sort(sample.term), sort);
        let found = eval(machine, sample.term);
        assert_eq!(found, sample.value, "seed {seed}: {}", machine.store.infix(sample.term));
        // With the values in place of the symbols everything is folded.
        let pairs: Vec<(Term, Term)> = machine
            .state
            .clone()
            .into_iter()
            .map(|(symbol, value)| (symbol, machine.store.constant(value)))
            .collect();
        let ground = machine.store.substitute(sample.term, &pairs);
        assert_eq!(machine.store.value(ground), Some(&sample.value), "seed {seed}");
    }
}

#[test]
fn reading_is_the_inverse_of_printing() {
    for seed in 0..8000 {
        let sorts = if seed % 2 == 0 { FLOATS } else { EXACT };
        let machine = &mut Machine::new(seed, sorts);
        let sort = sorts[seed as usize % sorts.len()];
        let size = machine.random.below(30);
        let term = machine.term(sort, size).term;
        let text = machine.store.smtlib(term);
        let names: Vec<_> =
            machine.state.iter().map(|(s, _)| (machine.store.name(*s).cloned(), *s)).collect();
        let scope =
            |name: &str| names.iter().find(|(n, _)| n.as_deref() == Some(name)).map(|(_, s)| *s);
        let back = machine.store.read_smtlib_term(&text, &scope);
        assert_eq!(back, Ok(term), "seed {seed}: {text}");
    }
}

#[test]
fn damaged_text_is_an_error_not_a_crash() {
    let pieces = ["(", ")", " ", "_", "#b", "bv", "fp", "0", "9", "to_fp", "extract", "RNE", "x2"];
    for seed in 0..4000 {
        let machine = &mut Machine::new(seed, if seed % 2 == 0 { FLOATS } else { EXACT });
        let size = machine.random.below(20);
        let term = machine.term(Sort::Bool, size).term;
        let mut text = machine.store.smtlib(term);
        for _ in 0..1 + machine.random.below(4) {
            let from = machine.random.below(text.len() + 1);
            let to = (from + machine.random.below(6)).min(text.len());
            let piece = pieces[machine.random.below(pieces.len())];
            text.replace_range(from..to, piece);
        }
        let symbol = machine.state[machine.random.below(machine.state.len())].0;
        let _ = machine.store.read_smtlib_term(&text, &|_| Some(symbol));
    }
}

#[test]
fn bit_vectors_at_their_boundaries() {
    let check = |op: Op, width: u32, a: u128, b: u128, expected: u128| {
        let (x, y) = (Value::Bv(Bv::new(width, a)), Value::Bv(Bv::new(width, b)));
        let arguments = [&x, &y];
        let found = op.eval(&arguments[..op.arity()]);
        assert_eq!(found, Value::Bv(Bv::new(width, expected)), "{op:?} {width} {a:x} {b:x}");
    };
    for width in [1, 8, 32, 64, 128] {
        let ones = u128::MAX >> (128 - width);
        let top = 1 << (width - 1);
        check(Op::BvNot, width, 0, 0, ones);
        check(Op::BvNeg, width, top, 0, top);
        check(Op::BvNeg, width, 1, 0, ones);
        check(Op::BvAdd, width, ones, 1, 0);
        check(Op::BvMul, width, ones, ones, 1);
        check(Op::BvUdiv, width, ones, 0, ones);
        check(Op::BvUdiv, width, top, 0, ones);
        check(Op::BvUrem, width, top, 0, top);
        check(Op::BvSdiv, width, top, ones, top);
        check(Op::BvSrem, width, top, ones, 0);
        check(Op::BvSdiv, width, top, 0, 1);
        check(Op::BvSrem, width, top, 0, top);
        check(Op::BvShl, width, ones, width.into(), 0);
        check(Op::BvAshr, width, top, ones, ones);
        check(Op::BvLshr, width, top, u128::from(width) - 1, 1);
        check(Op::BvXor, width, ones, top, ones ^ top);
        if width > 1 {
            check(Op::BvSdiv, width, ones - 6, 2, ones - 2);
            check(Op::BvSrem, width, ones - 6, 2, ones);
            check(Op::BvSdiv, width, 7, 0, ones);
        }
    }
}

#[test]
fn spellings_of_one_term_are_one_term() {
    let s = &mut TermStore::new();
    let [x, y] = ["x", "y"].map(|n| s.var(n, Sort::Bv(32)));
    let [a, b] = ["a", "b"].map(|n| s.var(n, Sort::Bv(8)));
    let i = s.var("i", Sort::Int);
    let int = parallax_term::Scalar::Int;
    let cells = s.var("m", Sort::Array(int, int));
    let scope = |name: &str| match name {
        "x" => Some(x),
        "y" => Some(y),
        "a" => Some(a),
        "b" => Some(b),
        "i" => Some(i),
        "m" => Some(cells),
        _ => None,
    };
    let mut check = |left: &str, right: &str| {
        let [l, r] = [left, right].map(|text| s.read_smtlib_term(text, &scope).expect(text));
        assert_eq!(l, r, "{} and {}", s.infix(l), s.infix(r));
    };
    check("(bvadd x (bvadd y #x00000003))", "(bvadd #x00000001 (bvadd y #x00000002) x)");
    check("(bvsub x x)", "#x00000000");
    check("(bvule x y)", "(not (bvult y x))");
    check("(bvmul (bvmul x #x00000003) #x00000005)", "(bvmul #x0000000f x)");
    check("(bvudiv x #x00000008)", "(bvlshr x #x00000003)");
    check("(concat ((_ extract 15 8) x) ((_ extract 7 0) x))", "((_ extract 15 0) x)");
    check("((_ extract 7 0) ((_ extract 23 8) x))", "((_ extract 15 8) x)");
    check("((_ extract 7 0) ((_ sign_extend 24) a))", "a");
    check("((_ extract 7 0) (bvadd ((_ sign_extend 24) a) ((_ zero_extend 24) b)))", "(bvadd a b)");
    check("(bvslt ((_ zero_extend 24) a) ((_ zero_extend 24) b))", "(bvult a b)");
    check("(bvslt ((_ sign_extend 24) a) #x00000005)", "(bvslt a #x05)");
    check("(= ((_ zero_extend 24) a) #x00000105)", "false");
    check("(= (bvadd x #x00000001) (bvadd x #x00000002))", "false");
    check("(= (bvadd x #x00000001) #x00000003)", "(= x #x00000002)");
    check("(= (ite (= x y) #x00000001 #x00000000) #x00000000)", "(not (= x y))");
    check("(select (store m i 5) (+ i 1))", "(select m (+ i 1))");
    check("(select (store (store m i 5) (+ i 1) 6) i)", "5");
    check("(store (store m 1 7) 0 8)", "(store (store m 0 8) 1 7)");
    check("(store (store (store m 1 7) 0 8) 1 9)", "(store (store m 0 8) 1 9)");
    check("(store m i (select m i))", "m");
    check("(select (store ((as const (Array Int Int)) 4) 1 2) 3)", "4");
    check("(bv2nat ((_ int2bv 8) i))", "(mod i 256)");
    check("((_ int2bv 8) (mod i 65536))", "((_ int2bv 8) i)");
    check("((_ int2bv 16) (bv2nat a))", "((_ zero_extend 8) a)");
}

#[test]
fn machine_terms_read_like_c() {
    let s = &mut TermStore::new();
    let [x, y] = ["x", "y"].map(|n| s.var(n, Sort::Bv(32)));
    let a = s.var("a", Sort::Bv(8));
    let m = s.var("m", Sort::array(Sort::Bv(32), Sort::Bv(8)).expect("scalars"));
    let scope = |name: &str| match name {
        "x" => Some(x),
        "y" => Some(y),
        "a" => Some(a),
        "m" => Some(m),
        _ => None,
    };
    let mut check = |text: &str, expected: &str| {
        let term = s.read_smtlib_term(text, &scope).expect(text);
        assert_eq!(s.infix(term), expected);
    };
    check("(bvadd x (bvneg y))", "x - y");
    check("(bvadd x #xffffffff)", "x - 1");
    check("(bvult x (bvmul y #x00000003))", "x <u y * 3");
    check("(bvsge x y)", "y <=s x");
    check("(= (bvand x #x000000ff) y)", "y == (x & 255)");
    check("(bvshl (bvadd x y) #x00000002)", "(x + y) << 2");
    check("((_ sign_extend 24) a)", "(s32)a");
    check("((_ extract 15 8) x)", "x[15:8]");
    check("(select (store m x a) y)", "m[x := a][y]");
    check("(not (= (bvnot x) y))", "y != ~x");
}

#[test]
fn floating_point_terms_are_normal_and_readable() {
    let s = &mut TermStore::new();
    let [x, y] = ["x", "y"].map(|n| s.var(n, Sort::Float(FloatFormat::SINGLE)));
    let [u, v] = ["u", "v"].map(|n| s.var(n, Sort::Float(FloatFormat::DOUBLE)));
    let i = s.var("i", Sort::Bv(32));
    let scope = |name: &str| match name {
        "x" => Some(x),
        "y" => Some(y),
        "u" => Some(u),
        "v" => Some(v),
        "i" => Some(i),
        _ => None,
    };
    let mut same = |left: &str, right: &str, shown: &str| {
        let [l, r] = [left, right].map(|text| s.read_smtlib_term(text, &scope).expect(text));
        assert_eq!((l, s.infix(l).as_str()), (r, shown), "{} and {}", s.infix(l), s.infix(r));
    };
    same("(fp.sub RNE x y)", "(fp.add RNE (fp.neg y) x)", "x - y");
    same("(fp.gt x y)", "(fp.lt y x)", "y < x");
    same("(not (fp.lt x y))", "(not (fp.gt y x))", "!(x < y)");
    same("(fp.leq x x)", "(not (fp.isNaN x))", "!isnan(x)");
    same("(= x y)", "(= (fp.neg y) (fp.neg x))", "x === y");
    let half = "((_ to_fp 11 53) RNE 0.5)";
    same("(fp.div RNE u ((_ to_fp 11 53) RNE 2.0))", &format!("(fp.mul RNE {half} u)"), "u * 0.5");
    same(&format!("(fp.eq u {half})"), &format!("(= u {half})"), "u === 0.5");
    same("(fp.eq u (_ -zero 11 53))", "(fp.isZero u)", "iszero(u)");
    same("(fp.add RNE u (_ -zero 11 53))", "u", "u");
    same("(fp.add RTN u (_ -zero 11 53))", "(fp.add RTN (_ -zero 11 53) u)", "add_RTN(u, -0.0)");
    let wide = |name: &str| format!("((_ to_fp 11 53) RTZ {name})");
    same(&format!("(fp.lt {} {})", wide("x"), wide("y")), "(fp.lt x y)", "x < y");
    same(&format!("((_ to_fp 8 24) RNE {})", wide("x")), "x", "x");
    same("((_ fp.to_sbv 64) RTZ ((_ to_fp 11 53) RNE i))", "((_ sign_extend 32) i)", "(s64)i");
    same("((_ to_fp 8 24) (fp.to_ieee_bv x))", "x", "x");
    same(
        "(fp.roundToIntegral RTZ (fp.sqrt RNE v))",
        "(fp.roundToIntegral RTZ (fp.sqrt RNE v))",
        "trunc(sqrt(v))",
    );
}
