//! `luthier report`: the document, in the format that is wanted.

use std::cell::Cell;

use luthier_report::View;
use luthier_report::documents::{
    self, Audience, Block, Document, DocumentScope, Order, PaperOptions, Section, SectionName,
    Table, UnknownColumn,
};
use luthier_report::measures::{self, Finding, FindingKind, Sorting};
use luthier_store::{Store, StoreError};

use super::{Arguments, Format, TableName, select};
use crate::error::{CliError, Ending};
use crate::output::Output;

/// How many findings of each kind are listed.
const MOST_FINDINGS: usize = 50;

/// The tables that --columns and --sort are about if no table is named.
const USUAL: [&str; 2] = ["standings", "results"];

/// Writes the document.
pub fn run(arguments: &Arguments, format: Format, output: &mut Output) -> Result<Ending, CliError> {
    let store = Store::open_read_only(&arguments.database)?;
    let table = match (arguments.table, format) {
        (None, Format::Csv) => Some(TableName::Standings),
        (table, _) => table,
    };
    let sections = match table {
        Some(table) => table.section().into_iter().collect(),
        None => arguments.section.clone(),
    };
    let has_operators = format != Format::Junit
        && table != Some(TableName::Runs)
        && (sections.is_empty() || sections.contains(&SectionName::Operators));
    let features = has_operators || arguments.selection.needs_features();
    let results = select::read(&store, features)?;
    let view = arguments.selection.view(&results)?;
    if format == Format::Junit {
        arguments.write(documents::junit(&view, &arguments.title()).as_bytes(), output)?;
        return Ok(ending(&view));
    }
    let charts = matches!(format, Format::Html | Format::Asciidoc | Format::Tikz)
        || (format == Format::Latex && arguments.standalone);
    let failure = Cell::new(None);
    let options = PaperOptions {
        title: arguments.title(),
        chosen: arguments.selection.words(),
        sections,
        most_findings: if arguments.all { usize::MAX } else { MOST_FINDINGS },
        charts: charts && table.is_none(),
        detail: &|finding| detail(&store, finding, &failure),
    };
    let mut document = match table {
        Some(TableName::Runs) => runs(&view, &options),
        _ => documents::paper(&view, &options),
    };
    if let Some(error) = failure.take() {
        return Err(error.into());
    }
    let audience = match format {
        Format::Csv | Format::Json => Audience::Programs,
        _ => Audience::People,
    };
    if let Some(table) = table {
        only(&mut document, table, audience);
    }
    choose(&mut document, arguments, audience)?;
    let whole =
        if arguments.standalone { DocumentScope::Standalone } else { DocumentScope::Fragments };
    let text = match format {
        Format::Latex => documents::latex(&document, whole),
        Format::Tikz => documents::tikz(&document, whole),
        Format::Asciidoc => documents::asciidoc(&document),
        Format::Markdown => documents::markdown(&document),
        Format::Html => documents::html(&document),
        Format::Json => documents::json(&document),
        Format::Csv => document.tables(audience).next().map(documents::csv).unwrap_or_default(),
        Format::Junit => String::new(),
    };
    arguments.write(text.as_bytes(), output)?;
    Ok(ending(&view))
}

impl TableName {
    /// The section that has it; `None` for those that no section has.
    fn section(self) -> Option<SectionName> {
        match self {
            Self::Standings | Self::Times => Some(SectionName::Totals),
            Self::Results => Some(SectionName::Results),
            Self::Competition => Some(SectionName::Competition),
            Self::Leads => Some(SectionName::Leads),
            Self::Contributions => Some(SectionName::Contribution),
            Self::Operators => Some(SectionName::Operators),
            Self::Findings => Some(SectionName::Findings),
            Self::Campaigns | Self::Solvers | Self::Benchmarks => Some(SectionName::Run),
            Self::Runs | Self::Icse20 => None,
        }
    }

