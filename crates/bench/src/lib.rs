//! Benchmarks: rows of data, one child process per row, a table of figures.
//!
//! Nothing of Parallax is linked in but the generators of random inputs, which use
//! nothing of it either. Every row runs the `parallax` binary as a
//! user would, so that it has a peak memory of its own and a crash stays one
//! row. What a row asks and what was published about it stands in a file of
//! tab-separated values ([`parse_rows`]); [`measure()`] runs it, [`judge()`]
//! says whether the answer is wrong, [`Table`] prints it.

mod arguments;
mod bounds;
mod collection;
pub mod fuzz;
mod judge;
mod loops;
mod measure;
mod quantile;
mod row;
mod table;
mod task;

pub use arguments::{Arguments, USAGE};
pub use bounds::{Bounded, Interval, Reference, measure_bounds, parse_references, problems};
pub use collection::{COLLECTION_OPTIONS, Collection};
pub use judge::{Objection, judge};
pub use loops::{Loops, measure_loops};
pub use measure::{Limits, Measured, Outcome, Runner, measure, measure_task};
pub use quantile::quantile_plot;
pub use row::{Demand, Figure, Figures, Row, RowError, parse_rows};
pub use table::Table;
pub use task::{Task, parse_tasks, sample};
