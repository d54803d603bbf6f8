//! `luthier report`: tables, charts and documents of a database, for papers, mail and continuous
//! integration.

mod chart;
mod document;
mod icse20;
mod select;

use std::path::{Path, PathBuf};

pub use chart::Picture;
use clap::{Args, ValueEnum};
use luthier_report::documents::{ChartName, SectionName};

use crate::error::{CliError, Ending};
use crate::output::Output;
use crate::whole_file::WholeFile;
use select::Selection;

const EXAMPLES: &str = "\
Examples:
  luthier report results.db --out report.html
  luthier report results.db --format latex --table results --columns set,solver,solved,par2
  luthier report results.db --table runs --filter wrong --out wrong.csv
  luthier report results.db --chart scatter --solver z3@5.4.0 --solver cvc5 --out scatter.tex";

const MORE: &str = "\
Columns of the tables standings and results:
  set, solver, rank, instances, missing, runs, solved, solved_share, solved_sat, solved_unsat,
  unique, contribution, contribution_par2, best_on, sat, unsat, unknown, timeout, memout, crash,
  unsupported, malformed, framework_error, wrong, invalid_model, invalid_core, refuted, disputed,
  right, valid_model, completed_model, incomplete_model, unchecked_model, confirmed_core,
  larger_core, unconfirmed_core, disputed_core, par2, par2_mean, par2_runs, median_seconds,
  cpu_seconds, cpu_seconds_without_timeouts, cpu_seconds_decided, wall_seconds
An error about an unknown column lists those that the table has; docs/reports.md says what they mean.";

/// Write results as tables, charts or a document, for papers, mail and CI
///
/// Judgements are recomputed from the stored facts, as in `luthier summary`. The format is that of
/// --format, else that of the extension of --out (.tex, .adoc, .md, .html, .csv, .json, .xml), else
/// Markdown. LaTeX gives tables for a paper, and a whole document with --standalone; CSV
/// gives one table; all others give everything. The table icse20 is that of "Automatically Testing
/// String Solvers" and needs runs on the suite icse20 or on its files. Ends with 0, with 2 if an
/// answer in the selection is wrong (--exit-zero: with 0), and with 3 if runs failed by a fault of
/// Luthier or of the machine, or tests of icse20 were not run; with --chart always with 0.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{MORE}\n\n{EXAMPLES}"))]
pub struct Arguments {
    /// The database
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// What to write
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    #[arg(help = "latex, tikz, asciidoc, markdown, html, csv, json or junit")]
    format: Option<Format>,
    /// Output file; it appears only when it is complete
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Only one table
    #[arg(long, value_name = "NAME", hide_possible_values = true)]
    #[arg(help = "Only one table: standings, results, findings, runs, icse20, ...")]
    #[arg(long_help = TABLES)]
    table: Option<TableName>,
    /// Only these sections: run, findings, totals, results, operators, ...
    #[arg(long, value_name = "NAME", value_parser = section, value_delimiter = ',')]
    #[arg(long_help = "Only these sections: run, findings, totals, results, competition, leads, \
                       contribution, operators")]
    section: Vec<SectionName>,
    /// A chart instead, as .svg, .png or .tex: cactus, scatter, ...
    #[arg(long, value_name = "KIND", value_parser = chart_name, conflicts_with = "table")]
    #[arg(long_help = "A chart instead, as .svg, .png or .tex: cactus, scatter, distribution, \
                       operators, histogram, timeline. A scatter plot compares the two solvers \
                       given, otherwise the best two")]
    chart: Option<ChartName>,
    #[command(flatten)]
    selection: Selection,
    /// Only these columns of the table (see --help), with commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<String>,
    /// Sort rows by a column; --sort=-solved has the largest first
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    sort: Option<String>,
    /// The title
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// A document that compiles as it is, for latex and tikz
    #[arg(long)]
    standalone: bool,
    /// List all findings, not only the first 50 of each kind
    #[arg(long)]
    all: bool,
    /// Exit with 0 instead of 2 if an answer is wrong
    #[arg(long)]
    exit_zero: bool,
}

const TABLES: &str = "Only one table: standings (over everything), times, results (per set), \
                      competition, leads, contributions, operators, findings, campaigns, solvers, \
                      benchmarks, runs (every run), icse20";

/// The formats that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Latex,
    Tikz,
    Asciidoc,
    Markdown,
    Html,
    Csv,
    Json,
    Junit,
}

/// The tables that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableName {
    Standings,
    Times,
    Results,
    Competition,
    Leads,
    Contributions,
    Operators,
    Findings,
    Campaigns,
    Solvers,
    Benchmarks,
    Runs,
    Icse20,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    if let Some(name) = arguments.chart {
        return chart::run(arguments, name, output);
    }
    let format = arguments.format(output)?;
    let ending = match (arguments.table, format) {
        (Some(TableName::Icse20), format) => icse20::run(arguments, format, output),
        (_, format) => document::run(arguments, format.unwrap_or(Format::Markdown), output),
    }?;
    Ok(match ending {
        Ending::WrongAnswer if arguments.exit_zero => Ending::Fine,
        ending => ending,
    })
}

impl Arguments {
    /// The format that is asked for in some way.
    fn format(&self, output: &Output) -> Result<Option<Format>, CliError> {
        let json = output.json.then_some(Format::Json);
        if let Some(format) = self.format.or(json) {
            return Ok(Some(format));
        }
        let Some(path) = &self.out else { return Ok(None) };
        match Format::of_ending(path) {
            Some(format) => Ok(Some(format)),
            None => Err(CliError::usage(format!("{}: which format?", path.display())).with_hint(
                "say so with --format, or end the name with .tex, .adoc, .md, .html, .csv, .json \
                 or .xml",
            )),
        }
    }

    /// Writes where it is wanted: to the file, or to standard output.
    fn write(&self, bytes: &[u8], output: &mut Output) -> Result<(), CliError> {
        match &self.out {
            None => output.data(bytes),
            Some(path) => {
                let mut file = WholeFile::create(path)?;
                file.write(bytes)?;
                file.finish()
            }
        }
    }

    fn title(&self) -> String {
        match &self.title {
            Some(title) => title.clone(),
            None => {
                let name = self.database.file_stem().unwrap_or(self.database.as_os_str());
                format!("Results: {}", name.to_string_lossy())
            }
        }
    }
}

impl Format {
    fn of_ending(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "tex" => Some(Self::Latex),
            "adoc" | "asciidoc" => Some(Self::Asciidoc),
            "md" => Some(Self::Markdown),
            "html" | "htm" => Some(Self::Html),
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            "xml" => Some(Self::Junit),
            _ => None,
        }
    }
}

fn section(name: &str) -> Result<SectionName, String> {
    SectionName::from_name(name).ok_or_else(|| {
        format!(
            "there is no such section; expected {}",
            SectionName::ALL.map(SectionName::name).join(", ")
        )
    })
}

fn chart_name(name: &str) -> Result<ChartName, String> {
    let expected = ChartName::ALL.map(ChartName::name).join(", ");
    ChartName::from_name(name).ok_or_else(|| format!("there is no such chart; expected {expected}"))
}
