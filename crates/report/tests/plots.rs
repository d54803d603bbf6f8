//! The charts made of results, compared with what was counted by hand.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{check_close, results};
use luthier_charts::{Guide, Kind, Stacking};
use luthier_report::measures::{Side, standings};
use luthier_report::plots::{
    Chart, Series, Size, TimelineMeasure, Value, Variant, VirtualBest, cactus, distribution,
    families, feature_uses, features, histogram, scatter, scatter_of_sides, timeline, to_svg,
    to_tikz,
};
use luthier_report::sample::random_results;
use luthier_report::{Results, View, measures};

/// Every way in which two solvers can meet on an instance.
const TABLE: &str = "
    # place       expected  features          | a limit=10      | b limit=20
    demo/1.smt2   sat       str.len,str.++    | sat 3           | sat 0.5
    demo/2.smt2   unsat     str.len           | unsat 0         | timeout
    demo/3.smt2   unsat     str.len           | sat 1           | unsat 2
    demo/4.smt2   -         ?                 | sat 1.5 invalid | crash
    demo/5.smt2   -         str.++            | sat 4 disputed  | unsat 4 disputed
    demo/6.smt2   sat       -                 | framework-error | sat 1
    demo/7.smt2   sat       -                 |                 | sat 6
    demo/8.smt2   -         -                 | unknown         | memout
";

fn series<'a>(all: &'a [Series], name: &str) -> &'a Series {
    all.iter().find(|series| series.name == name).unwrap_or_else(|| panic!("{name}: {all:?}"))
}

fn numbers(series: &Series) -> Vec<(f64, f64)> {
    let number = |value: &Value| match value {
        Value::Number(number) => *number,
        other => panic!("{other:?}"),
    };
    series.rows.iter().map(|row| (number(&row.x), number(&row.y))).collect()
}

/// The values of a series on names, those that are not 0; `None` if there is none.
fn named(series: &Series) -> Vec<(&str, Option<f64>)> {
    let cells = series.rows.iter().map(|row| match (&row.x, &row.y) {
        (Value::Name(name), Value::Number(value)) | (Value::Number(value), Value::Name(name)) => {
            (name.as_str(), Some(*value))
        }
        (Value::Name(name), _) | (_, Value::Name(name)) => (name.as_str(), None),
        other => panic!("{other:?}"),
    });
    cells.filter(|(_, value)| *value != Some(0.0)).collect()
}

#[test]
fn a_cactus_has_the_sorted_times_of_what_is_solved() {
    let results = results(TABLE);
    let all = cactus(&View::all(&results), VirtualBest::Shown).series();
    assert_eq!(numbers(series(&all, "a")), [(1.0, 0.0), (2.0, 3.0), (3.0, 4.0)]);
    let b = [(1.0, 0.5), (2.0, 1.0), (3.0, 2.0), (4.0, 4.0), (5.0, 6.0)];
    assert_eq!(numbers(series(&all, "b")), b);
    let best = [(1.0, 0.0), (2.0, 0.5), (3.0, 1.0), (4.0, 2.0), (5.0, 4.0), (6.0, 6.0)];
    assert_eq!(numbers(series(&all, "virtual best")), best);
    assert_eq!(cactus(&View::all(&results), VirtualBest::Hidden).series().len(), 2);
}

fn link(instance: i64) -> String {
    format!("/instances/{instance}")
}

#[test]
fn a_scatter_plot_has_every_pair_in_its_group() {
    let results = results(TABLE);
    let chart = scatter(&View::all(&results), 0, 1, Some(link));
    let all = chart.series();
    assert_eq!(numbers(series(&all, "both sat")), [(3.0, 0.5)]);
    assert_eq!(numbers(series(&all, "both unsat")), []);
    // What is not solved stands at the limit of its own run.
    assert_eq!(numbers(series(&all, "not solved by both")), [(0.0, 20.0), (10.0, 20.0)]);
    assert_eq!(numbers(series(&all, "refuted")), [(10.0, 2.0), (10.0, 20.0)]);
    assert_eq!(numbers(series(&all, "contradict each other")), [(4.0, 4.0)]);
    assert!(chart.description().contains("Not shown: 2 instances without runs of both"));
    let row = &series(&all, "both sat").rows[0];
    assert_eq!(row.link.as_deref(), Some("/instances/1"));
    assert_eq!(row.note.as_deref(), Some("demo/1.smt2: a sat 3.000 s, b sat 0.500 s"));
    let Kind::Points { guides, .. } = chart.kind() else { panic!() };
    assert!(guides.contains(&Guide::Vertical(10.0, "limit 10 s".to_owned())));
    assert!(guides.contains(&Guide::Horizontal(20.0, "limit 20 s".to_owned())));
}

