//! What `--stats` says.

use luthier_solver::session::QueryReport;
use luthier_solver::{Limit, Limits};

use crate::output::Output;

/// How many rules are listed.
const RULES: usize = 12;

/// Says what each engine did, which limits were set or hit, and which rules were applied most.
pub fn print_statistics(checked: &QueryReport, limits: &Limits, output: &Output) {
    for one in &checked.engines {
        let seconds = one.time.as_secs_f64();
        output.talk(format_args!("; {:<12} {seconds:>8.3} s  {}", one.engine, one.outcome));
    }
    for (name, value) in limits.changed() {
        output.talk(format_args!("; limit {name}={value}"));
    }
    if !checked.limits_hit.is_empty() {
        let hit: Vec<&str> = checked.limits_hit.iter().map(|limit: &Limit| limit.name()).collect();
        output.talk(format_args!("; limits hit: {}", hit.join(", ")));
    }
    output.talk(format_args!("; {} assertions left after rewriting", checked.assertions_left));
    let mut rules: Vec<_> = checked.rules.iter().collect();
    rules.sort_by_key(|&(name, count)| (std::cmp::Reverse(*count), *name));
    for (name, count) in rules.iter().take(RULES) {
        output.talk(format_args!("; {count:>8}  {name}"));
    }
    if rules.len() > RULES {
        output.talk(format_args!("; {:>8}  other rules", rules.len() - RULES));
    }
}
