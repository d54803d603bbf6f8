//! `luthier report` in all formats, on real campaigns with solvers that are small shell scripts.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::shop::{Shop, TWO, two_with};
use serde_json::Value;

/// Two sets, three solvers: one right, one wrong, one that crashes.
fn shop() -> Shop {
    let shop = Shop::new();
    shop.bench.write("set/one/a.smt2", two_with("luthier-expected sat"));
    shop.bench.write("set/two/b.smt2", two_with("status sat").replace('2', "3"));
    shop.bench.write("other/c_%.smt2", TWO.replace('2', "4"));
    shop.solver("yes", "echo sat; echo '((define-fun x () String \"ab\"))'");
    shop.solver("no", "echo unsat");
    shop.solver("ill", "kill -SEGV $$");
    shop.run(&["yes", "no", "ill"], &["--bench", "other"]);
    shop
}

fn report(shop: &Shop, arguments: &[&str]) -> crate::common::Run {
    shop.luthier(&[&["report", "results.db"][..], arguments].concat())
}

/// What `luthier summary` shows, the columns of which `report` has under other names.
#[test]
fn the_figures_are_those_of_the_summary() {
    let shop = shop();
    let document = report(&shop, &["--json"]).expect(2).json();
    let results = document["tables"]["results"].as_array().unwrap();
    let pairs = [
        ("total", "runs"),
        ("sat", "sat"),
        ("unsat", "unsat"),
        ("crash", "crash"),
        ("wrong", "wrong"),
        ("right", "right"),
        ("invalid_model", "invalid_model"),
        ("valid_model", "valid_model"),
        ("par2", "par2_runs"),
        ("cpu_seconds", "cpu_seconds"),
        ("wall_seconds", "wall_seconds"),
        ("cpu_seconds_decided", "cpu_seconds_decided"),
    ];
    let rows = shop.rows();
    assert_eq!(rows.len(), 6);
    for row in &rows {
        let same = |one: &&Value| one["solver"] == row["solver"] && one["set"] == row["set"];
        let result = results.iter().find(same).unwrap();
        for (summary, name) in pairs {
            assert_eq!(row[summary], result[name], "{summary} of {row}");
        }
    }
    // The terminal, digit by digit, against Markdown.
    let terminal = shop.luthier(&["summary", "results.db"]).expect(2).stdout;
    let columns = "set,solver,rank,solved,unique,runs,sat,unsat,par2_mean,cpu_seconds";
    let table = ["--table", "results", "--columns", columns];
    let markdown = report(&shop, &table).expect(2).stdout;
    let words = |line: &str| -> Vec<String> {
        line.replace(['|', ','], " ").split_whitespace().map(str::to_owned).collect()
    };
    for row in &rows {
        let (solver, set) = (row["solver"].as_str().unwrap(), row["set"].as_str().unwrap());
        // In the group of the set: rank, solver, solved, unique, total, sat, unsat, …, PAR2, CPU time.
        let group = terminal.lines().skip_while(|line| !line.starts_with(&format!("{set} (")));
        let shown = group.map(words).find(|words| words.get(1).is_some_and(|word| word == solver));
        let shown = shown.unwrap_or_else(|| panic!("{solver} on {set}: {terminal}"));
        let written = markdown
            .lines()
            .map(words)
            .find(|words| words.starts_with(&[set.into(), solver.into()]));
        let written = written.unwrap();
        assert_eq!(shown[0], written[2], "{solver} on {set}");
        assert_eq!(shown[2..7], written[3..8], "{solver} on {set}");
        assert_eq!(shown[shown.len() - 2..], written[written.len() - 2..], "{solver} on {set}");
    }
}

#[test]
fn every_format_comes_by_name_and_by_ending() {
    let shop = shop();
    for (format, ending, begin) in [
        ("latex", "tex", "% Needs in the preamble"),
        ("asciidoc", "adoc", "= Results"),
        ("markdown", "md", "# Results: results"),
        ("html", "html", "<!DOCTYPE html>"),
        ("csv", "csv", "set,solver,rank,"),
        ("json", "json", "{\"version\":2,"),
        ("junit", "xml", "<?xml"),
    ] {
        let by_name = report(&shop, &["--format", format]).expect(2).stdout;
        let file = format!("out.{ending}");
        let by_ending = report(&shop, &["--out", &file]).expect(2);
        assert_eq!(by_ending.stdout, "");
        let written = std::fs::read_to_string(shop.bench.path(&file)).unwrap();
        assert_eq!(by_name, written, "{format}");
        assert!(written.starts_with(begin), "{format}: {written}");
    }
    let tikz = report(&shop, &["--format", "tikz"]).expect(2).stdout;
    assert!(tikz.matches("\\begin{tikzpicture}").count() >= 4, "{tikz}");
    let whole = report(&shop, &["--format", "latex", "--standalone"]).expect(2).stdout;
    assert!(whole.starts_with("\\documentclass") && whole.contains("tikzpicture"), "{whole}");
    let unknown = report(&shop, &["--out", "out.doc"]).expect(1);
    assert!(unknown.stderr.contains("--format"), "{unknown:?}");
    let names = std::fs::read_dir(shop.bench.path("")).unwrap();
    let hidden = names
        .filter(|one| one.as_ref().unwrap().file_name().to_string_lossy().starts_with(".luthier-"));
    assert_eq!(hidden.count(), 0, "nothing is left behind");
}

