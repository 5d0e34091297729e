//! Bounds and their propagation.
//!
//! A *column* is a variable of the problem or a *form*, a sum of variables
//! that stands in some atom. For each form there is a row `0 = form - sum`.
//! Literals bound columns; rows carry bounds from column to column; bounds
//! imply literals. Every bound knows why it holds, so each can be traced back
//! to literals.
//!
//! This is not a decision procedure: it is what the search asks all the time,
//! because it is cheap. The simplex is asked at the leaves.

use parallax_search::Lit;
use parallax_simplex::{Num, Side};
use parallax_term::Relation;

/// No bound.
pub(crate) const NONE: u32 = u32::MAX;

/// `column REL value`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Atom {
    pub(crate) column: u32,
    pub(crate) relation: Relation,
    pub(crate) value: Num,
}

/// Why a bound holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Why {
    /// The literal says so.
    Literal(Lit),
    /// The other columns of a row have bounds.
    Row(u32),
}

/// A bound of a column.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) value: Num,
    pub(crate) strict: bool,
    pub(crate) side: Side,
    pub(crate) column: u32,
    /// The bound that was in force before.
    before: u32,
    pub(crate) why: Why,
}

/// `0 = sum of factor * column`; the form comes first, with factor -1.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) parts: Box<[(u32, Num)]>,
}

/// The bounds that a literal follows from: one, or two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Behind {
    pub(crate) first: u32,
    pub(crate) second: u32,
}

/// Bounds that exclude each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clash {
    pub(crate) lower: u32,
    pub(crate) upper: u32,
}

/// All columns, rows and bounds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bounds {
    /// Lower and upper bound in force, by column.
    current: Vec<[u32; 2]>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) rows: Vec<Row>,
    /// The rows that a column is in.
    occurs: Vec<Vec<u32>>,
    /// The atoms of a column by increasing value, with their variables.
    watched: Vec<Vec<(Atom, u32)>>,
    queue: Vec<u32>,
    queued: Vec<bool>,
    /// Work left before propagation of rows gives up until the next call.
    patience: usize,
    pub(crate) implied: Vec<(Lit, Behind)>,
}

impl Bounds {
    pub(crate) fn add_column(&mut self) -> u32 {
        self.current.push([NONE; 2]);
        self.occurs.push(Vec::new());
        self.watched.push(Vec::new());
        self.current.len() as u32 - 1
    }

    /// Adds `form = sum`.
    pub(crate) fn add_row(&mut self, form: u32, sum: &[(u32, Num)]) {
        let row = self.rows.len() as u32;
        let own = std::iter::once((form, Num::ONE.neg()));
        let parts: Box<[(u32, Num)]> = own.chain(sum.iter().cloned()).collect();
        for (column, _) in &parts {
            self.occurs[*column as usize].push(row);
        }
        self.rows.push(Row { parts });
        self.queued.push(false);
        self.enqueue(row);
    }

    /// Watches an atom. Bounds in force imply it from the next change on.
    pub(crate) fn add_atom(&mut self, atom: &Atom, var: usize) {
        let list = &mut self.watched[atom.column as usize];
        let at = list.partition_point(|(other, _)| other.value < atom.value);
        list.insert(at, (atom.clone(), var as u32));
        // Look at it as if the bounds in force were new.
        for side in [Side::Lower, Side::Upper] {
            let entry = self.current[atom.column as usize][side as usize];
            if entry != NONE {
                self.imply(entry, NONE);
            }
        }
    }

    pub(crate) fn bound(&self, column: u32, side: Side) -> Option<&Entry> {
        self.entries.get(self.current[column as usize][side as usize] as usize)
    }

    /// How many bounds there are: a mark to go back to.
    pub(crate) fn mark(&self) -> usize {
        self.entries.len()
    }

    /// Takes back all bounds since the mark.
    pub(crate) fn undo(&mut self, mark: usize) {
        for entry in self.entries.drain(mark..).rev() {
            self.current[entry.column as usize][entry.side as usize] = entry.before;
        }
        for row in self.queue.drain(..) {
            self.queued[row as usize] = false;
        }
        self.implied.clear();
    }

