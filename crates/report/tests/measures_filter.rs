//! Filters, orders, and tables written by hand.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::results;
use luthier_report::measures::{Expected, Filter, FilterKind, SortKey, Sorting};
use luthier_report::sample::from_table;
use luthier_report::{Results, View};

const TABLE: &str = "
    # place      expected features                  | a               | b
    Alpha/x/1    sat      str.len,re.+  size=100    | sat 1           | sat 4
    Alpha/x/2    unsat    str.len       size=300    | sat 1           | unsat 2
    Alpha/y/3    sat      re.+          size=200    | sat 1 invalid   | timeout
    beta/4       -        ?             size=50     | crash, sat 1    | unknown
    beta/5       -        -             size=400    | unsat 3 invalid-core | memout
    beta/Zoë6    -        - conflict=solvers        | sat 2 disputed  | unsupported
    beta/7       sat      -                         | sat 0.5         |
";

fn kept(results: &Results, filter: &Filter) -> String {
    let view = filter.apply(View::all(results));
    view.iter().map(|entry| entry.name.chars().last().unwrap()).collect()
}

#[track_caller]
fn check(pairs: &[(&str, &str)], expected: &str) {
    let results = results(TABLE);
    let filter = Filter::parse(pairs.iter().copied(), &results).unwrap();
    assert_eq!(kept(&results, &filter), expected, "{pairs:?}");
    // What is written is read as the same.
    let written = filter.pairs(&results);
    let again = written.iter().map(|(key, value)| (*key, value.as_str()));
    assert_eq!(Filter::parse(again, &results).unwrap(), filter);
}

#[test]
fn each_kind_keeps_what_it_says() {
    // The names of the entries of beta, in order: 4, 5, 7, Zoë6.
    check(&[], "1234576");
    check(&[("show", "all")], "1234576");
    // a alone solved 5, 6 and 7, b alone solved 2, both solved 1. On 4 the run in the middle of two is
    // the faster by penalised time, the one that solved it.
    check(&[("show", "unique")], "24576");
    check(&[("show", "unique"), ("solver", "b")], "2");
    check(&[("show", "wrong")], "2");
    check(&[("show", "wrong"), ("solver", "b")], "");
    check(&[("show", "conflicting")], "26");
    check(&[("show", "conflicting"), ("solver", "b")], "2");
    check(&[("show", "invalid-model")], "3");
    check(&[("show", "invalid-core")], "5");
    check(&[("show", "disputed")], "6");
    check(&[("show", "incomplete-model")], "");
    check(&[("show", "unchecked-model")], "");
    check(&[("show", "framework-error")], "");
    // In one of two repetitions.
    check(&[("show", "crashed")], "4");
    check(&[("show", "unknown")], "4");
    check(&[("show", "unknown"), ("solver", "a")], "");
    check(&[("show", "timeout")], "3");
    check(&[("show", "memout")], "5");
    check(&[("show", "unsupported")], "6");
    check(&[("show", "unsolved")], "3");
    check(&[("show", "unsolved"), ("solver", "a")], "23");
    check(&[("show", "some")], "24576");
    check(&[("show", "some"), ("solver", "a")], "4576");
    check(&[("show", "missing")], "7");
    check(&[("show", "missing"), ("solver", "a")], "");
}

#[test]
fn classes_are_kept_in_any_repetition_as_scores_count_them() {
    let table = "
        # place  expected features | a
        s/1      sat      -        | timeout, sat 1, sat 2
        s/2      sat      -        | sat 1, sat 1, sat 2
    ";
    let results = results(table);
    for (name, expected) in [("timeout", "1"), ("sat", "12"), ("unsat", ""), ("solved", "12")] {
        let filter = Filter::parse([("show", name)], &results).unwrap();
        assert_eq!(kept(&results, &filter), expected, "{name}");
    }
}

