//! The result table of Bugariu and Müller, *Automatically Testing String Solvers*, ICSE 2020 (Table 4):
//! for each category of tests and each solver, the number of tests with each outcome.
//!
//! Every test is in exactly one column:
//! * IM: the solver says `sat`, as expected, but its model is invalid;
//! * IC: the solver says `unsat`, as expected, but its core is not the minimal one;
//! * S and U: all other answers `sat` and `unsat`, the expected and the wrong ones;
//! * K: `unknown`; T: the time limit; E: a crash, an error message, no answer, the memory limit.
//!
//! A test failed unless it is in the column of the expected answer. It failed by unsoundness if
//! the verdict is wrong, the model is invalid, or the core is satisfiable: a core that is only too
//! large is imprecise, not unsound.
//!
//! A model that lacks a value counts as S, as long as nothing refutes it. Models that default values
//! do not complete are counted separately: with an arbitrary value for the missing one they are
//! invalid, and the authors may have counted them so.
//!
//! Runs with framework errors, and tests without a run, are in no column.

#[cfg(doc)]
use luthier_records::FindingKind;
use luthier_records::{Class, CoreOutcome, ModelOutcome, Verdict};

use crate::{Column, ScoredRun, Table};

/// A category of tests: a part of the suite, all of one expected answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestCategory {
    /// Its name, which is that of its folder and its track.
    pub name: &'static str,
    /// The name in the table.
    pub title: &'static str,
    /// What its tests should be answered.
    pub expected: Verdict,
    /// Whether its quantifiers have patterns.
    pub patterns: bool,
}

const fn row(
    name: &'static str,
    title: &'static str,
    expected: Verdict,
    patterns: bool,
) -> TestCategory {
    TestCategory { name, title, expected, patterns }
}

/// The categories, in the order of the table.
pub const TEST_CATEGORIES: [TestCategory; 9] = [
    row("operation", "operation", Verdict::Sat, false),
    row("constant-assignment", "constant assignment", Verdict::Sat, false),
    row("term-synthesis", "term synthesis", Verdict::Sat, false),
    row("equivalent-formula", "equivalent formula", Verdict::Unsat, false),
    row("equivalent-formula+patterns", "equivalent formula", Verdict::Unsat, true),
    row("larger-unsat-core", "larger unsat core", Verdict::Unsat, false),
    row("larger-unsat-core+patterns", "larger unsat core", Verdict::Unsat, true),
    row("redundancy-introduction", "redundancy introduction", Verdict::Unsat, false),
    row("redundancy-introduction+patterns", "redundancy introduction", Verdict::Unsat, true),
];

impl TestCategory {
    /// The place in [`TEST_CATEGORIES`] of the category of this name.
    pub fn find(name: &str) -> Option<usize> {
        TEST_CATEGORIES.iter().position(|category| category.name == name)
    }

    /// What stands in the first column: `sat`, `unsat` or `unsat [+p]`.
    pub fn expectation(&self) -> &'static str {
        match (self.expected, self.patterns) {
            (Verdict::Unsat, true) => "unsat [+p]",
            (verdict, _) => verdict.name(),
        }
    }
}

/// A column of the table: in terms of records, a class of runs or a kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestColumn {
    /// The expected answer `sat` with a finding of kind [`FindingKind::InvalidModel`].
    IncorrectModel,
    /// The expected answer `unsat` with a core that is larger than the minimal one, or with a finding
    /// of kind [`FindingKind::InvalidCore`].
    IncorrectCore,
    /// Other runs of [`Class::Sat`].
    Sat,
    /// Other runs of [`Class::Unsat`].
    Unsat,
    /// Runs of [`Class::Unknown`].
    Unknown,
    /// Runs of [`Class::Timeout`].
    Timeout,
    /// Runs of all other classes.
    Error,
}