#[test]
fn a_scatter_plot_of_sides_may_have_one_solver_in_two_campaigns() {
    let results = results("| a\n s/1 sat - | timeout, sat 1 @1\n s/2 sat - | sat 1 @1");
    let of = |campaign| Side { solver: 0, campaign: Some(campaign) };
    let chart = scatter_of_sides(&View::all(&results), of(0), of(1), None);
    let all = chart.series();
    assert_eq!(numbers(series(&all, "not solved by both")), [(10.0, 1.0)]);
    assert_eq!(chart.title(), "a (campaign 1) against a (campaign 2)");
    assert!(chart.description().contains("Not shown: 1 instance without runs of both"));
}

#[test]
fn a_distribution_counts_every_instance_once_and_what_is_wrong_apart() {
    let results = results(TABLE);
    let all = distribution(&View::all(&results), Stacking::Counts).series();
    let of = |name: &str| named(series(&all, name));
    assert_eq!(all[0].name, "wrong answer");
    assert_eq!(of("wrong answer"), [("a", Some(1.0))]);
    assert_eq!(of("invalid model"), [("a", Some(1.0))]);
    assert_eq!(of("sat"), [("a", Some(2.0)), ("b", Some(3.0))]);
    assert_eq!(of("unsat"), [("a", Some(1.0)), ("b", Some(2.0))]);
    assert_eq!(of("framework error"), [("a", Some(1.0))]);
    assert_eq!(of("not run"), [("a", Some(1.0))]);
    for solver in ["a", "b"] {
        let cells = all.iter().flat_map(named).filter(|(name, _)| *name == solver);
        check_close(cells.filter_map(|(_, value)| value).sum(), 8.0);
    }
}

#[test]
fn features_are_shares_of_what_was_run() {
    let results = results(TABLE);
    let chart = features(&View::all(&results), 10);
    let all = chart.series();
    // By use: str.len is in three instances, str.++ in two.
    let a = named(series(&all, "a"));
    assert_eq!(a.iter().map(|cell| cell.0).collect::<Vec<_>>(), ["str.len", "str.++"]);
    check_close(a[0].1.unwrap(), 200.0 / 3.0);
    check_close(a[1].1.unwrap(), 100.0);
    assert_eq!(series(&all, "b").rows[0].note.as_deref(), Some("2 of 3"));
    assert!(chart.description().contains("operators are not known: 1."));
    assert_eq!(features(&View::all(&results), 1).series()[0].rows.len(), 1);
}

#[test]
fn uses_of_features_are_counted_whoever_answers() {
    let results = results(TABLE);
    let view = View::all(&results).with_solvers(Vec::new());
    let table = measures::features(&view);
    let chart = feature_uses(&view, &table, 10);
    let all = chart.series();
    assert_eq!(named(&all[0]), [("str.len", Some(3.0)), ("str.++", Some(2.0))]);
    assert_eq!(all[0].rows[0].note.as_deref(), Some("42.9 %"));
    assert!(chart.description().contains("operators are not known: 1."));
    let one = feature_uses(&view, &table, 1);
    assert_eq!(one.series()[0].rows.len(), 1);
    assert!(one.description().contains("The first 1 of 2, string operators"));
}

#[test]
fn a_histogram_has_times_in_bins_and_the_rest_beside_them() {
    let results = results(TABLE);
    let all = histogram(&View::all(&results)).series();
    let a = [
        ("≤ 0.001", Some(1.0)),
        ("2 – 5", Some(2.0)),
        ("not solved", Some(1.0)),
        ("refuted", Some(2.0)),
    ];
    assert_eq!(named(series(&all, "a")), a);
    // A time on an edge is in the bin below it.
    let b = [
        ("0.2 – 0.5", Some(1.0)),
        ("0.5 – 1", Some(1.0)),
        ("1 – 2", Some(1.0)),
        ("2 – 5", Some(1.0)),
        ("5 – 10", Some(1.0)),
        ("not solved", Some(3.0)),
    ];
    assert_eq!(named(series(&all, "b")), b);
}

