//! The section of the experimental setup: campaigns, machines, releases, limits, benchmarks.

use std::time::Duration;

use super::super::model::{Block, Column, Table, Value, Visibility};
use super::super::moment;
use super::super::text::counted;
use super::paragraph;
use crate::{SolverInfo, View};

/// The key facts, for the head of the document.
pub(super) fn facts(view: &View<'_>) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut add = |name: &str, text: String| facts.push((name.to_owned(), text));
    let (entries, sets) = (view.entries.len() as u64, sets(view).len() as u64);
    add("Benchmarks", format!("{} in {}", counted(entries, "instance"), counted(sets, "set")));
    let labels: Vec<&str> = solvers(view).map(|solver| solver.label.as_str()).collect();
    add("Solvers", labels.join(", "));
    let campaigns = campaigns(view);
    let mut dates: Vec<String> = campaigns
        .iter()
        .filter_map(|&index| moment(view.results.campaigns[index].campaign.started))
        .map(|moment| moment.chars().take("2026-01-01".len()).collect())
        .collect();
    dates.sort();
    dates.dedup();
    match dates.as_slice() {
        [] => {}
        [date] => add("Date", date.clone()),
        [first, .., last] => add("Dates", format!("{first} to {last}")),
    }
    let mut machines: Vec<String> = campaigns
        .iter()
        .map(|&index| &view.results.campaigns[index].campaign.machine)
        .map(|machine| {
            format!("{}, {} cores, {}", machine.processor, machine.cores, machine.memory)
        })
        .collect();
    machines.sort();
    machines.dedup();
    if !machines.is_empty() {
        add("Machines", machines.join("; "));
    }
    let mut limits: Vec<(Duration, String)> = solvers(view)
        .map(|solver| &solver.configuration.limits)
        .map(|limits| (limits.cpu.0, format!("{} CPU, {}", seconds(limits.cpu.0), limits.memory)))
        .collect();
    limits.sort();
    limits.dedup();
    let limits: Vec<String> = limits.into_iter().map(|(_, text)| text).collect();
    add("Limits", limits.join("; "));
    facts
}

/// Tables of campaigns, solvers and benchmarks.
pub(super) fn blocks(view: &View<'_>) -> Vec<Block> {
    let text = "Every answer was judged: by planted answers, by models that were checked, by the \
                status of trusted files, and by agreement of independent solvers, in this order. \
                A wrong answer and an invalid model never count as solved. Times are CPU seconds \
                unless it is said otherwise.";
    vec![
        paragraph(text),
        Block::Table(campaign_table(view)),
        Block::Table(solver_table(view)),
        Block::Table(benchmark_table(view)),
    ]
}

fn campaign_table(view: &View<'_>) -> Table {
    let columns = vec![
        Column::new("campaign", "no."),
        Column::new("id", "campaign").shown(Visibility::OnRequest),
        Column::new("started", "started"),
        Column::new("host", "host"),
        Column::new("system", "system").shown(Visibility::OnRequest),
        Column::new("processor", "processor").wrapping(),
        Column::new("cores", "cores"),
        Column::new("memory_bytes", "memory in bytes").shown(Visibility::OnRequest),
        Column::new("jobs", "jobs"),
        Column::new("luthier", "Luthier"),
        Column::new("command", "command").wrapping(),
    ];
    let mut table = Table::new("campaigns", "Campaigns", columns);
    for index in campaigns(view) {
        let info = &view.results.campaigns[index];
        let campaign = &info.campaign;
        let machine = &campaign.machine;
        table.push(
            0,
            vec![
                Value::Number(info.number),
                Value::Text(campaign.id.clone()),
                Value::text(moment(campaign.started)),
                Value::Text(machine.host.clone()),
                Value::Text(machine.system.clone()),
                Value::Text(machine.processor.clone()),
                Value::Count(machine.cores.into()),
                Value::Count(machine.memory.0),
                Value::Count(campaign.jobs.into()),
                Value::Text(campaign.luthier_version.clone()),
                Value::Text(campaign.command_line.join(" ")),
            ],
        );
    }
    table
}

