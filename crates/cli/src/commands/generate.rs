//! `luthier generate`: writes or counts formulas whose answer is known by construction.

mod counts;
mod coverage;
mod files;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use luthier_generator::coverage::{Coverage, covered_cells_of_text};
use luthier_generator::icse20::{GeneratedSuite, LeftOut, Settings};
use luthier_generator::stream::{self, Stream};
use luthier_generator::{Formula, Suite};
use serde::Serialize;

use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::progress::Line;
use crate::text::counted;
use counts::Counts;
use files::Files;

const EXAMPLES: &str = "\
Examples:
  luthier generate --suite icse20 --out icse20/
  luthier generate --suite full --count 100000 --seed 7 --out full.tar.zst
  luthier generate --suite full --count 5000 --coverage
  luthier generate --suite small --start 1000000 --count 100000 --out small.tar.zst
  luthier generate --suite icse20 --settings own.toml --out own/";

/// Generate formulas whose answer is known by construction
///
/// Every satisfiable formula carries a witness, every unsatisfiable one the names of its only
/// minimal core: as `set-info` in the file, and in manifest.jsonl. The same suite and seed always
/// give the same bytes. Without --out they are only counted. The suites (docs/generate.md): icse20,
/// icse20-corrected; endless are full, its parts planted, tangled, bounded and laws, random,
/// whose answers are not known, small and small-bounded, all small formulas in order of size, and
/// the recipes unusual and idioms. Ends with 0, or with 1 if something cannot be written.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The suite
    #[arg(long, value_name = "NAME", value_parser = suite)]
    suite: Suite,
    /// Number of formulas of an endless suite [default: 2000]
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    /// Random seed of an endless suite [default: 0]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// First position of the suites small and small-bounded [default: 0]
    #[arg(long, value_name = "N")]
    start: Option<u64>,
    /// Maximal number of metamorphic variants per formula of an endless suite
    #[arg(long, alias = "twins", value_name = "N")]
    variants: Option<usize>,
    /// Number of threads; the formulas do not depend on it
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Other constants, bounds, equivalences or meanings for icse20
    #[arg(long, value_name = "FILE.toml")]
    settings: Option<PathBuf>,
    /// Output: a new folder, or an archive (.tar, .tar.gz, .tar.zst), which is much faster
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Show which operators, corner cases, polarities and positions are covered
    #[arg(long)]
    coverage: bool,
}

/// The JSON of `luthier generate`.
#[derive(Serialize)]
struct Record {
    version: u32,
    suite: &'static str,
    /// Of an endless suite.
    seed: Option<u64>,
    #[serde(flatten)]
    counts: Counts,
    folder: Option<String>,
    /// What the settings do not allow to make; `null` without settings.
    left_out: Option<LeftOutRecord>,
    /// If it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<coverage::Record>,
}

/// Unsatisfiable formulas that were not made because their truth is not known.
#[derive(Serialize)]
struct LeftOutRecord {
    formulas: usize,
    equivalences: Vec<&'static str>,
    equalities: Vec<&'static str>,
}

/// Where the formulas come from.
enum Formulas {
    Listed(std::vec::IntoIter<Formula>),
    Endless { stream: Box<Stream>, left: u64, ready: std::vec::IntoIter<Formula> },
}

const COUNT: u64 = 2_000;

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let suite = arguments.suite;
    refuse_what_does_not_fit(arguments)?;
    let mut left_out = None;
    let mut formulas = match (&arguments.settings, suite.sources()) {
        (Some(path), _) => {
            let made = with_settings(suite, path)?;
            if made.left_out.formulas > 0 {
                warn_of(&made.left_out, output);
            }
            left_out = Some(LeftOutRecord::from(made.left_out));
            Formulas::Listed(made.formulas.into_iter())
        }
        (None, []) => Formulas::Listed(suite.formulas().into_iter()),
        (None, sources) => Formulas::Endless {
            stream: Box::new(Stream::new(stream::Settings {
                variants: arguments.variants.unwrap_or_default(),
                threads: arguments.jobs.unwrap_or_else(available_threads),
                start: arguments.start.unwrap_or_default(),
                ..stream::Settings::new(arguments.seed.unwrap_or_default(), sources.to_vec())
            })),
            left: arguments.count.unwrap_or(COUNT),
            ready: Vec::new().into_iter(),
        },
    };
    let mut counts = Counts::default();
    let mut map = Coverage::new();
    let mut files = arguments.out.as_deref().map(Files::create).transpose()?;
    let mut progress = Line::new();
    while let Some(formula) = formulas.next() {
        counts.add(&formula);
        if let Some(files) = &mut files {
            files.add(&formula)?;
        }
        if arguments.coverage && matches!(formulas, Formulas::Listed(_)) {
            map.add(&covered_cells_of_text(&formula.text));
        }
        progress.show(|| counted(counts.total, "formula"));
    }
    progress.clear();
    if let Some(files) = files {
        files.finish()?;
    }
    let (map, pairs) = match &formulas {
        Formulas::Endless { stream, .. } => (stream.coverage(), Some(stream.pairs())),
        Formulas::Listed(_) => (&map, None),
    };
    if output.json {
        let record = Record {
            version: VERSION,
            suite: suite.name(),
            seed: (!suite.sources().is_empty()).then(|| arguments.seed.unwrap_or_default()),
            counts,
            folder: arguments.out.as_ref().map(|path| path.display().to_string()),
            left_out,
            coverage: arguments.coverage.then(|| coverage::Record::of(map, pairs)),
        };
        output.json_line(&record)?;
        return Ok(Ending::Fine);
    }
    counts.print(output)?;
    let place = match &arguments.out {
        Some(path) => format!(" in {}", path.display()),
        None => String::new(),
    };
    output.line(format_args!("{}{place}", counted(counts.total, "formula")))?;
    if arguments.coverage {
        coverage::print(map, pairs, output)?;
    }
    Ok(Ending::Fine)
}

