//! Every reader, as a function of a text that must come back.
//!
//! A reader may refuse a text; it may not panic, overflow the stack, hang or
//! fill the memory. Where there is a way back to text, it is taken, and what is
//! read again must be the same. Only readers are linked: no solver, no engine.

use parallax_base::{Budget, FileId, SourceFile, SourceMap};
use parallax_cfa::Specification;
use parallax_evidence::{ConformanceFile, EvidenceFile, SystemsFile};
use parallax_front_c as front_c;
use parallax_front_model as front_model;
use parallax_ir::Program;
use parallax_lts::{Lts, TAU, read_aut, write_aut};
use std::sync::OnceLock;
use std::time::Duration;

/// How long one text may be worked on where a reader takes a budget.
const TIME: Duration = Duration::from_millis(300);

fn source(name: &str, text: &str) -> (SourceMap, FileId) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(name, text));
    (sources, file)
}

/// Models: parsed, expanded and formatted.
pub fn plx(text: &str) {
    let (mut sources, file) = source("model.plx", text);
    let options = front_model::Options::default();
    if let Ok(loaded) = front_model::load(&mut sources, file, &options) {
        assert_eq!(loaded.program.validate(), Ok(()), "what is loaded is a program");
    }
    if let Ok(once) = front_model::format(text) {
        let twice = front_model::format(&once);
        assert_eq!(twice.as_ref().ok(), Some(&once), "formatting is done after one round");
    }
}

/// C after preprocessing: parsed, checked, lowered.
pub fn c(text: &str) {
    let mut sources = SourceMap::default();
    // A name that says the text is preprocessed: nothing is started.
    let input = front_c::Input::text("program.i", text);
    let _ = front_c::load(&mut sources, &[input], &front_c::Options::default());
}

/// FSP: parsed, and every process compiled within a budget.
pub fn fsp(text: &str) {
    let Ok(model) = parallax_front_fsp::Model::read(FileId(0), text) else { return };
    let budget = Budget::new(Some(TIME), None);
    let _ = model.progress(&budget);
    for process in model.processes() {
        let _ = model.compile(Some(&process.name), &budget);
    }
}

/// Labelled transition systems in the format `.aut`.
pub fn aut(text: &str) {
    let Ok(lts) = read_aut("system", text) else { return };
    // Actions may come in another order.
    let lines = |lts: &Lts| {
        let text = write_aut(lts);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        (text, lines)
    };
    let (text, written) = lines(&lts);
    let again = read_aut("system", &text).map(|lts| lines(&lts).1);
    assert_eq!(again.ok(), Some(written), "what is written is read");
}

/// System files, with the machines that they define.
pub fn system(text: &str) {
    let Ok(system) = parallax_front_magic::read(FileId(0), text) else { return };
    let budget = Budget::new(Some(TIME), None);
    let mut machines = parallax_front_magic::Machines::default();
    for (text, _) in &system.fsp_texts {
        let _ = machines.add(FileId(0), text);
    }
    let targets = system.procedures.iter().flat_map(|p| &p.targets).map(|t| t.machine.clone());
    for name in targets.chain(system.specification.iter().map(|s| s.0.clone())) {
        let _ = machines.get(&name, &budget);
    }
    for procedure in &system.procedures {
        let _ = system.assumptions_of(procedure);
    }
}

/// Problems in SMT-LIB.
pub fn smt(text: &str) {
    let (sources, file) = source("problem.smt2", text);
    if let Ok(loaded) = parallax_front_smt::load(&sources, file) {
        let _ = loaded.problem.store.smtlib(loaded.problem.formula);
    }
}

/// A program and a system that evidence may be about.
fn subjects() -> &'static (Program, Lts) {
    static SUBJECTS: OnceLock<(Program, Lts)> = OnceLock::new();
    SUBJECTS.get_or_init(|| {
        let (mut sources, file) = source("subject.plx", include_str!("../seeds/subject.plx"));
        let options = front_model::Options::default();
        let loaded = front_model::load(&mut sources, file, &options).expect("a model");
        let mut lts = Lts::new("subject");
        (0..3).for_each(|_| _ = lts.add_state());
        let (a, b) = (lts.action("a"), lts.action("b"));
        lts.add_edge(0, a, 1);
        lts.add_edge(1, b, 2);
        lts.add_edge(1, TAU, 0);
        (loaded.program, lts)
    })
}

/// Evidence of all three kinds, and what it means for fixed subjects.
pub fn evidence(text: &str) {
    let (program, lts) = subjects();
    if let Ok(file) = EvidenceFile::parse(text.as_bytes()) {
        if let Ok(parts) = file.parts() {
            for part in 0..parts.len() {
                let _ = file.claimed(part);
                let _ = file.decode_part(part, program);
            }
        }
        let _ = file.decode(program);
    }
    if let Ok(file) = SystemsFile::parse(text) {
        for property in ["deadlock", "error", "P"] {
            let _ = file.evidence(lts, property);
        }
    }
    if let Ok(file) = ConformanceFile::find(text, "f conforms to S") {
        let _ = file.decode(&[]);
    }
}

/// Descriptions of containers, as files of their own and inside of C.
pub fn api(text: &str) {
    static PROGRAM: OnceLock<parallax_cfa::Program> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| {
        let mut sources = SourceMap::default();
        let input = front_c::Input::text("set.i", include_str!("../seeds/set.i"));
        let loaded = front_c::load(&mut sources, &[input], &front_c::Options::default());
        loaded.expect("a container").program
    });
    for is_c in [false, true] {
        if let Ok(api) = parallax_containers::parse_api(FileId(0), text, is_c) {
            let _ = parallax_containers::resolve(&api, program);
        }
    }
}

/// Compilation databases.
pub fn commands(text: &str) {
    let mut sources = SourceMap::default();
    let path = std::path::Path::new("build/compile_commands.json");
    let _ = front_c::compile_commands_text(&mut sources, path, text);
}

/// Formulas of linear temporal logic.
pub fn ltl(text: &str) {
    let (Some(formula), found) = parallax_ltl::parse(FileId(0), text) else { return };
    if found.has_errors() {
        return;
    }
    let shown = formula.show();
    // A text that is too long is cut.
    if shown.len() < 10_000 {
        let (again, found) = parallax_ltl::parse(FileId(0), &shown);
        assert!(!found.has_errors(), "{shown}");
        assert_eq!(again.map(|f| f.show()), Some(shown));
    }
    let _ = parallax_ltl::parse_word(FileId(0), text, &formula);
}

/// Property files of SV-COMP.
pub fn property(text: &str) {
    let _ = Specification::parse(text);
}
