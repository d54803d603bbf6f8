//! Configurations of solvers: releases, limits, command lines.

use luthier_records::{Configuration, CpuTime};
use luthier_report::Results;
use maud::{Markup, html};

use super::csv;
use super::tables::solver_link;
use crate::headings::{self, Heading, room};
use crate::text::{shorten, visible};

/// The columns of the table of solvers.
const HEADINGS: [Heading; 10] = [
    Heading::text("name", "What the configuration is called here; it leads to its page."),
    Heading::text("solver", "The solver, as its description names it."),
    Heading::text("version", "The version that the program reports."),
    Heading::text("dialect", "The dialect of SMT-LIB in which scripts are given to it."),
    Heading::number("CPU limit", "The CPU time that a run may take."),
    Heading::number("wall limit", "The time by the clock that a run may take."),
    Heading::number("memory", "The memory that a run may take."),
    Heading::text("command line", "The arguments of the program."),
    Heading::text("asked for", "What scripts ask for beside verdicts: models, cores, a seed."),
    Heading::text("program", "The beginning of the SHA-256 of the program."),
];

/// All solvers with their limits, folded.
pub(super) fn configurations(results: &Results) -> Markup {
    html! {
        details.more #solvers {
            summary { "Solvers and limits" }
            div.scroll.{ (room(80)) } tabindex="0" role="region" aria-label="Solvers and limits" {
                table {
                    thead { tr { (headings::head(&HEADINGS)) } }
                    tbody {
                        @for (index, solver) in results.solvers.iter().enumerate() {
                            @let configuration = &solver.configuration;
                            tr {
                                th scope="row" { (solver_link(results, index)) }
                                td { (visible(&configuration.solver)) }
                                td {
                                    (configuration.version.as_deref().map_or("unknown".into(), visible))
                                }
                                td { (visible(&configuration.dialect)) }
                                td.n { (limit(configuration.limits.cpu)) }
                                td.n { (limit(CpuTime(configuration.limits.wall.0))) }
                                td.n { (memory(configuration)) }
                                td.code { code { (visible(&shorten(&configuration.arguments.join(" "), 200))) } }
                                td { (asked_for(configuration)) }
                                td.code {
                                    code title=(configuration.program_digest) {
                                        (&configuration.program_digest.to_string()[..12])
                                    }
                                }
                            }
                        }
                    }
                }
            }
            (csv::link("/solvers.csv", "all solvers"))
            (headings::help(&HEADINGS))
        }
    }
}

/// One solver: everything that is recorded about it.
pub(super) fn facts(configuration: &Configuration) -> Markup {
    html! {
        dl.facts {
            dt { "Solver" } dd { (visible(&configuration.solver)) }
            dt { "Version" }
            dd { (configuration.version.as_deref().map_or("unknown".into(), visible)) }
            dt { "Family" } dd { (visible(&configuration.family)) }
            dt { "Dialect" } dd { (visible(&configuration.dialect)) }
            dt { "CPU limit" } dd { (limit(configuration.limits.cpu)) }
            dt { "Wall limit" } dd { (limit(CpuTime(configuration.limits.wall.0))) }
            dt { "Memory" } dd { (memory(configuration)) }
            dt { "Command line" }
            dd { code { (visible(&shorten(&configuration.arguments.join(" "), 2000))) } }
            @if !configuration.script_lines.is_empty() {
                dt { "Added to scripts" }
                dd { code { (visible(&shorten(&configuration.script_lines.join(" "), 2000))) } }
            }
            dt { "Asked for" } dd { (asked_for(configuration)) }
            dt { "Program, SHA-256" } dd.digest { code { (configuration.program_digest) } }
        }
    }
}

fn limit(time: CpuTime) -> String {
    if time.0 == std::time::Duration::MAX {
        "none".to_owned()
    } else {
        format!("{} s", time.0.as_secs_f64())
    }
}

fn memory(configuration: &Configuration) -> String {
    match configuration.limits.memory {
        luthier_records::Bytes(u64::MAX) => "none".to_owned(),
        bytes => bytes.to_string(),
    }
}

fn asked_for(configuration: &Configuration) -> String {
    let mut wishes = Vec::new();
    if configuration.models {
        wishes.push("models".to_owned());
    }
    match configuration.cores {
        luthier_records::Cores::Never => {}
        luthier_records::Cores::WherePlanted => wishes.push("cores where planted".to_owned()),
        luthier_records::Cores::Always => wishes.push("cores".to_owned()),
    }
    if let Some(seed) = configuration.seed {
        wishes.push(format!("seed {seed}"));
    }
    for missing in &configuration.not_asked {
        wishes.push(format!("not {}", visible(missing)));
    }
    wishes.join(", ")
}
