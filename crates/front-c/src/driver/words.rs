//! What a driver takes for granted, in words.

use super::Request;
use super::shape::Shapes;
use super::write::Used;
use std::sync::Arc;

/// One sentence each.
pub(super) fn assumed(
    shapes: &Shapes<'_>,
    request: &Request,
    links: u32,
    used: Used,
) -> Vec<Arc<str>> {
    let name = &request.function;
    let most = request.elements.max(1);
    let mut bounds: Vec<String> = Vec::new();
    if used.arrays {
        bounds.push(format!("arrays of 1 to {most} elements"));
    }
    if used.strings {
        bounds.push(format!("strings of at most {} characters", most - 1));
    }
    if used.chains {
        bounds.push(format!("at most {links} records of a kind in a row"));
    }
    if used.pointers {
        let null = if request.null { "" } else { ", not null" };
        bounds.push(format!("each pointer to an object of its own{null}"));
    }
    if used.opaque {
        bounds.push("nobody looks into records without members".to_owned());
    }
    if used.functions {
        bounds.push("functions behind pointers are unknown code".to_owned());
    }
    let bounds = match bounds.is_empty() {
        true => String::new(),
        false => format!(": {}", bounds.join(", ")),
    };
    let mut all = vec![format!("`{name}` is called once, with any arguments{bounds}")];
    all.extend(request.assume.iter().map(|text| format!("`{text}` when `{name}` is called")));
    if shapes.globals().next().is_some() {
        all.push(match used.globals {
            true => "variables at file level have any value when it is called".to_owned(),
            false => "global variables have their initial values when it is called".to_owned(),
        });
    }
    all.into_iter().map(Arc::from).collect()
}
