//! Runs one engine on files: `engine NAME SECONDS FILE…`, with Z3 from `LUTHIER_Z3`. The flat
//! engine is `flat`, or `flat-FORM` with a form of not-substring.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a tool for those who work on engines"
)]

use std::time::{Duration, Instant};

use luthier_semantics::Evaluator;
use luthier_smtlib::{ReadOptions, read_script};
use luthier_solver::arithmetic::Backend;
use luthier_solver::{
    Budget, Cancel, ComponentPortfolio, Engine, Portfolio, Problem, Proof, Verdict, strategy,
};
use luthier_terms::TermPool;

/// All engines, as one.
struct Whole(Portfolio);

impl Engine for Whole {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict {
        self.0.solve(problem, budget).verdict
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap();
    let seconds: f64 = arguments.next().unwrap().parse().unwrap();
    let backend = Backend::z3(std::env::var_os("LUTHIER_Z3").unwrap());
    let all = Portfolio { backend: Some(backend), ..Portfolio::default() };
    let (name, form) =
        name.split_once('-').map_or((&*name, None), |(name, form)| (name, Some(form)));
    let not_substring = form.map(|form| form.parse().unwrap()).unwrap_or_default();
    let all = Portfolio { not_substring, ..all };
    let engine: Box<dyn Engine> = match name {
        "portfolio" => Box::new(Whole(all)),
        "parts" => Box::new(ComponentPortfolio::new(&all)),
        _ => strategy::engine(name).and_then(|entry| entry.build(&all)).unwrap(),
    };
    for file in arguments {
        let bytes = std::fs::read(&file).unwrap();
        let mut pool = TermPool::new();
        let reading = read_script(&mut pool, &bytes, &ReadOptions::default());
        let query = reading.script.queries().last().unwrap();
        let assertions = query.assertions.iter().map(|one| one.assertion.term).collect();
        let problem = Problem { pool: pool.into(), assertions };
        let start = Instant::now();
        let budget =
            Budget::until_cancelled(Cancel::new()).at_most(Duration::from_secs_f64(seconds));
        let simplified = luthier_solver::rewrite::simplify(&problem, &budget);
        let verdict = match simplified.contradiction {
            Some(argument) => Verdict::Unsat(Proof { engine: "rewrite", argument }),
            None => match engine.run(&simplified.problem, &budget) {
                Verdict::Sat(mut model) => {
                    simplified.complete(&mut model);
                    Verdict::Sat(model)
                }
                other => other,
            },
        };
        let text = match &verdict {
            Verdict::Sat(model) => {
                let mut evaluator = Evaluator::new(&problem.pool, model);
                let right = problem.assertions.iter().all(|&one| evaluator.evaluate(one).is_true());
                if right { "sat".to_owned() } else { "WRONG MODEL".to_owned() }
            }
            Verdict::Unsat(_) => "unsat".to_owned(),
            Verdict::Unknown(reason) => format!("unknown ({reason})"),
        };
        println!("{:8.3} {file} {text}", start.elapsed().as_secs_f64());
    }
}
