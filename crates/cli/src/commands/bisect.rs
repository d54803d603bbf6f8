//! `luthier bisect`: the releases of a solver between which a failure came and went.
//!
//! Each release is observed in a process of its own on the same file, with the same answer as ground
//! truth. The search itself is in `luthier-triage`; this module lists and installs releases and shows the
//! timeline.

mod timeline;

use std::path::PathBuf;

use clap::Args;
use luthier_ask::{ConfigurationSpec, Solver};
use luthier_records::FindingKind;
use luthier_runner::releases::{ReleaseName, Releases, Version, VersionSelector};
use luthier_smtlib::{Dialect, Script};
use luthier_terms::TermPool;
use luthier_triage::bisect::{Boundaries, Mark, boundaries, scan, search};
use luthier_triage::{Observation, Truth, observe};
use serde::Serialize;

use super::triage::{ProcessOptions, Workplace, read_formula};
use super::user_releases;
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::{self, Output};
use timeline::Timeline;

const EXAMPLES: &str = "\
Examples:
  luthier bisect small.smt2 --solver z3@4.8.9
  luthier bisect small.smt2 --solver cvc5 --all
  luthier bisect small.smt2 --solver z3 --installed --json
  luthier bisect small.smt2 --solver z3@4.8.9 --chart timeline.svg";

/// Find the releases in which a failure came and went
///
/// Observes releases of a solver on a file whose answer is known, installing what is missing: by
/// binary search around one failing release, or all of them with --all, because bugs come and go.
/// --solver names the solver, or a release that fails, with options that all releases get. Ends
/// with 0 if a failing release was found, else with 3.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The failing formula (`-`: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The solver, or a failing release with its options: z3, z3@4.8.9, "z3@4.8.9+seq"
    #[arg(long, value_name = "SOLVER")]
    solver: String,
    /// The failure to look for [default: that of the first failing release]
    #[arg(long, value_name = "KIND", value_parser = parse_kind)]
    keep: Option<FindingKind>,
    /// Observe every release
    #[arg(long)]
    all: bool,
    /// Use only the releases that are installed
    #[arg(long)]
    installed: bool,
    /// Draw the timeline: a file that ends with .svg, .png or .tex
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    #[command(flatten)]
    process: ProcessOptions,
    /// Read the file in this dialect, such as 2.6 or z3-4.8.8, instead of detecting it
    #[arg(long, value_name = "DIALECT", value_parser = luthier_ask::dialect_named)]
    dialect: Option<Dialect>,
}

/// The result of a bisection.
#[derive(Debug, Serialize)]
pub struct Bisection {
    version: u32,
    file: String,
    /// The solver with its options.
    solver: String,
    class: Option<&'static str>,
    truth: &'static str,
    /// Every release was observed.
    complete: bool,
    /// The releases that were observed, oldest first.
    pub releases: Vec<Observed>,
    pub last_good: Option<String>,
    pub first_bad: Option<String>,
    pub first_good_again: Option<String>,
    /// The first and the last release of each run of failing ones.
    pub intervals: Vec<[String; 2]>,
}

impl Bisection {
    /// Whether every release was observed.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Each observed release and its outcome, oldest first.
    pub fn outcomes(&self) -> Vec<(String, String)> {
        self.releases.iter().map(|one| (one.version.clone(), one.outcome.clone())).collect()
    }

    /// The newest observed release, and whether it fails.
    pub fn newest(&self) -> Option<(String, bool)> {
        self.releases.last().map(|one| (one.version.clone(), one.fails == Some(true)))
    }
}

/// One release.
#[derive(Clone, Debug, Serialize)]
pub struct Observed {
    version: String,
    outcome: String,
    /// Whether it shows the failure; `null` if it cannot tell.
    pub fails: Option<bool>,
    said: String,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let releases = user_releases()?;
    let (mut pool, script) = read_formula(&arguments.file, arguments.dialect)?;
    let workplace = Workplace::new(&releases, &arguments.process)?;
    let truth = workplace.truth(&mut pool, &script, &releases)?;
    let options = Options {
        solver: &arguments.solver,
        keep: arguments.keep,
        all: arguments.all,
        installed: arguments.installed,
    };
    let formula = Formula { pool, script, truth };
    let bisection = bisect(
        formula,
        arguments.file.display().to_string(),
        &options,
        &workplace,
        &releases,
        output,
    )?;
    let timeline = Timeline::new(&bisection);
    if let Some(path) = &arguments.chart {
        timeline.draw(path)?;
    }
    let found = bisection.first_bad.is_some();
    if output.json {
        output.json_line(&bisection)?;
    } else {
        timeline.print(output)?;
    }
    Ok(if found { Ending::Fine } else { Ending::Incomplete })
}

/// A formula with its answer.
pub struct Formula {
    pub pool: TermPool,
    pub script: Script,
    pub truth: Truth,
}

/// What to look for and where.
pub struct Options<'a> {
    pub solver: &'a str,
    pub keep: Option<FindingKind>,
    pub all: bool,
    pub installed: bool,
}

