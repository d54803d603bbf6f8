//! What somebody at a terminal sees: status lines that move, tables that fit.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::collections::BTreeSet;

use luthier_report::text_width;

use crate::common::shop::{Shop, TWO, two_with};
use crate::common::terminal::at_terminal;

const RUN: [&str; 7] = ["run", "--bench", "set", "--db", "results.db", "--jobs", "1"];

#[test]
fn the_status_line_of_a_campaign_moves_while_no_run_ends() {
    let shop = Shop::with(TWO);
    shop.solver("slow", "sleep 4; echo sat");
    let seen = at_terminal(&shop, 100, &[&RUN[..], &["--solver", "slow"]].concat());
    assert_eq!(seen.code, 0, "{}", seen.text);
    let frames = seen.frames();
    let running: Vec<&&str> = frames.iter().filter(|one| one.contains("0 of 1 runs")).collect();
    assert!(running.len() >= 4, "{frames:?}");
    // It shows what is run and for how long, and that changes each second.
    let times: BTreeSet<&str> = running
        .iter()
        .filter_map(|frame| frame.split("  ").find_map(|part| part.strip_suffix(" slow on a.smt2")))
        .collect();
    assert!(
        times.contains("0:01") && times.contains("0:02") && times.contains("0:03"),
        "{frames:?}"
    );
    for frame in &frames {
        assert!(text_width(frame) < 100, "{frame}");
    }
    assert!(running[0].starts_with("[....................]   0%  0 of 1 runs"), "{frames:?}");
    // Between two pieces of output less than a second passes, with a wide margin for a busy machine.
    let longest = seen.pieces.windows(2).map(|pair| pair[1].0 - pair[0].0).max().unwrap();
    assert!(longest.as_secs_f64() < 2.0, "{longest:?}");
    // In the end the line is gone and the summary stands there.
    assert!(seen.text.contains("1 run executed"), "{}", seen.text);
}

#[test]
fn the_status_line_has_share_rate_time_left_and_findings() {
    let shop = Shop::new();
    for number in 1..=4 {
        let text = two_with("luthier-expected sat").replace(" 2)", &format!(" {number})"));
        shop.bench.write(&format!("set/{number}.smt2"), text);
    }
    let script = "case $(cat) in *' 1)'*) echo unsat;; \
                  *' 2)'*) echo sat; echo '((define-fun x () String \"\"))';; \
                  *) sleep 1; echo sat;; esac";
    shop.solver("liar", script);
    let seen = at_terminal(&shop, 120, &[&RUN[..], &["--solver", "liar"]].concat());
    assert_eq!(seen.code, 2, "{}", seen.text);
    let frames = seen.frames();
    let found = |frame: &&&str| {
        frame.contains("[##########..........]  50%  2 of 4 runs")
            && frame.contains("/s  ")
            && frame.contains(" left  1 WRONG  1 INVALID MODELS  ")
            && frame.contains(" liar on 3.smt2")
    };
    assert!(frames.iter().any(|frame| found(&frame)), "{frames:#?}");
}

#[test]
fn a_pipe_gets_no_status_line() {
    let shop = Shop::with(TWO);
    shop.solver("slow", "sleep 1; echo sat");
    let run = shop.run(&["slow"], &[]).expect(0);
    assert!(!run.stderr.contains('\r') && !run.stderr.contains('\u{1b}'), "{run:?}");
    assert!(!run.stderr.contains("0 of 1 runs"), "{run:?}");
}

#[test]
fn the_status_line_of_a_hunt_has_share_rate_and_time_left() {
    let shop = Shop::new();
    shop.solver("mute", "sleep 1");
    let arguments = ["hunt", "mute", "--suite", "planted", "--time", "2s", "--jobs", "1"];
    let seen = at_terminal(&shop, 100, &arguments);
    let frames = seen.frames();
    let moving: BTreeSet<&&str> = frames.iter().collect();
    assert!(moving.len() >= 3, "{frames:?}");
    let has_all =
        |frame: &&&str| frame.contains('%') && frame.contains(" formulas") && frame.contains("/s");
    assert!(frames.iter().filter(has_all).count() >= 3, "{frames:?}");
    assert!(frames.iter().any(|frame| frame.contains(" left")), "{frames:?}");
}

#[test]
fn the_summary_fits_100_columns_and_less_with_what_decides() {
    let shop = Shop::with(&two_with("luthier-expected sat"));
    shop.bench.write("other/b.smt2", TWO.replace('2', "3"));
    shop.solver("yes-with-a-name", "echo sat; echo '((define-fun x () String \"\"))'");
    shop.solver("no-with-a-name", "echo unsat");
    shop.solver("ill", "kill -SEGV $$");
    let solvers = ["yes-with-a-name", "no-with-a-name", "ill"];
    shop.run(&solvers, &["--bench", "other"]).expect(2);
    for columns in [200, 100, 80, 60] {
        let seen = at_terminal(&shop, columns, &["summary", "results.db"]);
        let table = &seen.text[seen.text.find("rank").unwrap()..];
        for line in table.lines() {
            assert!(text_width(line.trim_end()) <= columns, "{columns}: {table}");
        }
        for title in ["rank", "solver", "solved", "crash", "WRONG", "inv. model", "PAR2 mean"] {
            assert!(table.contains(title), "{title} at {columns}: {table}");
        }
        let parts = if columns >= 100 { 1 } else { 2 };
        assert!(table.matches("rank").count() <= parts + 2, "{columns}: {table}");
        if columns == 100 {
            assert!(!table.contains("split into"), "{table}");
            assert!(table.contains("virtual best") && table.contains("all sets ("), "{table}");
        }
    }
}
