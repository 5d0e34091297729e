//! A labelled transition system as FSP text.

use parallax_lts::{Lts, StateId, TAU};

/// The label that silent steps have before they are hidden.
const SILENT: &str = "silent";

/// The system as a process of this name, which begins with a capital.
///
/// # Errors
/// A label that FSP has no form for.
pub fn write_fsp(lts: &Lts, name: &str) -> Result<String, String> {
    let mut labels = Vec::new();
    for label in lts.labels() {
        labels.push(fsp_label(label).ok_or_else(|| format!("`{label}` is no label of FSP"))?);
    }
    labels[TAU as usize] = SILENT.to_owned();
    let place = |state: StateId| {
        if lts.error() == Some(state) {
            "ERROR".to_owned()
        } else if lts.end() == Some(state) {
            "END".to_owned()
        } else if lts.edges(state).is_empty() {
            "STOP".to_owned()
        } else {
            format!("S{state}")
        }
    };
    let mut text = format!("{name} = {}", place(lts.initial()));
    for state in lts.states().filter(|&state| place(state).starts_with("S")) {
        if lts.edges(state).is_empty() {
            continue;
        }
        let choice = |edge: &parallax_lts::Edge| {
            format!("{} -> {}", labels[edge.action as usize], place(edge.target))
        };
        let choices: Vec<String> = lts.edges(state).iter().map(choice).collect();
        text += &format!(",\n  {} = ({})", place(state), choices.join("\n      | "));
    }
    // The alphabet may hold more than what is done.
    let unused = |label: &&String| {
        let action = labels.iter().position(|known| known == *label).unwrap_or(0) as u32;
        !lts.states().any(|state| !lts.edges_with(state, action).is_empty())
    };
    let extra: Vec<&str> = labels.iter().skip(1).filter(unused).map(String::as_str).collect();
    if !extra.is_empty() {
        text += &format!("\n  + {{{}}}", extra.join(", "));
    }
    let is_silent = |state: StateId| !lts.edges_with(state, TAU).is_empty();
    if lts.states().any(is_silent) {
        text += &format!(" \\ {{{SILENT}}}");
    }
    Ok(text + ".\n")
}

/// A label with numbers in brackets; return actions of system files are left as
/// they are written there.
fn fsp_label(label: &str) -> Option<String> {
    if let Some(condition) = label.strip_prefix("return{").and_then(|rest| rest.strip_suffix('}')) {
        return Some(format!("return {{{condition}}}"));
    }
    let mut text = String::new();
    for part in label.split('.') {
        let is_number = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let is_name = part.starts_with(|c: char| c.is_ascii_lowercase())
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        match (is_number, is_name) {
            (true, _) if !text.is_empty() => text += &format!("[{part}]"),
            (_, true) if text.is_empty() => text.push_str(part),
            (_, true) => text += &format!(".{part}"),
            _ => return None,
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use parallax_base::{Budget, FileId};
    use parallax_lts::weakly_bisimilar;

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            "P = (a[1].b -> (c -> STOP | d -> P)) + {e}.",
            "P = (a -> END | b -> ERROR).",
            "Q = (a -> t -> b -> Q | t -> c -> Q). ||P = Q \\ {t}.",
            "P = STOP.",
        ] {
            let budget = Budget::unlimited();
            let compile = |text: &str| {
                let model = Model::read(FileId(0), text).expect("fine");
                model.compile(Some("P"), &budget).expect("fine").lts
            };
            let first = compile(text);
            let again = compile(&write_fsp(&first, "P").expect("labels"));
            assert_eq!(weakly_bisimilar(&first, &again, &budget), Ok(true), "{text}");
            assert_eq!(first.alphabet().count(), again.alphabet().count(), "{text}");
        }
        let mut lts = Lts::new("P");
        lts.add_state();
        lts.action("*error* in f");
        assert!(write_fsp(&lts, "P").is_err());
    }
}
