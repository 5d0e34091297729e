//! Documents that are open in an editor.

use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// An open document.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) uri: String,
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    /// The command that checks it.
    pub(crate) command: &'static str,
    /// The last answer; it may be about an older text.
    pub(crate) answer: Option<Json>,
}

impl Document {
    /// What tells this text from others.
    pub(crate) fn key(&self) -> String {
        self.text.clone()
    }

    /// A line, from 0, without its end.
    pub(crate) fn line(&self, line: u64) -> &str {
        self.text.lines().nth(usize::try_from(line).unwrap_or(usize::MAX)).unwrap_or("")
    }
}

/// All of them.
#[derive(Default, Debug)]
pub(crate) struct Documents(BTreeMap<String, Document>);

impl Documents {
    /// Opens a document; returns whether there is a command that checks it.
    pub(crate) fn open(&mut self, uri: &str, text: &str) -> bool {
        let Some(path) = path_of(uri) else { return false };
        let Some(command) = command_of(&path) else { return false };
        let (uri, text) = (uri.to_owned(), text.to_owned());
        self.0.insert(uri.clone(), Document { uri, path, text, command, answer: None });
        true
    }

    /// Takes a new text; returns whether the document is known.
    pub(crate) fn change(&mut self, uri: &str, text: &str) -> bool {
        self.0.get_mut(uri).map(|document| text.clone_into(&mut document.text)).is_some()
    }

    pub(crate) fn close(&mut self, uri: &str) {
        self.0.remove(uri);
    }

    pub(crate) fn get(&self, uri: &str) -> Option<&Document> {
        self.0.get(uri)
    }

    pub(crate) fn get_mut(&mut self, uri: &str) -> Option<&mut Document> {
        self.0.get_mut(uri)
    }
}

/// The command for a file.
fn command_of(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "plx" | "c" | "i" => Some("check"),
        "lts" | "fsp" | "aut" => Some("lts"),
        "magic" => Some("magic"),
        _ => None,
    }
}

/// The path of a `file:` URI.
pub(crate) fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let mut bytes = Vec::new();
    let mut at = rest.bytes();
    while let Some(byte) = at.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [at.next()?, at.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// The `file:` URI of a path.
pub(crate) fn uri_of(path: &Path) -> String {
    let mut uri = String::from("file://");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            // Writing to a string cannot fail.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris() {
        for path in ["/a/b.c", "/a b/ü%.plx"] {
            assert_eq!(path_of(&uri_of(Path::new(path))), Some(PathBuf::from(path)));
        }
        assert_eq!(path_of("untitled:1"), None);
        assert_eq!(path_of("file:///%zz"), None);
    }
}
