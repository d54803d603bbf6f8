//! Standings and scores in the style of SMT-COMP, computed by hand.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{check_close, cpu, results, wall};
use luthier_report::measures::{
    CompetitionKind, CompetitionScore, Competitor, Standing, by_rank, competition,
    competition_per_set, standings,
};
use luthier_report::{Score, View, sample};

/// Mixed limits, a wrong answer, an invalid model, a missing run, a framework error, repetitions.
const TABLE: &str = "
    # place        expected features | a limit=10            | b limit=20         | c limit=10
    s/1            sat      -        | sat 1                 | sat 2              | sat 1
    s/2            unsat    -        | sat 3                 | unsat 4            | timeout
    s/3            sat      -        | sat 2 invalid         | unknown 1          | crash 1
    s/4            -        -        | sat 1, sat 5, sat 9   | framework-error    | unsat 2 unjudged
    t/5            unsat    -        | unsat 6               |                    | timeout
";

fn of(standings: &[Standing], solver: usize) -> &Standing {
    standings.iter().find(|standing| standing.competitor == Competitor::Solver(solver)).unwrap()
}

#[test]
fn standings_are_as_computed_by_hand() {
    let results = results(TABLE);
    let all = standings(&View::all(&results));
    assert_eq!(all.len(), 4);
    let a = of(&all, 0);
    assert_eq!((a.instances, a.missing, a.failed, a.comparable), (5, 0, 0, true));
    // Solved: 1, 4 (in the middle of the repetitions: 5 s) and 5; 2 is wrong, 3 has an invalid model.
    assert_eq!((a.solved, a.solved_sat, a.solved_unsat, a.refuted), (3, 2, 1, 2));
    // 1 + 2 * 10 + 2 * 10 + 5 + 6 = 52.
    assert_eq!(a.par2, cpu(52.0));
    check_close(a.par2_mean().unwrap(), 10.4);
    // Of 1, 5 and 6.
    assert_eq!(a.median, Some(cpu(5.0)));
    // Nobody else solved 5; c solved 4, too.
    assert_eq!(a.unique, 1);
    // All seven runs: PAR2 is 1 + 20 + 20 + (1 + 5 + 9) + 6 = 62.
    assert_eq!((a.score.total, a.score.par2, a.score.wrong), (7, cpu(62.0), 1));

    let b = of(&all, 1);
    assert_eq!((b.instances, b.missing, b.failed, b.comparable), (3, 1, 1, false));
    // 2 + 4 + 2 * 20 = 46 on three entries; the median of 2 and 4 is 3; only b solved 2.
    assert_eq!((b.solved, b.par2, b.median, b.unique), (2, cpu(46.0), Some(cpu(3.0)), 1));
    check_close(b.par2_mean().unwrap(), 46.0 / 3.0);

    let c = of(&all, 2);
    // 1 + 20 + 20 + 2 + 20 = 63, on five entries.
    assert_eq!((c.instances, c.solved, c.par2, c.unique), (5, 2, cpu(63.0), 0));

    // 52 / 5 = 10.4, 63 / 5 = 12.6, 46 / 3 = 15.3.
    assert_eq!([a.rank, b.rank, c.rank], [Some(1), Some(3), Some(2)]);
    let order: Vec<Competitor> = by_rank(all.clone()).iter().map(|one| one.competitor).collect();
    let expected = [0, 2, 1].map(Competitor::Solver);
    assert_eq!(order[..3], expected);
    assert_eq!(order[3], Competitor::VirtualBest);
}

#[test]
fn the_virtual_best_takes_the_best_answer_of_each_entry() {
    let results = results(TABLE);
    let all = standings(&View::all(&results));
    let best = all.last().unwrap();
    assert_eq!(
        (best.competitor, best.rank, best.comparable),
        (Competitor::VirtualBest, None, true)
    );
    // 1: 1 s. 2: b in 4 s. 3: unsolved; of an unknown of b and a crash of c the unknown counts more,
    // so twice 20 s. 4: nothing decides, so the fastest of a (5 s) and c (2 s). 5: a in 6 s.
    assert_eq!((best.solved, best.par2), (4, cpu(1.0 + 4.0 + 40.0 + 2.0 + 6.0)));
    // 2 and 5 are solved by exactly one.
    assert_eq!((best.unique, best.missing), (2, 0));
    // (2 + 4) / 2, of 1, 2, 4, 6.
    assert_eq!(best.median, Some(cpu(3.0)));
    assert_eq!(best.competitor.label(&results), "virtual best");
}

