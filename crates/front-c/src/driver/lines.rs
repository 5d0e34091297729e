//! Indented lines of C.

/// Text under construction.
#[derive(Clone, Default, Debug)]
pub(super) struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    /// Adds a line.
    pub(super) fn line(&mut self, text: &str) {
        let spaces = "  ".repeat(self.depth);
        self.text.push_str(&format!("{spaces}{text}\n"));
    }

    /// Opens a block, which begins with some words.
    pub(super) fn open(&mut self, head: &str) {
        let gap = if head.is_empty() { "" } else { " " };
        self.line(&format!("{head}{gap}{{"));
        self.depth += 1;
    }

    /// Closes the block that was opened last.
    pub(super) fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.line("}");
    }

    /// The text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}
