//! The suites of a hunt: those of the generator, and `rewrites`, which has terms instead of formulas.
//!
//! By default the terms of `rewrites` go with every batch of formulas. If the suite is named alone, there
//! are only terms, and `--count` is their number.

use luthier_generator::{Case, Suite};
use luthier_hunt::{RewriteSettings, Settings};

use super::cases;

/// The name of the suite of terms.
const REWRITES: &str = "rewrites";

/// The terms that go with a batch of formulas.
const TERMS: usize = 512;

/// The cases of a batch of small formulas only, which are answered so fast that starting processes counts.
const SMALL_BATCH: usize = 256;

/// The terms of a batch of its own.
const TERMS_ALONE: usize = 2048;

/// A suite of a hunt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HuntSuite {
    /// Formulas of the generator.
    Formulas(Suite),
    /// Terms that solvers are asked to simplify.
    Rewrites,
}

/// The suite with a name.
pub fn suite(name: &str) -> Result<HuntSuite, String> {
    if name == REWRITES {
        return Ok(HuntSuite::Rewrites);
    }
    let found = cases::suite(name).map(HuntSuite::Formulas);
    found.map_err(|message| format!("{message}, {REWRITES}"))
}

/// What is hunted with.
pub struct Chosen {
    /// The suites of formulas.
    pub formulas: Vec<Suite>,
    /// Whether solvers are asked to simplify terms.
    pub rewrites: bool,
    /// Whether they are asked nothing else.
    pub has_only_terms: bool,
}

impl Chosen {
    /// What is named; if nothing is, all endless suites and terms, or nothing but formulas of the parts of
    /// seeds if there are such.
    pub fn new(named: &[HuntSuite], has_seeds: bool) -> Self {
        let formulas: Vec<Suite> = named
            .iter()
            .filter_map(|suite| match suite {
                HuntSuite::Formulas(suite) => Some(*suite),
                HuntSuite::Rewrites => None,
            })
            .collect();
        let is_default = named.is_empty() && !has_seeds;
        let rewrites = is_default || named.contains(&HuntSuite::Rewrites);
        let has_only_terms = rewrites && !is_default && !has_seeds && formulas.is_empty();
        let formulas = if has_only_terms { formulas } else { cases::chosen(&formulas, has_seeds) };
        Self { formulas, rewrites, has_only_terms }
    }

    /// The names, each once.
    pub fn names(&self) -> Vec<&'static str> {
        let terms = self.rewrites.then_some(REWRITES);
        cases::names(&self.formulas).into_iter().chain(terms).collect()
    }

    /// The settings of a hunt with these suites.
    pub fn settings(&self, settings: Settings, seed: u64) -> Settings {
        let rewrites = self.rewrites.then_some(RewriteSettings { seed, terms: TERMS });
        let is_small = |suite: &Suite| matches!(suite, Suite::Small | Suite::SmallBounded);
        let batch = match () {
            () if self.has_only_terms => TERMS_ALONE,
            () if self.formulas.iter().all(is_small) => SMALL_BATCH,
            () => settings.batch,
        };
        Settings { rewrites, batch, ..settings }
    }

    /// The cases of the formulas, or without formulas one empty case for each term.
    pub fn cases(
        &self,
        formulas: impl Iterator<Item = Case> + Send + 'static,
    ) -> Box<dyn Iterator<Item = Case> + Send> {
        if self.has_only_terms {
            return Box::new((0..).map(|number| Case { number, formulas: Vec::new() }));
        }
        Box::new(formulas)
    }
}