#[test]
fn the_virtual_best_gains_nothing_from_a_disputed_answer() {
    let results = results("| a | b\n s/1 - - | sat 1 disputed | timeout");
    let all = standings(&View::all(&results));
    assert_eq!([all[0].solved, all[0].unique], [1, 1]);
    assert_eq!([all[2].solved, all[2].unique], [0, 0]);
}

#[test]
fn ties_share_a_rank_and_who_has_nothing_has_none() {
    let results = results(
        "| a | b | c | d | e
         s/1 sat - | sat 2 | sat 1 | sat 3 |         | sat 1
         s/2 sat - | sat 1 | sat 2 | sat 1 |         |
         s/3 sat - | sat 3 | sat 3 | sat 3 | unknown | ",
    );
    let all = standings(&View::all(&results));
    // Means: 2, 2, 7 / 3, 20, 1. The last two are about one entry only, and are told so.
    let ranks: Vec<_> = all.iter().map(|one| one.rank).collect();
    assert_eq!(ranks, [Some(2), Some(2), Some(4), Some(5), Some(1), None]);
    let comparable: Vec<_> = all.iter().map(|one| one.comparable).collect();
    assert_eq!(comparable, [true, true, true, false, false, true]);
    let only_d = View::all(&results).with_solvers(vec![3]).of_campaign(0);
    let first_two = View { entries: vec![0, 1], ..only_d };
    let nothing = standings(&first_two);
    assert_eq!((nothing[0].rank, nothing[0].par2_mean(), nothing[0].missing), (None, None, 2));
    let empty = standings(&View { entries: Vec::new(), ..first_two });
    assert!(!empty[0].comparable && !empty[1].comparable);
}

#[test]
fn the_score_of_a_standing_is_the_sum_over_all_runs() {
    let results = sample::random_results(500, 3, 7);
    for standing in standings(&View::all(&results)) {
        let Competitor::Solver(solver) = standing.competitor else { continue };
        let mut expected = Score::default();
        let runs = results.entries.iter().flat_map(|entry| entry.judged.runs_of(solver));
        runs.for_each(|run| expected.add(&run.scored));
        assert_eq!(standing.score, expected);
        // Without repetitions both ways to count agree.
        assert_eq!(standing.par2, expected.par2);
        assert_eq!(standing.instances, expected.scored());
    }
}

#[test]
fn a_campaign_has_its_own_standings() {
    let results = results("| a\n s/1 sat - | sat 1, sat 7 @1");
    let second = standings(&View::all(&results).of_campaign(1));
    assert_eq!((second[0].par2, second[0].score.total), (cpu(7.0), 1));
}

const COMPETITION: &str = "
    # place  expected features | a                  | b                  | c
    s/1      sat      -        | sat 1 wall=30      | sat 2 wall=2       | unsat 1
    s/2      unsat    -        | unsat 12 wall=6    | unsat 3            | timeout
    s/3      -        -        | sat 1 disputed     | unsat 1 disputed   | sat 9
    t/4      -        -        | sat 2              | unknown            | sat 1 wall=25 invalid
    t/5      -        -        | framework-error    | unsat 5 wall=40    |
";

#[track_caller]
fn check(score: CompetitionScore, expected: (u64, u64, f64, f64, usize)) {
    let (errors, solved, w, c, rank) = expected;
    assert_eq!(
        (score.errors, score.solved, score.wall, score.cpu, score.rank),
        (errors, solved, wall(w), cpu(c), rank),
    );
}

