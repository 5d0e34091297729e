//! Layer 5: results for people and for scripts.
//!
//! Everything here turns plain data into text, JSON, DOT or SVG. No engine, no
//! solver and no terminal is known here: renderers return strings, and the
//! command line decides where they go. The same input gives the same bytes.
//!
//! Text from outside (names, source lines, messages) is never passed through
//! as it is: control and direction-changing characters are made visible by
//! [`escape`], and whatever could be arbitrarily long is clipped.

mod diagnostics;
mod dot;
pub mod escape;
mod graph;
mod layout;
mod metrics;
mod svg;
mod text;

pub use diagnostics::{
    DiagnosticJson, Look, PlaceJson, SpanJson, diagnostic_json, render_diagnostic,
    render_diagnostics,
};
pub use dot::to_dot;
pub use graph::{Edge, EdgeStyle, Graph, Node, NodeKind};
pub use svg::to_svg;
pub use text::to_text;
