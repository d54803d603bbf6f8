//! Scores of single runs and of the virtual best.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::time::Duration;

use luthier_records::{
    Captured, Class, CoreFinding, CoreOutcome, CpuTime, Ending, Evidence, Judgement, Measured,
    ModelFinding, ModelOutcome, Run, RunAnswer, Timestamp, Verdict, WallTime,
};
use luthier_report::{Score, ScoredRun, SummaryBuilder, best_of};
use proptest::prelude::*;

fn seconds(seconds: u64) -> CpuTime {
    CpuTime(Duration::from_secs(seconds))
}

/// A run of 3 s CPU and 4 s wall time, given 10 s.
fn run(class: Class, judgement: Judgement) -> ScoredRun {
    let (cpu, wall) = (seconds(3), WallTime(Duration::from_secs(4)));
    ScoredRun { class, cpu, wall, cpu_limit: seconds(10), judgement, model: None, core: None }
}

fn score(runs: &[ScoredRun]) -> Score {
    let mut score = Score::default();
    runs.iter().for_each(|run| score.add(run));
    score
}

const RIGHT: Judgement = Judgement::Right(Evidence::Planted);
const WRONG: Judgement = Judgement::Wrong(Evidence::Model);

#[track_caller]
fn check_cost(run: ScoredRun, expected: u64) {
    assert_eq!(run.penalised(), seconds(expected), "{run:?}");
}

#[test]
fn an_answer_costs_its_time_and_anything_else_twice_the_limit() {
    check_cost(run(Class::Sat, RIGHT), 3);
    check_cost(run(Class::Unsat, Judgement::Unjudged), 3);
    check_cost(run(Class::Unsat, Judgement::Disputed), 3);
    check_cost(run(Class::Sat, WRONG), 20);
    let refuted = ScoredRun { model: Some(ModelOutcome::Invalid), ..run(Class::Sat, RIGHT) };
    check_cost(refuted, 20);
    let unchecked = ScoredRun { model: Some(ModelOutcome::Unsupported), ..run(Class::Sat, RIGHT) };
    check_cost(unchecked, 3);
    for class in Class::ALL.into_iter().filter(|class| !class.is_decided()) {
        let expected = if class == Class::FrameworkError { 0 } else { 20 };
        check_cost(run(class, Judgement::NoClaim), expected);
    }
}

#[test]
fn every_run_is_penalised_by_its_own_limit() {
    let patient = ScoredRun { cpu_limit: seconds(100), ..run(Class::Timeout, Judgement::NoClaim) };
    let score = score(&[patient, run(Class::Timeout, Judgement::NoClaim)]);
    assert_eq!(score.par2, seconds(220));
    assert_eq!(score.par2_mean(), Some(110.0));
}

#[test]
fn faults_of_ours_are_counted_and_not_scored() {
    let ours = run(Class::FrameworkError, Judgement::NoClaim);
    let both = score(&[ours, run(Class::Sat, RIGHT)]);
    assert_eq!((both.total, both.framework_error, both.scored()), (2, 1, 1));
    assert_eq!(both.par2_mean(), Some(3.0));
    assert_eq!(both.cpu, seconds(6));
    assert_eq!(score(&[ours]).par2_mean(), None);
    assert_eq!(Score::default().par2_mean(), None);
}

#[test]
fn what_was_said_before_a_crash_can_be_wrong_but_not_right() {
    let crashed = score(&[run(Class::Crash, WRONG), run(Class::Crash, RIGHT)]);
    assert_eq!((crashed.crash, crashed.wrong, crashed.right), (2, 1, 0));
    assert_eq!(crashed.cpu_decided, seconds(0));
    let said = score(&[run(Class::Sat, RIGHT), run(Class::Sat, Judgement::Disputed)]);
    assert_eq!((said.right, said.disputed, said.decided()), (1, 1, 2));
    assert_eq!(said.cpu_decided, seconds(6));
}

