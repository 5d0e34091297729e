use parallax_base::Budget;
use parallax_solver::{Solver, Z3};
use parallax_term::*;
use std::time::*;
fn main() {
    let s = &mut TermStore::new();
    let mut z = Z3::new();
    let b = &Budget::unlimited();
    let x0 = s.var("x", Sort::Int);
    let z0 = s.int(0);
    let e = s.eq(x0, z0);
    let t = Instant::now();
    z.check(s, &[e], b).unwrap();
    println!("first {:?}", t.elapsed());
    for n in [50, 200, 400] {
        let mut parts = vec![];
        for v in 0..6 {
            for i in 0..n / 6 {
                let a = s.var(&format!("x{v}_{i}"), Sort::Int);
                let c = s.var(&format!("x{v}_{}", i + 1), Sort::Int);
                let one = s.int(1);
                let d = s.add(a, one);
                parts.push(s.eq(c, d));
            }
        }
        let a = s.var("x0_0", Sort::Int);
        let c = s.var(&format!("x0_{}", n / 6), Sort::Int);
        parts.push(s.eq(a, c));
        let t = Instant::now();
        let r = z.check(s, &parts, b).unwrap();
        let t1 = t.elapsed();
        let t = Instant::now();
        let k = z.core().unwrap().len();
        println!("{n} {r:?} check {t1:?} core {:?} {k}", t.elapsed());
        let t = Instant::now();
        let _ = z.check(s, &parts, b).unwrap();
        let t1 = t.elapsed();
        let t = Instant::now();
        let k = z.core().unwrap().len();
        println!("{n} {r:?} again check {t1:?} core {:?} {k}", t.elapsed());
    }
}
