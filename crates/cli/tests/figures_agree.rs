//! The same figures everywhere: pages, REST, LaTeX, CSV and terminal, to the last digit.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::collections::BTreeMap;

use crate::common::server::Server;
use crate::common::shop::{Shop, TWO, two_with};
use luthier_records::FindingKind;
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;

/// Two sets and solvers that are right, wrong, silent and slow, twice on each instance.
fn shop() -> Shop {
    let shop = Shop::new();
    shop.bench.write("set/one/a.smt2", two_with("luthier-expected sat"));
    shop.bench.write("set/two/b.smt2", two_with("status sat").replace('2', "3"));
    shop.bench.write("other/c.smt2", TWO.replace('2', "4"));
    shop.bench.write("other/d.smt2", two_with("status unsat").replace('2', "5"));
    shop.solver("yes", "echo sat; echo '((define-fun x () String \"ab\"))'");
    shop.solver("no", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo unsat");
    shop.solver("ill", "kill -SEGV $$");
    shop.run(&["yes", "no", "ill"], &["--bench", "other", "--repeat", "2"]);
    shop
}

/// The figures of one solver by the names that documents have for them.
type Figures = BTreeMap<String, String>;

/// What pages call a column, and what documents do.
const NAMES: [(&str, &str); 14] = [
    ("rank", "rank"),
    ("solved", "solved"),
    ("unique", "unique"),
    ("PAR2 mean, s", "par2_mean"),
    ("wrong", "wrong"),
    ("invalid model", "invalid_model"),
    ("sat", "sat"),
    ("unsat", "unsat"),
    ("unknown", "unknown"),
    ("timeout", "timeout"),
    ("crash", "crash"),
    ("missing", "missing"),
    ("runs", "runs"),
    ("CPU, s", "cpu_seconds"),
];

/// All text below a node, without what only stresses it.
fn text(node: Node<'_, '_>) -> String {
    let words: String =
        node.descendants().filter_map(|one| one.text().filter(|_| one.is_text())).collect();
    words.replace('\u{2717}', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The table of scores of a page, by solver.
fn of_page(page: &str) -> BTreeMap<String, Figures> {
    let begin = page.find("aria-label=\"Scores\"").unwrap();
    let begin = begin + page[begin..].find("<table").unwrap();
    let end = begin + page[begin..].find("</table>").unwrap() + "</table>".len();
    let options = ParsingOptions::default();
    let xml = Document::parse_with_options(&page[begin..end], options).unwrap();
    let mut rows = xml
        .descendants()
        .filter(|node| node.has_tag_name("tr"))
        .map(|row| row.children().filter(Node::is_element).map(text).collect::<Vec<String>>());
    let head = rows.next().unwrap();
    let name = |title: &String| NAMES.iter().find(|(page, _)| page == title).map(|(_, name)| *name);
    rows.map(|cells| {
        let pairs = head.iter().zip(&cells).skip(1);
        let figures = pairs
            .filter_map(|(title, cell)| Some((name(title)?.to_owned(), cell.clone())))
            .collect();
        (cells[0].clone(), figures)
    })
    .collect()
}

/// The rows of a LaTeX table with these columns after the name of the solver.
fn of_latex(text: &str, columns: &[&str]) -> BTreeMap<String, Figures> {
    let rows = text.lines().filter_map(|line| line.trim().strip_suffix("\\\\"));
    rows.map(|row| {
        row.split(" & ").map(|cell| cell.trim().replace(['\\', '{', '}'], "")).collect::<Vec<_>>()
    })
    .filter(|cells| cells.len() == columns.len() + 1 && cells[0] != "solver")
    .map(|cells| {
        let figures = columns.iter().map(|name| (*name).to_owned()).zip(cells[1..].iter().cloned());
        (cells[0].clone(), figures.collect())
    })
    .collect()
}

#[test]
fn pages_and_documents_show_the_same_digits() {
    let shop = shop();
    let server = Server::start(&shop.bench, &[]);
    let sets: Value = serde_json::from_str(&server.body("/api/v1/sets")).unwrap();
    for set in sets["items"].as_array().unwrap() {
        let page = of_page(&server.body(&format!("/set/{}", set["number"])));
        let columns: Vec<&str> = NAMES.iter().map(|(_, name)| *name).collect();
        let chosen = format!("solver,{}", columns.join(","));
        let report = shop.luthier(&[
            "report",
            "results.db",
            "--set",
            set["name"].as_str().unwrap(),
            "--format",
            "latex",
            "--table",
            "standings",
            "--columns",
            &chosen,
        ]);
        let latex = of_latex(&report.expect(2).stdout, &columns);
        assert_eq!(latex.len(), 4, "{latex:?}");
        assert_eq!(page.len(), 4, "{page:?}");
        for (solver, figures) in &page {
            assert!(figures.len() >= 12, "{figures:?}");
            for (name, figure) in figures {
                assert_eq!(*figure, latex[solver][name], "{name} of {solver} on {}", set["name"]);
            }
        }
    }
}

#[test]
fn rest_and_documents_have_the_same_numbers() {
    let shop = shop();
    let server = Server::start(&shop.bench, &[]);
    let standings: Value = serde_json::from_str(&server.body("/api/v1/standings")).unwrap();
    let table = ["report", "results.db", "--format", "csv", "--table", "standings"];
    let csv = shop.luthier(&table).expect(2).stdout;
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let rows: Vec<BTreeMap<&str, &str>> =
        lines.map(|cells| head.iter().copied().zip(cells).collect()).collect();
    assert_eq!(rows.len(), 4);
    let pairs = [
        ("/rank", "rank"),
        ("/instances", "instances"),
        ("/missing", "missing"),
        ("/solved", "solved"),
        ("/solved_sat", "solved_sat"),
        ("/solved_unsat", "solved_unsat"),
        ("/unique", "unique"),
        ("/refuted", "refuted"),
        ("/par2", "par2"),
        ("/par2_mean", "par2_mean"),
        ("/median", "median_seconds"),
        ("/runs/total", "runs"),
        ("/runs/sat", "sat"),
        ("/runs/unsat", "unsat"),
        ("/runs/crash", "crash"),
        ("/runs/wrong", "wrong"),
        ("/runs/right", "right"),
        ("/runs/invalid_model", "invalid_model"),
        ("/runs/par2", "par2_runs"),
        ("/runs/cpu", "cpu_seconds"),
        ("/runs/wall", "wall_seconds"),
        ("/runs/cpu_decided", "cpu_seconds_decided"),
    ];
    for standing in standings["standings"].as_array().unwrap() {
        let label = standing["label"].as_str().unwrap();
        let row = rows.iter().find(|row| row["solver"] == label).unwrap();
        for (pointer, name) in pairs {
            let number = standing.pointer(pointer).unwrap().as_f64();
            assert_eq!(number, row[name].parse().ok(), "{name} of {label}");
        }
    }
    // The terminal is held against documents elsewhere; here its JSON against REST.
    for row in shop.rows() {
        let query = format!("/api/v1/standings?set={}", row["set"].as_str().unwrap());
        let part: Value = serde_json::from_str(&server.body(&query)).unwrap();
        let standings = part["standings"].as_array().unwrap();
        let standing = standings.iter().find(|one| one["label"] == row["solver"]).unwrap();
        for (terminal, pointer) in [
            ("total", "/runs/total"),
            ("sat", "/runs/sat"),
            ("wrong", "/runs/wrong"),
            ("par2", "/runs/par2"),
            ("cpu_seconds", "/runs/cpu"),
            ("wall_seconds", "/runs/wall"),
            ("rank", "/rank"),
            ("instances", "/instances"),
            ("missing", "/missing"),
            ("solved", "/solved"),
            ("unique", "/unique"),
            ("par2_instance_mean", "/par2_mean"),
            ("median_seconds", "/median"),
        ] {
            let number = standing.pointer(pointer).unwrap().as_f64();
            assert_eq!(row[terminal].as_f64(), number, "{terminal} of {row}");
        }
        let best = standings.iter().find(|one| one["label"] == "virtual best").unwrap();
        for (terminal, pointer) in [("solved", "/solved"), ("par2_instance_mean", "/par2_mean")] {
            let number = best.pointer(pointer).unwrap().as_f64();
            assert_eq!(row["virtual_best"][terminal].as_f64(), number, "{terminal} of {row}");
        }
        let all = part_of_all(&server, row["solver"].as_str().unwrap());
        for (terminal, pointer) in [("rank", "/rank"), ("par2_instance_mean", "/par2_mean")] {
            let number = all.pointer(pointer).unwrap().as_f64();
            assert_eq!(row["all_sets"][terminal].as_f64(), number, "{terminal} of {row}");
        }
    }
}

/// The standing of a solver over all sets, by REST.
fn part_of_all(server: &Server, solver: &str) -> Value {
    let whole: Value = serde_json::from_str(&server.body("/api/v1/standings")).unwrap();
    let mut standings = whole["standings"].as_array().unwrap().iter();
    standings.find(|one| one["label"] == solver).unwrap().clone()
}

/// How many findings of each kind `luthier summary` has, by what it lists for programs.
fn of_summary(shop: &Shop) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for kind in shop.kinds() {
        *counts.entry(kind).or_default() += 1;
    }
    counts
}

#[test]
fn terminal_pages_rest_and_documents_count_the_same_findings() {
    let shop = Shop::new();
    // A file at two places, a script with two queries, a status against two families, an open question.
    shop.bench.write("set/one/a.smt2", two_with("luthier-expected sat"));
    shop.bench.write("set/two/a.smt2", two_with("luthier-expected sat"));
    let again = "(push 1)(set-info :luthier-expected unsat)(assert false)(check-sat)(pop 1)";
    shop.bench.write("set/two/b.smt2", format!("{}{again}", two_with("luthier-expected sat")));
    shop.bench.write("other/c.smt2", two_with("status unsat").replace('2', "4"));
    shop.bench.write("other/d.smt2", TWO.replace('2', "5"));
    let model = "echo '((define-fun x () String \"ab\"))'";
    shop.solver("yes", &format!("echo sat; {model}"));
    shop.solver("twice", "echo sat; echo sat");
    shop.solver("no", "echo unsat");
    shop.solver("ill", "echo unsat; kill -SEGV $$");
    shop.solver("accepts", "echo sat");
    shop.solver("rejects", "echo unsat");
    let options = ["--bench", "other", "--repeat", "2", "--verify-with", "accepts"];
    let options = [&options[..], &["--verify-with", "rejects"]].concat();
    shop.run(&["yes", "no", "twice", "ill"], &options).expect(2);
    let summary = of_summary(&shop);
    for kind in ["wrong-unsat", "wrong-sat", "invalid-model", "different-opinion", "crash"] {
        assert!(summary.contains_key(kind), "{kind}: {summary:?}");
    }
    let text = shop.luthier(&["summary", "results.db", "--findings", "--all"]).expect(2).stdout;
    let server = Server::start(&shop.bench, &[]);
    let rest: Value = serde_json::from_str(&server.body("/api/v1/findings?limit=1000")).unwrap();
    let page = server.body("/findings");
    let report = ["report", "results.db", "--format", "json", "--table", "findings", "--all"];
    let report = shop.luthier(&report).expect(2).json();
    let report = report["tables"]["findings"].as_array().unwrap();
    for (kind, count) in rest["counts"].as_object().unwrap() {
        let count = count.as_u64().unwrap();
        assert_eq!(summary.get(kind).copied().unwrap_or_default(), count, "{kind}");
        let listed = report.iter().filter(|one| one["kind"] == kind.as_str()).count() as u64;
        assert_eq!(listed, count, "{kind} in the report");
        let kind_and_count = FindingKind::from_name(kind).unwrap().title().to_owned();
        let heading = format!("{kind_and_count} ({count})");
        assert_eq!(page.contains(&heading), count > 0, "{heading}");
        assert_eq!(text.contains(&heading.to_uppercase()), count > 0, "{heading}: {text}");
    }
    // The same findings, not only as many.
    let rows = rest["findings"]["items"].as_array().unwrap();
    let listed = shop.findings();
    assert_eq!(rows.len(), listed.len());
    for (row, one) in rows.iter().zip(&listed) {
        for name in ["kind", "query", "run", "runs", "said"] {
            assert_eq!(row[name], one[name], "{name} of {row} and {one}");
        }
        assert_eq!(row["solver"]["name"].as_str(), one["solver"].as_str());
    }
    let of_two = |one: &&Value| one["solver"] == "yes" && one["kind"] == "different-opinion";
    let opinion = listed.iter().find(of_two).unwrap();
    assert_eq!(opinion["runs"], 2, "a repetition is not another finding: {opinion}");
}
