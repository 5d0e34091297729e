//! Verification witnesses in the format 2.0 of SV-COMP.
//!
//! Few and exact waypoints: the results of input functions in order, the
//! branches of plain `if` statements that matter to the failure, and the place
//! of the failure. A waypoint that points wrongly makes a witness worthless, so
//! whatever has no place in the given files, or no sure one, is left out.

use parallax_base::{FileId, SourceMap, Span};
use parallax_cfa::{DataModel, Executed, InputSource, Op, Program, RecordedInput, relevance};
use serde::Serialize;
use std::collections::BTreeMap;

use super::run::CRun;
use super::value::shown_scalar;

/// A file that a witness is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessInput {
    /// Its name.
    pub name: String,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub hash: String,
}

/// What a witness is about and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessTask {
    /// The files.
    pub inputs: Vec<WitnessInput>,
    /// The property file's text.
    pub specification: String,
    /// The data model.
    pub model: DataModel,
    /// Our version.
    pub version: String,
    /// Now, as `2026-08-01T12:00:00Z`.
    pub time: String,
    /// A UUID.
    pub uuid: String,
}

/// A fact that holds at every visit of a loop head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The keyword of the loop.
    pub span: Span,
    /// The function it is in.
    pub function: String,
    /// The fact as a C expression over names in scope.
    pub value: String,
}

#[derive(Serialize)]
struct Entry<C> {
    entry_type: &'static str,
    metadata: Metadata,
    content: Vec<C>,
}

#[derive(Serialize)]
struct Metadata {
    format_version: &'static str,
    uuid: String,
    creation_time: String,
    producer: Producer,
    task: Task,
}

#[derive(Serialize)]
struct Producer {
    name: &'static str,
    version: String,
}

#[derive(Serialize)]
struct Task {
    input_files: Vec<String>,
    input_file_hashes: BTreeMap<String, String>,
    specification: String,
    data_model: &'static str,
    language: &'static str,
}

#[derive(Serialize)]
struct Segment {
    segment: Vec<WaypointItem>,
}

#[derive(Serialize)]
struct WaypointItem {
    waypoint: Waypoint,
}

#[derive(Serialize)]
struct Waypoint {
    #[serde(rename = "type")]
    kind: &'static str,
    action: &'static str,
    location: Location,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<Constraint>,
}

#[derive(Serialize)]
struct Constraint {
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
}

#[derive(Serialize)]
struct Location {
    file_name: String,
    line: u32,
    column: u32,
    function: String,
}

#[derive(Serialize)]
struct InvariantItem {
    invariant: InvariantBody,
}

#[derive(Serialize)]
struct InvariantBody {
    #[serde(rename = "type")]
    kind: &'static str,
    location: Location,
    value: String,
    format: &'static str,
}

/// The most waypoints of a witness; a validator has to follow each of them.
const WAYPOINTS: usize = 1000;

/// The witness of a failure.
pub fn violation_witness(task: &WitnessTask, run: &CRun<'_>) -> String {
    let executed: Vec<Executed> = run.steps.iter().map(|s| s.at).collect();
    let found = relevance(run.program, &executed);
    let mut content = Vec::new();
    let calls = |input: &&RecordedInput| input.source == InputSource::Call;
    let mut inputs = run.inputs.iter().filter(calls).peekable();
    for (index, step) in run.steps.iter().enumerate() {
        let function = &run.program.functions[step.at.function];
        let edge = &function.edges[step.at.edge];
        let place = |span: Span, offset: u32| {
            location(task, run.sources, span.file, offset, &function.name)
        };
        let input = inputs.next_if(|input| input.step == index);
        let (kind, location, constraint) = match (&edge.op, edge.branch) {
            (Op::Input { .. }, _) => {
                let Some(input) = input else { continue };
                // The place of a result is the `)` that closes the call.
                let text = run.sources.snippet(edge.span);
                if !text.ends_with(')') {
                    continue;
                }
                let value = format!("\\result == {}", shown_scalar(input.value));
                let constraint = Constraint { value, format: Some("acsl_expression") };
                ("function_return", place(edge.span, edge.span.hi - 1), Some(constraint))
            }
            (Op::Assume(_), Some(taken)) if found.relevant[index] => {
                let Some(keyword) = if_keyword(run.sources, edge.span) else { continue };
                let constraint = Constraint { value: taken.to_string(), format: None };
                ("branching", place(edge.span, keyword), Some(constraint))
            }
            _ => continue,
        };
        let Some(location) = location else { continue };
        if content.len() < WAYPOINTS {
            content.push(segment(Waypoint { kind, action: "follow", location, constraint }));
        }
    }
    if let Some(location) = target(task, run) {
        let constraint = None;
        content.push(segment(Waypoint { kind: "target", action: "follow", location, constraint }));
    }
    written(&[Entry { entry_type: "violation_sequence", metadata: metadata(task), content }])
}

/// The witness of a proof.
pub fn correctness_witness(
    task: &WitnessTask,
    sources: &SourceMap,
    invariants: &[Invariant],
) -> String {
    let content = invariants.iter().filter_map(|known| {
        let span = known.span;
        let location = location(task, sources, span.file, span.lo, &known.function)?;
        let invariant = InvariantBody {
            kind: "loop_invariant",
            location,
            value: known.value.clone(),
            format: "c_expression",
        };
        Some(InvariantItem { invariant })
    });
    let content = content.collect();
    written(&[Entry { entry_type: "invariant_set", metadata: metadata(task), content }])
}

