//! The table of "Automatically Testing String Solvers", counted by hand.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use luthier_records::{
    Class, CoreOutcome, CpuTime, Evidence, Judgement, ModelOutcome, Verdict, WallTime,
};
use luthier_report::{
    ScoredRun, TEST_CATEGORIES, TestCategory, TestColumn, TestCounts, TestResults, render_table,
};

fn run(
    class: Class,
    wrong: bool,
    model: Option<ModelOutcome>,
    core: Option<CoreOutcome>,
) -> ScoredRun {
    let evidence = Evidence::Planted;
    ScoredRun {
        class,
        cpu: CpuTime::default(),
        wall: WallTime::default(),
        cpu_limit: CpuTime::default(),
        judgement: if wrong { Judgement::Wrong(evidence) } else { Judgement::Right(evidence) },
        model,
        core,
    }
}

fn results() -> TestResults {
    let mut results = TestResults::default();
    let sat = TestCategory::find("constant-assignment").unwrap();
    let unsat = TestCategory::find("larger-unsat-core").unwrap();
    let patterns = TestCategory::find("larger-unsat-core+patterns").unwrap();
    let single = TestCategory::find("redundancy-introduction").unwrap();
    let model = |outcome| run(Class::Sat, false, Some(outcome), None);
    let core = |outcome| run(Class::Unsat, false, None, Some(outcome));
    let only = |class| run(class, false, None, None);
    for one in [
        model(ModelOutcome::Valid),
        model(ModelOutcome::Completed),
        model(ModelOutcome::Incomplete),
        model(ModelOutcome::Unsupported),
        only(Class::Sat),
        model(ModelOutcome::Invalid),
        run(Class::Unsat, true, None, None),
        run(Class::Unsat, true, None, Some(CoreOutcome::Invalid)),
        only(Class::Unknown),
        only(Class::Timeout),
        run(Class::Timeout, false, Some(ModelOutcome::Invalid), None),
        only(Class::Memout),
        // Wrong, and then it crashed.
        run(Class::Crash, true, None, None),
        only(Class::Unsupported),
        only(Class::Malformed),
        only(Class::FrameworkError),
    ] {
        results.add(sat, Some(&one));
    }
    results.add(sat, None);
    for one in [
        core(CoreOutcome::Minimal),
        core(CoreOutcome::Confirmed),
        only(Class::Unsat),
        core(CoreOutcome::Larger),
        core(CoreOutcome::Invalid),
        run(Class::Sat, true, Some(ModelOutcome::Invalid), None),
        only(Class::Unknown),
    ] {
        results.add(unsat, Some(&one));
    }
    results.add(patterns, Some(&only(Class::Timeout)));
    results.add(single, Some(&core(CoreOutcome::Larger)));
    results
}

#[test]
fn every_test_is_in_one_column() {
    let results = results();
    let rows: Vec<_> = results.rows().collect();
    assert_eq!(rows.len(), 4);
    let (category, sat) = rows[0];
    assert_eq!(category.name, "constant-assignment");
    let counts = |counts: &TestCounts| TestColumn::ALL.map(|column| counts.count(column));
    let [im, s, u, k, t, e] = [1, 5, 2, 1, 2, 4].map(Some);
    assert_eq!((sat.tests, counts(sat)), (17, [im, None, s, u, k, t, e]));
    assert_eq!((sat.not_run, sat.incomplete_model), (2, 1));
    assert_eq!(sat.failed, 10, "all but the five right answers and what was not run");
    assert_eq!(sat.unsound, 5, "a false model each with and without an answer, three verdicts");
    let (_, unsat) = rows[1];
    let [ic, s, u, k, t, e] = [2, 1, 3, 1, 0, 0].map(Some);
    assert_eq!((unsat.tests, counts(unsat)), (7, [None, ic, s, u, k, t, e]));
    assert_eq!((unsat.failed, unsat.unsound), (4, 2), "a core that is too large is imprecise only");
    for (_, one) in rows {
        let columns: u64 = counts(one).into_iter().flatten().sum();
        assert_eq!(columns + one.not_run, one.tests);
    }
}

#[test]
fn totals_keep_patterns_apart() {
    let totals = results().totals();
    let names: Vec<&str> = totals.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["sat", "unsat", "unsat [+p]"]);
    let (_, unsat) = totals[1];
    let incorrect = unsat.count(TestColumn::IncorrectCore);
    assert_eq!((unsat.tests, unsat.failed, incorrect), (8, 5, Some(3)));
    assert_eq!(totals[2].1.count(TestColumn::Timeout), Some(1));
}

#[test]
fn the_table_is_laid_out_as_in_the_paper() {
    let text = render_table(&results().table(), None);
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split("  ").map(str::trim).filter(|c| !c.is_empty()).collect())
        .collect();
    assert_eq!(
        lines[0],
        [
            "expected",
            "category",
            "tests",
            "IM",
            "IC",
            "S",
            "U",
            "K",
            "T",
            "E",
            "failed",
            "unsound",
            "incompl. model",
            "not run"
        ]
    );
    let find = |start: [&str; 2]| {
        lines.iter().find(|line| line.starts_with(&start)).unwrap()[2..].join(" ")
    };
    assert_eq!(find(["sat", "constant assignment"]), "17 1 - 5 2 1 2 4 10 5 1 2");
    assert_eq!(find(["unsat", "larger unsat core"]), "7 - 2 1 3 1 0 0 4 2 0 0");
    assert_eq!(find(["unsat [+p]", "larger unsat core"]), "1 - 0 0 0 0 1 0 1 0 0 0");
    assert_eq!(find(["unsat", "total"]), "8 - 3 1 3 1 0 0 5 2 0 0");
}

#[test]
fn the_categories_are_those_of_the_paper() {
    let sat = TEST_CATEGORIES.iter().filter(|one| one.expected == Verdict::Sat).count();
    let patterns = TEST_CATEGORIES.iter().filter(|one| one.patterns).count();
    assert_eq!((sat, patterns), (3, 3));
    assert_eq!(TestCategory::find("operations"), None);
}
