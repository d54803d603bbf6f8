//! Runs the abstraction on files: `abstraction Z3 SECONDS [-v] [-s] < LIST`, where every line of the
//! list is a path and the expected answer, with a tab between them. With `-s` the problem is
//! simplified first.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::io::BufRead;
use std::time::{Duration, Instant};

use luthier_smtlib::{ReadOptions, read_script};
use luthier_solver::arithmetic::Backend;
use luthier_solver::rewrite::simplify;
use luthier_solver::{Budget, Cancel, Portfolio, Problem, Proof, Verdict, strategy};
use luthier_terms::TermPool;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, program, seconds, options @ ..] = &arguments[..] else {
        return Err("usage: abstraction Z3 SECONDS [-v] [-s] < LIST".into());
    };
    let backend = Backend::z3(program);
    let portfolio = Portfolio { backend: Some(backend), ..Portfolio::default() };
    let engine = strategy::engine("abstraction").and_then(|entry| entry.build(&portfolio));
    let engine = engine.expect("the strategy has the engine, and there is arithmetic");
    let limit = Duration::from_secs_f64(seconds.parse()?);
    let verbose = options.iter().any(|option| option == "-v");
    let simplified = options.iter().any(|option| option == "-s");
    let (mut proved, mut unsat, mut sat, mut wrong) = (0, 0, 0, 0);
    let mut times: Vec<Duration> = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (path, expected) = line.split_once('\t').unwrap_or((&line, ""));
        let problem = read(path)?;
        let start = Instant::now();
        let budget = Budget::until_cancelled(Cancel::new()).at_most(limit);
        let verdict = if simplified {
            let simplified = simplify(&problem, &budget);
            match simplified.contradiction {
                Some(argument) => Verdict::Unsat(Proof { engine: "rewrite", argument }),
                None => engine.run(&simplified.problem, &budget),
            }
        } else {
            engine.run(&problem, &budget)
        };
        let time = start.elapsed();
        times.push(time);
        let (answer, reason) = match &verdict {
            Verdict::Sat(_) => ("sat", String::new()),
            Verdict::Unsat(proof) => ("unsat", proof.argument.clone()),
            Verdict::Unknown(reason) => ("unknown", reason.to_string()),
        };
        unsat += usize::from(expected == "unsat");
        sat += usize::from(expected == "sat");
        proved += usize::from(expected == "unsat" && answer == "unsat");
        if expected == "sat" && answer == "unsat" {
            wrong += 1;
            println!("WRONG\t{path}\t{reason}");
        }
        if verbose {
            println!("{answer}\t{expected}\t{:.3}\t{path}\t{reason}", time.as_secs_f64());
        }
    }
    times.sort_unstable();
    let at = |percent: usize| {
        times.get(times.len() * percent / 100).copied().unwrap_or_default().as_secs_f64()
    };
    println!(
        "unsat proved {proved} of {unsat}; sat called unsat {wrong} of {sat}; \
         wall seconds median {:.3}, 90 % {:.3}, longest {:.3}",
        at(50),
        at(90),
        times.last().copied().unwrap_or_default().as_secs_f64()
    );
    Ok(())
}

/// The assertions of the first query of a file.
fn read(path: &str) -> Result<Problem, Box<dyn Error>> {
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, &std::fs::read(path)?, &ReadOptions::default());
    if let Some(error) = reading.errors().next() {
        return Err(format!("{path}: {error:?}").into());
    }
    let query = reading.script.queries().next().ok_or_else(|| format!("{path}: no question"))?;
    let assertions = query.assertions.iter().map(|active| active.assertion.term);
    let assertions = assertions.chain(query.assumptions.iter().copied()).collect();
    Ok(Problem { pool: pool.into(), assertions })
}
