//! The files of a suite: one for each formula, and a manifest.

use std::path::Path;

use luthier_corpus::Writer;
use luthier_generator::{Expected, Formula};
use serde::Serialize;

use crate::error::CliError;

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

/// Formulas on their way to a folder or an archive.
pub struct Files {
    writer: Writer,
    /// The manifest so far. It is written last, since an archive takes whole files only.
    manifest: Vec<u8>,
}

impl Files {
    /// A new folder or archive.
    pub fn create(path: &Path) -> Result<Self, CliError> {
        let writer = Writer::create(path).map_err(|error| CliError::usage(error.to_string()))?;
        Ok(Self { writer, manifest: Vec::new() })
    }

    /// Writes a formula, in the folder of its category.
    pub fn add(&mut self, formula: &Formula) -> Result<(), CliError> {
        let file = format!("{}/{}.smt2", formula.category, formula.name);
        self.write(&file, formula.text.as_bytes())?;
        serde_json::to_writer(&mut self.manifest, &Line::new(file, formula))
            .map_err(|error| CliError::Bug { message: format!("no JSON for a line: {error}") })?;
        self.manifest.push(b'\n');
        Ok(())
    }

    /// Writes the manifest and ends.
    pub fn finish(mut self) -> Result<(), CliError> {
        let manifest = std::mem::take(&mut self.manifest);
        self.write(MANIFEST, &manifest)?;
        self.writer.finish().map_err(|error| CliError::usage(error.to_string()))
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), CliError> {
        self.writer.add(name, bytes).map_err(|error| CliError::usage(error.to_string()))
    }
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
