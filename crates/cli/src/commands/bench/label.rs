//! `luthier bench label`: proven answers of databases as tables of labels, with the witnesses.
//!
//! A table is written beside instances, never over them: `FOLDER/SET.labels.tsv`, which `luthier run --labels`
//! reads and binds to the set by its name. Each row has its evidence. A witness is written only if the referee
//! accepts it now, read as `luthier check` reads it.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use clap::Args;
use luthier_campaign::parsed_instance::ParsedInstance;
use luthier_corpus::Writer;
use luthier_corpus::sets::common_folder;
use luthier_judge::{CheckOptions, CheckOutcome, check_model};
use luthier_records::{Digest, Evidence, ProvenAnswer, Verdict};
use luthier_results::{ProvenInstance, proven_answers};
use luthier_runner::answer;
use luthier_smtlib::Dialect;
use luthier_store::Store;
use serde::Serialize;

use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::counted;
use crate::whole_file::WholeFile;

const EXAMPLES: &str = "\
Examples:
  luthier bench label results.db --out labels
  luthier bench label one.db two.db --set kaluza --out labels --models models.tar.zst
  luthier run --set kaluza --labels labels/kaluza.labels.tsv --solver z3@5.4.0";

/// Write proven answers as tables of labels, with witnesses that anyone can check
///
/// An answer is proven by a planted answer, by a model that the referee accepted, or by solvers of at least two
/// families that agree while none contradicts; what files and tables claim does not count. The runs of all
/// databases count together. For each set, FOLDER/SET.labels.tsv has a row for each file with a proven answer: path,
/// label, evidence, the solvers behind it, the SHA-256 of the file and the name of its witness. A script with several
/// queries has no row. With --models, every witness is checked again and written as SHA256.smt2 into a new folder or
/// archive: luthier check FILE --model MODEL. Ends with 0, and with 3 if a witness cannot be written.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Databases
    #[arg(value_name = "DB", required = true)]
    databases: Vec<PathBuf>,
    /// Only this set
    #[arg(long, value_name = "NAME")]
    set: Vec<String>,
    /// The folder of the tables
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Write witnesses: a new folder, or an archive (.tar, .tar.gz, .tar.zst)
    #[arg(long, value_name = "PATH")]
    models: Option<PathBuf>,
}

/// The JSON of `luthier bench label`.
#[derive(Serialize)]
struct Record {
    version: u32,
    sets: Vec<SetRecord>,
    /// Witnesses that were written.
    models: usize,
    /// Contents whose witness the referee does not accept as `luthier check` reads it.
    models_left_out: Vec<String>,
}

#[derive(Serialize, Default)]
struct SetRecord {
    name: String,
    table: String,
    /// Files of the set in the databases.
    files: usize,
    sat: usize,
    unsat: usize,
    /// Labels by evidence.
    evidence: BTreeMap<&'static str, usize>,
    /// Files without a proven answer.
    open: usize,
    /// Files with several queries, which have no row.
    several_queries: usize,
}

/// One file of a set.
struct Row<'a> {
    name: &'a str,
    instance: &'a ProvenInstance,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let stores: Vec<Store> =
        arguments.databases.iter().map(Store::open_read_only).collect::<Result<_, _>>()?;
    let proven = proven_answers(&stores)?;
    let mut sets: BTreeMap<&str, Vec<Row<'_>>> = BTreeMap::new();
    for instance in &proven {
        for place in &instance.places {
            if arguments.set.is_empty() || arguments.set.contains(&place.set) {
                let row = Row { name: &place.name, instance };
                sets.entry(&place.set).or_default().push(row);
            }
        }
    }
    if let Some(missing) = arguments.set.iter().find(|name| !sets.contains_key(name.as_str())) {
        let mut known: Vec<&str> =
            proven.iter().flat_map(|one| &one.places).map(|place| place.set.as_str()).collect();
        known.sort_unstable();
        known.dedup();
        return Err(CliError::usage(format!("no instance of the set `{missing}` was run"))
            .with_hint(format!("there are {}", known.join(", "))));
    }
    let mut witnesses = Witnesses::default();
    if let Some(path) = &arguments.models {
        let used = sets.values().flatten().map(|row| row.instance);
        witnesses.write(used, &stores, path)?;
    }
    std::fs::create_dir_all(&arguments.out).map_err(|error| {
        CliError::usage(format!("{}: cannot be written ({error})", arguments.out.display()))
    })?;
    let mut records = Vec::new();
    for (set, rows) in sets {
        records.push(write_table(set, rows, &witnesses, &arguments.out)?);
    }
    let left_out: Vec<String> = witnesses.left_out.iter().map(Digest::to_string).collect();
    for digest in left_out.iter().take(5) {
        output
            .warn(&format!("the witness of {digest} is not accepted as `luthier check` reads it"));
    }
    let ending = if left_out.is_empty() { Ending::Fine } else { Ending::Incomplete };
    let models = witnesses.names.len();
    if output.json {
        let record = Record { version: VERSION, sets: records, models, models_left_out: left_out };
        output.json_line(&record)?;
        return Ok(ending);
    }
    for one in &records {
        let evidence: Vec<String> =
            one.evidence.iter().map(|(name, count)| format!("{count} by {name}")).collect();
        output.line(format_args!(
            "{}: {} of {} labelled ({}), {} sat, {} unsat, {} open",
            one.table,
            one.sat + one.unsat,
            counted(one.files, "file"),
            evidence.join(", "),
            one.sat,
            one.unsat,
            one.open
        ))?;
    }
    if let Some(path) = &arguments.models {
        output.line(format_args!("{}: {}", path.display(), counted(models, "model")))?;
    }
    Ok(ending)
}

