//! The workbench: what both engines lay out before they start.

use parallax_base::{Budget, Event, Stop};
use parallax_domain::{
    Context, Cube, Matcher, Oracle, Partition, Post, Predicates, Residual, rules,
};
use parallax_engine::{Question, Resources};
use parallax_evidence::{Refinement, Region, Statistics};
use parallax_ir::{Interpreter, Program, State, Transition};
use parallax_solver::SolverError;
use parallax_term::{Code, Node, Scratch, Term, TermStore};

/// Everything a search over one question needs at hand.
pub(crate) struct Work<'a> {
    pub(crate) program: &'a Program,
    pub(crate) store: TermStore,
    /// The symbols of all state positions.
    pub(crate) variables: Vec<Term>,
    pub(crate) transitions: Vec<Transition>,
    pub(crate) interpreter: Interpreter,
    pub(crate) post: Post,
    /// For each transition, the indices of its rules.
    pub(crate) rules_of: Vec<Vec<usize>>,
    /// The guard of each transition, without conditionals inside atoms.
    pub(crate) guards: Vec<Term>,
    pub(crate) predicates: Predicates,
    pub(crate) oracle: Oracle,
    pub(crate) target: Term,
    pub(crate) budget: &'a Budget,
    pub(crate) picture: bool,
    pub(crate) statistics: Statistics,
    pub(crate) history: Vec<Refinement>,
    /// The predicates of the first round.
    first: Predicates,
    matcher: Matcher,
    target_code: Code,
    scratch: Scratch,
}

