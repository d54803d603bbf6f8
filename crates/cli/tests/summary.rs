//! `luthier summary` and `luthier show`: the shape of what they print, and figures by hand.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::shop::{Shop, TWO, classes, two_with};
use serde_json::Value;

const FIELDS: [&str; 17] = [
    "solver",
    "set",
    "total",
    "sat",
    "unsat",
    "unknown",
    "timeout",
    "memout",
    "crash",
    "unsupported",
    "framework_error",
    "wrong",
    "invalid_model",
    "invalid_core",
    "par2",
    "cpu_seconds",
    "wall_seconds",
];

#[test]
fn the_json_is_an_array_with_one_object_per_configuration_and_set() {
    let shop = Shop::with(TWO);
    shop.bench.write("other/b.smt2", TWO.replace('2', "3"));
    shop.solver("one", "echo sat");
    shop.solver("two", "echo unknown");
    shop.run(&["one", "two"], &["--bench", "other"]).expect(0);
    let summary = shop.luthier(&["summary", "results.db", "--json"]).expect(0);
    assert_eq!(summary.stdout.matches('\n').count(), 1);
    let rows: Vec<Value> = serde_json::from_str(&summary.stdout).unwrap();
    let keys: Vec<_> = rows.iter().map(|row| (row["solver"].clone(), row["set"].clone())).collect();
    let expected = [("one", "other"), ("one", "set"), ("two", "other"), ("two", "set")];
    assert_eq!(keys, expected.map(|(solver, set)| (Value::from(solver), Value::from(set))));
    for row in &rows {
        for field in FIELDS {
            let value = &row[field];
            assert!(value.is_string() || value.is_number(), "{field} of {row}");
        }
        assert!(FIELDS[2..14].iter().all(|field| row[field].is_u64()), "{row}");
    }
    // `luthier run --json` says the same.
    let run = shop.run(&["one", "two"], &["--bench", "other", "--json"]).expect(0).json();
    assert_eq!(run["summary"], Value::Array(rows));
}

#[test]
fn par2_is_the_time_of_answers_and_twice_the_limit_for_all_else() {
    let shop = Shop::new();
    // What the solver does is the logic's comment: five answers of every kind.
    for (name, information, length) in [
        ("right", "luthier-expected sat", 0),
        ("wrong", "luthier-expected unsat", 1),
        ("unjudged", "source |nobody|", 2),
        ("invalid", "source |nobody|", 3),
        ("silent", "source |nobody|", 4),
        ("killed", "source |nobody|", 5),
        ("gives-up", "source |nobody|", 6),
    ] {
        let text = two_with(information).replace(" 2)", &format!(" {length})"));
        shop.bench.write(&format!("set/{name}.smt2"), text);
    }
    let script = "length=$(sed -n 's/.*(str.len x) \\([0-9]\\).*/\\1/p')\n\
                  i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done\n\
                  case $length in 0|1|2) echo sat;;\n\
                  3) echo sat; echo '((define-fun x () String \"\"))';;\n\
                  4) ;;\n5) kill -KILL $$;;\n6) echo unknown;; esac";
    shop.solver("one", script);
    shop.run(&["one"], &["--timeout", "30s", "--repeat", "2"]).expect(2);
    let row = shop.row("one");
    assert_eq!(classes(&row), "sat 8 unknown 2 malformed 2 framework_error 2");
    let counts = ["wrong", "invalid_model", "right", "total"].map(|name| row[name].clone());
    assert_eq!(counts, [2, 2, 2, 14]);
    // Right and unjudged answers cost what they took; wrong, invalid, silent and unknown ones cost
    // twice 30 seconds; what was killed from outside costs nothing.
    let runs: Vec<Value> = (1..=14).map(|run| shop.show(run)).collect();
    let name = |run: &Value| run["instances"][0].as_str().unwrap().to_owned();
    let answered = runs
        .iter()
        .filter(|run| ["set/right.smt2", "set/unjudged.smt2"].contains(&name(run).as_str()));
    let answered: f64 = answered.map(|run| run["cpu_seconds"].as_f64().unwrap()).sum();
    let expected = answered + 8.0 * 2.0 * 30.0;
    let par2 = row["par2"].as_f64().unwrap();
    assert!((par2 - expected).abs() < 1e-6, "{par2} is not {expected}");
    let mean = row["par2_mean"].as_f64().unwrap();
    assert!((mean - expected / 12.0).abs() < 1e-6, "{mean}");
    for (total, one) in [("cpu_seconds", "cpu_seconds"), ("wall_seconds", "wall_seconds")] {
        let sum: f64 = runs.iter().map(|run| run[one].as_f64().unwrap()).sum();
        let total = row[total].as_f64().unwrap();
        assert!((total - sum).abs() < 1e-6 && total > 0.0, "{total} is not {sum}");
    }
}

