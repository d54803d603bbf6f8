//! Simplifies scripts and reports the result: `cargo run --example simplify -- FILE…`, or names of
//! files from standard input, one a line.
//!
//! One line for each file: the outcome (`false`, `true`, `open`), microseconds, distinct terms
//! before and after, and the name; with `--show` also the remaining assertions, with `--counts` the
//! rules.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to people")]

use std::collections::BTreeMap;
use std::io::BufRead;
use std::time::{Duration, Instant};

use luthier_smtlib::{Dialect, PrintOptions, ReadOptions, print_term, read_script};
use luthier_solver::rewrite::simplify;
use luthier_solver::{Budget, Cancel, Problem};
use luthier_terms::{PostOrder, TermPool};

fn main() {
    let mut shows = false;
    let mut counts_wanted = false;
    let mut names = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--show" => shows = true,
            "--counts" => counts_wanted = true,
            _ => names.push(argument),
        }
    }
    if names.is_empty() {
        names = std::io::stdin().lock().lines().map_while(Result::ok).collect();
    }
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for name in names {
        let Ok(bytes) = std::fs::read(&name) else {
            eprintln!("cannot read {name}");
            continue;
        };
        let mut pool = TermPool::new();
        let reading = read_script(&mut pool, &bytes, &ReadOptions::default());
        let Some(query) = reading.script.queries().next() else { continue };
        let assertions = query.assertions.iter().map(|active| active.assertion.term).collect();
        let problem = Problem { pool: pool.into(), assertions };
        let budget = Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs(5));
        let start = Instant::now();
        let simplified = simplify(&problem, &budget);
        let micros = start.elapsed().as_micros();
        let size = |problem: &Problem| {
            PostOrder::new(&problem.pool, problem.assertions.iter().copied()).count()
        };
        let outcome = match (&simplified.contradiction, simplified.problem.assertions.is_empty()) {
            (Some(_), _) => "false",
            (None, true) => "true",
            (None, false) => "open",
        };
        println!("{outcome}\t{micros}\t{}\t{}\t{name}", size(&problem), size(&simplified.problem));
        if shows && outcome == "open" {
            for &assertion in &simplified.problem.assertions {
                let options = PrintOptions::new(Dialect::Smt27);
                if let Ok(printed) = print_term(&simplified.problem.pool, assertion, &options) {
                    println!("    {}", String::from_utf8_lossy(&printed.bytes));
                }
            }
        }
        for (rule, count) in simplified.counts {
            *counts.entry(rule).or_default() += count;
        }
    }
    if counts_wanted {
        for (rule, count) in counts {
            eprintln!("{count}\t{rule}");
        }
    }
}
