//! Comparisons: outcomes by hand, and simulated times with and without a real change.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write as _;

use crate::common::results;
use luthier_report::documents::{
    ComparedSides, comparison_junit, comparison_markdown, comparison_notes, comparison_reasons,
};
use luthier_report::measures::{
    ChangeKind, Comparison, Outcome, Side, Tally, Thresholds, TimesVerdict, changes, compare,
};
use luthier_report::{Results, View};

fn side(solver: usize) -> Side {
    Side { solver, campaign: None }
}

fn compared<'a>(results: &'a Results, thresholds: &Thresholds) -> Comparison<'a> {
    compare(&View::all(results), side(0), side(1), thresholds)
}

fn outcome(results: &Results) -> Outcome {
    compared(results, &Thresholds::default()).outcome()
}

/// A generator of its own, so that the tests are the same for ever: SplitMix64.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (radius, angle) = (1.0 - self.unit(), self.unit());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }
}

/// How the times of the side after are made from those of the side before.
struct Simulation {
    /// How many entries the sets have.
    sets: [usize; 2],
    /// The factor on the times of either set; `None`: on those of at least a second only, by 1.6.
    factors: Option<[f64; 2]>,
    /// The wall time of the runs after, divided by their CPU time.
    stretch: f64,
}

/// Times from 15 ms to beyond the limit of 10 s, on both sides with noise of about 12 % (6 % from a
/// second on, since disturbances average out), and one short run in fifty disturbed by half.
fn simulated(simulation: &Simulation, seed: u64) -> Results {
    let mut random = Random(seed);
    let mut table = String::from("| old | new\n");
    for (set, &count) in simulation.sets.iter().enumerate() {
        for entry in 0..count {
            let base = 0.015 * (random.unit() * (12.0_f64 / 0.015).ln()).exp();
            let mut noisy = || {
                let disturbed = base < 0.3 && random.unit() < 0.02;
                let spread = if base < 1.0 { 0.12 } else { 0.06 };
                base * (spread * random.normal()).exp() * if disturbed { 1.5 } else { 1.0 }
            };
            let (before, after) = (noisy(), noisy());
            let factor = match simulation.factors {
                Some(factors) => factors[set],
                None if base >= 1.0 => 1.6,
                None => 1.0,
            };
            let run = |time: f64, stretch: f64| match time {
                time if time > 10.0 => format!("timeout wall={}", 10.0 * stretch),
                time => format!("sat {time:.6} wall={:.6}", time * stretch),
            };
            let (before, after) = (run(before, 1.02), run(after * factor, simulation.stretch));
            writeln!(table, "set{set}/{entry} sat - | {before} | {after}").unwrap();
        }
    }
    results(&table)
}

const SEEDS: u64 = 100;

#[test]
fn noise_alone_is_no_change_in_every_simulation() {
    for sets in [[60, 60], [200, 12], [10, 9]] {
        for stretch in [1.03, 2.0] {
            let simulation = Simulation { sets, factors: Some([1.0, 1.0]), stretch };
            for seed in 0..SEEDS {
                let results = simulated(&simulation, seed);
                let found = compared(&results, &Thresholds::default());
                let reasons = comparison_reasons(&results, &found);
                assert_eq!(found.outcome(), Outcome::Same, "seed {seed}: {reasons:?}");
            }
        }
    }
}

#[test]
fn a_load_that_slows_everything_down_is_no_change() {
    let simulation = Simulation { sets: [80, 40], factors: Some([1.3, 1.25]), stretch: 1.9 };
    for seed in 0..SEEDS {
        let results = simulated(&simulation, seed);
        let found = compared(&results, &Thresholds::default());
        // What is near the limit times out; all else is slower by less than a load explains.
        assert_eq!(found.all.times.verdict, TimesVerdict::Same, "seed {seed}");
        assert!(comparison_notes(&found)[0].contains("under load"));
    }
}

#[test]
fn everything_thirty_per_cent_slower_is_detected() {
    let simulation = Simulation { sets: [150, 100], factors: Some([1.3, 1.3]), stretch: 1.03 };
    for seed in 0..SEEDS {
        let results = simulated(&simulation, seed);
        let found = compared(&results, &Thresholds::default());
        assert_eq!(found.all.times.verdict, TimesVerdict::Slower, "seed {seed}");
        assert_eq!(found.outcome(), Outcome::Worse);
        // The other way round it is faster.
        let back = compare(&View::all(&results), side(1), side(0), &Thresholds::default());
        assert_eq!(back.all.times.verdict, TimesVerdict::Faster, "seed {seed}");
        assert_eq!(back.outcome(), Outcome::Better, "seed {seed}");
    }
}

