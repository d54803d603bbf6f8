//! Confidence intervals against exact enumeration.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{check_close, results};
use luthier_report::measures::{Bootstrap, Interval, Method, Resampling};
use luthier_report::{View, sample};

/// The 2.5 % and 97.5 % quantiles of all sums of one figure of each list.
fn enumerate(lists: &[Vec<f64>]) -> (f64, f64) {
    let mut sums = vec![0.0];
    for list in lists {
        sums = sums.iter().flat_map(|sum| list.iter().map(move |figure| sum + figure)).collect();
    }
    sums.sort_by(f64::total_cmp);
    let at = |share: f64| sums[(share * (sums.len() - 1) as f64).round() as usize];
    (at(0.025), at(0.975))
}

#[track_caller]
fn check(interval: Interval, estimate: f64, (low, high): (f64, f64)) {
    check_close(interval.estimate, estimate);
    check_close(interval.low, low);
    check_close(interval.high, high);
}

fn many() -> Bootstrap {
    Bootstrap { resamples: 20_000, ..Bootstrap::default() }
}

#[test]
fn instances_are_resampled_as_enumeration_has_it() {
    let results = results(
        "| a | b
         s/1 sat - | sat 1   | sat 4
         s/2 sat - | sat 3   | timeout
         s/3 sat - | unsat 1 | sat 2
         s/4 sat - | timeout | timeout
         s/5 sat - |         | sat 1",
    );
    let view = View::all(&results);
    let one = many().of_solver(&view, 0, Resampling::Instances).unwrap();
    // Four entries count for a: solved 1, 1, 0, 0; PAR2 1, 3, 20, 20.
    assert_eq!((one.instances, one.solved.method), (4, Method::Drawn));
    check(one.solved, 2.0, enumerate(&vec![vec![1.0, 1.0, 0.0, 0.0]; 4]));
    let (low, high) = enumerate(&vec![vec![1.0, 3.0, 20.0, 20.0]; 4]);
    check(one.par2_mean, 11.0, (low / 4.0, high / 4.0));
    // The differences a - b on the four common entries: solved 0, 1, -1, 0; PAR2 -3, -17, 18, 0.
    let difference = many().of_difference(&view, 0, 1, Resampling::Instances).unwrap();
    check(difference.solved, 0.0, enumerate(&vec![vec![0.0, 1.0, -1.0, 0.0]; 4]));
    let (low, high) = enumerate(&vec![vec![-3.0, -17.0, 18.0, 0.0]; 4]);
    check(difference.par2_mean, -0.5, (low / 4.0, high / 4.0));
    assert_eq!(one, many().of_solver(&view, 0, Resampling::Instances).unwrap());
}

#[test]
fn repetitions_are_resampled_as_enumeration_has_it() {
    let results = results(
        "| a | b
         s/1 sat - | sat 1, sat 2, timeout     | sat 1
         s/2 sat - | timeout, sat 4            | sat 5, sat 7
         s/3 sat - | sat 3, framework-error    | unknown, unknown
         s/4 sat - | framework-error           | sat 1",
    );
    let view = View::all(&results);
    let one = many().of_solver(&view, 0, Resampling::Repetitions).unwrap();
    assert_eq!(one.instances, 3);
    let solved = [vec![1.0, 1.0, 0.0], vec![0.0, 1.0], vec![1.0]];
    check(one.solved, 2.0 / 3.0 + 0.5 + 1.0, enumerate(&solved));
    let par2 = [vec![1.0, 2.0, 20.0], vec![20.0, 4.0], vec![3.0]];
    let (low, high) = enumerate(&par2);
    check(one.par2_mean, (23.0 / 3.0 + 12.0 + 3.0) / 3.0, (low / 3.0, high / 3.0));
    let difference = many().of_difference(&view, 0, 1, Resampling::Repetitions).unwrap();
    let other = [vec![-1.0], vec![-1.0, -1.0], vec![0.0, 0.0]];
    let both = [solved.as_slice(), other.as_slice()].concat();
    check(difference.solved, 13.0 / 6.0 - 2.0, enumerate(&both));
}

