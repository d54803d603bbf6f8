//! The formulas of a hunt: the suites that were chosen, finite ones first, their coverage, and how far
//! generation and the enumeration of small formulas have come.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use luthier_generator::coverage::Coverage;
use luthier_generator::seeds::Seed;
use luthier_generator::stream::{Settings, Source};
use luthier_generator::{Case, Category, Formula, Profile, Stream, Suite};

/// The suite with a name.
pub fn suite(name: &str) -> Result<Suite, String> {
    Suite::find(name).ok_or_else(|| {
        let names = Suite::ALL.map(Suite::name).join(", ");
        format!("there is {names}")
    })
}

/// How far generation has come, while it goes on in another thread.
#[derive(Clone, Debug, Default)]
pub struct Generated(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    covered: usize,
    newest: Option<String>,
    /// Cases that were given to the hunt.
    given: u64,
    /// Small formulas that were given and not answered yet: how many cases were given with it, and the
    /// position after it.
    small: VecDeque<(u64, u64)>,
    /// The enumeration whose positions are kept: the first one, if both are asked.
    enumerated: Option<Category>,
    /// The position after the last small formula that was answered.
    next_position: Option<u64>,
    /// What was learnt since the last case was made.
    profile: Option<Profile>,
}

impl Generated {
    /// Cells of the coverage map that were reached, and all of them; `None` if no formula of an
    /// endless suite was made.
    pub fn cells(&self) -> Option<(usize, usize)> {
        let covered = self.with(|state| state.covered);
        (covered > 0).then(|| (covered, Coverage::total()))
    }

    /// The name of the newest formula.
    pub fn newest(&self) -> Option<String> {
        self.with(|state| state.newest.clone())
    }

    /// The first so many cases were run on all solvers.
    pub fn complete(&self, cases: u64) {
        self.with(|state| {
            while let Some((_, position)) = state.small.pop_front_if(|(given, _)| *given <= cases) {
                state.next_position = Some(position);
            }
        });
    }

    /// Where the enumeration of small formulas goes on: `--start` of the next hunt. `None` if none was
    /// answered.
    pub fn next_position(&self) -> Option<u64> {
        self.with(|state| state.next_position)
    }

    /// Operators are chosen by this profile from the next round of formulas on.
    pub fn learn(&self, profile: Profile) {
        self.with(|state| state.profile = Some(profile));
    }

    fn give(&self, case: &Case, covered: usize) {
        let Some(formula) = case.formulas.first() else { return };
        self.with(|state| {
            state.given += 1;
            state.covered = covered;
            state.newest = Some(formula.name.clone());
            if matches!(formula.category, Category::Small | Category::SmallBounded)
                && *state.enumerated.get_or_insert(formula.category) == formula.category
            {
                state.small.push_back((state.given, case.number + 1));
            }
        });
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Which cases a hunt asks.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The suites, in turn.
    pub suites: Vec<Suite>,
    /// The seed of endless suites.
    pub seed: u64,
    /// The first position of the suite `small`.
    pub start: u64,
    /// Maximal number of variants of a formula of an endless suite.
    pub variants: usize,
    /// Real formulas, of whose parts others are made; their turn comes after the suites.
    pub seeds: Arc<Vec<Seed>>,
}

/// All cases of some suites: first those of suites that come to an end, then the others in turn.
pub struct Cases {
    finite: std::vec::IntoIter<Formula>,
    endless: Option<Stream>,
    number: u64,
    generated: Generated,
}

impl Cases {
    /// The cases of a selection. `generated` is kept up to date while they are made.
    pub fn new(selection: &Selection, generated: Generated) -> Self {
        let mut formulas = Vec::new();
        let mut sources = Vec::new();
        for &suite in &selection.suites {
            match suite.sources() {
                [] => formulas.extend(suite.formulas()),
                endless => sources.extend_from_slice(endless),
            }
        }
        if !selection.seeds.is_empty() {
            sources.push(Source::Seeds);
        }
        let Selection { seed, start, variants, .. } = *selection;
        let seeds = selection.seeds.clone();
        // One thread: the workers of the hunt are there already.
        let endless = (!sources.is_empty()).then(|| {
            Stream::new(Settings { variants, start, seeds, ..Settings::new(seed, sources) })
        });
        Self { finite: formulas.into_iter(), endless, number: 0, generated }
    }
}

impl Iterator for Cases {
    type Item = Case;

    fn next(&mut self) -> Option<Case> {
        let case = match self.finite.next() {
            Some(formula) => {
                let number = self.number;
                self.number += 1;
                Case { number, formulas: vec![formula] }
            }
            None => {
                let stream = self.endless.as_mut()?;
                if let Some(profile) = self.generated.with(|state| state.profile.take()) {
                    stream.set_profile(profile);
                }
                stream.next()?
            }
        };
        let covered = self.endless.as_ref().map_or(0, |stream| stream.coverage().covered());
        self.generated.give(&case, covered);
        Some(case)
    }
}

/// The suites that are meant if none is named (and no files), and those that are named. Small formulas
/// with known answers of both kinds find most wrong answers for the time that they take, then
/// larger ones with finite domains and laws; the others find what these cannot express.
pub fn chosen(named: &[Suite], has_files: bool) -> Vec<Suite> {
    use Suite::{Bounded, Idioms, Laws, Planted, Random, Small, SmallBounded, Tangled, Unusual};
    if named.is_empty() && !has_files {
        let rows = [
            [SmallBounded, Bounded, Small],
            [SmallBounded, Laws, Planted],
            [SmallBounded, Tangled, SmallBounded],
            [SmallBounded, Bounded, Small],
            [SmallBounded, Unusual, SmallBounded],
            [SmallBounded, Laws, Random],
            [SmallBounded, Bounded, Small],
            [SmallBounded, Planted, Idioms],
        ];
        return rows.concat();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hunt_goes_on_after_the_last_small_formula_that_was_answered() {
        let selection = Selection {
            suites: vec![Suite::Small, Suite::Tangled],
            seed: 1,
            start: 0,
            variants: 0,
            seeds: Arc::default(),
        };
        let generated = Generated::default();
        let cases: Vec<Case> = Cases::new(&selection, generated.clone()).take(40).collect();
        assert_eq!(generated.next_position(), None);
        // The last complete case is of another suite.
        generated.complete(20);
        let answered = cases[..20].iter().rev();
        let mut small = answered.filter(|case| case.formulas[0].category == Category::Small);
        let next = small.next().unwrap().number + 1;
        assert_eq!(generated.next_position(), Some(next));
        let resumed = Selection { start: next, ..selection };
        let is_small = |case: &Case| case.formulas[0].category == Category::Small;
        let rest = Cases::new(&resumed, Generated::default()).take(20).filter(is_small);
        let expected = cases[20..].iter().filter(|case| is_small(case)).cloned();
        assert_eq!(rest.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }
}
