//! The text of an API: a file, or an annotation in the C file.
//!
//! ```toml
//! [container]
//! new = "list_new"          # returns the container, or fills the one it is given
//! arguments = [16]          # further arguments of it
//! delete = "list_delete"
//! count = 2                 # how many of them a sequence has; one if left out
//! invariant = "list_ok"     # not zero if the container is well formed
//! abstraction = "list_bits" # for --match user: an unsigned number or a string
//!
//! [model]                   # compared with the container
//! new = "set_new"
//!
//! [[operation]]
//! call = "list_insert"
//! arguments = ["container", "value"]  # may be left out
//! result = "container"      # the result is the container from now on
//! model = "set_insert"
//! ```
//!
//! An annotation is a comment that begins with `/*@ testgen`, with the same
//! text in it.

use crate::diagnose::{BAD_API, error_at};
use parallax_base::{Diagnostic, Diagnostics, FileId, Span};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use toml::Spanned;

/// A text that was read: names and numbers with their places.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApiText {
    pub(crate) container: Option<Spanned<MakerText>>,
    pub(crate) model: Option<Spanned<MakerText>>,
    #[serde(default)]
    pub(crate) operation: Vec<Spanned<OperationText>>,
    /// Where the text lies: its file, and where it begins there.
    #[serde(skip)]
    pub(crate) at: (FileId, usize),
    /// How long it is.
    #[serde(skip)]
    pub(crate) length: usize,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MakerText {
    pub(crate) new: Option<Spanned<String>>,
    #[serde(default)]
    pub(crate) arguments: Vec<Spanned<i64>>,
    pub(crate) delete: Option<Spanned<String>>,
    pub(crate) count: Option<Spanned<i64>>,
    pub(crate) invariant: Option<Spanned<String>>,
    pub(crate) abstraction: Option<Spanned<String>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OperationText {
    pub(crate) call: Spanned<String>,
    pub(crate) arguments: Option<Vec<Spanned<ArgumentText>>>,
    pub(crate) result: Option<Spanned<String>>,
    pub(crate) model: Option<Spanned<String>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum ArgumentText {
    Word(String),
    Constant(i64),
    Range(RangeText),
    Values(ValuesText),
    First(FirstText),
    Strings(StringsText),
    Records(RecordsText),
    Other(IgnoredAny),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RangeText {
    pub(crate) from: i64,
    pub(crate) to: i64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ValuesText {
    pub(crate) values: Vec<i64>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FirstText {
    pub(crate) first: i64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StringsText {
    pub(crate) strings: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordsText {
    pub(crate) records: Vec<BTreeMap<String, i64>>,
}

impl ApiText {
    /// The place of a part of the text.
    pub(crate) fn span(&self, range: std::ops::Range<usize>) -> Span {
        let (file, start) = self.at;
        Span::new(file, start + range.start, start + range.end)
    }

    /// The place of the whole.
    pub(crate) fn whole(&self) -> Span {
        self.span(0..self.length.min(1))
    }
}

/// Reads the text of an API file, or the annotations of a C file.
pub fn parse_api(file: FileId, text: &str, is_c: bool) -> Result<ApiText, Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    let (start, text) = if is_c {
        match annotation(text) {
            Some(found) => found,
            None => {
                diagnostics.push(
                    Diagnostic::error(BAD_API, Span::new(file, 0, 0), "no API is given")
                        .help("name it with --api FILE, or write it into a comment `/*@ testgen`"),
                );
                return Err(diagnostics);
            }
        }
    } else {
        (0, text)
    };
    match toml::from_str::<ApiText>(text) {
        Ok(mut api) => {
            api.at = (file, start);
            api.length = text.len();
            Ok(api)
        }
        Err(error) => {
            let range = error.span().unwrap_or(0..0);
            let span = Span::new(file, start + range.start, start + range.end.max(range.start));
            diagnostics.push(error_at(BAD_API, span, error.message().trim()));
            Err(diagnostics)
        }
    }
}

/// The text inside the first `/*@ testgen ... */`, and where it begins.
fn annotation(text: &str) -> Option<(usize, &str)> {
    let mut from = 0;
    loop {
        let at = from + text[from..].find("/*@")?;
        let inside = &text[at + 3..];
        let word = inside.trim_start();
        if let Some(rest) = word.strip_prefix("testgen") {
            let start = text.len() - rest.len();
            let end = rest.find("*/").unwrap_or(rest.len());
            return Some((start, &rest[..end]));
        }
        from = at + 3;
    }
}
