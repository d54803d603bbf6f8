//! `luthier lint`: the strict reader, which reports every deviation of a script from the standard.

use std::path::PathBuf;

use clap::Args;
use luthier_corpus::{Instance, Options, instances};
use luthier_smtlib::source::Locator;
use luthier_smtlib::{Code, Mode, ReadOptions, read_script};
use luthier_terms::TermPool;
use serde::Serialize;

use crate::args::ScriptDialect;
use crate::codes::describe;
use crate::commands::nothing_to_read;
use crate::error::{CliError, Ending};
use crate::input::{is_stdin, read_one};
use crate::json::{DiagnosticRecord, VERSION, render};
use crate::output::Output;
use crate::text::counted;

const EXAMPLES: &str = "\
Examples:
  luthier lint script.smt2
  luthier lint --generous --json benchmarks/ suite.tar.zst
  luthier lint --codes                           what the codes mean";

/// Report every deviation of scripts from the SMT-LIB standard
///
/// Each finding has its place, a stable code, and often a hint. Folders and archives are
/// searched as `luthier parse` does. Ends with 0 if there is no finding, and with 3 if there is.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Files, folders and archives (`-`: standard input)
    #[arg(required_unless_present = "codes", value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    script: ScriptDialect,
    /// Deviations with an unambiguous meaning are only warnings
    #[arg(long)]
    generous: bool,
    /// List all codes with their meaning
    #[arg(long, conflicts_with_all = ["files", "dialect", "generous"])]
    codes: bool,
}

/// The JSON of `luthier lint`.
#[derive(Default, Serialize)]
struct Record {
    version: u32,
    files: Vec<FileRecord>,
    errors: usize,
    warnings: usize,
    unreadable: Vec<String>,
}

#[derive(Serialize)]
struct FileRecord {
    file: String,
    dialect: &'static str,
    reason: String,
    diagnostics: Vec<DiagnosticRecord>,
}

/// The JSON of `luthier lint --codes`.
#[derive(Serialize)]
struct Codes {
    version: u32,
    codes: Vec<CodeRecord>,
}

#[derive(Serialize)]
struct CodeRecord {
    code: &'static str,
    description: &'static str,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    if arguments.codes {
        return list_codes(output);
    }
    let mode = if arguments.generous { Mode::Generous } else { Mode::Strict };
    let options = ReadOptions { dialect: arguments.script.dialect, mode };
    let mut record = Record { version: VERSION, ..Record::default() };
    let mut files = 0;
    for path in &arguments.files {
        if is_stdin(path) {
            files += 1;
            lint(&read_one(path)?, &options, &mut record, output)?;
            continue;
        }
        for found in instances(std::slice::from_ref(path), &Options::default()) {
            match found {
                Ok(instance) => {
                    files += 1;
                    lint(&instance, &options, &mut record, output)?;
                }
                Err(error) => {
                    output.report_error(&CliError::usage(error.to_string()));
                    record.unreadable.push(error.to_string());
                }
            }
            // Without anybody to read it the rest is not worth its time.
            if output.is_closed() {
                return Ok(ending(&record));
            }
        }
    }
    if output.json {
        output.json_line(&record)?;
    } else if files > 0 {
        let (errors, warnings) =
            (counted(record.errors, "error"), counted(record.warnings, "warning"));
        output.line(format_args!("{errors} and {warnings} in {}", counted(files, "file")))?;
    }
    if files == 0 {
        return Err(nothing_to_read(record.unreadable.len()));
    }
    Ok(ending(&record))
}

fn ending(record: &Record) -> Ending {
    let clean = record.errors + record.warnings == 0 && record.unreadable.is_empty();
    if clean { Ending::Fine } else { Ending::Incomplete }
}

fn lint(
    instance: &Instance,
    options: &ReadOptions,
    record: &mut Record,
    output: &mut Output,
) -> Result<(), CliError> {
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, &instance.bytes, options);
    let errors = reading.errors().count();
    record.errors += errors;
    record.warnings += reading.diagnostics.len() - errors;
    let locator = Locator::new(&instance.bytes);
    if output.json {
        let diagnostics = reading.diagnostics.iter();
        record.files.push(FileRecord {
            file: instance.name.clone(),
            dialect: reading.detection.dialect.name(),
            reason: reading.detection.reason.describe(),
            diagnostics: diagnostics
                .map(|diagnostic| DiagnosticRecord::new(diagnostic, &locator))
                .collect(),
        });
        return Ok(());
    }
    for diagnostic in &reading.diagnostics {
        output.line(render(diagnostic, &instance.name, &locator, output.paint))?;
    }
    Ok(())
}

fn list_codes(output: &mut Output) -> Result<Ending, CliError> {
    if output.json {
        let record = |&code: &Code| CodeRecord { code: code.name(), description: describe(code) };
        let codes = Code::ALL.iter().map(record).collect();
        output.json_line(&Codes { version: VERSION, codes })?;
        return Ok(Ending::Fine);
    }
    let width = Code::ALL.iter().map(|code| code.name().len()).max().unwrap_or(0);
    for &code in Code::ALL {
        output.line(format_args!("{:<width$}  {}", code.name(), describe(code)))?;
    }
    Ok(Ending::Fine)
}
