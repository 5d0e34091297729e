//! The schemas of what `--json` and `--events` print, as files in the folder `schemas`.
//!
//! They are made of the types, so they cannot drift; a test compares the files with them,
//! and `UPDATE_SCHEMAS=1 cargo test -p parallax-report schemas` writes them. Commands that
//! build their object by hand have the fields that all results share.

use crate::{
    BOUNDS_SCHEMA, BoundsJson, EVENTS_SCHEMA, ErrorJson, EventJson, INVARIANTS_SCHEMA,
    InvariantsJson, LTL_SCHEMA, LTS_SCHEMA, LtlJson, LtsJson, MAGIC_SCHEMA, MagicJson,
    OPTIMA_SCHEMA, OptimaJson, RunJson, SCHEMA, VALIDATION_SCHEMA, ValidationJson,
};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What all results of commands share that take time.
fn shared() -> Value {
    json!({
        "type": "object",
        "required": ["schema", "verdict", "properties", "assumptions", "stats"],
        "properties": {
            "schema": { "type": "string" },
            "verdict": { "enum": ["holds", "violated", "unknown"] },
            "properties": { "type": "array", "items": {
                "type": "object",
                "required": ["name", "verdict"],
                "properties": {
                    "name": { "type": "string" },
                    "verdict": { "enum": ["holds", "violated", "unknown"] },
                },
            } },
            "assumptions": { "type": "array", "items": { "type": "string" } },
            "stats": { "type": "object", "required": ["time_s", "peak_memory_bytes"] },
        },
    })
}

/// A run that reached its limits before it had a result.
fn unfinished() -> Value {
    let mut form = shared();
    form["properties"]["verdict"] = json!({ "const": "unknown" });
    form
}

/// A system that is too large to be listed.
fn wide() -> Value {
    let mut form = shared();
    form["properties"]["storage"] = json!({ "const": "diagrams" });
    form["required"].as_array_mut().expect("a list").push(json!("storage"));
    form
}

/// A schema whose objects have one of the forms.
fn file(name: &str, forms: Vec<Value>, generator: SchemaGenerator) -> Value {
    let definitions: Value = generator.definitions().clone().into();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "anyOf": forms,
        "$defs": definitions,
    })
}

/// Schemas say what is written: a field that may be left out is not required.
fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().for_serialize().into_generator()
}

fn form<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().into()
}

/// The schema of a result: its own form; the fields that all share, of a run which reached
/// its limits before it had a result; or what is wrong with the input.
fn result<T: JsonSchema>(name: &str) -> (String, Value) {
    let mut generator = generator();
    let forms = vec![form::<T>(&mut generator), unfinished(), form::<ErrorJson>(&mut generator)];
    (name.to_owned(), file(name, forms, generator))
}

fn by_hand(name: &str) -> (String, Value) {
    (name.to_owned(), file(name, vec![shared()], generator()))
}

/// A table of functions with the result of each.
fn table(name: &str) -> (String, Value) {
    let mut generator = generator();
    let run = form::<RunJson>(&mut generator);
    let table = json!({
        "type": "object",
        "required": ["schema", "verdict", "functions", "stats"],
        "properties": { "functions": { "type": "array", "items": {
            "type": "object",
            "required": ["name", "verdict", "note"],
            "properties": {
                "name": { "type": "string" },
                "verdict": { "enum": ["holds", "violated", "unknown"] },
                "note": { "type": "string" },
                "result": { "anyOf": [run, { "type": "null" }] },
            },
        } } },
    });
    let forms = vec![table, form::<ErrorJson>(&mut generator)];
    (name.to_owned(), file(name, forms, generator))
}

fn all() -> Vec<(String, Value)> {
    let mut events = generator();
    let event = form::<EventJson>(&mut events);
    let mut lts = result::<LtsJson>(LTS_SCHEMA);
    lts.1["anyOf"].as_array_mut().expect("a list").push(wide());
    vec![
        result::<RunJson>(SCHEMA),
        result::<InvariantsJson>(INVARIANTS_SCHEMA),
        result::<BoundsJson>(BOUNDS_SCHEMA),
        result::<OptimaJson>(OPTIMA_SCHEMA),
        lts,
        result::<MagicJson>(MAGIC_SCHEMA),
        result::<LtlJson>(LTL_SCHEMA),
        result::<ValidationJson>(VALIDATION_SCHEMA),
        table("parallax-functions/1"),
        by_hand("parallax-testgen/2"),
        by_hand("parallax-certified/1"),
        by_hand("parallax-certified-conformance/1"),
        (EVENTS_SCHEMA.to_owned(), file(EVENTS_SCHEMA, vec![event], events)),
    ]
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas")
}

#[test]
fn schemas_are_those_of_the_types() {
    for (name, schema) in all() {
        let path = folder().join(format!("{}.json", name.replace('/', "-")));
        let text = serde_json::to_string_pretty(&schema).expect("plain data") + "\n";
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            std::fs::create_dir_all(folder()).expect("a folder");
            std::fs::write(&path, &text).expect("a file");
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == text,
            "{} is not what the types say; see the head of schemas.rs",
            path.display()
        );
    }
}
