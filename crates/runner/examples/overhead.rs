//! Overhead of a supervised run over a bare fork and exec: `cargo run --release --example overhead [N]`.
//!
//! Supervised and bare runs are measured in alternating batches, and the medians of single runs are
//! compared, so that other load on the machine affects both alike.
#![allow(clippy::print_stdout, reason = "an example prints its figures")]

use std::env;
use std::process::{Command as BareCommand, Stdio};
use std::time::{Duration, Instant};

use luthier_runner::process::{Command, Limits, run};

const BATCH: usize = 50;

fn main() {
    let runs: usize = env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(1000);
    let command = Command::new("/bin/true");
    let limits = Limits::with_cpu(Duration::from_secs(10));
    // The first run starts the supervisor.
    let first = timed(|| {
        run(&command, &limits, None);
    });
    let (mut bare, mut bare_output, mut supervised) = (Vec::new(), Vec::new(), Vec::new());
    while bare.len() < runs {
        for _ in 0..BATCH {
            bare.push(timed(|| {
                let null = || Stdio::null();
                let _ = BareCommand::new("/bin/true").stdin(null()).stdout(null()).status();
            }));
        }
        for _ in 0..BATCH {
            bare_output.push(timed(|| {
                let _ = BareCommand::new("/bin/true").stdin(Stdio::null()).output();
            }));
        }
        for _ in 0..BATCH {
            supervised.push(timed(|| {
                run(&command, &limits, None);
            }));
        }
    }
    println!("{} runs of /bin/true each, median (mean) in microseconds", bare.len());
    println!("bare, fork/exec/wait     {}", figures(bare));
    println!("bare, output through pipes {}", figures(bare_output));
    println!("supervised               {}", figures(supervised));
    println!("first supervised run     {}", first.as_micros());
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn figures(mut times: Vec<Duration>) -> String {
    times.sort();
    let mean = times.iter().sum::<Duration>() / (times.len() as u32);
    format!("{} ({})", times[times.len() / 2].as_micros(), mean.as_micros())
}
