//! `cargo xtask solve-tables PATH…`: what each engine of the strategy does on benchmark sets.
//!
//! A sample of each set is decided by the portfolio, as `luthier solve` does it. For each engine: how
//! often it was *reached* (it did not reject the problem; it may have been ended at once because
//! another had answered), how often it decided *first* (the verdict is its own), and its time. Then
//! each engine gets the problems that rewriting leaves open, all assertions at once: how many it
//! decides *alone*, within a limit of its own. Every model is evaluated by the referee; a wrong answer
//! is a finding.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use luthier_corpus::{Instance, Options, instances};
use luthier_generator::Dice;
use luthier_records::parse_duration;
use luthier_semantics::Evaluator;
use luthier_smtlib::{ReadOptions, read_script};
use luthier_solver::rewrite::{Simplified, simplify, skolemised};
use luthier_solver::strategy::{ENGINES, Entry};
use luthier_solver::{Budget, Cancel, Portfolio, Problem, Verdict};
use luthier_terms::TermPool;

use super::Ending;
use super::labelled::backend;
use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// Archives and folders; each is a set
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// How many files of each set
    #[arg(long, default_value_t = 10)]
    limit: usize,
    /// Other files for another seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Time of the portfolio for a file
    #[arg(long, default_value = "10s", value_parser = parse_duration)]
    timeout: Duration,
    /// Time of one engine alone
    #[arg(long, default_value = "2s", value_parser = parse_duration)]
    alone: Duration,
}

/// What one engine did on a set.
#[derive(Clone, Copy, Default)]
struct Row {
    reached: usize,
    first: usize,
    alone: usize,
    time: Duration,
}

/// What all engines did on a set.
#[derive(Default)]
struct Set {
    files: usize,
    solved: usize,
    engines: BTreeMap<&'static str, Row>,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let portfolio = Portfolio { backend: Some(backend()?), ..Portfolio::default() };
    let names: Vec<&str> = ENGINES.iter().map(|entry| entry.name).collect();
    output::data(format!("| set | files | solved | {} |", names.join(" | ")));
    output::data(format!("|---|---:|---:|{}", "---:|".repeat(names.len())));
    let mut faults = Vec::new();
    let mut all = Set::default();
    for path in &arguments.paths {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
        let name = name.split('.').next().unwrap_or_default().to_owned();
        let mut set = Set::default();
        for instance in sample(path, arguments)? {
            if let Some(problem) = read(&instance) {
                let complaints = examine(&problem, &portfolio, arguments, &mut set);
                faults
                    .extend(complaints.into_iter().map(|one| format!("{}: {one}", instance.name)));
            }
        }
        print_row(&name, &set);
        all.files += set.files;
        all.solved += set.solved;
        for (engine, row) in set.engines {
            let sum = all.engines.entry(engine).or_default();
            sum.reached += row.reached;
            sum.first += row.first;
            sum.alone += row.alone;
            sum.time += row.time;
        }
    }
    print_row("all", &all);
    output::talk("a cell: reached · decided first · decides alone · seconds in the portfolio");
    faults.iter().for_each(output::data);
    Ok(if faults.is_empty() { Ending::Fine } else { Ending::Findings })
}

fn print_row(name: &str, set: &Set) {
    let cell = |entry: &Entry| {
        let row = set.engines.get(entry.name).copied().unwrap_or_default();
        let Row { reached, first, alone, time } = row;
        match reached + alone {
            0 => "–".to_owned(),
            _ => format!("{reached} · {first} · {alone} · {:.1}", time.as_secs_f64()),
        }
    };
    let cells: Vec<String> = ENGINES.iter().map(cell).collect();
    output::data(format!("| {name} | {} | {} | {} |", set.files, set.solved, cells.join(" | ")));
}

/// A random sample of a set, by reservoir sampling.
fn sample(path: &PathBuf, arguments: &Arguments) -> Result<Vec<Instance>, Box<dyn Error>> {
    let mut dice = Dice::new(arguments.seed, 0);
    let mut chosen: Vec<Instance> = Vec::with_capacity(arguments.limit);
    for (number, instance) in instances(std::slice::from_ref(path), &Options::default()).enumerate()
    {
        let instance = instance?;
        if chosen.len() < arguments.limit {
            chosen.push(instance);
        } else if let at = dice.below(number + 1)
            && at < arguments.limit
        {
            chosen[at] = instance;
        }
    }
    Ok(chosen)
}

/// The problem of an instance with one question; `None` for others.
fn read(instance: &Instance) -> Option<Problem> {
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, &instance.bytes, &ReadOptions::default());
    let queries: Vec<_> = reading.script.queries().collect();
    let [query] = queries.as_slice() else { return None };
    if !reading.is_accepted() {
        return None;
    }
    let assertions = query.assertions.iter().map(|one| one.assertion.term).collect();
    Some(Problem { pool: pool.into(), assertions })
}

/// Counts what the engines do on a problem; contradictory answers and invalid models.
fn examine(
    problem: &Problem,
    portfolio: &Portfolio,
    arguments: &Arguments,
    set: &mut Set,
) -> Vec<String> {
    set.files += 1;
    let budget = || Budget::until_cancelled(Cancel::new());
    let solution = portfolio.solve(problem, &budget().at_most(arguments.timeout));
    let mut faults = solution.mistakes;
    for report in &solution.engines {
        if !report.outcome.starts_with("unsupported") {
            let row = set.engines.entry(report.engine).or_default();
            row.reached += 1;
            row.time += report.time;
        }
    }
    let decided = match &solution.verdict {
        Verdict::Sat(_) => Some(true),
        Verdict::Unsat(_) => Some(false),
        Verdict::Unknown(_) => None,
    };
    set.solved += usize::from(decided.is_some());
    let first = match &solution.verdict {
        Verdict::Unsat(proof) => Some(proof.engine),
        // The last report of a model is that of the engine which completed it.
        Verdict::Sat(_) => {
            let mut reports = solution.engines.iter().rev();
            reports.find(|one| one.outcome.starts_with("sat")).map(|one| one.engine)
        }
        Verdict::Unknown(_) => None,
    };
    let first = first.or(decided.map(|_| "rewrite"));
    if let Some(engine) = first {
        set.engines.entry(engine).or_default().first += 1;
    }
    let skolemised = skolemised(problem);
    let simplified = simplify(&skolemised, &budget().at_most(arguments.timeout));
    if simplified.contradiction.is_some() || simplified.problem.assertions.is_empty() {
        set.engines.entry("rewrite").or_default().alone += 1;
        return faults;
    }
    for entry in ENGINES.iter().filter(|entry| entry.name != "rewrite") {
        let Some(engine) = entry.build(portfolio) else { continue };
        let answer = engine.run(&simplified.problem, &budget().at_most(arguments.alone));
        let answer = match answer {
            // The referee may be undecided, so another model is no fault by itself.
            Verdict::Sat(model) => match holds(&skolemised, &simplified, model) {
                true => true,
                false => continue,
            },
            Verdict::Unknown(_) => continue,
            Verdict::Unsat(_) => false,
        };
        set.engines.entry(entry.name).or_default().alone += 1;
        if decided.is_some_and(|decided| decided != answer) {
            faults.push(format!("{} contradicts the portfolio", entry.name));
        }
    }
    faults
}

/// Whether the referee evaluates all assertions to true.
fn holds(problem: &Problem, simplified: &Simplified, mut model: luthier_semantics::Model) -> bool {
    simplified.complete(&mut model);
    let mut evaluator = Evaluator::new(&problem.pool, &model);
    problem.assertions.iter().all(|&one| evaluator.evaluate(one).is_true())
}
