//! Arguments that are objects: strings and records, as the API lists them.
//!
//! Each is an object of its own that lives as long as a test: the container may
//! keep a pointer to it and may write to it, and may not free it.

use parallax_base::Id;
use parallax_cfa::{Program, Type};
use std::collections::BTreeMap;

/// What is passed for a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// A pointer to the first character.
    String,
    /// A pointer to a record of this type.
    Pointer(Id<Type>),
    /// A record of this type itself.
    Record(Id<Type>),
}

/// An object that is passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// How it is written in C: an initializer.
    pub text: String,
}

/// A string with its zero.
pub(crate) fn string(text: &str) -> Given {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    let letter = |byte: &u8| match *byte {
        b'"' | b'\\' => format!("\\{}", char::from(*byte)),
        b' '..=b'~' => char::from(*byte).to_string(),
        other => format!("\\{other:03o}"),
    };
    let letters: String = text.as_bytes().iter().map(letter).collect();
    Given { bytes, text: format!("\"{letters}\"") }
}

/// A record with these members, and zeros; what is wrong if it has none such.
pub(crate) fn record(
    program: &Program,
    ty: Id<Type>,
    members: &BTreeMap<String, i64>,
) -> Result<Given, String> {
    let Type::Record(id) = program.types.get(ty) else {
        return Err("this is no record".to_owned());
    };
    let record = &program.types.records[*id];
    let tag = record.name.as_deref().unwrap_or("");
    let mut bytes = vec![0; record.size as usize];
    for (name, value) in members {
        let found = record.members.iter().find(|m| m.name.as_deref() == Some(name));
        let member = found.ok_or_else(|| format!("`struct {tag}` has no member `{name}`"))?;
        let size = program.types.size_of(member.ty).unwrap_or(0) as usize;
        if member.bits.is_some()
            || program.types.int_kind(member.ty).is_none()
            || !(1..=8).contains(&size)
        {
            return Err(format!("the member `{name}` is no integer"));
        }
        let unused = 64 - 8 * size as u32;
        let fits = (value << unused) >> unused == *value
            || ((*value as u64) << unused) >> unused == *value as u64;
        if !fits {
            return Err(format!("{value} is no value of the member `{name}`"));
        }
        let at = member.offset as usize;
        bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
    }
    let parts: Vec<String> = members.iter().map(|(name, v)| format!(".{name} = {v}")).collect();
    let text =
        if parts.is_empty() { "{0}".to_owned() } else { format!("{{{}}}", parts.join(", ")) };
    Ok(Given { bytes, text })
}

/// How records of a parameter are passed, if it takes some.
pub(crate) fn passing(program: &Program, ty: Id<Type>) -> Option<Passing> {
    let is_record = |ty: Id<Type>| match program.types.get(ty) {
        Type::Record(id) => {
            let record = &program.types.records[*id];
            record.is_complete && !record.is_union && record.name.is_some()
        }
        _ => false,
    };
    match program.types.pointee(ty) {
        _ if is_record(ty) => Some(Passing::Record(ty)),
        Some(to) if is_record(to) => Some(Passing::Pointer(to)),
        _ => None,
    }
}

/// Whether a parameter takes strings.
pub(crate) fn takes_string(program: &Program, ty: Id<Type>) -> bool {
    let types = &program.types;
    let pointee = types.pointee(ty);
    pointee.is_some_and(|to| types.int_kind(to).is_some() && types.size_of(to) == Some(1))
}
