//! Makes foreign text safe to show: in a terminal, in XML, in DOT.
//!
//! A model may contain a terminal escape sequence or a character that turns
//! the reading direction around (CVE-2021-42574, "Trojan Source"). Such
//! characters are shown as `\u{202e}` everywhere, so what is read is what is
//! in the file.

use std::borrow::Cow;

/// Whether a character must not reach a screen as it is: control characters,
/// direction marks, and characters that have no visible form.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Appends `c`, in its visible form if it has none of its own.
pub(crate) fn push_visible(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if is_hidden(c) => out.extend(c.escape_unicode()),
        c => out.push(c),
    }
}

/// The text with every hidden character written out, line breaks included.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    text.chars().for_each(|c| push_visible(&mut out, c));
    Cow::Owned(out)
}

/// Like [`visible`], but line breaks stay line breaks.
pub fn visible_lines(text: &str) -> String {
    text.split('\n').map(|line| visible(line.trim_end_matches('\r'))).collect::<Vec<_>>().join("\n")
}

/// At most `max` characters: the middle of a longer text gives way to `…`.
pub fn clip(text: &str, max: usize) -> Cow<'_, str> {
    // The byte length bounds the character count, so short text is not walked.
    if text.len() <= max {
        return Cow::Borrowed(text);
    }
    let keep = max.saturating_sub(1);
    let (head, tail) = (keep - keep / 3, keep / 3);
    let cut = |n: usize| text.char_indices().nth(n).map_or(text.len(), |(i, _)| i);
    let from_end = |n: usize| match n.checked_sub(1) {
        None => text.len(),
        Some(last) => text.char_indices().rev().nth(last).map_or(0, |(i, _)| i),
    };
    let (left, right) = (cut(head), from_end(tail));
    // Equal up to the one character that `…` would replace: nothing is won.
    if text[left.min(right)..right].chars().nth(1).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{}…{}", &text[..left], &text[right..]))
}

/// A word as a shell takes it.
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_alphanumeric() || "._-/+@%:,=".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(format!("'{}'", text.replace('\'', "'\\''"))),
    }
}

/// Text for an XML element or a quoted attribute.
pub fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => push_visible(&mut out, c),
        }
    }
    out
}

/// A quoted DOT string; each line ends as `newline` says (`\n` centers, `\l`
/// aligns to the left).
pub fn dot<'a>(lines: impl IntoIterator<Item = &'a str>, newline: &str) -> String {
    let mut out = String::from("\"");
    for (i, line) in lines.into_iter().enumerate() {
        if i > 0 {
            out.push_str(newline);
        }
        for c in visible(line).chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                c => out.push(c),
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_become_visible() {
        assert_eq!(visible("plain µ"), "plain µ");
        assert_eq!(visible("a\u{1b}[31m\u{202e}b\n"), "a\\u{1b}[31m\\u{202e}b\\n");
        assert_eq!(visible_lines("a\r\nb\0"), "a\nb\\u{0}");
    }

    #[test]
    fn clipping_keeps_both_ends() {
        assert_eq!(clip("short", 10), "short");
        assert_eq!(clip("0123456789abcdef", 10), "012345…def");
        assert_eq!(clip("µµµµµµ", 6), "µµµµµµ");
        assert_eq!(clip("0123456789", 1), "…");
        assert_eq!(clip("0123456789", 0), "…");
        for max in 0..20 {
            assert!(clip("0123456789abcdef", max).chars().count() <= max.max(1), "{max}");
        }
    }

    #[test]
    fn words_for_the_shell() {
        assert_eq!(shell_word("models/a-1.plx"), "models/a-1.plx");
        assert_eq!(shell_word("my model.plx"), "'my model.plx'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word(""), "''");
    }

    #[test]
    fn xml_and_dot_quote_their_own_specials() {
        assert_eq!(xml("a<b && \"c\"\u{0}"), "a&lt;b &amp;&amp; &quot;c&quot;\\u{0}");
        assert_eq!(dot(["say \"hi\"", "\\N"], "\\l"), r#""say \"hi\"\l\\N""#);
    }
}
