//! The corpus of labelled transition systems: every file says what is true of
//! its processes, in lines `//~ PROCESS PROPERTY: verdict`. Evidence goes through
//! a file and is checked again.

use parallax::Budget;
use parallax::lts::{
    LtsOptions, Notion, SystemsSettings, certify_lts, check_lts, load_lts, load_specification,
};
use std::path::Path;

#[test]
fn systems_have_the_properties_that_their_files_state() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/lts");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "lts"))
        .collect();
    files.sort();
    let budget = Budget::unlimited();
    let mut asked = 0;
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a file");
        for line in text.lines().filter_map(|line| line.strip_prefix("//~ ")) {
            let place = format!("{}: {line}", file.display());
            let (what, verdict) = line.rsplit_once(": ").expect("a verdict");
            let (process, property) = what.split_once(' ').expect("a process and a property");
            let against = property.split_once(' ').and_then(|(kind, spec)| match kind {
                "simulated-by" => Some((spec, Notion::Simulation)),
                "traces-of" => Some((spec, Notion::Traces)),
                _ => None,
            });
            let options = LtsOptions { process: Some(process.to_owned()), ..LtsOptions::default() };
            let task = load_lts(file, &options, &budget).unwrap_or_else(|e| panic!("{place}: {e}"));
            let spec = against.map(|(spec, notion)| {
                let spec = load_specification(file, spec, false, &budget);
                (spec.unwrap_or_else(|e| panic!("{place}: {e}")), notion)
            });
            let checked = check_lts(&task, spec, &budget).expect("no limit");
            let found = checked.answers.iter().find(|answer| answer.property == property);
            let found = found.unwrap_or_else(|| panic!("{place}: no such question"));
            assert_eq!(found.verdict().word(), verdict, "{place}");
            let settings = SystemsSettings {
                process: Some(process.to_owned()),
                against: against.map(|(spec, _)| spec.to_owned()),
                traces: against.is_some_and(|(_, notion)| notion == Notion::Traces),
                ..SystemsSettings::default()
            };
            let evidence = checked.certificate(&task, settings).expect("JSON");
            let again = certify_lts(file, &evidence, &budget);
            let (_, again) = again.unwrap_or_else(|e| panic!("{place}: {e}")).expect("it fits");
            let again = again.iter().find(|found| found.property == property).expect("it is there");
            let again = again.answer.as_ref().map(|answer| answer.verdict().word());
            assert_eq!(again, Ok(verdict), "{place}");
            asked += 1;
        }
    }
    assert!(asked >= 35, "{asked} questions");
}
