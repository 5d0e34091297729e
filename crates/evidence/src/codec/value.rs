//! Values in evidence files.

use super::EvidenceError;
use super::read::mismatch;
use parallax_term::{ArrayValue, Int, Rat, Scalar as ScalarSort, Sort, Value};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::marker::PhantomData;

/// A value of any sort, to be written.
pub(super) struct Written<'a>(pub(super) &'a Value);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Bool(b) => serializer.serialize_bool(*b),
            Value::Int(i) => match Int::to_i64(i) {
                Some(word) => serializer.serialize_i64(word),
                None => serializer.collect_str(i),
            },
            Value::Real(r) => serializer.collect_str(r),
            Value::Bv(_) | Value::Float(_) => serializer.serialize_str(&self.0.smtlib()),
            Value::Array(array) => {
                let mut map = serializer.serialize_map(Some(3))?;
                map.serialize_entry("sort", &array.sort().to_string())?;
                map.serialize_entry("else", &Written(array.default()))?;
                let cells: Vec<_> = array.entries().collect();
                let pair = |(index, value)| (Written(index), Written(value));
                let cells: Vec<_> = cells.into_iter().map(pair).collect();
                map.serialize_entry("cells", &cells)?;
                map.end()
            }
        }
    }
}

/// Values of the given sorts, in order. The list is changed in place.
pub(super) fn values(raw: Vec<Scalar>, sorts: &[Sort]) -> Result<Vec<Value>, EvidenceError> {
    if raw.len() != sorts.len() {
        return mismatch(format!("{} values where {} are needed", raw.len(), sorts.len()));
    }
    let mut values: Vec<Value> = raw.into_iter().map(|Scalar(value)| value).collect();
    for (value, sort) in values.iter_mut().zip(sorts) {
        if value.sort() != *sort {
            let taken = std::mem::replace(value, Value::Bool(false));
            *value = of_sort(taken, *sort)?;
        }
    }
    Ok(values)
}

/// The value, an integer read as a real where a real is needed.
pub(super) fn of_sort(value: Value, sort: Sort) -> Result<Value, EvidenceError> {
    match (value, sort) {
        (value, sort) if value.sort() == sort => Ok(value),
        (Value::Int(i), Sort::Real) => Ok(Value::Real(Box::new(Rat::from(i)))),
        (value, sort) => mismatch(format!("`{}` is not of sort {sort}", clip(&value.to_string()))),
    }
}

/// The beginning of a text that may be very long.
pub(super) fn clip(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A value of any sort, as it was read.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Scalar(pub(super) Value);

impl Serialize for Scalar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written(&self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a truth value, an integer, a number or bits as a string, or an array")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar(Value::Bool(value)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar(Value::int(value)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Scalar, E> {
        match i64::try_from(value) {
            Ok(small) => self.visit_i64(small),
            Err(_) => self.visit_str(&value.to_string()),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Scalar, E> {
        if text.starts_with(['#', '(']) {
            let value = Value::read_smtlib(text).map(Scalar);
            return value.ok_or_else(|| E::custom(format!("`{}` is no constant", clip(text))));
        }
        let int = |digits: &str| digits.parse::<Int>().ok();
        let value = match text.split_once('/') {
            None => int(text).map(Value::Int),
            Some((num, den)) => int(num)
                .zip(int(den))
                .and_then(|(num, den)| Rat::new(num, den))
                .map(|rat| Value::Real(Box::new(rat))),
        };
        value.map(Scalar).ok_or_else(|| E::custom(format!("`{}` is not a number", clip(text))))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Scalar, A::Error> {
        let raw = RawArray::deserialize(MapAccessDeserializer::new(map))?;
        let Some(Sort::Array(index, element)) = Sort::from_smtlib(&raw.sort) else {
            return Err(A::Error::custom(format!("`{}` is no sort of arrays", clip(&raw.sort))));
        };
        let element_of = |value: Scalar, sort: ScalarSort| {
            of_sort(value.0, sort.into()).map_err(A::Error::custom)
        };
        let mut cells = Vec::with_capacity(raw.cells.len());
        for (at, value) in raw.cells {
            cells.push((element_of(at, index)?, element_of(value, element)?));
        }
        let default = element_of(raw.default, element)?;
        Ok(Scalar(ArrayValue::new(index, default, cells).into()))
    }
}

/// An array as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawArray {
    #[serde(rename = "else")]
    default: Scalar,
    cells: Vec<(Scalar, Scalar)>,
    sort: String,
}

/// An object as a list: order and repetition are kept.
#[derive(Clone, Debug)]
pub(super) struct Pairs<V>(pub(super) Vec<(String, V)>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Pairs<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pairs<V>, D::Error> {
        deserializer.deserialize_map(PairsVisitor(PhantomData))
    }
}

struct PairsVisitor<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for PairsVisitor<V> {
    type Value = Pairs<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<V>, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Pairs(pairs))
    }
}
