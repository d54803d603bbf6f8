//! `luthier run --list`: what would be run.

use std::collections::BTreeSet;

use luthier_campaign::{Event, Experiment, Plan, RunnableConfiguration, register};
use luthier_records::{show_bytes, show_duration};
use luthier_runner::releases::Releases;
use serde::Serialize;

use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::{clean_name, counted};

/// The JSON of `luthier run --list`.
#[derive(Serialize)]
struct Record {
    version: u32,
    configurations: Vec<ConfigurationRecord>,
    sets: Vec<SetRecord>,
    runs: usize,
    /// The experiment as a file that `luthier run` accepts.
    experiment: String,
}

#[derive(Serialize)]
struct ConfigurationRecord {
    name: String,
    solver: String,
    solver_version: Option<String>,
    program: String,
    sha256: String,
    arguments: Vec<String>,
    script_lines: Vec<String>,
    dialect: String,
    seed: Option<u64>,
    not_asked: Vec<String>,
}

#[derive(Serialize)]
struct SetRecord {
    name: String,
    instances: usize,
    faulty: usize,
}

/// Shows the plan. Nothing is stored.
pub fn run(
    experiment: Experiment,
    releases: &Releases,
    output: &mut Output,
) -> Result<Ending, CliError> {
    let plan = Plan::new(experiment, releases)?;
    let mut labels = super::labels::LabelUses::default();
    let registered = register(&plan.experiment, None, &|| false, &mut |event| match event {
        Event::Unreadable { message } => output.warn(&message),
        Event::Remark { instance, message } => {
            output.warn(&format!("{}:{message}", clean_name(instance)));
        }
        Event::Labelled(used) => labels.add(used),
        Event::Registered(_) => labels.tell(output),
        _ => {}
    })?;
    // Copies are run once.
    let instances = registered.sets.iter().flat_map(|set| &set.instances);
    let distinct: BTreeSet<_> = instances.map(|instance| instance.digest).collect();
    let repetitions = usize::try_from(plan.experiment.repetitions).unwrap_or(usize::MAX);
    let record = Record {
        version: VERSION,
        configurations: plan.configurations.iter().map(ConfigurationRecord::of).collect(),
        sets: registered
            .sets
            .iter()
            .map(|set| SetRecord {
                name: set.name.clone(),
                instances: set.instances.len(),
                faulty: set.instances.iter().filter(|one| one.fault.is_some()).count(),
            })
            .collect(),
        runs: distinct.len() * plan.configurations.len() * repetitions,
        experiment: plan.experiment.to_toml(),
    };
    let ending = if registered.unreadable > 0 { Ending::Incomplete } else { Ending::Fine };
    if output.json {
        output.json_line(&record)?;
        return Ok(ending);
    }
    let paint = output.paint;
    output.line(paint.bold(&counted(record.configurations.len(), "configuration")))?;
    for one in &record.configurations {
        output.line(format_args!("  {}", clean_name(&one.name)))?;
        let arguments = one.arguments.join(" ");
        output.line(format_args!("    {} {}", clean_name(&one.program), clean_name(&arguments)))?;
        output.line(format_args!("    dialect {}, sha256 {}", one.dialect, one.sha256))?;
        if !one.not_asked.is_empty() {
            let requested = one.not_asked.join(", ");
            output.line(format_args!("    cannot be asked for: {requested}"))?;
        }
    }
    output.line(paint.bold(&counted(record.sets.len(), "set")))?;
    for set in &record.sets {
        let faulty = match set.faulty {
            0 => String::new(),
            faulty => format!(", {faulty} of which cannot be read"),
        };
        let instances = counted(set.instances, "instance");
        output.line(format_args!("  {}: {instances}{faulty}", clean_name(&set.name)))?;
    }
    let experiment = &plan.experiment;
    let limit = experiment.cpu_limit;
    let at_most = limit.saturating_mul(u32::try_from(record.runs).unwrap_or(u32::MAX));
    output.line(format_args!(
        "{}, each at most {} of CPU time, {} on the wall and {} of memory: at most {:.1} hours of \
         CPU time, {} at a time",
        paint.bold(&counted(record.runs, "run")),
        show_duration(limit),
        show_duration(experiment.wall_limit()),
        show_bytes(experiment.memory_limit),
        at_most.as_secs_f64() / 3600.0,
        plan.jobs,
    ))?;
    Ok(ending)
}

impl ConfigurationRecord {
    fn of(runnable: &RunnableConfiguration) -> Self {
        let configuration = runnable.configuration.clone();
        let program = runnable.solver.release.program.file();
        Self {
            name: configuration.name,
            solver: configuration.solver,
            solver_version: configuration.version,
            program: program.map_or_else(|error| error.to_string(), |p| p.display().to_string()),
            sha256: configuration.program_digest.to_string(),
            arguments: configuration.arguments,
            script_lines: configuration.script_lines,
            dialect: configuration.dialect,
            seed: configuration.seed,
            not_asked: configuration.not_asked,
        }
    }
}
