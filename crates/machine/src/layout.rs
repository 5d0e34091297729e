//! What the objects of a type look like: where pointers are, and data.
//!
//! An object has the type of the pointer by which it is first reached. A
//! `void` pointer says nothing: then the shadow tells pointers from data.

use parallax_base::Id;
use parallax_cfa::{ArrayLength, Program, Type};
use rustc_hash::FxHashMap;

/// The number of a layout.
pub type LayoutId = u32;

/// One part of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaf {
    /// A pointer to objects of this layout.
    Pointer { offset: u32, to: LayoutId },
    /// A scalar of this size.
    Data { offset: u32, size: u8 },
    /// Bytes of which only the shadow knows what they are.
    Raw { offset: u32, size: u32 },
}

/// The parts of objects of one type.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// Size of one; objects may hold several in a row. Zero: nothing is known.
    pub(crate) size: u32,
    pub(crate) leaves: Vec<Leaf>,
    /// Set if the last member is an array of any length: its elements.
    pub(crate) rest: Option<LayoutId>,
    /// The record, for pictures.
    pub(crate) ty: Option<Id<Type>>,
}

/// The layouts of a program's types.
#[derive(Clone, Debug)]
pub struct Layouts {
    pub(crate) layouts: Vec<Layout>,
    known: FxHashMap<Id<Type>, LayoutId>,
}

/// Layouts with more parts than this are read by their shadow.
const MANY: usize = 1 << 14;

impl Layouts {
    /// The layouts of all types of a program.
    pub fn new(program: &Program) -> Layouts {
        let mut layouts = Layouts { layouts: vec![Layout::default()], known: FxHashMap::default() };
        for index in 0..program.types.len() {
            let id = layouts.layouts.len() as u32;
            layouts.known.insert(Id::new(index), id);
            layouts.layouts.push(Layout::default());
        }
        for index in 0..program.types.len() {
            let ty = Id::new(index);
            let layout = layouts.make(program, ty);
            let id = layouts.known[&ty];
            layouts.layouts[id as usize] = layout;
        }
        layouts
    }

    /// The layout of objects of a type.
    pub fn of(&self, ty: Id<Type>) -> LayoutId {
        self.known.get(&ty).copied().unwrap_or(0)
    }

    fn make(&self, program: &Program, ty: Id<Type>) -> Layout {
        let size = program.types.size_of(ty).unwrap_or(0);
        let mut layout =
            Layout { size: u32::try_from(size).unwrap_or(0), ty: Some(ty), ..Layout::default() };
        let mut work = vec![(ty, 0u32)];
        while let Some((ty, offset)) = work.pop() {
            if layout.leaves.len() + work.len() > MANY {
                layout.leaves = vec![Leaf::Raw { offset: 0, size: layout.size }];
                return layout;
            }
            let size = program.types.size_of(ty).unwrap_or(0) as u32;
            match program.types.get(ty) {
                Type::Pointer { to, .. } => {
                    layout.leaves.push(Leaf::Pointer { offset, to: self.of(*to) });
                }
                Type::Array { of, length: ArrayLength::Fixed(count) } => {
                    let one = program.types.size_of(*of).unwrap_or(0) as u32;
                    let count = (*count).min(MANY as u64 + 1) as u32;
                    work.extend((0..count).rev().map(|at| (*of, offset + at * one)));
                }
                Type::Array { of, .. } => layout.rest = Some(self.of(*of)),
                Type::Record(record) if program.types.records[*record].is_union => {
                    layout.leaves.push(Leaf::Raw { offset, size });
                }
                Type::Record(record) => {
                    let record = &program.types.records[*record];
                    if record.members.iter().any(|member| member.bits.is_some()) {
                        self.with_bits(program, ty, offset, &mut layout, &mut work);
                        continue;
                    }
                    let members = record.members.iter().rev();
                    work.extend(members.map(|m| (m.ty, offset + m.offset as u32)));
                }
                Type::Int(_) | Type::Enum(_) | Type::Float(_) if matches!(size, 1 | 2 | 4 | 8) => {
                    layout.leaves.push(Leaf::Data { offset, size: size as u8 });
                }
                _ if size > 0 => layout.leaves.push(Leaf::Raw { offset, size }),
                _ => {}
            }
        }
        layout
    }

    /// A record with bit-fields: they are read as raw bytes, each byte once.
    fn with_bits(
        &self,
        program: &Program,
        ty: Id<Type>,
        offset: u32,
        layout: &mut Layout,
        work: &mut Vec<(Id<Type>, u32)>,
    ) {
        let Type::Record(record) = program.types.get(ty) else { return };
        let mut covered = 0;
        let mut others = Vec::new();
        for member in &program.types.records[*record].members {
            let at = member.offset as u32;
            match member.bits {
                None => others.push((member.ty, offset + at)),
                Some(field) => {
                    let end = at + (field.shift + field.width).div_ceil(8);
                    let from = at.max(covered);
                    if end > from {
                        layout.leaves.push(Leaf::Raw { offset: offset + from, size: end - from });
                        covered = end;
                    }
                }
            }
        }
        others.reverse();
        work.extend(others);
    }
}
