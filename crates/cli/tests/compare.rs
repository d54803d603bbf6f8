//! `luthier compare`: databases, configurations and campaigns against each other.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::server::Server;
use crate::common::shop::{Shop, TWO};
use roxmltree::{Document, Node};
use serde_json::Value;

/// Says `sat` with a right model, for `x` of two characters.
const RIGHT: &str = "echo sat; echo '((define-fun x () String \"ab\"))'";

/// The same after so many steps, each of which takes a microsecond or two of CPU time.
fn right_after(steps: usize) -> String {
    format!("i=0; while [ $i -lt {steps} ]; do i=$((i+1)); done; {RIGHT}")
}

/// An instance with a number in it.
fn instance(number: usize) -> String {
    let bound = format!("(assert (<= (str.len x) {}))\n(check-sat)", 100 + number);
    TWO.replace("(check-sat)", &bound)
}

/// Ten instances in `set` and two in `other`, none of which says what it is.
fn shop() -> Shop {
    let shop = Shop::new();
    for number in 0..10 {
        shop.bench.write(&format!("set/{number}.smt2"), instance(number));
    }
    shop.bench.write("other/a.smt2", instance(20));
    shop.bench.write("other/b.smt2", instance(21));
    shop
}

/// Runs the solver `mine`, which now does this, into a database.
fn database(shop: &Shop, script: &str, name: &str, more: &[&str]) {
    shop.solver("mine", script);
    let arguments = ["run", "--bench", "set", "--bench", "other", "--solver", "mine", "--db", name];
    let run = shop.luthier(&[&arguments[..], more].concat());
    assert!(run.code == 0 || run.code == 2, "{run:?}");
}

fn compare(shop: &Shop, arguments: &[&str], code: i32) -> Value {
    shop.luthier(&[&["compare", "--json"][..], arguments].concat()).expect(code).json()
}

#[test]
fn two_runs_of_one_program_compare_as_no_change() {
    let shop = shop();
    database(&shop, RIGHT, "a.db", &[]);
    database(&shop, RIGHT, "b.db", &[]);
    let record = compare(&shop, &["a.db", "b.db"], 0);
    assert_eq!(record["outcome"], "same", "{record}");
    let comparison = &record["comparisons"][0];
    assert_eq!(comparison["compared"], 12);
    let sets: Vec<&Value> =
        comparison["sets"].as_array().unwrap().iter().map(|set| &set["set"]).collect();
    assert_eq!(sets, ["other", "set"]);
    assert_eq!(comparison["sides"][1]["name"], "b.db:mine");
    // A run is in both with the same key; a merge would keep one of them.
    assert_eq!(comparison["before"]["solved"], 12);
    assert_ne!(comparison["before"]["cpu"], comparison["after"]["cpu"]);
    let text = shop.luthier(&["compare", "a.db", "b.db"]).expect(0).stdout;
    assert!(text.starts_with("a.db:mine → b.db:mine: no change\n"), "{text}");
}

#[test]
fn the_ground_truth_is_weighed_from_both_databases() {
    let shop = shop();
    database(&shop, "echo unsat", "unsat.db", &[]);
    database(&shop, RIGHT, "sat.db", &[]);
    // By itself nothing is known against the first.
    assert_eq!(shop.luthier(&["summary", "unsat.db"]).code, 0);
    let record = compare(&shop, &["unsat.db", "sat.db"], 0);
    assert_eq!(record["outcome"], "better");
    assert_eq!(record["comparisons"][0]["counts"]["no-longer-wrong"], 12);
    let record = compare(&shop, &["sat.db", "unsat.db"], 2);
    assert_eq!(record["outcome"], "became-wrong");
    let comparison = &record["comparisons"][0];
    assert_eq!(comparison["counts"]["became-wrong"], 12);
    assert_eq!(comparison["changes"][0]["expected"], "sat");
    assert_eq!(comparison["reasons"][0], "12 instances became wrong");
    let text = shop.luthier(&["compare", "sat.db", "unsat.db"]).expect(2).stdout;
    assert!(text.contains("became wrong (12)\n  other/a.smt2: sat "), "{text}");
    assert!(text.contains("unsat") && text.contains("wrong; it is sat ("), "{text}");
    assert!(text.contains("… 2 more; --all lists them"), "{text}");
}