    /// Whether this is the table of this name, or a part of it.
    fn is(self, name: &str) -> bool {
        match self {
            Self::Standings => name == "standings",
            Self::Times => name == "times",
            Self::Results => name == "results",
            Self::Competition => name == "competition",
            Self::Leads => name == "leads",
            Self::Contributions => name == "contributions",
            Self::Operators => name.starts_with("operators"),
            Self::Findings => name.starts_with("finding"),
            Self::Campaigns => name == "campaigns",
            Self::Solvers => name == "solvers",
            Self::Benchmarks => name == "benchmarks",
            Self::Runs => name == "runs",
            Self::Icse20 => name == "icse20",
        }
    }
}

/// The document that has only all runs.
fn runs(view: &View<'_>, options: &PaperOptions<'_>) -> Document {
    let mut table = documents::runs_table(view, Sorting::default());
    table.audience = Audience::All;
    let blocks = vec![Block::Table(table)];
    let section = Section { name: "runs", heading: "All runs".to_owned(), blocks };
    Document { title: options.title.clone(), facts: Vec::new(), sections: vec![section] }
}

/// Leaves only one table. Times are a table for people; programs have its columns elsewhere, and
/// get it if they ask for it.
fn only(document: &mut Document, wanted: TableName, audience: Audience) {
    for section in &mut document.sections {
        section.blocks.retain(|block| match block {
            Block::Table(table) => {
                wanted.is(&table.name) && (table.is_for(audience) || wanted == TableName::Times)
            }
            _ => false,
        });
        for block in &mut section.blocks {
            if let Block::Table(table) = block {
                table.audience = Audience::All;
            }
        }
    }
}

/// Sorts rows and chooses columns: of the table that is asked for, otherwise of the usual ones.
fn choose(
    document: &mut Document,
    arguments: &Arguments,
    audience: Audience,
) -> Result<(), CliError> {
    let has_table = arguments.table.is_some();
    for section in &mut document.sections {
        if !has_table && !arguments.columns.is_empty() {
            // The chosen columns stand in the place of both.
            section.blocks.retain(|block| match block {
                Block::Table(table) => table.name != "times",
                _ => true,
            });
        }
        for block in &mut section.blocks {
            if let Block::Table(table) = block
                && table.is_for(audience)
                && (has_table || USUAL.contains(&table.name.as_str()))
            {
                choose_in(table, arguments)?;
            }
        }
    }
    Ok(())
}

/// Sorts the rows of a table and chooses its columns.
pub fn choose_in(table: &mut Table, arguments: &Arguments) -> Result<(), CliError> {
    if let Some(order) = &arguments.sort {
        table.sort(&Order::parse(order)).map_err(no_column)?;
    }
    if !arguments.columns.is_empty() {
        *table = table.with_columns(&arguments.columns).map_err(no_column)?;
    }
    Ok(())
}

/// Whether somebody was wrong in what was chosen.
fn ending(view: &View<'_>) -> Ending {
    let findings = measures::findings(view, 0);
    let failed = || measures::standings(view).iter().any(|one| one.score.framework_error > 0);
    if findings.has_wrong() {
        Ending::WrongAnswer
    } else if failed() {
        Ending::Incomplete
    } else {
        Ending::Fine
    }
}

/// What was answered wrongly, and what the database knows about a finding. The last error is kept.
fn detail(store: &Store, finding: &Finding, failure: &Cell<Option<StoreError>>) -> Option<String> {
    let said = finding
        .said
        .filter(|_| matches!(finding.kind, FindingKind::WrongSat | FindingKind::WrongUnsat));
    let said = said.map(|verdict| format!("said {verdict}"));
    let more = luthier_results::read_detail(store, finding).unwrap_or_else(|error| {
        failure.set(Some(error));
        None
    });
    let parts: Vec<String> = said.into_iter().chain(more).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn no_column(error: UnknownColumn) -> CliError {
    CliError::usage(format!("the table {} has no column {:?}", error.table, error.column))
        .with_hint(format!("its columns are {}", error.columns.join(", ")))
}
