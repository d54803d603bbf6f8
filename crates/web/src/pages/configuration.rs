//! Configurations of solvers: releases, limits, command lines.

use luthier_records::{Configuration, CpuTime};
use luthier_report::Results;
use maud::{Markup, html};

use super::tables::solver_link;
use crate::text::{shorten, visible};

/// All solvers with their limits, folded.
pub(super) fn configurations(results: &Results) -> Markup {
    html! {
        details.more #solvers {
            summary { "Solvers and limits" }
            div.scroll tabindex="0" role="region" aria-label="Solvers and limits" {
                table {
                    thead {
                        tr {
                            th scope="col" { "name" }
                            th scope="col" { "solver" }
                            th scope="col" { "version" }
                            th scope="col" { "reads" }
                            th.n scope="col" { "CPU limit" }
                            th.n scope="col" { "wall limit" }
                            th.n scope="col" { "memory" }
                            th scope="col" { "command line" }
                            th scope="col" { "asked for" }
                            th scope="col" { "program" }
                        }
                    }
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
            dt { "Reads" } dd { (visible(&configuration.dialect)) }
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