fn written<C: Serialize>(entries: &[Entry<C>]) -> String {
    // Serializing plain data cannot fail.
    serde_saphyr::to_string(&entries).unwrap_or_default()
}

fn segment(waypoint: Waypoint) -> Segment {
    Segment { segment: vec![WaypointItem { waypoint }] }
}

fn metadata(task: &WitnessTask) -> Metadata {
    Metadata {
        format_version: "2.0",
        uuid: task.uuid.clone(),
        creation_time: task.time.clone(),
        producer: Producer { name: "Parallax", version: task.version.clone() },
        task: Task {
            input_files: task.inputs.iter().map(|i| i.name.clone()).collect(),
            input_file_hashes: task
                .inputs
                .iter()
                .map(|i| (i.name.clone(), i.hash.clone()))
                .collect(),
            specification: task.specification.clone(),
            data_model: match task.model {
                DataModel::Ilp32 => "ILP32",
                DataModel::Lp64 => "LP64",
            },
            language: "C",
        },
    }
}

/// Where the failure is: the innermost call that lies in the given files.
fn target(task: &WitnessTask, run: &CRun<'_>) -> Option<Location> {
    let end = run.report.position?;
    std::iter::once(&end).chain(run.report.calls.iter().rev()).find_map(|at| {
        let function = &run.program.functions[at.function];
        let start = statement(run.program, at.function, at.edge, at.span);
        location(task, run.sources, start.file, start.lo, &function.name)
    })
}

/// The statement an edge belongs to: its location's, if that begins there.
fn statement(
    program: &Program,
    function: parallax_base::Id<parallax_cfa::Function>,
    edge: parallax_base::Id<parallax_cfa::Edge>,
    span: Span,
) -> Span {
    let function = &program.functions[function];
    let own = function.locations[function.edges[edge].source].span;
    let holds = own.file == span.file && own.lo <= span.lo && span.hi <= own.hi;
    if holds { own } else { span }
}

fn location(
    task: &WitnessTask,
    sources: &SourceMap,
    file: FileId,
    offset: u32,
    function: &str,
) -> Option<Location> {
    let file = sources.get(file)?;
    let known = task.inputs.iter().any(|input| input.name == file.name());
    let at = file.line_column(offset);
    known.then(|| Location {
        file_name: file.name().to_owned(),
        line: at.line,
        column: at.column,
        function: function.to_owned(),
    })
}

/// The offset of the keyword of an `if` whose whole condition is at the span.
fn if_keyword(sources: &SourceMap, span: Span) -> Option<u32> {
    let text = sources.get(span.file)?.text();
    let before = text.get(..span.lo as usize)?.trim_end();
    let after = text.get(span.hi as usize..)?.trim_start();
    let before = before.strip_suffix('(')?.trim_end().strip_suffix("if")?;
    let is_word = before.ends_with(|c: char| c == '_' || c.is_alphanumeric());
    (after.starts_with(')') && !is_word).then_some(before.len() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_base::SourceFile;

    #[test]
    fn the_keyword_of_a_plain_if() {
        let mut sources = SourceMap::default();
        let text = "if (x > 1) f(); else if ( y ) g(); elif (z); if (a && b);";
        let file = sources.add(SourceFile::new("a.c", text));
        let check = |condition: &str, expected: Option<usize>| {
            let lo = text.find(condition).expect("a condition");
            let span = Span::new(file, lo, lo + condition.len());
            assert_eq!(if_keyword(&sources, span), expected.map(|o| o as u32), "{condition}");
        };
        check("x > 1", Some(0));
        check("y", Some(text.find("if ( y").expect("it is there")));
        check("z", None);
        check("a", None);
        check("a && b", Some(text.find("if (a").expect("it is there")));
    }

    #[test]
    fn a_proof_with_an_invariant() {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("a.c", "int main() {\n  while (1);\n}\n"));
        let task = WitnessTask {
            inputs: vec![WitnessInput { name: "a.c".into(), hash: "00ff".into() }],
            specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".into(),
            model: DataModel::Ilp32,
            version: "1.0".into(),
            time: "2026-08-01T12:00:00Z".into(),
            uuid: "12345678-1234-5678-9234-567812345678".into(),
        };
        let value = "x <= 3 && y == \"a\"[0]".to_owned();
        let span = Span::new(file, 15, 20);
        let invariant = Invariant { span, function: "main".into(), value };
        insta::assert_snapshot!(correctness_witness(&task, &sources, &[invariant]), @r#"
        - entry_type: invariant_set
          metadata:
            format_version: "2.0"
            uuid: 12345678-1234-5678-9234-567812345678
            creation_time: "2026-08-01T12:00:00Z"
            producer:
              name: Parallax
              version: "1.0"
            task:
              input_files:
              - a.c
              input_file_hashes:
                a.c: 00ff
              specification: CHECK( init(main()), LTL(G ! call(reach_error())) )
              data_model: ILP32
              language: C
          content:
          - invariant:
              type: loop_invariant
              location:
                file_name: a.c
                line: 2
                column: 3
                function: main
              value: x <= 3 && y == "a"[0]
              format: c_expression
"#);
    }
}
