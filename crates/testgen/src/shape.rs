//! Which values can be written, and how.
//!
//! Writing follows the value's own structure, so it recurses as deep as the
//! value is nested; containers of a search are as small as its sequences.

use crate::Writer;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::marker::PhantomData;
use std::rc::{Rc, Weak};
use std::sync::Arc;

/// A value that can be written as a sequence. Derive it.
pub trait Shape {
    /// Writes the value.
    fn write(&self, out: &mut Writer);
}

macro_rules! numbers {
    ($($ty:ty),*) => {
        $(impl Shape for $ty {
            fn write(&self, out: &mut Writer) {
                out.data(*self as u64);
            }
        })*
    };
}
numbers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, bool, char);

impl Shape for f64 {
    fn write(&self, out: &mut Writer) {
        out.data(self.to_bits());
    }
}

impl Shape for () {
    fn write(&self, _: &mut Writer) {}
}

impl<T> Shape for PhantomData<T> {
    fn write(&self, _: &mut Writer) {}
}

impl Shape for String {
    fn write(&self, out: &mut Writer) {
        out.data_bytes(self.as_bytes());
        out.concrete_only(|out| out.data(self.capacity() as u64));
    }
}

impl<T: Shape + ?Sized> Shape for Box<T> {
    fn write(&self, out: &mut Writer) {
        (**self).write(out);
    }
}

impl<T: Shape> Shape for Option<T> {
    fn write(&self, out: &mut Writer) {
        match self {
            None => out.variant(0),
            Some(value) => {
                out.variant(1);
                value.write(out);
            }
        }
    }
}

impl<T: Shape> Shape for [T] {
    fn write(&self, out: &mut Writer) {
        out.count(self.len());
        for item in self {
            item.write(out);
        }
    }
}

impl<T: Shape, const N: usize> Shape for [T; N] {
    fn write(&self, out: &mut Writer) {
        for item in self {
            item.write(out);
        }
    }
}

impl<T: Shape> Shape for Vec<T> {
    fn write(&self, out: &mut Writer) {
        self.as_slice().write(out);
        out.concrete_only(|out| out.data(self.capacity() as u64));
    }
}

impl<T: Shape> Shape for VecDeque<T> {
    fn write(&self, out: &mut Writer) {
        out.count(self.len());
        for item in self {
            item.write(out);
        }
        out.concrete_only(|out| out.data(self.capacity() as u64));
    }
}

impl<K: Shape, V: Shape> Shape for BTreeMap<K, V> {
    fn write(&self, out: &mut Writer) {
        out.count(self.len());
        for (key, value) in self {
            key.write(out);
            value.write(out);
        }
    }
}

impl<T: Shape> Shape for BTreeSet<T> {
    fn write(&self, out: &mut Writer) {
        out.count(self.len());
        for item in self {
            item.write(out);
        }
    }
}

impl<T: Shape> Shape for RefCell<T> {
    fn write(&self, out: &mut Writer) {
        match self.try_borrow() {
            Ok(value) => value.write(out),
            // Borrowed while it is written: the container leaks a borrow.
            Err(_) => out.variant(u64::MAX),
        }
    }
}

impl<T: Shape + Copy> Shape for Cell<T> {
    fn write(&self, out: &mut Writer) {
        self.get().write(out);
    }
}

impl<T: Shape> Shape for Rc<T> {
    fn write(&self, out: &mut Writer) {
        if out.shared(Rc::as_ptr(self) as usize) {
            (**self).write(out);
        }
    }
}

impl<T: Shape> Shape for Arc<T> {
    fn write(&self, out: &mut Writer) {
        if out.shared(Arc::as_ptr(self) as usize) {
            (**self).write(out);
        }
    }
}

impl<T: Shape> Shape for Weak<T> {
    fn write(&self, out: &mut Writer) {
        match self.upgrade() {
            None => out.variant(0),
            Some(value) => {
                out.variant(1);
                value.write(out);
            }
        }
    }
}

macro_rules! tuples {
    ($($name:ident $at:tt),*) => {
        impl<$($name: Shape),*> Shape for ($($name,)*) {
            fn write(&self, out: &mut Writer) {
                $(self.$at.write(out);)*
            }
        }
    };
}
tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
