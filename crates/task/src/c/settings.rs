//! How a C program was read, as names and values: evidence files keep them, so
//! that the checker reads it in the same way.

use super::{COptions, CProgram, Request};
use parallax_cfa::DataModel;
use parallax_encode::{Blocks, Encoding, Passes};

/// The settings of a program that make a difference.
pub(crate) fn settings(c: &CProgram) -> Vec<(String, String)> {
    let COptions {
        model,
        includes,
        defines,
        undefines,
        entry,
        call,
        malloc_may_fail,
        encoding,
        blocks,
        passes,
        ..
    } = &c.options;
    let mut found: Vec<(&str, String)> = Vec::new();
    for property in &c.properties {
        found.push(("property", property.name()));
    }
    found.push(("data-model", model_word(model.unwrap_or_default()).to_owned()));
    found.extend(includes.iter().map(|i| ("include", i.display().to_string())));
    found.extend(defines.iter().map(|d| ("define", d.clone())));
    found.extend(undefines.iter().map(|u| ("undefine", u.clone())));
    found.extend(entry.iter().map(|e| ("entry", e.clone())));
    if let Some(Request { function, assume, elements, links, null, free_globals }) = call {
        found.push(("function", function.clone()));
        found.extend(assume.iter().map(|condition| ("assume", condition.clone())));
        found.push(("elements", elements.to_string()));
        found.push(("links", links.to_string()));
        if *null {
            found.push(("arguments", "may-be-null".to_owned()));
        }
        if *free_globals {
            found.push(("globals", "free".to_owned()));
        }
    }
    if *malloc_may_fail {
        found.push(("malloc", "may-fail".to_owned()));
    }
    match encoding {
        Encoding::Suited => {}
        Encoding::Integers => found.push(("encoding", "integers".to_owned())),
        Encoding::Vectors => found.push(("encoding", "vectors".to_owned())),
    }
    if *blocks == Blocks::Single {
        found.push(("blocks", "single".to_owned()));
    }
    match passes {
        Passes::All => {}
        Passes::Whole => found.push(("program", "whole".to_owned())),
        Passes::Plain => found.push(("passes", "none".to_owned())),
    }
    found.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The name of a data model.
pub fn model_word(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ilp32",
        DataModel::Lp64 => "lp64",
    }
}

/// Options from settings; fails with a sentence on what is not known.
pub fn options_of(settings: &[(String, String)]) -> Result<COptions, String> {
    let mut options = COptions::default();
    for (name, value) in settings {
        match (name.as_str(), value.as_str()) {
            ("property", _) => options.properties.push(value.clone()),
            ("data-model", "ilp32") => options.model = Some(DataModel::Ilp32),
            ("data-model", "lp64") => options.model = Some(DataModel::Lp64),
            ("include", _) => options.includes.push(value.into()),
            ("define", _) => options.defines.push(value.clone()),
            ("undefine", _) => options.undefines.push(value.clone()),
            ("entry", _) => options.entry = Some(value.clone()),
            ("function", _) => options.call = Some(Request::call(value.clone())),
            ("assume" | "elements" | "links" | "arguments" | "globals", _) => {
                let call = options.call.as_mut().ok_or("bounds without a function")?;
                set(call, name, value)
                    .ok_or_else(|| format!("`{name}: {value}` makes no sense"))?;
            }
            ("malloc", "may-fail") => options.malloc_may_fail = true,
            ("encoding", "integers") => options.encoding = Encoding::Integers,
            ("encoding", "vectors") => options.encoding = Encoding::Vectors,
            ("blocks", "single") => options.blocks = Blocks::Single,
            ("program", "whole") => options.passes = Passes::Whole,
            ("passes", "none") => options.passes = Passes::Plain,
            _ => return Err(format!("setting `{name}: {value}` is not known")),
        }
    }
    Ok(options)
}

/// One bound of a call.
fn set(call: &mut Request, name: &str, value: &str) -> Option<()> {
    match (name, value) {
        ("assume", _) => call.assume.push(value.to_owned()),
        ("elements", _) => call.elements = value.parse().ok()?,
        ("links", _) => call.links = value.parse().ok()?,
        ("arguments", "may-be-null") => call.null = true,
        ("globals", "free") => call.free_globals = true,
        _ => return None,
    }
    Some(())
}