#[test]
fn one_set_twice_as_slow_is_detected_and_named() {
    let simulation = Simulation { sets: [100, 20], factors: Some([1.0, 2.0]), stretch: 1.03 };
    for seed in 0..SEEDS {
        let results = simulated(&simulation, seed);
        let found = compared(&results, &Thresholds::default());
        let verdicts: Vec<TimesVerdict> =
            found.sets.iter().map(|(_, part)| part.times.verdict).collect();
        assert_eq!(verdicts, [TimesVerdict::Same, TimesVerdict::Slower], "seed {seed}");
        assert_eq!(found.outcome(), Outcome::Worse);
        let reasons = comparison_reasons(&results, &found);
        assert!(reasons.iter().any(|reason| reason.contains("of set1 are longer")), "{reasons:?}");
    }
}

#[test]
fn long_runs_that_are_slower_do_not_hide_behind_short_ones() {
    let simulation = Simulation { sets: [200, 0], factors: None, stretch: 1.03 };
    for seed in 0..SEEDS {
        let results = simulated(&simulation, seed);
        let found = compared(&results, &Thresholds::default());
        assert_eq!(found.all.times.verdict, TimesVerdict::Slower, "seed {seed}");
    }
}

#[test]
fn figures_of_sets_add_up_to_those_of_everything() {
    let results = luthier_report::sample::random_results(3000, 2, 7);
    let view = View::all(&results);
    let found = compared(&results, &Thresholds::default());
    let plain = changes(&view, side(0), side(1), found.changes.band);
    assert_eq!(found.changes, plain);
    assert_eq!(found.all.tally, Tally::of(&plain.list));
    for kind in ChangeKind::ALL {
        let sum: u64 = found.sets.iter().map(|(_, part)| part.tally.count(kind)).sum();
        assert_eq!(sum, found.all.tally.count(kind));
    }
    let near: u64 = found.sets.iter().map(|(_, part)| part.lost_near_limit).sum();
    assert_eq!(near, found.all.lost_near_limit);
    for (set, part) in &found.sets {
        let alone = compare(&view.clone().of_set(*set), side(0), side(1), &Thresholds::default());
        assert_eq!(alone.all, *part);
    }
}

#[test]
fn lost_near_the_limit_is_noise_unless_it_is_strict() {
    // 7 s times 1.5 exceeds the limit of 10 s, 6 s does not.
    let near = results("| a | b\n s/1 sat - | sat 7 | timeout\n s/2 sat - | sat 1 | sat 1");
    let found = compared(&near, &Thresholds::default());
    assert_eq!((found.outcome(), found.all.lost_near_limit), (Outcome::Same, 1));
    let strict = Thresholds { strict: true, ..Thresholds::default() };
    assert_eq!(compared(&near, &strict).outcome(), Outcome::Worse);
    let far = results("| a | b\n s/1 sat - | sat 6 | timeout");
    assert_eq!(outcome(&far), Outcome::Worse);
    let allowed = Thresholds { lost: 1, ..Thresholds::default() };
    assert_eq!(compared(&far, &allowed).outcome(), Outcome::Same);
    let crash = results("| a | b\n s/1 sat - | sat 9 | crash");
    assert_eq!(outcome(&crash), Outcome::Worse, "only time limits have noise");
    // New near the limit is not better.
    let new = results("| a | b\n s/1 sat - | timeout | sat 7");
    assert_eq!(outcome(&new), Outcome::Same);
    assert_eq!(outcome(&results("| a | b\n s/1 sat - | timeout | sat 2")), Outcome::Better);
    // A shorter limit explains what it costs.
    let shorter = results("| a limit=20 | b limit=5\n s/1 sat - | sat 7 | timeout");
    let found = compared(&shorter, &Thresholds::default());
    assert_eq!(found.outcome(), Outcome::Same);
    assert!(comparison_notes(&found)[0].contains("the limits differ (20 s of CPU time"));
}

