//! Task definitions in the format of BenchExec: a program, what is asked of it,
//! and its data model.
//!
//! The expected verdicts in such a file are for whoever compares results. They
//! are not read here, so that they cannot influence an answer.

use parallax_cfa::DataModel;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// What a task definition says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TaskFile {
    /// The files of the program.
    pub(crate) inputs: Vec<PathBuf>,
    /// The property files.
    pub(crate) properties: Vec<PathBuf>,
    /// The data model, if it is given.
    pub(crate) model: Option<DataModel>,
}

#[derive(Deserialize)]
struct Definition {
    format_version: Text,
    input_files: OneOrMany,
    #[serde(default)]
    properties: Vec<Asked>,
    #[serde(default)]
    options: Options,
}

#[derive(Deserialize)]
struct Asked {
    property_file: String,
}

#[derive(Deserialize, Default)]
struct Options {
    language: Option<String>,
    data_model: Option<String>,
}

/// A version may be written as a string or as a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Number(f64),
    Text(String),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// Reads a task definition. Paths are relative to `folder`.
pub(crate) fn parse(text: &str, folder: &Path) -> Result<TaskFile, String> {
    let read: Definition = serde_saphyr::from_str(text).map_err(|e| {
        // The first line says what is wrong; the rest repeats the file.
        let message = e.to_string();
        message.lines().next().unwrap_or("not a task definition").to_owned()
    })?;
    let version = match read.format_version {
        Text::Number(number) => format!("{number:.1}"),
        Text::Text(text) => text,
    };
    if !matches!(version.as_str(), "1.0" | "2.0" | "2.1") {
        return Err(format!("format version `{version}` is not known"));
    }
    if let Some(language) = &read.options.language
        && language != "C"
    {
        return Err(format!("the language is `{language}`, not C"));
    }
    let model = match read.options.data_model.as_deref() {
        None => None,
        Some("ILP32") => Some(DataModel::Ilp32),
        Some("LP64") => Some(DataModel::Lp64),
        Some(other) => return Err(format!("data model `{other}` is not known")),
    };
    let inputs = match read.input_files {
        OneOrMany::One(name) => vec![name],
        OneOrMany::Many(names) => names,
    };
    if inputs.is_empty() {
        return Err("there are no input files".into());
    }
    Ok(TaskFile {
        inputs: inputs.iter().map(|name| folder.join(name)).collect(),
        properties: read.properties.iter().map(|p| folder.join(&p.property_file)).collect(),
        model,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_definitions() {
        let text = "\
format_version: '2.0'
input_files: 'x.i'
required_files: []
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: false
  - property_file: no-overflow.prp
    expected_verdict: true
    subproperty: valid-deref
options:
  language: C
  data_model: ILP32
";
        let expected = TaskFile {
            inputs: vec!["d/x.i".into()],
            properties: vec!["d/../properties/unreach-call.prp".into(), "d/no-overflow.prp".into()],
            model: Some(DataModel::Ilp32),
        };
        assert_eq!(parse(text, Path::new("d")), Ok(expected));
        let short = "format_version: 1.0\ninput_files: [a.c, b.c]\n";
        let short = parse(short, Path::new("")).expect("the old format");
        assert_eq!(short.inputs, [PathBuf::from("a.c"), PathBuf::from("b.c")]);
        assert_eq!((short.model, short.properties.len()), (None, 0));
    }

    #[test]
    fn broken_task_definitions() {
        let check = |text: &str, expected: &str| {
            let error = parse(text, Path::new("")).expect_err("broken");
            assert!(error.contains(expected), "{error}");
        };
        check("format_version: '3.0'\ninput_files: a.c\n", "version `3.0`");
        check("format_version: '2.0'\n", "input_files");
        check("format_version: '2.0'\ninput_files: []\n", "no input files");
        check("{{{", "");
        let java = "format_version: '2.0'\ninput_files: a\noptions: {language: Java}\n";
        check(java, "`Java`");
        let wide = "format_version: '2.0'\ninput_files: a\noptions: {data_model: LP128}\n";
        check(wide, "`LP128`");
    }
}