impl<'a> Work<'a> {
    /// Lays the workbench out; `from_guards` says whether the first predicates are
    /// those of guards and target, or none. Those that are `given` come on top.
    pub(crate) fn new(
        question: Question<'a>,
        resources: Resources<'a>,
        from_guards: bool,
        given: &[Term],
    ) -> Result<Work<'a>, SolverError> {
        let program = question.program;
        let mut store = program.store.clone();
        let transitions = program.transitions(&mut store);
        let partition = Partition::new(program);
        let rules = rules(&mut store, program, &transitions);
        let mut rules_of = vec![Vec::new(); transitions.len()];
        for (index, rule) in rules.iter().enumerate() {
            rules_of[rule.transition].push(index);
        }
        let guards = transitions.iter().map(|t| store.lift(t.guard)).collect();
        let target = store.lift(question.property().target);
        let mut predicates = if from_guards {
            Predicates::initial(&mut store, program, &partition, &transitions, target)
        } else {
            Predicates::empty()
        };
        for &formula in given {
            let formula = store.lift(formula);
            predicates.add_atoms(&mut store, &partition, formula);
        }
        let matcher = Matcher::new(&store, &partition, &predicates);
        let target_code = Code::compile(&store, &[target], |t| partition.slot(t));
        Ok(Work {
            program,
            variables: program.variables.iter().map(|v| v.term).collect(),
            transitions,
            interpreter: Interpreter::new(program),
            post: Post::new(partition, rules),
            rules_of,
            guards,
            first: predicates.clone(),
            predicates,
            oracle: Oracle::new(resources.solver.open()?),
            target,
            budget: resources.budget,
            picture: resources.picture,
            statistics: Statistics::default(),
            history: Vec::new(),
            matcher,
            target_code,
            scratch: Scratch::default(),
            store,
        })
    }

    pub(crate) fn partition(&self) -> &Partition {
        self.post.partition()
    }

    /// The abstract state of a concrete one.
    pub(crate) fn cube(&mut self, state: &State) -> Cube {
        self.matcher.cube(state)
    }

    /// Whether a concrete state is a target.
    pub(crate) fn is_target(&mut self, state: &State) -> bool {
        self.target_code.test(state, &mut self.scratch)
    }

    /// The posts together with what they work with.
    pub(crate) fn post(&mut self) -> (&mut Post, Context<'_>) {
        let cx = Context {
            store: &mut self.store,
            oracle: &mut self.oracle,
            predicates: &self.predicates,
            budget: self.budget,
        };
        (&mut self.post, cx)
    }

    /// The formula view of an abstract state.
    pub(crate) fn residual(&mut self, cube: &Cube) -> Residual {
        let variables = std::mem::take(&mut self.variables);
        let (post, mut cx) = self.post();
        let residual = post.residual(&mut cx, &variables, cube);
        self.variables = variables;
        residual
    }

    /// The region of all concrete states that match an abstract state.
    pub(crate) fn region(&mut self, cube: &Cube) -> Region {
        let slots = self.partition().explicit.clone();
        let fixed = slots.iter().map(|&slot| parallax_base::Id::new(slot));
        let fixed = fixed.zip(cube.explicit.iter().cloned()).collect();
        let literals = self.residual(cube).literals;
        Region { fixed, formula: self.store.and(literals.iter().copied()) }
    }

    /// Queries so far.
    pub(crate) fn queries(&mut self) -> u64 {
        self.oracle.solver().statistics().queries
    }

    /// Counts a round and tells the observer.
    pub(crate) fn begin_iteration(&mut self) -> Result<(), Stop> {
        self.budget.check()?;
        self.statistics.iterations += 1;
        self.statistics.predicates = self.predicates.len() as u64;
        self.budget.notice(Event::Iteration {
            number: self.statistics.iterations,
            predicates: self.statistics.predicates,
        });
        Ok(())
    }

    /// Tells the observer how far the round is.
    pub(crate) fn progress(&mut self, states: usize, cubes: usize) {
        self.statistics.states = states as u64;
        self.statistics.abstract_states = cubes as u64;
        let queries = self.queries();
        self.budget.notice(Event::Progress {
            states: states as u64,
            abstract_states: cubes as u64,
            queries,
        });
    }

    /// Adds the atoms of the doubts; each comes with the transition that
    /// raised it. Says whether anything was new.
    pub(crate) fn refine(&mut self, doubts: &[(usize, Term)]) -> bool {
        let mut added = Vec::new();
        let mut reason = String::new();
        for &(transition, doubt) in doubts {
            let partition = self.post.partition();
            for atom in self.predicates.add_atoms(&mut self.store, partition, doubt) {
                let text = self.store.infix(atom);
                let why = format!("`{}` is not exact", self.transitions[transition].name);
                if reason.is_empty() {
                    reason.clone_from(&why);
                }
                self.budget.notice(Event::Predicate { text: text.clone(), why });
                added.push(text);
            }
        }
        let progress = !added.is_empty();
        self.matcher = Matcher::new(&self.store, self.post.partition(), &self.predicates);
        self.history.push(Refinement {
            iteration: self.statistics.iterations,
            states: self.statistics.states,
            abstract_states: self.statistics.abstract_states,
            predicates: added,
            reason,
            path: None,
        });
        progress
    }

    /// Begins again with the first predicates, and of those that were found with
    /// what relates variables to each other without a number: refinement that
    /// does not end adds one number after the other.
    pub(crate) fn begin_again(&mut self) {
        let found = self.predicates.atoms()[self.first.len()..].to_vec();
        self.predicates = self.first.clone();
        for atom in found {
            let is_plain = match self.store.node(atom) {
                Node::Compare(_, linear) => {
                    linear.constant_part().is_zero() && linear.monomials().len() > 1
                }
                _ => false,
            };
            if is_plain {
                let partition = self.post.partition();
                self.predicates.add_atoms(&mut self.store, partition, atom);
            }
        }
    }

    /// The figures so far.
    pub(crate) fn finish(&mut self) -> Statistics {
        self.statistics.solver_queries = self.queries();
        self.statistics.predicates = self.predicates.len() as u64;
        self.statistics.time = self.budget.elapsed();
        self.statistics.peak_memory_bytes = parallax_base::peak_memory_bytes();
        self.statistics.clone()
    }
}
