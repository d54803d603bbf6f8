//! Suites by name: finite ones (`icse20`) and unbounded ones over the full theory. A suite is
//! always the same formulas in the same order.

use crate::icse20::{GeneratedSuite, Settings, TooManyFormulas, full_suite};
use crate::stream::{self, Source, Stream};
use crate::{Case, Formula};

/// The number of formulas of an unbounded suite where none is given.
const SAMPLE: usize = 2_000;

/// A suite of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    /// The suite of "Automatically Testing String Solvers" with its published counts.
    Icse20,
    /// The same by the algorithm as published: without the superfluous formulas of the published suite,
    /// and with those that it lacks.
    Icse20Corrected,
    /// The full theory, unbounded: all kinds with a planted answer in turn.
    Full,
    /// Satisfiable by construction.
    Planted,
    /// Nested assertions over few shared constants, satisfiable by construction.
    Tangled,
    /// Decided by enumeration of finite domains.
    Bounded,
    /// Unsatisfiable by a law.
    Laws,
    /// Random formulas with unknown answer, unbounded.
    Random,
    /// All small formulas, each once up to symmetry, in order of size.
    Small,
    /// The same with finite domains, decided by enumeration.
    SmallBounded,
    /// Unusual combinations of operators, satisfiable by construction.
    Unusual,
    /// Idioms of programs, satisfiable by construction.
    Idioms,
}

impl Suite {
    /// All suites.
    pub const ALL: [Self; 12] = [
        Self::Icse20,
        Self::Icse20Corrected,
        Self::Full,
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

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Icse20 => "icse20",
            Self::Icse20Corrected => "icse20-corrected",
            Self::Full => "full",
            Self::Planted => "planted",
            Self::Tangled => "tangled",
            Self::Bounded => "bounded",
            Self::Laws => "laws",
            Self::Random => "random",
            Self::Small => "small",
            Self::SmallBounded => "small-bounded",
            Self::Unusual => "unusual",
            Self::Idioms => "idioms",
        }
    }

    /// A short description.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Icse20 => {
                "the suite of \"Automatically Testing String Solvers\", with its published counts"
            }
            Self::Icse20Corrected => {
                "the same by the algorithm as published, without the mistakes of the suite"
            }
            Self::Full => "the full theory: planted, tangled, bounded and laws in turn",
            Self::Planted => "random assertions that are true under a planted witness",
            Self::Tangled => "nested assertions over few constants, true under a planted witness",
            Self::Bounded => "random assertions over finite domains, decided by enumeration",
            Self::Laws => "negated laws, rewritten",
            Self::Random => "random formulas with unknown answer",
            Self::Small => "all small formulas up to symmetry, in order of size",
            Self::SmallBounded => "the same over finite domains, decided by enumeration",
            Self::Unusual => "unusual combinations of operators, true under a planted witness",
            Self::Idioms => "idioms of programs, true under a planted witness",
        }
    }

    /// The suite of this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|suite| suite.name() == name)
    }

    /// The sources of an unbounded suite; empty for a finite one.
    pub fn sources(self) -> &'static [Source] {
        match self {
            Self::Icse20 | Self::Icse20Corrected => &[],
            Self::Full => &[Source::Planted, Source::Tangled, Source::Bounded, Source::Laws],
            Self::Planted => &[Source::Planted],
            Self::Tangled => &[Source::Tangled],
            Self::Bounded => &[Source::Bounded],
            Self::Laws => &[Source::Laws],
            Self::Random => &[Source::Random],
            Self::Small => &[Source::Small],
            Self::SmallBounded => &[Source::SmallBounded],
            Self::Unusual => &[Source::Unusual],
            Self::Idioms => &[Source::Idioms],
        }
    }

    /// Its formulas; of an unbounded suite the first ones of seed 0.
    pub fn formulas(self) -> Vec<Formula> {
        match self.with_settings(&Settings::default()) {
            Some(made) => {
                made.expect("the default settings allow more formulas than they make").formulas
            }
            None => {
                let settings = stream::Settings::new(0, self.sources().to_vec());
                Stream::new(settings).take(SAMPLE).flat_map(|case| case.formulas).collect()
            }
        }
    }

    /// Its formulas as cases of one formula each; empty for an unbounded suite.
    pub fn cases(self) -> impl Iterator<Item = Case> + Send {
        let formulas = if self.sources().is_empty() { self.formulas() } else { Vec::new() };
        (0..).zip(formulas).map(|(number, formula)| Case { number, formulas: vec![formula] })
    }

    /// Its formulas with other settings than the paper's; `None` for a suite that has no settings.
    pub fn with_settings(
        self,
        settings: &Settings,
    ) -> Option<Result<GeneratedSuite, TooManyFormulas>> {
        match self {
            Self::Icse20 => Some(full_suite(settings, false)),
            Self::Icse20Corrected => Some(full_suite(settings, true)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Suite;
    use crate::Category;

    #[track_caller]
    fn check(suite: Suite, counts: [usize; 9]) {
        let formulas = suite.formulas();
        let count = |category: &Category| {
            formulas.iter().filter(|formula| formula.category == *category).count()
        };
        let found: Vec<usize> = Category::of_icse20().iter().map(count).collect();
        assert_eq!(found, counts);
        let names: BTreeSet<_> = formulas.iter().map(|formula| &formula.name).collect();
        assert_eq!(names.len(), formulas.len(), "names are unique");
    }

    #[test]
    fn the_counts_are_those_of_the_paper_and_of_its_algorithm() {
        check(Suite::Icse20, [12, 4714, 1394, 12, 268, 178, 12, 268, 178]);
        check(Suite::Icse20Corrected, [12, 4714, 1394, 12, 289, 143, 12, 289, 143]);
    }
}
