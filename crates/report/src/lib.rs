//! Layer 5: results for people and for scripts.
//!
//! Everything here turns plain data into text, JSON, DOT or SVG. No engine, no
//! solver and no terminal is known here: renderers return strings, and the
//! command line decides where they go. The same input gives the same bytes.
//!
//! Text from outside (names, source lines, messages) is never passed through
//! as it is: control and direction-changing characters are made visible by
//! [`escape`], and whatever could be arbitrarily long is clipped.

mod abstraction;
mod arg;
mod bounds;
mod c;
mod cfa;
mod diagnostics;
mod digest;
mod distinction;
mod dot;
pub mod escape;
mod event;
mod formula;
mod functions;
mod graph;
mod history;
mod html;
mod invariants;
mod json;
mod layout;
mod ltl;
mod lts;
mod magic;
mod metrics;
mod optima;
mod proof;
mod run;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod schemas;
mod show;
mod state;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod trace;
mod validation;
mod verdict;

pub use abstraction::abstract_graph;
pub use arg::{arg_graph, render_arg};
pub use bounds::{
    BOUNDS_SCHEMA, BoundJson, BoundsCounts, BoundsJson, BoundsReport, BoundsStatsJson,
    TemplateJson, TimesJson, bounds_json, render_bounds,
};
pub use c::{
    CInputJson, CRun, CRunJson, CRunLook, CStepJson, Harness, Invariant, WitnessInput, WitnessTask,
    c_literal, c_run_json, correctness_witness, harness, render_c_run, render_end, shown_scalar,
    violation_witness,
};
pub use cfa::{cfa_graph, show_cfa};
pub use diagnostics::{
    DiagnosticJson, Look, PlaceJson, SpanJson, diagnostic_json, render_diagnostic,
    render_diagnostics,
};
pub use digest::{Digest, Entry, Moment, Place, Problem, Word, annotations, junit, sarif};
pub use distinction::simulation_graph;
pub use dot::to_dot;
pub use event::{EVENTS_SCHEMA, EventJson, HappeningJson};
pub use formula::Printer;
pub use functions::{FunctionRow, render_functions};
pub use graph::{Edge, EdgeStyle, Graph, Node, NodeKind};
pub use history::render_history;
pub use html::{
    Page, PageEdge, PageGraph, PageInvariant, PageNode, PagePlace, cfa_page_graph, page_place,
    process_page_graph, render_page,
};
pub use invariants::{
    INVARIANTS_SCHEMA, InvariantsJson, InvariantsReport, LoopJson, LoopReport, OtherJson,
    OtherReport, invariants_graph, invariants_json, render_invariants,
};
pub use json::{
    ArgJson, ArgNodeJson, ErrorJson, EvidenceJson, InputJson, InvariantJson, NativeJson,
    OmittedJson, PairJson, PathJson, PathStepJson, ProofJson, PropertyJson, RankingJson,
    ReasonJson, RegionJson, RoundJson, RunJson, SCHEMA, StatsJson, StepJson, TraceJson,
    TrackedJson, TreeNodeJson, error_json, run_json,
};
pub use json::{CostJson, Envelope, RowJson};
pub use ltl::{
    AutomatonJson, EdgeJson, LTL_SCHEMA, LtlJson, PartJson, StateJson, WordJson, automaton_graph,
    automaton_hoa, lasso_graph, ltl_json, render_word, word_text,
};
pub use lts::{
    AssertionRun, Compared, LTS_SCHEMA, LtsAssertionJson, LtsConformanceJson, LtsJson, LtsNodeJson,
    LtsProgressJson, LtsPropertyJson, LtsReport, LtsRow, WideReport, WideRun, dag_graph,
    dag_graph_with, lts_graph, lts_json, render_dag, render_lts, render_wide, wide_json,
};
pub use magic::{
    MAGIC_SCHEMA, MagicAnswerJson, MagicFigures, MagicJson, MagicReport, MagicStep, MagicStoryJson,
    magic_json, render_magic,
};
pub use optima::{
    OPTIMA_SCHEMA, ObjectiveJson, OptimaJson, OptimaReply, OptimaReport, optima_json, render_optima,
};
pub use proof::render_proof;
pub use run::{Answer, Run};
pub use show::{program_graph, show_program};
pub use state::{state_changes, state_values};
pub use svg::to_svg;
pub use text::to_text;
pub use trace::{TraceLook, render_trace};
pub use validation::{
    Judgement, VALIDATION_SCHEMA, Validated, ValidationJson, ValidationReport, render_validation,
    validation_json,
};
pub use verdict::render_verdict;
