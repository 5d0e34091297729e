//! Random models of several processes that disturb each other now and then: steps on
//! their own data, on shared counters and cells, under locks, together with others,
//! in circles or towards an end. Made for searches that leave orders out.

use crate::Random;
use std::fmt::Write as _;

/// The text of the model with this number: two to four processes, an invariant `p`,
/// a goal `g` and the question whether there are deadlocks.
pub fn model(seed: u64) -> String {
    let mut random = Random(seed ^ 0x0070_726f_6365_7373);
    let count = 2 + random.index(3);
    let mut text = String::from(
        "model processes;\naction meet;\nvar x: 0..4 = 0, y: 0..4 = 0, n: 0..=9 = 0;\n\
         var lock: [2] bool = false, cell: [4] 0..3 = 0;\n",
    );
    let rounds = random.chance(40);
    for process in 0..count {
        let _ = writeln!(text, "process P{process} {{\n  var v: 0..4 = {};", random.below(2));
        let length = 2 + random.index(if count == 4 { 2 } else { 4 });
        let last = if random.chance(50) { "final " } else { "" };
        let places: Vec<String> = (0..length).map(|at| format!("l{at}")).collect();
        let _ = writeln!(text, "  location {}, {last}end;", places.join(", "));
        for at in 0..length {
            let ways = 1 + usize::from(random.chance(25));
            for way in 0..ways {
                let to = if way == 0 { at + 1 } else { random.index(length + 1) };
                let to = if to == length { "end".to_owned() } else { format!("l{to}") };
                let step = step(&mut random, process, count);
                let _ = writeln!(
                    text,
                    "  s{at}_{way}: {}",
                    step.replace("ROUTE", &format!("l{at} -> {to}"))
                );
            }
        }
        if rounds && random.chance(70) {
            let step = step(&mut random, process, count);
            let _ = writeln!(text, "  again: {}", step.replace("ROUTE", "end -> l0"));
        }
        text.push_str("}\n");
    }
    let _ = writeln!(text, "invariant p: !({});", condition(&mut random, count));
    let _ = writeln!(text, "reachable g: {};\ndeadlock_free;", condition(&mut random, count));
    text
}

/// A command from one place to another, without its label.
fn step(random: &mut Random, own: usize, count: usize) -> String {
    let (c, d) = (random.below(3), random.index(2));
    let other = random.index(count);
    let shared = random.pick(&["x", "y"]);
    match random.below(14) {
        0 => "ROUTE do v := (v + 1) % 4;".to_owned(),
        1 => format!("ROUTE when v <= {c} do v := v + 1;"),
        2 => format!("ROUTE do cell[{own}] := v % 3;"),
        3 => format!("ROUTE do {shared} := {c};"),
        4 => format!("ROUTE do v := {shared};"),
        5 => format!("ROUTE when {shared} <= {c} do {shared} := {shared} + 1;"),
        6 => "ROUTE when n < 9 do n := n + 1;".to_owned(),
        7 => format!("ROUTE do {shared} := ({shared} + {c}) % 4;"),
        8 | 9 => format!("ROUTE when !lock[{d}] do lock[{d}] := true;"),
        10 => format!("ROUTE when lock[{d}] do lock[{d}] := false;"),
        11 => format!("[meet] ROUTE do v := {c};"),
        12 => "ROUTE do v := any 0..2;".to_owned(),
        _ => format!("ROUTE when P{other}@l1 || {shared} == {c} do cell[{own}] := {c};"),
    }
}

fn condition(random: &mut Random, count: usize) -> String {
    let (p, q) = (random.index(count), random.index(count));
    let c = random.below(4);
    let shared = random.pick(&["x", "y", "n", "cell[0]", "cell[1]"]);
    match random.below(6) {
        0 => format!("P{p}@end && P{q}@l1"),
        1 => format!("{shared} == {c} && P{p}@end"),
        2 => format!("{shared} == {c} && P{p}.v == 2"),
        3 => format!("P{p}.v == {c} && P{q}.v == 1 || lock[0] && lock[1] && x == 2"),
        4 => format!("P{p}@l1 && P{q}@end && {shared} > 0"),
        _ => format!("x == {c} && y == 2"),
    }
}
