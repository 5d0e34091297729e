//! Bytes to text.

use crate::lex::Encoding;

/// The text of a file. One that is not UTF-8 is read byte by byte, each byte
/// becoming the character of that number (Latin-1), so that no byte of a string
/// literal is lost.
pub(crate) fn decode(bytes: Vec<u8>) -> (String, Encoding) {
    let bytes = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => rest.to_vec(),
        None => bytes,
    };
    match String::from_utf8(bytes) {
        Ok(text) => (text, Encoding::Utf8),
        Err(error) => (error.as_bytes().iter().copied().map(char::from).collect(), Encoding::Bytes),
    }
}

/// Whether a text contains directives that only a preprocessor can obey: any
/// but line markers, `#line`, `#pragma` and `#ident`.
pub(crate) fn has_directives(text: &str) -> bool {
    text.lines().filter_map(|line| line.trim_start().strip_prefix('#')).any(|rest| {
        let rest = rest.trim_start();
        let word = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
        let harmless = matches!(word, "" | "line" | "pragma" | "ident");
        !harmless && !word.bytes().all(|b| b.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf8_keep_their_values() {
        assert_eq!(decode(b"\"\xe9\"".to_vec()), ("\"é\"".to_owned(), Encoding::Bytes));
        assert_eq!(decode("\"é\"".into()), ("\"é\"".to_owned(), Encoding::Utf8));
        assert_eq!(decode(b"\xef\xbb\xbfint x;".to_vec()), ("int x;".to_owned(), Encoding::Utf8));
    }

    #[test]
    fn directives_are_told_from_markers() {
        assert!(!has_directives("# 1 \"a.c\"\nint x;\n#pragma pack(1)\n  #line 3\n#\n"));
        assert!(has_directives("int x;\n  # include <a.h>\n"));
        assert!(has_directives("#define A 1"));
    }
}