fn answer(model: Option<ModelOutcome>, core: Option<CoreOutcome>) -> RunAnswer {
    RunAnswer {
        verdict: Verdict::Sat,
        class: Class::Sat,
        reason_unknown: None,
        model: model.map(|outcome| ModelFinding { outcome, detail: None }),
        core: core.map(|outcome| CoreFinding { outcome, size: 1, detail: None }),
        opinions: Vec::new(),
    }
}

fn record(answers: Vec<RunAnswer>) -> Run {
    Run {
        repetition: 0,
        started: Timestamp(0),
        ending: Ending::Exited(0),
        class: Class::Sat,
        measured: Measured { cpu: seconds(1), ..Measured::default() },
        stdout: Captured::default(),
        stderr: Captured::default(),
        answers,
        conversion: Vec::new(),
        core: None,
        load: None,
    }
}

#[test]
fn of_several_answers_the_worst_counts() {
    let record = record(vec![
        answer(Some(ModelOutcome::Valid), Some(CoreOutcome::Minimal)),
        answer(Some(ModelOutcome::Invalid), None),
        answer(Some(ModelOutcome::Unsupported), Some(CoreOutcome::Larger)),
    ]);
    let judgements = [RIGHT, WRONG, Judgement::Unjudged];
    let several = scored(&record, &judgements, seconds(5));
    assert_eq!(several.judgement, WRONG);
    assert_eq!(several.model, Some(ModelOutcome::Invalid));
    assert_eq!(several.core, Some(CoreOutcome::Larger));
    assert_eq!((several.cpu, several.cpu_limit), (seconds(1), seconds(5)));
    let silent = scored(&self::record(Vec::new()), &[], seconds(5));
    assert_eq!((silent.judgement, silent.model, silent.core), (Judgement::NoClaim, None, None));
    let open = scored(&record, &[RIGHT, Judgement::Unjudged], seconds(5));
    assert_eq!(open.judgement, Judgement::Unjudged);
    let some = scored(&record, &[Judgement::NoClaim, RIGHT], seconds(5));
    assert_eq!(some.judgement, RIGHT);
}

#[test]
fn models_and_cores_are_counted_by_outcome() {
    let runs: Vec<ScoredRun> = ModelOutcome::ALL
        .map(|outcome| ScoredRun { model: Some(outcome), ..run(Class::Sat, RIGHT) })
        .into();
    let models = score(&runs);
    let counts = [
        models.valid_model,
        models.completed_model,
        models.incomplete_model,
        models.unchecked_model,
        models.invalid_model,
    ];
    // What exceeds the limits is unchecked, too.
    assert_eq!(counts, [1, 1, 1, 2, 1]);
    assert_eq!(models.right, 5);
    let runs: Vec<ScoredRun> = CoreOutcome::ALL
        .map(|outcome| ScoredRun { core: Some(outcome), ..run(Class::Unsat, RIGHT) })
        .into();
    let cores = score(&runs);
    assert_eq!((cores.confirmed_core, cores.larger_core, cores.unconfirmed_core), (3, 1, 1));
    assert_eq!((cores.disputed_core, cores.invalid_core), (1, 1));
}

#[test]
fn the_virtual_best_takes_the_fastest_right_answer() {
    let slow_right = ScoredRun { cpu: seconds(9), ..run(Class::Sat, RIGHT) };
    let fast_wrong = ScoredRun { cpu: seconds(1), ..run(Class::Unsat, WRONG) };
    let timeout = run(Class::Timeout, Judgement::NoClaim);
    let ours = run(Class::FrameworkError, Judgement::NoClaim);
    let unjudged = run(Class::Unsat, Judgement::Unjudged);
    let refuted = ScoredRun { model: Some(ModelOutcome::Invalid), ..run(Class::Sat, RIGHT) };
    let disputed = run(Class::Sat, Judgement::Disputed);
    let all = [ours, fast_wrong, disputed, refuted, timeout, unjudged, slow_right];
    assert_eq!(best_of(&all), Some(slow_right));
    assert_eq!(best_of(&all[..6]), Some(unjudged));
    assert_eq!(best_of(&all[..5]), Some(timeout));
    assert_eq!(best_of(&all[..2]), Some(fast_wrong));
    assert_eq!(best_of(&all[..1]), Some(ours));
    assert_eq!(best_of(&[]), None);
}

