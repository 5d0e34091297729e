//! The tableau: sparse rows, and for each column the places where it occurs.
//!
//! Row `r` says `basic(r) = sum of its entries`. Entries and columns point at
//! each other, so an entry is removed and a column is walked without search.
//! Invariant: `columns[v]` is exactly the list of entries for `v`; a basic
//! variable has none.

use crate::num::Num;

/// `factor * var` in a row.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) var: u32,
    /// The position in the column of `var`.
    link: u32,
    pub(crate) factor: Num,
}

/// Where a variable occurs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) row: u32,
    /// The position in the row.
    pub(crate) at: u32,
}

/// Rows over variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matrix {
    rows: Vec<Vec<Entry>>,
    columns: Vec<Vec<Link>>,
    /// Rows without use.
    spare: Vec<u32>,
    /// For each variable its position plus one in the row that is being added.
    place: Vec<u32>,
    /// For each position in that row, whether the target row has the variable.
    met: Vec<bool>,
    /// Rows in which a pivot left zeros.
    with_zeros: Vec<u32>,
}

impl Matrix {
    pub(crate) fn add_column(&mut self) {
        self.columns.push(Vec::new());
        self.place.push(0);
    }

    /// Forgets the youngest column, which must be empty.
    pub(crate) fn drop_column(&mut self) {
        debug_assert!(self.columns.last().is_none_or(Vec::is_empty));
        self.columns.pop();
        self.place.pop();
    }

    pub(crate) fn row(&self, row: u32) -> &[Entry] {
        &self.rows[row as usize]
    }

    pub(crate) fn column(&self, var: u32) -> &[Link] {
        &self.columns[var as usize]
    }

    pub(crate) fn factor(&self, link: Link) -> &Num {
        &self.rows[link.row as usize][link.at as usize].factor
    }

    /// A new row over variables that are not basic, each at most once.
    pub(crate) fn add_row(&mut self, entries: impl IntoIterator<Item = (u32, Num)>) -> u32 {
        let row = self.spare.pop().unwrap_or_else(|| {
            self.rows.push(Vec::new());
            self.rows.len() as u32 - 1
        });
        for (var, factor) in entries {
            self.push(row, var, factor);
        }
        row
    }

    pub(crate) fn drop_row(&mut self, row: u32) {
        for entry in std::mem::take(&mut self.rows[row as usize]) {
            self.unlink(entry.var, entry.link);
        }
        self.spare.push(row);
    }

    /// Adds multiples of rows and variables, as a list without zeros.
    /// `None` in place of a row stands for the variable itself.
    pub(crate) fn sum<'a>(
        &mut self,
        parts: impl Iterator<Item = (&'a Num, u32, Option<u32>)>,
    ) -> Vec<(u32, Num)> {
        let Matrix { rows, place, .. } = self;
        let mut list: Vec<(u32, Num)> = Vec::new();
        let mut add = |var: u32, factor: &Num, times: &Num| {
            let at = &mut place[var as usize];
            if *at == 0 {
                list.push((var, factor.mul(times)));
                *at = list.len() as u32;
            } else {
                list[*at as usize - 1].1.add_mul(times, factor);
            }
        };
        for (times, var, row) in parts {
            match row {
                None => add(var, &Num::ONE, times),
                Some(row) => {
                    rows[row as usize].iter().for_each(|e| add(e.var, &e.factor, times));
                }
            }
        }
        list.iter().for_each(|(var, _)| place[*var as usize] = 0);
        list.retain(|(_, factor)| !factor.is_zero());
        list
    }

    fn push(&mut self, row: u32, var: u32, factor: Num) {
        let column = &mut self.columns[var as usize];
        let entries = &mut self.rows[row as usize];
        let link = column.len() as u32;
        column.push(Link { row, at: entries.len() as u32 });
        entries.push(Entry { var, link, factor });
    }

    /// Removes a link; the last of its column takes its position.
    fn unlink(&mut self, var: u32, link: u32) {
        let column = &mut self.columns[var as usize];
        column.swap_remove(link as usize);
        if let Some(moved) = column.get(link as usize) {
            self.rows[moved.row as usize][moved.at as usize].link = link;
        }
    }

    /// Removes an entry but not its link; the last of its row takes its position.
    fn take(&mut self, row: u32, at: u32) -> Entry {
        let entries = &mut self.rows[row as usize];
        let taken = entries.swap_remove(at as usize);
        if let Some(moved) = entries.get(at as usize) {
            self.columns[moved.var as usize][moved.link as usize].at = at;
        }
        taken
    }

    /// Solves the row at `link` for the variable there: it becomes basic, and
    /// `leaving`, which was, takes its place in all rows.
    pub(crate) fn pivot(&mut self, link: Link, leaving: u32) {
        let Link { row, at } = link;
        let entering = self.rows[row as usize][at as usize].var;
        // leaving = a*entering + rest  becomes  entering = leaving/a - rest/a
        let entry = self.take(row, at);
        self.unlink(entering, entry.link);
        let inverse = entry.factor.inverse();
        let scale = inverse.neg();
        if !scale.is_one() {
            for other in &mut self.rows[row as usize] {
                other.factor = other.factor.mul(&scale);
            }
        }
        self.push(row, leaving, inverse);

        let pivot = std::mem::take(&mut self.rows[row as usize]);
        for (at, entry) in pivot.iter().enumerate() {
            self.place[entry.var as usize] = at as u32 + 1;
        }
        self.met.clear();
        self.met.resize(pivot.len(), false);
        for Link { row, at } in std::mem::take(&mut self.columns[entering as usize]) {
            let factor = self.take(row, at).factor;
            if self.add_multiple(row, &factor, &pivot) {
                self.with_zeros.push(row);
            }
        }
        for entry in &pivot {
            self.place[entry.var as usize] = 0;
        }
        self.rows[row as usize] = pivot;
        // Only now: the links of the pivot row may move.
        while let Some(row) = self.with_zeros.pop() {
            self.drop_zeros(row);
        }
    }

    /// Adds `times` the row `added`, whose places are marked. Whether zeros came up.
    fn add_multiple(&mut self, row: u32, times: &Num, added: &[Entry]) -> bool {
        let mut zeros = false;
        for entry in &mut self.rows[row as usize] {
            let at = self.place[entry.var as usize];
            if at > 0 {
                self.met[at as usize - 1] = true;
                entry.factor.add_mul(times, &added[at as usize - 1].factor);
                zeros |= entry.factor.is_zero();
            }
        }
        for (at, entry) in added.iter().enumerate() {
            if !std::mem::replace(&mut self.met[at], false) {
                self.push(row, entry.var, times.mul(&entry.factor));
            }
        }
        zeros
    }

    fn drop_zeros(&mut self, row: u32) {
        let mut at = self.rows[row as usize].len();
        while at > 0 {
            at -= 1;
            if self.rows[row as usize][at].factor.is_zero() {
                let entry = self.take(row, at as u32);
                self.unlink(entry.var, entry.link);
            }
        }
    }
}
