//! Filters of entries. A filter is a conjunction of conditions: outcome of the runs, a feature, a
//! size, the ground truth, a part of the place.
//!
//! The outcome may refer to one solver of the view; otherwise it refers to any. "Solved" is by
//! the representative run of the repetitions, and so is `refuted`; faults (`wrong`, `invalid-model`,
//! `invalid-core`, `incomplete-model`, `unchecked-model`, `disputed`, `crashed`) and the other classes
//! (`sat`, `unsat`, `unknown`, `timeout`, `memout`, `unsupported`, `malformed`, `framework-error`) count
//! in any repetition, as they do in scores.
//!
//! | name          | keeps an entry if                             | with a solver                      |
//! |---------------|-----------------------------------------------|------------------------------------|
//! | all           | always                                        | always                             |
//! | solved        | some solver solved it                         | this solver did                    |
//! | refuted       | a wrong answer or an invalid model            | of this solver                     |
//! | unique        | exactly one solver solved it                  | this one did, and no other         |
//! | wrong … framework-error | some solver has such a run              | this solver has such a run         |
//! | conflicting   | evidence contradicts evidence, or solvers of the view each other | the same, and this solver answered |
//! | unsolved      | no solver solved it                           | this solver did not solve it       |
//! | some          | some solved it and some did not               | this one solved it, not all did    |
//! | missing       | some solver has no run                        | this solver has no run             |
//!
//! Filters are written as pairs of a key and a value, as in an address: `show=wrong`, `solver=3`,
//! `feature=str.replace`, `min-size=100`, `max-size=2000`, `expected=sat|unsat|none`, `text=pyex`. Solvers
//! are written as their numbers, which stay what they are when others are added; labels are read, too.

use std::fmt;

use luthier_records::{Class, CoreOutcome, Judgement, ModelOutcome, Verdict};

use super::rows::{is_solved, representative_run};
use crate::{Entry, Results, RunInfo, ScoredRun, View};

/// A condition on the outcomes of the runs on an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FilterKind {
    /// Anything.
    #[default]
    All,
    /// Solved.
    Solved,
    /// Solved by exactly one solver.
    Unique,
    /// The run that stands for a solver has a wrong answer or an invalid model.
    Refuted,
    /// An answer is wrong.
    Wrong,
    /// Evidence or solvers contradict each other.
    Conflicting,
    /// A model is invalid.
    InvalidModel,
    /// A core is invalid.
    InvalidCore,
    /// A model lacks values for which default values do not do.
    IncompleteModel,
    /// The referee cannot say anything about a model.
    UncheckedModel,
    /// Another solver contradicts an answer, while nothing decides.
    Disputed,
    /// The program crashed.
    Crashed,
    /// The answer is `sat`.
    Sat,
    /// The answer is `unsat`.
    Unsat,
    /// The answer is `unknown`.
    Unknown,
    /// A time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memout,
    /// The solver did not understand the script.
    Unsupported,
    /// The solver printed no answer, or too much.
    Malformed,
    /// A fault of the set-up, not of the solver.
    FrameworkError,
    /// No solver solved it.
    Unsolved,
    /// Some solved it, and some did not.
    Some,
    /// A run is missing.
    Missing,
}

/// The ground truth of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expected {
    /// It is satisfiable.
    Sat,
    /// It is unsatisfiable.
    Unsat,
    /// Nothing decides, or it has several queries.
    None,
}

/// Which entries are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The condition on outcomes.
    pub kind: FilterKind,
    /// Of which solver, as an index of the results; `None` for any of the view.
    pub solver: Option<usize>,
    /// It uses this feature, as an index of the results.
    pub feature: Option<usize>,
    /// Its size in bytes is at least this.
    pub min_size: Option<u64>,
    /// Its size in bytes is at most this.
    pub max_size: Option<u64>,
    /// The ground truth of it.
    pub expected: Option<Expected>,
    /// Its place contains this, in whatever case. Empty is the same as none.
    pub text: Option<String>,
}

/// A filter or an order that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// The key, such as `show`.
    pub key: String,
    /// What was given.
    pub value: String,
    /// What would have been right.
    pub expected: String,
}

impl fmt::Display for FilterError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, value, expected } = self;
        write!(formatter, "{key:?} cannot be {value:?}; expected {expected}")
    }
}

impl std::error::Error for FilterError {}

