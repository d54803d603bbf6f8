//! Where the formulas of a hunt come from.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use luthier_generator::coverage::Coverage;
use luthier_generator::stream::{Settings, Source};
use luthier_generator::{Case, Formula, Stream, Suite};

/// One suite of a hunt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HuntSuite {
    /// It comes to an end.
    Finite(Suite),
    /// It does not.
    Endless(Source),
}

impl HuntSuite {
    fn all() -> impl Iterator<Item = Self> {
        let endless = Source::ALL.into_iter().map(Self::Endless);
        endless.chain(Suite::ALL.into_iter().map(Self::Finite))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Finite(suite) => suite.name(),
            Self::Endless(Source::Planted) => "planted",
            Self::Endless(Source::Bounded) => "bounded",
            Self::Endless(Source::Laws) => "laws",
            Self::Endless(Source::Random) => "random",
        }
    }
}

/// The suite with a name.
pub fn suite(name: &str) -> Result<HuntSuite, String> {
    HuntSuite::all().find(|suite| suite.name() == name).ok_or_else(|| {
        let names: Vec<&str> = HuntSuite::all().map(HuntSuite::name).collect();
        format!("there is {}", names.join(", "))
    })
}

/// How many cells of the coverage map were reached, while the formulas are made elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Covered(Arc<AtomicUsize>);

impl Covered {
    /// Cells reached, and all of them; `None` if no formula of an endless suite was made.
    pub fn cells(&self) -> Option<(usize, usize)> {
        let covered = self.0.load(Ordering::Relaxed);
        (covered > 0).then(|| (covered, Coverage::total()))
    }
}

/// All cases of some suites: first those of suites that come to an end, then the others in turn.
pub struct Cases {
    finite: std::vec::IntoIter<Formula>,
    endless: Option<Stream>,
    number: u64,
    covered: Covered,
}

impl Cases {
    /// The cases of suites. `covered` is kept up to date while they are made.
    pub fn new(suites: &[HuntSuite], seed: u64, twins: usize, covered: Covered) -> Self {
        let mut formulas = Vec::new();
        let mut sources = Vec::new();
        for &suite in suites {
            match suite {
                HuntSuite::Finite(suite) => formulas.extend(suite.formulas()),
                HuntSuite::Endless(source) => sources.push(source),
            }
        }
        // One thread: the workers of the hunt are there already.
        let threads = NonZeroUsize::MIN;
        let endless =
            (!sources.is_empty()).then(|| Stream::new(Settings { seed, sources, twins, threads }));
        Self { finite: formulas.into_iter(), endless, number: 0, covered }
    }
}

impl Iterator for Cases {
    type Item = Case;

    fn next(&mut self) -> Option<Case> {
        if let Some(formula) = self.finite.next() {
            let number = self.number;
            self.number += 1;
            return Some(Case { number, formulas: vec![formula] });
        }
        let stream = self.endless.as_mut()?;
        let case = stream.next();
        self.covered.0.store(stream.coverage().covered(), Ordering::Relaxed);
        case
    }
}

/// The suites that are meant if none is named, and those that are named, each once.
pub fn chosen(named: &[HuntSuite]) -> Vec<HuntSuite> {
    if named.is_empty() {
        return Source::ALL.into_iter().map(HuntSuite::Endless).collect();
    }
    let mut chosen = Vec::new();
    for suite in named {
        if !chosen.contains(suite) {
            chosen.push(*suite);
        }
    }
    chosen
}

/// The names of suites.
pub fn names(suites: &[HuntSuite]) -> Vec<&'static str> {
    suites.iter().map(|suite| suite.name()).collect()
}