#[test]
fn what_is_lost_ends_with_4_unless_it_is_accepted() {
    let shop = shop();
    database(&shop, RIGHT, "a.db", &[]);
    let one_lost = format!("grep -q 103 \"$1\" && {{ echo unknown; exit; }}; {RIGHT}");
    database(&shop, &one_lost, "b.db", &[]);
    let record = compare(&shop, &["a.db", "b.db"], 4);
    assert_eq!(record["outcome"], "worse");
    // A disturbed run may be listed as slower besides.
    let mut changes = record["comparisons"][0]["changes"].as_array().unwrap().iter();
    let change = changes.find(|change| change["kind"] == "lost").unwrap();
    assert_eq!(change["instance"], "set/3.smt2");
    assert_eq!(change["after"]["class"], "unknown");
    compare(&shop, &["a.db", "b.db", "--allow-lost", "1"], 0);
    compare(&shop, &["a.db", "b.db", "--set", "other"], 0);
    assert_eq!(compare(&shop, &["b.db", "a.db"], 0)["outcome"], "better");
    // Documents beside the text.
    let arguments = ["compare", "a.db", "b.db", "--markdown", "comment.md", "--junit", "c.xml"];
    let text = shop.luthier(&arguments).expect(4).stdout;
    assert!(text.contains("  1 instance no longer solved\n"), "{text}");
    let comment = std::fs::read_to_string(shop.bench.path("comment.md")).unwrap();
    assert!(comment.starts_with("### Luthier: worse\n"), "{comment}");
    assert!(comment.contains("<details><summary>1 no longer solved</summary>"), "{comment}");
    let xml = std::fs::read_to_string(shop.bench.path("c.xml")).unwrap();
    let xml = Document::parse(&xml).unwrap();
    assert_eq!(xml.root_element().attribute("failures"), Some("1"));
    let printed = shop.luthier(&["compare", "a.db", "b.db", "--markdown", "-"]).expect(4);
    assert_eq!(printed.stdout, comment);
}