impl FilterKind {
    /// All kinds.
    pub const ALL: [Self; 23] = [
        Self::All,
        Self::Solved,
        Self::Unique,
        Self::Refuted,
        Self::Wrong,
        Self::Conflicting,
        Self::InvalidModel,
        Self::InvalidCore,
        Self::IncompleteModel,
        Self::UncheckedModel,
        Self::Disputed,
        Self::Crashed,
        Self::Sat,
        Self::Unsat,
        Self::Unknown,
        Self::Timeout,
        Self::Memout,
        Self::Unsupported,
        Self::Malformed,
        Self::FrameworkError,
        Self::Unsolved,
        Self::Some,
        Self::Missing,
    ];

    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Solved => "solved",
            Self::Unique => "unique",
            Self::Refuted => "refuted",
            Self::Wrong => "wrong",
            Self::Conflicting => "conflicting",
            Self::InvalidModel => "invalid-model",
            Self::InvalidCore => "invalid-core",
            Self::IncompleteModel => "incomplete-model",
            Self::UncheckedModel => "unchecked-model",
            Self::Disputed => "disputed",
            Self::Crashed => "crashed",
            Self::Sat => "sat",
            Self::Unsat => "unsat",
            Self::Unknown => "unknown",
            Self::Timeout => "timeout",
            Self::Memout => "memout",
            Self::Unsupported => "unsupported",
            Self::Malformed => "malformed",
            Self::FrameworkError => "framework-error",
            Self::Unsolved => "unsolved",
            Self::Some => "some",
            Self::Missing => "missing",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind that keeps the entries that a score of this name counts, if there is one. With
    /// repetitions the score counts runs, and the kind keeps the entries that have such runs.
    pub fn of_score(name: &str) -> Option<Self> {
        Some(match name {
            "sat" => Self::Sat,
            "unsat" => Self::Unsat,
            "unknown" => Self::Unknown,
            "timeout" => Self::Timeout,
            "memout" => Self::Memout,
            "crash" => Self::Crashed,
            "unsupported" => Self::Unsupported,
            "malformed" => Self::Malformed,
            "framework_error" => Self::FrameworkError,
            "disputed" => Self::Disputed,
            "incomplete_model" => Self::IncompleteModel,
            "unchecked_model" => Self::UncheckedModel,
            "wrong" => Self::Wrong,
            "invalid_model" => Self::InvalidModel,
            "invalid_core" => Self::InvalidCore,
            _ => return None,
        })
    }

    /// How many entries of a view it keeps.
    pub fn count(self, view: &View<'_>, solver: Option<usize>) -> u64 {
        view.iter().filter(|entry| self.keeps(view, entry, solver)).count() as u64
    }

    fn keeps<'a>(self, view: &View<'a>, entry: &'a Entry, solver: Option<usize>) -> bool {
        let solvers = || view.solvers.iter().copied();
        // Those that the filter refers to.
        let asked = || solvers().filter(move |one| solver.is_none_or(|solver| solver == *one));
        let run = |solver| representative_run(view, entry, solver);
        let any_run = |fault: fn(&ScoredRun) -> bool| {
            let mut runs = asked().flat_map(|solver| view.runs(entry, solver));
            runs.any(|run| fault(&run.scored))
        };
        let class = |class: Class| {
            let mut runs = asked().flat_map(|solver| view.runs(entry, solver));
            runs.any(|run| run.scored.class == class)
        };
        let solved = || solvers().filter(|&solver| is_solved(run(solver)));
        match self {
            Self::All => true,
            Self::Solved => asked().any(|solver| is_solved(run(solver))),
            Self::Refuted => asked().any(|solver| run(solver).is_some_and(is_refuted)),
            Self::Unique => solved().count() == 1 && asked().any(|solver| is_solved(run(solver))),
            Self::Wrong => any_run(ScoredRun::is_wrong),
            Self::InvalidModel => any_run(|run| run.model == Some(ModelOutcome::Invalid)),
            Self::InvalidCore => any_run(|run| run.core == Some(CoreOutcome::Invalid)),
            Self::IncompleteModel => any_run(|run| run.model == Some(ModelOutcome::Incomplete)),
            Self::UncheckedModel => any_run(|run| {
                matches!(run.model, Some(ModelOutcome::Unsupported | ModelOutcome::Exceeded))
            }),
            Self::Disputed => any_run(|run| run.judgement == Judgement::Disputed),
            Self::Crashed => any_run(|run| run.class == Class::Crash),
            Self::Sat => class(Class::Sat),
            Self::Unsat => class(Class::Unsat),
            Self::Malformed => class(Class::Malformed),
            Self::FrameworkError => class(Class::FrameworkError),
            Self::Unknown => class(Class::Unknown),
            Self::Timeout => class(Class::Timeout),
            Self::Memout => class(Class::Memout),
            Self::Unsupported => class(Class::Unsupported),
            Self::Unsolved => !asked().any(|solver| is_solved(run(solver))),
            Self::Some => {
                let count = solved().count();
                count < view.solvers.len() && asked().any(|solver| is_solved(run(solver)))
            }
            Self::Missing => asked().any(|solver| run(solver).is_none()),
            Self::Conflicting => {
                let says = |class: Class| {
                    let mut runs = solvers().filter_map(run);
                    runs.any(|run| run.scored.class == class)
                };
                let conflict = entry.judged.truths.iter().any(|one| !one.conflicts.is_empty());
                let answered =
                    |solver: usize| run(solver).is_some_and(|run| run.scored.class.is_decided());
                (conflict || (says(Class::Sat) && says(Class::Unsat)))
                    && (solver.is_none() || asked().any(answered))
            }
        }
    }
}

