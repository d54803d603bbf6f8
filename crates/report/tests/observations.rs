//! The observations of runs, query by query.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use luthier_records::{
    Class, Conflict, CoreFinding, CoreOutcome, Evidence, FindingKind, GroundTruth, Judgement,
    ModelFinding, ModelOutcome, Opinion, RunAnswer, Verdict,
};
use luthier_report::{different_opinions, observe};

fn answer(verdict: Verdict, class: Class) -> RunAnswer {
    RunAnswer {
        verdict,
        class,
        reason_unknown: None,
        model: None,
        core: None,
        opinions: Vec::new(),
    }
}

fn with_model(outcome: ModelOutcome, opinions: &[Class]) -> RunAnswer {
    let opinion = |class: &Class| Opinion { by: "other".to_owned(), class: *class };
    RunAnswer {
        model: Some(ModelFinding { outcome, detail: None }),
        opinions: opinions.iter().map(opinion).collect(),
        ..answer(Verdict::Sat, Class::Sat)
    }
}

/// The kinds that a run shows, with their queries.
fn shown(
    class: Class,
    answers: &[RunAnswer],
    judgements: &[Judgement],
    truths: &[GroundTruth],
) -> Vec<(&'static str, u32)> {
    let observations = observe(3, class, answers, judgements, truths);
    assert!(observations.iter().all(|one| one.run == 3));
    observations.iter().map(|one| (one.kind.name(), one.query)).collect()
}

#[test]
fn each_query_shows_its_own_kinds() {
    let wrong = Judgement::Wrong(Evidence::Planted);
    let core = CoreFinding { outcome: CoreOutcome::Invalid, size: 1, detail: None };
    let answers = [
        RunAnswer { core: Some(core), ..answer(Verdict::Unsat, Class::Unsat) },
        with_model(ModelOutcome::Invalid, &[Class::Sat]),
        answer(Verdict::Sat, Class::Sat),
        answer(Verdict::Unknown, Class::Unknown),
    ];
    let judgements = [wrong, Judgement::Right(Evidence::Planted), wrong, Judgement::NoClaim];
    let truths = vec![GroundTruth::default(); 4];
    let expected = [
        ("wrong-unsat", 0),
        ("invalid-core", 0),
        ("invalid-model", 1),
        ("different-opinion", 1),
        ("wrong-sat", 2),
    ];
    assert_eq!(shown(Class::Unknown, &answers, &judgements, &truths), expected);
}

#[test]
fn disputed_answers_are_doubts_about_a_label_or_a_status_if_solvers_agree_against_it() {
    let with = |conflict| GroundTruth { conflicts: vec![conflict], ..GroundTruth::default() };
    let truths = [
        with(Conflict::Solvers),
        with(Conflict::StatusAgainstAgreement),
        with(Conflict::LabelAgainstAgreement),
    ];
    let answers = vec![answer(Verdict::Sat, Class::Sat); 3];
    let expected = [("disputed", 0), ("doubtful-status", 1), ("doubtful-label", 2)];
    assert_eq!(shown(Class::Sat, &answers, &[Judgement::Disputed; 3], &truths), expected);
}

#[test]
fn a_crash_is_about_the_query_at_which_the_program_ended() {
    let truths = vec![GroundTruth::default(); 2];
    let unjudged = [Judgement::Unjudged; 2];
    let [sat, crashed] = [Class::Sat, Class::Crash].map(|class| answer(Verdict::Sat, class));
    for (answers, query) in [
        (vec![], 0),
        (vec![sat.clone()], 1),
        (vec![crashed.clone()], 0),
        (vec![sat.clone(), crashed], 1),
        // More answers than questions: there is no query beyond the last.
        (vec![sat.clone(), sat.clone(), sat], 1),
    ] {
        assert_eq!(shown(Class::Crash, &answers, &unjudged, &truths), [("crash", query)]);
    }
}

#[test]
fn an_opinion_differs_only_from_what_the_referee_is_sure_of() {
    for (outcome, opinion, differs) in [
        (ModelOutcome::Valid, Class::Unsat, true),
        (ModelOutcome::Valid, Class::Sat, false),
        (ModelOutcome::Invalid, Class::Sat, true),
        (ModelOutcome::Invalid, Class::Unsat, false),
        (ModelOutcome::Valid, Class::Unknown, false),
        (ModelOutcome::Completed, Class::Unsat, false),
        (ModelOutcome::Exceeded, Class::Sat, false),
    ] {
        let answer = with_model(outcome, &[opinion]);
        assert_eq!(different_opinions(&answer).count(), usize::from(differs), "{outcome:?}");
    }
    let both = with_model(ModelOutcome::Valid, &[Class::Sat, Class::Unsat, Class::Timeout]);
    assert_eq!(different_opinions(&both).map(|(_, accepts)| accepts).collect::<Vec<_>>(), [false]);
}

#[test]
fn a_run_without_faults_shows_nothing() {
    let answers = [with_model(ModelOutcome::Valid, &[Class::Sat])];
    let judgements = [Judgement::Right(Evidence::Model)];
    assert!(shown(Class::Sat, &answers, &judgements, &[GroundTruth::default()]).is_empty());
    assert!(shown(Class::FrameworkError, &[], &[], &[GroundTruth::default()]).is_empty());
    assert!(FindingKind::observed().all(FindingKind::is_observed));
}
