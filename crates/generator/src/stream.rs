//! Unbounded suites: random formulas with their variants, each determined by the seed and its
//! number, guided by coverage.
//!
//! Formulas are generated in rounds of 64. Half of the formulas aim at a cell of the coverage map
//! that no earlier round met, and of two candidates the one with more new cells is taken. Targets
//! depend only on the rounds before, and within a round the formulas are independent, so that any
//! number of threads gives the same formulas. A number for which every attempt fails is left out.

use std::collections::{BTreeSet, VecDeque};
use std::num::NonZeroUsize;
use std::thread;

use luthier_terms::{Op, TermId};

use crate::coverage::{Cell, Coverage, covered_cells};
use crate::random::operators;
use crate::variants::{VariantKind, variants_of_formula};
use crate::{
    Case, Dice, Formula, PlantedAnswer, Sketch, bounded, laws, planted, tangled, unplanted,
};

/// The number of formulas of a round.
const ROUND: u64 = 64;

/// The number of candidates, of which the one with most new cells is taken.
const CANDIDATES: usize = 2;

/// The percentage of formulas that aim at a cell that is not covered.
const STEERED: usize = 50;

/// The attempts for one number before it is left out.
const ATTEMPTS: usize = 12;

/// A generator of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Satisfiable, with a witness.
    Planted,
    /// Satisfiable, with a witness; nested assertions over few constants.
    Tangled,
    /// Satisfiable or not, decided by enumeration.
    Bounded,
    /// Unsatisfiable, by a law.
    Laws,
    /// Unknown answer.
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

    /// A sketch about the operator or, where the source supports it, for a cell of the map.
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

/// Options of a stream.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The seed, which determines everything.
    pub seed: u64,
    /// The sources, used in turn; at least one.
    pub sources: Vec<Source>,
    /// The largest number of variants of a formula.
    pub variants: usize,
    /// The number of threads, which does not affect the formulas.
    pub threads: NonZeroUsize,
}

/// An unbounded iterator of cases.
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
    /// A stream from number 0 on.
    pub fn new(settings: Settings) -> Self {
        let (coverage, ready) = (Coverage::new(), VecDeque::new());
        Self { settings, operators: operators(), coverage, round: 0, ready }
    }

    /// The coverage of all formulas generated so far, including those not yet taken.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Generates the cases of the next round.
    fn generate_round(&mut self) {
        let first = self.round * ROUND;
        self.round += 1;
        let threads = self.settings.threads.get().min(ROUND as usize);
        let this = &*self;
        let mut made: Vec<GeneratedCase> = if threads == 1 {
            (first..first + ROUND).filter_map(|number| this.generate(number)).collect()
        } else {
            thread::scope(|scope| {
                let workers: Vec<_> = (0..threads as u64)
                    .map(|worker| {
                        let numbers = (first + worker..first + ROUND).step_by(threads);
                        scope.spawn(move || {
                            numbers.filter_map(|number| this.generate(number)).collect::<Vec<_>>()
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
    fn generate(&self, number: u64) -> Option<GeneratedCase> {
        let mut dice = Dice::new(self.settings.seed, number);
        let sources = &self.settings.sources;
        let source = sources[(number % sources.len() as u64) as usize];
        let mut best: Option<(usize, Sketch, BTreeSet<Cell>)> = None;
        let mut candidates = 0;
        for _ in 0..ATTEMPTS {
            let cell = if dice.percent(STEERED) { self.coverage.target(&mut dice) } else { None };
            let about = cell.map_or_else(|| dice.pick(&self.operators), |cell| cell.op);
            let Some(sketch) = source.sketch(dice.fork(), about, cell) else { continue };
            if sketch.planted == PlantedAnswer::Witness && !sketch.draft.holds() {
                continue;
            }
            let terms: Vec<TermId> =
                sketch.draft.assertions.iter().map(|assertion| assertion.term).collect();
            let uses = covered_cells(&sketch.draft.pool, &terms, &sketch.draft.model);
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

    /// Variants of a formula, of random kinds.
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
            self.generate_round();
        }
        self.ready.pop_front()
    }
}
