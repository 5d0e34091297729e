//! Layer 3: what an engine hands out, as plain data.
//!
//! A [`Finding`] is a proof with its [`Certificate`], a [`Trace`] or an
//! [`Execution`] that really reaches the target, or a reason why neither was found. There is no way to
//! write down an answer without evidence. Nothing here checks evidence: that
//! is the `certify` room's only task, so that no engine can vouch for itself.

mod abstraction;
mod arg;
mod bounds;
mod certificate;
mod codec;
mod composition;
mod conformance;
mod descent;
mod finding;
mod quantified;
mod ranking;
mod recursion;
mod reduced;
mod refutation;
mod systems;
mod trace;
mod unrolling;

pub use abstraction::{AbstractEdge, AbstractState, AbstractSystem};
pub use arg::{ArgNode, ReachabilityGraph, Standing};
pub use bounds::{Bound, Bounds, Extent, Front, Optimum, Point, stage};
pub use certificate::{Certificate, CertificateKind, ClosedSet, QuotientEdge, Region};
pub use codec::{
    CompositionFile, CompositionSettings, ConformanceClaim, ConformanceFile, EVIDENCE_SCHEMA,
    EvidenceError, EvidenceFile, OptimaFile, Section, SystemClaim, SystemsFile, SystemsSettings,
    write_conformance, write_evidence, write_sections,
};
pub use composition::{CompositionEvidence, CompositionQuestion, JointStep, Stages};
pub use conformance::{
    ConformanceEvidence, ConformanceProof, ConformanceRefutation, Cover, Labelled, Run, RunStep,
};
pub use descent::{Descent, DescentNode};
pub use finding::{Finding, Outcome, Refinement, SpuriousPath, Statistics, Verdict, Why};
pub use quantified::Quantified;
pub use ranking::{RankedNode, Ranking};
pub use recursion::{ContractClaim, Execution, Made, Recursion};
pub use reduced::{Movers, Reduced};
pub use refutation::{Literal, Name, Refutation, Step};
pub use systems::{FairClass, FairNode, FairRanking, FairReason, SystemEvidence, SystemQuestion};
pub use trace::{Recurrence, Trace, TraceStep};
pub use unrolling::{Unrolling, UnrollingStep};
