//! Messages about user input: a code, a severity, labelled spans, help.
//!
//! A diagnostic is data. Rendering belongs to the report room, so that the
//! same message can be text in a terminal and an object in JSON.

use crate::Span;

/// How bad a diagnostic is. Only errors stop a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The input is wrong; no task can be made of it.
    Error,
    /// The input means something, though perhaps not what was intended.
    Warning,
}

/// A span with a short text beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place pointed at.
    pub span: Span,
    /// What is to be said about it, may be empty.
    pub text: String,
}

/// One message about the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Stable code such as `M0102`; documented in the book.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// One sentence, no full stop.
    pub message: String,
    /// The primary place first, further places after it.
    pub labels: Vec<Label>,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        let label = Label { span, text: String::new() };
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            labels: vec![label],
            help: None,
        }
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Sets the text beside the primary span.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        if let Some(first) = self.labels.first_mut() {
            first.text = text.into();
        }
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Sets the help line.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }
}

/// The messages of one run, in the order they were found.
///
/// At most [`Diagnostics::LIMIT`] errors are kept; the rest are counted, so a
/// broken 50 MB file does not produce 50 MB of messages.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    items: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// How many messages are kept.
    pub const LIMIT: usize = 20;

    /// Records a message.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
        }
        if self.items.len() < Self::LIMIT {
            self.items.push(diagnostic);
        }
    }

    /// Whether any error was recorded, kept or not.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The number of errors recorded, kept or not.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Whether further messages would only be counted.
    pub fn is_full(&self) -> bool {
        self.items.len() >= Self::LIMIT
    }

    /// The messages that were kept.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.items.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_beyond_the_limit_are_counted_not_kept() {
        let mut all = Diagnostics::default();
        for _ in 0..50 {
            all.push(Diagnostic::error("X0001", Span::default(), "no"));
        }
        assert_eq!(all.iter().count(), Diagnostics::LIMIT);
        assert_eq!(all.error_count(), 50);
    }
}