fn runs() -> impl Strategy<Value = Vec<(usize, usize, ScoredRun)>> {
    let judgements =
        vec![RIGHT, WRONG, Judgement::Disputed, Judgement::Unjudged, Judgement::NoClaim];
    let run = (
        prop::sample::select(Class::ALL.to_vec()),
        0..20_000_000_u64,
        prop::sample::select(judgements),
        prop::option::of(prop::sample::select(ModelOutcome::ALL.to_vec())),
        prop::option::of(prop::sample::select(CoreOutcome::ALL.to_vec())),
    )
        .prop_map(|(class, microseconds, judgement, model, core)| {
            let cpu = CpuTime(Duration::from_micros(microseconds));
            ScoredRun { cpu, model, core, ..run(class, judgement) }
        });
    prop::collection::vec((0..3_usize, 0..3_usize, run), 0..40)
}

fn summary(runs: &[(usize, usize, ScoredRun)]) -> luthier_report::Summary {
    let mut builder = SummaryBuilder::new();
    runs.iter().for_each(|(configuration, set, run)| builder.add(*configuration, *set, run));
    builder.finish()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_classes_add_up_to_all_runs(runs in runs()) {
        let summary = summary(&runs);
        for row in &summary.rows {
            let score = row.score;
            let sum = score.sat + score.unsat + score.unknown + score.timeout + score.memout
                + score.crash + score.unsupported + score.malformed + score.framework_error;
            prop_assert_eq!(sum, score.total);
            prop_assert!(score.right + score.wrong + score.disputed <= score.total);
            prop_assert!(score.right <= score.decided());
            prop_assert!(score.cpu_decided <= score.cpu);
        }
        let total: u64 = summary.rows.iter().map(|row| row.score.total).sum();
        prop_assert_eq!(total, runs.len() as u64);
    }

    #[test]
    fn the_order_of_runs_changes_nothing(
        (runs, shuffled) in runs().prop_flat_map(|all| {
            (Just(all.clone()), Just(all).prop_shuffle())
        }),
    ) {
        prop_assert_eq!(summary(&runs), summary(&shuffled));
    }

    #[test]
    fn totals_are_scores_of_all_runs_of_a_configuration(runs in runs()) {
        let summary = summary(&runs);
        for (configuration, total) in summary.totals() {
            let own: Vec<ScoredRun> = runs
                .iter()
                .filter(|(other, _, _)| *other == configuration)
                .map(|(_, _, run)| *run)
                .collect();
            prop_assert_eq!(total, score(&own));
        }
        for (configuration, set, _) in &runs {
            prop_assert!(summary.score(*configuration, *set).is_some());
        }
        prop_assert!(summary.score(7, 0).is_none());
    }

    #[test]
    fn the_virtual_best_never_costs_more_than_a_right_answer(runs in runs()) {
        let runs: Vec<ScoredRun> = runs.into_iter().map(|(_, _, run)| run).collect();
        if let Some(best) = best_of(&runs) {
            prop_assert!(runs.contains(&best));
            for right in runs.iter().filter(|run| run.is_right()) {
                prop_assert!(best.is_right() && best.penalised() <= right.penalised());
            }
        }
    }
}

fn scored(run: &Run, judgements: &[Judgement], limit: CpuTime) -> ScoredRun {
    ScoredRun::new(run.class, &run.measured, &run.answers, judgements, limit)
}