impl Expected {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Sat, Self::Unsat, Self::None];

    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sat => "sat",
            Self::Unsat => "unsat",
            Self::None => "none",
        }
    }

    /// The ground truth of an entry.
    pub fn of(entry: &Entry) -> Self {
        match entry.judged.expected() {
            Some((Verdict::Sat, _)) => Self::Sat,
            Some((Verdict::Unsat, _)) => Self::Unsat,
            Some((Verdict::Unknown, _)) | None => Self::None,
        }
    }
}

impl Filter {
    /// Whether an entry is shown.
    pub fn keeps<'a>(&self, view: &View<'a>, entry: &'a Entry) -> bool {
        let content = &entry.judged.content;
        let uses = |feature: usize| {
            let features = content.features.as_deref().unwrap_or_default();
            features.binary_search_by(|one| (*one as usize).cmp(&feature)).is_ok()
        };
        self.min_size.is_none_or(|size| content.size.0 >= size)
            && self.max_size.is_none_or(|size| content.size.0 <= size)
            && self.expected.is_none_or(|expected| Expected::of(entry) == expected)
            && self.feature.is_none_or(uses)
            && self.kind.keeps(view, entry, self.solver)
            // Last, since it is the slowest.
            && self.text.as_deref().is_none_or(|text| place_contains(view.results, entry, text))
    }

    /// The view with the entries that are shown.
    pub fn apply<'a>(&self, view: View<'a>) -> View<'a> {
        view.filter(|view, entry| self.keeps(view, entry))
    }

    /// Reads a filter from pairs of a key and a value. Other keys are ignored, since an address has more
    /// than a filter; empty values are the same as none, since forms send them.
    pub fn parse<'p>(
        pairs: impl IntoIterator<Item = (&'p str, &'p str)>,
        results: &Results,
    ) -> Result<Self, FilterError> {
        let mut filter = Filter::default();
        for (key, value) in pairs {
            if value.is_empty() {
                continue;
            }
            let fail = |expected: String| FilterError {
                key: key.to_owned(),
                value: value.to_owned(),
                expected,
            };
            let size = || value.parse().map(Some).map_err(|_| fail("a number of bytes".to_owned()));
            match key {
                "show" => {
                    let names = || FilterKind::ALL.map(FilterKind::name).join(", ");
                    filter.kind = FilterKind::from_name(value)
                        .ok_or_else(|| fail(format!("one of {}", names())))?;
                }
                "solver" => filter.solver = Some(find_solver(results, key, value)?),
                "feature" => {
                    let place = results.features.iter().position(|feature| feature == value);
                    let expected = "a feature of an instance, such as str.len".to_owned();
                    filter.feature = Some(place.ok_or_else(|| fail(expected))?);
                }
                "min-size" => filter.min_size = size()?,
                "max-size" => filter.max_size = size()?,
                "expected" => {
                    let known = Expected::ALL.into_iter().find(|one| one.name() == value);
                    let expected = "sat, unsat or none".to_owned();
                    filter.expected = Some(known.ok_or_else(|| fail(expected))?);
                }
                "text" => filter.text = Some(value.to_owned()),
                _ => {}
            }
        }
        Ok(filter)
    }

    /// The filter as pairs that [`Filter::parse`] reads, in a fixed order; none for what is not filtered.
    pub fn pairs(&self, results: &Results) -> Vec<(&'static str, String)> {
        let mut pairs = Vec::new();
        if self.kind != FilterKind::All {
            pairs.push(("show", self.kind.name().to_owned()));
        }
        let number = |solver: usize| results.solvers[solver].number.to_string();
        pairs.extend(self.solver.map(|solver| ("solver", number(solver))));
        pairs.extend(self.feature.map(|feature| ("feature", results.features[feature].clone())));
        pairs.extend(self.min_size.map(|size| ("min-size", size.to_string())));
        pairs.extend(self.max_size.map(|size| ("max-size", size.to_string())));
        pairs.extend(self.expected.map(|expected| ("expected", expected.name().to_owned())));
        let text = self.text.clone().filter(|text| !text.is_empty());
        pairs.extend(text.map(|text| ("text", text)));
        pairs
    }
}

/// The solver with this number or label.
pub(super) fn find_solver(results: &Results, key: &str, value: &str) -> Result<usize, FilterError> {
    let number: Option<i64> = value.parse().ok();
    let by_number = results.solvers.iter().position(|solver| Some(solver.number) == number);
    by_number.or_else(|| results.solver(value)).ok_or_else(|| FilterError {
        key: key.to_owned(),
        value: value.to_owned(),
        expected: "the number or the label of a solver".to_owned(),
    })
}

/// As [`Standing::refuted`](super::Standing::refuted) counts.
fn is_refuted(run: &RunInfo) -> bool {
    run.scored.is_scored() && run.scored.is_refuted()
}

/// Whether the place of an entry contains a text, in whatever case.
fn place_contains(results: &Results, entry: &Entry, text: &str) -> bool {
    let place = results.place_of(entry);
    if place.is_ascii() && text.is_ascii() {
        let (place, text) = (place.to_ascii_lowercase(), text.to_ascii_lowercase());
        return place.contains(&text);
    }
    place.to_lowercase().contains(&text.to_lowercase())
}