#[test]
fn competition_scores_are_as_computed_by_hand() {
    let results = results(COMPETITION);
    let scores = competition(&View::all(&results));
    // 3 is removed: a and b contradict each other, and nothing decides.
    assert_eq!((scores.entries, scores.removed), (4, 1));

    let parallel = scores.table(CompetitionKind::Parallel);
    // a: 1, 2, 4: w = 30 + 6 + 2, c = 1 + 12 + 2. b: 1, 2, 5: w = 2 + 3 + 40, c = 2 + 3 + 5.
    check(parallel.scores[0], (0, 3, 38.0, 15.0, 1));
    check(parallel.scores[1], (0, 3, 45.0, 10.0, 2));
    // c: wrong on 1, and an invalid model on 4.
    check(parallel.scores[2], (2, 0, 0.0, 0.0, 3));

    let sequential = scores.table(CompetitionKind::Sequential);
    // 2 took a 12 s of CPU time, above its limit of 10 s.
    check(sequential.scores[0], (0, 2, 32.0, 3.0, 2));
    check(sequential.scores[1], (0, 3, 45.0, 10.0, 1));
    check(sequential.scores[2], (2, 0, 0.0, 0.0, 3));

    let sat = scores.table(CompetitionKind::Sat);
    // 1 is satisfiable; so is 4 to a and c, who say so.
    check(sat.scores[0], (0, 2, 32.0, 3.0, 1));
    check(sat.scores[1], (0, 1, 2.0, 2.0, 2));
    check(sat.scores[2], (2, 0, 0.0, 0.0, 3));

    let unsat = scores.table(CompetitionKind::Unsat);
    // 2, and 5 to b.
    check(unsat.scores[0], (0, 1, 6.0, 12.0, 2));
    check(unsat.scores[1], (0, 2, 43.0, 8.0, 1));
    check(unsat.scores[2], (0, 0, 0.0, 0.0, 3));

    let short = scores.table(CompetitionKind::TwentyFourSeconds);
    // Without 1 of a (30 s), 5 of b (40 s) and the error of c on 4 (25 s).
    check(short.scores[0], (0, 2, 8.0, 14.0, 2));
    check(short.scores[1], (0, 2, 5.0, 5.0, 1));
    check(short.scores[2], (1, 0, 0.0, 0.0, 3));
    let order: Vec<usize> = short.by_rank().iter().map(|score| score.solver).collect();
    assert_eq!(order, [1, 0, 2]);
}

#[test]
fn competition_scores_of_sets_add_up() {
    let results = results(COMPETITION);
    let view = View::all(&results);
    let sets = competition_per_set(&view);
    assert_eq!(sets.iter().map(|(set, _)| *set).collect::<Vec<_>>(), [0, 1]);
    let whole = competition(&view);
    for kind in CompetitionKind::ALL {
        for solver in 0..3 {
            let parts = sets.iter().map(|(_, scores)| scores.table(kind).scores[solver].solved);
            assert_eq!(parts.sum::<u64>(), whole.table(kind).scores[solver].solved);
        }
    }
    assert_eq!(competition_per_set(&view.of_set(1)).len(), 1);
}

#[test]
fn equal_competition_scores_share_a_rank() {
    let results = results("| a | b | c\n s/1 sat - | sat 1 | sat 1 | sat 2");
    let scores = competition(&View::all(&results));
    let ranks = |kind| scores.table(kind).scores.iter().map(|one| one.rank).collect::<Vec<_>>();
    assert_eq!(ranks(CompetitionKind::Parallel), [1, 1, 3]);
    assert_eq!(ranks(CompetitionKind::Unsat), [1, 1, 1]);
}

#[test]
fn a_fault_of_ours_makes_a_solver_incomparable_as_a_missing_run_does() {
    let results =
        results("| a | b\n s/1 sat - | framework-error | sat 1\n s/2 sat - | sat 1 | sat 1");
    let all = standings(&View::all(&results));
    assert_eq!((all[0].failed, all[0].missing, all[0].comparable), (1, 0, false));
    assert!(all[1].comparable);
}