#[test]
fn the_table_says_what_the_json_says() {
    let shop = Shop::with(&two_with("luthier-expected sat"));
    shop.solver("one", "echo unsat");
    shop.solver("two", "kill -SEGV $$");
    shop.run(&["one", "two"], &[]).expect(2);
    let text = shop.luthier(&["summary", "results.db"]).expect(2).stdout;
    let line = |key: &str| {
        // The table comes after the findings; the key is the second column.
        let cells_of = |line: &str| -> Vec<String> {
            // Titles may have blanks in them; columns are two blanks apart.
            let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
            cells.map(str::to_owned).collect()
        };
        let mut rows = text.lines().rev().map(cells_of);
        rows.find(|cells| cells.get(1).is_some_and(|cell| cell == key))
            .unwrap_or_else(|| panic!("{key}: {text}"))
    };
    let titles = line("solver");
    let cell = |row: &str, title: &str| {
        line(row)[titles.iter().position(|one| one == title).unwrap()].clone()
    };
    assert_eq!(["total", "unsat", "WRONG"].map(|title| cell("one", title)), ["1", "1", "1"]);
    assert_eq!(["total", "crash", "WRONG"].map(|title| cell("two", title)), ["1", "1", "0"]);
    assert!(!text.contains("memout"), "columns without anything are left out: {text}");
    assert!(text.contains("WRONG ANSWERS: UNSAT (1)\n  set/a.smt2\n"), "{text}");
}

/// Two sets; `quick` solves all, `half` only what is in the set `set`, `late` was run on `set` only.
#[test]
fn solvers_of_a_set_stand_by_rank_with_the_virtual_best_and_totals_last() {
    let shop = Shop::with(&two_with("luthier-expected sat"));
    shop.bench.write("other/b.smt2", two_with("luthier-expected sat").replace(" 2)", " 3)"));
    let half = "case $(cat) in *' 3)'*) echo unknown;; *) i=0; \
                while [ $i -lt 200000 ]; do i=$((i+1)); done; echo sat;; esac";
    shop.solver("half", half);
    shop.solver("quick", "echo sat");
    shop.solver("late", "echo unknown");
    shop.run(&["half", "quick"], &["--bench", "other"]).expect(0);
    shop.run(&["late"], &[]).expect(0);
    let text = shop.luthier(&["summary", "results.db"]).expect(0).stdout;
    let rows: Vec<String> = text
        .lines()
        .map(|line| line.split_whitespace().take(3).collect::<Vec<_>>().join(" "))
        .collect();
    let expected = [
        "other (1 instance)",
        "1 quick 1",
        "2 half 0",
        "virtual best 1",
        "",
        "set (1 instance)",
        "1 quick 1",
        "2 half 1",
        "3 late 0",
        "virtual best 1",
        "",
        "all sets (2",
        "1 quick 2",
        "2 half 1",
        "3* late 0",
        "virtual best 2",
    ];
    let begin = rows.iter().position(|row| row == expected[0]).unwrap();
    assert_eq!(rows[begin..begin + expected.len()], expected, "{text}");
    assert!(text.contains("* ranked over fewer instances"), "{text}");

    let rows = shop.rows();
    let row = |solver: &str, set: &str| {
        rows.iter().find(|row| row["solver"] == solver && row["set"] == set).unwrap()
    };
    let half = row("half", "other");
    assert_eq!(
        (&half["rank"], &half["solved"], &half["unique"]),
        (&2.into(), &0.into(), &0.into())
    );
    assert_eq!(half["virtual_best"]["solved"], 1);
    assert_eq!((&half["all_sets"]["rank"], &half["all_sets"]["solved"]), (&2.into(), &1.into()));
    assert_eq!(half["all_sets"]["virtual_best"]["solved"], 2);
    assert_eq!(row("quick", "other")["unique"], 1);
    let late = row("late", "set");
    assert_eq!((&late["rank"], &late["comparable"]), (&3.into(), &true.into()));
    assert_eq!(
        (&late["all_sets"]["missing"], &late["all_sets"]["comparable"]),
        (&1.into(), &false.into())
    );
    assert_eq!(rows.len(), 5, "a row for each solver and set that have runs");
}

#[test]
fn a_single_set_has_no_totals_and_a_single_solver_no_virtual_best() {
    let shop = Shop::with(TWO);
    shop.solver("one", "echo sat");
    shop.run(&["one"], &[]).expect(0);
    let text = shop.luthier(&["summary", "results.db"]).expect(0).stdout;
    assert!(text.contains("\nset (1 instance)\n"), "{text}");
    assert!(!text.contains("all sets") && !text.contains("virtual best"), "{text}");
}

#[test]
fn many_findings_are_cut_unless_all_are_wanted() {
    let shop = Shop::new();
    for number in 0..8 {
        let text = two_with("luthier-expected sat").replace(" 2)", &format!(" {number})"));
        shop.bench.write(&format!("set/{number}.smt2"), text);
    }
    shop.solver("one", "echo unsat");
    shop.run(&["one"], &[]).expect(2);
    let some = shop.luthier(&["summary", "results.db", "--findings"]).expect(2).stdout;
    assert!(some.contains("WRONG ANSWERS: UNSAT (8)") && some.contains("… 3 more"), "{some}");
    assert_eq!(some.matches("luthier show results.db").count(), 5);
    let all = shop.luthier(&["summary", "results.db", "--findings", "--all"]).expect(2).stdout;
    assert_eq!(all.matches("luthier show results.db").count(), 8);
    assert_eq!(shop.findings().len(), 8);
}

