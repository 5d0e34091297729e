//! A result as one page of HTML that opens from disk: verdicts and evidence, the source
//! with invariants at their lines, runs that step forward and back, graphs that zoom and
//! fold, refinement round by round.
//!
//! The page is a fixed frame, a fixed script and data. Text of programs is data and
//! nothing else: it lies in a block of JSON that no browser executes, and the script makes
//! text nodes of it. The content security policy allows this one script and this one style
//! by their hashes, and no connection to anywhere.

mod drawn;
mod policy;

use crate::digest::{Digest, Entry};
use minijinja::{AutoEscape, Environment, context};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

pub use self::drawn::{
    PageEdge, PageGraph, PageNode, cfa_page_graph, page_place, process_page_graph,
};

/// The frame.
const FRAME: &str = include_str!("page.html");

/// What the page looks like.
const STYLE: &str = include_str!("assets/style.css");

/// What it does, in the order in which the parts need each other.
const SCRIPTS: [&str; 7] = [
    include_str!("assets/base.js"),
    include_str!("assets/run.js"),
    include_str!("assets/source.js"),
    include_str!("assets/layout.js"),
    include_str!("assets/graph.js"),
    include_str!("assets/panels.js"),
    include_str!("assets/main.js"),
];

/// Of a longer source this many bytes are shown.
const SOURCE: usize = 4 << 20;

/// A place in a source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PagePlace {
    /// The file, as in the list of sources.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// Something that holds whenever a run is at a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PageInvariant {
    /// The property whose proof says so; `null` if it is no proof of a property.
    pub property: Option<String>,
    /// Where.
    #[serde(flatten)]
    pub place: PagePlace,
    /// What holds.
    pub text: String,
}

/// What a page is made of.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The command, such as `check`.
    pub command: String,
    /// What it is about: a file, most often.
    pub title: String,
    /// The version of Parallax.
    pub version: String,
    /// The object of `--json`.
    pub object: Json,
    /// Names and texts of files.
    pub sources: Vec<(String, String)>,
    /// The places of locations, as they are called in the object: `main@L8`.
    pub places: Vec<(String, PagePlace)>,
    /// What holds at lines.
    pub invariants: Vec<PageInvariant>,
    /// Pictures.
    pub graphs: Vec<PageGraph>,
}

/// The page.
pub fn render_page(page: &Page) -> String {
    let digest = Digest::of(&page.title, &page.version, &page.object);
    let script = script();
    let sources = page.sources.iter().map(|(name, text)| {
        let end = (0..=text.len().min(SOURCE)).rev().find(|&at| text.is_char_boundary(at));
        json!({ "name": name, "text": &text[..end.unwrap_or(0)] })
    });
    let places: Map<String, Json> =
        page.places.iter().map(|(name, place)| (name.clone(), json!(place))).collect();
    let data = json!({
        "command": page.command, "title": page.title, "version": page.version,
        "result": page.object, "sources": sources.collect::<Vec<_>>(), "places": places,
        "invariants": page.invariants, "graphs": page.graphs,
    });
    let row = |entry: &Entry| {
        context! { name => entry.name.clone(), verdict => entry.word.word(), message => entry.message.clone() }
    };
    let entries: Vec<minijinja::Value> = digest.entries.iter().map(row).collect();
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let filled = environment.render_str(
        FRAME,
        context! {
            title => page.title.clone(),
            verdict => page.object["verdict"].as_str().unwrap_or("unknown"),
            entries,
            data => policy::inert(&data),
            script_hash => policy::hash(&script),
            style_hash => policy::hash(STYLE),
            style => STYLE,
            script,
        },
    );
    // The frame is ours, and a test renders it.
    filled.unwrap_or_default()
}

/// All parts as one script with a scope of its own.
fn script() -> String {
    format!("\"use strict\";\n(() => {{\n{}\n}})();\n", SCRIPTS.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small_and_whole() {
        let page = render_page(&Page::default());
        assert!(page.len() < 400_000, "{} bytes", page.len());
        assert!(page.contains("default-src 'none'") && page.ends_with("</html>"));
    }

    #[test]
    fn nothing_outside_is_named() {
        let frame = render_page(&Page::default()).replace("http://www.w3.org/2000/svg", "");
        for word in ["http:", "https:", "innerHTML", "eval(", "document.write", "insertAdjacent"] {
            assert!(!frame.contains(word), "{word}");
        }
    }

    #[test]
    fn text_of_programs_stays_text() {
        let evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\u{2028}]]>";
        let page = Page {
            title: evil.to_owned(),
            object: json!({ "verdict": "holds", "properties": [{ "name": evil, "verdict": "holds" }] }),
            sources: vec![(evil.to_owned(), evil.to_owned())],
            ..Page::default()
        };
        let text = render_page(&page);
        assert_eq!(text.matches("<script").count(), 2, "the data and our script");
        assert!(!text.contains("<img"));
    }
}