    fn enqueue(&mut self, row: u32) {
        if !std::mem::replace(&mut self.queued[row as usize], true) {
            self.queue.push(row);
        }
    }

    /// What a literal of an atom says about its column.
    pub(crate) fn assert(&mut self, atom: &Atom, lit: Lit) -> Result<(), Clash> {
        let why = Why::Literal(lit);
        let (column, value) = (atom.column, &atom.value);
        match (atom.relation, lit.is_positive()) {
            (Relation::Le, true) => self.tighten(column, Side::Upper, value, false, why),
            (Relation::Le, false) => self.tighten(column, Side::Lower, value, true, why),
            (Relation::Lt, true) => self.tighten(column, Side::Upper, value, true, why),
            (Relation::Lt, false) => self.tighten(column, Side::Lower, value, false, why),
            (Relation::Eq, true) => {
                self.tighten(column, Side::Upper, value, false, why)?;
                self.tighten(column, Side::Lower, value, false, why)
            }
            (Relation::Eq, false) => Ok(()),
        }
    }

    /// Adds a bound if it is tighter than the one in force.
    fn tighten(
        &mut self,
        column: u32,
        side: Side,
        value: &Num,
        strict: bool,
        why: Why,
    ) -> Result<(), Clash> {
        let before = self.current[column as usize][side as usize];
        if let Some(old) = self.entries.get(before as usize) {
            let order = value.cmp(&old.value);
            let tighter = match side {
                Side::Lower => order.is_gt(),
                Side::Upper => order.is_lt(),
            };
            if !(tighter || order.is_eq() && strict && !old.strict) {
                return Ok(());
            }
        }
        let id = self.entries.len() as u32;
        self.entries.push(Entry { value: value.clone(), strict, side, column, before, why });
        self.current[column as usize][side as usize] = id;
        for at in 0..self.occurs[column as usize].len() {
            let row = self.occurs[column as usize][at];
            if why != Why::Row(row) {
                self.enqueue(row);
            }
        }
        let [lower, upper] = self.current[column as usize];
        if let (Some(l), Some(u)) =
            (self.entries.get(lower as usize), self.entries.get(upper as usize))
        {
            let order = l.value.cmp(&u.value);
            if order.is_gt() || order.is_eq() && (l.strict || u.strict) {
                return Err(Clash { lower, upper });
            }
        }
        self.imply(id, before);
        Ok(())
    }

    /// Notes the literals that a bound decides and the one before did not.
    fn imply(&mut self, id: u32, before: u32) {
        let entry = &self.entries[id as usize];
        let list = &self.watched[entry.column as usize];
        let limit = self.entries.get(before as usize).map(|e| &e.value);
        let start = list.partition_point(|(atom, _)| atom.value < entry.value);
        let mut say = |var: u32, truth: bool| {
            let lit = Lit::new(var as usize, truth);
            self.implied.push((lit, Behind { first: id, second: NONE }));
        };
        match entry.side {
            Side::Upper => {
                for (atom, var) in &list[start..] {
                    if limit.is_some_and(|limit| atom.value > *limit) {
                        break;
                    }
                    let meets = atom.value == entry.value;
                    match atom.relation {
                        Relation::Le => say(*var, true),
                        Relation::Lt if !meets || entry.strict => say(*var, true),
                        Relation::Eq if !meets || entry.strict => say(*var, false),
                        _ => {}
                    }
                }
            }
            Side::Lower => {
                let end = start + list[start..].partition_point(|(a, _)| a.value <= entry.value);
                for (atom, var) in list[..end].iter().rev() {
                    if limit.is_some_and(|limit| atom.value < *limit) {
                        break;
                    }
                    let meets = atom.value == entry.value;
                    match atom.relation {
                        Relation::Lt => say(*var, false),
                        Relation::Le | Relation::Eq if !meets || entry.strict => say(*var, false),
                        _ => {}
                    }
                }
            }
        }
        // A column between equal bounds is that value.
        let [lower, upper] = self.current[entry.column as usize];
        if let (Some(l), Some(u)) =
            (self.entries.get(lower as usize), self.entries.get(upper as usize))
            && l.value == u.value
        {
            let met = list[start..].iter().take_while(|(a, _)| a.value == l.value);
            for (_, var) in met.filter(|(a, _)| a.relation == Relation::Eq) {
                let lit = Lit::new(*var as usize, true);
                self.implied.push((lit, Behind { first: lower, second: upper }));
            }
        }
    }