#[test]
fn what_is_no_database_is_said_to_be_none() {
    let shop = Shop::with(TWO);
    shop.bench.write("empty.db", "");
    for (file, expected) in [
        ("set/a.smt2", "set/a.smt2: is not a Luthier database"),
        ("empty.db", "empty.db: is not a Luthier database"),
        ("missing.db", "missing.db: no such file"),
        ("set", "set: "),
    ] {
        for arguments in [&["summary", file][..], &["show", file, "1"]] {
            let run = shop.luthier(arguments).expect(1);
            assert!(run.stderr.contains(expected) && run.stdout.is_empty(), "{run:?}");
        }
    }
    assert!(!shop.bench.path("missing.db").exists());
}

#[test]
fn a_run_is_shown_with_each_of_its_parts() {
    let text = two_with("luthier-expected unsat");
    let shop = Shop::with(&text);
    shop.solver("one", "echo sat; echo 'a \u{7} bell' >&2; printf 'no newline \\377'");
    shop.run(&["one"], &["--seed", "9"]).expect(2);
    let part = |name: &str| {
        let mut command = shop.command(&["show", "results.db", "1", name]);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        output.stdout
    };
    assert_eq!(part("--input"), text.as_bytes());
    assert_eq!(part("--stdout"), b"sat\nno newline \xff");
    assert_eq!(part("--stderr"), "a \u{7} bell\n".as_bytes());
    let copy = String::from_utf8(part("--copy")).unwrap();
    assert!(copy.starts_with("(set-option :produce-models true)\n"), "{copy}");
    assert!(!copy.contains("luthier-expected"), "the solver must not see it: {copy}");

    let shown = shop.luthier(&["show", "results.db", "1"]).expect(0).stdout;
    for expected in [
        "solver     one --seed=9 {file}",
        "instance   set/a.smt2",
        "class      sat",
        "ended by   exit code 0",
        "said       sat: wrong (by planted)",
        "luthier show results.db 1 --copy | ",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    let json = shop.show(1);
    assert_eq!(json["answers"][0]["judgement"], "wrong");
    assert_eq!(json["repetition"], 0);

    let missing = shop.luthier(&["show", "results.db", "2"]).expect(1);
    assert!(missing.stderr.contains("has no run 2"), "{missing:?}");
    shop.luthier(&["show", "results.db", "one"]).expect(1);
    shop.luthier(&["show", "results.db", "1", "--copy", "--input"]).expect(1);
}

#[test]
fn names_of_files_cannot_play_tricks_on_a_terminal_or_a_shell() {
    let shop = Shop::new();
    shop.bench.write("set/it's \u{1b}[31m $(touch gone).smt2", two_with("luthier-expected sat"));
    shop.solver("one", "echo unsat; echo '\u{1b}[2J' >&2");
    shop.run(&["one '$(touch gone)'"], &["--db", "my results.db"]).expect(2);
    let arguments = ["summary", "my results.db"];
    let text = shop.luthier(&arguments).expect(2).stdout;
    assert!(!text.contains('\u{1b}') && text.contains("it's "), "{text:?}");
    let shown = shop.luthier(&["show", "my results.db", "1"]).expect(0).stdout;
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
    let command = text.lines().find_map(|line| line.trim().strip_prefix("$ ")).unwrap();
    let line = command.replacen("luthier", env!("CARGO_BIN_EXE_luthier"), 1);
    let mut again = std::process::Command::new("/bin/sh");
    again.args(["-c", &line]).current_dir(shop.bench.path("."));
    shop.prepare(&mut again);
    assert_eq!(crate::common::shop::finish(again).expect(0).stdout, "unsat\n");
    assert!(!shop.bench.path("gone").exists());
}

#[test]
fn a_dispute_names_everybody_beside_the_verdict_in_full() {
    let shop = Shop::with(&two_with("source |nobody|"));
    let unsat: Vec<String> =
        (0..6).map(|number| format!("a-solver-with-a-rather-long-name-{number}")).collect();
    shop.solver("lonely", "echo sat");
    for name in &unsat {
        shop.solver(name, "echo unsat");
    }
    let all: Vec<&str> = ["lonely"].into_iter().chain(unsat.iter().map(String::as_str)).collect();
    shop.run(&all, &[]).expect(0);
    let text = shop.luthier(&["summary", "results.db", "--findings"]).expect(0).stdout;
    assert!(text.contains("DISPUTED") && text.contains("    sat: lonely\n"), "{text}");
    assert!(text.contains(&format!("    unsat: {}\n", unsat.join(", "))), "{text}");
    let finding = &shop.findings()[0];
    assert_eq!(finding["sat_by"], serde_json::json!(["lonely"]));
    assert_eq!(finding["unsat_by"], serde_json::json!(unsat));
}
