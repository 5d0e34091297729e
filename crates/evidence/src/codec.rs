//! Evidence files: certificates and traces as JSON.
//!
//! ```json
//! { "schema": "parallax-evidence/1", "program": "ticket", "constants": {"N": "2"},
//!   "variables": ["t", "P[0]@"], "transitions": ["P[0].take"],
//!   "properties": [
//!     { "name": "mutex", "claim": "unreachable", "certificate": {
//!         "kind": "safe-fragment", "points": [[0, 0]],
//!         "prefix": [], "fragment": [{"at": {"P[0]@": 1}, "formula": "(<= 1 t)"}] } },
//!     { "name": "goal", "claim": "reached", "trace": {
//!         "initial": {"t": 0, "P[0]@": 0},
//!         "steps": [{"transition": "P[0].take", "inputs": [], "state": {"t": 1, "P[0]@": 1}}] } } ] }
//! ```
//!
//! A point lists values in the order of `variables`. Formulas are SMT-LIB
//! terms over the variables. An integer beyond 64 bits and every real is a
//! string. `quotient` lists `[region, transition, region]` by index. The kind
//! `unrolling` has one field besides its name: `"tree": [[0, 3], [1, 4]]`, the
//! parent and the transition of each node but the root, which is number 0; where only
//! some processes move, `"tree_moves": [[1, [0, 2]]]` says at which node which. The
//! kind `reduced` has `points_move` and `fragment_moves` in place of `prefix`: for
//! each point and region `[processes, rank]`, the numbers of the processes that move
//! from there, or `null` for all.
//!
//! A C program is turned into terms once for each property, and if it recurs in
//! several ways. If there is more than one program, evidence about each stands
//! in `parts`, and if recursive calls were treated in a particular way, so does
//! that:
//!
//! ```json
//! { "parts": [{ "recursion": {"contracts": [
//!       {"function": "f", "requires": ["0 <= n"], "ensures": ["\\result == n"]}]},
//!     "variables": [], "transitions": [], "properties": [] }] }
//! ```
//!
//! or `"recursion": {"depth": 5}`. A program that no pass has made smaller is
//! marked by `"passes": "none"`, one in which `[] p` is asked as the invariant `p`
//! by `"formula": "invariant"`. A claim `executed` has the inputs of a run of
//! the C program: `{"name": "unreach-call", "claim": "executed", "inputs": [7]}`.
//!
//! Formulas of linear temporal logic that were asked stand in `formulas`, as
//! they were written; the field is left out if there are none. Claims on them
//! are `satisfied` and `broken`. A trace that breaks one has a field `cycle`:
//! how many steps come before what is repeated. The kind `ranking` has the
//! fields `states` (as points), `obligations` (numbers of parts of the negated
//! formula), `nodes` (`[state, obligations, rank]` by index) and `blamed` (a
//! number of a part or `null`, by rank).
//!
//! Invariants that were found stand in `invariants`: SMT-LIB terms over the
//! variables, locations included. That all of them hold in every reachable
//! state is the property named `invariants`.
//!
//! Reading is strict: an unknown field, a missing variable, a name the program
//! does not have or a claim without its evidence is an error, never a guess.
//! What is read is a claim; whether it is true is for the checker to say.
//! Writing streams, and points are read without an intermediate tree, so that
//! a certificate with a million points is no burden.

mod composition;
mod conformance;
mod optima;
mod read;
mod systems;
#[cfg(test)]
mod tests;
mod value;
mod write;

pub use composition::{CompositionFile, CompositionSettings};
pub use conformance::{ConformanceClaim, ConformanceFile, write_conformance};
pub use optima::OptimaFile;
pub use read::{EvidenceError, EvidenceFile};
pub use systems::{SystemClaim, SystemsFile, SystemsSettings};
pub use write::{Section, write_evidence, write_sections};

/// The schema this version writes and reads.
pub const EVIDENCE_SCHEMA: &str = "parallax-evidence/1";

/// The claim of a certificate.
const UNREACHABLE: &str = "unreachable";

/// What a part says in which a formula is asked as an invariant.
const ALWAYS: &str = "invariant";

/// What a part says whose program no pass has made smaller.
const PLAIN: &str = "none";
/// The claim of a trace.
const REACHED: &str = "reached";
/// The claim of a run by its inputs.
const EXECUTED: &str = "executed";
/// The claim of a certificate for a formula.
const SATISFIED: &str = "satisfied";
/// The claim of a trace against a formula.
const BROKEN: &str = "broken";
