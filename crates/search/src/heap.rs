//! Variables by activity: a binary heap that knows where each variable is.
//!
//! Most variables never take part in a conflict. They come last, by their
//! number, and need no heap: it is enough to know where the first may be.

/// Variables that may be chosen, the most active on top.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    items: Vec<u32>,
    /// Position plus one of each variable; 0 if it is not in the heap.
    place: Vec<u32>,
    activity: Vec<f64>,
    increment: f64,
    /// No variable below this one without activity may be chosen.
    next: usize,
}

/// Activities beyond this are scaled down.
const LARGE: f64 = 1e100;
/// How fast older conflicts are forgotten.
const DECAY: f64 = 0.95;

impl Heap {
    /// Adds the next variable.
    pub fn grow(&mut self, activity: f64) {
        let var = self.place.len() as u32;
        self.place.push(0);
        self.activity.push(activity);
        if self.increment == 0.0 {
            self.increment = 1.0;
        }
        self.insert(var as usize);
    }

    /// Puts a variable back; nothing happens if it is there.
    #[inline]
    pub fn insert(&mut self, var: usize) {
        if self.activity[var] == 0.0 {
            self.next = self.next.min(var);
        } else if self.place[var] == 0 {
            self.items.push(var as u32);
            self.place[var] = self.items.len() as u32;
            self.up(self.items.len() - 1);
        }
    }

    /// The next variable to choose. One that was chosen already may come
    /// again.
    #[inline]
    pub fn pop(&mut self) -> Option<usize> {
        let Some(&top) = self.items.first() else {
            let mut rest = self.next..self.activity.len();
            let found = rest.find(|&var| self.activity[var] == 0.0);
            self.next = rest.start;
            return found;
        };
        let last = self.items.pop()?;
        self.place[top as usize] = 0;
        if top != last {
            self.items[0] = last;
            self.place[last as usize] = 1;
            self.down(0);
        }
        Some(top as usize)
    }

    /// The variable took part in a conflict.
    #[inline]
    pub fn bump(&mut self, var: usize) {
        let is_first = self.activity[var] == 0.0;
        self.activity[var] += self.increment;
        if is_first {
            self.insert(var);
        }
        if self.activity[var] > LARGE {
            self.activity.iter_mut().for_each(|a| *a /= LARGE);
            self.increment /= LARGE;
        }
        if self.place[var] != 0 {
            self.up(self.place[var] as usize - 1);
        }
    }

    /// A conflict is over.
    #[inline]
    pub fn decay(&mut self) {
        self.increment /= DECAY;
    }

    fn above(&self, a: u32, b: u32) -> bool {
        let (x, y) = (self.activity[a as usize], self.activity[b as usize]);
        // Older variables first, for the same order in every run.
        x > y || x == y && a < b
    }

    fn up(&mut self, from: usize) {
        let (mut at, item) = (from, self.items[from]);
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.above(item, self.items[parent]) {
                break;
            }
            self.set(at, self.items[parent]);
            at = parent;
        }
        self.set(at, item);
    }

    fn down(&mut self, from: usize) {
        let (mut at, item) = (from, self.items[from]);
        loop {
            let mut child = 2 * at + 1;
            if child >= self.items.len() {
                break;
            }
            if child + 1 < self.items.len() && self.above(self.items[child + 1], self.items[child])
            {
                child += 1;
            }
            if !self.above(self.items[child], item) {
                break;
            }
            self.set(at, self.items[child]);
            at = child;
        }
        self.set(at, item);
    }

    fn set(&mut self, at: usize, item: u32) {
        self.items[at] = item;
        self.place[item as usize] = at as u32 + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_active_comes_first() {
        let mut heap = Heap::default();
        for activity in [0.0, 3.0, 1.0, 3.0, 2.0] {
            heap.grow(activity);
        }
        heap.bump(0);
        heap.bump(0);
        heap.bump(0);
        heap.bump(0);
        let order: Vec<usize> = std::iter::from_fn(|| heap.pop()).collect();
        assert_eq!(order, [0, 1, 3, 4, 2]);
        heap.insert(2);
        heap.insert(2);
        assert_eq!((heap.pop(), heap.pop()), (Some(2), None));
    }

    #[test]
    fn without_activity_the_order_is_that_of_numbers() {
        let mut heap = Heap::default();
        (0..5).for_each(|_| heap.grow(0.0));
        heap.bump(3);
        let order: Vec<usize> = std::iter::from_fn(|| heap.pop()).collect();
        assert_eq!(order, [3, 0, 1, 2, 4]);
        heap.insert(2);
        heap.insert(3);
        heap.insert(1);
        let order: Vec<usize> = std::iter::from_fn(|| heap.pop()).collect();
        assert_eq!(order, [3, 1, 2, 4]);
    }
}