    /// Carries bounds along rows until nothing changes or patience ends.
    pub(crate) fn propagate(&mut self) -> Result<(), Clash> {
        self.patience = 200 + 4 * self.rows.len();
        while let Some(row) = self.queue.pop() {
            self.queued[row as usize] = false;
            if self.patience == 0 {
                continue;
            }
            self.patience -= 1;
            self.follow(row)?;
        }
        Ok(())
    }

    /// Bounds the columns of a row by those of the others.
    fn follow(&mut self, row: u32) -> Result<(), Clash> {
        for side in [Side::Lower, Side::Upper] {
            let parts = &self.rows[row as usize].parts;
            let (mut sum, mut strict, mut open) = (Num::ZERO, 0u32, None);
            let mut is_hopeless = false;
            for (at, (column, factor)) in parts.iter().enumerate() {
                match self.bound(*column, toward(side, factor)) {
                    Some(entry) => {
                        sum.add_mul(factor, &entry.value);
                        strict += u32::from(entry.strict);
                    }
                    None if open.is_none() => open = Some(at),
                    None => {
                        is_hopeless = true;
                        break;
                    }
                }
            }
            if is_hopeless {
                continue;
            }
            let targets = open.map_or(0..parts.len(), |at| at..at + 1);
            for at in targets {
                let (column, factor) = &self.rows[row as usize].parts[at];
                let (column, own_side) = (*column, toward(side, factor));
                // factor * column = -(sum of the others)
                let (mut rest, mut count) = (sum.clone(), strict);
                if open.is_none()
                    && let Some(own) = self.bound(column, own_side)
                {
                    rest.add_mul(&factor.neg(), &own.value);
                    count -= u32::from(own.strict);
                }
                let value = rest.mul(&factor.inverse()).neg();
                let other = if own_side == Side::Lower { Side::Upper } else { Side::Lower };
                // Rows that carry bounds round and round creep toward a limit in
                // numbers that grow and grow.
                let creeps = matches!(value, Num::Big(_)) && self.bound(column, other).is_some();
                if !creeps {
                    self.tighten(column, other, &value, count > 0, Why::Row(row))?;
                }
            }
        }
        Ok(())
    }

    /// The bounds behind a bound that a row implied.
    pub(crate) fn causes(&self, id: u32, mut visit: impl FnMut(u32, Num)) {
        let entry = &self.entries[id as usize];
        let Why::Row(row) = entry.why else { return };
        let parts = &self.rows[row as usize].parts;
        let Some((_, own)) = parts.iter().find(|(column, _)| *column == entry.column) else {
            return;
        };
        // The bound came from the opposite extreme of the others.
        let own_side = if entry.side == Side::Lower { Side::Upper } else { Side::Lower };
        let side = toward(own_side, own);
        for (column, factor) in parts {
            if *column == entry.column {
                continue;
            }
            let mut cause = self.current[*column as usize][toward(side, factor) as usize];
            while cause != NONE && cause >= id {
                cause = self.entries[cause as usize].before;
            }
            if cause != NONE {
                visit(cause, factor.mul(&own.inverse()).abs());
            }
        }
    }
}

/// The bound of a column that makes `factor * column` extreme to a side.
fn toward(side: Side, factor: &Num) -> Side {
    match (side, factor.signum() > 0) {
        (side, true) => side,
        (Side::Lower, false) => Side::Upper,
        (Side::Upper, false) => Side::Lower,
    }
}
