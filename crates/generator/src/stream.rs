//! Endless suites: random formulas, each decided by the seed and its number, steered to what was
//! not covered yet.
//!
//! Formulas come in rounds. What a round aims at follows from the coverage of all rounds before
//! it, and within a round nothing depends on anything else, so that any number of threads gives
//! the same formulas.

use std::collections::{BTreeSet, VecDeque};
use std::num::NonZeroUsize;
use std::thread;

use luthier_terms::{Op, TermId};

use crate::coverage::{Cell, Coverage, uses};
use crate::random::operators;
use crate::variants::{VariantKind, variants_of_formula};
use crate::{Case, Claim, Dice, Formula, Sketch, bounded, laws, planted, tangled, unplanted};

/// How many numbers a round has.
const ROUND: u64 = 64;

/// Out of so many formulas the one is taken that covers most.
const CANDIDATES: usize = 2;

/// How often, out of a hundred, a formula aims at what is not covered.
const STEERED: usize = 50;

/// How often a formula is tried before its number stays empty.
const ATTEMPTS: usize = 12;

/// A way to make formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Satisfiable, with a witness.
    Planted,
    /// Satisfiable, with a witness; many facts over few constants.
    Tangled,
    /// Satisfiable or not; all values were tried.
    Bounded,
    /// Unsatisfiable, by a law.
    Laws,
    /// Nobody knows.
    Random,
}

impl Source {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Planted, Self::Tangled, Self::Bounded, Self::Laws, Self::Random];

    fn name(self) -> &'static str {
        match self {
            Self::Planted => "planted",
            Self::Tangled => "tangled",
            Self::Bounded => "bounded",
            Self::Laws => "law",
            Self::Random => "random",
        }
    }

    /// A formula about the operator; or, where it can be done, for a cell of the map.
    fn sketch(self, dice: Dice, about: Op, cell: Option<Cell>) -> Option<Sketch> {
        match self {
            Self::Planted => match cell {
                Some(cell) => planted::sketch_for(dice, cell),
                None => planted::sketch(dice, about),
            },
            Self::Tangled => tangled::sketch(dice, about),
            Self::Bounded => bounded::sketch(dice, about),
            Self::Laws => laws::sketch(dice, about),
            Self::Random => unplanted::sketch(dice, about),
        }
    }
}

/// What a stream is made of.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What decides about everything.
    pub seed: u64,
    /// Where formulas come from, one after the other; at least one.
    pub sources: Vec<Source>,
    /// How many variants a formula gets at most.
    pub variants: usize,
    /// In how many threads formulas are made. It changes nothing about them.
    pub threads: NonZeroUsize,
}

/// An endless iterator of cases.
pub struct Stream {
    settings: Settings,
    operators: Vec<Op>,
    coverage: Coverage,
    round: u64,
    ready: VecDeque<Case>,
}

/// A case and what it covers.
struct GeneratedCase {
    case: Case,
    uses: BTreeSet<Cell>,
}

impl Stream {
    /// From the first number on.
    pub fn new(settings: Settings) -> Self {
        let (coverage, ready) = (Coverage::new(), VecDeque::new());
        Self { settings, operators: operators(), coverage, round: 0, ready }
    }

    /// What the formulas covered so far, those included that are made and not yet taken.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Makes the cases of the next round.
    fn make_round(&mut self) {
        let first = self.round * ROUND;
        self.round += 1;
        let threads = self.settings.threads.get().min(ROUND as usize);
        let this = &*self;
        let mut made: Vec<GeneratedCase> = if threads == 1 {
            (first..first + ROUND).filter_map(|number| this.make(number)).collect()
        } else {
            thread::scope(|scope| {
                let workers: Vec<_> = (0..threads as u64)
                    .map(|worker| {
                        let numbers = (first + worker..first + ROUND).step_by(threads);
                        scope.spawn(move || {
                            numbers.filter_map(|number| this.make(number)).collect::<Vec<_>>()
                        })
                    })
                    .collect();
                workers
                    .into_iter()
                    .flat_map(|worker| match worker.join() {
                        Ok(made) => made,
                        Err(panic) => std::panic::resume_unwind(panic),
                    })
                    .collect()
            })
        };
        made.sort_by_key(|made| made.case.number);
        for made in made {
            self.coverage.add(&made.uses);
            self.ready.push_back(made.case);
        }
    }

    /// The case with a number; `None` if every attempt failed.
    fn make(&self, number: u64) -> Option<GeneratedCase> {
        let mut dice = Dice::new(self.settings.seed, number);
        let sources = &self.settings.sources;
        let source = sources[(number % sources.len() as u64) as usize];
        let mut best: Option<(usize, Sketch, BTreeSet<Cell>)> = None;
        let mut candidates = 0;
        for _ in 0..ATTEMPTS {
            let cell = if dice.percent(STEERED) { self.coverage.target(&mut dice) } else { None };
            let about = cell.map_or_else(|| dice.pick(&self.operators), |cell| cell.op);
            let Some(sketch) = source.sketch(dice.fork(), about, cell) else { continue };
            if sketch.claim == Claim::Witness && !sketch.draft.holds() {
                continue;
            }
            let terms: Vec<TermId> =
                sketch.draft.assertions.iter().map(|assertion| assertion.term).collect();
            let uses = uses(&sketch.draft.pool, &terms, &sketch.draft.model);
            let gain = self.coverage.gain(&uses);
            if best.as_ref().is_none_or(|(most, ..)| gain > *most) {
                best = Some((gain, sketch, uses));
            }
            candidates += 1;
            if candidates == CANDIDATES {
                break;
            }
        }
        let (_, sketch, uses) = best?;
        let name = format!("{}-{}-{number:07}", source.name(), self.settings.seed);
        let formula = sketch.into_formula(name)?;
        let variants = self.variants(&formula, &mut dice);
        let mut formulas = vec![formula];
        formulas.extend(variants);
        Some(GeneratedCase { case: Case { number, formulas }, uses })
    }

    /// Variants of a formula, of kinds that the dice choose.
    fn variants(&self, formula: &Formula, dice: &mut Dice) -> Vec<Formula> {
        let mut kinds: Vec<VariantKind> = Vec::new();
        for _ in 0..self.settings.variants {
            let kind = dice.pick(&VariantKind::ALL);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let variants = variants_of_formula(formula, &kinds, dice.fork());
        variants.into_iter().map(|(_, variant)| variant).collect()
    }
}

impl Iterator for Stream {
    type Item = Case;

    fn next(&mut self) -> Option<Case> {
        while self.ready.is_empty() {
            self.make_round();
        }
        self.ready.pop_front()
    }
}
