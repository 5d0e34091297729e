//! Variables by activity: a heap that knows where each variable is.

/// The variables that may be guessed, the most active on top.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    heap: Vec<u32>,
    /// Position plus one of each variable in the heap; 0 if it is not there.
    place: Vec<u32>,
    activity: Vec<f64>,
    bump: f64,
}

/// Activities are scaled down before they leave the numbers.
const LARGE: f64 = 1e100;

impl Order {
    /// Adds the next variable.
    pub(crate) fn grow(&mut self) {
        let var = self.activity.len() as u32;
        self.activity.push(0.0);
        self.place.push(0);
        if self.bump == 0.0 {
            self.bump = 1.0;
        }
        self.insert(var);
    }

    /// Puts a variable back; nothing happens if it is there.
    pub(crate) fn insert(&mut self, var: u32) {
        if self.place[var as usize] == 0 {
            self.heap.push(var);
            self.place[var as usize] = self.heap.len() as u32;
            self.up(self.heap.len() - 1);
        }
    }

    /// Takes the most active variable; the oldest of equally active ones.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        let last = self.heap.pop()?;
        let Some(&first) = self.heap.first() else {
            self.place[last as usize] = 0;
            return Some(last);
        };
        self.place[first as usize] = 0;
        self.set(0, last);
        self.down();
        Some(first)
    }

    /// Makes a variable more active.
    pub(crate) fn touch(&mut self, var: u32) {
        self.activity[var as usize] += self.bump;
        if self.activity[var as usize] > LARGE {
            self.activity.iter_mut().for_each(|activity| *activity /= LARGE);
            self.bump /= LARGE;
        }
        let place = self.place[var as usize];
        if place > 0 {
            self.up(place as usize - 1);
        }
    }

    /// Makes later touches count more.
    pub(crate) fn decay(&mut self) {
        self.bump /= 0.95;
    }

    fn is_before(&self, a: u32, b: u32) -> bool {
        let (x, y) = (self.activity[a as usize], self.activity[b as usize]);
        x > y || x == y && a < b
    }

    fn set(&mut self, at: usize, var: u32) {
        self.heap[at] = var;
        self.place[var as usize] = at as u32 + 1;
    }

    fn up(&mut self, mut at: usize) {
        let var = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            let above = self.heap[parent];
            if !self.is_before(var, above) {
                break;
            }
            self.set(at, above);
            at = parent;
        }
        self.set(at, var);
    }

    fn down(&mut self) {
        let (var, mut at) = (self.heap[0], 0);
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.is_before(self.heap[child + 1], self.heap[child])
            {
                child += 1;
            }
            let below = self.heap[child];
            if !self.is_before(below, var) {
                break;
            }
            self.set(at, below);
            at = child;
        }
        self.set(at, var);
    }
}
