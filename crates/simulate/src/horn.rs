//! N-HORN satisfiability, on line and in linear time.
//!
//! A clause is `head -> l1 or l2 or ..`: at most one negative literal. The
//! largest model makes as many variables true as possible, and it is kept up
//! to date while clauses arrive (G. Ausiello and G. F. Italiano, *On-line
//! algorithms for polynomially solvable satisfiability problems*, 1991): every
//! clause watches one of its literals that is not known to be false. When that
//! literal becomes false the clause goes on to the next one, and never back;
//! when there is none left, its head becomes false. So every literal of every
//! clause is looked at once: the total time is linear in the size of the
//! formula, however it arrives.
//!
//! Invariant: `order` lists the false variables in the order in which they
//! became false, each with the clause that was the reason; all literals of that
//! clause are earlier in the list.

/// A variable of the formula.
pub type Variable = u32;

/// The clause has no head: it must be satisfied.
const NO_HEAD: u32 = u32::MAX;
/// The end of a list of clauses.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Clause {
    head: Variable,
    /// The literal that is watched, and the end of the literals.
    at: u32,
    first: u32,
    end: u32,
}

/// A formula and its largest model.
#[derive(Clone, Debug, Default)]
pub struct NHorn {
    literals: Vec<Variable>,
    clauses: Vec<Clause>,
    is_false: Vec<bool>,
    /// The clauses that watch a variable: the first, and for each clause the
    /// next.
    first_watch: Vec<u32>,
    next_watch: Vec<u32>,
    open: Vec<u32>,
    order: Vec<(Variable, u32)>,
    reason: Vec<u32>,
    newly_watched: Vec<Variable>,
    was_watched: Vec<bool>,
    contradiction: bool,
}

impl NHorn {
    /// A fresh variable; it is true as long as no clause says otherwise.
    pub fn variable(&mut self) -> Variable {
        let variable = self.is_false.len() as Variable;
        self.is_false.push(false);
        self.first_watch.push(NONE);
        self.was_watched.push(false);
        self.reason.push(u32::MAX);
        variable
    }

    /// Adds `head -> or literals`; without a head, the disjunction must hold.
    /// Returns the number of the clause.
    pub fn add(&mut self, head: Option<Variable>, literals: &[Variable]) -> u32 {
        let first = self.literals.len() as u32;
        self.literals.extend_from_slice(literals);
        let end = self.literals.len() as u32;
        let number = self.clauses.len() as u32;
        self.clauses.push(Clause { head: head.unwrap_or(NO_HEAD), at: first, first, end });
        self.next_watch.push(NONE);
        self.settle(number);
        number
    }

    /// Literals and clauses so far.
    pub fn size(&self) -> usize {
        self.literals.len() + self.clauses.len()
    }

    /// Whether the formula so far has a model.
    pub fn satisfiable(&self) -> bool {
        !self.contradiction
    }

    /// Whether a variable is false in the largest model.
    pub fn is_false(&self, variable: Variable) -> bool {
        self.is_false[variable as usize]
    }

    /// The false variables in the order in which they became false.
    pub fn order(&self) -> impl Iterator<Item = Variable> + '_ {
        self.order.iter().map(|(variable, _)| *variable)
    }

    /// The clause that made a variable false.
    pub fn reason(&self, variable: Variable) -> Option<u32> {
        Some(self.reason[variable as usize]).filter(|clause| *clause != u32::MAX)
    }

    /// The literals of a clause.
    pub fn literals(&self, clause: u32) -> &[Variable] {
        let clause = self.clauses[clause as usize];
        &self.literals[clause.first as usize..clause.end as usize]
    }

    /// The variables that some clause relies on for the first time since the
    /// last call. Whoever builds the formula on the fly needs the clauses of
    /// these only.
    pub fn take_newly_watched(&mut self) -> Vec<Variable> {
        std::mem::take(&mut self.newly_watched)
    }

    /// Finds the clause a literal to watch, and draws all conclusions.
    fn settle(&mut self, clause: u32) {
        self.open.push(clause);
        while let Some(number) = self.open.pop() {
            let clause = &mut self.clauses[number as usize];
            let all = &self.literals[clause.at as usize..clause.end as usize];
            let next = all.iter().position(|literal| !self.is_false[*literal as usize]);
            if let Some(skip) = next {
                clause.at += skip as u32;
                let literal = self.literals[clause.at as usize];
                let first = &mut self.first_watch[literal as usize];
                self.next_watch[number as usize] = std::mem::replace(first, number);
                if !std::mem::replace(&mut self.was_watched[literal as usize], true) {
                    self.newly_watched.push(literal);
                }
                continue;
            }
            clause.at = clause.end;
            let head = clause.head;
            if head == NO_HEAD {
                self.contradiction = true;
            } else if !std::mem::replace(&mut self.is_false[head as usize], true) {
                self.order.push((head, number));
                self.reason[head as usize] = number;
                let mut watching = std::mem::replace(&mut self.first_watch[head as usize], NONE);
                while watching != NONE {
                    self.open.push(watching);
                    watching = self.next_watch[watching as usize];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conclusions_are_drawn_as_clauses_arrive() {
        let mut horn = NHorn::default();
        let [a, b, c, d] = [(); 4].map(|()| horn.variable());
        horn.add(Some(a), &[b, c]);
        horn.add(Some(b), &[d]);
        assert!(!horn.is_false(a));
        horn.add(Some(d), &[]);
        assert!(horn.is_false(b) && !horn.is_false(a));
        assert_eq!(horn.take_newly_watched(), [b, d, c]);
        horn.add(None, &[a]);
        assert!(horn.satisfiable());
        horn.add(Some(c), &[b, d]);
        assert!(horn.is_false(a) && !horn.satisfiable());
        assert_eq!(horn.order().collect::<Vec<_>>(), [d, b, c, a]);
        assert_eq!(horn.reason(a).map(|clause| horn.literals(clause).to_vec()), Some(vec![b, c]));
    }
}
