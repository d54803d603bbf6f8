//! Unbounded suites: random formulas with their variants, each determined by the seed and its
//! number, guided by coverage.
//!
//! Formulas are generated in rounds of 64. Half of the formulas aim at a cell of the coverage map, or
//! at a pair of operators, that no earlier round met, and of two candidates the one with more new
//! cells and pairs is taken. Targets
//! depend only on the rounds before, and within a round the formulas are independent, so that any
//! number of threads gives the same formulas. A number for which every attempt fails is left out.
//!
//! The sources `small` and `small-bounded` are enumerations: where its turn comes, the next case of it is
//! taken. Its cases are numbered by their position and are not counted in the coverage map, which would take
//! longer than making them.

use std::collections::{BTreeSet, VecDeque};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use luthier_terms::{Op, TermId};

use crate::coverage::{Cell, Coverage, Pair, PairCoverage, covered_cells, covered_pairs};
use crate::random::operators;
use crate::seeds::{self, Seed};
use crate::small::{self, SmallFormulas};
use crate::variants::{VariantKind, variants_of_formula};
use crate::{
    Case, Dice, Formula, PlantedAnswer, Profile, Sketch, bounded, idioms, laws, planted, tangled,
    unplanted, unusual,
};

/// The number of formulas of a round.
const ROUND: u64 = 64;

/// The number of candidates, of which the one with most new cells is taken.
const CANDIDATES: usize = 2;

/// The percentage of formulas that aim at a cell that is not covered.
const STEERED: usize = 50;

/// The attempts for one number before it is left out.
const ATTEMPTS: usize = 12;

/// What a formula aims at.
#[derive(Clone, Copy, Debug)]
enum Target {
    Cell(Cell),
    Pair(Pair),
    None,
}

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
    /// All small formulas in order of size.
    Small,
    /// The same with finite domains, satisfiable or not.
    SmallBounded,
    /// Satisfiable, with a witness; shapes that random terms hardly ever have.
    Unusual,
    /// Satisfiable, with a witness; idioms of programs.
    Idioms,
    /// Made of the parts of formulas of a benchmark; nothing without [`Settings::seeds`].
    Seeds,
}

