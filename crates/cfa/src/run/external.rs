//! Functions that are declared and not defined.
//!
//! Output functions of the C library write to the run's output; its other
//! functions have an arbitrary result and no effect. What is not of the library
//! runs code that nobody knows.

use super::code::{ArgumentCode, CallCode, NONE};
use super::format::Arguments;
use super::machine::{Machine, Value};
use super::outcome::Arbitrary;
use super::trap::Trap;
use crate::{Function, ScalarType, arith};
use parallax_base::Id;

/// Where formatted text goes.
enum Sink {
    /// Standard output.
    Out,
    /// A stream, by the pointer to it.
    Stream((u64, u64)),
    /// A buffer, with its size if that is given.
    Buffer((u64, u64), Option<u64>),
}

/// Whether a function writes to a buffer what `printf` would print. To the
/// encoder it is unknown code.
fn formats_text(name: &str) -> bool {
    matches!(name, "vsprintf" | "vsnprintf")
}

impl Machine<'_, '_> {
    /// Calls a function that has no body. Says whether a function of the
    /// program is to run first.
    pub(crate) fn external(
        &mut self,
        function: Id<Function>,
        call: &CallCode,
    ) -> Result<bool, Trap> {
        let program = self.shared.program;
        let name = &*program.functions[function].name;
        let is_unknown = program.functions[function].is_unknown() && !formats_text(name);
        if is_unknown && self.unknown(name, call)? {
            return Ok(true);
        }
        let written = match is_unknown {
            true => None,
            false => self.output_function(name.strip_prefix("__builtin_").unwrap_or(name), call)?,
        };
        self.external_result(function, written, call)?;
        Ok(false)
    }

    fn external_result(
        &mut self,
        function: Id<Function>,
        written: Option<i64>,
        call: &CallCode,
    ) -> Result<(), Trap> {
        let program = self.shared.program;
        let name = &*program.functions[function].name;
        if call.result == NONE {
            let ty = program.functions[function].ty;
            if written.is_none()
                && let crate::Type::Function(ty) = program.types.get(ty)
                && let Some(size) = program.types.size_of(ty.result)
                && program.types.scalar(ty.result).is_none()
            {
                let mut bytes = vec![0; size as usize];
                self.oracle.contents(Arbitrary::Result(name), &mut bytes);
                self.returned_record = super::machine::Blob { bytes, ..Default::default() };
            }
            return Ok(());
        }
        let ty = call.ty.unwrap_or(ScalarType::INT);
        match written {
            Some(value) => {
                self.set_bits(call.result, ty, arith::wrap(ty, value as i128 as u128));
                Ok(())
            }
            None => {
                let chosen = self.oracle.arbitrary(Arbitrary::Result(name), ty).bits;
                let is_library = program.functions[function].is_library;
                if !(is_library && ty.is_float()) {
                    return self.set_chosen(call.result, ty, chosen);
                }
                let bits = self.mathematics(name, call)?;
                let bits = bits.ok_or(Trap::Foreign("a result that only a library knows"))?;
                self.set_bits(call.result, ty, bits);
                Ok(())
            }
        }
    }

    /// An argument that is a scalar.
    pub(crate) fn scalar(&self, call: &CallCode, position: usize) -> Option<[u64; 2]> {
        match call.arguments.get(position) {
            Some(ArgumentCode::Scalar(reg, ty)) => {
                let two = super::code::class_of(*ty) != super::code::Class::One;
                Some([self.get(*reg), if two { self.get(*reg + 1) } else { 0 }])
            }
            _ => None,
        }
    }