#[test]
fn filters_by_content_and_place_add_up() {
    check(&[("feature", "re.+")], "13");
    check(&[("feature", "re.+"), ("show", "unsolved")], "3");
    check(&[("min-size", "200")], "235");
    check(&[("min-size", "200"), ("max-size", "300")], "23");
    check(&[("expected", "sat")], "137");
    check(&[("expected", "unsat")], "2");
    check(&[("expected", "none")], "456");
    // Sets, tracks and names, in whatever case, also across a slash and beyond ASCII.
    check(&[("text", "ALPHA")], "123");
    check(&[("text", "a/Y")], "3");
    check(&[("text", "zOË")], "6");
    check(&[("text", "nowhere")], "");
    // Numbers of solvers; what a form leaves empty; what is for others.
    check(&[("show", "wrong"), ("solver", "1"), ("feature", ""), ("page", "3")], "2");
}

#[test]
fn what_cannot_be_read_says_what_would_be_right() {
    let results = results(TABLE);
    for (key, value, part) in [
        ("show", "bad", "invalid-model"),
        ("solver", "c", "label"),
        ("feature", "nope", "str.len"),
        ("min-size", "-1", "number of bytes"),
        ("expected", "maybe", "sat, unsat or none"),
    ] {
        let error = Filter::parse([(key, value)], &results).unwrap_err().to_string();
        assert!(error.contains(key) && error.contains(value) && error.contains(part), "{error}");
    }
    for text in ["", "nothing", "time", "time:c", "ratio:a", "--place", "ratio:a:b:a"] {
        assert!(Sorting::parse(text, &results).is_err(), "{text}");
    }
    for kind in FilterKind::ALL {
        assert_eq!(FilterKind::from_name(kind.name()), Some(kind));
    }
    assert_eq!(Expected::of(&results.entries[0]), Expected::Sat);
}

#[track_caller]
fn check_order(text: &str, written: &str, expected: &str) {
    let results = results(TABLE);
    let sorting = Sorting::parse(text, &results).unwrap();
    let order = sorting.sort(&View::all(&results));
    let names: String =
        order.iter().map(|&entry| results.entries[entry].name.chars().last().unwrap()).collect();
    assert_eq!(names, expected, "{text}");
    assert_eq!(sorting.name(&results), written);
    assert_eq!(Sorting::parse(written, &results).unwrap(), sorting);
}

#[test]
fn orders_are_stable_and_what_has_no_figure_comes_last() {
    check_order("place", "place", "1234576");
    check_order("-place", "-place", "6754321");
    // 7 and 6 have 100 bytes, too, and stay after 1.
    check_order("size", "size", "4176325");
    check_order("-size", "-size", "5231764");
    // a: 1, 20, 20, 1, 3, 0.5 (7), 2 (6).
    check_order("time:a", "time:1", "7146523");
    // b: 4, 2, 20, 20, 20, none (7), 20 (6).
    check_order("time:2", "time:2", "2134567");
    check_order("-time:2", "-time:2", "3456127");
    // a / b: 1/4, 10, 1, 1/20, 3/20, none, 1/10.
    check_order("ratio:1:2", "ratio:1:2", "4651327");
    // Spread: 4, 10, 1, 20, 20/3, none, 10.
    check_order("-spread", "-spread", "4265137");
    assert_eq!(Sorting::default(), Sorting { key: SortKey::Place, descending: false });
}

#[test]
fn tables_that_cannot_be_read_say_where() {
    for (table, line, part) in [
        ("s/1 sat -", 1, "solvers"),
        ("| a\n\ns/1 sat - | maybe 1", 3, "class"),
        ("| a\ns/1 sat - | sat 1 | sat 2", 2, "more cells"),
        ("| a\ns1 sat - | sat 1", 2, "set/name"),
        ("| a\ns/1 perhaps - | sat 1", 2, "expected sat"),
        ("| a\ns/1 sat", 2, "features"),
        ("| a limit=x", 1, "seconds"),
        ("| a speed=1", 1, "limit="),
        ("| a |", 1, "without a name"),
        ("| a\ns/1 sat - | sat -1", 2, "seconds"),
    ] {
        let error = from_table(table).unwrap_err();
        assert_eq!(error.line, line, "{table}");
        assert!(error.to_string().contains(part), "{error}");
    }
    assert!(from_table("").unwrap().entries.is_empty());
}