/// The answer of a file, if it has one query.
fn answer_of(instance: &ProvenInstance) -> Option<&ProvenAnswer> {
    match instance.answers.as_slice() {
        [answer] => answer.as_ref(),
        _ => None,
    }
}

fn write_table(
    set: &str,
    mut rows: Vec<Row<'_>>,
    witnesses: &Witnesses,
    folder: &Path,
) -> Result<SetRecord, CliError> {
    let path = folder.join(format!("{}.labels.tsv", set.replace('/', "_")));
    let mut record = SetRecord {
        name: set.to_owned(),
        table: path.display().to_string(),
        files: rows.len(),
        ..SetRecord::default()
    };
    rows.sort_unstable_by_key(|row| (row.name, row.instance.digest));
    let common = common_folder(rows.iter().map(|row| row.name)).len();
    let mut text = String::from("path\tlabel\tevidence\tby\tsha256\tmodel\n");
    for row in rows {
        if row.instance.answers.len() != 1 {
            record.several_queries += 1;
            continue;
        }
        let Some(answer) = answer_of(row.instance) else {
            record.open += 1;
            continue;
        };
        let name = &row.name[common..];
        if name.contains(['\t', '\n', '\r']) {
            return Err(CliError::usage(format!(
                "`{}` cannot stand in a table",
                name.escape_debug()
            ))
            .with_hint("rename the file: its name has a tab or a line feed"));
        }
        match answer.verdict {
            Verdict::Sat => record.sat += 1,
            Verdict::Unsat | Verdict::Unknown => record.unsat += 1,
        }
        *record.evidence.entry(answer.evidence.name()).or_default() += 1;
        let digest = row.instance.digest;
        let model = witnesses.names.get(&digest).map(String::as_str).unwrap_or_default();
        let by = answer.by.join(",").replace('\t', " ");
        let (label, evidence) = (answer.verdict, answer.evidence.name());
        text.push_str(&format!("{name}\t{label}\t{evidence}\t{by}\t{digest}\t{model}\n"));
    }
    let mut file = WholeFile::create(&path)?;
    file.write(text.as_bytes())?;
    file.finish()?;
    Ok(record)
}

/// The witnesses that were written, by content.
#[derive(Default)]
struct Witnesses {
    names: HashMap<Digest, String>,
    left_out: Vec<Digest>,
}

impl Witnesses {
    fn write<'a>(
        &mut self,
        instances: impl Iterator<Item = &'a ProvenInstance>,
        stores: &[Store],
        path: &Path,
    ) -> Result<(), CliError> {
        let failed = |error: luthier_corpus::CorpusError| CliError::usage(error.to_string());
        let mut writer = Writer::create(path).map_err(failed)?;
        let mut all: Vec<&ProvenInstance> = instances.collect();
        all.sort_unstable_by_key(|instance| instance.digest);
        all.dedup_by_key(|instance| instance.digest);
        for instance in all {
            let [Some((database, run))] = instance.witnesses[..] else { continue };
            let is_model = |answer: &ProvenAnswer| answer.evidence != Evidence::Agreement;
            if !answer_of(instance).is_some_and(is_model) {
                continue;
            }
            let store = &stores[database];
            let printed = store.outputs(run)?.unwrap_or_default().stdout.bytes;
            let model = answer::read(&printed).answers.into_iter().next().and_then(|one| one.model);
            let text = store.text(instance.digest)?;
            let accepted = model.zip(text).and_then(|(model, text)| {
                let ways = [model.as_bytes().to_vec(), with_escaped_backslashes(model.as_bytes())];
                ways.into_iter().find(|model| is_accepted(&text, instance, model))
            });
            match accepted {
                Some(mut model) => {
                    let name = format!("{}.smt2", instance.digest);
                    model.push(b'\n');
                    writer.add(&name, &model).map_err(failed)?;
                    self.names.insert(instance.digest, name);
                }
                None => self.left_out.push(instance.digest),
            }
        }
        writer.finish().map_err(failed)
    }
}

/// A model in the dialect of the standard with `\u{5c}` for every backslash that begins no escape. Releases print it
/// as it is, and older ones mean something else by `\n`, so that `luthier check` asks who printed it.
fn with_escaped_backslashes(model: &[u8]) -> Vec<u8> {
    let mut written = Vec::with_capacity(model.len());
    for (position, &byte) in model.iter().enumerate() {
        match byte {
            b'\\' if model.get(position + 1) != Some(&b'u') => written.extend(b"\\u{5c}"),
            _ => written.push(byte),
        }
    }
    written
}

/// Whether the referee accepts a witness, read as `luthier check` reads it.
fn is_accepted(text: &[u8], instance: &ProvenInstance, model: &[u8]) -> bool {
    let dialect = instance.dialect.parse::<Dialect>().ok();
    let mut parsed = ParsedInstance::read(text, dialect);
    let check = check_model(&mut parsed.pool, &parsed.script, model, &CheckOptions::default());
    match check.map(|check| check.outcome) {
        Ok(CheckOutcome::Valid) => true,
        Ok(CheckOutcome::Incomplete { default_completion, .. }) => default_completion == Some(true),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::with_escaped_backslashes;

    #[test]
    fn a_backslash_that_begins_no_escape_is_escaped() {
        let model = br#"((define-fun x () String "a\nb\u{9}\\"))"#;
        let expected = br#"((define-fun x () String "a\u{5c}nb\u{9}\u{5c}\u{5c}"))"#;
        assert_eq!(with_escaped_backslashes(model), expected);
    }
}
