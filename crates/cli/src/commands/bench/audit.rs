//! `luthier bench audit`: what is in benchmark sets, as text, JSON or a document.

mod print;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use luthier_corpus::audit::{Audit, ProvenAnswers};
use luthier_corpus::sets::Sets;
use luthier_report::documents::{self, Audience, DocumentScope};
use luthier_results::{AuditRecord, audit_document, audit_record, proven_answers};
use luthier_smtlib::Dialect;
use luthier_store::Store;
use serde::Serialize;

use super::chosen::{chosen, read};
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::whole_file::WholeFile;

const EXAMPLES: &str = "\
Examples:
  luthier bench audit                       all sets that are on this machine
  luthier bench audit kaluza --db results.db --out kaluza.html
  luthier bench audit ./my-folder suite.tar.zst --format markdown
  luthier bench audit norn --json";

/// Examine benchmark sets: what cannot be read, duplicates, operators, wrong labels
///
/// Duplicates are counted as in the ZaligVinder paper: every member of a group of files with the same bytes; and in
/// the same way those up to renaming, reordering and dialect. Operators are counted where they stand in the text.
/// With --db, annotated answers (:status, and folders that the description says are named after answers) are
/// compared with what the runs prove: planted answers, models that the referee accepted, agreement of
/// independent solvers. Ends with 0, and with 3 if a file cannot be opened or read.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Sets by name or path [default: all that are on this machine]
    #[arg(value_name = "SET")]
    sets: Vec<String>,
    /// A database with runs that prove answers; several count together
    #[arg(long, value_name = "DB")]
    db: Vec<PathBuf>,
    /// What to write
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    #[arg(help = "text, markdown, latex, html or csv [default: by --out, else text]")]
    format: Option<Format>,
    /// Output file; it appears only when it is complete
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// List all rejected files and wrong labels, not only the first ones
    #[arg(long)]
    all: bool,
    /// Parallel files [default: the number of processors]
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Markdown,
    Latex,
    Html,
    Csv,
}

/// The JSON of `luthier bench audit`.
#[derive(Serialize)]
struct Record {
    version: u32,
    #[serde(flatten)]
    audit: AuditRecord,
}

/// How many rejected files and wrong labels are listed without --all.
const MOST_LISTED: usize = 10;

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let sets = Sets::of_user()?;
    let chosen = chosen(&arguments.sets, &sets)?;
    let proven = proven(&arguments.db)?;
    let examined = read(chosen, arguments.jobs, output)?;
    let audit = examined.audit(&proven);
    let has_history = !arguments.db.is_empty();
    let ending = ending(&audit);
    if output.json {
        let audit = audit_record(&audit, has_history);
        output.json_line(&Record { version: VERSION, audit })?;
        return Ok(ending);
    }
    let format = arguments.format.or_else(|| arguments.out.as_deref().and_then(Format::of_file));
    let most = if arguments.all { usize::MAX } else { MOST_LISTED };
    let document = audit_document(&audit, &sets.catalogue, has_history, most);
    let text = match format.unwrap_or(Format::Text) {
        Format::Text => print::text(&document),
        Format::Markdown => documents::markdown(&document),
        Format::Latex => documents::latex(&document, DocumentScope::Fragments),
        Format::Html => documents::html(&document),
        Format::Csv => {
            let mut tables = document.tables(Audience::Programs);
            tables.next().map(documents::csv).unwrap_or_default()
        }
    };
    match &arguments.out {
        None if format.is_none_or(|format| format == Format::Text) => output.text(&text)?,
        None => output.data(text.as_bytes())?,
        Some(path) => {
            let mut file = WholeFile::create(path)?;
            file.write(text.as_bytes())?;
            file.finish()?;
        }
    }
    Ok(ending)
}

impl Format {
    fn of_file(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "md" => Some(Self::Markdown),
            "tex" => Some(Self::Latex),
            "html" => Some(Self::Html),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }
}

fn ending(audit: &Audit) -> Ending {
    let is_whole = |set: &luthier_corpus::audit::SetAudit| {
        set.counts.rejected == 0 && set.unreadable.is_empty()
    };
    if audit.sets.iter().all(is_whole) { Ending::Fine } else { Ending::Incomplete }
}

/// What the runs of databases prove, by content.
pub fn proven(databases: &[PathBuf]) -> Result<ProvenAnswers, CliError> {
    let stores: Vec<Store> =
        databases.iter().map(Store::open_read_only).collect::<Result<_, _>>()?;
    let mut proven = ProvenAnswers::new();
    for instance in proven_answers(&stores)? {
        // A dialect that this program does not know was recorded by another; its files are not read so here.
        if let Ok(dialect) = instance.dialect.parse::<Dialect>() {
            proven.insert((instance.digest, dialect), instance.answers);
        }
    }
    Ok(proven)
}