impl TestColumn {
    /// All columns, in the order of the table.
    pub const ALL: [Self; 7] = [
        Self::IncorrectModel,
        Self::IncorrectCore,
        Self::Sat,
        Self::Unsat,
        Self::Unknown,
        Self::Timeout,
        Self::Error,
    ];

    /// What the paper calls it.
    pub fn letters(self) -> &'static str {
        match self {
            Self::IncorrectModel => "IM",
            Self::IncorrectCore => "IC",
            Self::Sat => "S",
            Self::Unsat => "U",
            Self::Unknown => "K",
            Self::Timeout => "T",
            Self::Error => "E",
        }
    }

    /// What that stands for.
    pub fn words(self) -> &'static str {
        match self {
            Self::IncorrectModel => "incorrect model",
            Self::IncorrectCore => "incorrect core (not the minimal one)",
            Self::Sat => "sat",
            Self::Unsat => "unsat",
            Self::Unknown => "unknown",
            Self::Timeout => "timeout",
            Self::Error => "error",
        }
    }

    /// The column of a run on a test of a category.
    fn of(category: &TestCategory, run: &ScoredRun) -> Self {
        let expects = |verdict| category.expected == verdict;
        let not_minimal = matches!(run.core, Some(CoreOutcome::Larger | CoreOutcome::Invalid));
        match run.class {
            Class::Sat if expects(Verdict::Sat) && run.model == Some(ModelOutcome::Invalid) => {
                Self::IncorrectModel
            }
            Class::Unsat if expects(Verdict::Unsat) && not_minimal => Self::IncorrectCore,
            Class::Sat => Self::Sat,
            Class::Unsat => Self::Unsat,
            Class::Unknown => Self::Unknown,
            Class::Timeout => Self::Timeout,
            Class::Memout
            | Class::Crash
            | Class::Unsupported
            | Class::Malformed
            | Class::FrameworkError => Self::Error,
        }
    }

    /// Whether tests with this expected answer can be in it.
    fn applies_to(self, expected: Verdict) -> bool {
        match self {
            Self::IncorrectModel => expected == Verdict::Sat,
            Self::IncorrectCore => expected != Verdict::Sat,
            _ => true,
        }
    }
}

/// What the letters in the heads of columns mean.
pub fn test_legend() -> String {
    let columns = TestColumn::ALL.map(|one| format!("{} = {}", one.letters(), one.words()));
    format!("{}; [+p] = with patterns", columns.join(", "))
}

/// The outcomes of the tests of one or more categories with one solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TestCounts {
    /// How many tests there are.
    pub tests: u64,
    /// How many are in each column; `None` for those in which they cannot be.
    columns: [Option<u64>; TestColumn::ALL.len()],
    /// How many tests failed.
    pub failed: u64,
    /// How many of them by unsoundness: findings by which the solver is certainly wrong.
    pub unsound: u64,
    /// How many of S have a model that lacks values, for which default values do not do.
    pub incomplete_model: u64,
    /// How many tests have no run, or only a framework error.
    pub not_run: u64,
}

impl TestCounts {
    /// For a category, nothing counted yet.
    pub fn of(category: &TestCategory) -> Self {
        let columns =
            TestColumn::ALL.map(|column| column.applies_to(category.expected).then_some(0));
        Self { columns, ..Self::default() }
    }

    /// How many tests are in a column; `None` if they cannot be there.
    pub fn count(&self, column: TestColumn) -> Option<u64> {
        self.columns[column as usize]
    }

    /// Counts a test with the run on it, if there is one.
    pub fn add(&mut self, category: &TestCategory, run: Option<&ScoredRun>) {
        self.tests += 1;
        let Some(run) = run.filter(|run| run.is_scored()) else {
            self.not_run += 1;
            return;
        };
        let is_incomplete = run.model == Some(ModelOutcome::Incomplete);
        self.incomplete_model += u64::from(run.class == Class::Sat && is_incomplete);
        let column = TestColumn::of(category, run);
        *self.columns[column as usize].get_or_insert(0) += 1;
        let right = match category.expected {
            Verdict::Sat => TestColumn::Sat,
            Verdict::Unsat | Verdict::Unknown => TestColumn::Unsat,
        };
        self.failed += u64::from(column != right);
        self.unsound += u64::from(run.is_unsound());
    }

