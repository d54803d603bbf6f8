//! `luthier bench list`: known benchmark sets, whether they are on this machine, and what is known about them.

use clap::Args;
use luthier_corpus::Flow;
use luthier_corpus::sets::{KnownSet, SetError, Sets, State, content_digest};
use luthier_report::{Column, Table, render_table};
use serde::Serialize;

use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::{self, Output};

const EXAMPLES: &str = "\
Examples:
  luthier bench list
  luthier bench list kaluza                 all that is known about one set
  luthier bench list --check --json";

/// List benchmark sets
///
/// The state of a set is `known` (described, not on this machine), `present`, `digest differs` (its contents are
/// not those that are described) or `missing` (it is no longer where it was added). Ends with 0, and with 3 if
/// a set is missing or differs.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Only these sets, with all that is known about them
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Read the sets and compute their digests anew
    #[arg(long)]
    check: bool,
}

/// The JSON of `luthier bench list`.
#[derive(Serialize)]
struct Record {
    version: u32,
    sets: Vec<SetRecord>,
}

#[derive(Serialize)]
struct SetRecord {
    name: String,
    title: Option<String>,
    state: &'static str,
    path: Option<String>,
    files: Option<usize>,
    tracks: Option<usize>,
    summary: Option<String>,
    source: Option<String>,
    licence: Option<String>,
    citation: Option<String>,
    get: Option<String>,
    labels: Option<String>,
    /// The described digest.
    sha256: Option<String>,
    /// That of the files here, when they were added or, with --check, now.
    sha256_here: Option<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let sets = Sets::of_user()?;
    let mut records = Vec::new();
    for set in sets.all() {
        if arguments.names.is_empty() || arguments.names.iter().any(|name| name == set.name) {
            records.push(record(&set, arguments.check)?);
        }
    }
    for name in &arguments.names {
        if sets.find(name).is_none() {
            // An unknown name: the error names those that are near.
            sets.present(name)?;
        }
    }
    let wrong = [State::DigestDiffers.name(), State::Missing.name()];
    let ending = match records.iter().any(|record| wrong.contains(&record.state)) {
        true => Ending::Incomplete,
        false => Ending::Fine,
    };
    if output.json {
        output.json_line(&Record { version: VERSION, sets: records })?;
    } else if arguments.names.is_empty() {
        print_table(&records, output)?;
    } else {
        records.iter().try_for_each(|record| print_one(record, output))?;
    }
    Ok(ending)
}

fn record(set: &KnownSet<'_>, check: bool) -> Result<SetRecord, SetError> {
    let described = set.description;
    let text = |of: fn(&luthier_corpus::sets::Description) -> &String| described.map(of).cloned();
    let mut state = set.state();
    let mut here = set.registered.map(|registered| registered.digest);
    if check
        && matches!(state, State::Present | State::DigestDiffers)
        && let Some(registered) = set.registered
    {
        let found = content_digest(&registered.path, |_, _| Flow::Continue)?;
        here = found.map(|found| found.digest);
        let expected = set.described_digest().unwrap_or(registered.digest);
        let is_same = here == Some(expected);
        state = if is_same { State::Present } else { State::DigestDiffers };
    }
    Ok(SetRecord {
        name: set.name.to_owned(),
        title: text(|one| &one.title),
        state: state.name(),
        path: set.registered.map(|registered| registered.path.display().to_string()),
        files: described.map(|one| one.files).or(set.registered.map(|one| one.files)),
        tracks: described.map(|one| one.tracks.len()),
        summary: text(|one| &one.summary),
        source: text(|one| &one.source),
        licence: text(|one| &one.licence),
        citation: text(|one| &one.citation),
        get: text(|one| &one.get),
        labels: described.and_then(|one| one.labels.clone()),
        sha256: set.described_digest().map(|digest| digest.to_string()),
        sha256_here: here.map(|digest| digest.to_string()),
    })
}

fn print_table(records: &[SetRecord], output: &mut Output) -> Result<(), CliError> {
    let mut table = Table::new(vec![
        Column::key("set"),
        Column::words("state"),
        Column::numbers("files"),
        Column::numbers("tracks"),
        Column::words("what it is, or where").expendable(1),
    ]);
    for one in records {
        let number = |number: Option<usize>| number.map(|one| one.to_string()).unwrap_or_default();
        table.push(vec![
            one.name.clone(),
            one.state.to_owned(),
            number(one.files),
            number(one.tracks),
            one.path.clone().or_else(|| one.summary.clone()).unwrap_or_default(),
        ]);
    }
    output.text(&render_table(&table, output::terminal_width()))
}

fn print_one(one: &SetRecord, output: &mut Output) -> Result<(), CliError> {
    output.line(output.paint.bold(&one.name))?;
    let files = one.files.map(|files| files.to_string());
    let tracks = one.tracks.map(|tracks| tracks.to_string());
    let state = Some(one.state.to_owned());
    let lines = [
        ("title", &one.title),
        ("state", &state),
        ("path", &one.path),
        ("what", &one.summary),
        ("files", &files),
        ("tracks", &tracks),
        ("source", &one.source),
        ("licence", &one.licence),
        ("cite", &one.citation),
        ("get it", &one.get),
        ("labels", &one.labels),
        ("sha256", &one.sha256),
        ("here", &one.sha256_here),
    ];
    for (name, value) in lines {
        if let Some(value) = value {
            output.line(format_args!("  {name:<8} {value}"))?;
        }
    }
    Ok(())
}
