//! `luthier generate`: formulas whose answer is known.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use luthier_generator::{Category, Expected, Formula, Suite};
use serde::Serialize;

use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::counted;

const EXAMPLES: &str = "\
Examples:
  luthier generate --suite icse20 --out icse20/
  luthier generate --suite icse20-corrected --json";

/// Generate formulas whose answer is known by construction.
///
/// Every satisfiable formula carries a witness, every unsatisfiable one the names of its only
/// minimal core: as `set-info` in the file, and in manifest.jsonl. The same suite always gives the
/// same bytes. Without --out they are only counted. `luthier run --suite NAME` runs a suite
/// without files.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The suite: icse20 (as published) or icse20-corrected
    #[arg(long, value_name = "NAME", value_parser = suite)]
    suite: Suite,
    /// The folder for the files, which must be empty or not there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The JSON of `luthier generate`.
#[derive(Serialize)]
struct Record {
    version: u32,
    suite: &'static str,
    total: usize,
    categories: BTreeMap<&'static str, usize>,
    operations: BTreeMap<&'static str, usize>,
    folder: Option<String>,
}

/// One line of the manifest.
#[derive(Serialize)]
struct Line<'a> {
    file: String,
    category: &'static str,
    operation: &'static str,
    expected: &'static str,
    /// Values for all variables.
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Vec<Value<'a>>>,
    /// The names of the only minimal core.
    #[serde(skip_serializing_if = "Option::is_none")]
    core: Option<&'a [String]>,
    derivation: &'a str,
}

#[derive(Serialize)]
struct Value<'a> {
    name: &'a str,
    sort: &'a str,
    value: &'a str,
}

const MANIFEST: &str = "manifest.jsonl";

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let formulas = arguments.suite.formulas();
    if let Some(folder) = &arguments.out {
        write(folder, &formulas)?;
    }
    let mut record = Record {
        version: VERSION,
        suite: arguments.suite.name(),
        total: formulas.len(),
        categories: BTreeMap::new(),
        operations: BTreeMap::new(),
        folder: arguments.out.as_ref().map(|folder| folder.display().to_string()),
    };
    for formula in &formulas {
        *record.categories.entry(formula.category.name()).or_default() += 1;
        *record.operations.entry(formula.operation).or_default() += 1;
    }
    if output.json {
        output.json_line(&record)?;
        return Ok(Ending::Fine);
    }
    for category in Category::ALL {
        let Some(count) = record.categories.get(category.name()) else { continue };
        output.line(format_args!("{count:>6} {category}"))?;
        let mut operations: Vec<(&str, usize)> = Vec::new();
        for formula in formulas.iter().filter(|formula| formula.category == category) {
            match operations.iter_mut().find(|(name, _)| *name == formula.operation) {
                Some((_, count)) => *count += 1,
                None => operations.push((formula.operation, 1)),
            }
        }
        let operations: Vec<String> =
            operations.iter().map(|(name, count)| format!("{name} {count}")).collect();
        output.line(format_args!("       {}", operations.join(", ")))?;
    }
    let place = match &arguments.out {
        Some(folder) => format!(" in {}", folder.display()),
        None => String::new(),
    };
    output.line(format_args!("{}{place}", counted(record.total, "formula")))?;
    Ok(Ending::Fine)
}

/// Writes one file for each formula, in a folder for each category, and the manifest.
fn write(folder: &Path, formulas: &[Formula]) -> Result<(), CliError> {
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| CliError::usage(format!("{path}: {error}"))
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    if fs::read_dir(folder).map_err(failed(folder))?.next().is_some() {
        let message = format!("{}: is not empty", folder.display());
        return Err(CliError::usage(message).with_hint("name another folder, or empty this one"));
    }
    let manifest = folder.join(MANIFEST);
    let file = fs::File::create(&manifest).map_err(failed(&manifest))?;
    let mut lines = BufWriter::new(file);
    let mut last = None;
    for formula in formulas {
        let category = formula.category;
        if last.replace(category) != Some(category) {
            let path = folder.join(category.name());
            fs::create_dir_all(&path).map_err(failed(&path))?;
        }
        let file = format!("{category}/{}.smt2", formula.name);
        let path = folder.join(&file);
        fs::write(&path, &formula.text).map_err(failed(&path))?;
        let line = serde_json::to_string(&Line::new(file, formula))
            .map_err(|error| CliError::Bug { message: format!("no JSON for a line: {error}") })?;
        writeln!(lines, "{line}").map_err(failed(&manifest))?;
    }
    lines.flush().map_err(failed(&manifest))
}

impl<'a> Line<'a> {
    fn new(file: String, formula: &'a Formula) -> Self {
        let (expected, witness, core) = match &formula.expected {
            Expected::Sat(values) => {
                let values = values.iter();
                let witness =
                    values.map(|(name, sort, value)| Value { name, sort, value }).collect();
                ("sat", Some(witness), None)
            }
            Expected::Unsat(core) => ("unsat", None, Some(core.as_slice())),
            Expected::Open => ("unknown", None, None),
        };
        Self {
            file,
            category: formula.category.name(),
            operation: formula.operation,
            expected,
            witness,
            core,
            derivation: &formula.derivation,
        }
    }
}

fn suite(name: &str) -> Result<Suite, String> {
    Suite::find(name).ok_or_else(|| {
        let names = Suite::ALL.map(Suite::name).join(", ");
        format!("there is {names}")
    })
}
