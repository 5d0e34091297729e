//! The laws of abstract domains, checked on random elements of all of them.
//! A new domain is a line in `all_domains_keep_the_laws`.

use crate::grid::Group;
use parallax_domain::{Abstraction, Domain, Predicated};
use parallax_optimize::Bounded;
use parallax_solver::Model;
use parallax_term::{Bv, Int, Sort, Term, TermStore, Value};
use proptest::prelude::*;

/// States of three variables.
type States = Vec<[i8; 3]>;

/// Three variables of a sort, and states of them.
struct Space {
    store: TermStore,
    terms: Vec<Term>,
}

impl Space {
    fn new(sort: Sort) -> Space {
        let mut store = TermStore::new();
        let terms = ["x", "y", "z"].map(|name| store.var(name, sort)).to_vec();
        Space { store, terms }
    }

    fn model(&self, state: [i8; 3]) -> Model {
        let mut model = Model::default();
        for (&term, entry) in self.terms.iter().zip(state) {
            let value = match self.store.sort(term) {
                Sort::Bv(width) => Value::Bv(Bv::new(width, entry as u8 as u128)),
                _ => Value::int(entry.into()),
            };
            model.insert(term, value);
        }
        model
    }

    /// Whether a state belongs to an element.
    fn holds<D: Domain>(&mut self, domain: &D, element: &D::Element, state: [i8; 3]) -> bool {
        let formula = domain.gamma(&mut self.store, element);
        self.model(state).eval(&self.store, formula) == Value::Bool(true)
    }

    /// The least element above some states.
    fn hull<D: Domain>(&self, domain: &D, states: &[[i8; 3]]) -> D::Element {
        let each = states.iter().map(|&state| domain.state(&self.store, &self.model(state)));
        each.fold(domain.bottom(), |all, one| domain.join(&all, &one))
    }

    fn laws<D: Domain>(
        &mut self,
        domain: &D,
        given: &[States; 3],
        others: &States,
    ) -> Result<(), TestCaseError> {
        let [a, b, c] = [0, 1, 2].map(|i| self.hull(domain, &given[i]));
        let (bottom, top) = (domain.bottom(), domain.top());
        let join = |x: &D::Element, y: &D::Element| domain.join(x, y);
        let below = |x: &D::Element, y: &D::Element| domain.is_below(x, y);
        let both = join(&a, &b);
        prop_assert_eq!(&both, &join(&b, &a));
        prop_assert_eq!(&a, &join(&a, &a));
        prop_assert_eq!(join(&both, &c), join(&a, &join(&b, &c)));
        prop_assert!(below(&bottom, &a) && below(&a, &top) && below(&a, &a));
        // The join is an upper bound, and the least of those.
        prop_assert!(below(&a, &both) && below(&b, &both));
        prop_assert!(below(&both, &join(&both, &c)));
        prop_assert_eq!(below(&both, &c), below(&a, &c) && below(&b, &c));
        prop_assert_eq!(&both, &self.hull(domain, &[&given[0][..], &given[1][..]].concat()));
        // What an element stands for.
        for &state in given.iter().flatten().chain(others) {
            let own = domain.state(&self.store, &self.model(state));
            prop_assert!(self.holds(domain, &own, state), "a state belongs to its element");
            prop_assert!(!self.holds(domain, &bottom, state) && self.holds(domain, &top, state));
            for element in [&a, &b, &c, &both] {
                // Its own element is the least one that a state belongs to, and
                // meaning is monotone.
                let is_member = self.holds(domain, element, state);
                prop_assert_eq!(is_member, below(&own, element), "{:?} {:?}", state, element);
            }
            let is_member = self.holds(domain, &a, state) || self.holds(domain, &b, state);
            prop_assert!(!is_member || self.holds(domain, &both, state));
        }
        Ok(())
    }
}

fn states() -> impl Strategy<Value = States> {
    proptest::collection::vec([-9i8..10, -9i8..10, -9i8..10], 1..5)
}

proptest! {
    #[test]
    fn all_domains_keep_the_laws(given in [states(), states(), states()], others in states()) {
        let mut space = Space::new(Sort::Int);
        let [x, y, z] = [space.terms[0], space.terms[1], space.terms[2]];
        let store = &mut space.store;
        let predicates = vec![store.le(x, y), store.eq(y, z), store.lt(z, x)];
        let (sum, less) = (store.add(x, y), store.neg(x));
        let octagon = store.sub(y, z);
        for how in [Abstraction::Implied, Abstraction::Cartesian, Abstraction::Boolean] {
            space.laws(&Predicated { predicates: predicates.clone(), how }, &given, &others)?;
        }
        space.laws(&Bounded(&[x, less, sum, octagon]), &given, &others)?;
        let numbers = Group { terms: vec![x, y, z], turns: vec![Int::ZERO; 3] };
        space.laws(&numbers, &given, &others)?;
        let mut space = Space::new(Sort::Bv(8));
        let words = Group { terms: space.terms.clone(), turns: vec![Int::power_of_two(8); 3] };
        space.laws(&words, &given, &others)?;
    }
}