#[test]
fn contents_are_compared_whatever_they_are_called() {
    let shop = shop();
    database(&shop, RIGHT, "a.db", &[]);
    // Another name of the set, a file that changed, one that went and one that came.
    for number in 0..8 {
        shop.bench.write(&format!("renamed/{number}.smt2"), instance(number));
    }
    shop.bench.write("other/b.smt2", instance(22));
    let run = ["run", "--bench", "renamed", "--bench", "other", "--solver", "mine", "--db", "b.db"];
    shop.luthier(&run).expect(0);
    let record = compare(&shop, &["a.db", "b.db"], 0);
    let comparison = &record["comparisons"][0];
    let counts = &comparison["counts"];
    assert_eq!((&comparison["compared"], &counts["only-before"]), (&9.into(), &3.into()));
    assert_eq!(counts["only-after"], 1);
    let notes: Vec<&str> =
        comparison["notes"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    let expected = [
        "1 file changed between both sides, with the same name; they are not compared",
        "3 instances with a result before only; they are not compared",
        "1 instance with a result after only; they are not compared",
    ];
    assert_eq!(notes[notes.len() - 3..], expected);
    // Nothing in common is no success.
    shop.bench.write("alone/x.smt2", instance(30));
    let run = ["run", "--bench", "alone", "--solver", "mine", "--db", "c.db"];
    shop.luthier(&run).expect(0);
    compare(&shop, &["a.db", "c.db"], 3);
}

#[test]
fn several_configurations_are_compared_by_name() {
    let shop = shop();
    shop.solver("reference", "echo unknown");
    database(&shop, RIGHT, "a.db", &["--solver", "reference"]);
    database(&shop, RIGHT, "b.db", &["--solver", "reference", "--timeout", "5s"]);
    let record = compare(&shop, &["a.db", "b.db"], 0);
    let names = |index: usize| -> Vec<&Value> {
        let comparisons = record["comparisons"].as_array().unwrap().iter();
        comparisons.map(|one| &one["sides"][index]["configuration"]).collect()
    };
    assert_eq!(names(0), ["mine", "reference"]);
    assert_eq!(names(1), ["mine", "reference"]);
    let note = record["comparisons"][0]["notes"][0].as_str().unwrap();
    assert!(note.contains("the limits differ (10 s of CPU time"), "{note}");
    // One of them, and one that the other side does not have.
    let one = compare(&shop, &["a.db:mine", "b.db:reference"], 4);
    assert_eq!(one["comparisons"].as_array().unwrap().len(), 1);
    database(&shop, RIGHT, "c.db", &[]);
    let run = shop.luthier(&["compare", "a.db", "c.db"]).expect(0);
    assert!(run.stderr.contains("not compared: a.db:reference"), "{run:?}");
}

#[test]
fn campaigns_of_one_database_are_compared() {
    let shop = shop();
    database(&shop, RIGHT, "a.db", &[]);
    database(&shop, RIGHT, "a.db", &["--repeat", "2"]);
    let campaigns = ["--before-campaign", "1", "--after-campaign", "2"];
    let record = compare(&shop, &[&["a.db", "a.db"][..], &campaigns].concat(), 0);
    let comparison = &record["comparisons"][0];
    assert_eq!(comparison["compared"], 12);
    assert_eq!(comparison["sides"][1]["name"], "a.db:mine, campaign 2");
}

#[test]
fn errors_say_what_there_is() {
    let shop = shop();
    shop.solver("other", "echo unknown");
    database(&shop, RIGHT, "a.db", &["--solver", "other"]);
    for (arguments, message) in [
        (&["a.db", "none.db"][..], "none.db"),
        (
            &["a.db:mine", ":nobody"],
            "a.db has no configuration \"nobody\"\nhint: there are: mine, other",
        ),
        (&["a.db", "a.db"], "both sides are the same runs"),
        (&["a.db", ":mine"], "both sides are the same runs"),
        (&[":mine", "a.db"], ":mine: of which database?"),
        (
            &["a.db", "a.db", "--before-campaign", "7"],
            "a.db has no campaign 7\nhint: there are: 1 (",
        ),
        (
            &["a.db:mine", ":other", "--set", "x"],
            "there is no set \"x\"\nhint: there are: other, set",
        ),
        (&["a.db:mine", ":other", "--slower", "0.5"], "a factor of at least 1"),
    ] {
        let run = shop.luthier(&[&["compare"][..], arguments].concat()).expect(1);
        assert!(run.stderr.contains(message), "{message}: {run:?}");
    }
}

/// The rows of the table of sets on the page, as texts.
fn page_table(page: &str) -> Vec<Vec<String>> {
    let begin = page.find("role=\"region\" aria-label=\"By set\"").unwrap();
    let begin = begin + page[begin..].find("<table").unwrap();
    let end = begin + page[begin..].find("</table>").unwrap() + "</table>".len();
    let xml = Document::parse(&page[begin..end]).unwrap();
    let text = |node: Node<'_, '_>| -> String {
        node.descendants().filter_map(|one| one.text().filter(|_| one.is_text())).collect()
    };
    let rows = xml.descendants().filter(|node| node.has_tag_name("tr"));
    rows.map(|row| row.children().filter(Node::is_element).map(text).collect()).collect()
}

#[test]
fn command_rest_page_and_comment_agree_to_the_last_digit() {
    let shop = shop();
    let right = right_after(8_000);
    shop.solver("mine", &right);
    shop.solver("slow", &right_after(40_000));
    let flawed = format!("grep -q '10[34]' \"$1\" && {{ echo unsat; exit; }}; {right}");
    shop.solver("flawed", &flawed);
    let solvers = ["mine", "slow", "flawed"];
    let run = shop.run(&solvers, &["--bench", "other", "--repeat", "2"]);
    assert_eq!(run.code, 2, "{run:?}");
    let server = Server::start(&shop.bench, &[]);
    let rows = |path: &str| -> Value { serde_json::from_str(&server.body(path)).unwrap() };
    let number = |name: &str| {
        let solvers = rows("/api/v1/solvers");
        let found = solvers["items"].as_array().unwrap().iter();
        found.clone().find(|one| one["label"] == name || one["name"] == name).unwrap()["number"]
            .clone()
    };
    for (before, after, code) in [("mine", "slow", 4), ("mine", "flawed", 2), ("slow", "mine", 0)] {
        let sides = [format!("results.db:{before}"), format!(":{after}")];
        let ours = compare(&shop, &[&sides[0], &sides[1]], code);
        let ours = &ours["comparisons"][0];
        let rest = rows(&format!("/api/v1/changes?before={before}&after={after}&limit=1000"));
        for field in [
            "outcome",
            "counts",
            "compared",
            "neither",
            "lost_near_limit",
            "new_near_limit",
            "much_slower",
            "before",
            "after",
            "times",
            "noise",
            "conditions",
        ] {
            assert!(!ours[field].is_null(), "{field}");
            assert_eq!(ours[field], rest[field], "{field} of {before} and {after}");
        }
        // Those of the others may be too short on a fast machine.
        let is_timed = [before, after].contains(&"slow");
        assert!(!is_timed || !ours["times"]["all"].is_null(), "{ours}");
        let (sets, theirs) = (ours["sets"].as_array().unwrap(), rest["sets"].as_array().unwrap());
        assert_eq!(sets.len(), theirs.len());
        for (set, other) in sets.iter().zip(theirs) {
            assert_eq!(set["set"], other["set"]["name"]);
            for field in ["outcome", "counts", "compared", "before", "after", "times"] {
                assert_eq!(set[field], other[field], "{field} of {set}");
            }
        }
        let (changes, theirs) = (&ours["changes"], &rest["changes"]["items"]);
        assert_eq!(changes.as_array().unwrap().len(), theirs.as_array().unwrap().len());
        for (change, other) in changes.as_array().unwrap().iter().zip(theirs.as_array().unwrap()) {
            assert_eq!(change["kind"], other["kind"]);
            for side in ["before", "after"] {
                for field in ["run", "class", "judgement", "model", "cpu"] {
                    assert_eq!(change[side][field], other[side][field], "{field} of {change}");
                }
            }
        }
        let (from, to) = (number(before), number(after));
        let page = server.body(&format!("/changes?before={from}&after={to}"));
        let comment = shop.luthier(&["compare", &sides[0], &sides[1], "--markdown", "-"]).stdout;
        let in_comment: Vec<Vec<String>> = comment
            .lines()
            .skip_while(|line| !line.starts_with('|'))
            .take_while(|line| line.starts_with('|'))
            .filter(|line| !line.starts_with("| ---"))
            .map(|line| {
                line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()
            })
            .collect();
        assert_eq!(page_table(&page), in_comment, "{before} and {after}");
        for (row, set) in page_table(&page)[1..].iter().zip(sets) {
            assert_eq!(set["set"], row[0]);
            assert_eq!(set["compared"].to_string(), row[1]);
        }
    }
}