impl Source {
    /// All that need no seeds.
    pub const ALL: [Self; 9] = [
        Self::Planted,
        Self::Tangled,
        Self::Bounded,
        Self::Laws,
        Self::Random,
        Self::Small,
        Self::SmallBounded,
        Self::Unusual,
        Self::Idioms,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Planted => "planted",
            Self::Tangled => "tangled",
            Self::Bounded => "bounded",
            Self::Laws => "law",
            Self::Random => "random",
            Self::Small => "small",
            Self::SmallBounded => "small-bounded",
            Self::Unusual => "unusual",
            Self::Idioms => "idiom",
            Self::Seeds => "seeded",
        }
    }

    /// Whether its formulas are enumerated instead of drawn.
    fn is_enumeration(self) -> bool {
        matches!(self, Self::Small | Self::SmallBounded)
    }

    /// A sketch about the operator or, where the source supports it, for a cell of the map.
    fn sketch(self, dice: Dice, about: Op, target: Target, seeds: &[Seed]) -> Option<Sketch> {
        match self {
            Self::Seeds => seeds::sketch(dice, seeds),
            Self::Planted => match target {
                Target::Cell(cell) => planted::sketch_for(dice, cell),
                Target::Pair(pair) => planted::sketch_for_pair(dice, pair),
                Target::None => planted::sketch(dice, about),
            },
            Self::Tangled => tangled::sketch(dice, about),
            Self::Bounded => bounded::sketch(dice, about),
            Self::Laws => laws::sketch(dice, about),
            Self::Random => unplanted::sketch(dice, about),
            Self::Unusual => unusual::sketch(dice, about),
            Self::Idioms => idioms::sketch(dice, about),
            // Enumerated, not drawn.
            Self::Small | Self::SmallBounded => None,
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
    /// The first position of the source `small`.
    pub start: u64,
    /// What the source [`Source::Seeds`] makes formulas of.
    pub seeds: Arc<Vec<Seed>>,
}

impl Settings {
    /// No variants, one thread, no seeds.
    pub fn new(seed: u64, sources: Vec<Source>) -> Self {
        let (threads, seeds) = (NonZeroUsize::MIN, Arc::default());
        Self { seed, sources, variants: 0, threads, start: 0, seeds }
    }
}

/// An unbounded iterator of cases.
pub struct Stream {
    settings: Settings,
    operators: Vec<Op>,
    coverage: Coverage,
    pairs: PairCoverage,
    profile: Profile,
    round: u64,
    ready: VecDeque<Case>,
    small: Option<SmallFormulas>,
    small_bounded: Option<SmallFormulas>,
}

/// A case and what it covers.
struct GeneratedCase {
    case: Case,
    uses: BTreeSet<Cell>,
    pairs: BTreeSet<Pair>,
}

impl Stream {
    /// A stream from number 0 on.
    pub fn new(settings: Settings) -> Self {
        let (coverage, ready) = (Coverage::new(), VecDeque::new());
        let Settings { seed, variants, threads, start, .. } = settings;
        let enumeration = |source, seed, bounded| {
            settings.sources.contains(&source).then(|| {
                SmallFormulas::new(small::Settings { seed, start, variants, threads, bounded })
            })
        };
        let small = enumeration(Source::Small, seed, false);
        // Another seed, so that the two begin with different formulas.
        let small_bounded = enumeration(Source::SmallBounded, seed.wrapping_add(1 << 32), true);
        let (pairs, profile) = (PairCoverage::default(), Profile::default());
        let operators = operators();
        Self {
            settings,
            operators,
            coverage,
            pairs,
            profile,
            round: 0,
            ready,
            small,
            small_bounded,
        }
    }

    /// The coverage of all formulas generated so far, including those not yet taken.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// The pairs of operators of all formulas generated so far.
    pub fn pairs(&self) -> &PairCoverage {
        &self.pairs
    }

    /// From the next round on, operators are chosen by their decided share. Without a profile, the
    /// formulas depend on the settings only.
    pub fn set_profile(&mut self, profile: Profile) {
        self.profile = profile;
    }

    /// An operator, by the decided shares of the profile.
    fn some_operator(&self, dice: &mut Dice) -> Op {
        let mut op = dice.pick(&self.operators);
        for _ in 0..ATTEMPTS {
            let share = self.profile.share(op);
            // Without a profile, no random number is drawn.
            if share == 100 || dice.percent(share) {
                break;
            }
            op = dice.pick(&self.operators);
        }
        op
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
        let mut made = made.into_iter().peekable();
        for number in first..first + ROUND {
            let enumeration = match self.source(number) {
                Source::Small => self.small.as_mut(),
                Source::SmallBounded => self.small_bounded.as_mut(),
                _ => None,
            };
            self.ready.extend(enumeration.and_then(Iterator::next));
            while let Some(made) = made.next_if(|made| made.case.number == number) {
                self.coverage.add(&made.uses);
                self.pairs.add(&made.pairs);
                self.ready.push_back(made.case);
            }
        }
    }

    /// The source whose turn it is.
    fn source(&self, number: u64) -> Source {
        let sources = &self.settings.sources;
        sources[(number % sources.len() as u64) as usize]
    }

    /// The case with a number; `None` if every attempt failed.
    fn generate(&self, number: u64) -> Option<GeneratedCase> {
        let mut dice = Dice::new(self.settings.seed, number);
        let source = self.source(number);
        if source.is_enumeration() {
            return None;
        }
        let mut best: Option<(usize, Sketch, BTreeSet<Cell>, BTreeSet<Pair>)> = None;
        let mut candidates = 0;
        for _ in 0..ATTEMPTS {
            let target = self.target(source, &mut dice);
            let about = match target {
                Target::Cell(cell) => cell.op,
                Target::Pair(pair) => pair.op,
                Target::None => self.some_operator(&mut dice),
            };
            let sketch = source.sketch(dice.fork(), about, target, &self.settings.seeds);
            let Some(sketch) = sketch else { continue };
            if sketch.planted == PlantedAnswer::Witness && !sketch.draft.holds() {
                continue;
            }
            let terms: Vec<TermId> =
                sketch.draft.assertions.iter().map(|assertion| assertion.term).collect();
            let uses = covered_cells(&sketch.draft.pool, &terms, &sketch.draft.model);
            let pairs = covered_pairs(&sketch.draft.pool, &terms);
            let gain = self.coverage.gain(&uses) + self.pairs.gain(&pairs);
            if best.as_ref().is_none_or(|(most, ..)| gain > *most) {
                best = Some((gain, sketch, uses, pairs));
            }
            candidates += 1;
            if candidates == CANDIDATES {
                break;
            }
        }
        let (_, sketch, uses, pairs) = best?;
        let name = format!("{}-{}-{number:07}", source.name(), self.settings.seed);
        let formula = sketch.into_formula(name)?;
        let variants = self.variants(&formula, &mut dice);
        let mut formulas = vec![formula];
        formulas.extend(variants);
        Some(GeneratedCase { case: Case { number, formulas }, uses, pairs })
    }

    /// What a formula aims at: half of them at something that was not covered yet, those of the source
    /// `planted` in turn at a cell and at a pair of operators.
    fn target(&self, source: Source, dice: &mut Dice) -> Target {
        if !dice.percent(STEERED) {
            return Target::None;
        }
        if source == Source::Planted && dice.percent(50) {
            return self.pairs.target(dice, &self.profile).map_or(Target::None, Target::Pair);
        }
        // A cell of an operator that is hardly ever decided is aimed at less.
        let cell = self.coverage.target(dice);
        let mut is_decided = |cell: &Cell| {
            let share = self.profile.share(cell.op);
            share == 100 || dice.percent(share)
        };
        cell.filter(|cell| is_decided(cell)).map_or(Target::None, Target::Cell)
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
            // An enumeration comes to an end, if nothing else is asked for.
            let only = self.settings.sources.iter().all(|source| source.is_enumeration());
            if only && self.ready.is_empty() {
                return None;
            }
        }
        self.ready.pop_front()
    }
}