    /// Does what an output function does; its result, or `None` if it is not one.
    fn output_function(&mut self, name: &str, call: &CallCode) -> Result<Option<i64>, Trap> {
        let first = self.scalar(call, 0);
        let second = self.scalar(call, 1);
        let pointer = |value: Option<[u64; 2]>| value.map_or((0, 0), |v| (v[0], v[1]));
        let (sink, format_at, list) = match name {
            "putchar" | "putchar_unlocked" | "putc" | "fputc" => {
                let byte = first.map_or(0, |v| v[0]) as u8;
                let sink = match second {
                    Some(_) => Sink::Stream(pointer(second)),
                    None => Sink::Out,
                };
                self.deliver(&sink, vec![byte])?;
                return Ok(Some(i64::from(byte)));
            }
            "puts" | "fputs" => {
                let mut text = self.string(pointer(first), usize::MAX)?;
                let sink = match name {
                    "puts" => {
                        text.push(b'\n');
                        Sink::Out
                    }
                    _ => Sink::Stream(pointer(second)),
                };
                self.deliver(&sink, text)?;
                return Ok(Some(1));
            }
            "fflush" => return Ok(Some(0)),
            "printf" => (Sink::Out, 0, false),
            "vprintf" => (Sink::Out, 0, true),
            "fprintf" => (Sink::Stream(pointer(first)), 1, false),
            "vfprintf" => (Sink::Stream(pointer(first)), 1, true),
            "vsprintf" => (Sink::Buffer(pointer(first), None), 1, true),
            "vsnprintf" => {
                let size = second.map_or(0, |v| v[0]);
                (Sink::Buffer(pointer(first), Some(size)), 2, true)
            }
            _ => return Ok(None),
        };
        let format = self.string(pointer(self.scalar(call, format_at)), usize::MAX)?;
        let mut arguments = if list {
            Arguments::List(self.list_pointer(call, format_at + 1)?)
        } else {
            Arguments::Values(self.rest(call, format_at + 1).into_iter())
        };
        let text = self.format(&format, &mut arguments)?;
        let length = text.len() as i64;
        self.deliver(&sink, text)?;
        Ok(Some(length))
    }

    fn rest(&self, call: &CallCode, from: usize) -> Vec<Value> {
        (from..call.arguments.len())
            .filter_map(|position| match call.arguments[position] {
                ArgumentCode::Scalar(_, ty) => {
                    self.scalar(call, position).map(|value| Value::Scalar(ty, value))
                }
                ArgumentCode::Aggregate(_) => None,
            })
            .collect()
    }

    /// Where a `va_list` argument is: it comes as a pointer or as an object.
    fn list_pointer(&self, call: &CallCode, position: usize) -> Result<(u64, u64), Trap> {
        match call.arguments.get(position) {
            Some(ArgumentCode::Aggregate(place)) => {
                let Some(frame) = self.frames.last() else { return Err(Trap::Stuck) };
                let [address, provenance] = self.address(&frame.code.places[*place as usize])?;
                Ok((address, provenance))
            }
            _ => Ok(self.scalar(call, position).map_or((0, 0), |v| (v[0], v[1]))),
        }
    }

    /// Whether a stream is that of errors: the object of the models is known by
    /// its name.
    fn is_standard_error(&self, address: u64) -> bool {
        let variables = self.shared.program.variables.iter();
        let object = self.memory.find(address);
        address == super::start::STANDARD_ERROR
            || variables.zip(&self.shared.statics).any(|(variable, home)| match home {
                super::shared::StaticHome::Object(index) => {
                    Some(*index) == object && *variable.name == *"standard_error"
                }
                _ => false,
            })
    }

    fn deliver(&mut self, sink: &Sink, mut text: Vec<u8>) -> Result<(), Trap> {
        match sink {
            Sink::Stream((address, _)) if self.is_standard_error(*address) => {}
            Sink::Out | Sink::Stream(_) => {
                let room = self.shared.options.max_output.saturating_sub(self.output.len());
                text.truncate(room);
                self.output.extend(text);
            }
            Sink::Buffer(_, Some(0)) => {}
            Sink::Buffer((address, provenance), size) => {
                if let Some(size) = size {
                    text.truncate(*size as usize - 1);
                }
                text.push(0);
                let to = self.memory.locate(*address, *provenance)?;
                let blob = super::machine::Blob { bytes: text, ..Default::default() };
                self.put(to, &blob)?;
            }
        }
        Ok(())
    }
}