/// Observes releases of a solver on a formula.
pub fn bisect(
    mut formula: Formula,
    file: String,
    options: &Options<'_>,
    workplace: &Workplace,
    releases: &Releases,
    output: &mut Output,
) -> Result<Bisection, CliError> {
    let spec = ConfigurationSpec::parse(options.solver).map_err(CliError::usage)?;
    let name = spec.configuration_name()?;
    let (solver, known) = match &name.release {
        ReleaseName::OnPath { solver } => (solver.clone(), None),
        ReleaseName::Cached { solver, selector: VersionSelector::Version(version) } => {
            (solver.clone(), Some(version.clone()))
        }
        ReleaseName::Cached { solver, selector: VersionSelector::Latest } => (solver.clone(), None),
        ReleaseName::Path { .. } => {
            let message = format!("{}: a program has no releases", options.solver);
            let hint = "name a solver of `luthier solvers list`, such as z3 or z3@4.8.9";
            return Err(CliError::usage(message).with_hint(hint));
        }
    };
    let versions = versions_of(&solver, options.installed, releases)?;
    let start = known.as_ref().and_then(|known| versions.iter().position(|one| one == known));
    let mut observed: Vec<Option<Observed>> = vec![None; versions.len()];
    let mut class = options.keep;
    let mut ask = |position: usize| {
        if workplace.stop.load(std::sync::atomic::Ordering::Relaxed) {
            return None;
        }
        let version = &versions[position];
        if output::can_show_progress() {
            output::progress(&format!("{solver}@{version} …"));
        }
        let seen =
            observe_release(&mut formula, &solver, version, &spec, workplace, releases, output);
        if output::can_show_progress() {
            output::progress("");
        }
        if workplace.stop.load(std::sync::atomic::Ordering::Relaxed) {
            return None;
        }
        let (entry, mark) = match seen {
            Ok(seen) => {
                class = class.or(seen.failure);
                let mark = mark(&seen, class, &formula.truth);
                (Observed::new(version, &seen, mark), mark)
            }
            Err(error) => {
                let outcome = "not-run".to_owned();
                let said = error.to_string();
                let version = version.to_string();
                (Observed { version, outcome, fails: None, said }, Mark::Neither)
            }
        };
        observed[position] = Some(entry);
        Some(mark)
    };
    let marks = if options.all {
        scan(versions.len(), &mut ask)
    } else {
        search(versions.len(), start, &mut ask)
    };
    let Boundaries { last_good, first_bad, first_good_again, intervals } = boundaries(&marks);
    let name_of = |position: usize| versions[position].to_string();
    Ok(Bisection {
        version: VERSION,
        file,
        solver: options.solver.to_owned(),
        class: class.map(FindingKind::name),
        truth: formula.truth.name(),
        complete: marks.iter().all(Option::is_some),
        releases: observed.into_iter().flatten().collect(),
        last_good: last_good.map(name_of),
        first_bad: first_bad.map(name_of),
        first_good_again: first_good_again.map(name_of),
        intervals: intervals
            .into_iter()
            .map(|(first, last)| [name_of(first), name_of(last)])
            .collect(),
    })
}

/// The releases of a solver, oldest first.
pub fn versions_of(
    solver: &str,
    installed: bool,
    releases: &Releases,
) -> Result<Vec<Version>, CliError> {
    let mut versions: Vec<Version> = if installed {
        let description = releases.catalogue.get(solver)?;
        let found = releases.installed(description)?;
        found.into_iter().filter_map(|release| release.version).collect()
    } else {
        releases.available(solver)?
    };
    versions.sort();
    versions.dedup();
    if versions.is_empty() {
        let message = format!("no release of {solver} is installed");
        let hint =
            format!("luthier solvers install {solver}@latest, or bisect without --installed");
        return Err(CliError::usage(message).with_hint(hint));
    }
    Ok(versions)
}

fn observe_release(
    formula: &mut Formula,
    solver: &str,
    version: &Version,
    spec: &ConfigurationSpec,
    workplace: &Workplace,
    releases: &Releases,
    output: &Output,
) -> Result<Observation, CliError> {
    let sets = spec.solver.split_once('+').map_or("", |(_, sets)| sets);
    let plus = if sets.is_empty() { "" } else { "+" };
    let spec =
        ConfigurationSpec { solver: format!("{solver}@{version}{plus}{sets}"), ..spec.clone() };
    let name = ReleaseName::Cached {
        solver: solver.to_owned(),
        selector: VersionSelector::Version(version.clone()),
    };
    super::solvers::install::ensure(&[name], releases, output)?;
    let solver = Solver::find(&spec, None, releases)?;
    let trial = workplace.trial(&solver);
    let seen = observe(&mut formula.pool, &formula.script, &formula.truth, &trial);
    Ok(seen.unwrap_or_else(|| Observation {
        failure: None,
        outcome: "unsupported",
        said: "the dialect of this release cannot express the formula".to_owned(),
        reasons: Vec::new(),
    }))
}

/// Whether a release shows the failure.
pub fn mark(seen: &Observation, class: Option<FindingKind>, truth: &Truth) -> Mark {
    let right = truth.verdict().map(|verdict| verdict.to_string());
    match seen.failure {
        Some(kind) if Some(kind) == class => Mark::Bad,
        Some(_) => Mark::Neither,
        None if matches!(seen.outcome, "sat" | "unsat") => match right {
            Some(right) if right != seen.outcome => Mark::Neither,
            _ => Mark::Good,
        },
        None => Mark::Neither,
    }
}

impl Observed {
    fn new(version: &Version, seen: &Observation, mark: Mark) -> Self {
        let fails = match mark {
            Mark::Bad => Some(true),
            Mark::Good => Some(false),
            Mark::Neither => None,
        };
        let (outcome, said) = (seen.name().to_owned(), seen.said.clone());
        Self { version: version.to_string(), outcome, fails, said }
    }
}

/// A kind of failure that releases are compared by.
fn parse_kind(text: &str) -> Result<FindingKind, String> {
    let kinds = [
        FindingKind::WrongUnsat,
        FindingKind::WrongSat,
        FindingKind::InvalidModel,
        FindingKind::Crash,
    ];
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    let found = kinds.into_iter().find(|kind| kind.name() == text);
    found.ok_or_else(|| format!("`{text}` is none of {}", names.join(", ")))
}