#[test]
fn wrong_answers_decide_before_everything_else() {
    let wrong = results("| a | b\n s/1 sat - | sat 1 | unsat 1\n s/2 sat - | sat 1 | timeout");
    assert_eq!(outcome(&wrong), Outcome::BecameWrong);
    let fixed = results("| a | b\n s/1 sat - | unsat 1 | unknown");
    assert_eq!(outcome(&fixed), Outcome::Better);
    let flipped = results("| a | b\n s/1 - - | sat 1 disputed | unsat 1 disputed");
    assert_eq!(outcome(&flipped), Outcome::Worse);
}

#[test]
fn a_single_entry_counts_if_it_is_much_slower() {
    // Four times as long, but not a second more; a second more, but not three times as long.
    let little = results("| a | b\n s/1 sat - | sat 0.2 | sat 0.8\n s/2 sat - | sat 2 | sat 4");
    let found = compared(&little, &Thresholds::default());
    assert_eq!(found.all.tally.count(ChangeKind::Slower), 2);
    assert_eq!(found.outcome(), Outcome::Same);
    let strict = Thresholds { strict: true, ..Thresholds::default() };
    assert_eq!(compared(&little, &strict).outcome(), Outcome::Worse);
    let much = results("| a | b\n s/1 sat - | sat 1 | sat 3.5");
    assert_eq!(outcome(&much), Outcome::Worse);
}

#[test]
fn times_of_another_processor_are_not_judged() {
    let mut table = String::from("| a | b\n");
    (0..20).for_each(|entry| writeln!(table, "s/{entry} sat - | sat 1 | sat 5 @1").unwrap());
    let mut results = results(&table);
    assert_eq!(outcome(&results), Outcome::Worse);
    results.campaigns[1].campaign.machine.processor = "another".to_owned();
    let found = compared(&results, &Thresholds::default());
    assert_eq!(found.all.times.verdict, TimesVerdict::OtherProcessor);
    assert_eq!(found.outcome(), Outcome::Same);
    // Imported results may not say what they were measured on.
    results.campaigns[1].campaign.machine.processor = String::new();
    assert_eq!(outcome(&results), Outcome::Worse);
}

fn sides<'a>(results: &'a Results) -> ComparedSides<'a> {
    ComparedSides {
        before: "main.db:a".to_owned(),
        after: "branch.db:a".to_owned(),
        results,
        comparison: compared(results, &Thresholds::default()),
    }
}

#[test]
fn a_comment_is_short_and_folds_its_details() {
    let results = results(
        "| a | b\n one/<b>.smt2 sat - | sat 1 | unsat 1\n one/x*y sat - | sat 2 | timeout\n \
         two/1 sat - | sat 1 | sat 1\n two/2 sat - | sat 1 | -",
    );
    let text = comparison_markdown(&[sides(&results)]);
    assert!(text.starts_with("### Luthier: an answer became wrong\n"), "{text}");
    let (head, details) = text.split_once("<details>").unwrap();
    for part in [
        "main.db:a → branch.db:a: **an answer became wrong**",
        "- 1 instance became wrong\n- 1 instance no longer solved\n",
        "- 1 instance with a result before only; they are not compared",
    ] {
        assert!(head.contains(part), "{part} is not in {head}");
    }
    assert!(head.lines().filter(|line| line.starts_with('|')).count() == 5, "{head}");
    assert!(details.contains("<summary>1 no longer solved</summary>"), "{details}");
    assert!(details.contains("&lt;b&gt;.smt2") && details.contains("x\\*y"), "{details}");
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
}

#[test]
fn what_counts_is_a_failure_of_junit() {
    let results = results(
        "| a | b\n s/wrong sat - | sat 1 | unsat 1\n s/lost sat - | sat 2 | timeout\n \
         s/near sat - | sat 9 | timeout\n s/same sat - | sat 1 | sat 1\n s/only sat - | sat 1 | -",
    );
    let text = comparison_junit(&[sides(&results)]);
    let suite = "name=\"s: branch.db:a against main.db:a\" tests=\"6\" failures=\"2\" errors=\"0\" \
                 skipped=\"2\"";
    assert!(text.contains(suite), "{text}");
    for part in [
        "name=\"wrong\" time=\"1.000\"><failure type=\"became-wrong\" message=\"became wrong: sat \
         1.000 s, then unsat 1.000 s, wrong\">",
        "<failure type=\"lost\"",
        "name=\"near\" time=\"10.000\"/>",
        "name=\"only\" time=\"0.000\"><skipped message=\"no result after\"/>",
        "name=\"CPU times of all instances\" time=\"0.000\"><skipped message=\"too few to tell\"/>",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}
