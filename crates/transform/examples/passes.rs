//! Runs all passes on C files and says what each does and how long it takes.
//!
//! `cargo run --release --example passes -- [--ilp32] FILE...`; one line a file:
//! edges as lowered and after each pass, regions, and seconds.

#![expect(clippy::print_stdout, reason = "a tool for the terminal")]

use parallax_base::SourceMap;
use parallax_cfa::{DataModel, Op, Program};
use parallax_front_c::{Input, Options, load};
use parallax_transform::inline::{Limits, inline};
use parallax_transform::points_to::{self, CellKind, PointsTo, Undefined};
use parallax_transform::ranges;
use parallax_transform::{
    compact, drop_checks, fold_constants, inlined_size, remove_dead, resolve_calls, slice,
};
use std::io::Write as _;
use std::time::Instant;

fn edges(program: &Program) -> usize {
    program.functions.iter().map(|f| f.edges.len()).sum()
}

fn checks(program: &Program) -> usize {
    let is_check = |op: &Op| matches!(op, Op::Check(_));
    program.functions.iter().flat_map(|f| &f.edges).filter(|e| is_check(&e.op)).count()
}

fn passes(name: &str, model: DataModel) {
    let mut sources = SourceMap::default();
    let options = Options { model, ..Options::default() };
    let program = match load(&mut sources, &[Input::file(name)], &options) {
        Ok(loaded) => loaded.program,
        Err(_) => {
            println!("{name}: not loaded");
            return;
        }
    };
    print!("{name}: {} edges", edges(&program));
    let _ = std::io::stdout().flush();
    let choice = points_to::Options { undefined: Undefined::Arguments, ..Default::default() };
    let mut clock = Instant::now();
    let mut lap = |text: String| {
        print!("; {text} {:.2}s", clock.elapsed().as_secs_f64());
        // A pass that takes long is known by the text before it.
        let _ = std::io::stdout().flush();
        clock = Instant::now();
    };
    let points_to = PointsTo::analyze(&program, &choice);
    let coarse = if points_to.is_coarse() { " (coarse)" } else { "" };
    lap(format!("points-to {} objects{coarse}", points_to.objects().len()));
    let resolved = resolve_calls(&program, &points_to).program;
    lap(format!("resolved {}, {:?} inlined", edges(&resolved), inlined_size(&resolved)));
    let is_target = |op: &Op| matches!(op, Op::Error(_));
    let points_to = PointsTo::analyze(&resolved, &choice);
    let resolved = match slice(&resolved, &points_to, &is_target) {
        Some(slice) => compact(&slice.program).program,
        None => resolved,
    };
    lap(format!("slice {}, {:?} inlined", edges(&resolved), inlined_size(&resolved)));
    let inlined = match inline(&resolved, &Limits::default()) {
        Ok(inlined) => inlined,
        Err(failure) => {
            println!("; {failure}");
            return;
        }
    };
    lap(format!("inlined {} ({} cut)", edges(&inlined.program), inlined.cut));
    let small = compact(&inlined.program);
    let errors = |p: &Program| {
        let edges = p.functions.iter().flat_map(|f| &f.edges);
        edges.filter(|e| matches!(e.op, Op::Error(_))).count()
    };
    lap(format!("compacted {} with {} errors", edges(&small.program), errors(&small.program)));
    let folded = fold_constants(&small.program);
    lap(format!("folded {}", edges(&folded.program)));
    let pruned = remove_dead(&folded.program);
    lap(format!("dead {}", pruned.removed));
    let small = compact(&pruned.program);
    let before = checks(&small.program);
    let unchecked = drop_checks(&small.program, ranges::Options::default());
    lap(format!("checks dropped {} of {before}", unchecked.dropped));
    let points_to = PointsTo::analyze(&unchecked.program, &choice);
    let regions = points_to.regions(&unchecked.program);
    let bytes = regions.regions.iter().filter(|r| r.kind == CellKind::Bytes).count();
    let scalars = regions.regions.iter().filter(|r| r.is_scalar()).count();
    let count = regions.regions.len();
    lap(format!("regions {count}, of bytes {bytes}, of one scalar {scalars}"));
    if let Some(slice) = slice(&unchecked.program, &points_to, &is_target) {
        let small = compact(&slice.program);
        lap(format!("slice {}", edges(&small.program)));
    }
    println!();
}

fn main() {
    let mut model = DataModel::Lp64;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--ilp32" => model = DataModel::Ilp32,
            name => passes(name, model),
        }
    }
}
