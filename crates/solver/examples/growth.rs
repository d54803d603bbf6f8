//! Measures how encodings of the flat engine grow with the number of blocks, as tables: `growth
//! SECONDS PERIOD [ENCODING…]`, with Z3 from `LUTHIER_Z3`.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a tool for those who work on engines"
)]

use std::time::Duration;

use luthier_solver::arithmetic::Backend;
use luthier_solver::measure::{Cost, Encoding, cost};
use luthier_solver::{Budget, Cancel, NotSubstring, UnknownReason};

const BLOCKS: [usize; 6] = [2, 3, 5, 10, 20, 40];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().unwrap().parse().unwrap();
    let period: usize = arguments.next().unwrap().parse().unwrap();
    let wanted: Vec<String> = arguments.collect();
    let backend = Backend::z3(std::env::var_os("LUTHIER_Z3").unwrap());
    let forms = NotSubstring::ALL.map(Encoding::NotSubstring);
    for encoding in [Encoding::Alignment].into_iter().chain(forms) {
        let name = match encoding {
            Encoding::Alignment => "alignment".to_owned(),
            Encoding::NotSubstring(form) => form.to_string(),
        };
        if !wanted.is_empty() && !wanted.contains(&name) {
            continue;
        }
        println!("| {name}: blocks | nodes | kB sent | Z3 s | Z3 MB | checks | |");
        println!("|---:|---:|---:|---:|---:|---:|---|");
        let mut sizes = Vec::new();
        let mut times = Vec::new();
        for blocks in BLOCKS {
            let budget =
                Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs_f64(seconds));
            let cost = match cost(&backend, encoding, blocks, period, &budget) {
                Ok(cost) => cost,
                Err(reason) => {
                    println!("| {blocks} | | | | | | {reason} |");
                    continue;
                }
            };
            row(blocks, &cost);
            // The size of what the solver asks for is unknown when it has not ended.
            let lazy = encoding == Encoding::NotSubstring(NotSubstring::Lazy);
            if cost.failure.is_none() || !lazy {
                sizes.push((blocks, cost.nodes as f64));
            }
            if cost.failure.is_none() {
                times.push((blocks, cost.time.as_secs_f64()));
            }
        }
        println!("\nnodes grow as n^{}, time as n^{}\n", slope(&sizes), slope(&times));
    }
}

fn row(blocks: usize, cost: &Cost) {
    let memory = cost.memory.map_or("?".to_owned(), |bytes| format!("{:.0}", bytes as f64 / 1e6));
    let failure = match &cost.failure {
        None => String::new(),
        Some(UnknownReason::Timeout) => "time is over".to_owned(),
        Some(reason) => reason.to_string(),
    };
    println!(
        "| {blocks} | {} | {:.1} | {:.2} | {memory} | {} | {failure} |",
        cost.nodes,
        cost.bytes as f64 / 1e3,
        cost.time.as_secs_f64(),
        cost.checks,
    );
}

/// The slope of the line through the last three points, both axes logarithmic.
fn slope(points: &[(usize, f64)]) -> String {
    let last = &points[points.len().saturating_sub(3)..];
    if last.len() < 2 {
        return "?".to_owned();
    }
    let logs: Vec<(f64, f64)> = last.iter().map(|&(n, y)| ((n as f64).ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let mean_x = logs.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = logs.iter().map(|point| point.1).sum::<f64>() / count;
    let both: f64 = logs.iter().map(|&(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let square: f64 = logs.iter().map(|&(x, _)| (x - mean_x).powi(2)).sum();
    format!("{:.1}", both / square)
}
