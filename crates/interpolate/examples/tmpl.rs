use parallax_base::Budget;
use parallax_interpolate::*;
use parallax_solver::{Solver, Z3};
use parallax_term::*;
use std::time::*;
fn main() {
    let args: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let (vars, steps) = (args[0], args[1]);
    let s = &mut TermStore::new();
    let xs: Vec<Vec<Term>> = (0..vars)
        .map(|v| (0..=steps).map(|i| s.var(&format!("x{v}_{i}"), Sort::Int)).collect())
        .collect();
    let (zero, one) = (s.int(0), s.int(1));
    let mut parts = vec![];
    let c: Vec<Term> = xs.iter().map(|x| s.eq(x[0], zero)).collect();
    parts.push(s.and(c));
    for i in 0..steps {
        let c: Vec<Term> = xs
            .iter()
            .enumerate()
            .map(|(v, x)| {
                let n = if v < 2 {
                    if i < steps / 2 { s.add(x[i], one) } else { s.sub(x[i], one) }
                } else if v == 2 {
                    s.add(x[i], xs[0][i])
                } else {
                    s.add(x[i], one)
                };
                s.eq(x[i + 1], n)
            })
            .collect();
        parts.push(s.and(c));
    }
    let (a, b) = (s.lt(xs[0][steps], zero), s.gt(xs[1][steps], zero));
    parts.push(s.and([a, b]));
    let at: Vec<Vec<Option<Term>>> = xs
        .iter()
        .map(|x| std::iter::once(None).chain(x.iter().map(|t| Some(*t))).chain([None]).collect())
        .collect();
    for templ in [false, true] {
        let t = Instant::now();
        let options = Options {
            templates: if templ { relations(s, &at) } else { vec![] },
            ..Options::default()
        };
        let mut z = Z3::new();
        let out = sequence(s, &mut z, &parts, &options, &Budget::unlimited()).unwrap();
        let e = t.elapsed();
        if let Outcome::Found(f) = out {
            println!(
                "{templ} {e:?} {} q {} solver {:?} used {:?} mid {}",
                f.method.name(),
                z.statistics().queries,
                z.statistics().time,
                f.templates,
                s.infix(f.formulas[steps / 2])
            );
        } else {
            println!("{out:?}");
        }
    }
}