#[test]
fn sets_tracks_solvers_columns_and_order_are_chosen() {
    let shop = shop();
    let csv = |arguments: &[&str]| {
        let run = report(&shop, &[arguments, &["--format", "csv"]].concat());
        (run.code, run.stdout.replace("\r\n", "\n"))
    };
    let columns = ["--table", "results", "--columns", "set,solver,instances"];
    let all = csv(&[&columns[..], &["--solver", "no", "--solver", "yes"]].concat());
    let best = "virtual best";
    let expected = format!(
        "set,solver,instances\nother,no,1\nother,yes,1\nother,{best},1\nset,no,2\nset,yes,2\nset,{best},2\n"
    );
    assert_eq!(all, (2, expected));
    let one = csv(&[&columns[..], &["--track", "set/one", "--solver", "yes"]].concat());
    assert_eq!(one, (0, format!("set,solver,instances\nset,yes,1\nset,{best},1\n")));
    let sorted = csv(&["--columns", "solver,crash", "--sort=-crash", "--set", "set"]);
    assert_eq!(sorted, (2, format!("solver,crash\nill,2\nyes,0\nno,0\n{best},1\n")));
    let crashed = csv(&["--columns", "solver,instances", "--filter", "wrong", "--solver", "no"]);
    assert_eq!(crashed, (2, format!("solver,instances\nno,2\n{best},2\n")));
    let sections = report(&shop, &["--section", "leads,totals"]).expect(2).stdout;
    let headings: Vec<&str> =
        sections.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(headings, ["Overall results", "Biggest lead"]);
    let title = report(&shop, &["--title", "My *results*"]).expect(2).stdout;
    assert!(title.starts_with("# My \\*results\\*\n"), "{title}");
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    let shop = shop();
    for (arguments, message, hint) in [
        (["--set", "sets"], "there is no set \"sets\"", "other, set"),
        (["--track", "set/three"], "there is no track", "set/one, set/two"),
        (["--solver", "maybe"], "there is no solver \"maybe\"", "yes, no, ill"),
        (["--columns", "sloved"], "has no column \"sloved\"", "solved_share"),
        (["--sort", "-x"], "has no column \"x\"", "par2_mean"),
        (["--filter", "bad"], "\"show\" cannot be \"bad\"", "unique"),
        (["--filter", "color=red"], "\"color\" is no key", "feature"),
        (["--section", "end"], "there is no such section", "operators"),
        (["--chart", "pie"], "there is no such chart", "cactus"),
        (["--chart", "timeline"], "no solver has several versions", "z3@5.4.0"),
        (["--out", "no/folder/x.md"], "cannot be written", "such a folder"),
    ] {
        let run = report(&shop, &arguments).expect(1);
        assert!(run.stderr.contains(message) && run.stderr.contains(hint), "{run:?}");
    }
}

#[test]
fn findings_have_the_answer_and_the_ground_truth() {
    let shop = shop();
    let rows = report(&shop, &["--format", "json", "--table", "findings"]).expect(2).json();
    let findings = rows["tables"]["findings"].as_array().unwrap();
    let shown: Vec<String> = findings
        .iter()
        .map(|one| {
            ["kind", "place", "solver", "class", "expected", "evidence"]
                .map(|name| one[name].as_str().unwrap_or("-"))
                .join(" ")
        })
        .collect();
    let wrong = |one: &&String| {
        one.starts_with("wrong-unsat set/") && one.ends_with("/a.smt2 no unsat sat planted")
    };
    assert_eq!(shown.iter().filter(wrong).count(), 1, "{shown:?}");
    let crash = findings.iter().find(|one| one["kind"] == "crash").unwrap();
    assert_eq!(crash["detail"], "signal 11 (SIGSEGV)");
    let invalid = findings.iter().find(|one| one["kind"] == "invalid-model").unwrap();
    assert!(invalid["detail"].as_str().unwrap().contains("str.len"), "{invalid}");
}

#[test]
fn charts_come_as_the_ending_says() {
    let shop = shop();
    let chart = |kind: &str, file: &str| {
        let arguments = ["--chart", kind, "--solver", "yes", "--solver", "no", "--out", file];
        report(&shop, &arguments).expect(0);
        std::fs::read(shop.bench.path(file)).unwrap()
    };
    for kind in ["cactus", "scatter", "distribution", "operators", "histogram"] {
        let svg = String::from_utf8(chart(kind, "x.svg")).unwrap();
        assert!(svg.starts_with("<?xml") && svg.contains("<svg"), "{kind}");
        let tex = String::from_utf8(chart(kind, "x.tex")).unwrap();
        assert!(tex.contains("\\begin{tikzpicture}"), "{kind}");
    }
    assert!(chart("cactus", "x.png").starts_with(b"\x89PNG"));
    let scatter = String::from_utf8(chart("scatter", "y.svg")).unwrap();
    assert!(scatter.contains("yes") && scatter.contains("no"), "{scatter}");
    let run = report(&shop, &["--chart", "cactus", "--out", "x.pdf"]).expect(1);
    assert!(run.stderr.contains(".svg, .png or .tex"), "{run:?}");
    let stdout = report(&shop, &["--chart", "cactus"]).expect(0).stdout;
    assert!(stdout.contains("<svg"), "{stdout}");
}

#[test]
fn with_exit_zero_a_wrong_answer_is_written_and_no_failure() {
    let shop = Shop::with(&two_with("luthier-expected sat"));
    shop.solver("no", "echo unsat");
    shop.run(&["no"], &[]).expect(2);
    let plain = shop.luthier(&["report", "results.db"]).expect(2).stdout;
    let calm = shop.luthier(&["report", "results.db", "--exit-zero"]).expect(0).stdout;
    assert!(calm.contains("set/a.smt2") && calm == plain, "{calm}");
    // What has nothing to do with findings keeps its code.
    shop.luthier(&["report", "missing.db", "--exit-zero"]).expect(1);
}
