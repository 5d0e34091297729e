//! Pairs of labelled transition systems, as FSP and as `.aut`: simulation,
//! traces and deadlocks by definition are the truth.

use super::asker::word;
use super::{Asker, Counts, Wrong};
use parallax_generate::Random;
use parallax_generate::system::{SILENT, System};

pub(super) fn round(asker: &Asker, seed: u64, counts: &mut Counts) -> Result<(), Wrong> {
    let mut random = Random(seed);
    let labels: &[&str] = if random.chance(30) { &["a", "b"] } else { &["a", "b", SILENT] };
    let mut draw = |factor: usize| {
        let states = 1 + random.index(5);
        let edges = random.index(factor * states + 2);
        System::random(&mut random, states, edges, labels)
    };
    let (left, right) = (draw(2), draw(3));
    counts.inputs += 1;
    let simulated = left.is_simulated_by(&right);
    counts.violated += u64::from(!simulated);
    let fsp = format!(
        "{}{}||BOTH = (L || R).\n",
        left.fsp("L", labels, "silent"),
        right.fsp("R", labels, "silent")
    );
    asker.write("pair.lts", &fsp)?;
    asker.write("left.aut", &left.aut())?;
    asker.write("right.aut", &right.aut())?;
    let files = &["pair.lts", "left.aut", "right.aut"];
    let traces = left.has_traces_in(&right);
    // Minimizing may not change anything that is asked.
    let minimize: &[&str] = match seed % 3 {
        0 => &[],
        1 => &["--minimize", "strong"],
        _ => &["--minimize-parts"],
    };
    for (how, truth) in [("simulation", simulated), ("traces", traces)] {
        let both: [&[&str]; 2] = [
            &["lts", "pair.lts", "-p", "L", "--against", "R"],
            &["lts", "left.aut", "--against", "right.aut"],
        ];
        for command in both {
            let mut args = command.to_vec();
            args.extend(["--conformance", how]);
            let is_fsp = command[1] == "pair.lts";
            if is_fsp {
                args.extend(minimize);
            }
            let said = asker.ask(&args, files)?;
            let conforms = said.json["conformance"]["conforms"].as_bool();
            let verdict = conforms.map_or("unknown", word);
            said.judge(verdict, word(truth), files, counts)?;
        }
    }
    let stuck = left.can_be_stuck_with(&right, &["a", "b"]);
    let mut args = vec!["lts", "pair.lts", "-p", "BOTH", "--certificate", "proof.json"];
    // Weak bisimulation takes silent steps for ever for a deadlock, and says so.
    if seed % 3 == 1 {
        args.extend(minimize);
    }
    let said = asker.ask(&args, files)?;
    said.judge(&said.verdict("no-deadlock"), word(!stuck), files, counts)?;
    asker.certify(&["pair.lts", "proof.json"], &["pair.lts", "proof.json"])
}
