//! The suite in the exchange format of Test-Comp: metadata, one file per test,
//! and the driver whose inputs the tests are.

use crate::Suite;
use crate::driver::{driver, inputs};
use parallax_containers::{Call, Goal};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// What the format asks for and the search does not know.
#[derive(Clone, Debug)]
pub struct TestCompOptions {
    /// The name of the driver's file.
    pub program: String,
    /// The time, as `2026-01-31T12:00:00Z`.
    pub time: String,
}

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

/// The files of the suite: name and text.
pub fn test_comp(suite: &Suite<'_>, options: &TestCompOptions) -> Vec<(String, String)> {
    let program = driver(suite);
    let hash = Sha256::digest(program.as_bytes());
    let hash: String = hash.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    let mut files = vec![(options.program.clone(), program)];
    files.push(("metadata.xml".to_owned(), metadata(suite, options, &hash)));
    for (number, test) in suite.found.tests.iter().enumerate() {
        files.push((format!("test-{:04}.xml", number + 1), testcase(&test.calls, false)));
    }
    if let Some(failure) = &suite.found.failure {
        files.push(("test-failure.xml".to_owned(), testcase(&failure.calls, true)));
    }
    files
}

fn metadata(suite: &Suite<'_>, options: &TestCompOptions, hash: &str) -> String {
    let specification = match suite.config.goal {
        Goal::Branches => "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
        Goal::Blocks | Goal::Predicates => {
            "COVER( init(main()), FQL(COVER EDGES(@BASICBLOCKENTRY)) )"
        }
    };
    format!(
        "{HEAD}<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">
<test-metadata>
  <sourcecodelang>C</sourcecodelang>
  <producer>parallax {}</producer>
  <specification>{specification}</specification>
  <programfile>{}</programfile>
  <programhash>{hash}</programhash>
  <entryfunction>main</entryfunction>
  <architecture>64bit</architecture>
  <creationtime>{}</creationtime>
</test-metadata>
",
        env!("CARGO_PKG_VERSION"),
        escape(&options.program),
        escape(&options.time)
    )
}

fn testcase(calls: &[Call], error: bool) -> String {
    let mut out = format!(
        "{HEAD}<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n"
    );
    out.push_str(if error { "<testcase coversError=\"true\">\n" } else { "<testcase>\n" });
    for input in inputs(calls) {
        let _ = writeln!(out, "  <input>{input}</input>");
    }
    out.push_str("</testcase>\n");
    out
}

/// Text inside an element.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