/// What only some suites have is not silently left aside for others.
fn refuse_what_does_not_fit(arguments: &Arguments) -> Result<(), CliError> {
    let name = arguments.suite.name();
    let endless = !arguments.suite.sources().is_empty();
    let given = [
        ("--count", arguments.count.is_some()),
        ("--seed", arguments.seed.is_some()),
        ("--variants", arguments.variants.is_some()),
    ];
    let is_enumeration = matches!(arguments.suite, Suite::Small | Suite::SmallBounded);
    if arguments.start.is_some() && !is_enumeration {
        let message = format!("--start does not fit {name}, whose formulas are drawn by seed");
        return Err(CliError::usage(message).with_hint("--start is for small and small-bounded"));
    }
    match given.iter().find(|(_, given)| *given) {
        Some((option, _)) if !endless => {
            let names: Vec<&str> = Suite::ALL
                .into_iter()
                .filter(|suite| !suite.sources().is_empty())
                .map(Suite::name)
                .collect();
            Err(CliError::usage(format!("{option} does not fit {name}, which has an end"))
                .with_hint(format!("the endless suites are {}", names.join(", "))))
        }
        _ => Ok(()),
    }
}

fn available_threads() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

impl Iterator for Formulas {
    type Item = Formula;

    fn next(&mut self) -> Option<Formula> {
        match self {
            Self::Listed(formulas) => formulas.next(),
            Self::Endless { stream, left, ready } => loop {
                if let Some(formula) = ready.next() {
                    return Some(formula);
                }
                *left = left.checked_sub(1)?;
                *ready = stream.next()?.formulas.into_iter();
            },
        }
    }
}

/// The formulas of a suite by the settings in a file.
fn with_settings(suite: Suite, path: &Path) -> Result<GeneratedSuite, CliError> {
    let shown = path.display();
    let text =
        fs::read_to_string(path).map_err(|error| CliError::usage(format!("{shown}: {error}")))?;
    let settings = Settings::parse(&text).map_err(|error| {
        CliError::usage(format!("{shown}:{error}")).with_hint("docs/generate.md describes the file")
    })?;
    let made = suite.with_settings(&settings).ok_or_else(|| {
        CliError::usage(format!("the suite {} has no settings", suite.name()))
            .with_hint("settings are for icse20 and icse20-corrected")
    })?;
    made.map_err(|error| {
        CliError::usage(format!("{shown}: {error}")).with_hint(
            "take fewer constants, a smaller bound or fewer terms per operation, or raise `most`",
        )
    })
}

/// Says which formulas were not made.
fn warn_of(left_out: &LeftOut, output: &mut Output) {
    let LeftOut { formulas, equivalences, equalities } = left_out;
    let names: Vec<&str> = equivalences.iter().chain(equalities).copied().collect();
    output.warn(&format!(
        "{} that should be unsatisfiable left out: whether {} hold for the chosen meanings is not \
         known",
        counted(*formulas, "formula"),
        names.join(", ")
    ));
}

impl From<LeftOut> for LeftOutRecord {
    fn from(left_out: LeftOut) -> Self {
        let LeftOut { formulas, equivalences, equalities } = left_out;
        Self { formulas, equivalences, equalities }
    }
}

fn suite(name: &str) -> Result<Suite, String> {
    Suite::find(name).ok_or_else(|| {
        let names = Suite::ALL.map(Suite::name).join(", ");
        format!("there is {names}")
    })
}