#[test]
fn there_is_no_interval_where_nothing_can_be_drawn() {
    let results = results("| a | b\n s/1 sat - | sat 1 | framework-error");
    let view = View::all(&results);
    let bootstrap = Bootstrap::default();
    assert_eq!(bootstrap.of_solver(&view, 0, Resampling::Repetitions), None);
    assert_eq!(bootstrap.of_solver(&view, 1, Resampling::Instances), None);
    assert_eq!(bootstrap.of_difference(&view, 0, 1, Resampling::Instances), None);
    let one = bootstrap.of_solver(&view, 0, Resampling::Instances).unwrap();
    check(one.solved, 1.0, (1.0, 1.0));
}

#[test]
fn the_way_for_many_entries_agrees_with_the_way_for_few() {
    let results = sample::random_results(4000, 2, 3);
    let view = View::all(&results);
    let few = View { entries: (0..2000).collect(), ..view.clone() };
    let bootstrap = Bootstrap { resamples: 4000, ..Bootstrap::default() };
    for difference in [false, true] {
        let of = |view: &View<'_>| {
            let instances = Resampling::Instances;
            if difference {
                bootstrap.of_difference(view, 0, 1, instances).unwrap()
            } else {
                bootstrap.of_solver(view, 0, instances).unwrap()
            }
        };
        let (small, large) = (of(&few), of(&view));
        assert_eq!((small.solved.method, large.solved.method), (Method::Drawn, Method::Grouped));
        assert_eq!(large.par2_mean.method, Method::Normal);
        let width = |interval: Interval| interval.high - interval.low;
        // Twice the entries: the interval of a sum is √2 times as wide, that of a mean 1 / √2.
        let by_sum = width(large.solved) / width(small.solved) / 2.0_f64.sqrt();
        let by_mean = width(large.par2_mean) / width(small.par2_mean) * 2.0_f64.sqrt();
        assert!((0.85..1.15).contains(&by_sum), "{by_sum}");
        assert!((0.85..1.15).contains(&by_mean), "{by_mean}");
        for interval in [small.solved, large.solved, small.par2_mean, large.par2_mean] {
            assert!(interval.low < interval.estimate && interval.estimate < interval.high);
        }
    }
}

#[test]
fn many_repetitions_are_drawn_by_groups() {
    // 2,100 entries, of which 100 are solved in one of two repetitions: the sum is 2,000 and a binomial
    // number of 100 with 1/2, whose 2.5 % and 97.5 % quantiles are 40 and 60.
    let mut table = "| a\n".to_owned();
    for entry in 0..2100 {
        let runs = if entry < 100 { "sat 1, timeout" } else { "sat 1, sat 1" };
        table.push_str(&format!("s/{entry} sat - | {runs}\n"));
    }
    let results = results(&table);
    let one = many().of_solver(&View::all(&results), 0, Resampling::Repetitions).unwrap();
    assert_eq!(one.solved.method, Method::Grouped);
    check(one.solved, 2050.0, (2040.0, 2060.0));
    // The PAR2 of such an entry is 1 or 20: mean 10.5, variance 9.5². So the sum has the standard
    // deviation 95, and the mean that of 95 / 2,100.
    let reach = 1.959_963_985 * 95.0 / 2100.0;
    let mean = (100.0 * 10.5 + 2000.0) / 2100.0;
    check_close(one.par2_mean.estimate, mean);
    assert!((one.par2_mean.low - (mean - reach)).abs() < 1e-6);
    assert!((one.par2_mean.high - (mean + reach)).abs() < 1e-6);
}

#[test]
fn many_repetitions_of_two_solvers_are_drawn_with_their_signs() {
    // a and b each have 100 entries that they solved in one of two repetitions, so the difference plus 100
    // is a binomial number of 200 with 1/2, whose 2.5 % and 97.5 % quantiles are 86 and 114.
    let mut table = "| a | b\n".to_owned();
    for entry in 0..2100 {
        let (a, b) = match entry {
            0..100 => ("sat 1, timeout", "sat 1"),
            100..200 => ("sat 1", "sat 1, timeout"),
            _ => ("sat 1", "sat 1"),
        };
        table.push_str(&format!("s/{entry} sat - | {a} | {b}\n"));
    }
    let results = results(&table);
    let repetitions = Resampling::Repetitions;
    let one = many().of_difference(&View::all(&results), 0, 1, repetitions).unwrap();
    assert_eq!(one.solved.method, Method::Grouped);
    check(one.solved, 0.0, (-14.0, 14.0));
}
