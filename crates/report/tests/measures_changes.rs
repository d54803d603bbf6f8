//! Changes between two runs and the noise band, computed by hand.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::time::Duration;

use crate::common::{check_close, cpu, results};
use luthier_report::measures::{Change, ChangeKind, NoiseBand, NoiseSource, Side, changes};
use luthier_report::{View, measures};

fn side(solver: usize) -> Side {
    Side { solver, campaign: None }
}

const TABLE: &str = "
    # place             expected features | old              | new limit=20
    s/became-invalid    -        - | sat 1                   | sat 1 invalid
    s/became-wrong      sat      - | timeout                 | unsat 1
    s/class             sat      - | timeout                 | crash 1
    s/fault             sat      - | sat 1                   | framework-error
    s/faster            sat      - | sat 4                   | sat 3
    s/fixed             sat      - | unsat 1                 | unknown
    s/flipped-to-right  sat      - | unsat 1                 | sat 1
    s/flipped-to-wrong  sat      - | sat 1                   | unsat 1
    s/flipped           -        - | sat 1 disputed          | unsat 1 disputed
    s/little            sat      - | sat 0.01                | sat 0.05
    s/lost              sat      - | sat 2                   | timeout
    s/new               sat      - | unknown                 | sat 2
    s/neither           sat      - | framework-error         |
    s/noise             sat      - | sat 4                   | sat 5
    s/only-after        sat      - |                         | sat 1
    s/slower            sat      - | sat 3                   | sat 4
    s/still-wrong       sat      - | unsat 1                 | unsat 9
    s/unsolved          sat      - | timeout                 | timeout
";

#[test]
fn every_entry_is_of_one_kind() {
    let results = results(TABLE);
    let view = View::all(&results);
    let changes = changes(&view, side(0), side(1), NoiseBand::default());
    let kinds: BTreeMap<&str, &str> = changes
        .list
        .iter()
        .map(|change| (&*results.entries[change.entry].name, change.kind.name()))
        .collect();
    let expected = BTreeMap::from([
        ("became-invalid", "became-wrong"),
        ("became-wrong", "became-wrong"),
        ("class", "class-changed"),
        ("fault", "only-before"),
        ("faster", "faster"),
        ("fixed", "no-longer-wrong"),
        ("flipped", "verdict-changed"),
        ("flipped-to-right", "no-longer-wrong"),
        ("flipped-to-wrong", "became-wrong"),
        // Five times as long, but only by 40 ms.
        ("little", "same"),
        ("lost", "lost"),
        ("new", "new"),
        // 5 / 4 is below 1.3, though it is a second more.
        ("noise", "same"),
        ("only-after", "only-after"),
        ("slower", "slower"),
        ("still-wrong", "same"),
        ("unsolved", "same"),
    ]);
    assert_eq!(kinds, expected);
    assert_eq!(changes.neither, 1);
    for kind in ChangeKind::ALL {
        assert_eq!(changes.tally.count(kind), changes.of_kind(kind).count() as u64);
        assert_eq!(ChangeKind::from_name(kind.name()), Some(kind));
    }
    let total: u64 = ChangeKind::ALL.into_iter().map(|kind| changes.tally.count(kind)).sum();
    assert_eq!(total + changes.neither, results.entries.len() as u64);
}

#[test]
fn totals_are_over_what_both_sides_have() {
    let results = results(TABLE);
    let changes = changes(&View::all(&results), side(0), side(1), NoiseBand::default());
    // Without fault, neither and only-after.
    assert_eq!(changes.tally.compared, 15);
    // Before, solved: became-invalid 1, faster 4, flipped-to-wrong 1, flipped 1, little 0.01, lost 2,
    // noise 4, slower 3 = 16.01 s. Not: became-wrong, class, fixed, flipped-to-right, new, still-wrong,
    // unsolved: 7 * 20 s.
    assert_eq!((changes.tally.before.solved, changes.tally.before.refuted), (8, 3));
    assert_eq!(changes.tally.before.par2, cpu(156.01));
    // After, solved: faster 3, flipped-to-right 1, flipped 1, little 0.05, new 2, noise 5, slower 4 =
    // 16.05 s; eight others cost 40 s each. Refuted: became-invalid, became-wrong, flipped-to-wrong,
    // still-wrong.
    assert_eq!((changes.tally.after.solved, changes.tally.after.refuted), (7, 4));
    assert_eq!(changes.tally.after.par2, cpu(336.05));
}

