//! Where the formulas of a hunt come from.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use luthier_generator::coverage::Coverage;
use luthier_generator::stream::Settings;
use luthier_generator::{Case, Formula, Stream, Suite};

/// The suite with a name.
pub fn suite(name: &str) -> Result<Suite, String> {
    Suite::find(name).ok_or_else(|| {
        let names = Suite::ALL.map(Suite::name).join(", ");
        format!("there is {names}")
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
    pub fn new(suites: &[Suite], seed: u64, variants: usize, covered: Covered) -> Self {
        let mut formulas = Vec::new();
        let mut sources = Vec::new();
        for &suite in suites {
            match suite.sources() {
                [] => formulas.extend(suite.formulas()),
                endless => sources.extend_from_slice(endless),
            }
        }
        // One thread: the workers of the hunt are there already.
        let threads = NonZeroUsize::MIN;
        let endless = (!sources.is_empty())
            .then(|| Stream::new(Settings { seed, sources, variants, threads }));
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

/// The suites that are meant if none is named, and those that are named. Systems find most, so
/// they come more often.
pub fn chosen(named: &[Suite]) -> Vec<Suite> {
    use Suite::{Bounded, Laws, Planted, Random, Tangled};
    if named.is_empty() {
        return vec![Tangled, Planted, Tangled, Laws, Tangled, Bounded, Tangled, Random];
    }
    named.to_vec()
}

/// The names of suites, each once.
pub fn names(suites: &[Suite]) -> Vec<&'static str> {
    let mut names = Vec::new();
    for name in suites.iter().map(|suite| suite.name()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