const RELEASES: &str = "
    #             | z3@4.8.10 | z3@4.8.9 | z3@4.8.9+seq | z3@4.13+seq | other@1
    demo/1 sat -  | sat 1     | sat 2    | unsat 1      | sat 1       | sat 1
    demo/2 sat -  | sat 3     | timeout  | sat 1        |             | sat 1
";

fn releases() -> Results {
    let mut results = results(RELEASES);
    for solver in &mut results.solvers {
        let version = solver.configuration.version.as_deref();
        solver.configuration.version =
            version.map(|version| version.split('+').next().unwrap().to_owned());
    }
    results
}

#[test]
fn a_timeline_goes_from_version_to_version_with_gaps() {
    let results = releases();
    let view = View::all(&results);
    assert_eq!(families(&view), ["z3"]);
    let of = |measure| timeline(&view, "z3", measure).series();
    let solved = of(TimelineMeasure::Solved);
    assert_eq!(solved.len(), 2);
    let z3 = [("4.8.9", Some(1.0)), ("4.8.10", Some(2.0)), ("4.13", None)];
    assert_eq!(named(series(&solved, "z3")), z3);
    let seq = [("4.8.9", Some(1.0)), ("4.8.10", None), ("4.13", Some(1.0))];
    assert_eq!(named(series(&solved, "z3+seq")), seq);
    let note = series(&solved, "z3+seq").rows[2].note.as_deref();
    assert_eq!(note, Some("run on 1 of 2 instances"));
    let wrong = of(TimelineMeasure::Wrong);
    assert_eq!(series(&wrong, "z3+seq").rows[0].y, Value::Number(1.0));
    let par2 = of(TimelineMeasure::Par2);
    assert_eq!(series(&par2, "z3").rows[0].y, Value::Number(11.0));
    assert!(timeline(&view, "nobody", TimelineMeasure::Solved).series().is_empty());
    for measure in TimelineMeasure::ALL {
        assert_eq!(TimelineMeasure::from_name(measure.name()), Some(measure));
    }
}

fn every_chart(view: &View<'_>) -> Vec<Chart> {
    let (first, last) = (view.solvers[0], *view.solvers.last().unwrap());
    let family = &view.results.solvers[first].configuration.family;
    vec![
        cactus(view, VirtualBest::Shown),
        scatter(view, first, last, Some(link)),
        distribution(view, Stacking::Shares),
        features(view, 20),
        histogram(view),
        timeline(view, family, TimelineMeasure::Par2),
    ]
}

#[test]
fn charts_agree_with_the_standings() {
    let results = random_results(700, 4, 1);
    let view = View::all(&results);
    let lines = cactus(&view, VirtualBest::Shown).series();
    let pieces = distribution(&view, Stacking::Counts).series();
    let bins = histogram(&view).series();
    for (position, standing) in standings(&view).iter().enumerate() {
        let name = standing.competitor.label(&results);
        assert_eq!(series(&lines, name).rows.len() as u64, standing.solved);
        let Some(bars) = bins.get(position) else { continue };
        let count = |cells: &[luthier_report::plots::Row]| -> f64 {
            cells.iter().map(|row| if let Value::Number(n) = row.y { n } else { 0.0 }).sum()
        };
        let (times, others) = bars.rows.split_at(bars.rows.len() - 2);
        check_close(count(times), standing.solved as f64);
        check_close(count(others), (standing.instances - standing.solved) as f64);
        let piece = |piece: &str| match &series(&pieces, piece).rows[position].x {
            Value::Number(count) => *count as u64,
            other => panic!("{other:?}"),
        };
        assert_eq!(piece("sat"), standing.solved_sat);
        assert_eq!(piece("unsat"), standing.solved_unsat);
        assert_eq!(piece("wrong answer") + piece("invalid model"), standing.refuted);
        assert_eq!(piece("not run"), standing.missing);
        assert_eq!(piece("framework error"), standing.failed);
    }
}

#[test]
fn charts_of_many_and_of_no_instances_are_drawn_and_small() {
    let results = random_results(20_000, 3, 2);
    let all = View::all(&results);
    let none = View { entries: Vec::new(), ..all.clone() };
    for view in [all, none] {
        for chart in every_chart(&view) {
            let svg = to_svg(&chart, Size::default(), Variant::Page);
            assert!(svg.len() < 1_000_000, "{}: {}", chart.title(), svg.len());
            assert!(to_tikz(&chart).len() < 1_000_000, "{}", chart.title());
        }
    }
}
