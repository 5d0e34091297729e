//! The house rules, as tests: what reviewers would otherwise have to remember.
//!
//! Formatting and lints are checked by `make test` with `cargo fmt` and `cargo clippy` (which also
//! forbids iteration over hash maps); everything here is about the tree as a whole. Each rule reports
//! all places that break it, not the first one, and each is tried on a small broken example so that
//! a rule that has gone blind is noticed.

mod layers;
mod markdown;
mod text;
mod tree;
mod trusted;

/// Fails with one line per violation.
fn assert_none(rule: &str, violations: Vec<String>) {
    assert!(violations.is_empty(), "{rule}:\n  {}\n", violations.join("\n  "));
}