fn solver_table(view: &View<'_>) -> Table {
    let columns = vec![
        Column::new("solver", "solver"),
        Column::new("name", "program").shown(Visibility::OnRequest),
        Column::new("version", "version"),
        Column::new("family", "family").shown(Visibility::OnRequest),
        Column::new("dialect", "dialect"),
        Column::new("seed", "seed").shown(Visibility::IfNotEmpty),
        Column::new("cpu_limit_seconds", "CPU limit"),
        Column::new("wall_limit_seconds", "wall limit"),
        Column::new("memory_limit_bytes", "memory limit in bytes").shown(Visibility::OnRequest),
        Column::new("arguments", "arguments").wrapping(),
        Column::new("program_sha256", "SHA-256 of the program").shown(Visibility::OnRequest),
    ];
    let mut table = Table::new("solvers", "Solvers", columns);
    for solver in solvers(view) {
        let configuration = &solver.configuration;
        let seed = configuration.seed.and_then(|seed| i64::try_from(seed).ok());
        table.push(
            0,
            vec![
                Value::Text(solver.label.clone()),
                Value::Text(configuration.solver.clone()),
                Value::text(configuration.version.clone()),
                Value::Text(configuration.family.clone()),
                Value::Text(configuration.dialect.clone()),
                seed.map_or(Value::Missing, Value::Number),
                Value::Seconds(configuration.limits.cpu.as_secs_f64()),
                Value::Seconds(configuration.limits.wall.as_secs_f64()),
                Value::Count(configuration.limits.memory.0),
                Value::Text(configuration.arguments.join(" ")),
                Value::Text(configuration.program_digest.to_string()),
            ],
        );
    }
    table
}

fn benchmark_table(view: &View<'_>) -> Table {
    let columns = vec![
        Column::new("set", "set"),
        Column::new("tracks", "tracks"),
        Column::new("instances", "instances"),
        Column::new("expected_sat", "known sat"),
        Column::new("expected_unsat", "known unsat"),
        Column::new("unreadable", "unreadable").shown(Visibility::IfNotEmpty),
    ];
    let mut table = Table::new("benchmarks", "Benchmarks", columns);
    for (set, view) in sets(view) {
        let info = &view.results.sets[set];
        let mut tracks: Vec<usize> = view.iter().map(|entry| entry.track).collect();
        tracks.dedup();
        let mut counts = [0_u64; 3];
        for entry in view.iter() {
            use crate::measures::Expected;
            counts[0] += u64::from(Expected::of(entry) == Expected::Sat);
            counts[1] += u64::from(Expected::of(entry) == Expected::Unsat);
            counts[2] += u64::from(entry.judged.content.is_unreadable);
        }
        let mut cells = vec![
            Value::Text(info.name.clone()),
            Value::Count(tracks.len() as u64),
            Value::Count(view.entries.len() as u64),
        ];
        cells.extend(counts.map(Value::Count));
        table.push(0, cells);
    }
    table
}

/// The sets that have entries in the view, each with the part of the view that is in it.
pub(super) fn sets<'a>(view: &View<'a>) -> Vec<(usize, View<'a>)> {
    let mut parts: Vec<(usize, View<'a>)> = Vec::new();
    // Entries are ascending, and those of a set stand together.
    for &index in &view.entries {
        let set = view.results.set_of(&view.results.entries[index]);
        match parts.last_mut() {
            Some((last, part)) if *last == set => part.entries.push(index),
            _ => {
                let solvers = view.solvers.clone();
                let entries = vec![index];
                let campaign = view.campaign;
                parts.push((set, View { results: view.results, solvers, entries, campaign }));
            }
        }
    }
    parts
}

fn solvers<'v>(view: &'v View<'_>) -> impl Iterator<Item = &'v SolverInfo> {
    view.solvers.iter().map(|&solver| &view.results.solvers[solver])
}

/// The campaigns that have runs in the view, as indices.
fn campaigns(view: &View<'_>) -> Vec<usize> {
    let mut has_runs = vec![false; view.results.campaigns.len()];
    for entry in view.iter() {
        for &solver in &view.solvers {
            view.runs(entry, solver).for_each(|run| has_runs[run.campaign] = true);
        }
    }
    (0..has_runs.len()).filter(|&index| has_runs[index]).collect()
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}