    /// Adds other counts. A column that only one of them has stays.
    pub fn merge(&mut self, other: &Self) {
        for (one, two) in self.columns.iter_mut().zip(other.columns) {
            *one = match (*one, two) {
                (None, None) => None,
                (one, two) => Some(one.unwrap_or(0) + two.unwrap_or(0)),
            };
        }
        self.tests += other.tests;
        self.failed += other.failed;
        self.unsound += other.unsound;
        self.incomplete_model += other.incomplete_model;
        self.not_run += other.not_run;
    }
}

/// The results of one solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestResults {
    /// One for each of [`TEST_CATEGORIES`].
    pub counts: [TestCounts; 9],
}

impl Default for TestResults {
    fn default() -> Self {
        Self { counts: TEST_CATEGORIES.each_ref().map(TestCounts::of) }
    }
}

impl TestResults {
    /// Counts a test of a category, by its place in [`TEST_CATEGORIES`].
    pub fn add(&mut self, category: usize, run: Option<&ScoredRun>) {
        if let (Some(counts), Some(category)) =
            (self.counts.get_mut(category), TEST_CATEGORIES.get(category))
        {
            counts.add(category, run);
        }
    }

    /// The categories that have tests.
    pub fn rows(&self) -> impl Iterator<Item = (&'static TestCategory, &TestCounts)> {
        TEST_CATEGORIES.iter().zip(&self.counts).filter(|(_, counts)| counts.tests > 0)
    }

    /// The sums over `sat`, `unsat` and `unsat [+p]`, as far as there are tests.
    pub fn totals(&self) -> Vec<(&'static str, TestCounts)> {
        let mut totals: Vec<(&'static str, TestCounts)> = Vec::new();
        for (category, counts) in self.rows() {
            let name = category.expectation();
            match totals.iter_mut().find(|(known, _)| *known == name) {
                Some((_, total)) => total.merge(counts),
                None => totals.push((name, *counts)),
            }
        }
        totals
    }

    /// The table of this solver.
    pub fn table(&self) -> Table {
        let incomplete = self.counts.iter().any(|counts| counts.incomplete_model > 0);
        let not_run = self.counts.iter().any(|counts| counts.not_run > 0);
        let mut columns = vec![Column::key("expected"), Column::key("category")];
        columns.push(Column::numbers("tests"));
        columns.extend(TestColumn::ALL.map(|one| Column::numbers(one.letters())));
        columns.extend(["failed", "unsound"].map(Column::numbers));
        columns.extend(incomplete.then(|| Column::numbers("incompl. model")));
        columns.extend(not_run.then(|| Column::numbers("not run")));
        let mut table = Table::new(columns);
        let cells = |expected: &str, category: &str, counts: &TestCounts| {
            let optional = |count: Option<u64>| count.map_or("-".to_owned(), |n| n.to_string());
            let mut cells = vec![expected.to_owned(), category.to_owned()];
            cells.push(counts.tests.to_string());
            cells.extend(TestColumn::ALL.map(|column| optional(counts.count(column))));
            cells.extend([counts.failed, counts.unsound].map(|number| number.to_string()));
            cells.extend(incomplete.then(|| counts.incomplete_model.to_string()));
            cells.extend(not_run.then(|| counts.not_run.to_string()));
            cells
        };
        for (category, counts) in self.rows() {
            table.push(cells(category.expectation(), category.title, counts));
        }
        for (expected, counts) in self.totals() {
            table.push(cells(expected, "total", &counts));
        }
        table
    }
}