#[test]
fn two_campaigns_of_one_solver_compare() {
    let results = results("| a\n s/1 sat - | timeout, sat 1 @1\n s/2 sat - | sat 1 @1");
    let of = |campaign| Side { solver: 0, campaign: Some(campaign) };
    let changes = changes(&View::all(&results), of(0), of(1), NoiseBand::default());
    let kinds: Vec<ChangeKind> = changes.list.iter().map(|change| change.kind).collect();
    assert_eq!(kinds, [ChangeKind::New, ChangeKind::OnlyAfter]);
    assert_eq!(changes.list[0].after.unwrap().campaign, 1);
}

#[test]
fn repetitions_are_represented_by_the_one_in_the_middle() {
    let results = results("| a | b\n s/1 sat - | sat 1, sat 2, sat 9 | sat 2.1, timeout, sat 2");
    let changes = changes(&View::all(&results), side(0), side(1), NoiseBand::default());
    assert_eq!(changes.list[0].kind, ChangeKind::Same);
}

#[test]
fn a_ratio_is_of_penalised_times_of_at_least_a_millisecond() {
    let results = results(TABLE);
    let changes = changes(&View::all(&results), side(0), side(1), NoiseBand::default());
    let ratio = |name: &str| {
        let is_it = |one: &&Change<'_>| &*results.entries[one.entry].name == name;
        changes.list.iter().find(is_it).unwrap().ratio()
    };
    check_close(ratio("slower").unwrap(), 4.0 / 3.0);
    // Not solved after 2 s, under a limit of 20 s.
    check_close(ratio("lost").unwrap(), 20.0);
    assert_eq!(ratio("only-after"), None);
    let quick =
        luthier_report::sample::from_table("| a | b\n s/1 sat - | sat 0 | sat 0.002").unwrap();
    let found = measures::changes(&View::all(&quick), side(0), side(1), NoiseBand::default());
    check_close(found.list[0].ratio().unwrap(), 2.0);
}

#[test]
fn noise_is_a_ratio_and_a_floor() {
    let band = NoiseBand::default();
    assert_eq!((band.ratio, band.floor), (1.3, Duration::from_millis(50)));
    let slower = |before: f64, after: f64| band.is_slower(cpu(before), cpu(after));
    assert!(slower(1.0, 1.31) && !slower(1.0, 1.29) && !slower(1.0, 0.5));
    assert!(slower(0.0, 0.051) && !slower(0.0, 0.05) && !slower(0.01, 0.06));
    assert!(band.is_faster(cpu(1.31), cpu(1.0)) && !band.is_faster(cpu(1.0), cpu(1.31)));
}

#[test]
fn noise_is_estimated_from_repetitions() {
    // 19 pairs of ratio 1.1 and one of 2: the 95 % quantile of 20 is the 19th.
    let mut table = "| a\n".to_owned();
    for entry in 0..19 {
        table.push_str(&format!("s/{entry} sat - | sat 1, sat 1.1\n"));
    }
    // Too short to say anything, refuted, unsolved, or alone.
    table.push_str("s/a sat - | sat 0.1, sat 0.9\ns/b sat - | sat 1, unsat 5\n");
    table.push_str("s/c sat - | sat 1, timeout\ns/d sat - | sat 1\n");
    let few = results(&table);
    assert_eq!(NoiseBand::of(&View::all(&few)), NoiseBand::default());
    table.push_str("s/e sat - | sat 2, sat 1\n");
    let enough = results(&table);
    let band = NoiseBand::of(&View::all(&enough));
    assert_eq!(band.source, NoiseSource::Repetitions { pairs: 20 });
    check_close(band.ratio, 1.1);
    // With one more of ratio 2 it is the 20th of 21.
    table.push_str("s/f sat - | sat 1, sat 2\n");
    let wild = results(&table);
    check_close(NoiseBand::of(&View::all(&wild)).ratio, 2.0);
}

#[test]
fn a_machine_without_noise_still_gets_a_small_band() {
    let mut table = "| a\n".to_owned();
    (0..30).for_each(|entry| table.push_str(&format!("s/{entry} sat - | sat 1, sat 1\n")));
    check_close(NoiseBand::of(&View::all(&results(&table))).ratio, 1.05);
}
