//! Rectangles in rows, in the order given.

use super::Point;

/// Where each rectangle went and the size of the whole.
#[derive(Clone, Debug, Default)]
pub(super) struct Packed {
    pub(super) at: Vec<Point>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A row is never broken before this width.
const ROW: f64 = 1400.0;

/// Fills rows from the left, with a width that makes the whole a bit wider
/// than high.
pub(super) fn pack(sizes: &[(f64, f64)], gap: f64) -> Packed {
    let area: f64 = sizes.iter().map(|(w, h)| (w + gap) * (h + gap)).sum();
    let limit = sizes.iter().map(|s| s.0).fold((area * 1.8).sqrt().max(ROW), f64::max);
    let mut packed = Packed::default();
    let (mut x, mut y, mut row) = (0.0, 0.0, 0.0);
    for &(width, height) in sizes {
        if x > 0.0 && x + width > limit {
            y += row + gap;
            (x, row) = (0.0, 0.0);
        }
        packed.at.push(Point::new(x, y));
        packed.width = packed.width.max(x + width);
        row = f64::max(row, height);
        packed.height = y + row;
        x += width + gap;
    }
    packed
}
