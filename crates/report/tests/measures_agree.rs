//! Different measures of the same view agree with each other, and with the plainest way to compute them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::check_close;
use luthier_report::measures::{
    ChangeKind, CompetitionKind, Competitor, Filter, FilterKind, FindingKind, NoiseBand, Side,
    changes, competition, contributions, features, findings, leads, standings,
};
use luthier_report::{Results, ScoredRun, View, best_of, sample};
use proptest::prelude::*;

/// How many entries a filter keeps.
fn kept(view: &View<'_>, kind: FilterKind, solver: Option<usize>) -> u64 {
    let filter = Filter { kind, solver, ..Filter::default() };
    filter.apply(view.clone()).entries.len() as u64
}

/// PAR2 of the virtual best of these solvers, where some solver of the view has a scored run; who has none
/// left pays twice the limit, which is 10 s in made-up results.
fn virtual_best(view: &View<'_>, solvers: &[usize]) -> (u64, f64) {
    let (mut solved, mut par2) = (0, 0.0);
    for entry in view.iter() {
        let scored = |solver: &usize| {
            view.run(entry, *solver).map(|run| &run.scored).filter(|run| run.is_scored())
        };
        if view.solvers.iter().filter_map(scored).next().is_none() {
            continue;
        }
        let best = best_of(solvers.iter().filter_map(scored));
        solved += u64::from(best.as_ref().is_some_and(ScoredRun::is_solved));
        par2 += best.map_or(20.0, |run| run.penalised().as_secs_f64());
    }
    (solved, par2)
}

fn check(results: &Results) {
    let view = View::all(results);
    let all = standings(&view);
    let best = all.last().unwrap();
    let contributions = contributions(&view);
    let (solved, par2) = virtual_best(&view, &view.solvers);
    assert_eq!((best.solved, contributions.solved), (solved, solved));
    check_small(contributions.par2.as_secs_f64(), par2);
    assert_eq!(best.par2, contributions.par2);
    let found = findings(&view, 10);
    let table = features(&view);
    let scores = competition(&view);
    let mut unique = 0;
    for (position, standing) in all[..view.solvers.len()].iter().enumerate() {
        let Competitor::Solver(solver) = standing.competitor else { panic!("a solver") };
        let entries = view.entries.len() as u64;
        assert_eq!(standing.instances + standing.missing + standing.failed, entries);
        unique += standing.unique;
        let kept = |kind| kept(&view, kind, Some(solver));
        assert_eq!(kept(FilterKind::Unique), standing.unique);
        assert_eq!(entries - kept(FilterKind::Unsolved), standing.solved);
        assert_eq!(kept(FilterKind::Solved), standing.solved);
        assert_eq!(kept(FilterKind::Refuted), standing.refuted);
        assert_eq!(kept(FilterKind::Missing), standing.missing);
        assert_eq!(kept(FilterKind::Timeout), standing.score.timeout);
        assert_eq!(kept(FilterKind::Wrong), standing.score.wrong);
        let wrong = FindingKind::named("wrong-verdict").into_iter();
        let wrong: u64 = wrong.map(|kind| found.count_of(kind, position)).sum();
        assert_eq!(kept(FilterKind::Wrong), wrong);
        assert_eq!(kept(FilterKind::InvalidModel), standing.score.invalid_model);
        assert_eq!(kept(FilterKind::Crashed), found.count_of(FindingKind::Crash, position));
        let parallel = scores.table(CompetitionKind::Parallel).scores[position];
        // Nothing is disputed in made-up results.
        assert_eq!((parallel.solved, parallel.errors), (standing.solved, standing.refuted));
        assert!(table.overall[position].solved <= standing.solved);
        let others: Vec<usize> =
            view.solvers.iter().copied().filter(|one| *one != solver).collect();
        let (solved, par2) = virtual_best(&view, &others);
        let contribution = contributions.solvers[position];
        assert_eq!(contribution.solved, contributions.solved - solved);
        check_small(contribution.par2, par2 - contributions.par2.as_secs_f64());
    }
    assert_eq!((kept(&view, FilterKind::Unique, None), best.unique), (unique, unique));
    let (_, whole) = leads(&view, CompetitionKind::Parallel);
    let table = scores.table(CompetitionKind::Parallel).by_rank();
    assert_eq!(whole.unwrap().winner, table[0].solver);
    check_close(
        whole.unwrap().correctness,
        (table[0].solved + 1) as f64 / (table[1].solved + 1) as f64,
    );
    check_changes(&view);
}

/// Both directions of a comparison are mirror images.
fn check_changes(view: &View<'_>) {
    let side = |solver| Side { solver, campaign: None };
    let there = changes(view, side(0), side(1), NoiseBand::default());
    let back = changes(view, side(1), side(0), NoiseBand::default());
    for (kind, mirrored) in [
        (ChangeKind::New, ChangeKind::Lost),
        (ChangeKind::Faster, ChangeKind::Slower),
        (ChangeKind::BecameWrong, ChangeKind::NoLongerWrong),
        (ChangeKind::OnlyBefore, ChangeKind::OnlyAfter),
        (ChangeKind::VerdictChanged, ChangeKind::VerdictChanged),
        (ChangeKind::ClassChanged, ChangeKind::ClassChanged),
        (ChangeKind::Same, ChangeKind::Same),
    ] {
        assert_eq!(there.tally.count(kind), back.tally.count(mirrored), "{kind:?}");
    }
    let (there, back) = (there.tally, back.tally);
    assert_eq!((there.before, there.after), (back.after, back.before));
}

/// Equal but for the rounding of sums of floating-point numbers.
#[track_caller]
fn check_small(figure: f64, expected: f64) {
    assert!((figure - expected).abs() < 1e-6, "{figure} is not {expected}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn measures_agree(seed in any::<u64>(), solvers in 2_usize..6) {
        check(&sample::random_results(400, solvers, seed));
    }
}
